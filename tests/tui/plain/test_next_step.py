from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.tui.plain.next_step import say_next, say_next_of


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Screen:
    monkeypatch.setenv("MODEX_DB", str(tmp_path / "mine.db"))
    screen = Screen()
    streams = SimpleNamespace(stderr=screen, stdout=Screen())
    monkeypatch.setattr("modex.tui.plain.next_step.sys", streams)
    monkeypatch.setattr("modex.tui.plain.narration.sys", streams)
    return screen


def run(**more: Any) -> Any:
    return SimpleNamespace(**{"exp_id": "e 1", "error_tests": 0, "failed_tests": 0, "passed_tests": 0, **more})


def test_it_can_be_pasted_and_names_the_database_only_where_modex_would_not_look(said: Screen, tmp_path: Path) -> None:
    say_next("look", "show", "e 1", database=tmp_path / "mine.db")
    say_next("look", "show", "e", database=tmp_path / "other.db")
    assert said.getvalue() == f"look: modex show 'e 1'\nlook: modex show e --db {tmp_path / 'other.db'}\n"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_nothing_is_said_where_a_program_reads(said: Screen, monkeypatch: pytest.MonkeyPatch, stream: str) -> None:
    monkeypatch.setattr(f"modex.tui.plain.next_step.sys.{stream}", io.StringIO())
    say_next("look", "show", "e")
    assert said.getvalue() == ""


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ({"error_tests": 1, "failed_tests": 1, "passed_tests": 1}, "modex resume 'e 1'"),
        ({"failed_tests": 1, "passed_tests": 1}, "modex show 'e 1' --status failed"),
        ({"passed_tests": 1}, "modex leaderboard"),
    ],
)
def test_a_run_that_ended_leads_on_by_what_came_of_it(
    said: Screen, tmp_path: Path, counts: dict[str, int], wanted: str
) -> None:
    say_next_of(run(**counts), tmp_path / "mine.db")
    assert said.getvalue().strip().endswith(wanted)


def test_a_run_without_a_sample_leads_nowhere(said: Screen, tmp_path: Path) -> None:
    say_next_of(run(), tmp_path / "mine.db")
    assert said.getvalue() == ""
