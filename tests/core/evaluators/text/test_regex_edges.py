"""What a pattern takes out of a response, and what is said where it takes nothing."""

from __future__ import annotations

from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.text.regex import RegexEvaluator, extracted_by_pattern
from modex.core.verdict import Compared, Extracted
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample
from tests.rows import each_row


@each_row(
    ("pattern", "text", "settings", "answer"),
    [
        (r"(a)|(b)", "b", {}, "b"),
        (r"x=(\d*)", "x=1 x=", {}, ""),
        (r"x=(\d)?", "x=1 x=", {}, "x="),
        (r"\d*", "a1b", {}, "1"),
        (r"\d*", "ab", {}, ""),
        (r"\d+", "1 2 3", {}, "3"),
        (r"\d+", "1 2 3", {"take": "first"}, "1"),
        (r"\d+", "1 2 3", {"take": "last"}, "3"),
        (r"A: (\w+)", "a: x", {}, None),
        (r"A: (\w+)", "a: x", {"ignore_case": True}, "x"),
        (r"(\w+)$", "a  \n", {}, None),
        (r"(\w+)$", "a  \n", {"trim_lines": True}, "a"),
        (r"<(.*)>", "< b >", {}, "b"),
        (None, " b ", {}, "b"),
    ],
)
def test_the_first_group_that_took_part_in_the_last_match_is_the_answer(
    pattern: str | None, text: str, settings: dict[str, Any], answer: str | None
) -> None:
    assert extracted_by_pattern(text, config("regex", extraction_regex=pattern, config=settings)) == answer


def judged(
    response: str, expected: Any, pattern: str | None, *, reply: str | None = None, **settings: Any
) -> EvaluationResult:
    own = config("regex", id="r", extraction_regex=pattern, uses_pass2=reply is not None, config=settings)
    extractor = ScriptedClient(reply) if reply is not None else None
    return RegexEvaluator().evaluate(sample(response, expected), context(own, extractor=extractor))


@each_row(
    ("response", "words", "score", "why"),
    [
        ("red 7", ["red"], 1.0, ""),
        ("7", ["red"], 0.0, "missing: red"),
        ("redder 7", ["red", "blue"], 0.0, "missing: red, blue"),
        ("red or blue: 7", ["red", "blue"], 1.0, ""),
    ],
)
def test_required_words_must_stand_beside_the_answer(response: str, words: list[str], score: float, why: str) -> None:
    result = judged(response, 7, r"(\d+)", comparison="exact_number", required_keywords=words)
    assert result.score == score
    assert not why or part(result, Compared).why == why


@each_row(
    ("response", "pattern", "settings", "why"),
    [
        ("none", r"(\d+)", {"comparison": "exact_number"}, "the pattern does not occur in the response"),
        ("none", r"(\w+)", {"comparison": "found"}, "the pattern occurs"),
        ("a b", None, {"comparison": "required_keywords"}, "missing: c"),
        ("a b c", None, {"comparison": "required_keywords"}, "all found"),
        ("x", None, {"comparison": "use_expected_as_pattern"}, "no expected pattern occurs"),
    ],
)
def test_the_reason_says_what_is_missing(
    response: str, pattern: str | None, settings: dict[str, Any], why: str
) -> None:
    assert part(judged(response, ["a", "b", "c"], pattern, **settings), Compared).why == why


@each_row(
    ("response", "expected", "pattern", "comparison", "score"),
    [
        ("The total is: 7.", 7, r"is: (\d)", "exact_number", 1.0),
        ("The total is: 7.", 8, r"is: (\d)", "exact_number", 0.0),
        ("The total is 7.", 7, r"is: (\d)", "exact_number", 0.0),
        ("7", 7, None, "exact_number", 0.0),
        ("I first thought it is: 7. No, that was wrong.", 7, r"is: (\d)", "exact_number", 0.0),
        ("The total is: 7? No.", 7, r"is: (\d)", "exact_number", 0.0),
        ("The total is: 7.", "7", r"is: (\d)", "found", 0.0),
        ("The total is: 7.", "[67]", r"is: (\d)", "use_expected_as_pattern", 1.0),
    ],
)
def test_where_pass_2_finds_nothing_the_pattern_reads_only_what_is_right_and_asserted(
    response: str, expected: Any, pattern: str | None, comparison: str, score: float
) -> None:
    result = judged(response, expected, pattern, reply="ANSWER: NO_ANSWER", comparison=comparison)
    assert (result.score, result.pass2_used) == (score, True)
    if score:
        found = part(result, Extracted)
        assert (found.state, found.fault, found.source) == ("by_rules", "found_nothing", "pattern")
