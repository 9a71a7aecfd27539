"""What the counts of labels can do."""

from modex.tui.actions import Action

TITLE = "Kinds of failure"
ACTIONS = (
    Action("group", "f", "by", "Count over all, by domain, by level, by model"),
    Action("everything", "a", "all runs", "Count over every run, or over this one again"),
)
