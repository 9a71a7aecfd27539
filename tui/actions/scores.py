"""What the history of a cell or a suite can do."""

from modex.tui.actions import Action

TITLE = "History of a score"
ACTIONS = (
    Action(
        "regression", "n", "next fall", "Go to the next older run that scored lower than the same model's previous run"
    ),
    Action("changes", "c", "changes", "List what changed between the same model's previous run and this one"),
)
