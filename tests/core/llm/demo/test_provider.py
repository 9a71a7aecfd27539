from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import open_client
from modex.core.llm.demo.cues import Cue, cued
from modex.core.llm.pool import ClientPool

ASK = [{"role": "user", "content": "What is 9 * 2?"}]


@pytest.fixture(scope="module")
def pool() -> Iterator[ClientPool]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MODEX_RETRY_WAIT", "0")
        with ClientPool() as made:
            yield made


@pytest.fixture(autouse=True)
def no_latency(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")


def ask(pool: ClientPool, model: str, key: str, **more: Any) -> Any:
    with cued(Cue("rollout", key, 1, 18, "two_pass")):
        return open_client(ModelSpec(model=model), pool=pool).complete(ASK, **more)


@pytest.mark.long
@pytest.mark.parametrize("model", ["demo", "demo/litellm"])
def test_the_demo_model_answers_with_tokens_thinking_and_no_cost(pool: ClientPool, model: str) -> None:
    found = [ask(pool, model, f"k{n}") for n in range(20)]
    assert sum("18" in one.text for one in found) > 15, "it knows the answer, whichever way it is asked"
    assert all(one.cost_usd == 0.0 and one.usage.prompt > 0 and one.usage.completion > 0 for one in found)
    assert any(one.reasoning and one.usage.reasoning for one in found)
    assert not any("<think>" in one.text for one in found)


def test_it_needs_retries_at_times_and_then_answers(pool: ClientPool) -> None:
    attempts = [ask(pool, "demo/flaky", f"k{n}").attempts for n in range(60)]
    assert set(attempts) == {1, 2}
    assert [ask(pool, "demo/flaky", f"k{n}").attempts for n in range(60)] == [1] * 60


def test_tool_calls_arrive_as_tool_calls(pool: ClientPool) -> None:
    tool = {"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {}}}}
    client = open_client(ModelSpec(model="demo/perfect"), pool=pool)
    cue = Cue("rollout", "k", 1, {"tool": "add", "args": {"a": 1}}, "tool_call")
    with cued(cue):
        found, again = (client.complete(ASK, tools=[tool]) for _ in range(2))
    assert [(call.name, call.arguments) for call in found.tool_calls] == [("add", '{"a": 1}')]
    assert found.tool_calls == again.tool_calls


def test_a_latency_that_is_none_is_a_plain_error(pool: ClientPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "soon")
    with pytest.raises(ModelCallError, match="MODEX_DEMO_LATENCY") as caught:
        ask(pool, "demo/judge", "k")
    assert caught.value.error_type is ErrorType.BAD_REQUEST
    assert caught.value.fatal
