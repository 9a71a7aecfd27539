"""The models of a race beside each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.features.race.speeds import model_lines, models_json
from modex.core.store.manager import DBDataManager
from modex.core.store.speeds import Figure, Pace
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

PACE = Pace(Figure(3, 300.0, 500.0), Figure(3, 38.4, 20.0), None).as_dict()
SERVED = {"quantization": "Q4_1", "slots": 4, "context": 4096}


def model(run: str, **fields: Any) -> dict[str, Any]:
    return {"run": run, "score": 0.5, "pace": PACE, "peak_bytes": 358_000_000, "served": SERVED, **fields}


def test_a_line_each_with_all_that_is_known() -> None:
    lines = model_lines(
        [model("r@a"), model("r@b", score=None, pace=None, peak_bytes=None, served={})], {"r@a": "small"}
    )
    assert lines == [
        "model  score  tokens/s  first token  memory  served",
        "small   50.0        38       0.30 s  358 MB  Q4_1, 4 × 4,096 tokens",
        "r@b        –         –            –       –  –",
    ]


def test_what_is_known_of_no_model_has_no_column_and_without_any_figure_there_is_no_table() -> None:
    bare: dict[str, Any] = {"pace": None, "peak_bytes": None, "served": {}}
    assert model_lines([model("a", **bare), model("b", **bare)], {}) == []
    assert model_lines([], {}) == []
    fast = [model("a", peak_bytes=None, served={}), model("b", peak_bytes=None, served={})]
    assert model_lines(fast, {})[0] == "model  score  tokens/s  first token"
    heavy = [model("a", pace=None, served={"slots": 4})]
    assert model_lines(heavy, {}) == ["model  score  memory", "a       50.0  358 MB"]
    assert model_lines([model("a", pace=None, served={"quantization": "F16"})], {})[1].endswith("358 MB  F16")


def test_of_a_run_it_is_what_is_stored(manager: DBDataManager, store: Store) -> None:
    done = finished(sample("1"), score=1.0)
    done.ttft_ms, done.output_tokens_per_s = 250, 40.0
    run = replace(store("r", [done]), served=[{**SERVED, "peak_bytes": 7, "template": "long"}])
    (found,) = models_json(manager.reader, [run], {"r": 1.0})
    assert (found["run"], found["score"], found["peak_bytes"], found["served"]) == ("r", 1.0, 7, SERVED)
    assert found["pace"]["first_ms"]["median"] == 250
    other = store("s", [finished(sample("1"), score=1.0)])
    bare = models_json(manager.reader, [replace(other, served=[])], {})[0]
    assert bare == {"run": "s", "score": None, "pace": bare["pace"], "peak_bytes": None, "served": {}}
