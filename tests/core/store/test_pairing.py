"""Which tests may be counted at once, so that sums are those of adding one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.pairing import (
    _FINEST,
    Alike,
    Pairing,
    asked_otherwise,
    judged_otherwise,
    pairing,
    prompts_that_differ,
    questions_without,
    rules_of,
    share_tests,
)
from modex.core.store.readers import Readers
from modex.core.store.sample import EvaluationSample
from tests.core.store.stores import finished, sample
from tests.rows import each_row
from tests.tui.stores import StoreMaker

ONE = Alike("suite", "d", 1, 1.0, "passed", 1.0, None, 1, "failed", 0.0, None, 1)


@each_row(
    ("changes", "exact"),
    [
        ({}, True),
        ({"other_epoch": None, "other_score": None, "other_status": None}, True),
        ({"score": None}, True),
        ({"score": 0.75, "other_score": 0.5}, True),
        ({"score": 1 / 16, "other_score": 15 / 16}, True),
        ({"score": 1 / 32}, False),
        ({"weight": 1 / 16}, True),
        ({"weight": 0.0}, True),
        ({"weight": float(_FINEST)}, True),
        ({"weight": _FINEST + 1.0}, False),
        ({"weight": -1.0}, False),
        ({"weight": 1 / 3}, False),
        ({"score": 1 / 3}, False),
        ({"other_score": 0.1}, False),
        ({"score": 1.25}, False),
        ({"other_score": -0.25}, False),
        ({"epoch": 2}, False),
        ({"other_epoch": 2}, False),
        ({"level": 1.0}, False),
    ],
)
def test_numbers_are_exact_where_sums_of_them_lose_nothing(changes: dict[str, Any], exact: bool) -> None:
    assert ONE._replace(**changes).is_exact is exact


def done(number: int, **fields: Any) -> EvaluationSample:
    return finished(sample(f"t{number}"), **fields)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[StoreMaker, int, int]]:
    """Two runs of which some tests are shared, and went, were asked or are judged otherwise."""
    store = StoreMaker(tmp_path / "m.db")
    first = [
        done(1), done(2), done(3, score=0.0), done(4, domain="e"), done(5, level=2), done(6, source="zoo"), done(7), done(8),
    ]  # fmt: skip
    second = [
        done(8, prompt="3+3?"), done(1), done(2, score=0.0), done(3, score=0.0, expected=5), done(4, domain="e"),
        done(5, level=3), done(6, source="zoo", system_prompt="Be brief."), done(9), done(7, evaluator_id="match"),
    ]  # fmt: skip
    yield store, store.run("a", samples=first), store.run("b", samples=second)
    store.close()


def named(*numbers: int, **place: Any) -> list[tuple[str, str, int, str]]:
    known: dict[int, dict[str, Any]] = {4: {"domain": "e"}, 5: {"level": 2}, 6: {"source": "zoo"}}
    places = [{"source": "suite", "domain": "d", "level": 1, **known.get(number, {}), **place} for number in numbers]
    return [(at["source"], at["domain"], at["level"], f"t{n}") for n, at in zip(numbers, places, strict=True)]


def test_tests_of_two_runs_are_held_against_each_other_by_source_domain_level_and_id(
    two: tuple[StoreMaker, int, int],
) -> None:
    store, a, b = two
    reader = store.manager.reader
    assert [row[:4] for row in questions_without(reader, a, b)] == named(5)
    assert [row[:4] for row in questions_without(reader, b, a)] == [*named(5, level=3), *named(9)]
    assert list(prompts_that_differ(reader, a, b)) == [(*named(8)[0], "2+2?", "3+3?")]
    assert asked_otherwise(reader, a, b) == named(6, 8)
    assert judged_otherwise(reader, a, b) == named(3, 7)
    assert [row[:4] for row in rules_of(reader, a)] == named(*range(1, 9))
    assert {row[4:] for row in rules_of(reader, b)} == {("4", "keyword"), ("5", "keyword"), ("4", "match")}
    assert share_tests(reader, a, b)
    alone = store.run("c", samples=[done(5, level=4)])
    assert not share_tests(reader, a, alone)


def paired(store: StoreMaker, a: int, b: int, told: list[int] | None = None) -> Pairing | None:
    reader = store.manager.reader
    with Readers(reader, [reader.run_by_id(run) for run in (a, b)], processes=1) as readers:
        return pairing(readers, a, b, _went_otherwise, (told if told is not None else []).append)


def _went_otherwise(alike: Alike) -> bool:
    return alike.score != alike.other_score


@pytest.mark.parametrize("part", [2, 3, 20_000])
def test_tests_that_went_alike_are_counted_and_those_that_are_asked_for_named(
    two: tuple[StoreMaker, int, int], monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr("modex.core.store.pairing._PART", part)
    store, a, b = two
    told: list[int] = []
    found = paired(store, a, b, told)
    assert found is not None
    assert sum(told) == 8
    assert {(alike[:3], alike.score, alike.other_score): (one.number, one.position) for alike, one in found.alike.items()} == {
        (("suite", "d", 1), 1.0, 1.0): (3, 0), (("suite", "d", 1), 1.0, 0.0): (1, 1), (("suite", "d", 1), 0.0, 0.0): (1, 2),
        (("suite", "e", 1), 1.0, 1.0): (1, 3), (("suite", "d", 2), 1.0, None): (1, 4), (("zoo", "d", 1), 1.0, 1.0): (1, 5),
    }  # fmt: skip
    assert sorted(one for tests in found.named.values() for one in tests) == [(1, "t2"), (4, "t5")]
    assert [row[0] for row in found.only_second] == [5, 7]
    assert [row[1:] for row in found.only_second] == [*named(5, level=3), *named(9)]


def test_a_run_that_has_all_tests_of_the_other_leaves_none_over(two: tuple[StoreMaker, int, int]) -> None:
    store, a, _ = two
    same = store.run("same", samples=[done(1), done(2)])
    found = paired(store, a, same)
    assert found is not None
    assert found.only_second == []
    assert sum(one.number for alike, one in found.alike.items() if alike.other_epoch is None) == 6


@pytest.mark.parametrize(
    "odd",
    [
        {"cluster": "text"}, {"pass_needed": 1, "pass_of": 2}, {"score": 1 / 3}, {"weight": 0.3}, {"epoch": 2},
    ],
)  # fmt: skip
def test_what_must_be_added_one_by_one_is_not_counted_in_either_run(
    two: tuple[StoreMaker, int, int], odd: dict[str, Any]
) -> None:
    store, a, _ = two
    strange = store.run("odd", samples=[done(1), done(2, **odd)])
    plain = store.run("plain", samples=[done(1), done(2)])
    assert paired(store, strange, plain) is None
    if "weight" not in odd:  # of the weights, those of the first run count
        assert paired(store, plain, strange) is None
    assert paired(store, plain, a) is not None
