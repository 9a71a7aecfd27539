"""One bad value within a run's JSON is damage of that run, told in words, and nothing that reads it fails."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from modex.core.reports.reading import reading_of
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.soundness import sound_metrics, sound_pulse
from modex.tui.plain.progress import waiting_words
from modex.tui.plain.summary import summary_text
from modex.tui.widgets.pulse import elapsed, pulse_parts, state_parts
from tests.rows import each_row

DEEP = json.loads('{"a": ' * 60 + "1" + "}" * 60)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("live", {"eta_s": "soon"}),
        ("live", {"elapsed_s": []}),
        ("live", {"tests_per_s": {}, "in_flight": 1}),
        ("live", {"outage_s": "long"}),
        ("live", {"projected_cost_usd": "much"}),
        ("live", {"eta_s": float("inf")}),
        ("live", {"eta_s": 10**400}),
        ("live", {"in_flight": True}),
        ("live", {"workers": "none"}),
        ("live", {"workers": [1]}),
        ("live", {"workers": [{"since_s": "x"}]}),
        ("live", {"holds": [{"seconds_left": []}]}),
        ("live", {"window": 7}),
        ("live", {"before": "x"}),
        ("metrics", {"suite": 1}),
        ("metrics", {"own": []}),
        ("metrics", {"own": DEEP}),
    ],
)
def test_a_bad_value_is_told_and_left_out(manager: DBDataManager, run_id: int, column: str, value: Any) -> None:
    manager.database.run(f"UPDATE evaluation_runs SET {column} = ? WHERE id = ?", [json.dumps(value), run_id])
    reader = Reader(manager.path)
    try:
        run = reader.run_by_id(run_id)
        assert run.status == "error"
        assert f"`{column}`" in str(run.reason)
        for alive in (True, False):
            shown = replace(run, alive=alive, status="running")
            assert waiting_words(shown) is not None
            assert pulse_parts(shown, 200)
            assert state_parts(shown, 1.0)
            assert elapsed(shown, 1.0) >= 0
        assert reading_of(run).gold_in_answer == 0
        assert "Weighted Score" in summary_text(reader, run)
    finally:
        reader.close()


def test_a_sound_pulse_and_sound_metrics_are_what_is_stored(manager: DBDataManager, run_id: int) -> None:
    live = {
        "in_flight": 3,
        "eta_s": None,
        "workers": [{"since_s": 1.5, "domain": "d"}],
        "holds": [],
        "window": "/tmp/w",
    }
    metrics = {
        "own": {"processer": "p", "passes": {"rate": 0.5, "ci_low": 0.1, "ci_high": 0.9, "n": 4}, "by": {"a": 1}}
    }
    for column, value in (("live", live), ("metrics", metrics)):
        manager.database.run(f"UPDATE evaluation_runs SET {column} = ? WHERE id = ?", [json.dumps(value), run_id])
    reader = Reader(manager.path)
    run = reader.run_by_id(run_id)
    reader.close()
    assert (run.live, run.metrics, run.status) == (live, metrics, "running")


@each_row(
    ("live", "left"),
    [
        ({"workers": [{"domain": "d"}], "holds": [{"seconds_left": None}], "window": None, "before": {}}, ()),
        ({"eta_s": 1e15}, ("eta_s",)),
        ({"eta_s": 1e15 - 1}, ()),
        ({"eta_s": -1e15}, ("eta_s",)),
        ({"limit": False, "retries": "1", "before": [], "window": {}}, ("limit", "retries", "window")),
    ],
)
def test_a_pulse_holds_numbers_where_numbers_belong_or_nothing(live: dict[str, Any], left: tuple[str, ...]) -> None:
    found, why = sound_pulse(live)
    if not left:
        assert (found is live, why) == (True, None)
        return
    assert why is not None
    assert all(name in why for name in left[:3])
    assert not set(left) & set(found)


@each_row(("depth", "sound"), [(18, True), (19, True), (20, False)])
def test_metrics_nest_twenty_levels_deep(depth: int, sound: bool) -> None:
    metrics: dict[str, Any] = {"own": 1}
    for _ in range(depth - 1):
        metrics = {"own": metrics}
    found, why = sound_metrics({"own": metrics["own"]} if depth > 1 else metrics)
    assert (found != {}) is sound
    assert (why is None) is sound


@pytest.mark.parametrize(
    ("value", "shown"),
    [({"rate": "most"}, "rate most"), ({"rate": 0.5, "ci_low": 0.1, "n": 4}, "50.0 % n 4"), ({"rate": []}, "rate []")],
)
def test_metrics_of_any_form_are_shown(manager: DBDataManager, run_id: int, value: Any, shown: str) -> None:
    manager.database.run(
        "UPDATE evaluation_runs SET metrics = ? WHERE id = ?", [json.dumps({"own": {"p": value}}), run_id]
    )
    reader = Reader(manager.path)
    assert shown in summary_text(reader, reader.run_by_id(run_id))
    reader.close()
