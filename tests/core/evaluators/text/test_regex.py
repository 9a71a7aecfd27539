from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.text.regex import RegexEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from tests.core.evaluators.conftest import ScriptedClient, config, context, sample
from tests.rows import each_row


def score(response: str, expected: Any, pattern: str | None = None, **settings: Any) -> EvaluationResult:
    own = config("regex", id="r", extraction_regex=pattern, config=settings)
    return RegexEvaluator().evaluate(sample(response, expected), context(own))


@each_row(
    ("response", "expected", "pattern", "comparison", "right"),
    [
        ("FINAL: 7", 7, r"FINAL: (\S+)", "exact_number", 1),
        ("FINAL: 95", 7, r"FINAL: (\S+)", "exact_number", 0),
        ("FINAL: 7.00", 7, r"FINAL: (\S+)", "exact_number", 1),
        ("a: x\na: Paris", "paris", r"a: (\w+)", "exact", 1),
        ("aaa", "a+", r"(.*)", "use_expected_as_pattern", 1),
        ("x\n7", 7, r"[^\n]*", "exact_number", 1),
        ("(b)", "B", None, "choice", 1),
        ("A or B", "B", None, "choice", 0),
        ("2026-11-21", r"^\d{4}-\d\d-\d\d$", None, "use_expected_as_pattern", 1),
        ("on 2026-11-21\nyes", r"^\d{4}-\d\d-\d\d$", None, "use_expected_as_pattern", 0),
        ("red and green", ["red", "green", "blue", "re"], None, "required_keywords", 0.5),
        ("nothing", 7, r"FINAL: (\S+)", "exact_number", 0),
        ("a: Lyon", "Paris", r"a: (\w+)", "by_gold", 0),
        ("a: Paris", "Paris", r"a: (\w+)", "by_gold", 1),
        ("a: 7.0", 7, r"a: (\S+)", "by_gold", 1),
        ("a: Paris", "", r"a: (\w+)", "by_gold", 1),
        ("b: Paris", None, r"a: (\w+)", "by_gold", 0),
    ],
)
def test_an_extracted_answer_is_compared_by_rule(
    response: str, expected: Any, pattern: str | None, comparison: str, right: float
) -> None:
    assert score(response, expected, pattern, comparison=comparison).score == right


@pytest.mark.long
def test_a_pattern_that_backtracks_for_ever_is_an_error_that_names_it() -> None:
    with pytest.raises(JudgeError, match="took more than"):
        score("a" * 60 + "b", "x", r"(?:a|a|aa)+$c|(a+)+$")


def test_the_first_match_may_be_asked_for() -> None:
    assert score("x=1 x=2", 1, r"x=(\d)", comparison="exact_number", take="first").score == 1


def test_an_empty_match_is_no_first_answer_before_a_real_one() -> None:
    assert score("answer 1 or 2", 1, r"\d*", comparison="exact_number", take="first").score == 1


def test_pass_2_may_go_before_the_pattern() -> None:
    own = config("regex", id="r", extraction_regex=r"(\d+)", uses_pass2=True, config={"comparison": "exact_number"})
    result = RegexEvaluator().evaluate(
        sample("It is 7 at last", 7), context(own, extractor=ScriptedClient("ANSWER: 7"))
    )
    assert (result.score, result.pass2_used) == (1.0, True)


def test_nine_of_ten_required_words_are_not_enough() -> None:
    assert score("a b c d e f g h i", list("abcdefghij"), comparison="required_keywords").score == 0.6
    assert score("a b c d e f g h i j", list("abcdefghij"), comparison="required_keywords").score == 1.0


def test_blanks_at_line_ends_can_be_left_out_of_account() -> None:
    pattern = r"\Aa\nb\Z"
    assert score("a  \nb ", pattern, comparison="use_expected_as_pattern", trim_lines=True).score == 1.0
    assert score("a  \nb ", pattern, comparison="use_expected_as_pattern").score == 0.0


