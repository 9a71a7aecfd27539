"""A streamed answer is the answer, however the stream comes; one that breaks off is none."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import Via, open_client
from modex.core.llm.gate import Interrupted
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import Limits
from modex.core.llm.types import Completion
from tests.pace import eventually
from tests.server import Reply, ServerHandle, Stream, replies, serve

PATHS: tuple[Via, ...] = ("direct", "litellm")
SAID = "Ä long ānswer, in ⅔ words — 漢字 and 🙂 — with\n\nlines and a tab\t."
CALLS = (replies.call("add", '{"a": 2, "b": "漢字"}'), replies.call("look_up", "{}", "call_2"))


@pytest.fixture(scope="module")
def server() -> Iterator[ServerHandle]:
    with serve() as handle:
        yield handle


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")


@pytest.fixture(scope="module")
def pools() -> Iterator[Callable[..., ClientPool]]:
    made: list[ClientPool] = []

    def make(**given: Any) -> ClientPool:
        pool = ClientPool(concurrency=4, **{"timeout_s": 60, **given})
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


def ask(pool: ClientPool, server: ServerHandle, via: Via) -> Completion:
    server.forget()
    spec = ModelSpec(model="openai/test-model", api_base=server.url)
    return open_client(spec, pool=pool, via=via).complete([{"role": "user", "content": "2+2?"}])


SHAPES: dict[str, Stream] = {
    "plain": Stream(),
    "by characters": Stream(characters=1),
    "CRLF": Stream(newline="\r\n"),
    "CR": Stream(newline="\r"),
    "CRLF in pieces": Stream(newline="\r\n", bytes_at_once=3),
    "byte by byte": Stream(bytes_at_once=1),
    "comments": Stream(comments=True),
    "lines of data": Stream(lines_of_data=True),
    "no [DONE]": Stream(done=False),
    "two choices": Stream(other_choice=True),
}


@pytest.mark.long
@pytest.mark.parametrize("via", PATHS)
@pytest.mark.parametrize("shape", SHAPES)
def test_however_it_comes_it_is_the_same(
    shape: str, via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    if (shape, via) in {("CR", "litellm")}:
        pytest.skip("OpenAI's client knows no lines that end with CR alone")
    for reply in (
        Reply(content=SAID, reasoning_content="Let me think 思考.", stream=SHAPES[shape]),
        Reply(content=None, tool_calls=CALLS, stream=SHAPES[shape]),
    ):
        server.behave(reply)
        streamed = ask(pools(), server, via)
        whole = ask(pools(stream=False), server, via)
        assert streamed.timing is not None
        assert whole.timing is None
        assert _seen(streamed) == _seen(whole)


def _seen(found: Completion) -> tuple[object, ...]:
    return found.text, found.reasoning, found.tool_calls, found.finish_reason, found.usage, found.flags, found.attempts


def test_lines_of_64_kilobytes_are_read(server: ServerHandle, pools: Callable[..., ClientPool]) -> None:
    said = "ä" * 64 * 1024
    server.behave(Reply(content=said, stream=Stream(bytes_at_once=1000)))
    assert ask(pools(), server, "direct").text == said


@pytest.mark.parametrize("via", PATHS)
def test_no_usage_is_flagged_and_nothing_is_made_up(
    via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    server.behave(Reply(content=SAID, stream=Stream(usage=False)))
    found = ask(pools(), server, via)
    assert found.flags == ("usage_missing",)
    assert found.usage.completion == 0
    assert found.timing is not None
    assert found.timing.pieces > 5


BROKEN: dict[str, tuple[Reply, ErrorType]] = {
    "ends in the middle, in order": (Reply(content=SAID, stream=Stream(upto=4)), ErrorType.INVALID_RESPONSE),
    "ends before its first word": (Reply(content=SAID, stream=Stream(upto=1)), ErrorType.INVALID_RESPONSE),
    "ends in a tool call": (Reply(content=None, tool_calls=CALLS, stream=Stream(upto=4)), ErrorType.INVALID_RESPONSE),
    "cut off in the middle": (Reply(content=SAID, fault="truncate"), ErrorType.CONNECTION),
    "reset in the middle": (Reply(content=SAID, fault="reset_midway"), ErrorType.CONNECTION),
    "cut off in a tool call": (Reply(content=None, tool_calls=CALLS, fault="truncate"), ErrorType.CONNECTION),
    "an error as an event": (
        Reply(content=SAID, stream=Stream(upto=4, error={"message": "upstream failed", "code": 502})),
        ErrorType.ERROR_BODY,
    ),
    "out of quota as an event": (
        Reply(content=SAID, stream=Stream(upto=4, error={"message": "no credit", "code": "insufficient_quota"})),
        ErrorType.QUOTA,
    ),
}


@pytest.mark.parametrize("via", PATHS)
@pytest.mark.parametrize("fault", BROKEN)
def test_a_stream_that_breaks_off_is_an_error_and_never_a_shorter_answer(
    fault: str, via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    reply, expected = BROKEN[fault]
    pool = pools()
    server.behave(Reply())
    ask(pool, server, via)  # from here on the endpoint is known to stream
    server.behave(reply)
    with pytest.raises(ModelCallError) as caught:
        ask(pool, server, via)
    assert caught.value.error_type is expected
    assert server.hits == caught.value.attempts == (1 if expected is ErrorType.QUOTA else 5)
    assert all(request.body["stream"] for request in server.requests)


@pytest.mark.parametrize("via", PATHS)
def test_an_endpoint_whose_streams_have_no_form_is_asked_for_whole_answers_once_and_for_all(
    via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    pool = pools()
    server.behave(Reply(content=SAID, stream=Stream(upto=4)))
    for hits in (2, 1):
        assert ask(pool, server, via).text == SAID
        assert [bool(request.body.get("stream")) for request in server.requests] == [True, False][-hits:]


def test_a_server_that_ends_its_streams_for_another_call_is_asked_for_whole_answers(
    server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    pool = pools()
    server.behave(Reply())
    ask(pool, server, "direct")  # the endpoint is known to stream
    word = b'data: {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "The"}, "finish_reason": null}]}'
    server.behave(Reply(content=SAID, stream=Stream(instead=word + b"\n\ndata: [DONE]\n\n")))
    assert ask(pool, server, "direct").text == SAID
    assert [bool(request.body.get("stream")) for request in server.requests] == [True, False]


@pytest.mark.parametrize("via", PATHS)
@pytest.mark.parametrize(
    ("refusal", "asked"),
    [
        (replies.refused_parameter("stream"), (None, None)),
        (replies.error(400, "Unrecognized request argument supplied: stream_options"), (True, None)),
        (replies.error(501, "Streaming is not supported by this server"), (None, None)),
        (replies.error(400, "Your organization must be verified to stream this model."), (None, None)),
    ],
    ids=["stream", "stream_options", "501", "not verified"],
)
def test_what_an_endpoint_refuses_is_left_out(
    refusal: Reply, asked: tuple[object, object], via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    def behave(request: Any) -> Reply:
        field = "stream" if asked[0] is None else "stream_options"
        return refusal if field in request.body else Reply(content=SAID)

    pool = pools()
    server.behave(behave)
    for hits in (2, 1):
        assert ask(pool, server, via).text == SAID
        assert server.hits == hits
    assert (server.requests[-1].body.get("stream"), server.requests[-1].body.get("stream_options")) == asked


@pytest.mark.parametrize("via", PATHS)
def test_a_stream_that_never_ends_ends_at_the_deadline_and_the_server_sees_it(
    via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    server.behave(Reply(content="on and on ", stream=Stream(endless=True, every_s=0.01)))
    before = server.given_up
    with pytest.raises(ModelCallError, match="still being written") as caught:
        ask(pools(timeout_s=0.5), server, via)
    assert caught.value.error_type is ErrorType.TIMEOUT
    assert caught.value.attempts == 1
    assert eventually(lambda: server.given_up == before + 1)


@pytest.mark.long
@pytest.mark.parametrize("via", PATHS)
def test_a_loop_is_ended_its_text_kept_and_the_server_sees_it(
    via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    server.behave(Reply(content="Wait, let me check that again. ", stream=Stream(endless=True, every_s=0.0001)))
    before = server.given_up
    found = ask(pools(limits=Limits(runaway=True)), server, via)
    assert found.finish_reason == "runaway"
    assert found.flags == ("runaway",)
    assert found.text.startswith("Wait, let me check")
    assert 3000 < len(found.text) < 40_000
    assert found.usage.completion > 100
    assert eventually(lambda: server.given_up == before + 1)


@pytest.mark.parametrize("via", PATHS)
@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_that_takes_longer_than_it_may_is_cut_off(
    stream: bool, via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    endless = Stream(endless=True, every_s=0.01)
    server.behave(Reply(content="more ", stream=endless) if stream else Reply(fault="hang"))
    before = server.given_up
    found = ask(pools(stream=stream, limits=Limits(seconds=0.5)), server, via)
    assert (found.finish_reason, found.flags, found.attempts) == ("time_limit", ("time_limit",), 1)
    assert bool(found.text) == stream
    assert eventually(lambda: server.given_up == before + 1)


@pytest.mark.parametrize("via", PATHS)
def test_a_cancelled_call_closes_its_stream_and_no_other(
    via: Via, server: ServerHandle, pools: Callable[..., ClientPool]
) -> None:
    server.behave(Reply(content="slowly ", stream=Stream(endless=True, every_s=0.02)))
    pool, before, ended = pools(), server.given_up, []

    def work() -> None:
        with pytest.raises(Interrupted):
            ask(pool, server, via)
        ended.append(threading.get_ident())
        pool.under_way.forget()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert eventually(lambda: all(_written(pool, thread) > 3 for thread in threads))
    pool.cancel(threads[0].ident or 0)
    assert eventually(lambda: server.given_up == before + 1)
    written = _written(pool, threads[1])
    assert eventually(lambda: _written(pool, threads[1]) > written + 3)
    assert ended == [threads[0].ident]
    pool.cancel(threads[1].ident or 0)
    for thread in threads:
        thread.join(10)
    assert eventually(lambda: server.given_up == before + 2)


def _written(pool: ClientPool, thread: threading.Thread) -> int:
    answer = pool.under_way.of(thread.ident or 0)
    return answer.size if answer is not None else 0
