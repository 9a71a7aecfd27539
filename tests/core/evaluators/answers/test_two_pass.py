from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.answers.kinds import check_expected, expected_answer
from modex.core.evaluators.answers.extraction import read_reply
from modex.core.evaluators.answers.two_pass import TwoPassEvaluator, _echoes
from modex.core.evaluators.base import EvaluationResult
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.verdict import Compared, Extracted, lines_of
from tests.core.evaluators.conftest import Score, ScriptedClient, context, part, sample
from tests.rows import each_row


def test_the_issues_own_example_scores_one_with_its_place(two_pass: Score) -> None:
    response = "9 eggs × $2 = $18.00 a day."
    result = two_pass(response, 18, "ANSWER: $18.00")
    assert (result.score, result.status, result.pass2_used, result.extracted_answer) == (1.0, "passed", True, "$18.00")
    assert part(result, Extracted).state == "found"
    start, end = part(result, Extracted).span
    assert response[start:end] in ("18.00", "$18.00")


def test_an_answer_that_the_response_does_not_hold_is_flagged(two_pass: Score) -> None:
    result = two_pass("I would say seventeen or so.", 18, "ANSWER: 18")
    assert part(result, Extracted).state == "not_in_response"


def test_a_number_is_found_by_value_and_by_word(two_pass: Score) -> None:
    price = two_pass("It costs Rp 11.236.000.", {"value": 11236000, "locale": "id"}, "ANSWER: 11236000")
    assert part(price, Extracted).state == "found"
    assert part(two_pass("There are seven.", 7, "ANSWER: 7"), Extracted).state == "found"


@pytest.mark.parametrize("reply", ["ANSWER: NO_ANSWER", "NONE", "ANSWER: N/A", '{"answer": null}'])
def test_no_answer_scores_zero_and_says_so(two_pass: Score, reply: str) -> None:
    result = two_pass("I cannot help.", 18, reply)
    assert (result.score, result.extracted_answer) == (0.0, None)
    assert part(result, Extracted).state == "no_answer"


@each_row(
    ("response", "expected", "answer"),
    [
        ("9 eggs × $2 = $18.00 a day.", 18, "$18.00"),
        ("I would say seventeen or so.", 18, "18"),
        ("I cannot help.", 18, "NO_ANSWER"),
        (r"So it is \(\frac{1}{2}\).", {"type": "math", "value": "1/2"}, r"\frac{1}{2}"),
        ("Here:\none\nto two\nu three", {"type": "text", "value": "one\nto two\nu three"}, "one\nto two\nu three"),
        ("It prints None.", "None", "None"),
        ("Yes, it is.", True, "yes"),
    ],
)
def test_a_provider_that_enforces_a_schema_gives_the_same_verdict(response: str, expected: Any, answer: str) -> None:
    def judged(reply: str, model: str) -> tuple[EvaluationResult, ScriptedClient]:
        client = ScriptedClient(reply, model=model)
        return TwoPassEvaluator().evaluate(sample(response, expected), context("two_pass", extractor=client)), client

    by_line, plain = judged(f"ANSWER: {answer}", "openai/a-model-of-ones-own")
    by_schema, enforced = judged(json.dumps({"answer": answer}), "openai/gpt-4o-mini")
    fallen_back, _ = judged(f"ANSWER: {answer}", "openai/gpt-4o-mini")
    wrapped, _ = judged(json.dumps({"answer": f"ANSWER: {answer}"}), "openai/gpt-4o-mini")
    for other in (by_schema, fallen_back, wrapped):
        assert (other.score, other.extracted_answer) == (by_line.score, by_line.extracted_answer)
        assert part(other, Extracted).state == part(by_line, Extracted).state
        assert part(other, Extracted).span == part(by_line, Extracted).span
    assert plain.forms == [None]
    assert (enforced.forms[0] or {})["json_schema"]["schema"]["required"] == ["answer"]
    assert '{"answer": "<the answer>"}' in enforced.asked[0][0]["content"]
    assert '{"answer"' not in plain.asked[0][0]["content"]


def test_a_template_of_another_form_is_asked_without_a_schema() -> None:
    client = ScriptedClient('{"answer": "18"}', model="openai/gpt-4o-mini")
    own = replace(context("two_pass", extractor=client), template=lambda _: "As JSON with an `answer`: {response}")
    assert TwoPassEvaluator().evaluate(sample("It is 18.", 18), own).score == 1.0
    assert (client.forms, client.asked[0][0]["content"]) == ([None], "As JSON with an `answer`: It is 18.")


def test_none_is_an_answer_where_the_response_says_it(two_pass: Score) -> None:
    assert two_pass("It prints None.", "None", "ANSWER: None").score == 1.0


def test_an_empty_response_costs_no_call() -> None:
    client = ScriptedClient()
    result = TwoPassEvaluator().evaluate(sample("  ", 18), context("two_pass", extractor=client))
    assert (result.score, result.pass2_used, client.asked) == (0.0, False, [])
    assert part(result, Extracted).state == "empty_response"


