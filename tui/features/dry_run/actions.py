"""What a dry run of changed rules can do."""

from modex.tui.actions import Action

TITLE = "Dry run of changed rules"
ACTIONS = (
    Action("again", "r", "try again", "Read the suite again and judge the stored answers by it, in memory"),
    Action(
        "everything", "a", "all", "Judge every answer, also where no rule about it has changed; or only those again"
    ),
    Action("keep", "s", "store", "Store these verdicts in place of those that stand (asks); leaving stores nothing"),
)
