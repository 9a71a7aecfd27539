"""What the comparison of two runs can do."""

from tui.actions import Action

TITLE = "Comparison"
ACTIONS = (
    Action("which", "f", "gained or lost", "List what was gained, what was lost, or both"),
    Action("domains", "d", "domains", "Show the difference in each domain, or more of the list"),
    Action("swap", "x", "swap", "Let the other run be the first"),
)
