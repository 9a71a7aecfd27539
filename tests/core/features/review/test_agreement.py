"""How far the judge and people agree, from what people said."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.features.review.agreement import Agreement, agreement, between_people, by_label
from modex.core.statistics.intervals import wilson
from tests.rows import each_row


def _said(result_id: int, own: str | None, status: str = "passed", author: str = "ann", **fields: Any) -> Any:
    row = {
        "result_id": result_id,
        "own_verdict": own,
        "status": status,
        "author": author,
        "stale": False,
        "label": None,
    }
    return SimpleNamespace(**{**row, **fields})


@each_row(
    ("found", "figures", "kappa"),
    [
        (Agreement(), (0, 0, 0, (0, 0), (0, 0)), None),
        (Agreement(4, 3, 2, 1), (10, 7, 5, (4, 5), (3, 5)), pytest.approx(0.4)),
        (Agreement(1, 0, 3, 0), (4, 1, 3, (1, 1), (0, 3)), 0.0),
        (Agreement(5, 1, 0, 2), (8, 6, 7, (5, 7), (1, 1)), pytest.approx(0.384615, abs=1e-6)),
        (Agreement(3, 0, 0, 0), (3, 3, 3, (3, 3), (0, 0)), None),
    ],
)
def test_figures_of_agreement(found: Agreement, figures: tuple[Any, ...], kappa: Any) -> None:
    assert (found.number, found.agreed, found.constant, found.sensitivity, found.specificity) == figures
    assert found.kappa == kappa
    said = found.as_json()
    assert (said["number"], said["kappa"], said["both_passed"], said["people_alone"]) == (
        found.number, kappa, found.both_passed, found.people_alone,
    )  # fmt: skip
    if not found.number:
        assert (said["constant"], said["agreed"]["rate"], said["agreed"]["ci_low"]) == (None, None, None)
        return
    interval = wilson(found.agreed, found.number)
    assert interval is not None
    assert said["constant"] == found.constant / found.number
    assert said["agreed"] == {
        "number": found.agreed, "of": found.number, "rate": found.agreed / found.number, "ci_low": interval[0],
        "ci_high": interval[1],
    }  # fmt: skip


@each_row(
    ("rows", "found"),
    [
        ([_said(1, "passed"), _said(2, "failed", "failed"), _said(3, "failed"), _said(4, "passed", "failed")],
         Agreement(1, 1, 1, 1)),
        ([_said(1, "passed"), _said(1, "failed", author="bob")], Agreement()),
        ([_said(1, "passed"), _said(1, "failed", author="bob"), _said(1, "failed", author="cid")], Agreement(judge_alone=1)),
        ([_said(1, "passed"), _said(1, "failed", author="bob"), _said(1, "passed", author="cid")], Agreement(both_passed=1)),
        ([_said(1, None), _said(2, "passed", stale=True), _said(3, "passed", "error"), _said(4, "passed", "pending")],
         Agreement()),
    ],
)  # fmt: skip
def test_most_people_decide_what_an_answer_is(rows: list[Any], found: Agreement) -> None:
    assert agreement(rows) == found


def test_by_label_all_that_is_said_of_its_answers_counts() -> None:
    rows = [
        _said(1, "passed", label="b"), _said(1, "passed", author="bob"), _said(2, "failed", label="a"), _said(3, "failed"),
        _said(4, "passed", label="c", stale=True), _said(5, None, label="b"),
    ]  # fmt: skip
    assert list(by_label(rows).items()) == [("a", Agreement(judge_alone=1)), ("b", Agreement(both_passed=1))]


def test_people_are_compared_two_by_two_on_what_both_read() -> None:
    rows = [
        _said(1, "passed", author="bob"), _said(1, "passed"), _said(2, "failed"), _said(2, "passed", author="bob"),
        _said(3, "failed"), _said(3, "failed", author="bob"), _said(4, "passed"), _said(5, "passed", author="cid"),
        _said(1, "failed", author="cid", stale=True), _said(1, None, author="dan"),
    ]  # fmt: skip
    found = between_people(rows)
    assert list(found) == [("ann", "bob")]
    assert found["ann", "bob"] == pytest.approx((2, 3, 0.4))
