"""A test as each run answered it, and the tests of several runs beside each other."""

from __future__ import annotations

from typing import Any

from modex.core.comparison.pairs import Match, Pair, RunSide, matches, rows_by_test, side_of_one
from modex.core.comparison.pairs import tests_of as keys_of
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import SampleQuery
from modex.core.store.sample import EvaluationSample
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample
from tests.rows import each_row


@each_row(
    ("scores", "statuses", "told"),
    [
        ((), (), {"answered": 0, "missing": 0, "counts": False, "at_worst": 0.0, "at_best": 0.0, "mean": None, "passed": None,
                  "passes": 0, "judged": 0, "status": "pending"}),
        ((), ("skipped",), {"missing": 0, "counts": False, "at_worst": 0.0, "at_best": 0.0, "status": "skipped"}),
        *(((), (status,), {"missing": 1, "counts": True, "at_worst": 0.0, "at_best": 1.0, "mean": None, "status": status})
          for status in ("error", "pending", "running")),
        ((1.0,), ("passed",), {"answered": 1, "missing": 0, "counts": True, "at_worst": 1.0, "at_best": 1.0, "mean": 1.0,
                               "passed": True, "passes": 1, "judged": 1, "status": "passed"}),
        ((0.7,), ("passed",), {"passed": True}),
        ((0.69,), ("failed",), {"passed": False, "passes": 0, "judged": 1, "status": "failed"}),
        ((1.0, 0.0), ("passed", "failed", "error", "error"),
         {"answered": 2, "missing": 2, "at_worst": 0.25, "at_best": 0.75, "mean": 0.5, "passed": False, "passes": 1,
          "judged": 2}),
        ((0.5,), ("failed", "skipped"), {"answered": 1, "missing": 0, "at_worst": 0.5, "at_best": 0.5, "judged": 1}),
    ],
)  # fmt: skip
def test_a_side_knows_what_its_epochs_come_to(
    scores: tuple[float, ...], statuses: tuple[str, ...], told: dict[str, Any]
) -> None:
    side = RunSide(scores, statuses)
    assert {name: getattr(side, name) for name in told} == told


@each_row(
    ("status", "score", "error", "side"),
    [
        ("passed", 1.0, None, RunSide((1.0,), ("passed",))),
        ("failed", 0.0, None, RunSide((0.0,), ("failed",))),
        ("passed", None, None, RunSide((), ("passed",))),
        ("error", 0.5, "connection", RunSide((), ("error",), 0, 1)),
        ("error", None, "truncated", RunSide((), ("error",), 1, 0)),
        ("error", None, "bad_request", RunSide((), ("error",), 0, 0)),
        ("error", None, None, RunSide((), ("error",), 0, 1)),
        ("pending", None, None, RunSide((), ("pending",), 0, 1)),
        ("running", None, "truncated", RunSide((), ("running",), 0, 1)),
        ("skipped", None, "truncated", RunSide((), ("skipped",), 0, 0)),
    ],
)
def test_an_answer_without_a_verdict_is_cut_off_by_the_model_or_missing_for_reasons_outside_it(
    status: str, score: float | None, error: str | None, side: RunSide
) -> None:
    assert side_of_one(status, score, error) == side


_PASSED, _FAILED, _NONE = RunSide((1.0,), ("passed",)), RunSide((0.25,), ("failed",)), RunSide((), ("error",))


@each_row(
    ("first", "second", "flip", "difference"),
    [
        (_PASSED, _PASSED, None, 0.0), (_FAILED, _FAILED, None, 0.0), (_FAILED, _PASSED, "gained", 0.75),
        (_PASSED, _FAILED, "lost", -0.75), (_NONE, _PASSED, None, None), (_PASSED, _NONE, None, None),
    ],
)  # fmt: skip
def test_a_pair_is_gained_or_lost_where_both_have_a_verdict(
    first: RunSide, second: RunSide, flip: str | None, difference: float | None
) -> None:
    pair = Pair(("s", "d", 1, "t"), first, second)
    assert (pair.flip, pair.difference) == (flip, difference)


def _done(test_id: str, score: float | None = 1.0, **fields: Any) -> EvaluationSample:
    planned = sample(test_id, **fields)
    if score is not None:
        return finished(planned, score=score)
    planned.stage, planned.status, planned.error_type = "rollout", "error", "truncated"
    return planned


