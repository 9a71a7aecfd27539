"""What a list can do with the transcript that stands beside it."""

from tui.actions import Action

TITLE = "Transcript beside the list"
ACTIONS = (
    Action(
        "switch",
        "tab,shift+tab",
        "other side",
        "Go from the list to the transcript beside it, and back",
        priority=True,
    ),
    Action("leave_transcript", "escape", "list", "Go back from the transcript to the list", id="leave"),
    Action("roll(1)", "ctrl+e,shift+down", "roll", "Scroll the transcript from the list", shown=False, id="roll_down"),
    Action("roll(-1)", "ctrl+y,shift+up", "roll back", "Scroll it back", shown=False, id="roll_up"),
)
