"""What the plan of a new run can do."""

from modex.tui.actions import Action

TITLE = "New run"
ACTIONS = (
    Action("choose", "space", "choose", "Take the test, level or domain into the run, or leave it out"),
    Action("start", "s", "start", "Check the plan, start the run and watch it"),
    Action(
        "race",
        "r",
        "race",
        "Ask several models the same tests only until it is decided which is best, and watch the race",
    ),
    Action("switch", "tab,shift+tab", "other side", "Go from the settings to the tests, and back"),
    Action("copy", "y", "copy command", "Send the equivalent command line to the terminal's clipboard"),
    Action(
        "copy_race",
        "Y",
        "copy race",
        "Send the equivalent command line of a race of the models to the terminal's clipboard",
        shown=False,
    ),
    Action("filter", "slash", "filter", "Filter the tests: words, `level>=3`, `evaluator:regex`, any field of a test"),
    Action(
        "choose_all",
        "a",
        "all or none",
        "Take every test that is on, or none; with a filter of those shown",
        shown=False,
    ),
    Action("fresh", "X", "new plan", "Leave this plan and begin a new one", shown=False),
    Action("clear", "backspace,delete", "default", "Set the selected setting back to its default", shown=False),
    Action("look_at_suite", "t", "tests", "Show the suite and what check finds", shown=False),
)
