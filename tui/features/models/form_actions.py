"""What the form of a model by name can do."""

from modex.tui.actions import Action

TITLE = "Model form"
ACTIONS = (
    Action("write", "w", "write", "Write the entry behind the others of its file"),
    Action("leave_form", "escape,q", "back", "Go back to the list; asks where something was typed"),
)
