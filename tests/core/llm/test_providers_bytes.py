"""What real providers send means what it says, on both paths; the files say where each shape comes from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ModelCallError
from modex.core.llm.client import Via, open_client
from modex.core.llm.faults import NoToolsError, RefusedParameterError
from modex.core.llm.pool import ClientPool
from modex.core.llm.prices import price_of
from modex.core.llm.providers import DIRECT, KEY_VARIABLES
from modex.core.llm.retry import RetryPolicy
from tests.server.fixtures import Fixture, fixtures
from tests.server.raw import Asked, RawServer

THROUGH_LITELLM = {
    "anthropic": "anthropic/claude-sonnet-4-5",
    "azure": "azure/gpt-4o-mini",
    "bedrock": "bedrock/anthropic.claude-3-haiku-20240307-v1:0",
    "deepseek": "deepseek/deepseek-chat",
    "gemini": "gemini/gemini-2.5-flash",
    "groq": "groq/llama-3.3-70b-versatile",
    "litellm_proxy": "litellm_proxy/m",
    "mistral": "mistral/mistral-small-latest",
    "openai": "openai/gpt-4o-mini",
    "openai_responses": "openai/responses/o4-mini",
    "openrouter": "openrouter/openai/gpt-4o-mini",
    "together": "together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo",
    "vllm": "hosted_vllm/m",
    "xai": "xai/grok-4",
}
"""The model by which litellm speaks to each provider; the others are plain OpenAI endpoints."""
TOOL = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add two numbers.",
        "parameters": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}},
    },
}
CASES = [(fixture, path) for fixture in fixtures() for path in fixture.paths]


class Stage:
    """One server that says whatever fixture is on."""

    def __init__(self) -> None:
        self.now: Fixture | None = None
        self.then: Fixture | None = None
        self.server = RawServer(self._say)

    def _say(self, _: Asked) -> bytes:
        assert self.now is not None
        said = self.now.said
        if self.then is not None:
            self.now, self.then = self.then, None
        return said


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    made = Stage()
    with made.server:
        yield made


@pytest.fixture(scope="module")
def pools() -> Iterator[Callable[[], ClientPool]]:
    """New pools that share one litellm engine, because starting one a test is slow."""
    made: list[ClientPool] = []

    def make(*, stream: bool = False) -> ClientPool:
        pool = ClientPool(concurrency=4, timeout_s=20, stream=stream)
        pool.policy = RetryPolicy(first_wait_s=0, attempts=1, rate_limit_attempts=1)
        if made:
            pool._engine = made[0].litellm()
        made.append(pool)
        return pool

    yield make
    for pool in made[1:]:
        pool._engine = None
        pool.close()
    if made:
        made[0].close()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variables in (*KEY_VARIABLES.values(), *(endpoint.key_variables for endpoint in DIRECT.values())):
        for variable in variables:
            monkeypatch.setenv(variable, "sk-canary-0123456789")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIA0000000000000000")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary-canary-canary")
    monkeypatch.setenv("AWS_REGION_NAME", "us-east-1")
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")


@pytest.mark.long
@pytest.mark.parametrize(("fixture", "path"), CASES, ids=[f"{fixture.name}-{path}" for fixture, path in CASES])
def test_what_a_provider_sends_means_what_it_says(
    fixture: Fixture, path: Via, stage: Stage, pools: Callable[..., ClientPool]
) -> None:
    stage.now = fixture
    pool = pools(stream=fixture.streamed)
    model = THROUGH_LITELLM.get(fixture.provider, "")
    pool.under_way.proven |= {(model, stage.server.url)}
    found = outcome(fixture, path, stage, pool)
    wanted = {"fatal": False, **fixture.means} if "error" in fixture.means else fixture.means
    says = wanted.get("says")
    assert {name: found.get(name) for name in wanted if name != "says"} == {
        name: value for name, value in wanted.items() if name != "says"
    }, found
    assert says is None or says in found["message"], found
    if "cost" in fixture.shows and path == "litellm":
        assert found["cost"], "the table has this model's price, for the provider's own address"
    assert "sk-canary" not in str(found)


def called_twice(name: str, model: str, path: Via, stage: Stage, pools: Callable[..., ClientPool]) -> dict[str, Any]:
    """Let the fixture call a tool, and give it the result: what is asked then."""
    stage.now = next(one for one in fixtures() if one.name == name)
    spec = ModelSpec(model=model, api_base=stage.server.url, reasoning_effort="low")
    client = open_client(spec, pool=pools(stream=stage.now.streamed), via=path)
    question: dict[str, Any] = {"role": "user", "content": "2+2?"}
    first = client.complete([question], tools=[TOOL])
    result = {"role": "tool", "tool_call_id": first.tool_calls[0].id, "name": "add", "content": "4"}
    client.complete([question, first.as_message(first.tool_calls), result], tools=[TOOL])
    asked: dict[str, Any] = json.loads(stage.server.asked[-1].body)
    return asked


@pytest.mark.parametrize("case", ["tools_thinking", "stream_tools_thinking"])
def test_claude_gets_its_thinking_back_with_the_results_of_its_tools(
    case: str, stage: Stage, pools: Callable[..., ClientPool]
) -> None:
    asked = called_twice(f"anthropic/{case}", THROUGH_LITELLM["anthropic"], "litellm", stage, pools)
    returned = asked["messages"][1]["content"]
    assert returned[0] == {"type": "thinking", "thinking": "I add.", "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxB"}
    assert [part["type"] for part in returned] == ["thinking", "tool_use"]


@pytest.mark.parametrize("case", ["tools_thinking", "stream_tools"])
def test_gemini_gets_its_signature_back_with_the_call(
    case: str, stage: Stage, pools: Callable[..., ClientPool]
) -> None:
    asked = called_twice(f"gemini/{case}", "gemini/gemini-3-pro-preview", "litellm", stage, pools)
    assert asked["contents"][1]["parts"][0]["thoughtSignature"] == "CtgBAVSoXO5k"


@pytest.mark.parametrize("path", ["direct", "litellm"])
def test_gemini_in_openai_s_form_gets_its_signature_back_too(
    path: Via, stage: Stage, pools: Callable[..., ClientPool]
) -> None:
    asked = called_twice("gemini_openai/tools_thinking", "openai/gemini-3-pro-preview", path, stage, pools)
    (call,) = asked["messages"][1]["tool_calls"]
    assert call["extra_content"] == {"google": {"thought_signature": "CtgBAVSoXO5k"}}


@pytest.mark.parametrize(("model", "path"), [("openai/m", "direct"), (THROUGH_LITELLM["openrouter"], "litellm")])
def test_openrouter_gets_its_reasoning_details_back(
    model: str, path: Via, stage: Stage, pools: Callable[..., ClientPool]
) -> None:
    asked = called_twice("openrouter/tools_thinking", model, path, stage, pools)
    (detail,) = asked["messages"][1]["reasoning_details"]
    assert (detail["type"], detail["data"]) == ("reasoning.encrypted", "EqQB")


@pytest.mark.parametrize("case", ["tools_thinking", "stream_tools_thinking"])
def test_openai_gets_its_reasoning_back_with_the_results_of_its_tools(
    case: str, stage: Stage, pools: Callable[..., ClientPool]
) -> None:
    asked = called_twice(f"openai_responses/{case}", THROUGH_LITELLM["openai_responses"], "auto", stage, pools)
    assert stage.server.asked[-1].line.startswith("POST /v1/responses ")
    assert asked["include"] == ["reasoning.encrypted_content"]
    _, reasoning, call, output = asked["input"]
    assert (reasoning["type"], reasoning["id"]) == ("reasoning", "rs_6820f383d7c08191846711c5df8233bc0ac5ba57aafcbac7")
    assert reasoning["encrypted_content"] == "gAAAAABoISQ24OyVRYbkYfukdJoqdzWT-3uiErKInHDC"
    assert (call["type"], output["type"]) == ("function_call", "function_call_output")
    assert call["call_id"] == output["call_id"]


def test_a_model_without_reasoning_is_asked_for_none_by_the_responses_api(
    stage: Stage, pools: Callable[[], ClientPool]
) -> None:
    by_name = {one.name: one for one in fixtures()}
    stage.now, stage.then = by_name["openai_responses/no_encrypted"], by_name["openai_responses/tools_thinking"]
    client = open_client(ModelSpec(model="openai/responses/gpt-4o", api_base=stage.server.url), pool=pools())
    answer = client.complete([{"role": "user", "content": "2+2?"}], tools=[TOOL])
    assert answer.flags == ("dropped_include",)
    assert "include" not in json.loads(stage.server.asked[-1].body)


def test_a_refusal_of_claude_beside_its_thinking_is_dropped_and_the_call_goes_on(
    stage: Stage, pools: Callable[[], ClientPool]
) -> None:
    by_name = {one.name: one for one in fixtures()}
    stage.now = by_name["anthropic/temperature"]
    spec = ModelSpec(
        model=THROUGH_LITELLM["anthropic"], api_base=stage.server.url, reasoning_effort="low", temperature=0.0
    )
    pool = pools()
    notes: list[str] = []
    gate = pool.gate(spec)
    gate.note = notes.append  # type: ignore[method-assign, assignment]
    client = open_client(spec, pool=pool, via="litellm")
    stage.then = by_name["anthropic/chat"]
    assert client.complete([{"role": "user", "content": "2+2?"}]).flags == ("dropped_temperature",)
    assert "temperature" not in json.loads(stage.server.asked[-1].body)
    assert notes == [f"{spec.model} takes no temperature: asked without it"]
    assert pool.refused(spec.model_copy(update={"reasoning_effort": None})) == {}


@pytest.mark.parametrize(
    ("model", "limit", "flags"),
    [
        ("anthropic/claude-next-9", None, ("default_max_tokens",)),
        ("anthropic/claude-next-9", 100, ()),
        ("anthropic/claude-sonnet-4-5", None, ()),
    ],
)
def test_a_limit_that_litellm_adds_by_itself_is_shown(
    model: str, limit: int | None, flags: tuple[str, ...], stage: Stage, pools: Callable[[], ClientPool]
) -> None:
    stage.now = next(one for one in fixtures() if one.name == "anthropic/chat")
    client = open_client(
        ModelSpec(model=model, api_base=stage.server.url, max_tokens=limit), pool=pools(), via="litellm"
    )
    assert client.complete([{"role": "user", "content": "2+2?"}]).flags == flags


def outcome(fixture: Fixture, path: Via, stage: Stage, pool: ClientPool) -> dict[str, Any]:
    """What a caller is told: an error in its type, or an answer in its parts."""
    name = THROUGH_LITELLM.get(fixture.provider, "openai/m") if path == "litellm" else "openai/m"
    spec = ModelSpec(model=name, api_base=stage.server.url, temperature=0.0, seed=7, max_tokens=64)
    client = open_client(spec, pool=pool, via=path)
    tools = [TOOL] if {"tools", "tools with thinking"} & set(fixture.shows) else None
    try:
        answer = client.complete([{"role": "user", "content": "2+2?"}], tools=tools)
    except ModelCallError as error:
        return _told(error)
    found: dict[str, Any] = {
        "text": answer.text,
        "finish": answer.finish_reason,
        "flags": [flag for flag in answer.flags if not flag.startswith("dropped_")],
        "reasoning": answer.reasoning,
        "usage": [answer.usage.prompt, answer.usage.completion],
        "reasoning_tokens": answer.usage.reasoning,
        "cached": answer.usage.cached,
        "cost": price_of(ModelSpec(model=name)).of(answer.usage),
        "dropped": [flag for flag in answer.flags if flag.startswith("dropped_")],
    }
    if answer.tool_calls:
        found["tool"] = answer.tool_calls[0].name
    return found


def _told(error: ModelCallError) -> dict[str, Any]:
    found: dict[str, Any] = {
        "error": str(error.error_type),
        "fatal": error.fatal,
        "retry": error.retryable,
        "message": str(error),
        "no_tools": isinstance(error, NoToolsError),
    }
    if error.retry_after is not None:
        found["wait"] = error.retry_after
    if error.usage is not None:
        found["usage"] = [error.usage.prompt, error.usage.completion]
    if isinstance(error, RefusedParameterError):
        found["refused"] = error.parameter
        if error.instead:
            found["instead"] = error.instead
    return found
