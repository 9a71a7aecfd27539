"""What a list of tests can do."""

from modex.tui.actions import Action

TITLE = "Tests"
ACTIONS = (
    Action(
        "filter",
        "slash",
        "filter",
        "Filter: words, `status:failed`, `score<0.5`, `evaluator:`, `flag:`, `text:`",
    ),
    Action("failures", "f", "failures", "Show only failed and errored tests, or all again"),
    Action("next_failure", "n", "next failure", "Go to the next failed or errored test"),
    Action("previous_failure", "N", "previous failure", "Go to the previous failed or errored test", shown=False),
    Action("sort", "o", "sort", "Sort by the next column"),
    Action("turn", "O", "turn", "Reverse the order", shown=False),
    Action("mark", "space", "mark", "Mark the test", shown=False),
    Action(
        "redo('ask')", "a", "ask again", "Ask the marked tests, or this one, again (asks)", shown=False, id="ask_again"
    ),
    Action(
        "redo('judge')",
        "J",
        "judge again",
        "Judge the marked tests, or this one, again (asks)",
        shown=False,
        id="judge_again",
    ),
    Action("copy", "y", "copy", "Send the transcripts of the marked tests, or this one, to the clipboard", shown=False),
    Action("export", "x", "export", "Write the marked tests, or this one, to a file", shown=False),
    Action("skip", "K", "skip", "Skip the marked tests, or this one, while they wait (asks)", shown=False),
)
