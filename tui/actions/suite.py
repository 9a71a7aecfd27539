"""What the screen of a suite can do."""

from modex.tui.actions import Action

TITLE = "Suite"
ACTIONS = (
    Action(
        "filter", "slash", "filter", "Filter: words in id, name, evaluator or prompt, `level>=3`, `evaluator:regex`"
    ),
    Action("findings", "f", "findings", "Show only tests that check finds something wrong with, or all again"),
    Action("edit", "e", "edit", "Open the file of the test, or of the part under the selection, in $EDITOR"),
    Action("run", "r", "run test", "Run just this test, and show its transcript"),
    Action("new", "n", "new", "Write a new test, domain or evaluator that begins from a pattern"),
    Action("duplicate", "d", "duplicate", "Copy the test under an id of its own"),
    Action("move_test", "m", "move", "Move the test to another level or domain", id="move"),
    Action("on_off", "o", "off or on", "Switch the test off, or on again"),
    Action("delete", "D", "delete", "Delete the test (asks)"),
    Action("undo", "u", "undo", "Take the last change of this screen back"),
    Action("try_tool", "t", "try tool", "Call a tool of the test with arguments of your own, and see what it answers"),
    Action("switch", "tab,shift+tab", "other side", "Go from the tree to the test, and back"),
    Action("fold_part", "space", "fold", "Fold or unfold the part under the selection", shown=False),
    Action("copy", "y", "copy", "Send the part under the selection to the terminal's clipboard", shown=False),
    Action("leave_detail", "escape", "tree", "Go back to the tree"),
    Action(
        "faults",
        "W",
        "faults",
        "Show what all stored runs say of the tests: wrong golds, tests that do not discriminate",
    ),
    Action("check", "c", "check again", "Read the suite again and check it", shown=False),
)