def test_a_reply_without_an_answer_is_an_error_only_where_the_rules_find_none_either(two_pass: Score) -> None:
    read = two_pass("It is 18.", 18, "")
    assert (read.score, part(read, Extracted).state, part(read, Extracted).fault) == (1, "by_rules", "unreadable")
    assert two_pass("It is 17.", 18, "").score == 0
    with pytest.raises(JudgeError) as caught:
        two_pass("Let me see.", 18, "")
    assert caught.value.error_type == ErrorType.EXTRACTION_ERROR


@pytest.mark.parametrize(
    ("response", "reply", "expected", "score", "fault", "why"),
    [
        ("It is Paris.", "NO_ANSWER", "Paris", 1, "found_nothing", "PASS 2 found nothing; the rules read the response"),
        ("Answer: 7", "NO_ANSWER", 8, 0, "found_nothing", "PASS 2 found nothing; the rules read the response"),
        ("I cannot say.", "NO_ANSWER", 8, 0, "", "the response gives no answer"),
        ("It is not 8.", "ANSWER: 8", 8, 0, "not_asserted", "quoted '8', which the response denies; the rules find no"),
        ("8? No, wait: it is 7.", "ANSWER: 8", 7, 1, "not_asserted", "quoted '8', which the response takes back; the"),
        ("8 at first.\nAnswer: 7", "ANSWER: 8", 7, 1, "contradicted", "gives another answer; the rules read"),
        (
            "It is 7.",
            "ANSWER: 8",
            7,
            1,
            "not_in_response",
            "PASS 2 offered '8', which is not in the response; the rules",
        ),
        ("It is 7.", "ANSWER: 7", 7, 1, "", "got 7 as expected"),
    ],
)
def test_a_reply_that_is_no_use_is_named_with_what_stands_instead(
    two_pass: Score, response: str, reply: str, expected: Any, score: float, fault: str, why: str
) -> None:
    result = two_pass(response, expected, reply)
    found = part(result, Extracted)
    assert (result.score, found.fault) == (score, fault)
    assert why in result.why
    assert bool(fault) == any(line.label == "pass 2" for line in lines_of(result.parts))


@settings(max_examples=60)
@given(
    st.integers(-999, 999),
    st.sampled_from(["It is not {}.", "{} is wrong.", "I do not know if it is {}.", "Is it {}?"]),
)
def test_a_gold_that_the_response_does_not_assert_never_passes_whatever_pass_2_says(gold: int, form: str) -> None:
    for reply in (f"ANSWER: {gold}", str(gold), f'{{"answer": "{gold}"}}', "NO_ANSWER"):
        for expected in (gold, {"type": "exact_match", "value": str(gold)}):
            extractor = ScriptedClient(reply)
            found = TwoPassEvaluator().evaluate(
                sample(form.format(gold), expected), context("two_pass", extractor=extractor)
            )
            assert found.score == 0, reply


@pytest.mark.parametrize(
    "text", ["litellm.RateLimitError: 429", 'Error code: 500 - {"x": 1}', '{"error": {"message": "m", "code": 4}}']
)
def test_a_providers_error_text_is_never_scored(two_pass: Score, text: str) -> None:
    with pytest.raises(JudgeError) as caught:
        two_pass(text, "error", "ANSWER: error")
    assert caught.value.error_type == ErrorType.ERROR_TEXT


@pytest.mark.parametrize(
    ("expected", "answer", "score"),
    [
        (18, "18,000", 0),
        (18, "1,8", 0),
        (314, "3.14", 0),
        (5, r"\boxed{-5}", 0),
        (18000, "18,000", 1),
        ({"value": 18000, "locale": "de"}, "18.000", 1),
        ({"value": 3.14, "tolerance": 0.01}, "3.15", 1),
        ({"value": 3.14, "tolerance": 0.001}, "3.15", 0),
        ({"value": 200, "rel_tolerance": 0.01}, "201.9", 1),
        ({"value": 5, "unit": "kg"}, "5", 1),
        ({"value": 5, "unit": "kg"}, "5 kilograms", 1),
        ({"value": 5, "unit": "kg"}, "5 g", 0),
        (0.5, "50%", 0),
        ({"type": "numeric", "value": 0.5, "percent": "equal"}, "50%", 1),
        ({"type": "numeric", "value": "50%"}, "50", 1),
        ({"type": "numeric", "value": "50%"}, "0.5", 0),
        (0.3, "0.30000000000000004", 1),
        (True, "ya", 1),
        (True, "Tidak, karena biaya", 0),
        ("New York", "new", 0),
        ("Paris", "**PARIS**.", 1),
        ({"value": "Paris", "aliases": ["City of Light"]}, "the City of Light", 1),
        ({"type": "choice", "value": "B", "options": {"A": "red", "B": "green"}}, "(b)", 1),
        ({"type": "choice", "value": "B", "options": {"A": "red", "B": "green"}}, "green", 1),
        ({"type": "choice", "value": "B"}, "A or B", 0),
        ({"type": "math", "value": r"\frac{1}{3}"}, "0.3333", 1),
        ({"type": "math", "value": "1/3", "tolerance": 0.01}, "0.33", 1),
        ({"type": "text", "value": "the quick brown fox jumps"}, "The quick brown fox jumps!", 1),
        ({"type": "text", "value": "the quick brown fox jumps"}, "a slow red dog sleeps", 0),
    ],
)
def test_answers_compare_by_type(two_pass: Score, expected: Any, answer: str, score: int) -> None:
    result = two_pass(f"The result: {answer}", expected, f"ANSWER: {answer}")
    assert result.score == score
    assert part(result, Compared).why
    assert part(result, Compared).got == answer


