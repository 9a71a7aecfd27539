"""Samples without a verdict that the model can cause bound every score; what says nothing of the model bounds none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from modex.core.store.bounds import (
    Bounds,
    bounds,
    cut_off,
    domain_ends,
    open_bounds,
    open_judgements,
    open_samples,
    outside,
    with_bounds,
)
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.tui.stores import StoreMaker, sample


def lost(domain: str, level: int, number: int, kind: str, **fields: Any) -> EvaluationSample:
    return sample(domain, level, number, "error", error_type=kind, **fields)


def tries(number: int, signs: str) -> Iterator[EvaluationSample]:
    """A test of which 2 of 3 tries must pass: `+` passed, `-` failed, `?` timed out, `!` the network's fault."""
    for epoch, sign in enumerate(signs, 1):
        fields: dict[str, Any] = {"epoch": epoch, "pass_needed": 2, "pass_of": 3}
        if sign in "+-":
            yield sample("b", 2, number, "passed" if sign == "+" else "failed", **fields)
        else:
            yield lost("b", 2, number, "timeout" if sign == "?" else "connection", **fields)


def every() -> list[EvaluationSample]:
    return [
        sample("a", 1, 1, "passed"),
        lost("a", 1, 2, "timeout", weight=3.0),
        sample("a", 2, 3, "failed", score=0.5),
        lost("a", 2, 4, "truncated_output"),
        sample("a", 2, 5, "passed"),
        lost("a", 2, 5, "runaway", epoch=2, source="other"),
        lost("a", 2, 5, "time_limit", epoch=2, evaluator_id="match"),
        sample("b", 1, 6, "passed"),
        lost("b", 1, 7, "rate_limit"),
        *(one for number, signs in enumerate(("+-?", "++?", "--?", "+-!", "-??", "+--"), 8) for one in tries(number, signs)),
        lost("z", 1, 20, "timeout", weight=0.0),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path_factory.mktemp("bounds") / "m.db")
    maker.run("sound", samples=[sample("a", 1, 1, "passed"), lost("a", 1, 2, "quota")], overall_score=1.0)
    maker.run("r", samples=every(), overall_score=0.5)
    maker.run("again", samples=every(), overall_score=0.5)
    yield maker
    maker.close()


@pytest.fixture
def reader(store: StoreMaker) -> Reader:
    return store.manager.reader


@pytest.fixture
def run(reader: Reader) -> RunRow:
    return reader.run("r")


A1, A2, B2 = (0.25, 1.0), ((0.5 + 0 + 0.5 + 0) / 4, (0.5 + 1 + 1 + 1) / 4), (1 / 5, 3 / 5)
"""Where each cell lies: `a/2` holds a half, an open test, one of two epochs open, and one of another source."""


def weighted(*levels: tuple[tuple[float, float], int]) -> Any:
    return pytest.approx(
        [sum(ends[at] * level for ends, level in levels) / sum(level for _, level in levels) for at in (0, 1)]
    )


def test_open_samples_bound_the_run_its_domains_levels_and_cells(reader: Reader, run: RunRow) -> None:
    found = open_bounds(reader, run)
    assert found.whole is not None
    whole = found.whole
    assert [*whole.ends] == weighted((A1, 1), (A2, 2), ((1.0, 1.0), 1), (B2, 2))
    assert (whole.number, whole.cut_off, whole.may_need_tokens) == (1 + 3 + 5, 3, 1)
    assert {name: [*one.ends] for name, one in found.domains.items()} == {
        "a": weighted((A1, 1), (A2, 2)), "b": weighted(((1.0, 1.0), 1), (B2, 2)),
    }  # fmt: skip
    assert {level: [*one.ends] for level, one in found.levels.items()} == {
        1: weighted((A1, 1), ((1.0, 1.0), 1)), 2: weighted((A2, 2), (B2, 2)),
    }  # fmt: skip
    assert {cell: [*one.ends] for cell, one in found.cells.items()} == {
        ("a", 1): weighted((A1, 1)), ("a", 2): weighted((A2, 1)), ("b", 2): weighted((B2, 1)),
    }  # fmt: skip
    assert [*(found.ends("a", 1) or ())] == weighted((A1, 1))
    assert [*(found.ends("b") or ())] == weighted(((1.0, 1.0), 1), (B2, 2))
    assert (found.ends("b", 1), found.ends("c")) == (None, None)
    assert open_bounds(reader, replace(run, error_tests=0)).whole is None


