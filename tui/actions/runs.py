"""What the list of runs can do."""

from modex.tui.actions import Action

TITLE = "Runs"
ACTIONS = (
    Action("new", "n", "new run", "Plan a new run"),
    Action("filter", "slash", "filter", "Filter: words, `model:gpt`, `status:interrupted`, `score<70`, `archived:yes`"),
    Action("sort", "o", "sort", "Sort by the next column"),
    Action("turn", "O", "turn", "Reverse the order", shown=False),
    Action("mark", "space", "mark", "Mark the run, to act on several", shown=False),
    Action("compare", "c", "compare", "Compare the marked runs, two or more"),
    Action("resume", "r", "resume", "Go on with the run where it ended; errors are tried again (asks)"),
    Action("again", "a", "again", "Plan a run like this one, with changes", shown=False),
    Action("rejudge", "J", "judge again", "Judge the stored answers again, also by another judge (asks)", shown=False),
    Action("export", "x", "export", "Write the run, or the marked ones, to files", shown=False),
    Action("rename", "R", "rename", "Give the run another name", shown=False),
    Action("archive", "A", "archive", "Archive the run, or the marked ones; archived ones are restored", shown=False),
    Action("delete", "D", "delete", "Delete the run from the store (asks)", shown=False),
    Action(
        "leaderboard", "b", "leaderboard", "Each model's newest run by suite, with its scores over time", shown=False
    ),
    Action("models", "m", "models", "Models by name: what is wrong with each; add, test and remove them", shown=False),
    Action("suite", "t", "tests", "Show the suite: its tests and what is asked"),
)
