"""Final answers, right and plausibly wrong, by what a test expects."""

from __future__ import annotations

from typing import Any

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.answers import final_answer
from modex.core.llm.demo.arguments import arguments_for, value_for
from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.prose import keyword_text
from tests.rows import each_row

GOOD_AND_BAD = {"metadata": {"good_answer": "Good.", "bad_answer": "Bad.", "wrong_queries": ["SELECT 9"]}}


@each_row(
    ("expected", "evaluator", "context", "answers"),
    [
        (
            "Oslo",
            "two_pass",
            {},
            [
                ("Oslo", False),
                ("none of these", False),
                ("the second one", False),
                ("the second one", False),
                ("the opposite", False),
                ("the opposite", False),
            ],
        ),
        (
            "Oslo",
            "two_pass",
            GOOD_AND_BAD,
            [("Good.", True), ("Bad.", True), ("Bad.", True), ("Bad.", True), ("Bad.", True), ("Bad.", True)],
        ),
        (
            "Oslo",
            "two_pass",
            {"metadata": {"good_answer": 3}},
            [
                ("Oslo", False),
                ("none of these", False),
                ("the second one", False),
                ("the second one", False),
                ("the opposite", False),
                ("the opposite", False),
            ],
        ),
        (
            "Oslo",
            "two_pass",
            {"metadata": "odd"},
            [
                ("Oslo", False),
                ("none of these", False),
                ("the second one", False),
                ("the second one", False),
                ("the opposite", False),
                ("the opposite", False),
            ],
        ),
        (
            "Oslo",
            "regex",
            {},
            [
                ("Oslo", True),
                ("none of these", True),
                ("the second one", True),
                ("the second one", True),
                ("the opposite", True),
                ("the opposite", True),
            ],
        ),
        (
            "^Os+lo$",
            "regex",
            {},
            [
                ("Oslo", True),
                ("none of these", True),
                ("the second one", True),
                ("the second one", True),
                ("the opposite", True),
                ("the opposite", True),
            ],
        ),
        (
            "a(?=b)c",
            "regex",
            {},
            [
                ("a(?=b)c", True),
                ("none of these", True),
                ("the second one", True),
                ("the second one", True),
                ("the opposite", True),
                ("the opposite", True),
            ],
        ),
        (
            "in 1234 ways",
            "regex",
            {},
            [
                ("in 1234 ways", True),
                ("in 1235 ways", True),
                ("in 1241 ways", True),
                ("in 1240 ways", True),
                ("in 1239 ways", True),
                ("in 1236 ways", True),
            ],
        ),
        ("B", "two_pass", {}, [("B", False), ("C", False), ("C", False), ("C", False), ("C", False), ("C", False)]),
        (
            "K",
            "two_pass",
            {},
            [
                ("K", False),
                ("none of these", False),
                ("the second one", False),
                ("the second one", False),
                ("the opposite", False),
                ("the opposite", False),
            ],
        ),
        (
            True,
            "two_pass",
            {},
            [("yes", False), ("no", False), ("no", False), ("no", False), ("no", False), ("no", False)],
        ),
        (
            False,
            "two_pass",
            {},
            [("no", False), ("yes", False), ("yes", False), ("yes", False), ("yes", False), ("yes", False)],
        ),
        (
            100,
            "two_pass",
            {},
            [("100", False), ("201", False), ("105", False), ("105", False), ("95", False), ("1003", False)],
        ),
        (0, "two_pass", {}, [("0", False), ("1", False), ("1", False), ("1", False), ("-1", False), ("3", False)]),
        (
            -61,
            "two_pass",
            {},
            [("-61", False), ("-121", False), ("-58", False), ("-58", False), ("-64", False), ("-607", False)],
        ),
        (
            2.5,
            "two_pass",
            {},
            [("2.5", False), ("6", False), ("3.5", False), ("3.5", False), ("1.5", False), ("28", False)],
        ),
        (4.0, "two_pass", {}, [("4.0", False), ("9", False), ("5", False), ("5", False), ("3", False), ("43", False)]),
        (
            123.456,
            "two_pass",
            {},
            [
                ("123.456", False),
                ("247.9", False),
                ("129.5", False),
                ("129.5", False),
                ("117.5", False),
                ("1238", False),
            ],
        ),
        (
            float("inf"),
            "two_pass",
            {},
            [("Infinity", False), ("1", False), ("1", False), ("1", False), ("-1", False), ("3", False)],
        ),
        (
            {"type": "numeric", "value": 2.5, "unit": "kg", "locale": "de"},
            "two_pass",
            {},
            [
                ("2,5 kg", False),
                ("6 kg", False),
                ("3.5 kg", False),
                ("3.5 kg", False),
                ("1.5 kg", False),
                ("28 kg", False),
            ],
        ),
        (
            {"type": "numeric", "value": 2.5, "locale": "en"},
            "two_pass",
            {},
            [("2.5", False), ("6", False), ("3.5", False), ("3.5", False), ("1.5", False), ("28", False)],
        ),
        (
            {"value": "2.5", "locale": "de"},
            "two_pass",
            {},
            [("2.5", False), ("26", False), ("32", False), ("31", False), ("30", False), ("27", False)],
        ),
        (
            {"query": "SELECT 1"},
            "sql_executor",
            {},
            [
                ("```sql\nSELECT 1\n```", True),
                ("```sql\nSELECT * FROM (SELECT 1) WHERE 1 = 0\n```", True),
                ("```sql\nSELECT * FROM (SELECT 1) WHERE 1 = 0\n```", True),
                ("```sql\nSELECT * FROM (SELECT 1) WHERE 1 = 0\n```", True),
                ("```sql\nSELECT * FROM (SELECT 1) WHERE 1 = 0\n```", True),
                ("```sql\nSELECT * FROM (SELECT 1) WHERE 1 = 0\n```", True),
            ],
        ),
        (
            {"query": "SELECT 1"},
            "sql_executor",
            {"metadata": {"wrong_queries": ["SELECT 9"]}},
            [
                ("```sql\nSELECT 1\n```", True),
                ("```sql\nSELECT 9\n```", True),
                ("```sql\nSELECT 9\n```", True),
                ("```sql\nSELECT 9\n```", True),
                ("```sql\nSELECT 9\n```", True),
                ("```sql\nSELECT 9\n```", True),
            ],
        ),
        (
            {"items": [{"says": "It cools."}]},
            "rubric",
            {},
            [
                ("It cools.", True),
                ("none of these", True),
                ("the second one", True),
                ("the second one", True),
                ("the opposite", True),
                ("the opposite", True),
            ],
        ),
        (
            {"value": "B", "options": {"C": "c", "A": "a", "B": "b"}},
            "two_pass",
            {},
            [
                ("(B) b", False),
                ("(A) a", False),
                ("(C) c", False),
                ("(C) c", False),
                ("(A) a", False),
                ("(C) c", False),
            ],
        ),
        (
            {"value": {"value": 7}},
            "two_pass",
            {},
            [("7", False), ("15", False), ("8", False), ("8", False), ("6", False), ("73", False)],
        ),
        (
            {"other": 12},
            "two_pass",
            {},
            [
                ('{"other": 12}', False),
                ('{"other": 13}', False),
                ('{"other": 19}', False),
                ('{"other": 18}', False),
                ('{"other": 17}', False),
                ('{"other": 14}', False),
            ],
        ),
    ],
)
def test_a_right_answer_and_five_wrong_ones(
    expected: Any, evaluator: str, context: dict[str, Any], answers: list[tuple[str, bool]]
) -> None:
    cue = Cue("rollout", "k", 1, expected, evaluator, context=context)
    right = final_answer(cue, Dice("default", "k"), right=True)
    found = [final_answer(cue, Dice("default", f"k{number}"), right=False) for number in range(5)]
    assert [(one.text, one.bare) for one in (right, *found)] == answers


