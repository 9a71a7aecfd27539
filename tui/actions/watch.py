"""What can be done while an answer is looked at as it is written."""

from modex.tui.actions import Action

TITLE = "Answer being written"
ACTIONS = (
    Action("worker(1)", "right,tab", "next", "Show the next worker's answer", id="next_worker"),
    Action("worker(-1)", "left,shift+tab", "before", "Show the previous worker's answer", id="previous_worker"),
    Action("scroll(-1)", "up", "up", "Scroll up, and stop following the end", shown=False, id="scroll_up"),
    Action("scroll(1)", "down", "down", "Scroll down; at the end it is followed again", shown=False, id="scroll_down"),
    Action("scroll(-10)", "pageup", "page up", "Scroll up by ten lines", shown=False, id="page_up"),
    Action("scroll(10)", "pagedown", "page down", "Scroll down by ten lines", shown=False, id="page_down"),
    Action("follow", "end", "follow", "Go to the end and follow it", shown=False),
    Action("open", "enter", "open", "Open the stored answer, once it is there"),
    Action("skip", "K", "skip", "End this answer and skip its test (asks)"),
)
