"""Are two results the same? Multisets of rows, in runs where the gold is ordered, with tolerance between numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from modex.core.jsonvalues.matching import same_number

Row = Sequence[Any]
ColumnRule = Literal["exact", "any_order", "superset"]
DEFAULT_TOLERANCE = 1e-6
_REL_TOLERANCE = 1e-12
_MAX_STEPS = 5000
_MAX_PAIRED = 400


@dataclass(frozen=True, slots=True)
class RowsComparison:
    """`why` names the first difference; `mapping` is the got column behind each gold column."""

    equal: bool
    why: str = ""
    mapping: tuple[int, ...] = ()


def compare_results(
    gold: Sequence[Row],
    got: Sequence[Row],
    gold_width: int,
    got_width: int,
    *,
    columns: ColumnRule = "exact",
    tolerance: float = DEFAULT_TOLERANCE,
    runs: Sequence[int] | None = None,
) -> RowsComparison:
    """Compare rows of `gold_width` and `got_width` columns.

    `runs` are the lengths of the gold's stretches of equal sort keys, in order, where the order counts: rows within a
    stretch may swap. None where order does not count.
    """
    if got_width < gold_width or (columns != "superset" and got_width != gold_width):
        return RowsComparison(False, f"{_count(got_width, 'column')} instead of {gold_width}")
    if len(gold) != len(got):
        return RowsComparison(False, f"{_count(len(got), 'row')} instead of {len(gold)}")
    mappings = (
        _mappings(gold, got, gold_width, got_width, tolerance) if columns != "exact" else [tuple(range(gold_width))]
    )
    first = RowsComparison(False, "no choice of columns gives the expected values")
    for mapping in mappings:
        in_place = mapping == tuple(range(got_width))
        picked = got if in_place else [[row[column] for column in mapping] for row in got]
        why = _difference(gold, picked, tolerance, runs)
        if why is None:
            return RowsComparison(True, mapping=mapping)
        if not first.mapping:
            first = RowsComparison(False, why, mapping)
    return first


def _difference(gold: Sequence[Row], got: Sequence[Row], tolerance: float, runs: Sequence[int] | None) -> str | None:
    """What differs first, or None."""
    # Most right answers are right row by row, and then neither pairing nor the order is in question.
    if all(tuple(one) == tuple(other) for one, other in zip(gold, got, strict=True)):
        return None
    missing, surplus = _unmatched(gold, got, tolerance)
    if missing:  # of as many rows, as many are surplus
        return f"expected {_shown(missing[0])}, got {_shown(surplus[0])}"
    if runs is None:
        return None
    at = 0
    for length in runs:
        wanted, found = gold[at : at + length], got[at : at + length]
        missing, surplus = _unmatched(wanted, found, tolerance)
        if missing:
            row = at + found.index(surplus[0]) + 1
            return f"the right rows in another order: {_shown(surplus[0])} at row {row} instead of {_shown(missing[0])}"
        at += length
    return None


def _unmatched(gold: Sequence[Row], got: Sequence[Row], tolerance: float) -> tuple[list[Row], list[Row]]:
    """The rows of either side without a partner; equal ones are paired first, then near ones as well as can be."""
    left = _without(gold, Counter(_key(row) for row in got))
    right = _without(got, Counter(_key(row) for row in gold))
    if not left or not right or len(left) > _MAX_PAIRED:
        return left, right
    partner: dict[int, int] = {}
    lonely = [left[row] for row in range(len(left)) if not _find_partner(row, left, right, tolerance, partner)]
    return lonely, [row for number, row in enumerate(right) if number not in partner]


def _find_partner(row: int, left: list[Row], right: list[Row], tolerance: float, partner: dict[int, int]) -> bool:
    """Give `row` a partner by an augmenting path, iteratively; `partner` is right → left."""
    came_from: dict[int, int] = {}
    queue = [row]
    for here in queue:
        for other in range(len(right)):
            if other in came_from or not _rows_equal(left[here], right[other], tolerance):
                continue
            came_from[other] = here
            if other in partner:
                queue.append(partner[other])
                continue
            previous = {owner: taken for taken, owner in partner.items()}
            step: int | None = other
            while step is not None:
                owner = came_from[step]
                partner[step] = owner
                step = previous.get(owner) if owner != row else None
            return True
    return False


def _without(rows: Sequence[Row], available: Counter[tuple[Any, ...]]) -> list[Row]:
    rest = []
    for row in rows:
        key = _key(row)
        if available[key]:
            available[key] -= 1
        else:
            rest.append(row)
    return rest


def _rows_equal(left: Row, right: Row, tolerance: float) -> bool:
    return all(values_equal(one, other, tolerance) for one, other in zip(left, right, strict=True))


def values_equal(left: Any, right: Any, tolerance: float = DEFAULT_TOLERANCE) -> bool:
    """Whole numbers exactly, whatever their size; floats within tolerance; NULL only with NULL, a text never with a number."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        return same_number(left, right, tolerance, _REL_TOLERANCE)
    return bool(left == right)


def _key(row: Row) -> tuple[Any, ...]:
    """Equal for equal rows; the type is in it, so that '1' is not 1."""
    return tuple(("n", v) if isinstance(v, int | float) else (type(v).__name__, v) for v in row)


def _mappings(
    gold: Sequence[Row], got: Sequence[Row], gold_width: int, got_width: int, tolerance: float
) -> list[tuple[int, ...]]:
    """Which got columns can stand for the gold's, the least moved first; each has the right values as a multiset."""

    def column(rows: Sequence[Row], number: int) -> list[Row]:
        return [[row[number]] for row in rows]

    fitting: list[list[int]] = []
    for wanted in range(gold_width):
        values = column(gold, wanted)
        order = sorted(range(got_width), key=lambda number, wanted=wanted: (number != wanted, number))  # type: ignore[misc]
        fitting.append([n for n in order if not _unmatched(values, column(got, n), tolerance)[0]])
    found: list[tuple[int, ...]] = []
    stack: list[tuple[int, ...]] = [()]
    steps = 0
    while stack and steps < _MAX_STEPS and len(found) < 200:
        chosen = stack.pop()
        steps += 1
        if len(chosen) == gold_width:
            found.append(chosen)
            continue
        stack.extend((*chosen, number) for number in reversed(fitting[len(chosen)]) if number not in chosen)
    return found


def _shown(row: Row) -> str:
    text = repr(tuple(row))
    return text if len(text) <= 200 else f"{text[:200]}…"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
