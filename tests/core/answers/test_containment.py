"""Whether a gold stands in a response at all: by words, by value, and a letter only where an answer may end."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.answers.containment import holds_gold, short_gold, sought_gold
from tests.core.answers.tables import differing
from tests.rows import each_row

OPTIONS = {"A": "copper", "B": "grey iron", "C": "tin"}
CHOICE = {"type": "choice", "value": "B", "options": OPTIONS}


def holds(response: str, expected: Any) -> bool:
    gold = sought_gold(expected)
    assert gold is not None
    return holds_gold(response, gold)


@each_row(
    ("response", "expected", "held"),
    [
        ("I think of PARIS, or of Rome.", "Paris", True),
        ("The Parisian way", "Paris", False),
        ("It was the City of Light.", {"value": "Paris", "aliases": ["the city of light"]}, True),
        ("It was Rome.", {"value": "Paris", "aliases": ["the city of light"]}, False),
        ("New\n  York it was", "new york", True),
        ("she pays $1,800.00 in all", "1800", True),
        ("she has seventeen left, or 18", 17, True),
        ("5.3 and 15", 5, False),
        ("Rp 11.236.000", {"type": "numeric", "value": 11236000, "locale": "id"}, True),
        (r"so $x = \frac{1}{2}$ and no more", {"type": "math", "value": r"\frac{1}{2}"}, True),
        (r"so $x = \frac{1}{2}$ and no more", {"type": "math", "value": r"\frac{1}{3}"}, False),
        ("x + 12y", {"type": "math", "value": "x+1"}, False),
        ("On April 26, 1986 it was.", {"type": "date", "value": "1986-04-26"}, True),
        ("On April 27, 1986 it was.", {"type": "date", "value": "1986-04-26"}, False),
        ("Yes.\nIt is so.\nAlways.", True, True),
        ("It is so.\nyes yes\nAlways.", True, False),
        ("A is copper.\nB is iron.\nThe answer is C", CHOICE, False),
        ("A is copper.\nI would choose (B) or (C)", CHOICE, True),
        ("It must be grey iron", CHOICE, True),
        ("red and blue", {"value": ["red", "blue"], "gold": "parts"}, True),
        ("red only", {"value": ["red", "blue"], "gold": "parts"}, False),
        ("18 in all", "She has 9 * 2 = 18\n#### 18", True),
    ],
)
def test_a_gold_is_held_as_its_type_is_written(response: str, expected: Any, held: bool) -> None:
    assert holds(response, expected) is held


@each_row(
    "expected",
    [None, {"keywords": ["a"]}, {"tool": "f", "args": {}}, "", "word " * 400, {"value": 1, "type": "nonsense"}, [[]]],
)
def test_what_is_no_short_answer_is_not_looked_for(expected: Any) -> None:
    assert short_gold(expected) is None
    if not isinstance(expected, dict) or "value" not in expected:
        assert sought_gold(expected) is None


@each_row(
    ("response", "golds", "held"),
    [
        ("It has two hundred and six", ["206", 206, {"type": "exact_match", "value": "206"}], True),
        ("It has 2060", ["206", {"type": "numeric", "value": 206}, {"type": "exact_match", "value": "206"}], False),
        ("It is so.\nyes yes\nAlways.", [True, "yes", {"type": "exact_match", "value": "Yes"}], False),
        ("On 26 April 1986", ["1986-04-26", {"type": "date", "value": "1986-04-26"}], True),
        (r"so \frac{1} {2}", [r"\frac{1}{2}", {"type": "math", "value": r"\frac{1}{2}"}], True),
    ],
)
def test_a_gold_is_looked_for_alike_under_every_answer_type(response: str, golds: list[Any], held: bool) -> None:
    assert {holds(response, gold) for gold in golds} == {held}


def test_an_options_text_counts_whether_the_question_or_the_test_lists_it() -> None:
    listed = "Which metal?\nA) copper\nB) grey iron\nC) tin"
    for expected in ("B", CHOICE, {"type": "choice", "value": "B"}, {"type": "exact_match", "value": "B"}):
        gold = sought_gold(expected, listed)
        assert gold is not None
        assert holds_gold("It must be grey iron", gold)


@settings(max_examples=80)
@given(st.text(max_size=60), st.text(min_size=1, max_size=12))
def test_a_word_that_stands_by_itself_is_held_and_nothing_raises(around: str, word: str) -> None:
    gold = sought_gold({"type": "exact_match", "value": f"q{word.strip()}q"})
    assert gold is not None
    holds_gold(around, gold)
    if word.isalnum() and word.isascii():
        assert holds_gold(f"{around} q{word}q.", gold)


_HELD = r"""
"Paris"|It is in Paris, you know. => True
"Paris"|Parisian => False
"Paris"| => False
"art"|part => False
5|It is five. => True
5|It is 5.0. => True
5|It is 15. => False
5|5 => True
[1, 2]|It is 2. => True
[1, 2]|It is 3. => False
{"value": [1, 2], "gold": "parts"}|1 and 2 => True
{"value": [1, 2], "gold": "parts"}|1 => False
{"value": "Paris", "aliases": ["City of Light"]}|the city of light => True
{"value": "Paris", "aliases": ["City of Light"]}|London => False
true|Yes => True
true|It is\nso\nyes => True
true|a\nyes\nb => False
true|yes\na\nb => True
false|No. => True
false|yes => False
"B"|B => True
"B"|x\nB\ny => False
"B"|B) red\nx\ny => True
"B"|(b) => True
"B"|The answer is red|Which? A) blue B) red C) green => True
"B"|The answer is blue|Which? A) blue B) red C) green => False
"B"|A bird => False
{"value": "B", "options": {"A": "x", "B": "red"}}|red => True
"26 April 1986"|On 1986-04-26. => True
"26 April 1986"|On 1986-04-25. => False
"4/5/1986"|4/5/1986 => True
"x^2"|y = x ^ 2 => True
"x^2"|y = 2x^2 => False
"x^2"|x^23 => False
"\\sqrt{2}"|\sqrt {2} => True
"$x^2$"|x^2 => True
null|x => none
{"a": 1}|x => none
""|x => none
"  "|x => none
{"value": "1.5", "locale": "de"}|1,5 => True
["a", null]|a => none
"the cat"|a cat => True
[]|x => none
"#### 5"|5 => True
"1 + 1 #### 7"|7 => True
"""
"""A gold as a test has it, a response, and the question where it lists options: whether the gold stands there."""


def held(line: str) -> str:
    gold, response, prompt = f"{line}|".split("|")[:3]
    sought = sought_gold(json.loads(gold), prompt)
    return "none" if sought is None else str(holds_gold(response, sought))


def test_a_gold_stands_in_a_response_by_value_and_in_whole_words() -> None:
    assert differing(_HELD, held) == []
