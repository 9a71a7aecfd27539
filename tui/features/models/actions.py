"""What the list of models by name can do."""

from modex.tui.actions import Action

TITLE = "Models"
ACTIONS = (
    Action("test", "t", "test", "Ask the model one short question (asks before, where that may cost)"),
    Action("add", "a", "add", "Give a model a name: a form; on a model that was found here it is filled in"),
    Action("plan", "n", "new run", "Plan a run with this model"),
    Action("remove", "D", "remove", "Take the entry out of its file, and leave all else in it (asks)"),
    Action("look", "r", "look again", "Read the files and ask the servers again", shown=False),
)
