"""The bar of a command that works on many things."""

from __future__ import annotations

import io

import pytest

from modex.tui.plain.counting import Counting


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_work_that_is_done_sooner_shows_no_bar() -> None:
    terminal = _Terminal()
    with Counting(1000, "samples", terminal, after_s=3600) as bar:
        for _ in range(10):
            bar.step(100)
    assert terminal.getvalue() == ""


def test_a_bar_never_says_more_than_there_is_and_goes_at_the_end() -> None:
    terminal = _Terminal()
    with Counting(1000, "samples", terminal) as bar:
        bar.step(4096)
        assert "1,000/1,000 samples" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_there_is_no_bar_where_no_terminal_is() -> None:
    stream = io.StringIO()
    with Counting(1000, "samples", stream) as bar:
        bar.step(1000)
    assert stream.getvalue() == ""