@each_row(
    ("expected", "text"),
    [
        (
            {"keywords": ["Wort"], "language": "de"},
            (
                "Das Wichtigste in diesem Fall ist Folgendes: Wort. Die wichtigsten Punkte stehen am Anfang, "
                "damit sie leicht zu finden sind."
            ),
        ),
        (
            {"keywords": ["word"], "language": "it", "min_words": 1},
            "Ecco che cosa è più importante in questo caso: word.",
        ),
        ({"keywords": ["a b"], "min_words": 10, "max_words": 10}, "Here is what matters in this case: a b."),
        (
            {"keywords": ["a b"], "min_words": 11, "max_words": 23},
            "Here is what matters in this case: a b. I have put the main points first so that they are easy to find.",
        ),
        ({"keywords": ["a b"], "min_words": 11, "max_words": 22}, "Here is what matters in this case: a b."),
        ({"keywords": ["a b"], "max_words": 9}, "Here is what matters in this case: a b."),
        (
            {"keywords": []},
            (
                "I have put the main points first so that they are easy to find. Each of them follows from what "
                "was said in the question."
            ),
        ),
    ],
)
def test_a_text_has_its_keywords_and_its_length(expected: dict[str, Any], text: str) -> None:
    assert keyword_text(expected, Dice("default", "k2"), right=True) == text


