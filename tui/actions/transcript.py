"""What the transcript of a test can do."""

from modex.tui.actions import Action

TITLE = "Transcript"
ACTIONS = (
    Action("fold", "enter,space", "fold", "Fold or unfold the part under the selection"),
    Action("next_match", "n", "next match", "Go to the next match of the search"),
    Action("previous_match", "N", "previous match", "Go to the previous match of the search"),
    Action("end_search", "escape", "end search", "End the search"),
    Action("leave_raw", "escape", "transcript", "Show the transcript again, where the stored JSON is shown"),
    Action("next_sample", "n", "next", "Show the next test"),
    Action("previous_sample", "p", "previous", "Show the previous test"),
    Action("next_failure", "N", "next failure", "Show the next failed or errored test"),
    Action("previous_failure", "P", "previous failure", "Show the previous failed or errored test", shown=False),
    Action("search", "slash", "search", "Search in every part, folded ones too"),
    Action("copy", "y", "copy", "Send the part under the selection to the terminal's clipboard (OSC 52)"),
    Action("write", "w", "write", "Write the transcript to a file in the current folder"),
    Action("edit", "e", "edit", "Open the test's file in $EDITOR at its line, then run just this test, if you want"),
    Action("redo('ask')", "a", "ask again", "Ask this test again and leave the rest of the run (asks)", id="ask_again"),
    Action(
        "redo('judge')",
        "J",
        "judge again",
        "Judge the stored answer again (asks)",
        shown=False,
        id="judge_again",
    ),
    Action("export", "x", "export", "Write this test to a file: Markdown, HTML, JSON, CSV, JUnit", shown=False),
    Action("fold_all", "z", "fold all", "Fold everything but the response and the verdict; again unfolds everything"),
    Action("markdown", "m", "markdown", "Show answers as Markdown, or as they are"),
    Action("raw", "r", "raw", "Show the stored sample as JSON, or the transcript again"),
    Action("pager", "o", "pager", "Open the transcript in $PAGER", shown=False),
    Action("part(1)", "tab,right_square_bracket", "next part", "Go to the next part", shown=False, id="next_part"),
    Action(
        "part(-1)",
        "shift+tab,left_square_bracket",
        "previous part",
        "Go to the previous part",
        shown=False,
        id="previous_part",
    ),
)
