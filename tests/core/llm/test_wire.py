"""No answer ever reaches another question, however a server frames what it says: 200 questions for each way."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from modex.core.llm import wire
from modex.core.llm.http import AbortedError, DeadlineError, Http, HttpError
from modex.core.llm.proxies import Proxy
from tests.server.raw import Asked, RawServer, answer

QUESTIONS = 200
STALE = answer(b'{"id": "stale"}')
"""What nobody asked for: whoever receives it got the answer to another question."""


@pytest.fixture
def client() -> Iterator[Http]:
    made = Http()
    yield made
    made.close()


def own(asked: Asked) -> bytes:
    """The body that answers this question and no other."""
    return json.dumps({"id": json.loads(asked.body)["id"]}).encode()


def ask(client: Http, server: RawServer, number: int, timeout_s: float = 10.0) -> str:
    """`own`, `stale`, `other`, or what else came of it."""
    try:
        found = client.post(f"{server.url}/chat", json.dumps({"id": number}).encode(), {}, timeout_s)
    except (HttpError, DeadlineError) as error:
        return type(error).__name__
    if found.status != 200:
        return str(found.status)
    try:
        identity = json.loads(found.body)["id"]
    except ValueError:
        return "cut"
    return "own" if identity == number else "stale" if identity == "stale" else "other"


def ask_all(client: Http, server: RawServer, threads: int = 8, timeout_s: float = 10.0) -> Counter[str]:
    with ThreadPoolExecutor(threads) as executor:
        return Counter(executor.map(lambda number: ask(client, server, number, timeout_s), range(QUESTIONS)))


def chunked(body: bytes, *trailers: str, head: str = "") -> bytes:
    middle = len(body) // 2
    chunks = b"".join(b"%x;note=1\r\n%s\r\n" % (len(part), part) for part in (body[:middle], body[middle:]) if part)
    lines = "".join(f"{line}\r\n" for line in trailers).encode()
    return (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        + head.encode()
        + b"\r\n"
        + chunks
        + b"0\r\n"
        + lines
        + b"\r\n"
    )


GOOD: dict[str, Callable[[Asked], bytes]] = {
    "a plain answer": lambda asked: answer(own(asked)),
    "100 first": lambda asked: b"HTTP/1.1 100 Continue\r\n\r\n" + answer(own(asked)),
    "102 first": lambda asked: b"HTTP/1.1 102 Processing\r\n\r\n" + answer(own(asked)),
    "103 first": lambda asked: b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=x\r\n\r\n" + answer(own(asked)),
    "several interim answers": lambda asked: (
        (b"HTTP/1.1 100 Continue\r\n\r\n" + b"HTTP/1.1 102 Processing\r\nA: b\r\n\r\n" * 3 + b"HTTP/1.1 103 E\r\n\r\n")
        + answer(own(asked))
    ),
    "chunk trailers": lambda asked: chunked(own(asked), "X-Sum: 1", "Server-Timing: a;dur=2"),
}
"""Ways of answering that keep the connection."""


@pytest.mark.parametrize("name", GOOD)
def test_a_well_framed_answer_is_taken_and_its_connection_used_again(name: str, client: Http) -> None:
    with RawServer(GOOD[name]) as server:
        assert ask_all(client, server) == {"own": QUESTIONS}
        assert len(server.connections) <= 8


DOUBTFUL: dict[str, tuple[Callable[[Asked], bytes | None], set[str]]] = {
    "101": (lambda asked: b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n" + STALE, {"HttpError"}),
    "204 with a body": (lambda asked: answer(own(asked), "204 No Content") + STALE, {"204"}),
    "205 with a body": (lambda asked: answer(own(asked), "205 Reset Content") + STALE, {"205"}),
    "304 with a body": (lambda asked: answer(own(asked), "304 Not Modified") + STALE, {"304"}),
    "a close that is announced": (lambda asked: answer(own(asked), "200 OK", "Connection: close"), {"own"}),
    "two answers at once": (lambda asked: answer(own(asked)) + STALE, {"own"}),
    "a length that is too short": (
        lambda asked: b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + own(asked) + STALE,
        {"cut"},
    ),
    "two lengths": (
        lambda asked: (
            b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nContent-Length: 900\r\n\r\n" % len(own(asked))
            + own(asked)
            + STALE
        ),
        {"own", "HttpError"},
    ),
    "both framings": (
        lambda asked: chunked(own(asked), head=f"Content-Length: {len(own(asked))}\r\n") + STALE,
        {"own"},
    ),
    "a header that is none": (
        lambda asked: (
            b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nTransfer-Encoding : chunked\r\n\r\n" % len(own(asked))
            + own(asked)
            + STALE
        ),
        {"own"},
    ),
    "half an answer and a close": (
        lambda asked: asked.close_after(answer(own(asked))[:-5]),
        {"HttpError"},
    ),
    "a length that is too long, and a close": (
        lambda asked: asked.close_after(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + own(asked)),
        {"HttpError"},
    ),
    "chunks that end too early": (
        lambda asked: asked.close_after(chunked(own(asked))[:-12]),
        {"HttpError"},
    ),
    "a close without an answer": (lambda asked: None, {"HttpError"}),
}
"""Ways after which a connection proves nothing, and what a question may get then."""


@pytest.mark.long
@pytest.mark.parametrize("name", DOUBTFUL)
def test_a_connection_with_a_doubtful_answer_is_never_used_again(name: str, client: Http) -> None:
    say, allowed = DOUBTFUL[name]
    with RawServer(say) as server:
        found = ask_all(client, server)
        assert sum(found.values()) == QUESTIONS
        assert set(found) <= allowed
        assert len(server.connections) == QUESTIONS


def test_an_answer_that_comes_while_the_connection_is_idle_belongs_to_nobody(client: Http) -> None:
    with RawServer(lambda asked: answer(own(asked))) as server:
        for number in range(QUESTIONS):
            assert ask(client, server, number) == "own"
            server.spill(STALE)


def test_a_connection_that_was_idle_for_long_is_not_used_again(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer(lambda asked: answer(own(asked))) as server:
        assert [ask(client, server, number) for number in range(3)] == ["own"] * 3
        assert len(server.connections) == 1
        monkeypatch.setattr(wire, "IDLE_S", 0.0)
        assert ask(client, server, 3) == "own"
        assert len(server.connections) == 2


def test_the_deadline_and_an_abort_end_calls_on_connections_that_are_used_again(client: Http) -> None:
    asked_twice, never = threading.Event(), threading.Event()

    def say(asked: Asked) -> bytes:
        if asked.body == b"slow":
            asked_twice.set()
            never.wait(30)
        return answer(b"{}")

    with RawServer(say) as server, ThreadPoolExecutor(1) as executor:
        client.post(server.url, b"{}", {}, 10)
        started = time.monotonic()
        with pytest.raises(DeadlineError):
            client.post(server.url, b"slow", {}, 0.3)
        client.post(server.url, b"{}", {}, 10)
        asked_twice.clear()
        slow = executor.submit(client.post, server.url, b"slow", {}, 60.0)
        assert asked_twice.wait(10)
        client.abort()
        assert isinstance(slow.exception(15), AbortedError)
        assert time.monotonic() - started < 20
        assert len(server.connections) == 2
        never.set()


def test_what_a_server_says_before_it_has_read_the_request_is_heard(client: Http) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(answer(b"too large", "413 Content Too Large"))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        found = client.post(f"http://127.0.0.1:{listening.getsockname()[1]}/v1", b"x" * 32_000_000, {}, 20)
        assert found.status == 413
        thread.join(10)


def test_an_answer_that_comes_after_its_deadline_belongs_to_nobody(client: Http) -> None:
    late = threading.Event()

    def say(asked: Asked) -> bytes:
        if json.loads(asked.body)["id"] % 2:
            late.wait(10)
        return answer(own(asked))

    with RawServer(say) as server, ThreadPoolExecutor(50) as executor:
        odd = executor.map(lambda number: ask(client, server, number, 0.2), range(1, QUESTIONS, 2))
        assert set(odd) == {"DeadlineError"}
        late.set()
        assert set(executor.map(lambda number: ask(client, server, number), range(0, QUESTIONS, 2))) == {"own"}


def test_a_body_that_ends_with_its_connection_is_not_taken_for_whole_at_the_deadline(client: Http) -> None:
    with RawServer(lambda asked: b"HTTP/1.1 200 OK\r\n\r\n" + b'{"id": 1}') as server:
        assert ask(client, server, 1, 0.2) == "DeadlineError"


def test_the_status_before_a_reset_body_is_kept(client: Http) -> None:
    def say(asked: Asked) -> None:
        asked.reset_after(b"HTTP/1.1 413 Too Large\r\nContent-Length: 500\r\n\r\ntoo la")

    with RawServer(say) as server:
        assert ask(client, server, 1) == "413"


def test_abort_ends_every_call_in_flight_and_refuses_new_ones(client: Http) -> None:
    reached = threading.Barrier(9)
    never = threading.Event()

    def say(asked: Asked) -> bytes | None:
        reached.wait(10)
        never.wait(10)
        return None

    with RawServer(say) as server, ThreadPoolExecutor(8) as executor:
        calls = [executor.submit(client.post, server.url, b"{}", {}, 60.0) for _ in range(8)]
        reached.wait(10)
        client.abort()
        assert all(isinstance(call.exception(10), AbortedError) for call in calls)
        with pytest.raises(AbortedError):
            client.post(server.url, b"{}", {}, 60.0)
        never.set()


def test_closing_closes_the_idle_connections(client: Http) -> None:
    with RawServer(lambda asked: answer(own(asked))) as server:
        ask_all(client, server)
        assert server.open > 0
        client.close()
        assert server.wait_until_none_is_open(10)


def test_closing_ends_every_connection_whatever_it_was_doing(client: Http) -> None:
    reached, never = threading.Event(), threading.Event()

    def say(asked: Asked) -> bytes:
        if asked.body == b"slow":
            reached.set()
            never.wait(10)
        if asked.body == b"stream":
            asked.connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
            never.wait(10)
        return answer(b"{}")

    with (
        RawServer(say) as server,
        RawServer(lambda _: answer(b"{}")) as elsewhere,
        ThreadPoolExecutor(1) as executor,
    ):
        slow = executor.submit(client.post, server.url, b"slow", {}, 60.0)
        assert reached.wait(10)
        left = client.open("POST", server.url, b"stream", {}, 60)
        assert next(left.chunks()) == b"first"
        with client.open("POST", f"{server.url}/other", b"read", {}, 60) as response:
            response.read()
        client.post(elsewhere.url, b"{}", {}, 60)
        assert (server.open, elsewhere.open) == (3, 1)
        client.close()
        assert isinstance(slow.exception(10), AbortedError)
        left.close()
        never.set()
        assert server.wait_until_none_is_open(10)
        assert elsewhere.wait_until_none_is_open(10)


def test_a_body_comes_as_it_arrives_and_a_call_left_early_closes_its_connection(client: Http) -> None:
    told = threading.Event()

    def say(asked: Asked) -> bytes:
        asked.connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
        told.wait(10)
        return b"6\r\nsecond\r\n0\r\n\r\n"

    with RawServer(say) as server:
        with client.open("POST", server.url, b"{}", {}, 10) as response:
            chunks = response.chunks()
            assert next(chunks) == b"first"
            told.set()
            assert list(chunks) == [b"second"]
        told.clear()
        with client.open("POST", server.url, b"{}", {}, 10) as response:
            assert next(response.chunks()) == b"first"
        assert len(server.connections) == 1
        told.set()
        with client.open("POST", server.url, b"{}", {}, 10) as response:
            assert b"".join(response.chunks()) == b"firstsecond"
        assert len(server.connections) == 2


def test_a_stream_that_never_ends_ends_at_the_deadline(client: Http) -> None:
    def say(asked: Asked) -> None:
        asked.connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            asked.connection.sendall(b"1\r\n.\r\n")
            time.sleep(0.01)

    with RawServer(say) as server, client.open("POST", server.url, b"{}", {}, 0.3) as response:
        started = time.monotonic()
        with pytest.raises(DeadlineError):
            list(response.chunks())
        assert time.monotonic() - started < 5


def test_control_characters_in_a_header_are_refused(client: Http) -> None:
    with RawServer(lambda asked: answer(own(asked))) as server, pytest.raises(HttpError):
        client.post(server.url, b"{}", {"Authorization": "Bearer a\r\nX-Evil: 1"}, 5)


def test_a_name_without_an_address_is_said(client: Http) -> None:
    with pytest.raises(HttpError, match=r"no address for that name|resol"):
        client.post("http://no-such-host.invalid/v1", b"{}", {}, 10)


@pytest.mark.process
def test_nothing_is_imported_before_the_first_call() -> None:
    code = "import modex.core.llm.pool, sys; modex.core.llm.pool.ClientPool(); print('urllib3' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("url", "proxy", "asked", "tunnel", "forwarded"),
    [
        ("http://h/v1?x=1", None, "/v1?x=1", False, False),
        ("https://h/v1", None, "/v1", False, False),
        ("http://h/v1", Proxy("http://p:1", "u:s"), "http://h/v1", False, True),
        ("https://h/v1", Proxy("http://p:1", "u:s"), "/v1", True, False),
        ("https://h/v1", Proxy("https://p:1"), "/v1", True, False),
    ],
)
def test_a_proxy_is_told_the_whole_address_of_what_is_plain_and_a_tunnel_leads_through_it_to_the_rest(
    monkeypatch: pytest.MonkeyPatch, url: str, proxy: Proxy | None, asked: str, tunnel: bool, forwarded: bool
) -> None:
    monkeypatch.setattr(wire, "proxy_for", lambda _: proxy)
    made = wire.Wire()
    place = made.place(url)
    assert (place.target, place.tunnel, place.proxy) == (asked, tunnel, proxy)
    assert ("proxy-authorization" in {name.lower() for name in place.proxy_headers}) is forwarded
    assert made.place(url) is place
    made.close()
