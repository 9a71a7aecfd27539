"""What can be said of an answer while reviewing."""

from modex.tui.actions import Action

TITLE = "Review"
ACTIONS = (
    Action("agree", "a", "agree", "Agree with the verdict"),
    Action("disagree", "d", "disagree", "Disagree with the verdict"),
    Action("agree_on", "A", "agree, next", "Agree with the verdict, and go to the next answer", shown=False),
    Action("disagree_on", "D", "disagree, next", "Disagree with the verdict, and go to the next answer", shown=False),
    Action("right", "plus,equals_sign", "right", "The answer is right, whatever the verdict says"),
    Action("wrong", "minus", "wrong", "The answer is wrong, whatever the verdict says"),
    Action("unsure", "x", "unsure", "Say that you cannot tell"),
    *(
        Action(
            f"label({number})",
            str(number),
            f"label {number}",
            f"Give label {number}, or take it away",
            shown=False,
            id=f"label_{number}",
        )
        for number in range(1, 10)
    ),
    Action("name_label", "l", "label", "Give a label by its name: one there is, or a new one"),
    Action("note", "c", "note", "Write a note of one line"),
    Action("undo", "u", "undo", "Take back what was said last, and go there"),
    Action("blind", "b", "blind", "Hide verdicts until you have given yours, or show them"),
    Action("order", "O", "order", "Draw from everything, from every cell in turn, or from failures", shown=False),
    Action("unread", "U", "next unread", "Go to the next answer you have not reviewed", shown=False),
)
