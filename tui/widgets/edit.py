"""A line of input for one value: Enter takes it, Esc leaves it as it was."""

from __future__ import annotations

from textual.message import Message
from textual.widgets import Input, Static

from modex.tui.look.text import line, message
from modex.tui.widgets.prompt import Prompt


class Edit(Prompt):
    """Hidden until `ask_for`; tells what was entered by `Done`."""

    TELLS = False

    class Done(Message):
        """The input is done; `value` is None where it was left."""

        def __init__(self, name: str, value: str | None) -> None:
            super().__init__()
            self.name = name
            self.value = value

    def __init__(self) -> None:
        super().__init__()
        self.id = "edit"
        self._setting = ""

    def ask_for(self, name: str, title: str, value: str, help: str) -> None:
        """Open for one value."""
        self._setting = name
        self.query_one(Static).update(line(f"{title}: "))
        self.query_one(Input).placeholder = message(help)
        self.ask(value)

    def action_clear(self) -> None:
        """Leave the value as it was."""
        self.display = False
        self.post_message(self.Done(self._setting, None))

    def _close(self) -> None:
        self.display = False
        self.post_message(self.Done(self._setting, self.value))
