"""A question with a few answers, each a key: the only kind of dialog there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from tui.paint import Line, Part
from tui.widgets.keyline import key_name
from tui.widgets.lines import Lines


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer."""

    key: str
    value: str
    label: str


class AskScreen(ModalScreen[str]):
    """Asks and gives back the chosen answer's value; Esc gives back nothing (`""`)."""

    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 60%; }
    AskScreen:ansi { background: transparent; }
    AskScreen > Vertical { width: auto; max-width: 90%; min-width: 40; height: auto; padding: 1 2;
      background: $background; border: round $border; }
    AskScreen Lines { width: 60; max-width: 100%; }
    """

    def __init__(self, question: str, answers: Sequence[Answer], detail: str = "") -> None:
        super().__init__()
        self._question, self._detail = question, detail
        self._answers = [*answers, Answer("escape", "", "cancel")]

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical():
            yield Lines(id="question")

    def on_mount(self) -> None:
        """Paint the question."""
        lines: list[Line] = [[(part, "title")] for part in _wrap(self._question)]
        if self._detail:
            lines += [[(part, "muted")] for part in _wrap(self._detail)]
        lines.append(())
        for answer in self._answers:
            key: Part = (f"{key_name(answer.key):<6}", "key")
            lines.append([key, (answer.label, "text")])
        self.query_one(Lines).show(lines)

    def on_key(self, event: events.Key) -> None:
        """Answer."""
        event.stop()
        for answer in self._answers:
            if event.key == answer.key:
                self.dismiss(answer.value)
                return


def _wrap(text: str, width: int = 58) -> list[str]:
    import textwrap

    return [part for paragraph in text.split("\n") for part in textwrap.wrap(paragraph, width) or [""]]
