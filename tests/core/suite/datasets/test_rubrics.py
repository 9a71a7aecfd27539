"""Rubrics in words of several datasets."""

from __future__ import annotations

from typing import Any

from modex.core.suite.datasets.rubrics import group_of, rubric_of
from tests.rows import each_row


def _item(number: int, says: str, points: float = 1, group: str = "answer") -> dict[str, Any]:
    return {"id": f"item_{number}", "says": says, "points": points, "group": group}


@each_row(
    ("value", "items"),
    [
        ([{"criterion": " a ", "points": 2, "target": "tool use"}, {"text": "b"}], [_item(1, "a", 2, "tool_use"), _item(2, "b")]),
        ({"items": [{"says": "a", "criterion": " "}]}, [_item(1, "a")]),
        ([{"says": "a", "points": 0, "weight": 0.5}], [_item(1, "a", 0.5)]),
        ([{"says": "a", "points": True, "score": "2"}], [_item(1, "a")]),
        ([{"says": "a", "target": 3, "type": "Reasoning"}], [_item(1, "a", group="reasoning")]),
        ([{"says": "a"}, {"points": 1}], None), ([{"says": "a"}, "b"], None), ([], None), ({"items": {}}, None), ("a", None),
        ({}, None), (None, None),
    ],
)  # fmt: skip
def test_a_rubric_is_read_where_every_item_says_something(value: Any, items: list[dict[str, Any]] | None) -> None:
    assert rubric_of(value) == (None if items is None else {"items": items})


@each_row(
    ("target", "group"),
    [("Tool-Use", "tool_use"), ("reasoning", "reasoning"), ("the process", "reasoning"), ("step_2", "reasoning"),
     ("answer", "answer"), ("style", "answer"), ("tool reasoning", "tool_use")],
)  # fmt: skip
def test_a_target_is_one_of_three(target: str, group: str) -> None:
    assert group_of(target) == group
