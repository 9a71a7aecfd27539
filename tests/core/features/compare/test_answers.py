"""Answers at temperature 0 that differ between two ways of serving the same weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.features.compare.answers import other_answers, other_answers_words, other_pairs
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample


def answered(test_id: str, response: str | None, **fields: Any) -> EvaluationSample:
    done = finished(sample(test_id, **fields), score=1.0)
    done.response = response
    return done


def at(run: RunRow, temperature: float | None = 0.0, digest: str | None = "d", name: str = "m") -> RunRow:
    model = {"temperature": temperature, "gguf_digest": digest}
    return replace(run, model=name, config={**run.config, "model": model})


def test_tests_with_other_words_are_named_where_the_weights_are_the_same(manager: DBDataManager, store: Store) -> None:
    one = at(
        store("a", [answered("1", "x"), answered("2", "x"), answered("3", None), answered("4", "x", prompt="other")])
    )
    two = at(store("b", [answered("1", "x"), answered("2", "y"), answered("3", "x"), answered("4", "z")]))
    found = other_answers(manager.reader, one, two)
    assert found is not None
    assert [key[3] for key in found] == ["2"]
    domain, level = found[0][1:3]
    assert other_answers_words(found, one, two) == [
        f"answers at temperature 0, of the same weights: 1 of 4 differ: {domain}/{level}/2",
        f"  one of them: `modex show a --test {domain}/{level}/2` and `modex show b --test {domain}/{level}/2`",
    ]
    for other in (at(two, 0.7), at(two, None), at(two, digest="e"), at(two, digest=None)):
        assert other_answers(manager.reader, one, other) is None
        assert other_answers(manager.reader, other, one) is None
    assert other_answers_words(None, one, two) == []
    plain, same = at(one, digest=None), at(two, digest=None)
    assert other_answers(manager.reader, plain, same) == found
    assert other_answers(manager.reader, plain, replace(same, model="n")) is None
    assert other_answers(manager.reader, replace(one, total_tests=50_001), two) is None
    assert other_answers(manager.reader, replace(one, total_tests=50_000), two) == found


def test_they_are_pairs_of_both_runs_answers(manager: DBDataManager, store: Store) -> None:
    one = at(store("a", [answered("1", "x"), answered("2", "x"), answered("3", "x")]))
    two = at(store("b", [answered("1", "x"), answered("2", "y"), answered("3", "x")]))
    pairs = other_pairs(manager.reader, one, two)
    assert pairs is not None
    assert [(pair.key[3], pair.first.mean, pair.second.mean) for pair in pairs] == [("2", 1.0, 1.0)]
    assert other_pairs(manager.reader, one, one) == []
    assert other_pairs(manager.reader, one, at(two, 0.7)) is None


def test_of_many_the_first_are_named(manager: DBDataManager, store: Store) -> None:
    run = at(store("a", [answered("1", "x")]))
    keys = [("s", "d", 1, str(number)) for number in range(12)]
    words = other_answers_words(keys, run, run)[0]
    assert words.endswith("d/1/8, d/1/9 and 2 more")
    assert other_answers_words(keys[:10], run, run)[0].endswith("d/1/9")
    assert other_answers_words([], run, run) == ["answers at temperature 0, of the same weights: 0 of 1 differ"]
