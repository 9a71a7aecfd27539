"""What a transcript can do where it is read to be reviewed: reading, and nothing that asks, judges or edits."""

from modex.tui.actions import transcript

_READS = frozenset({
    "fold", "next_match", "previous_match", "end_search", "next_sample", "previous_sample", "next_failure", "search", "copy",
    "write", "fold_all", "markdown", "raw", "pager", "part(1)", "part(-1)",
})  # fmt: skip
TITLE = "Transcript under review"
ACTIONS = tuple(action for action in transcript.ACTIONS if action.name in _READS)
