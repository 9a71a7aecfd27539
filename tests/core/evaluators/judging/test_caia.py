"""CAIA's protocol: judges see the whole walk, items earn points, and answer, reasoning and tool use have scores of their own."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from modex.core.config.options import Settle
from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.judging.judge import settle
from modex.core.evaluators.judging.scale import BINARY, Scale
from modex.core.evaluators.registry import get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Rubric, Votes, Weighted
from tests.core.answers.tables import differing
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample
from tests.rows import each_row

EXPECTED = {
    "items": [
        {"id": "a", "says": "The price is 42.", "points": 6, "group": "answer"},
        {"id": "r", "says": "It compares two days.", "points": 2, "group": "reasoning"},
        {"id": "t", "says": "It looked the price up.", "points": 2, "group": "tool_use"},
    ]
}


def answered() -> EvaluationSample:
    made = sample("The price is 42.", EXPECTED, "What is the price?")
    made.reasoning = "I compare Monday with Tuesday."
    made.transcript = [
        {"role": "system", "content": "secret layer"},
        {"role": "user", "content": "What is the price?"},
        {
            "role": "assistant",
            "content": "I look it up.",
            "tool_calls": [{"id": "1", "name": "price", "arguments": '{"of": "x"}'}],
        },
        {"role": "tool", "tool_call_id": "1", "name": "price", "content": "42", "is_error": False},
        {"role": "assistant", "content": "The price is 42."},
    ]
    return made


def said(**items: bool) -> str:
    return json.dumps({"reason": "so it is", "items": items})


def judged(*replies: str, judges: int = 1, **settings: Any) -> tuple[JudgeContext, list[ScriptedClient]]:
    share = len(replies) // judges
    clients = [
        ScriptedClient(*replies[number * share : (number + 1) * share], model=f"judge{number}")
        for number in range(judges)
    ]
    return context(config("caia", config=settings), judges=tuple(clients)), clients


def test_the_judge_sees_answer_reasoning_and_tool_calls_with_results() -> None:
    asked, (client,) = judged(said(a=True, r=True, t=True), repeats=1)
    get_evaluator(asked.config).evaluate(answered(), asked)
    (message,) = client.asked[0]
    for shown in ("I compare Monday with Tuesday.", 'price({"of": "x"})', "result: 42", "`t`: It looked the price up."):
        assert shown in message["content"]
    assert "secret layer" not in message["content"]


def test_an_item_may_be_given_a_part_of_its_points_and_the_judge_is_told_what_it_is_worth() -> None:
    asked, (client,) = judged(json.dumps({"reason": "so", "items": {"a": 4.5, "r": "1", "t": False}}), repeats=1)
    result = get_evaluator(asked.config).evaluate(answered(), asked)
    assert result.score == pytest.approx(5.5 / 10)
    found = part(result, Weighted)
    earned = [
        item.points
        for one in found.items
        for rubric in one.parts
        if isinstance(rubric, Rubric)
        for item in rubric.items
    ]
    assert earned == [4.5, 1.0, 0.0]
    assert part(result, Votes).votes[0].rating == 5.5
    text = client.asked[0][0]["content"]
    assert "`a`: The price is 42. (6 points)" in text
    assert '{"a": <true, false or 0 to 6>, "r": <true, false or 0 to 2>, "t": <true, false or 0 to 2>}' in text


def test_parts_of_points_are_told_in_ten_thousandths() -> None:
    asked, _ = judged(*[json.dumps({"items": {"a": points, "r": 0, "t": 0}}) for points in (1.5, 2, 1.5)])
    found = part(get_evaluator(asked.config).evaluate(answered(), asked), Weighted)
    rubrics = [one for group in found.items for one in group.parts if isinstance(one, Rubric)]
    assert [item.points for rubric in rubrics for item in rubric.items] == [1.6667, 0.0, 0.0]


def test_more_points_than_an_item_has_are_no_verdict() -> None:
    asked, (client,) = judged('{"items": {"a": 7, "r": 1, "t": 0}}', said(a=True, r=False, t=False), repeats=1)
    assert get_evaluator(asked.config).evaluate(answered(), asked).score == 0.6
    assert "points within the range for a (0 to 6)" in client.asked[1][-1]["content"]


@each_row(("how", "earned"), [("mean", 3.0), ("median", 2.0), ("majority", 0.0)])
def test_parts_of_points_settle_as_whole_ones_do(how: Settle, earned: float) -> None:
    replies = [json.dumps({"items": {"a": points, "r": 0, "t": 0}}) for points in (6, 2, 1)]
    asked, _ = judged(*replies, settle=how)
    assert get_evaluator(asked.config).evaluate(answered(), asked).score == pytest.approx(earned / 10)


def test_each_judge_is_asked_three_times_and_the_mean_counts() -> None:
    replies = [said(a=True, r=True, t=False), said(a=True, r=False, t=False), said(a=True, r=False, t=False)]
    asked, clients = judged(*replies * 3, judges=3)
    result = get_evaluator(asked.config).evaluate(answered(), asked)
    assert [len(client.asked) for client in clients] == [3, 3, 3]
    assert result.score == pytest.approx((6 + 2 / 3) / 10, abs=1e-5)
    votes = part(result, Votes)
    assert (len(votes.votes), votes.settled_by, votes.scale) == (9, "mean × 3", (0.0, 10.0))


@each_row(("how", "earned"), [("mean", 6 + 4 / 3), ("median", 8.0), ("majority", 8.0)])
def test_an_item_earns_what_mean_median_or_majority_grant(how: Settle, earned: float) -> None:
    replies = [said(a=True, r=True, t=False), said(a=True, r=True, t=False), said(a=True, r=False, t=False)]
    asked, _ = judged(*replies, settle=how)
    assert get_evaluator(asked.config).evaluate(answered(), asked).score == pytest.approx(earned / 10, abs=1e-5)


def test_answer_reasoning_and_tool_use_have_scores_and_weights_of_their_own() -> None:
    asked, _ = judged(
        said(a=True, r=False, t=True), repeats=1, weights={"answer": 0.5, "reasoning": 0.5, "tool_use": 0}
    )
    result = get_evaluator(asked.config).evaluate(answered(), asked)
    found = part(result, Weighted)
    assert [(one.evaluator, one.weight, one.score) for one in found.items] == [
        ("answer", 0.5, 1.0), ("reasoning", 0.5, 0.0), ("tool_use", 0.0, 1.0),
    ]  # fmt: skip
    assert result.score == 0.5
    (rubric,) = found.items[1].parts
    assert isinstance(rubric, Rubric)
    assert [(item.points, item.max_points, item.passed) for item in rubric.items] == [(0.0, 2.0, False)]


def test_a_reference_answer_instead_of_a_rubric_is_judged_as_one() -> None:
    asked, (client,) = judged('{"reason": "same", "score": 1}', repeats=1)
    result = get_evaluator(asked.config).evaluate(replace(answered(), expected="42"), asked)
    assert (result.score, len(client.asked)) == (1.0, 1)


def test_no_verdict_is_an_error_and_no_score() -> None:
    asked, _ = judged("hm", "hm", repeats=1)
    with pytest.raises(JudgeError):
        get_evaluator(asked.config).evaluate(answered(), asked)


@each_row("how", ["mean", "median", "majority"])
def test_a_verdict_that_cannot_be_read_decides_nothing(how: Settle) -> None:
    """All three would have to grant the price for it to pass by mean, two of them by median and majority."""
    right, wrong = said(a=True, r=True, t=False), said(a=False, r=False, t=False)

    def score(*replies: str) -> float:
        asked, _ = judged(*replies, settle=how)
        return get_evaluator(asked.config).evaluate(answered(), asked).score

    with pytest.raises(JudgeError, match="2 of 3 judgements gave a verdict, and what is missing could turn it"):
        score(right, wrong if how != "mean" else right, "hm", "hm")
    assert score(wrong, wrong, "hm", "hm") == 0.0
    if how != "mean":
        assert score(right, right, "hm", "hm") == 0.8


def test_an_empty_answer_asks_nobody() -> None:
    asked, (client,) = judged(repeats=1)
    assert get_evaluator(asked.config).evaluate(sample("", EXPECTED), asked).score == 0.0
    assert client.asked == []


def test_any_judges_prompt_may_ask_for_the_walk() -> None:
    prompt = "{transcript}\n{reasoning}\n{tool_calls}\nlevel {level}\n{response}"
    client = ScriptedClient('{"reason": "r", "score": 1}')
    asked = context(config("custom", eval_prompt=prompt), judges=(client,))
    get_evaluator(asked.config).evaluate(answered(), asked)
    text = client.asked[0][0]["content"]
    assert "[tool price]\n42" in text
    assert "I compare Monday with Tuesday." in text
    assert "level 2" in text
    assert "1. price(" in text


@each_row(
    ("scores", "scale", "how", "settled"),
    [
        ([1.0, 0.0, 1.0], BINARY, "auto", (1.0, "majority")),
        ([1.0, 0.0, 1.0], BINARY, "mean", (0.666667, "mean")),
        ([0.2, 0.9, 0.8], Scale(), "auto", (0.8, "median")),
        ([0.2, 0.9, 0.8], Scale(), "mean", (0.633333, "mean")),
        ([0.2, 0.9, 0.8], Scale(), "majority", (1.0, "majority")),
        ([0.2, 0.3, 0.8], Scale(), "majority", (0.0, "majority")),
        ([0.3], Scale(), "mean", (0.3, "single")),
    ],
)
def test_several_verdicts_become_one(
    scores: list[float], scale: Scale, how: Settle, settled: tuple[float, str]
) -> None:
    assert settle(scores, scale, how) == settled


def test_a_run_says_how_often_every_judge_is_asked() -> None:
    client = ScriptedClient('{"reason": "r", "score": 1}', '{"reason": "r", "score": 0}', '{"reason": "r", "score": 0}')
    asked = replace(context("llm_judge", judges=(client,)), repeats=3, settle="mean")
    result = get_evaluator(asked.config).evaluate(sample("x", "y"), asked)
    assert (len(client.asked), round(result.score, 3)) == (3, 0.333)


_WEIGHTS = r"""
null => fine
{} => fine
{"answer": 1} => fine
{"answer": 0} => config.weights: one of them is above 0
{"answer": 0, "reasoning": 1} => fine
{"foo": 1} => config.weights must name answer, reasoning, tool_use only
[] => config.weights must name answer, reasoning, tool_use only
{"answer": -1} => config.weights: answer must be a number of 0 or more
{"answer": true} => config.weights: answer must be a number of 0 or more
{"answer": "a"} => config.weights: answer must be a number of 0 or more
{"answer": Infinity} => config.weights: answer must be a number of 0 or more
5 => config.weights must name answer, reasoning, tool_use only
"""


def weighed(text: str) -> str:
    setting = config("caia", config={"weights": json.loads(text)})
    evaluator = get_evaluator(setting)
    test = TestCase("suite", "d", 1, "t", "What?", EXPECTED, "caia", Location("t.json"))
    return "; ".join(evaluator.check(test, setting, None)) or "fine"


def test_weights_are_numbers_of_which_one_is_above_0() -> None:
    assert differing(_WEIGHTS, weighed) == []
