"""What the comparison of two runs can do."""

from modex.tui.actions import Action

TITLE = "Comparison"
ACTIONS = (
    Action(
        "filter", "slash", "filter", "Filter the flips: words, `domain:math`, `level>=3`, `change:lost`, `spread>0.5`"
    ),
    Action(
        "which",
        "f",
        "lost or gained",
        "List what was lost, what was gained, both, or answers that differ by how they were served",
    ),
    Action(
        "domains",
        "d",
        "domains",
        "Show the difference in each domain; Enter there lists that domain's flips",
    ),
    Action("swap", "x", "swap", "Swap the two runs"),
    Action("switch", "tab,shift+tab", "list", "Go from the domains to the flips, or back", shown=False),
    Action(
        "changes",
        "c",
        "changes",
        "List what differs in the second run: settings, prompts, golds, judges, verdicts",
    ),
)
