"""Rubrics in words of several datasets."""

from __future__ import annotations

from collections import Counter
from typing import Any

from modex.core.suite.datasets.rubrics import counted_keys, group_of, is_rubric, rubric_notes, rubric_of
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
        ([{"says": "a", "target": " ", "group": "tool_use"}], [_item(1, "a", group="tool_use")]),
        ([{"says": "a", "type": "style"}], [_item(1, "a")]), ([{"says": "a", "target": "Final Answer"}], [_item(1, "a")]),
        ([{"says": "a", "points": 2}, {"says": "b", "points": 1.5, "target": "FOO"}], [_item(1, "a", 2)]),
        ([{"says": "a", "target": "FOO"}, {"says": "b", "points": 0}], None),
        ([{"says": "a"}, {"points": 1}], None), ([{"says": "a"}, "b"], None), ([], None), ({"items": {}}, None), ("a", None),
        ({}, None), (None, None), (["a"], None), ({"value": "a"}, None), ({"rows": [{"says": "a"}]}, None),
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


def test_what_a_rubric_says_otherwise_is_said_with_its_task_and_item() -> None:
    sound = {
        "items": [
            {"criteria": "a", "target": "ANSWER", "step": 1},
            {"criteria": "b", "target": "TOOL_USE", "id": "x"},
            {"criteria": "c"},
        ]
    }
    assert rubric_notes([("a", sound), ("b", None), ("c", "Paris"), ("d", []), ("e", ["x"])]) == []
    odd = {"items": [{"criteria": "a"}, {"criteria": "b", "target": "FOO"}, {"criteria": "c", "points": 0}]}
    more = {"items": [{"criteria": "a", "type": "style", "mood": "x"}], "hint": "y", "hints": []}
    assert rubric_notes([("t1", odd), ("t2", {"items": [{"points": 10}]}), ("t3", odd), ("t4", more)]) == [
        "rubrics that cannot be read: 1 (t2: item 1 says nothing); their tasks are asked and not judged",
        "items of 0 points: 2 (t1 item 3, t3 item 3), left out, since they can earn nothing",
        "items for FOO: 2 (t1 item 2, t3 item 2), left out, since nobody judges them there: they are for none of answer, "
        "reasoning and tool use",
        "items for style belong to the answer",
        "not read in rubrics: `mood` (1), `hint` (1)",
    ]


@each_row(
    ("value", "why"),
    [
        ([{"criteria": "a"}, "b"], "item 2 is no object"),
        ({"items": []}, "it has no items"),
        ({"v": 1}, "it has no items"),
        ([{"criteria": "a", "points": -2}], "the points of item 1 are no number of 0 or more"),
        ([{"criteria": "a", "target": "FOO"}], "no item of it can earn points"),
        ([{"criteria": "a", "points": 0}], "no item of it can earn points"),
    ],
)
def test_why_a_rubric_cannot_be_read_is_told(value: Any, why: str) -> None:
    (note, *_) = rubric_notes([("t", value)])
    assert note == f"rubrics that cannot be read: 1 (t: {why}); their tasks are asked and not judged"


def test_six_are_named_and_the_others_counted() -> None:
    (note,) = rubric_notes([(f"t{n}", {"items": []}) for n in range(8)])
    assert "t5: it has no items and 2 more)" in note
    assert "t6" not in note
    assert counted_keys(Counter(dict.fromkeys("abcdefghijklmn", 1))).endswith("`l` (1) and 2 more")
    assert counted_keys(Counter(a=1, b=2000)) == "`b` (2,000), `a` (1)"


def test_what_has_the_form_of_a_rubric_is_known() -> None:
    values: tuple[Any, ...] = ({"items": [{}]}, [{}], [{}, "a"], {"items": []}, {"v": 1})
    assert all(is_rubric(value) for value in values)
    assert not any(is_rubric(value) for value in (["a"], [], "a", None, {"value": ["a"]}, 4))
