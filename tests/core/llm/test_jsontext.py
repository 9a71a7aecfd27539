from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.llm.jsontext import (
    MAX_CHARS,
    _depth,
    _repairable,
    _strict_objects,
    escape_latex,
    parse_json_answer,
)
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


@pytest.mark.long
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


def _long(length: int, depth: int) -> str:
    """A text of so many characters that nests so deeply and is no JSON."""
    inner = "[" * (depth - 1) + "]" * (depth - 1)
    begun = f"{{answer: {inner} "
    return begun + "x" * (length - len(begun) - 1) + "}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_long(100_000, 5), None),
        (_long(100_001, 1), "the JSON does not parse and is too long to repair (100,001 characters)"),
        (_long(12_500, 40), None),
        (_long(12_501, 40), "the JSON does not parse and is too long and deep to repair (12,501 characters)"),
        (_long(500, 41), "the JSON does not parse and nests deeper than 40 levels"),
    ],
)
def test_what_is_too_long_or_deep_to_repair_says_so(
    monkeypatch: pytest.MonkeyPatch, text: str, reason: str | None
) -> None:
    monkeypatch.setattr("json_repair.loads", lambda *_, **__: {"answer": "mended"})
    found = parse_json_answer(text)
    assert found.reason == reason
    assert (found.value is None) is (reason is not None)


@pytest.mark.parametrize(
    ("repaired", "value", "reason"),
    [
        ({"answer": 1}, {"answer": 1}, None),
        ([{}, {"x": 1}, {"answer": 2}, {"y": 3}], {"answer": 2}, None),
        ([{"x": 1}, {"y": float("inf")}, 7], {"y": "Infinity"}, None),
        ("a text", None, "the text holds no JSON object that could be repaired"),
        (ValueError("odd"), None, "the text holds no JSON object that could be repaired"),
    ],
)
def test_of_what_is_repaired_the_last_object_with_the_key_is_taken(
    monkeypatch: pytest.MonkeyPatch, repaired: Any, value: Any, reason: str | None
) -> None:
    def loads(text: str, *, skip_json_loads: bool) -> Any:
        assert (text, skip_json_loads) == ("{answer: 1,,}", True)
        if isinstance(repaired, Exception):
            raise repaired
        return repaired

    monkeypatch.setattr("json_repair.loads", loads)
    found = parse_json_answer("so {answer: 1,,} it is")
    assert (found.value, found.repaired, found.reason) == (value, value is not None, reason)


@each_row(
    ("text", "value", "repaired"),
    [
        ('{"x": 1} and {answer: 2}', {"answer": 2}, True),
        ('{"x": 1} and {y: 2}', {"x": 1}, False),
        ('{"x": "\\alpha"} and more', {"x": "\\alpha"}, True),
    ],
)
def test_an_object_without_the_key_stands_only_where_repairing_finds_none_with_it(
    text: str, value: Any, repaired: bool
) -> None:
    found = parse_json_answer(text)
    assert (found.value, found.repaired) == (value, repaired)


def test_two_hundred_beginnings_are_tried() -> None:
    for before, number in ((199, 1), (200, 0)):
        assert len(list(_strict_objects("{x: " * before + '{"a": 1}'))) == number
    assert list(_strict_objects('{"a": {"b": 1}} {"c": 2}')) == [{"a": {"b": 1}}, {"c": 2}]


def test_the_last_five_fences_are_repaired_before_the_whole() -> None:
    fences = [f"```json\n n {{a{number}: 1,,}}\n```\n" for number in range(7)]
    text = "".join(["```\nno object\n```\n", *fences])
    *last, whole = _repairable(text)
    assert [one.strip() for one in last] == [f"{{a{number}: 1,,}}" for number in (6, 5, 4, 3, 2)]
    assert (whole[:4], whole[-1]) == ("{a0:", "}")
    assert list(_repairable("} so {a: 1")) == ["{a: 1"]


@each_row(("text", "depth"), [("", 0), ("[]{}", 1), ("[{", 2), ("]]}[[", 2), ("[[[]]][[", 3), ("[]][", 1)])
def test_how_deeply_brackets_nest(text: str, depth: int) -> None:
    assert _depth(text) == depth


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
