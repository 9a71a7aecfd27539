"""Where a run's model was asked, and by which name."""

from __future__ import annotations

from typing import Any

from modex.core.reports.reached import address_of, entry_of, named_model, reached_model
from modex.core.store.rows import RunRow


def _run(**model: Any) -> RunRow:
    return RunRow(id=1, exp_id="e", model="openai/m", config={"model": {"model": "openai/m", **model}})


def test_a_model_is_said_with_its_entry_and_address() -> None:
    run = _run(entry="small", api_base="http://gpu1:8000/v1")
    assert (entry_of(run), address_of(run)) == ("small", "http://gpu1:8000/v1")
    assert named_model(run) == "small: openai/m"
    assert reached_model(run) == "small: openai/m at http://gpu1:8000/v1"


def test_what_has_neither_is_its_model_alone() -> None:
    for run in (_run(), _run(entry=None, api_base=None), _run(entry="", api_base=""), _run(entry="openai/m")):
        assert reached_model(run) == "openai/m"
    for config in ({}, {"model": "openai/m"}, {"model": {"entry": 3, "api_base": ["x"]}}):
        assert reached_model(RunRow(id=1, exp_id="e", model="openai/m", config=config)) == "openai/m"


def test_nothing_of_a_foreign_database_moves_the_terminal_or_shows_a_key() -> None:
    run = _run(entry="a\x1b[2Jb", api_base="http://h/v1?api_key=sk-abcdef0123456789abcdef")
    assert "\x1b" not in reached_model(run)
    assert "abcdef0123456789" not in reached_model(run)
