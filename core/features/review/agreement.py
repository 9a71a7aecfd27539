"""How far the judge and people agree, over all and by label; what a constant answer would have had stands beside it.

`passed` is what is looked for: sensitivity is the share of answers that people hold to be right which the judge passed,
specificity the share of those they hold to be wrong which it failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from modex.core.evaluators.judging.kappa import cohens_kappa
from modex.core.features.review.query import ReviewRow
from modex.core.statistics.intervals import Interval, wilson


@dataclass(frozen=True, slots=True)
class Agreement:
    """Judge and people on the same answers."""

    both_passed: int = 0
    both_failed: int = 0
    judge_alone: int = 0
    """The judge passed, people say failed."""
    people_alone: int = 0
    """People say passed, the judge failed."""

    @property
    def number(self) -> int:
        """Answers that both have a verdict on."""
        return self.both_passed + self.both_failed + self.judge_alone + self.people_alone

    @property
    def agreed(self) -> int:
        """Answers on which both have the same verdict."""
        return self.both_passed + self.both_failed

    @property
    def constant(self) -> int:
        """Answers on which a judge that says one thing always would agree with people."""
        passed = self.both_passed + self.people_alone
        return max(passed, self.number - passed)

    @property
    def sensitivity(self) -> tuple[int, int]:
        """How many of the answers that people hold to be right the judge passed."""
        return self.both_passed, self.both_passed + self.people_alone

    @property
    def specificity(self) -> tuple[int, int]:
        """How many of the answers that people hold to be wrong the judge failed."""
        return self.both_failed, self.both_failed + self.judge_alone

    @property
    def kappa(self) -> float | None:
        """Cohen's κ; a constant answer has 0. None where both say one and the same throughout."""
        judge = [1] * (self.both_passed + self.judge_alone) + [0] * (self.both_failed + self.people_alone)
        people = [1] * self.both_passed + [0] * self.judge_alone + [0] * self.both_failed + [1] * self.people_alone
        return cohens_kappa(judge, people)

    def as_json(self) -> dict[str, Any]:
        """Its values by name."""
        return {
            "number": self.number,
            "agreed": _rate(self.agreed, self.number),
            "constant": self.constant / self.number if self.number else None,
            "sensitivity": _rate(*self.sensitivity),
            "specificity": _rate(*self.specificity),
            "kappa": self.kappa,
            "both_passed": self.both_passed,
            "both_failed": self.both_failed,
            "judge_alone": self.judge_alone,
            "people_alone": self.people_alone,
        }


def _rate(number: int, of: int) -> dict[str, Any]:
    low, high = interval(number, of) or (None, None)
    return {"number": number, "of": of, "rate": number / of if of else None, "ci_low": low, "ci_high": high}


def interval(number: int, of: int) -> Interval | None:
    """The Wilson interval of a share."""
    return wilson(number, of)


def agreement(rows: Iterable[ReviewRow]) -> Agreement:
    """Judge and people over the answers that people hold to be right or wrong; where people differ, most of them decide."""
    votes: dict[int, list[ReviewRow]] = {}
    for row in rows:
        if not row.stale and row.own_verdict is not None and row.status in ("passed", "failed"):
            votes.setdefault(row.result_id, []).append(row)
    counts: Counter[tuple[str, str]] = Counter()
    for said in votes.values():
        passed = sum(1 if row.own_verdict == "passed" else -1 for row in said)
        if passed:
            counts[said[0].status, "passed" if passed > 0 else "failed"] += 1
    return Agreement(
        both_passed=counts["passed", "passed"],
        both_failed=counts["failed", "failed"],
        judge_alone=counts["passed", "failed"],
        people_alone=counts["failed", "passed"],
    )


def by_label(rows: Iterable[ReviewRow]) -> dict[str, Agreement]:
    """The same over the answers that have each label."""
    rows = list(rows)
    labelled: dict[str, set[int]] = {}
    for row in rows:
        if row.label and not row.stale:
            labelled.setdefault(row.label, set()).add(row.result_id)
    return {label: agreement(row for row in rows if row.result_id in ids) for label, ids in sorted(labelled.items())}


def between_people(rows: Iterable[ReviewRow]) -> dict[tuple[str, str], tuple[int, int, float | None]]:
    """For each two people who read the same answers: on how many they agree, of how many, and their κ."""
    by_author: dict[str, dict[int, str]] = {}
    for row in rows:
        if not row.stale and row.own_verdict is not None:
            by_author.setdefault(row.author, {})[row.result_id] = row.own_verdict
    found: dict[tuple[str, str], tuple[int, int, float | None]] = {}
    for first, second in combinations(sorted(by_author), 2):
        both = sorted(by_author[first].keys() & by_author[second].keys())
        if both:
            left, right = ([by_author[who][id_] for id_ in both] for who in (first, second))
            same = sum(a == b for a, b in zip(left, right, strict=True))
            found[first, second] = same, len(both), cohens_kappa(left, right)
    return found
