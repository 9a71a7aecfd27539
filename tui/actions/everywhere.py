"""What every screen can do."""

from tui.actions import Action

TITLE = "Everywhere"
ACTIONS = (
    Action("help", "question_mark,f1", "help", "Show the keys of this screen and what the signs mean"),
    Action("back", "escape", "back", "Go back to the screen before"),
    Action("palette", "ctrl+p", "commands", "Find a command by its name", shown=False),
    Action("leave", "q", "quit", "Leave: go back, and from the first screen quit; runs go on", shown=False),
    Action(
        "interrupt", "ctrl+c", "leave or stop", "Ask: leave the run running, or stop it", shown=False, priority=True
    ),
    Action("settings", "comma", "settings", "Change theme, refresh rate, signs and keys", shown=False),
)