def test_bounds_are_asked_of_some_kinds_or_of_one_cell(reader: Reader, run: RunRow) -> None:
    assert bounds(reader, run.id, cell=("a", 2)) == Bounds(3, *A2, 3, 1)
    assert bounds(reader, run.id, cell=("a", 3)) is None
    assert bounds(reader, run.id, cell=("b", 1)) is None
    found = bounds(reader, run.id, ["runaway"], ("a", 2))
    assert found is not None
    assert [*found.ends] == pytest.approx([(0.5 + 1 + 0) / 3, (0.5 + 1 + 1) / 3])
    assert bounds(reader, run.id, ["content_filter"]) is None
    cut = cut_off(reader, run.id)
    assert cut is not None
    assert (cut.number, cut.cut_off, cut.may_need_tokens) == (3, 3, 1)
    assert cut_off(reader, reader.run("sound").id) is None


def test_what_is_no_score_or_no_level_is_in_no_bounds(store: StoreMaker) -> None:
    run_id = store.run("damaged", samples=[lost("a", 1, 1, "timeout"), *(sample("a", 1, n, "passed") for n in (2, 3))])
    database = store.manager.database
    database.run("UPDATE individual_test_results SET score = 'x' WHERE run_id = ? AND test_id = 'a_1_2'", [run_id])
    assert bounds(store.manager.reader, run_id) == Bounds(1, 0.5, 1.0)
    database.run("UPDATE individual_test_results SET level = 1.5 WHERE run_id = ? AND test_id = 'a_1_3'", [run_id])
    assert bounds(store.manager.reader, run_id) == Bounds(1, 0.0, 1.0)


def test_what_is_open_is_counted_by_source_and_by_evaluator_apart_from_what_says_nothing(
    reader: Reader, run: RunRow
) -> None:
    assert open_samples(reader, run.id, "suite") == {("a", 1): 1, ("a", 2): 2, ("b", 2): 5, ("z", 1): 1}
    assert open_samples(reader, run.id, "other") == {("a", 2): 1}
    assert outside(reader, run.id) == 2
    assert open_judgements(reader, run.id, "match") == 1
    assert open_judgements(reader, run.id, "two_pass") == 1 + 2 + 5 + 1


def test_a_list_looks_for_bounds_that_an_older_version_did_not_store(reader: Reader, run: RunRow) -> None:
    open_ = bounds(reader, run.id)
    assert open_ is not None
    (found,) = with_bounds(reader, [run])
    assert (found.unsettled, found.bounds) == (open_.number, open_.ends)
    sound = reader.run("sound")
    assert with_bounds(reader, [sound]) == [replace(sound, unsettled=0)]
    kept = [
        replace(run, error_tests=0), replace(run, unsettled=0), replace(run, overall_score=None),
        replace(run, total_tests=50_001),
    ]  # fmt: skip
    assert with_bounds(reader, kept) == kept
    (largest,) = with_bounds(reader, [replace(run, total_tests=50_000)])
    assert largest.bounds == open_.ends


def test_the_ends_of_domains_are_looked_for_where_a_run_has_bounds_and_is_not_too_large(
    reader: Reader, run: RunRow
) -> None:
    (bounded,) = with_bounds(reader, [run])
    ends = {name: one.ends for name, one in open_bounds(reader, run).domains.items()}
    assert domain_ends(reader, bounded) == domain_ends(reader, replace(bounded, total_tests=50_000)) == ends
    assert domain_ends(reader, run) == {}
    assert domain_ends(reader, replace(bounded, total_tests=50_001)) is None