def test_the_tests_of_two_runs_are_read_side_by_side(manager: DBDataManager, store: Store) -> None:
    one = store(
        "one", [_done("b"), _done("é", 0.0), _done("a", 0.5), _done("a", 1.0, epoch=2), _done("a", None, epoch=3)]
    )
    two = store("two", [_done("a", 0.0), _done("c", 1.0), _done("c", 1.0, domain="e")])
    found = {match.key[1:]: match for match in matches(manager.reader, one, two)}
    assert list(found) == sorted(found)
    assert found["d", 1, "a"] == Match(
        ("suite", "d", 1, "a"), RunSide((0.5, 1.0), ("failed", "passed", "error"), 1), RunSide((0.0,), ("failed",)), 2
    )
    told = {key: (match.first is not None, match.second is not None, match.position) for key, match in found.items()}
    assert told == {
        ("d", 1, "a"): (True, True, 2), ("d", 1, "b"): (True, False, 0), ("d", 1, "c"): (False, True, 1),
        ("d", 1, "é"): (True, False, 1), ("e", 1, "c"): (False, True, 2),
    }  # fmt: skip
    assert keys_of(manager.reader, (one, two), SampleQuery(test_ids=("b", "c"))) == {
        ("suite", "d", 1, "b"), ("suite", "d", 1, "c"), ("suite", "e", 1, "c")
    }  # fmt: skip
    rows = list(rows_by_test(manager.reader, (two, one, two)))
    assert [[row is not None for row in rows_] for _, rows_ in rows] == [
        [True] * 3, [False, True, False], [True, False, True], [False, True, False], [True, False, True]
    ]  # fmt: skip


def test_a_test_that_another_run_calls_otherwise_stands_under_the_key_that_counts(
    manager: DBDataManager, store: Store
) -> None:
    one, two = store("one", [_done("a"), _done("z")]), store("two", [_done("b", 0.0), _done("y", 0.0)])
    found = list(matches(manager.reader, one, two, {("suite", "d", 1, "y"): ("suite", "d", 1, "a")}))
    assert [(match.key[3], match.first is not None, match.second is not None, match.other) for match in found] == [
        ("a", True, True, ("suite", "d", 1, "y")), ("b", False, True, None), ("z", True, False, None),
    ]  # fmt: skip


def test_tries_of_which_some_must_pass_are_one_verdict_once_it_is_certain(manager: DBDataManager, store: Store) -> None:
    tries = {"pass_needed": 1, "pass_of": 2}
    run = store("one", [
        _done("a", 0.0, **tries), _done("a", 1.0, epoch=2, **tries), _done("b", 0.0, **tries), _done("b", 0.0, epoch=2, **tries),
        _done("c", 0.0, **tries), _done("c", None, epoch=2, **tries),
    ])  # fmt: skip
    rows = {key[3]: row for key, (row,) in rows_by_test(manager.reader, (run,))}
    sides = {name: row.side for name, row in rows.items() if row is not None}
    assert sides == {
        "a": RunSide((1.0,), ("passed",)), "b": RunSide((0.0,), ("failed",)), "c": RunSide((), ("failed", "error"), 1)
    }  # fmt: skip


def test_of_several_epochs_only_errors_are_cut_off(manager: DBDataManager, store: Store) -> None:
    broken, skipped = _done("a", None, epoch=2), _done("a", None, epoch=3)
    broken.error_type = skipped.error_type = "truncated"
    skipped.status = "skipped"
    run = store("one", [_done("a", 1.0), broken, skipped])
    ((_, (row,)),) = rows_by_test(manager.reader, (run,))
    assert row is not None
    assert row.side == RunSide((1.0,), ("passed", "error", "skipped"), 1, 0)


def test_a_single_try_that_suffices_is_a_verdict(manager: DBDataManager, store: Store) -> None:
    run = store("one", [_done("a", 1.0, pass_needed=1, pass_of=2), _done("b", 0.0, pass_needed=1, pass_of=2)])
    rows = {key[3]: row for key, (row,) in rows_by_test(manager.reader, (run,))}
    sides = {name: row.side for name, row in rows.items() if row is not None}
    assert sides == {"a": RunSide((1.0,), ("passed",)), "b": RunSide((), ("failed",))}
