from __future__ import annotations

from typing import Any

from modex.core.evaluators.judging.judge import expected_text
from modex.core.suite.definitions import Location, TestCase
from modex.core.suite.lists import has_list, is_open, list_words, with_gold
from tests.rows import each_row


def case(expected: Any, *, evaluator: str = "two_pass") -> TestCase:
    return TestCase("suite", "d", 1, "t", "p?", expected, evaluator, Location("t.json", 1))


@each_row(
    ("expected", "rule", "becomes"),
    [
        (["a", "b"], "any", ["a", "b"]),
        (["a", "b"], "parts", {"value": ["a", "b"], "gold": "parts"}),
        ({"type": "numeric", "value": [1, 2]}, "parts", {"type": "numeric", "value": [1, 2], "gold": "parts"}),
        ({"value": ["a"], "gold": "any"}, "parts", {"value": ["a"], "gold": "any"}),
        ("a", "parts", "a"),
    ],
)
def test_a_list_means_what_the_test_or_the_option_says(expected: Any, rule: Any, becomes: Any) -> None:
    assert with_gold(case(expected), rule).expected == becomes


def test_a_judge_is_told_in_words() -> None:
    told = [with_gold(case(["a", "b"], evaluator="llm_judge"), rule).expected for rule in ("any", "parts")]
    assert [expected_text(one) for one in told] == ["any one of these:\n- a\n- b", "all of these:\n- a\n- b"]


def test_other_evaluators_keep_their_lists() -> None:
    assert not has_list(case(["a"], evaluator="regex"))
    assert with_gold(case(["a"], evaluator="regex"), "parts").expected == ["a"]


@each_row(
    ("expected", "has"),
    [
        (["a"], True),
        ({"value": ["a"]}, True),
        ([], False),
        ("a", False),
        ({"value": "ab"}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_gold_of_one_value_is_no_list(expected: Any, has: bool) -> None:
    names = ("two_pass", "match", "llm_judge", "gaia", "browsecomp", "browsecomp_zh", "webwalkerqa", "xbench", "caia")
    assert [has_list(case(expected, evaluator=name)) for name in names] == [has] * len(names)


@each_row(
    ("count", "rule", "said"),
    [
        (1, "any", "1 gold is a list: any one of the items is right (`gold: parts` or --gold parts asks for all)"),
        (2, "any", "2 golds are lists: any one of the items is right (`gold: parts` or --gold parts asks for all)"),
        (1, "parts", "1 gold is a list: all items are asked for (a test's own `gold` overrides)"),
        (0, "parts", "0 golds are lists: all items are asked for (a test's own `gold` overrides)"),
    ],
)
def test_the_rule_is_said_with_how_many_lists_there_are(count: int, rule: Any, said: str) -> None:
    assert list_words(count, rule) == said


@each_row(
    ("expected", "evaluator", "is_so"),
    [
        (["a", "b"], "two_pass", True),
        ({"value": ["a"]}, "match", True),
        ({"value": ["a"], "gold": "parts"}, "two_pass", False),
        ({"value": ["a"], "gold": "any"}, "two_pass", False),
        ("a", "two_pass", False),
        (["a"], "regex", False),
    ],
)
def test_a_list_is_open_unless_its_test_says_what_it_means(expected: Any, evaluator: str, is_so: bool) -> None:
    assert is_open(case(expected, evaluator=evaluator)) is is_so
