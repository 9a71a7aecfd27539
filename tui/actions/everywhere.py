"""What every screen can do."""

from modex.tui.actions import Action

TITLE = "Everywhere"
ACTIONS = (
    Action("help", "question_mark,f1", "help", "Show the keys of this screen and what the signs mean"),
    Action("back", "escape", "back", "Go back to the previous screen"),
    Action("palette", "ctrl+p", "commands", "Find a command, a run, a test or a screen by a few letters", shown=False),
    Action("leave", "q", "quit", "Leave: go back, and from the first screen quit; runs go on", shown=False),
    Action(
        "interrupt", "ctrl+c", "leave or stop", "Ask: leave the run running, or stop it", shown=False, priority=True
    ),
    Action(
        "suspend_process",
        "ctrl+z",
        "suspend",
        "Go to the shell; `fg` comes back; runs go on",
        shown=False,
        id="suspend",
    ),
    Action(
        "redraw",
        "ctrl+l",
        "redraw",
        "Draw the whole screen anew, where something else was written over it",
        shown=False,
        priority=True,
    ),
    Action("search_all", "F", "find", "Search everything that was asked and answered, in every run", shown=False),
    Action(
        "history", "H", "history", "Show how what is selected (test, cell, else suite) went in every run", shown=False
    ),
    Action(
        "try_rules",
        "T",
        "try rules",
        "Judge the run's stored answers by the suite as it is now, in memory: which verdicts would flip",
        shown=False,
    ),
    Action("review", "V", "review", "Review answers of this run, the one that is shown first", shown=False),
    Action(
        "labels",
        "C",
        "kinds",
        "Count the kinds of failure that people named, and how well the judge agrees",
        shown=False,
    ),
    Action("settings", "comma", "settings", "Change theme, refresh rate, signs and keys", shown=False),
)
