"""What two transcripts of the same test can do."""

from modex.tui.actions import Action

TITLE = "Two transcripts"
ACTIONS = (
    Action("switch", "tab,shift+tab", "other run", "Go to the other run's transcript"),
    Action("next_sample", "n", "next", "Show the next test of the list"),
    Action("previous_sample", "p", "previous", "Show the previous test"),
    Action(
        "divergence(1)",
        "d",
        "difference",
        "Go to the next part in which the two differ",
        id="next_difference",
    ),
    Action(
        "divergence(-1)", "D", "previous difference", "Go to the previous one", shown=False, id="previous_difference"
    ),
    Action("fold", "enter,space", "fold", "Fold or unfold the part under the selection"),
    Action("fold_all", "z", "fold all", "Fold everything but response and verdict in both; again unfolds everything"),
    Action("part(1)", "right_square_bracket", "next part", "Go to the next part", shown=False, id="next_part"),
    Action(
        "part(-1)", "left_square_bracket", "previous part", "Go to the previous part", shown=False, id="previous_part"
    ),
    Action("whole", "o", "open", "Open this transcript by itself: search, copy, write"),
)