@each_row(
    ("schema", "question", "arguments"),
    [
        ({}, "", {}),
        ({"properties": "odd", "required": ["a"]}, "", {}),
        ({"properties": {"a": {}}, "required": ["a", "gone"]}, "", {"a": "text"}),
        ({"properties": {"a": {}, "b": {"type": "integer"}}}, "", {}),
        ({"description": "Give at least one of them.", "properties": {"a": {}}}, "", {"a": "text"}),
        (
            {"description": "Give at least one of them.", "properties": {"a": {}, "b": {}}, "required": ["b"]},
            "",
            {"b": "text"},
        ),
        ({"description": "Give at least one of them."}, "", {}),
        (
            {"description": "Exactly one of label or address.", "properties": {"label": {}, "address": {}}},
            "",
            {},
        ),
        (
            {"description": "Exactly one of label or address.", "properties": {"label": {}, "address": {}}},
            "Of 'Old fund'?",
            {},
        ),
    ],
)
def test_arguments_are_those_that_a_call_needs(schema: Any, question: str, arguments: Any) -> None:
    assert arguments_for(schema, question) == arguments


@each_row(
    ("schema", "name", "question", "value"),
    [
        ("odd", "", "", "text"),
        ({"default": 0, "enum": [3]}, "", "", 0),
        ({"const": 4}, "", "", 4),
        ({"examples": ["first", "second"]}, "", "", "first"),
        ({"type": ["integer", "null"], "minimum": 7}, "", "", 7),
        ({"type": []}, "", "", "text"),
        ({"type": "number"}, "", "", 1.0),
        ({"type": "boolean"}, "", "", True),
        ({"type": "null"}, "", "", None),
        ({"type": "array", "items": {"type": "integer"}}, "", "", []),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, "", "", [1]),
        ({"type": "object", "properties": {"a": {}}, "required": ["a"]}, "", "", {"a": "text"}),
        (
            {"type": "string"},
            "query",
            "w" * 59 + " words",
            "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
        ),
        (
            {"type": "string"},
            "query",
            "w" * 58 + " words",
            "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww w",
        ),
        ({"type": "string"}, "query", " ", "text"),
        ({"type": "string"}, "symbol", "In UTC, of ABC?", "ABC"),
        ({"type": "string", "pattern": "^(?=x)y$"}, "", "", "text"),
        ({"type": "string", "pattern": "^[xy]z$"}, "", "", "xz"),
    ],
)
def test_a_value_is_one_that_the_schema_allows(schema: Any, name: str, question: str, value: Any) -> None:
    assert value_for(schema, question, name) == value
