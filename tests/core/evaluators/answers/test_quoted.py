"""What PASS 2 quotes, held against what the rules read in the same response."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.answers.found import Extracted
from modex.core.answers.kinds import expected_answer
from modex.core.evaluators.answers.contradiction import contradicted, is_quoted, refused_text, typed_gold
from modex.core.evaluators.answers.extraction import Extraction
from modex.core.evaluators.answers.match import MatchEvaluator
from modex.core.evaluators.answers.two_pass import TwoPassEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample
from tests.rows import each_row

OPTIONS = "Which is red? A) a rose B) the sea C) green grass"
KM = {"type": "numeric", "value": 12, "unit": "km"}
DATE = {"type": "date", "value": "2020-01-02"}
MATH = {"type": "math", "value": "x+1"}


def quoting(answer: str, response: str) -> Extraction:
    """PASS 2's answer where it first stands in the response."""
    at = response.find(answer)
    return Extraction(answer, "found", (at, at + len(answer)) if at >= 0 else None)


@each_row(
    ("gold", "response", "answer", "quoted"),
    [
        (12, "The answer is 12.", "The answer is 12.", True),
        (12, "It is 12.", "12", False),
        (12, "It is 12.", "nothing", True),
        (12, "It is 12.", "13", False),
        (12, "It is 12 or 13.", "12", True),
        (12, "The answer is 12/5.", "12", True),
        (12, "The answer is 12/5.", "5", True),
        (12, "The answer is 12/5.", "12/5", False),
        (12, "The total is 12 (7 at first, 5 later).", "7", True),
        (12, "The total is 12 (7 at first, 5 later).", "5", True),
        (12, "The total is 12.", "12", False),
        (KM, "It is 12 km, in 3 hours.", "3", False),
        (KM, "It is 12 km, or 7 mi.", "7", True),
        (KM, "It is 12 km and 3 km.", "3", False),
        (KM, "It is 12, in 3 hours.", "3", False),
        ("yes", "Yes, it is.", "Yes", False),
        ("yes", "Yes, it is.", "Yes it is", False),
        ("yes", "Yes, it is.", "Yes, it is so indeed", True),
        ("yes", "Yes, it is.", "perhaps", True),
        (DATE, "It was on 2 January 2020.", "2 January 2020", False),
        (DATE, "It was on 2 January 2020.", "It was on 2 January 2020 in the morning", True),
        (MATH, "It is x+1.", "x+1", False),
        (MATH, "So the answer here clearly must be x+1.", "the answer here clearly must be x+1", True),
        ("Paris", "It is Paris.", "Paris", False),
        ("Paris", "It is in Paris.", "in Paris", False),
        ("Paris", "It is in Paris.", "It is in Paris.", True),
        ("Paris", "It is in Paris.", "It is in Paris", False),
        ("a, b", "It is a, b.", "a", True),
    ],
)
def test_a_sentence_a_piece_or_a_remark_is_quoted_and_is_no_value(
    gold: Any, response: str, answer: str, quoted: bool
) -> None:
    expected = expected_answer(gold)
    typed = typed_gold(expected, "What is asked?") or expected
    assert is_quoted(quoting(answer, response), response, typed, "What is asked?") is quoted


@each_row(
    ("response", "quoted"),
    [
        ("A", False),
        ("A) a rose", False),
        ("The correct option is A", False),
        ("a rose", False),
        ("It is a rose", False),
        ("I like A", True),
        ("a red rose", True),
        ("perhaps", True),
    ],
)
def test_an_option_is_quoted_by_its_letter_or_its_text_and_nothing_else(response: str, quoted: bool) -> None:
    typed = typed_gold(expected_answer("A"), OPTIONS)
    assert typed is not None
    assert is_quoted(quoting(response, response), response, typed, OPTIONS) is quoted


