"""What a suite says of conversations is checked before anybody is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.definitions import UserSpec
from modex.core.suite.loading import load_suite
from modex.core.suite.users import laid_over
from tests.core.suite.conftest import write_files

D = "test_definitions/d"
TALK: dict[str, Any] = {"id": "t", "prompt": "Hi.", "rollout": "conversation", "simulated_user": {"goal": "to leave"}}


def problems(tmp_path: Path, test: dict[str, Any], domain: dict[str, Any] | None = None) -> list[str]:
    write_files(
        tmp_path,
        {f"{D}/domain.json": {"id": "d", "evaluator_id": "tool_call", **(domain or {})}, f"{D}/level_1/t.json": test},
    )
    return [problem.message for problem in load_suite(tmp_path).problems]


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ({**TALK, "simulated_user": None}, "a conversation needs a 'simulated_user'"),
        ({**TALK, "simulated_user": {"facts": ["a"]}}, "has no 'goal'"),
        ({**TALK, "simulated_user": {"goal": "a", "must_say": ["("]}}, "'must_say'"),
        ({**TALK, "simulated_user": {"goal": "a", "stop_words": [" "]}}, "a stop word is empty"),
        ({**TALK, "simulated_user": {"goal": "a", "max_turn": 3}}, "did you mean 'max_turns'?"),
        ({**TALK, "simulated_user": {"goal": "a", "max_turns": 0}}, "'max_turns' must be"),
        ({**TALK, "simulated_user": {"says": [" "]}}, "'says' has a wrong turn 1"),
        ({**TALK, "simulated_user": {"says": ["a", {"tools": []}]}}, "'says' has a wrong turn 2"),
        ({**TALK, "simulated_user": {"says": [{"content": "a", "tools": [3]}]}}, "its 'tools' are a list of names"),
        ({**TALK, "simulated_user": {"says": ["a"], "goal": "b"}}, "leave out 'goal'"),
        ({**TALK, "simulated_user": {"goal": "a", "opens": True}}, "must end with an assistant's turn"),
        ({**TALK, "prompt": [{"role": "assistant", "content": "Hi."}]}, "'prompt' must end with a user's turn"),
        (
            {**TALK, "simulated_user": {"opens": False}, "prompt": [{"role": "assistant", "content": "Hi."}]},
            "a user's turn",
        ),
        ({**TALK, "rollout": "direct"}, "speaks in a conversation only"),
        ({**TALK, "tool_state": {"a": {"b.c": 1}}}, "'tool_state' has the name 'a.b.c'"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, test: dict[str, Any], said: str) -> None:
    found = problems(tmp_path, test)
    assert any(said in message for message in found), found


def test_a_user_that_opens_answers_what_the_assistant_said(tmp_path: Path) -> None:
    opened = {"prompt": [{"role": "assistant", "content": "Hi."}], "simulated_user": {"goal": "a", "opens": True}}
    assert problems(tmp_path, {**TALK, **opened}) == []


def test_a_conversation_may_be_the_domains_way_and_its_state_lies_below_the_tests(tmp_path: Path) -> None:
    domain = {"rollout": "conversation", "tool_state": {"a": {"x": 1, "y": 1}, "b": 1}}
    test = {"id": "t", "prompt": "Hi.", "simulated_user": {"goal": "g"}, "tool_state": {"a": {"y": 2}}}
    assert problems(tmp_path, test, domain) == []
    (found,) = load_suite(tmp_path).tests
    assert (found.rollout, found.tool_state) == ("conversation", {"a": {"x": 1, "y": 2}, "b": 1})


def test_laying_one_state_over_another_changes_neither() -> None:
    below = {"a": {"x": [1]}}
    found = laid_over(below, {"a": {"y": 2}})
    found["a"]["x"].append(2)
    assert below == {"a": {"x": [1]}}


def test_what_a_test_leaves_open_has_its_defaults() -> None:
    spec = UserSpec.of({"goal": "g"})
    assert (spec.max_turns, spec.stop_words, spec.must_say) == (12, ("###STOP###",), ())
