"""What the leaderboard can do."""

from modex.tui.actions import Action

TITLE = "Leaderboard"
ACTIONS = (
    Action("switch(1)", "tab,l,right", "next suite", "Go to the next suite", id="next_suite"),
    Action(
        "switch(-1)", "shift+tab,h,left", "previous suite", "Go to the previous suite", shown=False, id="previous_suite"
    ),
    Action("mark", "space", "mark", "Mark the model's run, to compare several"),
    Action("compare", "c", "compare", "Compare the marked runs; without marks all of this suite, the best first"),
    Action(
        "filter", "slash", "filter", "Filter the runs that count: words, `model:gpt`, `score>=70`, `cost<1`, `note:`"
    ),
    Action("sort", "o", "sort", "Order by score, cost, time or model"),
)
