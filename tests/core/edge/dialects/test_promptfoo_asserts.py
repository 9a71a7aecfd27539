"""promptfoo's assertions as items and gates of a rubric."""

from __future__ import annotations

from typing import Any

from modex.core.edge.dialects.promptfoo_asserts import from_column, rubric_of
from tests.rows import each_row


def _of(*asserts: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]:
    found = rubric_of(list(asserts), lambda text: text.replace("{{x}}", "7"))
    return found.items, found.gates, found.lost


def _item(name: str, says: str, pattern: str | None = None, **more: Any) -> dict[str, Any]:
    rule = {} if pattern is None else {"regex": pattern}
    return {"id": name, "says": says, **rule, "required": True, **more}


def _gate(name: str, says: str, pattern: str) -> dict[str, Any]:
    return {"id": name, "says": says, "regex": pattern, "as_written": True, "judged": False}


@each_row(
    ("given", "items", "gates", "lost"),
    [
        ({"type": "contains", "value": "{{x}}.", "weight": 2}, [_item("a1", "Contains '7.'.", r"(?-i:7\.)", points=2)], [], 0),
        ({"type": "contains", "value": 7, "weight": 0}, [_item("a1", "Contains '7'.", "(?-i:7)")], [], 0),
        ({"type": "contains", "value": "a", "weight": "2"}, [_item("a1", "Contains 'a'.", "(?-i:a)")], [], 0),
        ({"type": "icontains", "value": "a."}, [_item("a1", "Contains 'a.' in any case.", r"a\.")], [], 0),
        ({"type": "starts-with", "value": "a"}, [_item("a1", "Begins with 'a'.", r"\A(?-i:a)")], [], 0),
        ({"type": "equals", "value": "a"}, [_item("a1", "Is exactly 'a'.", r"(?s)\A\s*(?-i:a)\s*\Z")], [], 0),
        ({"type": "equals", "value": {"a": 1}}, [], [], 1),
        ({"type": "equals", "value": [1]}, [], [], 1),
        ({"type": "regex", "value": "a+"}, [_item("a1", "Matches /a+/.", "(?-i:a+)")], [], 0),
        ({"type": "regex", "value": "("}, [], [], 1),
        ({"type": "regex", "value": ""}, [], [], 1),
        ({"type": "contains-all", "value": ["a", "{{x}}"]},
         [_item("a1_1", "Contains all of a, 7.", "(?-i:a)"), _item("a1_2", "Contains all of a, 7.", "(?-i:7)")], [], 0),
        ({"type": "icontains-all", "value": 'a, "b, c",'},
         [_item("a1_1", "Contains all of a, b, c.", "a"), _item("a1_2", "Contains all of a, b, c.", r"b,\ c")], [], 0),
        ({"type": "icontains-any", "value": ["a", "b"]}, [_item("a1", "Contains one of a, b.", "a|b")], [], 0),
        ({"type": "contains-any", "value": []}, [], [], 1),
        ({"type": "contains-all", "value": ""}, [], [], 1),
        ({"type": "not-contains", "value": "a"}, [], [_gate("a1", "Contains 'a'.", "(?-i:a)")], 0),
        ({"type": "not-icontains-all", "value": ["a", "b"]}, [],
         [_gate("a1", "Contains all of a, b.", r"(?s)\A(?=.*?(?:a))(?=.*?(?:b)).")], 0),
        ({"type": "llm-rubric", "value": "is kind"}, [_item("a1", "is kind")], [], 0),
        ({"type": "not-llm-rubric", "value": "is rude"}, [], [{"id": "a1", "says": "is rude"}], 0),
        ({"type": "g-eval", "value": ["a", "b"]}, [_item("a1_1", "a"), _item("a1_2", "b")], [], 0),
        ({"type": "factuality", "value": "f"},
         [_item("a1", "Agrees in its facts with this and contradicts none of it: f")], [], 0),
        ({"type": "contains", "value": "file://x"}, [], [], 1),
        ({"type": "javascript", "value": "x"}, [], [], 1),
        ({"type": "unheard"}, [], [], 1),
        ({"value": "x"}, [], [], 1),
        ({"type": 3}, [], [], 1),
        ("odd", [], [], 1),
    ],
)  # fmt: skip
def test_an_assertion_is_an_item_or_denied_a_gate_or_lost(
    given: Any, items: list[Any], gates: list[Any], lost: int
) -> None:
    found = _of(given)
    assert (found[0], found[1], len(found[2])) == (items, gates, lost)


def test_a_schema_is_lost_and_that_it_is_json_is_carried_over() -> None:
    items, _, lost = _of({"type": "is-json", "value": {"type": "object"}})
    assert (len(items), lost) == (1, ["is-json: its schema (that it is JSON is carried over)"])
    for value in (None, ""):
        assert _of({"type": "is-json", "value": value})[2] == []


def test_what_is_lost_says_why() -> None:
    lost = _of({"type": "similar"}, {"type": "unheard"}, {}, {"type": "contains", "value": f"file://{'x' * 80}"})[2]
    assert lost == [
        "similar: it needs an embedding model", "unheard: nothing here decides it", "an assertion without a type",
        f"contains: its value stands in another file (file://{'x' * 73})",
    ]  # fmt: skip


def test_sets_are_counted_through_and_what_has_no_assertion_has_no_rubric() -> None:
    items, _, _ = _of(
        {"type": "assert-set", "assert": [{"type": "contains", "value": "a"}]}, {"type": "contains", "value": "b"}
    )
    assert [item["id"] for item in items] == ["a1", "a2"]
    assert rubric_of(None, str).expected is None
    only_denied = rubric_of([{"type": "not-contains", "value": "a"}], str).expected
    assert only_denied is not None
    assert (only_denied["items"], len(only_denied["gates"])) == (
        [{"id": "said", "says": "Says something.", "regex": r"\S"}],
        1,
    )
    asked = rubric_of([{"type": "contains", "value": "a"}], str).expected
    assert asked is not None
    assert list(asked) == ["items"]


@each_row(
    ("cell", "kind", "value"),
    [
        ("icontains: x: y", "icontains", "x: y"), (" not-regex : a\nb", "not-regex", "a\nb"), ("is-json", "is-json", None),
        (" contains-json ", "contains-json", None), ("plain: text", "equals", "plain: text"), ("42", "equals", "42"),
        ("fn: x", "javascript", "x"), ("grade: kind", "llm-rubric", "kind"), ("contains-any(0.5): a,b", "contains-any", "a,b"),
        ("similar(0.8): x", "similar", "x"), ("contains", "equals", "contains"),
    ],
)  # fmt: skip
def test_a_cell_of_a_table_names_an_assertion_or_is_what_to_equal(cell: str, kind: str, value: str | None) -> None:
    assert from_column(cell) == {"type": kind, **({} if value is None else {"value": value})}