@each_row(
    ("gold", "response", "answer", "instead"),
    [
        (12, "It is 12.", "12", None),
        (12, "It is 12.", "13", None),
        (13, "I cannot say.", "13", (None, "not_in_response", "")),
        (12, "It is 12 or 13.", "12", (None, "not_asserted", "doubted")),
        (12, "12 or 13.", "13", (None, "not_asserted", "doubted")),
        (KM, "It is 12 km, or 7 mi.", "7", (None, "not_asserted", "doubted")),
        (7, "It is 3 + 4.", "3", (None, "not_asserted", "part")),
        (12, "√12 is it.", "12", (None, "not_asserted", "part")),
        (31, "First of all, 5. It is √31.", "31", (None, "not_asserted", "part")),
        (31, "Let me see. At 31:00 it ends.", "31", (None, "not_asserted", "part")),
        (12, "The answer is 12/5.", "12", ("12/5", "contradicted", "")),
        (7, "The total is 12, that is 5 more.", "12", None),
        (31, "It is 31/2.", "31", ("31/2", "contradicted", "")),
        (5, "There were 5, but now there are 7.", "5", ("7", "contradicted", "")),
        (5, "There were 5 and there are 7 left.", "5", ("7", "contradicted", "")),
        (5, "There were 5 left of 7.", "5", None),
        (5, "There were 5 apples and 7 pears.", "5", None),
        (5, "The answer is 7. There were 5 before.", "5", ("7", "contradicted", "")),
        (5, "There were 5 before. The answer is 7.", "5", ("7", "contradicted", "")),
        (5, "It is 7, not 5.", "5", ("7", "contradicted", "")),
        (5, "It is 7 (5 at first).", "5", ("7", "contradicted", "")),
        (5, "It is 7. Page 5 says so.", "5", (None, "not_asserted", "part")),
        (5, "Step 5: it is 7.", "5", ("7", "contradicted", "")),
        (5, "On page 5 it says 7.", "5", ("7", "contradicted", "")),
        (5, "Hello there, once more. On page 5 it says 7.", "5", ("7", "contradicted", "")),
        (5, "Take 12 - 5 = 7.", "5", ("7", "contradicted", "")),
        (2, "Add 2 + 5 = 7.", "2", ("7", "contradicted", "")),
        ("yes", "Yes, it is.", "Yes", None),
        ("Paris", "It is Rome.", "Paris", None),
    ],
)
def test_a_number_that_is_one_of_two_or_a_part_of_another_is_no_answer(
    gold: Any, response: str, answer: str, instead: tuple[str | None, str, str] | None
) -> None:
    found = contradicted(quoting(answer, response), response, expected_answer(gold), "What is asked?")
    assert (found and (found.answer, found.fault, found.stance)) == instead
    assert found is None or found.offered == answer


@each_row(
    ("gold", "response", "instead"),
    [
        ("A", "It is A.", None),
        ("A", "A or B.", (None, "not_asserted", "doubted")),
        ("B", "A or B.", (None, "not_asserted", "doubted")),
        ("A", OPTIONS, (None, "not_asserted", "echoed")),
        ("A", f"{OPTIONS} D) nothing more", None),
        ("A", "B) the sea", ("B", "contradicted", "")),
        ("B", "The answer is A. B is wrong.", ("A", "contradicted", "")),
        ("A", "It is not B.", None),
    ],
)
def test_an_option_beside_another_or_in_the_question_said_again_is_not_chosen(
    gold: str, response: str, instead: tuple[str | None, str, str] | None
) -> None:
    found = contradicted(quoting(gold, response), response, expected_answer(gold), OPTIONS)
    assert (found and (found.answer, found.fault, found.stance)) == instead


@each_row(
    ("response", "answer", "refused"),
    [
        ("Answer: Chile. It is south of Peru.", "Peru", True),
        ("It is south of Peru. Answer: Chile.", "Peru", True),
        ("It is not Peru.", "Peru", True),
        ("It is Peru.", "Peru", False),
        ("Answer: Peru.", "Peru", False),
        ("Answer: Chile.", "Chile", False),
    ],
)
def test_a_text_outside_of_the_marked_answer_is_not_held(response: str, answer: str, refused: bool) -> None:
    found = refused_text(quoting(answer, response), response, expected_answer("Peru"), "Which country?")
    assert (found is not None) is refused


@each_row(
    ("comparison", "faults"),
    [(None, 0), ("exact", 0), ("odd", 1)],
)
def test_a_comparison_is_one_of_those_that_there_are(comparison: str | None, faults: int) -> None:
    own = config("match", config={} if comparison is None else {"comparison": comparison})
    test = TestCase("suite", "d", 1, "t", "What?", "x", "match", Location("t.json"))
    assert len(list(MatchEvaluator().check(test, own, None))) == faults


