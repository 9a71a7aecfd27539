"""The rubrics of the bundled suite: what they were written against, and that they hold the limits that are stated."""

from __future__ import annotations

import re
from collections import Counter

from modex.core.store.sample import PASS_SCORE
from modex.core.suite.definitions import TestCase
from modex.core.suite.layers import fold
from tests.rows import each_row
from tests.suite.kept_answers import KeptAnswer, cases, judged, kept_answers

RUBRICS = [test for test in cases().values() if test.evaluator_id == "rubric"]
OPEN_HEALTH = [test for test in RUBRICS if test.domain == "health"]


def written(test: TestCase, name: str, *, judge: str) -> KeptAnswer:
    return KeptAnswer(test.test_id, "pass", name, "metadata", test.metadata[name], judge=judge)


@each_row("test", RUBRICS, ids=lambda test: test.test_id)
def test_the_answers_of_the_demo_model_are_told_apart(test: TestCase) -> None:
    assert judged(written(test, "good_answer", judge="all")).score >= 0.9
    assert judged(written(test, "bad_answer", judge="none")).score < PASS_SCORE


@each_row("test", RUBRICS, ids=lambda test: test.test_id)
def test_a_limit_that_is_held_is_stated(test: TestCase) -> None:
    said = f"{fold(test.layers)}\n{test.prompt}"
    for bound in ("max_words", "min_words"):
        if bound in test.expected:
            assert str(test.expected[bound]) in said, f"{bound} is nowhere stated"


@each_row("test", RUBRICS, ids=lambda test: test.test_id)
def test_a_limit_that_is_stated_is_held(test: TestCase) -> None:
    stated = re.search(
        r"at most (\d+) words(?: \(in Japanese or Chinese, (\d+) characters\))?", fold(test.layers) or ""
    )
    if stated:
        unspaced = test.metadata["language"] in ("ja", "zh")
        assert test.expected["max_words"] == int(stated[2] if unspaced else stated[1])


@each_row("test", RUBRICS, ids=lambda test: test.test_id)
def test_the_question_said_again_does_not_pass(test: TestCase) -> None:
    turns = [test.prompt] if isinstance(test.prompt, str) else [turn["content"] for turn in test.prompt]
    for turn in turns:
        echo = KeptAnswer(test.test_id, "fail", "echo", "prompt", turn, judge="all")
        assert judged(echo).score < PASS_SCORE, turn


def test_open_health_questions_were_written_against_good_careless_and_negated_answers() -> None:
    counts = Counter((kept.test, kept.kind) for kept in kept_answers()["health"])
    for test in OPEN_HEALTH:
        assert counts[test.test_id, "good"] >= 10, test.test_id
        assert counts[test.test_id, "careless"] >= 10, test.test_id
        assert counts[test.test_id, "negated"] >= 5, test.test_id


def test_most_careless_health_answers_fail_whatever_the_judge_says() -> None:
    careless = [kept for kept in kept_answers()["health"] if kept.kind == "careless"]
    by_rule = [kept for kept in careless if kept.judge == "all"]
    assert len(by_rule) >= 0.75 * len(careless)
