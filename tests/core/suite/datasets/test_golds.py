from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modex.core.suite.datasets import golds
from modex.core.suite.datasets.golds import guess_rule, number_of, options_of, with_lettered, with_options
from tests.rows import each_row

OPTIONS = {"A": "red", "B": "green", "C": "blue"}
_LONG_TEXTS = "the answers are long texts: --evaluator llm_judge may suit them better than exact_match"


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
        ("yes", True),
        ("False", False),
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


@each_row(
    ("golds", "with_choices", "gold", "options", "expected"),
    [
        (["1"], False, {"value": 3}, None, {"type": "exact_match", "value": '{"value": 3}'}),
        (["1"], False, [], None, {"type": "exact_match", "value": "[]"}),
        (["1"], False, [1, {"a": 2}], None, {"type": "exact_match", "value": '[1, {"a": 2}]'}),
        (["1"], False, None, None, {"type": "exact_match", "value": "None"}),
        (["A"], True, "purple", OPTIONS, {"type": "exact_match", "value": "purple"}),
        (["A"], True, "(C)", None, {"type": "choice", "value": "C"}),
        (["A"], True, ["red", "C"], OPTIONS, {"type": "choice", "value": ["A", "C"], "options": OPTIONS}),
        (["A"], True, ["red", "purple"], OPTIONS, {"type": "exact_match", "value": ["red", "purple"]}),
        (["x"], False, ["a", "b"], {}, {"type": "exact_match", "value": ["a", "b"]}),
        (["A"], True, 0, OPTIONS, {"type": "choice", "value": "A", "options": OPTIONS}),
        (["A"], True, 2, OPTIONS, {"type": "choice", "value": "C", "options": OPTIONS}),
        (["A"], True, 3, OPTIONS, {"type": "exact_match", "value": "3"}),
        (["A"], True, "3", OPTIONS, {"type": "exact_match", "value": "3"}),
        (["A"], True, "2", OPTIONS, {"type": "choice", "value": "C", "options": OPTIONS}),
        (["A"], True, True, OPTIONS, {"type": "exact_match", "value": "true"}),
        (["A"], True, "(c)", OPTIONS, {"type": "choice", "value": "C", "options": OPTIONS}),
        (["A"], True, "D", OPTIONS, {"type": "choice", "value": "D"}),
        (["A"], True, -1, OPTIONS, {"type": "exact_match", "value": "-1"}),
        (["1"], False, 0.5, None, {"type": "numeric", "value": 0.5}),
        (["1"], False, ["5%", 7], None, {"type": "exact_match", "value": ["5%", "7"]}),
        (["1"], False, ["5%", "7%"], None, {"type": "numeric", "value": [5, 7], "unit": "%"}),
        (["yes"], False, "18", None, {"type": "exact_match", "value": "18"}),
        (["Paris"], False, "18", None, {"type": "exact_match", "value": "18"}),
        (["Paris"], False, "yes", None, {"type": "exact_match", "value": "yes"}),
        (["Paris"], False, "B", None, {"type": "exact_match", "value": "B"}),
        (["\\pi"], False, "B", None, {"type": "math", "value": "B"}),
        (["Paris"], False, "so #### 18", None, {"type": "exact_match", "value": "so #### 18"}),
        (["#### x"], False, " y ", None, {"type": "exact_match", "value": " y "}),
        (["1"], False, ["5%"], None, {"type": "numeric", "value": [5], "unit": "%"}),
        (["#### 1"], False, 18, None, {"type": "numeric", "value": 18}),
        (["#### 1"], False, "18", None, {"type": "numeric", "value": 18}),
        (["#### 1"], False, "a #### b #### 18", None, {"type": "numeric", "value": 18}),
    ],
)
def test_a_gold_is_of_the_datasets_type_where_it_can_be_and_else_a_text(
    golds: list[Any], with_choices: bool, gold: Any, options: dict[str, str] | None, expected: Any
) -> None:
    assert guess_rule("two_pass", golds, with_choices)[0].expected(gold, options) == expected


@each_row(
    ("gold", "plain"),
    [
        (2.5, "2.5"),
        (False, "false"),
        (None, "None"),
        (1e15, "1000000000000000.0"),
        (1e15 - 1, "999999999999999"),
        (-1e15, "-1000000000000000.0"),
        ({"ä": [1]}, '{"ä": [1]}'),
        ([], "[]"),
        ("red", "A"),
        ("purple", "purple"),
        (["red", "purple"], ["A", "purple"]),
    ],
)
def test_a_plain_gold_is_written_as_a_person_would(gold: Any, plain: Any) -> None:
    assert guess_rule("match", [gold], True)[0].expected(gold, OPTIONS if gold != [] else None) == plain


