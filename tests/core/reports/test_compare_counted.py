"""Tests that went alike are counted at once: the comparison is the very one that adding test after test gives."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from modex.core.features.compare import compare as module
from modex.core.features.compare.compare import Comparison, compare
from modex.core.store.manager import DBDataManager
from modex.core.store.pairing import pairing
from modex.core.store.readers import Readers
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample, side_by_side

_STATES = (
    ("passed", 1.0, None), ("passed", 0.75, None), ("failed", 0.0, None), ("failed", 0.5, None), ("error", None, "timeout"),
    ("error", None, "truncated"), ("pending", None, None), ("skipped", None, "invalid_test"),
)  # fmt: skip


def drawn(seed: int, *, epochs: int = 1, scores: tuple[float, ...] = ()) -> list[EvaluationSample]:
    """Tests in a drawn order and state; not all that another seed draws."""
    draw = random.Random(seed)
    found = []
    for number in range(60):
        if draw.random() < 0.1:
            continue
        status, score, error = draw.choice(_STATES)
        place: dict[str, Any] = {
            "source": ("suite", "Zoo", "ähre")[number % 3],
            "domain": ("b", "a", "ü")[number // 3 % 3],
            "level": 1 + number % 5,
        }
        for epoch in range(1, epochs + 1):
            one = finished(sample(f"q\x00{number}" if number % 7 == 0 else f"q{number}", epoch=epoch, **place))
            one.status, one.score, one.error_type = status, score, error  # type: ignore[assignment]
            if scores and score is not None:
                one.score = draw.choice(scores)
                one.status = "passed" if one.score >= 0.7 else "failed"
            found.append(one)
    draw.shuffle(found)
    return found


def one_by_one(manager: DBDataManager, first: RunRow, second: RunRow, monkeypatch: pytest.MonkeyPatch) -> Comparison:
    with monkeypatch.context() as patched:
        patched.setattr(module, "pairing", lambda *_: None)
        return compare(manager.reader, first, second)


def said(found: Comparison) -> str:
    return json.dumps(module.comparison_json(found)) + repr(found.flips) + repr((found.only_first, found.only_second))


@pytest.mark.parametrize("seed", range(3))
def test_counting_what_went_alike_changes_nothing(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    first, second = store("a", drawn(seed)), store("b", drawn(seed + 100))
    manager.database.run("UPDATE individual_test_results SET weight = (1 + id % 3) * 0.75")
    assert pairing(Readers(manager.reader, ()), first.id, second.id, lambda _: False) is not None
    found = compare(manager.reader, first, second)
    assert found.flips
    assert found.only_first
    assert found.only_second
    assert said(found) == said(one_by_one(manager, first, second, monkeypatch))


@pytest.mark.parametrize(
    "samples",
    [drawn(1, epochs=2), drawn(1, scores=(0.1, 0.7, 1 / 3))],
    ids=["several epochs", "scores whose sums depend on their order"],
)
def test_what_must_be_added_test_by_test_is_not_counted(
    manager: DBDataManager, store: Store, samples: list[EvaluationSample]
) -> None:
    first, second = store("a", drawn(2)), store("b", samples)
    assert pairing(Readers(manager.reader, ()), first.id, second.id, lambda _: False) is None
    assert pairing(Readers(manager.reader, ()), second.id, first.id, lambda _: False) is None
    assert compare(manager.reader, first, second).overall is not None


@pytest.mark.long
@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize("scores", [(), (0.1, 0.7, 1 / 3)])
def test_several_processes_compare_as_one_does(
    manager: DBDataManager,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    epochs: int,
    scores: tuple[float, ...],
) -> None:
    first, second = store("a", drawn(1, epochs=epochs)), store("b", drawn(2, epochs=epochs, scores=scores))
    called = json.dumps([{"role": "tool", "name": "search", "content": "4", "iteration": 1}], separators=(",", ":"))
    manager.database.run("UPDATE individual_test_results SET transcript = ? WHERE id % 5 = 0", [called])
    alone = compare(manager.reader, first, second)
    assert alone.tools[0] is not None
    side_by_side(monkeypatch)
    assert said(compare(manager.reader, first, second)) == said(alone)


@pytest.mark.parametrize("field", [{"cluster": "document 1"}, {"pass_needed": 1, "pass_of": 2}])
def test_clusters_and_k_of_n_are_not_counted(manager: DBDataManager, store: Store, field: dict[str, Any]) -> None:
    first, second = store("a", drawn(3)), store("b", drawn(4))
    manager.database.run(
        f"UPDATE individual_test_results SET {', '.join(f'{name} = ?' for name in field)} WHERE id = 1",
        [*field.values()],
    )
    assert pairing(Readers(manager.reader, ()), first.id, second.id, lambda _: False) is None


@pytest.mark.parametrize(("shared", "own", "others"), [(2, 3, 10), (3, 0, 10), (0, 3, 3), (10, 1, 0)])
def test_tests_that_only_the_second_run_has_are_found_however_many_the_first_has_alone(
    manager: DBDataManager, store: Store, shared: int, own: int, others: int
) -> None:
    both = [f"both{number}" for number in range(shared)]
    first = store("a", [finished(sample(test)) for test in (*both, *(f"first{n}" for n in range(others)))])
    second = store("b", [finished(sample(test)) for test in (*both, *(f"second{n}" for n in range(own)))])
    found = pairing(Readers(manager.reader, ()), first.id, second.id, lambda _: False)
    assert found is not None
    assert [row[4] for row in found.only_second] == [f"second{n}" for n in range(own)]
    counts = {alike.other_epoch: counted.number for alike, counted in found.alike.items()}
    assert counts == {epoch: number for epoch, number in ((1, shared), (None, others)) if number}
