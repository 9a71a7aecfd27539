"""A line of input above the key line: filters and searches. Enter keeps it, Esc clears it."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from modex.tui.look.paint import Line


class Prompt(Horizontal):
    """`/` and an input. Hidden until `ask`; tells what is typed as it is typed (`Changed`) and that it is done."""

    DEFAULT_CSS = """
    Prompt { dock: bottom; height: 1; margin-bottom: 1; background: $surface; }
    Prompt > Static { width: auto; padding: 0 0 0 1; color: $accent; background: $surface; }
    Prompt > Input { width: 1fr; }
    """
    TELLS: ClassVar[bool] = True
    """Whether what is typed is told letter by letter."""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "clear", "clear", show=False)]

    class Changed(Message):
        """The text is different now."""

        def __init__(self, value: str) -> None:
            super().__init__()
            self.value = value

    class Closed(Message):
        """The input is done; `value` is what stays."""

        def __init__(self, value: str) -> None:
            super().__init__()
            self.value = value

    def __init__(self, label: str = "/", placeholder: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.display = False
        self._label = label
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """The label and the input."""
        from modex.tui.look.text import line

        yield Static(line(self._label))
        box = Input(placeholder=self._placeholder, compact=True)
        box.cursor_blink = False
        yield box

    @property
    def value(self) -> str:
        """What is typed."""
        return self.query_one(Input).value

    def ask(self, value: str | None = None) -> None:
        """Open, with `value` where given, and take the keys."""
        self.display = True
        box = self.query_one(Input)
        if value is not None:
            box.value = value
        # `Widget.focus` moves the focus a message later, and a key may come before it.
        self.screen.set_focus(box)

    def fill(self, value: str) -> None:
        """Show `value` as what is typed, while the keys stay where they are."""
        self.display = bool(value)
        self.query_one(Input).value = value

    def action_clear(self) -> None:
        """Empty and close."""
        self.query_one(Input).value = ""
        self._close()

    def _close(self) -> None:
        value = self.value
        self.display = bool(value)
        self.post_message(self.Closed(value))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.TELLS:
            self.post_message(self.Changed(event.value))

    @on(Input.Submitted)
    def _done(self, event: Input.Submitted) -> None:
        event.stop()
        self._close()

    def on_key(self, event: events.Key) -> None:
        """Down leaves the input for the list."""
        if event.key == "down":
            event.stop()
            self._close()


def nothing_matches(words: str) -> list[Line]:
    """What stands in the place of a list where a filter leaves nothing: `words`, and the keys that clear it."""
    return [[(words, "text")], (), [("/", "key"), (" and esc clear the filter", "muted")]]
