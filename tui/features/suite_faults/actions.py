"""What the screen of a suite's own faults can do."""

from modex.tui.actions import Action

TITLE = "Faults of the suite"
ACTIONS = (
    Action("filter", "slash", "filter", "Filter: words in kind, test or what is said of it"),
    Action("kind", "f", "kind", "Show one kind of finding, the next one at each press, then all again"),
    Action("transcript", "o", "transcript", "Open the transcript of the test's sample in the newest run"),
    Action("again", "r", "read again", "Read the stored runs again", shown=False),
)
