"""A question with a few answers, each a key: the only kind of dialog there is."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from modex.tui.look.paint import Line
from modex.tui.look.text import shown
from modex.tui.widgets.keyline import key_name
from modex.tui.widgets.lines import Lines

_KEY = 6
"""Columns of an answer's key."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One possible answer."""

    key: str
    value: str
    label: str


class _Question(Lines):
    """The question, what it means and the answers, wrapped to the width there is."""

    def __init__(self, question: str, answers: Sequence[Answer], detail: str) -> None:
        super().__init__(id="question")
        self._question, self._answers, self._detail = question, answers, detail

    def lines_for(self, width: int) -> list[Line]:
        """Answers that are longer than a line go on under their first word."""
        lines: list[Line] = [[(part, "title")] for part in _wrap(self._question, width)]
        if self._detail:
            lines += [[(part, "muted")] for part in _wrap(self._detail, width)]
        lines.append(())
        for answer in self._answers:
            named = f"{key_name(answer.key):<{_KEY}}"
            for part in _wrap(answer.label, width - _KEY):
                lines.append([(named, "key"), (part, "text")])
                named = " " * _KEY
        return lines


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
            yield _Question(self._question, self._answers, self._detail)

    def on_key(self, event: events.Key) -> None:
        """Answer."""
        event.stop()
        for answer in self._answers:
            if event.key == answer.key:
                self.dismiss(answer.value)
                return


def _wrap(text: str, width: int) -> list[str]:
    pieces = (textwrap.wrap(shown(paragraph), max(8, width)) or [""] for paragraph in text.split("\n"))
    return [piece for wrapped in pieces for piece in wrapped]