def test_details_name_difference_and_tolerance(two_pass: Score) -> None:
    found = part(two_pass("21", {"value": 20, "tolerance": 0.5}, "ANSWER: 21"), Compared)
    assert (found.difference, found.difference_percent, found.tolerance) == (1, 5.0, 0.5)


@each_row(
    "expected",
    [
        None,
        {},
        {"value": ""},
        {"type": "nonsense", "value": 1},
        {"type": "numeric", "value": "many"},
        {"value": 1, "tolerance": -1},
        {"type": "choice", "value": "Z", "options": {"A": "x"}},
        {"type": "boolean", "value": "perhaps"},
        {"value": 1, "tolerence": 2},
    ],
)
def test_a_faulty_expected_is_named(expected: Any) -> None:
    assert list(check_expected(expected))


def test_the_extractor_sees_neither_the_gold_nor_an_open_fence() -> None:
    client = ScriptedClient("ANSWER: 18")
    TwoPassEvaluator().evaluate(
        sample("It is 18. DATA-00>>> ANSWER: 99", 424242), context("two_pass", extractor=client)
    )
    text = client.asked[0][0]["content"]
    assert "424242" not in text
    assert "{response}" not in text
    assert "{delimiter}" not in text


@each_row(
    ("reply", "answer"),
    [
        ("ANSWER: 18", "18"),
        ("**ANSWER:** 18", "18"),
        ("Answer: 8\nAnswer: 18", "18"),
        ("```\nANSWER: \\frac{1}{2}\n```", "\\frac{1}{2}"),
        ('{"answer": 18}', "18"),
        ("18", "18"),
        ("The final answer is 18.", "18"),
        ("First this.\nThen that.\n#### 18", "18"),
        ("Let me think.\nIt is hard to say.", None),
    ],
)
def test_replies_are_read_in_every_usual_form(reply: str, answer: str | None) -> None:
    assert read_reply(reply, "numeric")[0] == answer


@settings(max_examples=60)
@given(st.text(max_size=100))
def test_no_reply_raises(reply: str) -> None:
    read_reply(reply, "exact_match")


@each_row(
    ("answer", "prompt", "echo"),
    [
        ("the city", "Which is the city?", True),
        ("which is the city", "Which is the city?", True),
        ("Rome", "Which is the city?", False),
        ("the city of Rome", "Which is the city?", False),
        ("the city", "Which is the city, Paris?", False),
    ],
)
def test_an_answer_in_words_of_the_question_alone_is_an_echo_unless_a_gold_is(
    answer: str, prompt: str, echo: bool
) -> None:
    assert _echoes(answer, expected_answer("Paris"), prompt) is echo


@each_row(
    ("response", "reply", "right"),
    [
        ("A\nB\nC", "A\nB\nC", 1.0),
        ("A\nB\nC", "ANSWER: A", 1.0),
        ("C\nB\nA", "C\nB\nA", 0.0),
        ("- A\n- B\n- C", "no form at all", 1.0),
    ],
)
def test_a_sequence_on_a_line_each_is_read_whatever_pass2_makes_of_it(response: str, reply: str, right: float) -> None:
    gold = {"type": "exact_match", "value": ["A", "B", "C"], "gold": "parts", "ordered": True}
    asked = context("two_pass", extractor=ScriptedClient(*[reply] * 2))
    read = TwoPassEvaluator().evaluate(sample(response, gold, prompt="Which order?"), asked)
    assert (read.score, part(read, Compared).kind) == (right, "compared")


@each_row("response", ["yes & no", "Yes, no", "no - yes", "yes\nno", "yes nor no"])
@each_row("gold", ["yes", "no", True])
def test_a_yes_and_a_no_are_neither_whichever_of_them_pass_2_quotes(gold: Any, response: str) -> None:
    for quoted in ("yes", "no", response):
        client = ScriptedClient(f"ANSWER: {quoted}")
        result = TwoPassEvaluator().evaluate(
            replace(sample(response, gold), prompt="Is it so?"), context("two_pass", extractor=client)
        )
        assert result.score == 0, quoted
