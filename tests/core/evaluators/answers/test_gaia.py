"""GAIA's matcher against its published rules: sixty pairs of a gold and an answer, each with what the rules say."""

from __future__ import annotations

from typing import Any

from modex.core.answers.found import Extracted
from modex.core.evaluators.answers.gaia import same_by_gaia
from modex.core.evaluators.registry import get_evaluator
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Compared
from tests.core.evaluators.conftest import context, part, sample
from tests.rows import each_row

NUMBERS = [
    ("17", "17", True), ("17", "17.0", True), ("17", "17.", True), ("17", "18", False), ("17", "seventeen", False),
    ("17", "$17", True), ("17", "17%", True), ("1234", "1,234", True), ("1234", "$1,234", True), ("1,234", "1234", False),
    ("0.5", ".5", True), ("0.5", "50%", False), ("50", "50%", True), ("-5", "-5", True), ("-5", "5", False),
    ("1e3", "1000", True), ("3.14", "3.141", False), ("89706.00", "89706", True), ("17", "17 km", False), ("17", "", False),
]  # fmt: skip
TEXTS = [
    ("Paris", "paris", True), ("Paris", "Paris.", True), ("sea gull", "seagull", True), ("St. Petersburg", "St Petersburg", True),
    ("Paris", "Lyon", False), ("Paris", "Paris, France", False), ("egalitarian", "Egalitarian ", True),
    ("Right", "right!", True), ("THE CASTLE", "The Castle", True), ("the castle", "castle", False),
    ("Rockhopper penguin", "rockhopper  penguins", False), ("A-B", "AB", True), ("O'Brien", "OBrien", True),
    ("backtick", "back tick", True), ("Guatemala", "guatemala", True), ("90.5 miles", "90.5miles", True),
    ("Wojciech", "Wojciech Smith", False), ("(x)", "x", True), ("Tokyo", "東京", False), ("Zürich", "zürich", True),
]  # fmt: skip
LISTS = [
    ("pears, bananas", "pears,bananas", True), ("pears, bananas", "Pears, Bananas", True),
    ("pears, bananas", "bananas, pears", False), ("pears, bananas", "pears", False),
    ("pears, bananas", "pears, bananas, figs", False),
    ("3; 4; 5", "3;4;5.0", True),
    ("3; 4; 5", "3, 4, 5", True), ("3, 4, 5", "3, 4, 6", False), ("132, 133, 134", "132,133,134", True),
    ("b, e", "b,e", True), ("b, e", "b e", False), ("sea gull, owl", "seagull, owl", True), ("a.b, c", "ab, c", False),
    ("$5, 6", "$5, 6", True), ("5, 6", "$5, 6%", True), ("Santa Clara, Boston", "Santa Clara; Boston", True),
    ("Braintree, Honolulu", "Honolulu, Braintree", False), ("1.0, two", "1, TWO", True), ("x, y", "x,, y", False),
    ("cornstarch, butter", "corn starch, butter", True),
]  # fmt: skip


@each_row(("gold", "answer", "right"), [*NUMBERS, *TEXTS, *LISTS])
def test_pairs_by_the_published_rules(gold: str, answer: str, right: bool) -> None:
    assert same_by_gaia(gold, answer) is right


def test_there_are_sixty() -> None:
    assert len({pair[:2] for pair in (*NUMBERS, *TEXTS, *LISTS)}) == 60


@each_row(
    ("response", "passed"),
    [
        ("I looked it up.\nFINAL ANSWER: pears,bananas", True),
        ("First I thought FINAL ANSWER: figs, dates\nBut no.\nFINAL ANSWER: pears, bananas", True),
        ("FINAL ANSWER: figs, dates", False),
        ("It is pears, bananas", False),
        ("", False),
    ],
)
def test_the_last_final_answer_counts(response: str, passed: bool) -> None:
    judged = context("gaia")
    result = get_evaluator(judged.config).evaluate(sample(response, "pears, bananas"), judged)
    assert (result.status == "passed") is passed


@each_row(
    ("gold", "answer", "right"),
    [
        ("pears, bananas", "pears,bananas", True),
        ("3; 4; 5", "3;4;5.0", True),
        ("3; 4; 5", "3;4;6", False),
        ("sea gull", "seagull", True),
        ("sea gull", "sea eagle", False),
        ("18", "Exact Answer: 18 / Confidence: 90%", True),
        ("18", "最终答案: 18", True),
        ("18", "最终答案: 81", False),
    ],
)
def test_match_compares_lists_and_joined_words_and_reads_marked_answers(gold: str, answer: str, right: bool) -> None:
    judged = context("match")
    result = get_evaluator(judged.config).evaluate(sample(answer, gold), judged)
    assert (result.status == "passed") is right


@each_row(
    ("expected", "problems"),
    [
        ("x", 0),
        (0, 0),
        ({"value": "x"}, 0),
        (["x", ""], 0),
        ("", 1),
        (" ", 1),
        (None, 1),
        ({}, 1),
        ({"value": None}, 1),
        ([], 1),
        (["", None], 1),
    ],
)
def test_a_gold_answer_must_be_there(expected: Any, problems: int) -> None:
    test = TestCase("suite", "d", 1, "t", "?", expected, "gaia", Location("t.json"))
    judged = context("gaia")
    assert len(list(get_evaluator(judged.config).check(test, judged.config, None))) == problems


@each_row(
    ("expected", "answer", "right"),
    [
        (["Paris", "Lutetia"], "paris", True),
        (["Paris", "Lutetia"], "Lutetia.", True),
        (["Paris", "Lutetia"], "Paris, Lutetia", False),
        (["Paris", "Lutetia"], "Lyon", False),
        ([12, "a dozen"], "12.0", True),
        ([12, "a dozen"], "A dozen", True),
        ({"value": "Paris", "aliases": ["Lutetia"]}, "Lutetia", True),
        ({"value": ["Paris", "Lutetia"], "gold": "any"}, "Lutetia", True),
        ({"value": ["Paris", "Lutetia"], "gold": "parts"}, "Paris, Lutetia", True),
        ({"value": ["Paris", "Lutetia"], "gold": "parts"}, "Lutetia, Paris", False),
        ({"value": ["Paris", "Lutetia"], "gold": "parts"}, "Paris", False),
        ({"value": ["pears, figs", "figs, pears"]}, "figs,pears", True),
    ],
)
def test_golds_of_a_list_are_alternatives_unless_all_are_asked_for(expected: Any, answer: str, right: bool) -> None:
    judged = context("gaia")
    result = get_evaluator(judged.config).evaluate(sample(f"FINAL ANSWER: {answer}", expected), judged)
    assert (result.status == "passed") is right


def test_alternatives_are_told_beside_the_first_gold() -> None:
    judged = context("gaia")
    for response in ("FINAL ANSWER: Lyon", ""):
        result = get_evaluator(judged.config).evaluate(sample(response, ["Paris", "Lutetia"]), judged)
        found = part(result, Compared)
        assert (found.expected, found.aliases) == ("Paris", ("Lutetia",))


def test_where_the_answer_stands_is_told() -> None:
    judged = context("gaia")
    response = "So.\nFINAL ANSWER: 18 eggs"
    result = get_evaluator(judged.config).evaluate(sample(response, "18 eggs"), judged)
    start, end = part(result, Extracted).span
    assert (response[start:end], result.score) == ("18 eggs", 1.0)
    nothing = get_evaluator(judged.config).evaluate(sample(" ", "18"), judged)
    assert (part(nothing, Extracted).state, nothing.score) == ("empty_response", 0.0)
