from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import Client, open_client
from modex.core.llm.gate import Interrupted
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import json_answer
from modex.core.llm.types import Completion
from tests.pace import stretched
from tests.server import Reply, Request, ServerHandle, replies, serve

ASK = [{"role": "user", "content": "2+2?"}]


class Listener:
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_retry(self, model: str, why: str, attempt: int, wait_s: float) -> None:
        self.heard.append(f"retry {why}")

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        self.heard.append("hold")

    def on_outage(self, model: str, since: float, why: str) -> None:
        self.heard.append("outage")

    def on_recovered(self, model: str) -> None:
        self.heard.append("recovered")

    def on_limit(self, model: str, limit: int, words: str) -> None:
        self.heard.append(f"limit {limit}")

    def on_note(self, words: str) -> None:
        self.heard.append(words)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.01")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve() as handle:
        yield handle


@pytest.fixture
def connect(server: ServerHandle) -> Iterator[Callable[..., tuple[Client, ClientPool]]]:
    pools: list[ClientPool] = []

    def make(spec: dict[str, Any] | None = None, **pool_options: Any) -> tuple[Client, ClientPool]:
        pool = ClientPool(**{"concurrency": 8, "timeout_s": 10.0, **pool_options})
        pools.append(pool)
        model = ModelSpec(**{"model": "openai/test-model", "api_base": server.url, **(spec or {})})
        return open_client(model, pool=pool), pool

    yield make
    for pool in pools:
        pool.close()


Connect = Callable[..., tuple[Client, ClientPool]]


def ask_many(client: Client, count: int, workers: int) -> list[Completion | BaseException]:
    def ask(_: int) -> Completion | BaseException:
        try:
            return client.complete(ASK)
        except (ModelCallError, Interrupted) as error:
            return error

    with ThreadPoolExecutor(workers) as executor:
        return list(executor.map(ask, range(count)))


def test_settings_reach_the_wire_and_arguments_win(server: ServerHandle, connect: Connect) -> None:
    client, _ = connect({"temperature": 0.7, "max_tokens": 50, "seed": 3, "reasoning_effort": "low"})
    client.complete(ASK, temperature=0.0, response_format={"type": "json_object"})
    body = dict(server.requests[0].body)
    assert body == {
        "model": "test-model",
        "messages": ASK,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
        "max_tokens": 50,
        "seed": 3,
        "reasoning_effort": "low",
        "response_format": {"type": "json_object"},
    }
    assert server.requests[0].key == "sk-canary-0123456789"


