"""Labels are counted over the answers read, and judge and people are compared on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modex.core.features.review.agreement import agreement, between_people, by_label
from modex.core.features.review.kinds import LabelledShare, count_kinds
from modex.core.features.review.query import OwnVerdict, ReviewRow
from modex.core.statistics.intervals import wilson
from tests.rows import each_row

ROW = ReviewRow(
    id=1, run_id=1, result_id=1, author="ann", verdict=None, own_verdict=None, label=None, note=None, created_at="",
    source_fingerprint=None, answer_digest=None, source="suite", domain="math", level=1, test_id="t", epoch=1,
    status="failed", score=0.0, evaluator_id="x", judge_fingerprint=None, model="m", exp_id="r", stale=False,
)  # fmt: skip


def rows(*said: tuple[int, str | None], **more: object) -> list[ReviewRow]:
    return [
        replace(ROW, id=place, result_id=answer, label=label, created_at=f"{place:04d}", **more)  # type: ignore[arg-type]
        for place, (answer, label) in enumerate(said)
    ]


def test_a_label_has_its_share_of_the_answers_read_with_an_interval() -> None:
    kinds = count_kinds(rows((1, "a"), (2, "a"), (3, None), (4, "b")))
    assert (kinds.read, kinds.labelled) == (4, 3)
    assert [(one.label, one.number, one.read, one.interval) for one in kinds.shares] == [
        ("a", 2, 4, wilson(2, 4)),
        ("b", 1, 4, wilson(1, 4)),
    ]


def test_an_answer_that_two_people_read_is_one_answer() -> None:
    both = [*rows((1, "a")), replace(ROW, id=9, author="bob", label="a"), replace(ROW, id=10, author="eve", label="b")]
    kinds = count_kinds(both)
    assert kinds.read == 1
    assert {one.label: one.number for one in kinds.shares} == {"a": 1, "b": 1}


def test_what_was_said_of_an_answer_that_changed_counts_for_nothing() -> None:
    kinds = count_kinds([*rows((1, "a")), *rows((2, "b"), stale=True)])
    assert (kinds.read, kinds.stale, [one.label for one in kinds.shares]) == (1, 1, ["a"])


def test_labels_by_domain_level_and_model() -> None:
    kinds = count_kinds([*rows((1, "a"), (2, "b")), *rows((3, "a"), domain="sql", level=2)])
    assert {
        domain: [(one.label, one.number, one.read) for one in found] for domain, found in kinds.groups["domain"].items()
    } == {
        "math": [("a", 1, 2), ("b", 1, 2)],
        "sql": [("a", 1, 1)],
    }
    assert set(kinds.groups["level"]) == {"1", "2"}
    assert set(kinds.groups["model"]) == {"m"}


@each_row(
    ("labels", "curve", "said"),
    [
        ([], (), "no label was given yet"),
        (["a", "b"], (1, 2), "2 kinds in 2 read; the last one read brought a new kind"),
        (["a", None, "a", "a"], (1, 1, 1, 1), "1 kind in 4 read; the last 3 read brought no new kind"),
        ([None, "a", "b", "b"], (0, 1, 2, 2), "2 kinds in 4 read; the last 1 read brought no new kind"),
    ],
)
def test_the_curve_says_when_reading_on_brings_no_new_kind(
    labels: list[str | None], curve: tuple[int, ...], said: str
) -> None:
    kinds = count_kinds(rows(*enumerate(labels)))
    assert (kinds.curve, kinds.saturation) == (curve, said)
    assert kinds.since_new == (sum(known == curve[-1] for known in curve) - 1 if labels else 0)


def test_of_labels_that_are_as_frequent_the_first_by_name_stands_first_and_a_share_has_its_interval() -> None:
    kinds = count_kinds(rows((1, "b"), (2, "A"), (3, "c"), (4, "c"), (4, None)))
    assert [one.label for one in kinds.shares] == ["c", "A", "b"]
    low, high = wilson(2, 4) or (0, 0)
    assert kinds.shares[0].as_json() == {
        "label": "c", "number": 2, "read": 4, "share": 0.5, "ci_low": low, "ci_high": high,
    }  # fmt: skip
    nothing = LabelledShare("x", 0, 0, None)
    assert (nothing.share, nothing.as_json()["ci_low"], count_kinds([]).since_new) == (0.0, None, 0)


def judged(answer: int, own: OwnVerdict | None, status: str, **more: object) -> ReviewRow:
    return replace(ROW, id=answer, result_id=answer, own_verdict=own, status=status, **more)  # type: ignore[arg-type]


def test_judge_and_people_are_compared_with_a_constant_answer_beside() -> None:
    said = [judged(n, "passed", "passed") for n in range(6)]
    said += [judged(10 + n, "failed", "failed") for n in range(2)]
    said += [
        judged(20, "failed", "passed"),
        judged(21, "passed", "failed"),
        judged(22, None, "passed"),
        judged(23, "passed", "error"),
    ]
    found = agreement(said)
    assert (found.agreed, found.number, found.constant) == (8, 10, 7)
    assert (found.sensitivity, found.specificity) == ((6, 7), (2, 3))
    assert found.kappa == pytest.approx(1 - (1 - 0.8) / (1 - (0.7 * 0.7 + 0.3 * 0.3)))


def test_most_people_decide_and_a_tie_decides_nothing() -> None:
    three = [judged(1, "passed", "passed", author=who) for who in ("a", "b")] + [
        judged(1, "failed", "passed", author="c")
    ]
    assert agreement(three).agreed == 1
    assert agreement(three[1:]).number == 0
    assert between_people(three) == {("a", "b"): (1, 1, None), ("a", "c"): (0, 1, 0.0), ("b", "c"): (0, 1, 0.0)}


def test_agreement_by_label_is_that_of_the_answers_with_it() -> None:
    said = [judged(1, "passed", "failed", label="gold"), judged(2, "failed", "failed", label="unit")]
    assert {label: (one.agreed, one.number) for label, one in by_label(said).items()} == {
        "gold": (0, 1),
        "unit": (1, 1),
    }
