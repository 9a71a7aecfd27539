"""What a list can do with the side pane: the transcript of the selected test."""

from modex.tui.actions import Action

TITLE = "Side pane of a list"
ACTIONS = (
    Action(
        "switch",
        "tab,shift+tab",
        "other side",
        "Go from the list to the transcript beside it, and back",
        priority=True,
    ),
    Action("leave_transcript", "escape", "list", "Go back from the transcript to the list", id="leave"),
    Action(
        "roll(1)", "ctrl+e,shift+down", "scroll", "Scroll the transcript from the list", shown=False, id="roll_down"
    ),
    Action("roll(-1)", "ctrl+y,shift+up", "scroll back", "Scroll it back", shown=False, id="roll_up"),
)
