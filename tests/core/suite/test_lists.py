from __future__ import annotations

from typing import Any

from modex.core.evaluators.judging.judge import expected_text
from modex.core.suite.definitions import Location, TestCase
from modex.core.suite.lists import has_list, list_words, with_gold
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


def test_the_rule_is_said() -> None:
    assert "any one" in list_words(2, "any")
    assert "all items" in list_words(1, "parts")
