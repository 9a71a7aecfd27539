"""How every list is moved through."""

from modex.tui.actions import Action

TITLE = "Lists"
ACTIONS = (
    Action("move(1)", "j,down", "down", "Go one line down", shown=False, id="down"),
    Action("move(-1)", "k,up", "up", "Go one line up", shown=False, id="up"),
    Action("page(1)", "ctrl+d,pagedown", "page down", "Go half a page down", shown=False, id="page_down"),
    Action("page(-1)", "ctrl+u,pageup", "page up", "Go half a page up", shown=False, id="page_up"),
    Action("first", "g,home", "first", "Go to the first line", shown=False),
    Action("last", "G,end", "last", "Go to the last line", shown=False),
    Action("open", "enter", "open", "Open what is selected"),
)
