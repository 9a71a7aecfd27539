"""What the screen of a race can do."""

from modex.tui.actions import Action

TITLE = "Race"
ACTIONS = (
    Action("stop", "s", "stop", "Stop the race (asks); it can be resumed and decides the same"),
    Action("resume", "p,r", "resume", "Go on with a race that was stopped or killed (asks)", id="resume"),
    Action("compare", "c", "compare", "Compare the selected model with the leader, test by test"),
)
