"""What the screen of a run can do, while it runs and after."""

from modex.tui.actions import Action

TITLE = "Run"
ACTIONS = (
    Action("pause", "p", "pause", "Pause: calls in flight end, no new ones begin"),
    Action("resume", "p,r", "resume", "Go on after a pause, or start the run again where it ended (asks)", id="resume"),
    Action("stop", "s", "stop", "Stop the run (asks); it can be resumed"),
    Action("switch(1)", "tab", "next run", "Go to the next run", id="next_run"),
    Action("toggle_log", "L", "log", "Give the log more or less room"),
    Action("toggle_workers", "w", "workers", "Show what each worker does, or the log and the matrix again"),
    Action("watch", "v", "watch", "Show an answer of the selected cell as it is written"),
    Action("filter", "slash", "filter", "Filter the log: words, `status:failed`, `level>=3`, `score<0.5`"),
    Action("next_failure", "f", "failure", "Open the first failed or errored test"),
    Action("gold", "o", "gold missed", "List the failed answers that contain the gold", shown=False),
    Action(
        "concurrency(1)", "plus,equals_sign", "faster", "Raise the concurrency by one call", shown=False, id="faster"
    ),
    Action("concurrency(-1)", "minus", "slower", "Lower the concurrency by one call", shown=False, id="slower"),
    Action("skip", "K", "skip", "Skip what still waits in the selected cell (asks)", shown=False),
    Action(
        "changes",
        "c",
        "changes",
        "List what changed since the previous run of this model, and the tests it lost",
    ),
    Action("tests", "t", "all tests", "List every test of the run", shown=False),
    Action("switch(-1)", "shift+tab", "previous run", "Go to the previous run", shown=False, id="previous_run"),
)
