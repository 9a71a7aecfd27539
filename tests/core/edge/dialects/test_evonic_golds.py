"""evonic's expected values, form by form."""

from __future__ import annotations

from typing import Any

from modex.core.edge.dialects.evonic_golds import gold
from modex.core.suite.dialects import Context
from tests.rows import each_row

_ENGLISH, _INDONESIAN = "How many are there?", "Berapa jumlahnya?"


def _under(evaluator: str, **more: Any) -> Context:
    """A test's context that says nothing but its evaluator."""
    nothing = {"evaluator_type": "", "evaluator_config": {}, "parameters": {}, "stem": "", "level": 1, "fixture": ""}
    return Context(**{"evaluator_id": evaluator, **nothing, **more})


def _expected(evaluator: str, expected: Any, prompt: str = _ENGLISH, **context: Any) -> Any:
    found = gold(expected, _under(evaluator, **context), prompt, {"f": {"properties": {"a": {}, "b": {}}}})
    return found.unusable.partition(":")[0].split(" that")[0] or found.expected


@each_row(
    ("expected", "prompt", "said"),
    [
        ({"answer": 4, "type": "Integer"}, _ENGLISH, {"type": "numeric", "value": 4, "tolerance": 0.01}),
        ({"answer": 4, "tolerance": 0}, _ENGLISH, {"type": "numeric", "value": 4, "tolerance": 0}),
        (4, _INDONESIAN, {"type": "numeric", "value": 4, "tolerance": 0.01, "locale": "id"}),
        (4, "Harga Rp 5000", {"type": "numeric", "value": 4, "tolerance": 0.01, "locale": "id"}),
        (4, "yangtze", {"type": "numeric", "value": 4, "tolerance": 0.01}),
        (True, _ENGLISH, {"type": "boolean", "value": True}),
        (True, _INDONESIAN, {"type": "boolean", "value": True, "locale": "id"}),
        ("Tidak", _INDONESIAN, {"type": "boolean", "value": "Tidak"}),
        ({"answer": "yes"}, _ENGLISH, {"type": "boolean", "value": "yes"}),
        ({"answer": "ya", "type": "yes_no"}, _INDONESIAN, {"type": "boolean", "value": "ya"}),
        ({"answer": "2020-01-02", "type": "date"}, _INDONESIAN, {"type": "date", "value": "2020-01-02", "locale": "id"}),
        ({"answer": "seven", "type": "number"}, _ENGLISH, {"type": "exact_match", "value": "seven"}),
        ({"answer": "7 m", "type": "number"}, _ENGLISH, {"type": "numeric", "value": "7 m", "tolerance": 0.01}),
        ("x" * 60, _INDONESIAN, {"type": "exact_match", "value": "x" * 60}),
        ("x" * 61, _ENGLISH, {"type": "text", "value": "x" * 61}),
        ([1, 2.5], _ENGLISH, {"type": "numeric", "value": [1, 2.5], "gold": "parts", "ordered": True, "tolerance": 0.01}),
        ([1, "b"], _ENGLISH, {"type": "exact_match", "value": [1, "b"], "gold": "parts", "ordered": True}),
        ({"answer": "x", "type": "song"}, _ENGLISH, {"type": "exact_match", "value": "x"}),
        ({"keywords": ["a", 1]}, _ENGLISH, {"type": "text", "value": "a; 1"}),
        ({"value": 3}, _ENGLISH, None),
        ({"keywords": []}, _ENGLISH, "no gold"),
        ({}, _ENGLISH, "no gold"),
        ("", _ENGLISH, "no gold"), (None, _ENGLISH, "no gold"), ([], _ENGLISH, "no gold"), ({"answer": {}}, _ENGLISH, "no gold"),
        (0, _ENGLISH, {"type": "numeric", "value": 0, "tolerance": 0.01}),
        ({"answer": {"a": 1}}, _ENGLISH, "no gold"),
    ],
)  # fmt: skip
def test_an_answer_has_evonics_type_else_that_of_its_own_form(expected: Any, prompt: str, said: Any) -> None:
    assert _expected("two_pass", expected, prompt) == said


def test_a_type_that_is_not_known_is_told_and_what_decides_nothing_is_kept_beside() -> None:
    found = gold({"answer": "x", "type": "song", "hint": 3, "tolerance": 1}, _under("two_pass"), "", {})
    assert (found.forms, found.notes) == (
        ("answer (exact_match)",),
        ("the answer type 'song' is read by the answer's own form",),
    )
    assert found.beside == {"hint": 3}
    known = gold({"answer": "x", "type": "word"}, _under("two_pass"), "", {})
    assert (known.notes, known.beside) == ((), {})
    assert gold({"hint": 3}, _under("two_pass"), "", {}).beside == {"hint": 3}


_ANY = {"any": ["a"], "prefix": True}