def test_a_server_without_a_key_gets_a_placeholder(
    server: ServerHandle, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    client, _ = connect()
    client.complete(ASK)
    assert server.requests[0].key == "no-key"


def test_a_missing_key_is_said_before_any_request(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    client, _ = connect({"api_base": None, "model": "gpt-4o"})
    with pytest.raises(ModelCallError, match="export OPENAI_API_KEY") as caught:
        client.complete(ASK)
    assert caught.value.fatal
    assert caught.value.attempts == 0


def test_tokens_cost_time_and_attempts_are_counted(server: ServerHandle, connect: Connect) -> None:
    server.behave(replies.script([replies.server_error()], then=Reply(latency=0.05)))
    client, _ = connect({"input_price": 0.1, "output_price": 1.0})
    found = client.complete(ASK)
    assert found.attempts == 2
    assert found.cost_usd == pytest.approx(6.0)
    assert 50 <= found.duration_ms < stretched(2) * 1000


def test_without_usage_the_cost_is_unknown(server: ServerHandle, connect: Connect) -> None:
    server.behave(Reply(usage=None))
    found = connect({"input_price": 0.1})[0].complete(ASK)
    assert found.cost_usd is None
    assert "usage_missing" in found.flags


def test_nobody_asks_while_the_provider_wants_to_be_left_alone(server: ServerHandle, connect: Connect) -> None:
    server.behave(replies.script([replies.rate_limited(1)], then=Reply()))
    client, _ = connect()
    client_answers = ask_many(client, 1, 1) + ask_many(client, 40, 8)
    assert all(isinstance(answer, Completion) for answer in client_answers)
    limited, *rest = server.requests
    assert all(request.time - limited.time >= 1.0 for request in rest)


def test_many_rate_limits_still_let_every_call_finish(server: ServerHandle, connect: Connect) -> None:
    def every_third(request: Request) -> Reply:
        return Reply(latency=0.002) if request.index % 3 else replies.rate_limited(0.01)

    server.behave(every_third)
    client, _ = connect()
    assert all(isinstance(answer, Completion) for answer in ask_many(client, 100, 8))


@pytest.mark.parametrize("failure", [replies.unauthorized, replies.unknown_model, replies.out_of_quota()])
def test_a_fatal_error_costs_at_most_one_request_a_worker(failure: Any, server: ServerHandle, connect: Connect) -> None:
    server.behave(failure)
    client, _ = connect()
    answers = ask_many(client, 200, 8)
    assert server.hits <= 8
    assert all(isinstance(answer, ModelCallError) and answer.fatal for answer in answers)


def test_an_outage_is_waited_out_and_costs_no_call(server: ServerHandle, connect: Connect) -> None:
    listener = Listener()
    server.behave(lambda request: replies.server_error() if request.index < 22 else Reply())
    client, pool = connect(concurrency=8, listener=listener)
    answers = ask_many(client, 50, 8)
    assert all(isinstance(answer, Completion) for answer in answers)
    assert listener.heard.count("outage") == listener.heard.count("recovered") == 1
    assert pool.snapshot()[0].outage_since is None


def test_an_outage_without_end_is_the_same_fatal_error_for_all(server: ServerHandle, connect: Connect) -> None:
    server.behave(replies.server_error())
    client, _ = connect(concurrency=4, max_outage_s=0.3)
    answers = ask_many(client, 20, 4)
    assert all(isinstance(answer, ModelCallError) for answer in answers)
    assert sum(isinstance(answer, ModelCallError) and answer.fatal for answer in answers) >= 16


def test_one_bad_test_does_not_look_like_an_outage(server: ServerHandle, connect: Connect) -> None:
    listener = Listener()
    server.behave(replies.HTML)
    client, _ = connect(listener=listener)
    answers = ask_many(client, 10, 8)
    assert "outage" not in listener.heard
    assert {getattr(answer, "error_type", None) for answer in answers} == {ErrorType.INVALID_RESPONSE}
    assert {getattr(answer, "attempts", None) for answer in answers} == {5}


def test_stopping_lets_a_call_in_flight_finish_and_makes_no_other(server: ServerHandle, connect: Connect) -> None:
    server.behave(Reply(latency=0.3))
    client, pool = connect()
    with ThreadPoolExecutor(1) as executor:
        call = executor.submit(client.complete, ASK)
        wait_for(lambda: server.in_flight == 1)
        pool.stop.set()
        assert call.result(5).text == "ok"
    with pytest.raises(Interrupted):
        client.complete(ASK)
    assert server.hits == 1


def test_aborting_ends_calls_in_flight_at_once(server: ServerHandle, connect: Connect) -> None:
    server.behave(Reply(fault="hang"))
    client, pool = connect()
    with ThreadPoolExecutor(4) as executor:
        calls = [executor.submit(client.complete, ASK) for _ in range(4)]
        wait_for(lambda: server.in_flight == 4)
        started = time.monotonic()
        pool.abort()
        assert [type(call.exception(5)) for call in calls] == [Interrupted] * 4
    assert time.monotonic() - started < stretched(2)


def test_a_refused_parameter_is_dropped_remembered_and_told(server: ServerHandle, connect: Connect) -> None:
    server.behave(lambda r: replies.refused_parameter("temperature") if "temperature" in r.body else Reply())
    client, _ = connect({"temperature": 0.0})
    first, second = client.complete(ASK), client.complete(ASK)
    assert first.flags == second.flags == ("dropped_temperature",)
    assert (first.attempts, second.attempts) == (2, 1)


def test_a_refusal_is_remembered_before_it_is_told(server: ServerHandle, connect: Connect) -> None:
    numbers = itertools.count()

    class Asking(Listener):
        """Makes another call while it is told of the first refusal."""

        def on_note(self, words: str) -> None:
            super().on_note(words)
            if len(self.heard) == 1:
                client.complete(ASK)

    def refuse(request: Request) -> Reply:
        if "stream" not in request.body:
            return Reply()
        refusal = replies.refused_parameter("stream")
        assert isinstance(refusal.body, dict)
        refusal.body["error"]["message"] += f" Request {next(numbers)}."
        return refusal

    server.behave(refuse)
    listener = Asking()
    client, _ = connect(listener=listener)
    assert client.complete(ASK).attempts == 2
    assert len([words for words in listener.heard if "come whole" in words]) == 1
    assert next(numbers) == 1


def test_a_parameter_wanted_under_another_name_is_renamed(server: ServerHandle, connect: Connect) -> None:
    advice = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    server.behave(
        lambda r: replies.error(400, advice, code="unsupported_parameter") if "max_tokens" in r.body else Reply()
    )
    client, _ = connect({"max_tokens": 9})
    assert client.complete(ASK).flags == ()
    assert server.requests[-1].body["max_completion_tokens"] == 9


def test_a_parameter_refused_again_and_again_ends_the_call(server: ServerHandle, connect: Connect) -> None:
    server.behave(replies.refused_parameter("temperature"))
    client, _ = connect({"temperature": 0.0})
    with pytest.raises(ModelCallError) as caught:
        client.complete(ASK)
    assert caught.value.error_type is ErrorType.BAD_REQUEST
    assert server.hits == 2


def test_two_clients_of_one_model_share_its_gate(connect: Connect, server: ServerHandle) -> None:
    client, pool = connect()
    other = open_client(client.spec.model_copy(update={"temperature": 0.0}), pool=pool)
    assert client.gate is other.gate
    assert open_client(ModelSpec(model="openai/b", api_base=server.url), pool=pool).gate is not client.gate


def test_connections_are_kept_and_reused(server: ServerHandle, connect: Connect) -> None:
    client, _ = connect()
    for _ in range(10):
        client.complete(ASK)
    assert server._recorder.connections == 1


def test_concurrency_can_be_changed_while_running(server: ServerHandle, connect: Connect) -> None:
    server.behave(Reply(latency=0.02))
    client, pool = connect(concurrency=8)
    pool.resize(2)
    ask_many(client, 20, 8)
    assert server.peak <= 2


def test_the_next_request_after_odd_tool_calls_is_one_that_servers_take(server: ServerHandle, connect: Connect) -> None:
    server.behave(
        replies.calls(
            replies.call("f", '{"a": '),
            replies.call(None, "{}", None),
            replies.call("what is this", None, "call_1"),
        )
    )
    found = connect()[0].complete(ASK)
    assert [call.arguments for call in found.tool_calls] == ['{"a": ', "{}", "{}"]
    assert [call.name for call in found.tool_calls] == ["f", "", "what is this"]
    message = found.as_message(found.tool_calls)
    assert len({call["id"] for call in message["tool_calls"]}) == 3
    assert [call["function"] for call in message["tool_calls"]] == [
        {"name": "f", "arguments": '{"malformed_arguments": "{\\"a\\": "}'},
        {"name": "unnamed", "arguments": "{}"},
        {"name": "what_is_this", "arguments": "{}"},
    ]


FORM = json_answer("verdict", reason={"type": "string"}, score={"type": "number"})


def test_a_schema_goes_to_models_that_are_known_to_take_one(server: ServerHandle, connect: Connect) -> None:
    connect({"model": "openai/gpt-4o-mini"})[0].complete(ASK, response_format=FORM)
    connect({"model": "openai/a-model-of-ones-own"})[0].complete(ASK, response_format=FORM)
    first, second = server.requests
    assert first.body["response_format"]["json_schema"]["schema"]["required"] == ["reason", "score"]
    assert "response_format" not in second.body


def test_a_schema_that_is_refused_is_left_out_and_flagged(server: ServerHandle, connect: Connect) -> None:
    server.behave(
        lambda request: (
            replies.error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported")
            if "response_format" in request.body
            else Reply()
        )
    )
    found = connect({"model": "openai/gpt-4o-mini"})[0].complete(ASK, response_format=FORM)
    assert "dropped_response_format" in found.flags


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for the server's own thread to get there."""
    done = threading.Event()
    for _ in range(500):
        if condition():
            return
        done.wait(0.01)
    raise AssertionError("it did not happen within five seconds")
