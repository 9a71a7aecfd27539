"""What the list of changes between two runs can do."""

from modex.tui.actions import Action

TITLE = "What changed"
ACTIONS = (
    Action("regression(1)", "n", "next lost", "Go to the next test that was lost", id="next_regression"),
    Action(
        "regression(-1)",
        "p",
        "previous lost",
        "Go to the previous test that was lost",
        shown=False,
        id="last_regression",
    ),
    Action("kind", "f", "kind", "Show one kind of change, the next one at each press, then all again"),
    Action("history", "H", "history", "Show how the test went in every run"),
)