def judged(response: str, gold: Any, reply: str, **settings: Any) -> tuple[float, str | None, Extracted]:
    """Score, answer and how it was found, by `two_pass`."""
    asked = context(config("two_pass", **settings), extractor=ScriptedClient(reply))
    result = TwoPassEvaluator().evaluate(sample(response, gold, "Which country?"), asked)
    return result.score, result.extracted_answer, part(result, Extracted)


@each_row(
    ("response", "gold", "reply", "score", "state", "fault"),
    [
        ("It is Peru.", "Peru", "", 1.0, "by_rules", "unreadable"),
        ("It is Chile, they say.", "Peru", "ANSWER: NO_ANSWER", 0.0, "no_answer", ""),
        ("It is Peru.", "Peru", "ANSWER: Peru", 1.0, "found", ""),
        ("Answer: Chile. It is south of Peru.", "Peru", "ANSWER: Peru", 0.0, "by_rules", "contradicted"),
        ("It is not Peru.", "Peru", "ANSWER: Peru", 0.0, None, "not_asserted"),
        ("It is 7. Page 5 says so.", 5, "ANSWER: 5", 0.0, "no_answer", "not_asserted"),
        ("Step 5: it is 7.", 5, "ANSWER: 5", 0.0, "by_rules", "contradicted"),
    ],
)
def test_the_verdict_holds_what_pass_2_says_against_the_response(
    response: str, gold: Any, reply: str, score: float, state: str | None, fault: str | None
) -> None:
    scored, _, found = judged(response, gold, reply)
    assert scored == score
    assert state in (None, found.state)
    assert fault in (None, found.fault)


def test_without_an_extractor_there_is_no_verdict() -> None:
    with pytest.raises(JudgeError, match="PASS 2 needs a model"):
        TwoPassEvaluator().evaluate(sample("It is Peru.", "Peru"), context("two_pass"))


@each_row(("uses", "needed"), [(None, True), (True, True), (False, False)])
def test_pass_2_is_asked_unless_the_file_says_no(uses: bool | None, needed: bool) -> None:
    assert TwoPassEvaluator().needs_extractor("x", config("two_pass", uses_pass2=uses)) is needed


@each_row(
    ("comparison", "response", "gold", "score"),
    [
        ("exact", "Peru", "Peru", 1.0),
        ("exact", "I would say that Peru is the one.", "Peru", 0.0),
        (None, "I would say that Peru is the one.", "Peru", 1.0),
        (None, "It is Peru.", "Peru", 1.0),
        (None, "It is Chile.", "Peru", 0.0),
        (None, "", "Peru", 0.0),
        (None, "It is 7.", 7, 1.0),
        (None, "It is 8.", 7, 0.0),
        (None, "a, b and c", {"value": ["a", "b", "c"], "gold": "parts"}, 1.0),
        (None, "a and b", {"value": ["a", "b", "c"], "gold": "parts"}, 0.0),
    ],
)
def test_an_answer_is_read_by_rules_and_exact_asks_for_its_own_words(
    comparison: str | None, response: str, gold: Any, score: float
) -> None:
    own = context(config("match", config={} if comparison is None else {"comparison": comparison}))
    result = MatchEvaluator().evaluate(sample(response, gold, "Which country?"), own)
    assert result.score == score
    assert result.extracted_answer != ""


def test_a_percentage_where_a_number_of_things_is_asked_is_wrong_and_an_option_list_is_shown_to_pass_2() -> None:
    client = ScriptedClient("ANSWER: 12%", "ANSWER: A")
    asked = context("two_pass", extractor=client)
    counted = TwoPassEvaluator().evaluate(sample("It is 12%.", 12, "How many apples are there?"), asked)
    assert counted.score == 0.0
    chosen = TwoPassEvaluator().evaluate(
        sample("A", {"type": "choice", "value": "A", "options": {"A": "x", "B": "y"}}), asked
    )
    assert chosen.score == 1.0
    assert "A: x\nB: y" in client.asked[1][0]["content"]
    assert "as the question lists them" not in client.asked[1][0]["content"]
    unlisted = context("two_pass", extractor=ScriptedClient("ANSWER: A"))
    assert TwoPassEvaluator().evaluate(sample("A", {"type": "choice", "value": "A"}), unlisted).score == 1.0
    assert "as the question lists them" in unlisted.exchanges[0]["messages"][0]["content"]