@each_row(
    ("expected", "said"),
    [
        (["a"], {"keywords": [_ANY]}),
        ("a", {"keywords": [_ANY]}),
        (
            {"keywords": ["a", {"any": ["b"]}], "min_words": 0, "x": 1},
            {"keywords": [_ANY, {"any": ["b"]}], "min_words": 0},
        ),
        ({"keywords": [], "answer": "a"}, {"keywords": [_ANY]}),
        ({"answer": ["a", "a"]}, {"keywords": [_ANY, _ANY]}),
        ({"answer": ""}, "no gold"),
        ({"answer": []}, "no gold"),
        ({"keywords": [{"any": ["b"]}, ["c"]]}, None),
        (None, "no gold"),
        (3, "no gold"),
    ],
)
def test_keywords_may_begin_a_word(expected: Any, said: Any) -> None:
    formula = {"formula": "mentions"} if isinstance(said, dict) else {}  # half of them is enough, as there
    assert _expected("keyword", expected) == ({**said, **formula} if isinstance(said, dict) else said)


@each_row(
    ("expected", "said", "notes", "beside"),
    [
        ({"query_type": "SELECT", "table": "", "required_columns": ["a"], "x": 1},
         {"query_type": "SELECT", "selects": ["a"]}, 0, {"x": 1}),
        ({"table": "t", "min_rows": 0, "max_rows": 2}, {"table": "t"}, 1, {"min_rows": 0, "max_rows": 2}),
        ({"min_rows": 3}, "no gold", 0, {"min_rows": 3}),
        ({"query": "SELECT 1", "table": "t"}, None, 0, {}),
        ({"fixture": "f"}, None, 0, {}),
        ("SELECT 1", None, 0, {}),
    ],
)  # fmt: skip
def test_of_a_query_its_parts_are_asked_for(expected: Any, said: Any, notes: int, beside: dict[str, Any]) -> None:
    assert _expected("sql_executor", expected) == said
    found = gold(expected, _under("sql_executor"), "", {})
    assert (len(found.notes), found.beside) == (notes, beside)


def _call(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **more}


@each_row(
    ("expected", "calls"),
    [
        (["f", "g"], [_call("f"), _call("g")]),
        ({"tool": "f", "args": {"a": 1}}, [_call("f", args={"a": 1}, partial=True)]),
        ({"tools": ["f"], "args": {"a": 1}}, [_call("f", args={"a": 1}, partial=True)]),
        ({"tools": ["f", "g"], "args": {"a": 1}}, [_call("f"), _call("g")]),
        (
            {"chain": [{"name": "f", "arguments": {"a": 1}}, {"tool": "g"}]},
            [_call("f", args={"a": 1}, partial=True), _call("g")],
        ),
        (
            {"tools_used": ["f"], "args": ["a", "x", 3]},
            [_call("f", args={"a": {"$any": True}}, partial=True, values=["x", 3])],
        ),
        ({"tool": "g", "args": ["a", 3]}, [_call("g", args={"a": {"$any": True}}, partial=True, values=[3])]),
        ({"tool": "f", "args": ["a"]}, [_call("f", args={"a": {"$any": True}}, partial=True)]),
        ({"tool": "f", "args": []}, [_call("f")]),
        ({"calls": []}, None),
        ({"no_call": True}, None),
        ({"tools": "f"}, "no gold"),
        ({"tools": []}, "no gold"),
        ({"tool": ""}, "no gold"),
        ("f", "no gold"),
        ({}, "no gold"),
    ],
)
def test_calls_are_wanted_by_name_with_the_arguments_that_are_named(expected: Any, calls: Any) -> None:
    said = {"calls": calls, "max_extra_calls": 50} if isinstance(calls, list) else calls
    if isinstance(expected, dict) and expected.get("chain") and isinstance(said, dict):
        said["order"] = "strict"  # in their order, as there
    assert _expected("tool_call", expected) == said


def test_of_calls_the_form_is_told_and_the_rest_kept_beside() -> None:
    found = gold({"tool": "f", "args": {"a": 1}, "x": 2}, _under("tool_call"), "", {})
    assert (found.forms, found.beside) == (("tool with args",), {"x": 2})
    assert gold(["f"], _under("tool_call"), "", {}).forms == ("tools",)
    assert gold({"x": 2}, _under("tool_call"), "", {}).beside == {"x": 2}


@each_row(
    ("expected", "by_pattern", "said"),
    [
        ({"answer": "a+", "value": "b", "type": "t"}, True, "(?s)a+"),
        ({"pattern": "a"}, False, "a"),
        ("a", False, "a"),
        (3, False, {"type": "numeric", "value": 3, "tolerance": 0.01}),
        (3, True, "(?s)3"),
        (True, False, True),
        ("", True, "no gold"),
        (None, False, ""),
        ({"x": 1}, False, ""),
        ({"x": 1}, True, "no gold"),
    ],
)
def test_a_pattern_stands_in_the_gold_where_the_evaluator_says_so(expected: Any, by_pattern: bool, said: Any) -> None:
    config = {"comparison": "use_expected_as_pattern"} if by_pattern else {}
    assert _expected("own", expected, evaluator_type="regex", evaluator_config=config) == said


def test_other_evaluators_take_what_stands_there() -> None:
    assert _expected("own", {"x": 1}) is None
