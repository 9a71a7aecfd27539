"""One answer, whichever path it took: every fault of the server through both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import Via, open_client
from modex.core.llm.pool import ClientPool
from modex.core.llm.types import Usage
from tests.server import Behaviour, Reply, ServerHandle, replies, serve

PATHS: tuple[Via, ...] = ("direct", "litellm")


@pytest.fixture(scope="module")
def server() -> Iterator[ServerHandle]:
    with serve() as handle:
        yield handle


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")


@pytest.fixture(scope="module")
def pools() -> Iterator[Callable[[], ClientPool]]:
    """New pools that share one litellm engine, because starting one a test is slow."""
    made: list[ClientPool] = []

    def make(*, stream: bool = True) -> ClientPool:
        pool = ClientPool(concurrency=4, timeout_s=10, stream=stream)
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


def outcome(pool: ClientPool, server: ServerHandle, via: Via, **arguments: Any) -> dict[str, Any]:
    """What a caller can see of one call."""
    server.forget()
    spec = ModelSpec(model="openai/test-model", api_base=server.url, temperature=0.0)
    client = open_client(spec, pool=pool, via=via)
    try:
        found = client.complete([{"role": "user", "content": "2+2?"}], **arguments)
    except ModelCallError as error:
        return {
            "leaks": "sk-canary" in str(error),
            "lines": str(error).count("\n"),
            "error_type": error.error_type,
            "fatal": error.fatal,
            "retryable": error.retryable,
            "status": error.status,
            "retry_after": error.retry_after and round(error.retry_after),
            "attempts": error.attempts,
            "hits": server.hits,
        }
    return {
        "text": found.text,
        "reasoning": found.reasoning,
        "tool_calls": found.tool_calls,
        "finish_reason": found.finish_reason,
        "usage": found.usage,
        "flags": found.flags,
        "attempts": found.attempts,
        "hits": server.hits,
    }


FAILURES: dict[str, tuple[Reply | Behaviour, ErrorType]] = {
    "rate limit": (replies.rate_limited(), ErrorType.RATE_LIMIT),
    "out of quota": (replies.out_of_quota(), ErrorType.QUOTA),
    "payment required": (replies.error(402, "Insufficient credits"), ErrorType.QUOTA),
    "503": (replies.server_error(503), ErrorType.SERVER_ERROR),
    "529": (replies.server_error(529), ErrorType.SERVER_ERROR),
    "502 with a page": (replies.BAD_GATEWAY, ErrorType.SERVER_ERROR),
    "401 that echoes the key": (replies.unauthorized, ErrorType.AUTHENTICATION),
    "403": (replies.forbidden(), ErrorType.PERMISSION),
    "404": (replies.unknown_model, ErrorType.MODEL_NOT_FOUND),
    "context": (replies.context_exceeded(), ErrorType.CONTEXT_WINDOW),
    "prompt filtered": (replies.prompt_filtered(), ErrorType.CONTENT_FILTER),
    "answer filtered": (replies.FILTERED, ErrorType.CONTENT_FILTER),
    "bad request": (replies.error(400, "messages: must alternate"), ErrorType.BAD_REQUEST),
    "422": (replies.error(422, "tools[0].name: too long"), ErrorType.BAD_REQUEST),
    "reset": (replies.RESET, ErrorType.CONNECTION),
    "reset midway": (replies.RESET_MIDWAY, ErrorType.CONNECTION),
    "truncated": (replies.TRUNCATED, ErrorType.CONNECTION),
    "invalid JSON": (replies.INVALID_JSON, ErrorType.INVALID_RESPONSE),
    "HTML with 200": (replies.HTML, ErrorType.INVALID_RESPONSE),
    "empty choices": (replies.EMPTY_CHOICES, ErrorType.EMPTY_CHOICES),
    "error in a 200": (replies.ERROR_IN_200, ErrorType.ERROR_BODY),
}

ANSWERS: dict[str, Reply | Behaviour] = {
    "plain": Reply(content="The answer is 4."),
    "tokens": Reply(
        usage={
            "prompt_tokens": 100,
            "completion_tokens": 50,
            "total_tokens": 150,
            "prompt_tokens_details": {"cached_tokens": 40},
            "completion_tokens_details": {"reasoning_tokens": 30},
        }
    ),
    "no usage": Reply(usage=None),
    "null content": replies.NULL_CONTENT,
    "empty content": replies.EMPTY_CONTENT,
    "cut off": replies.CUT_OFF,
    "thinking": replies.THINKING,
    "orphan closing tag": Reply(content="2 and 2 make 4</think>The answer is 4."),
    "unclosed thinking": replies.UNCLOSED_THINKING,
    "only reasoning": replies.ONLY_REASONING,
    "reasoning field": Reply(content="4", reasoning_content="2 and 2"),
    "tool call": replies.calls(replies.call("add", '{"a": 2}')),
    "malformed arguments": replies.calls(replies.call("add", '{"a": 2')),
    "three calls": replies.calls(*(replies.call("add", "{}", f"call_{n}") for n in range(3)), content="Wait."),
    "call in text": Reply(content='<tool_call>{"name": "add", "arguments": {"a": 2}}</tool_call>'),
    "lone surrogate and NUL": Reply(content="a\ud800b\x00c"),
    "429 then well": replies.script([replies.rate_limited(0)], then=Reply()),
    "503 and HTML, then well": replies.script([replies.server_error(), replies.HTML], then=Reply()),
    "refuses temperature": lambda request: (
        replies.refused_parameter("temperature") if "temperature" in request.body else Reply()
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_means_the_same_on_both_paths(
    name: str, stream: bool, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    behaviour, error_type = FAILURES[name]
    server.behave(behaviour)
    direct, litellm = (outcome(pools(stream=stream), server, via) for via in PATHS)
    if stream and isinstance(behaviour, Reply) and behaviour.status == 200 and behaviour.body is not None:
        # Litellm sees no event in what is no stream, so that one more call asks for the whole answer.
        litellm["attempts"] -= 1
        litellm["hits"] -= 1
    assert direct["error_type"] is error_type
    assert not direct["leaks"]
    assert not direct["lines"]
    assert direct == litellm


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_the_same_on_both_paths_streamed_or_not(
    name: str, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    found = []
    for via in PATHS:
        for stream in (True, False):
            server.behave(_fresh(name))
            found.append(outcome(pools(stream=stream), server, via))
    assert "text" in found[0]
    assert found == [found[0]] * 4


def _fresh(name: str) -> Reply | Behaviour:
    """Scripts keep count, so each path gets its own."""
    if name == "429 then well":
        return replies.script([replies.rate_limited(0)], then=Reply())
    if name == "503 and HTML, then well":
        return replies.script([replies.server_error(), replies.HTML], then=Reply())
    return ANSWERS[name]


@pytest.mark.parametrize("via", PATHS)
@pytest.mark.parametrize("fault", ["drip_body", "drip_headers", "hang"])
def test_the_total_deadline_holds(
    fault: Any, via: Via, server: ServerHandle, pools: Callable[[], ClientPool], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behave(replies.script([Reply(fault=fault, drip_s=0.1)], then=Reply()))
    found = outcome(pools(), server, via, timeout_s=0.4)
    assert found["attempts"] == 2
    assert found["usage"] == Usage(10, 5)


@pytest.mark.long
def test_ten_megabytes_are_the_same_on_both_paths(server: ServerHandle, pools: Callable[[], ClientPool]) -> None:
    server.behave(replies.HUGE)
    direct, litellm = (outcome(pools(), server, via) for via in PATHS)
    assert len(direct["text"]) == 10 * 1024 * 1024
    assert direct == litellm
