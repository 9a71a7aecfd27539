"""CAIA's rubrics in the form of ours: items with points, each for the answer, the reasoning or the use of tools."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

GROUPS = ("answer", "reasoning", "tool_use")
"""What an item looks at."""
_SAYS = ("criterion", "criteria", "says", "description", "requirement", "content", "text", "item", "name")
_POINTS = ("points", "score", "weight", "max_score")
_DECIMAL = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?")
_TARGET = ("target", "type", "dimension", "category", "aspect")


def rubric_of(value: Any) -> dict[str, Any] | None:
    """The rubric that a row's `evaluate` (or its `items`) says; None where it is none, or an item of it cannot be read.

    A target that is neither of the three is the answer's. An item of 0 points can earn nothing, and is left out.
    """
    items = _items(value)
    if items is None:
        return None
    found = []
    for number, item in enumerate(items, 1):
        says = next(
            (str(item[key]).strip() for key in _SAYS if isinstance(item.get(key), str) and item[key].strip()), ""
        )
        points = _points(item)
        if not says or points is None:
            return None
        if points > 0:
            found.append({"id": f"item_{number}", "says": says, "points": points, "group": group_of(_target(item))})
    return {"items": found} if found else None


def is_rubric(value: Any) -> bool:
    """Whether a row's value has the form of a rubric, though perhaps it cannot be read."""
    return _items(value) is not None


def rubric_notes(values: Sequence[Any]) -> list[str]:
    """What is read of these rubrics in another way than they say it, or not at all; in sentences."""
    rubrics = [items for value in values if (items := _items(value)) is not None]
    unread = sum(rubric_of(items) is None for items in rubrics)
    without = sum(_points(item) == 0 for items in rubrics for item in items)
    others = sorted({target for items in rubrics for item in items if not _is_group(target := _target(item))})
    notes = []
    if unread:
        notes.append(
            f"rubrics that cannot be read: {unread:,}, since an item says nothing or its points are no number above 0; "
            "their tasks are asked and not judged"
        )
    if without:
        notes.append(f"items of 0 points: {without:,}, left out, since they can earn nothing")
    if others:
        notes.append(f"items for {', '.join(one[:40] for one in others[:6])} belong to the answer")
    return notes


def _items(value: Any) -> list[dict[str, Any]] | None:
    items = value.get("items") if isinstance(value, dict) else value
    return items if isinstance(items, list) and items and all(isinstance(item, dict) for item in items) else None


def _target(item: dict[str, Any]) -> str:
    return next((str(item[key]) for key in _TARGET if isinstance(item.get(key), str)), "answer")


def _points(item: dict[str, Any]) -> float | None:
    """The points of an item: 1 where it names none, None where what it names is no number of points."""
    given = [_number(item[key]) for key in _POINTS if item.get(key) is not None and item[key] is not True]
    return (
        next((points for points in given if points is not None and points > 0), 0 if 0 in given else None)
        if given
        else 1
    )


def group_of(target: str) -> str:
    """Which of the three a target's name means."""
    word = re.sub(r"[\W_]+", "", target.casefold())
    if "tool" in word:
        return "tool_use"
    return "reasoning" if "reason" in word or "process" in word or "step" in word else "answer"


def _is_group(target: str) -> bool:
    return group_of(target) != "answer" or "answer" in target.casefold()


def _number(value: Any) -> float | None:
    """A number, also one that is written as a text."""
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        value = float(value)
        return int(value) if value.is_integer() else value
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
