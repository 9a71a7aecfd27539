"""CAIA's rubrics in the form of ours: items with points, each for the answer, the reasoning or the use of tools."""

from __future__ import annotations

import re
from typing import Any

GROUPS = ("answer", "reasoning", "tool_use")
"""What an item looks at."""
_SAYS = ("criterion", "criteria", "says", "description", "requirement", "content", "text", "item", "name")
_POINTS = ("points", "score", "weight", "max_score")
_TARGET = ("target", "type", "dimension", "category", "aspect")


def rubric_of(value: Any) -> dict[str, Any] | None:
    """The rubric that a row's `evaluate` (or its `items`) says; None where it is none.

    A target that is neither of the three is the answer's.
    """
    items = value.get("items") if isinstance(value, dict) else value
    if not isinstance(items, list) or not items or not all(isinstance(item, dict) for item in items):
        return None
    found = []
    for number, item in enumerate(items, 1):
        says = next(
            (str(item[key]).strip() for key in _SAYS if isinstance(item.get(key), str) and item[key].strip()), ""
        )
        if not says:
            return None
        points = next((item[key] for key in _POINTS if _is_points(item.get(key))), 1)
        target = next((str(item[key]) for key in _TARGET if isinstance(item.get(key), str)), "answer")
        found.append({"id": f"item_{number}", "says": says, "points": points, "group": group_of(target)})
    return {"items": found}


def group_of(target: str) -> str:
    """Which of the three a target's name means."""
    word = re.sub(r"[\W_]+", "", target.casefold())
    if "tool" in word:
        return "tool_use"
    return "reasoning" if "reason" in word or "process" in word or "step" in word else "answer"


def _is_points(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
