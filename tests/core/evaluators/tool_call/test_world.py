"""What a conversation did to the world of its tools, against its gold."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, TestCase
from tests.rows import each_row

GOLD = {
    "turns": [
        {"acts": True, "changes": {"/hall": 3}, "results": ["done"]},
        {},
        {"acts": True, "changes": {"/hall": 3}, "results": ["3", "3"]},
    ]
}
CONFIG = find_config("world", {})


def said(turns: list[tuple[list[str], dict[str, Any] | None]]) -> list[dict[str, Any]]:
    """A transcript with the results of each turn, and the changes after it."""
    entries: list[dict[str, Any]] = [{"role": "user", "content": "a"}]
    for number, (results, after) in enumerate(turns):
        if number:
            entries.append({"role": "user", "content": "b", "simulated": True})
        for result in results:
            call = {"id": "1", "name": "dim", "arguments": '{"x": 1}'}
            entries.append({"role": "assistant", "content": "", "tool_calls": [call]})
            entries.append({"role": "tool", "content": result})
        entries.append(
            {"role": "assistant", "content": "ok", **({"state_changes": after} if after is not None else {})}
        )
    return entries


def judged(
    turns: list[tuple[list[str], dict[str, Any] | None]], *flags: str, expected: Any = GOLD
) -> tuple[float, str]:
    assert CONFIG is not None
    sample = EvaluationSample(test_id="t", expected=expected, response="", transcript=said(turns), flags=list(flags))
    result = get_evaluator(CONFIG).evaluate(sample, JudgeContext(CONFIG, lambda name: ""))
    return result.score, result.why


RIGHT: list[tuple[list[str], dict[str, Any] | None]] = [
    (["done"], {"/hall": 3}),
    ([], {"/hall": 3}),
    (["3", "3"], {"/hall": 3}),
]


def test_turns_that_came_to_their_golds_pass() -> None:
    assert judged(RIGHT)[0] == 1.0
    assert judged([RIGHT[0], (["x"], {"/hall": 9}), RIGHT[2]])[0] == 1.0  # where nothing is asked, nothing is compared
    assert (
        judged([(["3", "done"], {"/hall": 3}), RIGHT[1], (["3"], {"/hall": 3})])[0] == 1.0
    )  # a result from before counts


@each_row(
    ("turn", "wrong", "why"),
    [
        (0, ([], {"/hall": 3}), "turn 1: nothing was called"),
        (0, (["done"], {}), "turn 1: /hall: expected 3, and it is as it was"),
        (0, (["done"], {"/hall": 3, "/attic": 1}), "turn 1: /attic: became 1, which nothing asked for"),
        (0, (["no"], {"/hall": 3}), "turn 1: no call so far gave done"),
        (2, (["3"], {"/hall": 3}), "turn 3: no call so far gave 3"),
    ],
)
def test_the_first_turn_that_did_not_is_told(turn: int, wrong: Any, why: str) -> None:
    turns = list(RIGHT)
    turns[turn] = wrong
    assert judged(turns) == (0.0, why)


def test_turns_that_were_right_before_the_first_that_was_not_are_counted() -> None:
    assert CONFIG is not None
    for turns, right in ((RIGHT, 3), ([*RIGHT[:2], (["3"], {"/hall": 3})], 2), ([([], None), *RIGHT[1:]], 0)):
        sample = EvaluationSample(test_id="t", expected=GOLD, response="", transcript=said(turns))
        result = get_evaluator(CONFIG).evaluate(sample, JudgeContext(CONFIG, lambda name: ""))
        assert {"turns right": right, "turns": 3}.items() <= result.details.items()


def test_a_conversation_that_ended_before_its_last_turn_fails() -> None:
    assert judged(RIGHT[:2]) == (0.0, "turn 3: it was not reached")
    assert judged(RIGHT[:2], "tool_limit") == (0.0, "turn 3: it was not reached: the turn before used up its calls")
    assert judged(RIGHT, "tool_limit")[0] == 1.0


def test_without_a_state_there_is_no_verdict() -> None:
    with pytest.raises(JudgeError, match="nobody told what the tools knew after turn 1"):
        judged([(["done"], None)])


@each_row(
    "expected",
    [None, {}, {"turns": []}, {"turns": [3]}, {"turns": [{"state": {}}]}, {"turns": [{"changes": 3}]},
    {"turns": [{"results": [3]}]}, {"turns": [{}], "a": 1}],
)  # fmt: skip
def test_a_gold_of_another_form_is_a_mistake(expected: Any) -> None:
    assert CONFIG is not None
    evaluator = get_evaluator(CONFIG)
    test = TestCase("suite", "d", 1, "t", "hi", expected, "world", Location("t.json"))
    assert list(evaluator.check(test, CONFIG, None))
    with pytest.raises(JudgeError):
        judged(RIGHT, expected=expected)


def test_a_right_gold_is_none() -> None:
    assert CONFIG is not None
    test = TestCase("suite", "d", 1, "t", "hi", GOLD, "world", Location("t.json"))
    assert list(get_evaluator(CONFIG).check(test, CONFIG, None)) == []
