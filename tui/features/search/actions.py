"""What the search over everything stored can do."""

from modex.tui.actions import Action

TITLE = "Search"
ACTIONS = (
    Action(
        "filter",
        "slash",
        "search",
        'Search: words, "a phrase", begin*, -without, `role:answer`, `tool:`, `run:`, `model:`, `score<0.5`',
    ),
    Action("review", "V", "review", "Review the sample that is selected", id="review_hit"),
)
