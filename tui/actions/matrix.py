"""How the matrix is moved through."""

from modex.tui.actions import Action

TITLE = "Matrix"
ACTIONS = (
    Action("move(0, -1)", "k,up", "up", "The domain above", shown=False, id="up"),
    Action("move(0, 1)", "j,down", "down", "The domain below", shown=False, id="down"),
    Action(
        "move(-1, 0)", "h,left", "left", "One level to the left; at the edge, the whole domain", shown=False, id="left"
    ),
    Action("move(1, 0)", "l,right", "right", "One level to the right", shown=False, id="right"),
    Action("edge(-1)", "g,home", "first", "The first domain", shown=False, id="first"),
    Action("edge(1)", "G,end", "last", "The last row: whole levels", shown=False, id="last"),
    Action("open", "enter", "open", "List the tests of the cell, domain or level"),
)
