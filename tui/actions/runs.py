"""What the list of runs can do."""

from tui.actions import Action

TITLE = "Runs"
ACTIONS = (
    Action("new", "n", "new run", "Plan a new run"),
    Action("filter", "slash", "filter", "Filter: words, `model:` and `status:`"),
    Action("sort", "o", "sort", "Sort by the next column"),
    Action("mark", "space", "mark", "Mark the run, to act on several", shown=False),
    Action("compare", "c", "compare", "Compare the two marked runs"),
    Action("resume", "r", "resume", "Go on with the run where it ended; errors are tried again"),
    Action("rejudge", "J", "judge again", "Judge the stored answers again", shown=False),
    Action("export", "x", "export", "Write the run to a file", shown=False),
    Action("delete", "D", "delete", "Delete the run from the store (asks)", shown=False),
    Action("suite", "t", "tests", "Look at the suite: its tests and what is asked"),
)
