"""Effects of layers, against the same worked out from the tests' averages."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from statistics import fmean

import pytest

from modex.core.comparison.pairs import RunSide, TestRow
from modex.core.features.ablate.rule import Contrasts, Effect, _layers_of, ablation_json, ablation_lines
from modex.core.statistics.paired import PairedDifference
from modex.core.store.manager import DBDataManager
from modex.core.suite.definitions import LayerScope
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row

LAYERS: tuple[LayerScope, ...] = ("domain", "test")
OFFS = [frozenset[LayerScope](), frozenset[LayerScope](["domain"]), frozenset[LayerScope](["test"]), frozenset(LAYERS)]


def _row(*scores: float | None, weight: float = 1.0) -> TestRow:
    found = tuple(one for one in scores if one is not None)
    states = tuple("error" if one is None else "passed" if one >= 0.7 else "failed" for one in scores)
    return TestRow(RunSide(found, states), 0, weight, None)


def _counted(rows: list[list[TestRow]], having: tuple[str, ...] = LAYERS) -> dict[tuple[LayerScope, ...], Effect]:
    contrasts = Contrasts(LAYERS)
    for number, row in enumerate(rows):
        contrasts.add(("s", "d", 1, str(number)), dict(zip(OFFS, row, strict=True)), having)
    found = contrasts.settled()
    assert [one.layers for one in found.effects] == [("domain",), ("test",)]
    assert [one.layers for one in found.interactions] == [LAYERS]
    return {one.layers: one for one in (*found.effects, *found.interactions)}


def _drawn(*, missing: bool) -> list[list[TestRow]]:
    drawn = random.Random(5)
    scores: list[float | None] = [0.0, 0.5, 1.0, None] if missing else [0.0, 0.5, 1.0]
    return [[_row(*drawn.choices(scores, k=2)) for _ in OFFS] for _ in range(40)]


def test_an_effect_is_the_average_with_the_layer_less_that_without_it() -> None:
    rows = _drawn(missing=False)
    found = _counted(rows)
    means = [[fmean(row.side.scores) for row in one] for one in rows]
    effects: tuple[tuple[tuple[LayerScope, ...], float], ...] = (
        (("domain",), fmean((w + t) / 2 - (d + n) / 2 for w, d, t, n in means)),
        (("test",), fmean((w + d) / 2 - (t + n) / 2 for w, d, t, n in means)),
        (("domain", "test"), fmean((w - d - t + n) / 2 for w, d, t, n in means)),
    )
    for layers, wanted in effects:
        effect = found[layers]
        assert effect.found is not None
        assert (effect.n, effect.bounds) == (40, None)
        assert effect.found.difference == pytest.approx(wanted)


def test_with_three_layers_an_effect_is_the_average_over_what_the_others_are() -> None:
    layers: tuple[LayerScope, ...] = ("domain", "level", "test")
    offs = [frozenset(off) for size in range(4) for off in combinations(layers, size)]
    contrasts = Contrasts(layers)
    for number in range(4):
        sides = {off: _row(float("domain" not in off)) for off in offs}
        contrasts.add(("s", "d", 1, str(number)), sides, layers)
    found = contrasts.settled()
    assert [one.found and one.found.difference for one in found.effects] == pytest.approx([1.0, 0.0, 0.0])
    assert [one.found and one.found.difference for one in found.interactions] == pytest.approx([0.0, 0.0, 0.0])


def test_answers_without_a_verdict_leave_an_effect_between_the_worst_and_the_best_for_it() -> None:
    rows = _drawn(missing=True)
    found = _counted(rows)
    contrasts: tuple[tuple[tuple[LayerScope, ...], tuple[int, ...]], ...] = (
        (("domain",), (1, -1, 1, -1)), (("test",), (1, 1, -1, -1)), (("domain", "test"), (1, -1, -1, 1)),
    )  # fmt: skip
    for layers, signs in contrasts:
        effect = found[layers]
        counted = [[row.side for row in one] for one in rows]
        low, high = (
            fmean(sum(s * (side.at_best if (s > 0) is up else side.at_worst) for s, side in zip(signs, one, strict=True)) / 2
                  for one in counted)
            for up in (False, True)
        )  # fmt: skip
        assert effect.bounds == pytest.approx((low, high))
        assert effect.n == sum(all(side.mean is not None for side in one) for one in counted) < 40


def test_only_tests_that_have_the_layer_and_were_to_have_a_verdict_count() -> None:
    rows = _drawn(missing=False)
    found = _counted(rows, ("domain",))
    assert {layers: one.n for layers, one in found.items()} == {("domain",): 40, ("test",): 0, ("domain", "test"): 0}
    assert found["test",].words == "test: fewer than two tests with this layer have all verdicts"
    skipped = replace(rows[0][0], side=RunSide((), ("skipped",)))
    assert _counted([[skipped, *rows[0][1:]], *rows[1:]])["domain",].n == 39


def _effect(low: float, high: float, decision: str | None, holm_p: float | None, **more: object) -> Effect:
    found = _counted([[_row(1.0), _row(0.5), _row(1.0), _row(0.5 + 0.1 * (n % 2))] for n in range(20)])["domain",].found
    assert found is not None
    return Effect(("domain",), 20, found, decision, holm_p, **more)  # type: ignore[arg-type]


@each_row(
    ("decision", "holm_p", "said"),
    [("better", 0.04, "helps"), ("worse", 0.04, "hurts"), ("better", 0.05, "not decided"), (None, 0.01, "not decided"),
     ("better", None, "not decided")],
)  # fmt: skip
def test_an_effect_is_told_where_it_is_decided_after_correction(
    decision: str | None, holm_p: float | None, said: str
) -> None:
    effect = _effect(0, 0, decision, holm_p)
    assert isinstance(effect.found, PairedDifference)
    assert effect.words.endswith(f", n 20: {said}")
    assert effect.told is (said != "not decided")
    assert ablation_json_of(effect)["decision"] == (decision if effect.told else None)


def ablation_json_of(effect: Effect) -> dict[str, object]:
    from modex.core.features.ablate.rule import Ablation

    return dict(ablation_json(Ablation([effect], []))["effects"][0])


def test_what_is_open_is_told_and_interactions_only_where_they_are_something() -> None:
    from modex.core.features.ablate.rule import Ablation

    opened = _effect(0, 0, "better", 0.01, bounds=(-0.1, 0.2))
    assert opened.words.endswith("helps; answers without a verdict leave it between -10.0 and +20.0 points")
    nothing = _effect(0, 0, None, 0.5)
    assert len(ablation_lines(Ablation([opened], [nothing]))) == 2
    assert len(ablation_lines(Ablation([opened], [opened, nothing]))) == 4


def test_a_tests_layers_are_those_of_its_first_epoch(manager: DBDataManager, store: Store) -> None:
    layers = [{"scope": "domain", "text": "a"}, {"scope": "test", "text": "b"}]
    run = store(
        "e",
        [
            finished(sample("1", epoch=1, prompt_layers=layers)),
            finished(sample("1", epoch=2, prompt_layers=[])),
            finished(sample("2")),
        ],
    )
    stored = list(manager.reader.samples(run.id))
    for one, wanted in zip(stored, (layers, [], []), strict=True):
        one.prompt_layers = wanted
    manager.reader.samples = lambda *_: iter(stored)  # type: ignore[method-assign]
    assert _layers_of(manager.reader, run) == {
        ("suite", "d", 1, "1"): frozenset({"domain", "test"}),
        ("suite", "d", 1, "2"): frozenset(),
    }