def test_a_list_of_patterns_means_any_of_them_unless_all_parts_are_asked() -> None:
    patterns = [r"\bred\b", r"\bblue\b"]
    rule = {"comparison": "use_expected_as_pattern"}
    assert score("only red", patterns, **rule).score == 1.0
    assert score("only red", {"value": patterns, "gold": "parts"}, **rule).score == 0.0
    assert score("red and blue", {"value": patterns, "gold": "parts"}, **rule).score == 1.0


@each_row(
    ("expected", "pattern", "settings", "said"),
    [
        (7, r"(\d+)", {"comparison": "exact_number"}, []),
        ("x", r"(", {"comparison": "exact"}, ["extraction_regex: "]),
        ("x", None, {"comparison": "other"}, ["config.comparison is one of"]),
        ("a+", None, {"comparison": "use_expected_as_pattern"}, []),
        (["a+", "(", "["], None, {"comparison": "use_expected_as_pattern"}, ["expected: ", "expected: "]),
        ("word", None, {"comparison": "required_keywords"}, []),
        (["a", "b"], None, {"comparison": "required_keywords"}, []),
        ([], None, {"comparison": "required_keywords"}, ["expected must hold the required keywords"]),
        (["a", " "], None, {"comparison": "required_keywords"}, ["expected must hold the required keywords"]),
        (["a", 1], None, {"comparison": "required_keywords"}, ["expected must hold the required keywords"]),
        (None, None, {"comparison": "by_gold"}, []),
        ("", None, {"comparison": "by_gold"}, []),
        ("x", None, {"comparison": "by_gold"}, []),
        ({"type": "nothing"}, None, {"comparison": "by_gold"}, [""]),
        (None, None, {"comparison": "found"}, ["needs an extraction_regex"]),
        (None, "x", {"comparison": "found"}, []),
        (None, None, {"comparison": "exact_number"}, [""]),
        ("x", None, {"comparison": "exact", "required_keywords": ["a"]}, []),
        ("x", None, {"comparison": "exact", "required_keywords": "a"}, ["must be a list of texts"]),
        ("x", None, {"comparison": "exact", "required_keywords": ["a", ""]}, ["must be a list of texts"]),
        ("x", None, {"comparison": "exact", "required_keywords": [1]}, ["must be a list of texts"]),
    ],
)
def test_each_mistake_of_a_pattern_a_comparison_or_a_gold_is_said_once(
    expected: Any, pattern: str | None, settings: dict[str, Any], said: list[str]
) -> None:
    own = config("regex", id="r", extraction_regex=pattern, config=settings)
    test = TestCase("suite", "d", 1, "t", "p", expected, "r", Location("t.json"))
    found = list(RegexEvaluator().check(test, own, None))
    assert len(found) == len(said)
    assert all(part in one for part, one in zip(said, found, strict=True)), found


@each_row(
    ("response", "expected", "comparison", "right"),
    [
        ("The total is: 7.", 7, "exact_number", 1),
        ("The total is: 8.", 7, "exact_number", 0),
        ("The total is: 7.", 7, "by_gold", 1),
        ("The total is: 7.", "", "by_gold", 0),
        ("The total is: 7.", ["7"], "required_keywords", 0),
    ],
)
def test_a_pattern_reads_the_response_where_pass_2_finds_nothing_and_only_what_is_right(
    response: str, expected: Any, comparison: str, right: float
) -> None:
    own = config("regex", id="r", extraction_regex=r"is: (\d)", uses_pass2=True, config={"comparison": comparison})
    judged = context(own, extractor=ScriptedClient("ANSWER: NO_ANSWER"))
    assert RegexEvaluator().evaluate(sample(response, expected), judged).score == right


@pytest.mark.parametrize(("given", "needed"), [(True, True), (False, False), (None, False)])
def test_an_extractor_is_needed_only_for_pass_2(given: bool | None, needed: bool) -> None:
    own = config("regex", extraction_regex="x", uses_pass2=given)
    assert RegexEvaluator().needs_extractor("x", own) is needed