@each_row(
    ("golds", "kind"),
    [
        ([True, "maybe"], "exact_match"),
        (["A", "Paris"], "exact_match"),
        (["A", 7], "exact_match"),
        (["A", None, "\\frac12"], "math"),
        (["$x$", 7], "math"),
        ([7, "x^{2}"], "math"),
        (["1", "two"], "exact_match"),
    ],
)
def test_a_type_is_guessed_only_where_every_gold_is_of_it(golds: list[Any], kind: str) -> None:
    assert guess_rule("two_pass", golds, False)[0].type == kind


@each_row(
    ("evaluator", "golds", "said"),
    [
        ("two_pass", [], ["answer type: exact_match"]),
        ("two_pass", ["1", "2"], ["answer type: numeric, from the first 2 answers"]),
        (
            "two_pass",
            ["#### 1"],
            ["answers: what follows the last '####'", "answer type: numeric, from the first 1 answers"],
        ),
        ("match", ["#### 1"], ["answers: what follows the last '####'"]),
        ("match", ["#### 1", 2], []),
        ("match", [], []),
        ("two_pass", ["\\pi" * 50], ["answer type: math, from the first 1 answers"]),
        ("two_pass", ["a" * 80], ["answer type: exact_match, from the first 1 answers"]),
        (
            "two_pass",
            ["a" * 90, "b", "c" * 90, "d"],
            ["answer type: exact_match, from the first 4 answers", _LONG_TEXTS],
        ),
        ("two_pass", ["b", "a" * 90, "d"], ["answer type: exact_match, from the first 3 answers"]),
        (
            "two_pass",
            ["a", "b", "c" * 90, "d" * 90],
            ["answer type: exact_match, from the first 4 answers", _LONG_TEXTS],
        ),
        ("two_pass", ["a", "b", "c", "d" * 90, "e" * 90], ["answer type: exact_match, from the first 5 answers"]),
    ],
)
def test_what_was_guessed_of_the_answers_is_said(evaluator: str, golds: list[Any], said: list[str]) -> None:
    assert guess_rule(evaluator, golds, False)[1] == said


@each_row(
    ("value", "number"),
    [
        ("1e3", 1000.0),
        ("1.5E2", 150.0),
        ("1e999", None),
        ("-1e999", None),
        (float("inf"), None),
        (-2.5, -2.5),
        ("9" * 60, int("9" * 60)),
        ("9" * 61, None),
        (["1"], None),
        (None, None),
    ],
)
def test_a_number_has_an_end_and_at_most_sixty_characters(value: Any, number: float | None) -> None:
    assert number_of(value) == number


@each_row(
    ("value", "options"),
    [
        ({"label": ["1", "2"], "text": "ab"}, None),
        ({"label": "12", "text": ["a", "b"]}, None),
        ({"label": ["1"], "text": ["a", "b"]}, None),
        ([{"label": "A", "text": "x"}, {"label": "B", "text": 2}], {"A": "x", "B": "2"}),
        ([{"label": "A", "text": "x"}, {"label": "B"}], None),
        ([{"label": "A", "text": "x"}, "B"], None),
        ([{"label": "A", "text": "x"}, ["label", "text"]], None),
        ([], None),
        ({}, None),
        (5, None),
        ("label text", None),
        ({"A": "x", "B": ["y"]}, None),
        (["x", ["y"]], None),
        ({str(n): n for n in range(26)}, {str(n): str(n) for n in range(26)}),
        ({str(n): n for n in range(27)}, None),
        (list(range(26)), {chr(65 + n): str(n) for n in range(26)}),
        (list(range(27)), None),
        ({"A ": 1}, None),
    ],
)
def test_options_are_two_to_twenty_six_plain_ones(value: Any, options: dict[str, str] | None) -> None:
    assert options_of(value) == options


def test_options_are_shown_where_one_of_them_is_missing_in_the_question() -> None:
    assert with_options("Is it red or green?  ", OPTIONS) == "Is it red or green?\n\nA. red\nB. green\nC. blue"
    assert with_options("red, green or blue?", OPTIONS) == "red, green or blue?"


@each_row(
    ("question", "listed"),
    [
        ("Which?\n(A) red\n(B) green", True),
        ("Is it (A) red, or (B) green?", True),
        ("Which?\nA. red\nB. green", True),
        ("Which?\n**A:** red\n**B:** green", True),
        ("Which?\n- A  red\n- B  green", True),
        ("Is it red or green?", False),
        ("Which?\n(B) green\n(A) red", False),
        ("Which?\n(A) reddish\n(B) greenish", False),
        ("Which?\n(A) red\n(C) green", False),
        ("Is A red, and B green?", False),
    ],
)
def test_options_are_listed_where_they_stand_behind_their_letters_in_order(question: str, listed: bool) -> None:
    options = {"A": "red", "B": " green"}
    below = f"{question}\nA. red\nB.  green"
    assert with_lettered(question, options, between="\n") == (question if listed else below)
