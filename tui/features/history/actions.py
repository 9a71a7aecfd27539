"""What the history of a test can do."""

from modex.tui.actions import Action

TITLE = "History of a test"
ACTIONS = (Action("regression", "n", "next change", "Go to the next older run in which the test went the other way"),)
