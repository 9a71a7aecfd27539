from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.datasets import golds
from modex.core.suite.datasets.golds import guess_rule, number_of, options_of, with_options
from tests.rows import each_row

OPTIONS = {"A": "red", "B": "green", "C": "blue"}


@each_row(
    ("golds", "kind"),
    [
        (["18", "70000", "-3"], "numeric"),
        (["18", "70,000", "$1.50", "50%", "1e-7"], "numeric"),
        ([18, 2.5], "numeric"),
        (["so 5 + 13\n#### 18", "#### 1,000"], "numeric"),
        ([True, False], "boolean"),
        (["yes", "No", "TRUE"], "boolean"),
        (["A", "(B)", "C."], "choice"),
        (["\\frac{1}{2}", "3"], "math"),
        (["Paris", "18"], "exact_match"),
        ([], "exact_match"),
    ],
)
def test_the_answer_type_is_guessed_and_said(golds: list[Any], kind: str) -> None:
    rule, guesses = guess_rule("two_pass", golds, False)
    assert rule.type == kind
    assert any(f"answer type: {kind}" in guess for guess in guesses)


@each_row(
    ("gold", "value"),
    [
        ("18", 18),
        ("70,000", 70000),
        ("$1.50", 1.5),
        ("-$5", -5),
        ("−5", -5),
        ("50%", 50),
        (" 7 ", 7),
        ("1,23", None),
        ("7 kg", None),
        ("", None),
        (True, None),
    ],
)
def test_numbers_in_golds(gold: Any, value: float | None) -> None:
    assert number_of(gold) == value


@given(st.integers(-(10**12), 10**12))
def test_grouped_numbers_are_read_back(number: int) -> None:
    assert number_of(f"{number:,}") == number


@each_row(
    ("golds", "gold", "expected"),
    [
        (["#### 18"], "2 * 9 = 18\n#### 18", {"type": "numeric", "value": 18}),
        (["1", "2"], "n/a", {"type": "exact_match", "value": "n/a"}),
        (["yes"], "No", {"type": "boolean", "value": False}),
        (["A"], "(B)", {"type": "choice", "value": "B"}),
        (
            ["Paris"],
            ["Paris", "City of Paris"],
            {"type": "exact_match", "value": ["Paris", "City of Paris"]},
        ),
        (["1", "2"], ["3", "4"], {"type": "numeric", "value": [3, 4]}),
        (["1", "2"], ["3", "four"], {"type": "exact_match", "value": ["3", "four"]}),
        (["x"], {"type": "numeric", "value": 1}, {"type": "numeric", "value": 1}),
        (["50%"], "50%", {"type": "numeric", "value": 50, "unit": "%"}),
    ],
)
def test_two_pass_golds_become_typed_answers(golds: list[Any], gold: Any, expected: Any) -> None:
    assert guess_rule("two_pass", golds, False)[0].expected(gold, None) == expected


@each_row("gold", ["B", "green", 1, "1", "b"])
def test_the_right_option_is_found_by_letter_text_or_index(gold: Any) -> None:
    rule, _ = guess_rule("two_pass", [gold], True)
    assert rule.expected(gold, OPTIONS) == {"type": "choice", "value": "B", "options": OPTIONS}
    assert guess_rule("match", [gold], True)[0].expected(gold, OPTIONS) == "B"


@each_row(("gold", "plain"), [("18", "18"), (18, "18"), (18.0, "18"), (True, "true"), ("a #### b", "b")])
def test_match_and_judge_take_the_plain_answer(gold: Any, plain: str) -> None:
    for evaluator in ("match", "llm_judge"):
        assert guess_rule(evaluator, [gold], False)[0].expected(gold, None) == plain


def test_match_keeps_every_item_of_a_list() -> None:
    assert guess_rule("match", [["a", "b"]], False)[0].expected(["a", 2], None) == ["a", "2"]


def test_other_evaluators_take_the_gold_as_it_is() -> None:
    gold = {"keywords": ["a"]}
    assert guess_rule("keyword", [gold], False)[0].expected(gold, None) == gold


def test_long_golds_suggest_a_judge() -> None:
    assert any("llm_judge" in guess for guess in guess_rule("two_pass", ["word " * 40], False)[1])


@each_row(
    ("value", "options"),
    [
        (["red", "green"], {"A": "red", "B": "green"}),
        ({"label": ["1", "2"], "text": ["red", "green"]}, {"1": "red", "2": "green"}),
        ({"A": "red", "B": "green"}, {"A": "red", "B": "green"}),
        (["one"], None),
        ("red", None),
        ([{"a": 1}, {"b": 2}], None),
    ],
)
def test_options_come_in_several_shapes(value: Any, options: dict[str, str] | None) -> None:
    assert options_of(value) == options


def test_options_stand_below_a_question_that_does_not_hold_them() -> None:
    assert with_options("Which?", {"A": "red", "B": "green"}) == "Which?\n\nA. red\nB. green"
    assert with_options("red or green?", {"A": "red", "B": "green"}) == "red or green?"


@each_row(
    ("value", "options"),
    [
        ({"A": "x", " B ": 2}, {"A": "x", "B": "2"}), ({"A": "x"}, None), ({"A": "x", "B": []}, None),
        (dict.fromkeys(map(str, range(26)), "x"), dict.fromkeys(map(str, range(26)), "x")),
        (dict.fromkeys(map(str, range(27)), "x"), None),
        ({"label": ["A", "B"], "text": ["x", "y"]}, {"A": "x", "B": "y"}), ({"label": ["A", "B"], "text": ["x"]}, None),
        ([{"label": "A", "text": "x"}, {"label": "B", "text": 1.5}], {"A": "x", "B": "1.5"}),
        (["x", "y"], {"A": "x", "B": "y"}), (["x"], None), (["x", []], None), ([], None), ("xy", None), (None, None),
        ([str(number) for number in range(26)], {chr(65 + number): str(number) for number in range(26)}),
        ([str(number) for number in range(27)], None),
    ],
)  # fmt: skip
def test_options_are_read_in_each_of_their_forms(value: Any, options: dict[str, str] | None) -> None:
    assert golds.options_of(value) == options


@each_row(
    ("value", "truth"),
    [
        (True, True),
        (False, False),
        (" Yes ", True),
        ("no", False),
        ("TRUE", True),
        ("maybe", None),
        (1, None),
        (None, None),
    ],
)
def test_a_gold_says_true_or_false_or_neither(value: Any, truth: bool | None) -> None:
    assert golds.truth_of(value) is truth


@each_row(
    ("given", "marked"),
    [
        (["a #### 1", "b #### 2"], True),
        (["a #### 1", "b 2"], False),
        (["a #### 1", 2], False),
        ([], False),
        ([1, 2], False),
    ],
)
def test_golds_that_all_end_behind_a_mark_are_read_behind_it(given: list[Any], marked: bool) -> None:
    rule, guesses = golds.guess_rule("match", given, with_choices=False)
    assert rule.marked is marked
    assert any("####" in guess for guess in guesses) is marked
