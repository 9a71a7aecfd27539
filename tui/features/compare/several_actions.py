"""What the comparison of several runs can do."""

from modex.tui.actions import Action

TITLE = "Comparison of several runs"
ACTIONS = (
    Action("switch", "tab,shift+tab", "tests", "Go from the domains to the tests, or back"),
    Action("column(1)", "l,right", "run", "Select the run at the right", id="next_run"),
    Action("column(-1)", "h,left", "previous run", "Select the run at the left", shown=False, id="previous_run"),
    Action("mark", "space", "mark", "Mark this run; with two marked, Enter compares these"),
    Action("which", "f", "which", "List tests that runs disagree about, that all failed, or all"),
    Action("filter", "slash", "filter", "Filter the tests: words, `domain:math`, `level>=3`, `passed=1`, `spread>0.5`"),
)
