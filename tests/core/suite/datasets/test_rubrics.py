"""Rubrics in words of several datasets."""

from __future__ import annotations

from typing import Any

from modex.core.suite.datasets.rubrics import group_of, is_rubric, rubric_notes, rubric_of
from tests.rows import each_row


def _item(number: int, says: str, points: float = 1, group: str = "answer") -> dict[str, Any]:
    return {"id": f"item_{number}", "says": says, "points": points, "group": group}


@each_row(
    ("value", "items"),
    [
        ([{"criterion": " a ", "points": 2, "target": "tool use"}, {"text": "b"}], [_item(1, "a", 2, "tool_use"), _item(2, "b")]),
        ({"items": [{"says": "a", "criterion": " "}]}, [_item(1, "a")]),
        ([{"says": "a", "points": 0, "weight": 0.5}], [_item(1, "a", 0.5)]),
        ([{"says": "a", "points": True, "score": "2"}], [_item(1, "a", 2)]),
        ([{"says": "a", "points": "3"}], [_item(1, "a", 3)]), ([{"says": "a", "points": "2.5"}], [_item(1, "a", 2.5)]),
        ([{"says": "a", "points": 0}, {"says": "b", "points": 9}], [_item(2, "b", 9)]), ([{"says": "a", "points": 0}], None),
        ([{"says": "a", "points": -2}, {"says": "b"}], None), ([{"says": "a", "points": "many"}], None),
        ([{"says": "a", "points": True}], [_item(1, "a")]), ([{"says": "a", "points": None}], [_item(1, "a")]),
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


def test_what_a_rubric_says_otherwise_is_said() -> None:
    sound = {
        "items": [{"criteria": "a", "target": "ANSWER"}, {"criteria": "b", "target": "TOOL_USE"}, {"criteria": "c"}]
    }
    assert rubric_notes([sound, None, "Paris", [], {"items": None}]) == []
    odd = {"items": [{"criteria": "a", "target": "FOO", "points": 4}, {"criteria": "b", "points": 0}]}
    assert rubric_notes([odd, odd, {"items": [{"points": 10}]}]) == [
        "rubrics that cannot be read: 1, since an item says nothing or its points are no number above 0; "
        "their tasks are asked and not judged",
        "items of 0 points: 2, left out, since they can earn nothing",
        "items for FOO belong to the answer",
    ]


def test_what_has_the_form_of_a_rubric_is_known() -> None:
    values: tuple[Any, ...] = ({"items": [{}]}, [{}], ["a"], [], "a", {"items": []}, None)
    assert [is_rubric(value) for value in values] == [True, True, False, False, False, False, False]
