"""What the screen of a suite can do."""

from tui.actions import Action

TITLE = "Suite"
ACTIONS = (
    Action("filter", "slash", "filter", "Filter: words in id, name, evaluator or prompt"),
    Action("findings", "f", "findings", "Show only tests that check finds something wrong with, or all again"),
    Action("edit", "e", "edit", "Open the file of the test, or of the part under the selection, in $EDITOR"),
    Action("run", "r", "run test", "Run just this test, and show its transcript"),
    Action("switch", "tab,shift+tab", "other side", "Go from the tree to the test, and back"),
    Action("fold_part", "space", "fold", "Fold or unfold the part under the selection", shown=False),
    Action("copy", "y", "copy", "Send the part under the selection to the terminal's clipboard", shown=False),
    Action("leave_detail", "escape", "tree", "Go back to the tree"),
    Action("check", "c", "check again", "Read the suite again and check it", shown=False),
)
