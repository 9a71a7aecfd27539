"""CAIA's rubrics in the form of ours: items with points, each for the answer, the reasoning or the use of tools."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

GROUPS = ("answer", "reasoning", "tool_use")
"""What an item looks at."""
_SAYS = ("criterion", "criteria", "says", "description", "requirement", "content", "text", "item", "name")
_POINTS = ("points", "score", "weight", "max_score")
_DECIMAL = re.compile(r"[+-]?\d{1,9}(?:\.\d{1,9})?")
_TARGET = ("target", "type", "dimension", "category", "aspect", "group")
_KNOWN = frozenset({*_SAYS, *_POINTS, *_TARGET, "id", "step"})
_NAMED = 6
"""Items and tasks that a note names."""


def rubric_of(value: Any) -> dict[str, Any] | None:
    """The rubric that a row's `evaluate` (or its `items`) says; None where it is none, or an item of it cannot be read.

    An item of 0 points can earn nothing, and one whose `target` is none of the three is judged by nobody there: both are
    left out. An item without a `target` is the answer's.
    """
    if not is_rubric(value) or next(_faults(value), None) is not None:
        return None
    return {
        "items": [
            {"id": f"item_{number}", "says": _says(item), "points": points, "group": group_of(_target(item))}
            for number, item in enumerate(_items(value), 1)
            if (points := _points(item)) and not _is_strange(item)
        ]
    }


def is_rubric(value: Any) -> bool:
    """Whether a row's value has the form of a rubric, though perhaps it cannot be read: no text, and no list of texts."""
    if isinstance(value, dict):
        return "value" not in value
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def rubric_notes(named: Sequence[tuple[str, Any]]) -> list[str]:
    """What is read of these rubrics in another way than they say it, or not at all; in sentences.

    Each value comes with how its task is called.
    """
    rubrics = [(name, value) for name, value in named if is_rubric(value)]
    items = [
        (f"{name} item {number}", item)
        for name, value in rubrics
        for number, item in enumerate(_items(value), 1)
        if isinstance(item, dict)
    ]
    unread = [f"{name}: {fault}" for name, value in rubrics if (fault := next(_faults(value), None)) is not None]
    without = [name for name, item in items if _points(item) == 0]
    strange = [name for name, item in items if _is_strange(item)]
    targets = sorted({_target(item) for _, item in items if _is_strange(item)})
    others = sorted({target for _, item in items if not _is_strange(item) and not _is_group(target := _target(item))})
    notes = []
    if unread:
        notes.append(
            f"rubrics that cannot be read: {len(unread):,} ({_first(unread)}); their tasks are asked and not judged"
        )
    if without:
        notes.append(f"items of 0 points: {len(without):,} ({_first(without)}), left out, since they can earn nothing")
    if strange:
        notes.append(
            f"items for {_first([one[:40] for one in targets])}: {len(strange):,} ({_first(strange)}), left out, since nobody "
            "judges them there: they are for none of answer, reasoning and tool use"
        )
    if others:
        notes.append(f"items for {_first([one[:40] for one in others])} belong to the answer")
    keys = Counter(key for _, item in items for key, found in item.items() if key not in _KNOWN and _holds(found))
    keys += Counter(
        key for _, value in rubrics if isinstance(value, dict)
        for key, found in value.items() if key != "items" and _holds(found)
    )  # fmt: skip
    return notes + ([f"not read in rubrics: {counted_keys(keys)}"] if keys else [])


def counted_keys(keys: Counter[str]) -> str:
    """Keys that are not read, with how often they hold something."""
    named = [f"`{key[:60]}` ({number:,})" for key, number in keys.most_common(2 * _NAMED)]
    return ", ".join(named) + (f" and {len(keys) - len(named):,} more" if len(keys) > len(named) else "")


def _first(words: Sequence[str]) -> str:
    return ", ".join(words[:_NAMED]) + (f" and {len(words) - _NAMED:,} more" if len(words) > _NAMED else "")


def _holds(value: Any) -> bool:
    return value not in (None, "", [], {})


def _items(value: Any) -> list[Any]:
    items = value.get("items") if isinstance(value, dict) else value
    return items if isinstance(items, list) else []


def _faults(value: Any) -> Iterator[str]:
    """Why a rubric cannot be read, an item at a time."""
    items = _items(value)
    if not items:
        yield "it has no items"
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            yield f"item {number} is no object"
        elif not _says(item):
            yield f"item {number} says nothing"
        elif _points(item) is None:
            yield f"the points of item {number} are no number of 0 or more"
    if items and not any(isinstance(item, dict) and _points(item) and not _is_strange(item) for item in items):
        yield "no item of it can earn points"


def _says(item: dict[str, Any]) -> str:
    return next((item[key].strip() for key in _SAYS if isinstance(item.get(key), str) and item[key].strip()), "")


def _target(item: dict[str, Any]) -> str:
    return next((item[key] for key in _TARGET if isinstance(item.get(key), str) and item[key].strip()), "answer")


def _is_strange(item: dict[str, Any]) -> bool:
    """Whether an item's own `target`, CAIA's word, names none of the three."""
    target = item.get("target")
    return isinstance(target, str) and bool(target.strip()) and not _is_group(target)


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
