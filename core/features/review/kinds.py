"""Kinds of failure counted: labels over the answers read, by domain, level and model, and whether more reading finds more.

Only reviews of answers as they stand count. An answer that several people read is one answer; it has a label where any of
them gave it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.features.review.query import ReviewRow
from modex.core.statistics.intervals import Interval, wilson

Group = Callable[[ReviewRow], str]
GROUPS: dict[str, Group] = {
    "domain": lambda row: row.domain,
    "level": lambda row: str(row.level),
    "model": lambda row: row.model,
}
"""By what labels are counted, beside over all."""


@dataclass(frozen=True, slots=True)
class LabelledShare:
    """How many of the answers read have a label."""

    label: str
    number: int
    read: int
    interval: Interval | None
    """Of the share."""

    @property
    def share(self) -> float:
        """`number` of `read`."""
        return self.number / self.read if self.read else 0.0

    def as_json(self) -> dict[str, Any]:
        """Its values by name."""
        low, high = self.interval or (None, None)
        return {
            "label": self.label,
            "number": self.number,
            "read": self.read,
            "share": self.share,
            "ci_low": low,
            "ci_high": high,
        }


@dataclass(frozen=True, slots=True)
class Kinds:
    """What labels say of a set of runs."""

    read: int
    """Answers that somebody said something of."""
    labelled: int
    stale: int
    """Reviews of answers that are other ones now; they count for nothing."""
    shares: tuple[LabelledShare, ...]
    """The most frequent label first."""
    groups: dict[str, dict[str, tuple[LabelledShare, ...]]]
    """By `GROUPS`, then by the group's value."""
    curve: tuple[int, ...]
    """How many labels were known after each answer, in the order of reading."""

    @property
    def since_new(self) -> int:
        """How many answers were read since one brought a label that was not known."""
        return sum(1 for known in self.curve if known == self.curve[-1]) - 1 if self.curve and self.curve[-1] else 0

    @property
    def saturation(self) -> str:
        """What the curve says, in a sentence."""
        if not self.curve or not self.curve[-1]:
            return "no label was given yet"
        since, kinds = self.since_new, self.curve[-1]
        known = f"{kinds} kind{'s' if kinds != 1 else ''} in {self.read} read"
        if since == 0:
            return f"{known}; the last one read brought a new kind"
        return f"{known}; the last {since} read brought no new kind"


def count_kinds(rows: Iterable[ReviewRow]) -> Kinds:
    """Count the labels of reviews."""
    rows = list(rows)
    current = [row for row in rows if not row.stale]
    by_answer: dict[int, list[ReviewRow]] = {}
    for row in current:
        by_answer.setdefault(row.result_id, []).append(row)
    answers = [(said[0], frozenset(_labels(said))) for said in by_answer.values()]
    groups = {}
    for name, of in GROUPS.items():
        values: dict[str, list[frozenset[str]]] = {}
        for first, labels in answers:
            values.setdefault(of(first), []).append(labels)
        groups[name] = {value: _shares(found) for value, found in sorted(values.items())}
    return Kinds(
        read=len(answers),
        labelled=sum(1 for _, labels in answers if labels),
        stale=len(rows) - len(current),
        shares=_shares([labels for _, labels in answers]),
        groups=groups,
        curve=_curve(current),
    )


def _labels(rows: Iterable[ReviewRow]) -> Iterable[str]:
    return (row.label for row in rows if row.label)


def _shares(answers: Sequence[frozenset[str]]) -> tuple[LabelledShare, ...]:
    counts = Counter(label for labels in answers for label in labels)
    read = len(answers)
    found = [LabelledShare(label, number, read, wilson(number, read)) for label, number in counts.items()]
    return tuple(sorted(found, key=lambda one: (-one.number, one.label.casefold())))


def _curve(rows: Sequence[ReviewRow]) -> tuple[int, ...]:
    known: set[str] = set()
    seen: set[int] = set()
    curve: list[int] = []
    for row in sorted(rows, key=lambda row: (row.created_at, row.id)):
        if row.label:
            known.add(row.label)
        if row.result_id in seen:
            curve[-1] = len(known)
            continue
        seen.add(row.result_id)
        curve.append(len(known))
    return tuple(curve)
