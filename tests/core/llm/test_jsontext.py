from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.llm.jsontext import MAX_CHARS, escape_latex, parse_json_answer
from tests.pace import cpu_s
from tests.rows import each_row

SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(codec="utf-8"), max_size=30)
NAMES = st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\\")
OBJECTS = st.dictionaries(st.text(NAMES, min_size=1, max_size=8), SCALARS, max_size=4)


def test_plain_json_is_not_called_repaired() -> None:
    found = parse_json_answer('{"answer": "42", "reasoning": "6 × 7"}')
    assert found.value == {"answer": "42", "reasoning": "6 × 7"}
    assert not found.repaired
    assert found.reason is None


@each_row(
    "text",
    [
        '```json\n{"answer": "42"}\n```',
        'Sure! Here it is:\n```\n{"answer": "42"}\n```\nHope that helps {really}.',
        'Because {x} is in the set {1, 2}, I say {"answer": "42"} — done.',
        'The form is {"answer": "…"}; mine is {"answer": "42"}.',
        '{"steps": ["a"]} and then {"answer": "42"} with {"confidence": 1}',
        '\ufeff  {"answer": "42"}',
        'an open { brace in prose, then {"answer": "42"}',
    ],
)
def test_fences_and_prose_around_the_object_are_ignored(text: str) -> None:
    found = parse_json_answer(text)
    assert found.value == {"answer": "42"}
    assert not found.repaired


@each_row(
    ("text", "answer"),
    [
        ('{"answer": "42", "reasoning": "x",}', "42"),
        ("{'answer': '42', 'reasoning': 'it is so'}", "42"),
        ('{"answer": "42", "reasoning": "cut off in the mid', "42"),
        ('{answer: "42"}', "42"),
        ('```json\n{"answer": "42", "reasoning": "no closing fence"', "42"),
        ('{"answer": "he said "no" twice", "reasoning": "z"}', 'he said "no" twice'),
        ('{"answer": "42" // the sum\n}', "42"),
    ],
)
def test_broken_json_is_repaired_and_flagged(text: str, answer: str) -> None:
    found = parse_json_answer(text)
    assert found.value is not None
    assert found.value["answer"] == answer
    assert found.repaired


@each_row(
    ("text", "answer"),
    [
        (r'{"answer": "\frac{1}{2}"}', r"\frac{1}{2}"),
        (r'{"answer": "\( x^2 \)"}', r"\( x^2 \)"),
        (r'{"answer": "\[ \beta \times \nu \to \rho \]"}', r"\[ \beta \times \nu \to \rho \]"),
        (r'{"answer": "5\%"}', r"5\%"),
        (r'{"answer": "\underline{a}"}', r"\underline{a}"),
        (r'{"answer": "\boxed{7}", "reasoning": "so",}', r"\boxed{7}"),
    ],
)
def test_latex_backslashes_survive(text: str, answer: str) -> None:
    found = parse_json_answer(text)
    assert found.value is not None
    assert found.value["answer"] == answer
    assert found.repaired


@each_row(
    ("text", "answer"),
    [
        (r'{"answer": "\\frac{1}{2}"}', r"\frac{1}{2}"),
        (r'{"answer": "first\nThe second\tcolumn"}', "first\nThe second\tcolumn"),
        (r'{"answer": "caf\u00e9 \u0041BC \/ \"q\""}', 'café ABC / "q"'),
        (r'{"answer": "\ud83d\ude00 \uabcd"}', "😀 ꯍ"),
    ],
)
def test_proper_escapes_keep_their_meaning(text: str, answer: str) -> None:
    found = parse_json_answer(text)
    assert found.value == {"answer": answer}
    assert not found.repaired


@each_row("text", ["", "just prose", "a set {1, 2, 3}", "Answer {not json} here", "[1, 2]", "}{", "{"])
def test_text_without_an_object_gives_a_reason(text: str) -> None:
    found = parse_json_answer(text)
    assert found.value is None
    assert found.reason
    assert not found.repaired


def test_numbers_that_json_lacks_come_back_as_names() -> None:
    assert parse_json_answer('{"answer": NaN, "all": [Infinity, -Infinity]}').value == {
        "answer": "NaN",
        "all": ["Infinity", "-Infinity"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"answer": ' + "[" * 100_000,
        '{"a":' * 50_000,
        '{"' * 100_000,
        "```json\n" * 20_000 + "{",
        '{"answer": "' + "\\" * 300_001,
        '{"answer": ' + "9" * 10_000 + "}",
        "{'" + "x" * 90_000,
    ],
)
def test_hostile_text_is_answered_soon_and_without_raising(text: str) -> None:
    unit = min(cpu_s(lambda: parse_json_answer("{'answer': '" + "x" * 20_000 + "',}")) for _ in range(2))
    assert cpu_s(lambda: parse_json_answer(text)) < 100 * unit


def test_a_text_beyond_the_cap_is_read_from_its_end() -> None:
    assert parse_json_answer("x" * (MAX_CHARS + 10) + ' {"answer": "end"}').value == {"answer": "end"}


@given(st.text(max_size=300))
@settings(max_examples=150)
def test_no_text_raises(text: str) -> None:
    parse_json_answer(text)


@given(st.text(alphabet="{}[]\"'\\:,`\n answer1", max_size=120))
@settings(max_examples=200)
def test_no_json_like_text_raises(text: str) -> None:
    found = parse_json_answer(text)
    assert found.value is None or isinstance(found.value, dict)


@given(OBJECTS, st.text(alphabet="abc .,\n", max_size=20), st.text(alphabet="abc .,\n", max_size=20))
@settings(max_examples=150)
def test_what_json_writes_is_read_back_from_between_prose(value: dict[str, Any], before: str, after: str) -> None:
    value = {**value, "answer": "x"}
    found = parse_json_answer(f"{before}{json.dumps(value, ensure_ascii=False)}{after}")
    assert found.value is not None
    assert found.value["answer"] == "x"
    assert found.value.keys() == value.keys()


@given(st.text(st.characters(codec="utf-8", exclude_characters="\\"), max_size=60))
@settings(max_examples=100)
def test_text_without_backslashes_is_left_alone(text: str) -> None:
    assert escape_latex(text) == text


@given(st.text(st.characters(codec="utf-8"), max_size=60))
@settings(max_examples=100)
def test_escaping_twice_changes_nothing_more(text: str) -> None:
    once = escape_latex(text)
    assert escape_latex(once) == once
