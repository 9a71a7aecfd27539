"""Streams that one thread receives for all: every byte to its own reader, and nothing outlives its call."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from modex.core.llm import http, receiver
from modex.core.llm.http import AbortedError, DeadlineError, Http, HttpError, Response
from modex.core.llm.receiver import Receiver
from tests.server.certificates import Authority, make_authority
from tests.server.raw import Asked, RawServer

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"


@pytest.fixture(autouse=True)
def _handed_over_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_OWN_READS", 1)
    monkeypatch.setattr(receiver, "_WAKES_AFTER_S", 0.05)


@pytest.fixture
def client() -> Iterator[Http]:
    made = Http()
    yield made
    made.close()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("certificates"))


def coded(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def opened(client: Http, url: str, body: bytes = b"{}", timeout_s: float = 30.0) -> Response:
    return client.open("POST", url, body, {}, timeout_s)


def words_of(asked: Asked) -> bytes:
    """A hundred words that name the question, each sent by itself; every tenth 20 kB long."""
    asked.connection.sendall(HEAD)
    for number in range(100):
        word = b"%s-%d " % (asked.body, number)
        asked.connection.sendall(coded(word * (3000 if number % 10 == 0 else 1)))
    return END


def said(body: bytes) -> bytes:
    return b"".join(b"%s-%d " % (body, number) * (3000 if number % 10 == 0 else 1) for number in range(100))


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_every_reader_gets_its_own_answer_and_the_connections_are_used_again(
    tls: bool, authority: Authority, monkeypatch: pytest.MonkeyPatch, client: Http
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))

    def ask(number: int) -> bool:
        body = str(number).encode()
        with opened(client, url, body) as response:
            return b"".join(response.chunks(gathered=True)) == said(body)

    with RawServer(words_of, authority.server("IP:127.0.0.1") if tls else None) as server:
        url = server.url.replace("http:", "https:") if tls else server.url
        with ThreadPoolExecutor(8) as executor:
            assert all(executor.map(ask, range(40)))
        assert len(server.connections) <= 8
        client.close()
        assert server.wait_until_none_is_open(10)


def test_what_came_is_given_before_the_end_with_the_moment_at_which_it_came(client: Http) -> None:
    further = threading.Semaphore(0)

    def say(asked: Asked) -> bytes:
        asked.connection.sendall(HEAD + coded(b"0"))
        for number in range(1, 5):
            further.acquire(timeout=30)
            asked.connection.sendall(coded(str(number).encode()))
        further.acquire(timeout=30)
        return END

    with RawServer(say) as server, opened(client, server.url) as response:
        before = time.monotonic()
        for number, data in enumerate(response.chunks(gathered=True)):
            assert data == str(number).encode()
            came = response.came_at()
            assert before <= came <= time.monotonic()
            before = came
            further.release()
        assert number == 4


def test_who_looks_has_read_what_came(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver, "_WAKES_AFTER_S", 3600.0)
    with RawServer(_never_ends) as server, opened(client, server.url) as response:
        looks = threading.Event()

        def look() -> None:
            while not looks.wait(0.01):
                response.catch_up()

        thread = threading.Thread(target=look)
        thread.start()
        try:
            chunks = response.chunks(gathered=True)
            said = next(chunks)
            while said != b"firstsecond":
                said += next(chunks)
        finally:
            looks.set()
            thread.join()


@pytest.mark.parametrize("slow", [True, False])
def test_a_stream_is_handed_over_by_its_reads_or_by_its_time(
    slow: bool, client: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "_OWN_READS", 1000)
    monkeypatch.setattr(http, "_OWN_S", 0.0 if slow else 3600.0)
    before = set(threading.enumerate())
    with RawServer(words_of) as server, opened(client, server.url, b"a") as response:
        assert b"".join(response.chunks(gathered=True)) == said(b"a")
        begun = [one.name for one in set(threading.enumerate()) - before]
    assert ("modex-receiver" in begun) is slow


def test_words_of_few_streams_that_come_at_one_beat_keep_their_readers(
    client: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver, "_TOGETHER_LEAST_S", 0.0)

    def ask(number: int) -> bool:
        body = str(number).encode()
        with opened(client, server.url, body) as response:
            return b"".join(response.chunks(gathered=True)) == said(body)

    with RawServer(words_of) as server, ThreadPoolExecutor(3) as executor:
        assert all(executor.map(ask, range(12)))


def test_a_flood_is_read_whole(client: Http) -> None:
    flood = bytes(range(256)) * 8192

    def say(asked: Asked) -> bytes:
        asked.connection.sendall(HEAD + coded(b"first"))
        return coded(flood) + coded(flood) + END

    with RawServer(say) as server:
        for _ in range(3):
            with opened(client, server.url) as response:
                assert b"".join(response.chunks(gathered=True)) == b"first" + flood + flood
        assert len(server.connections) == 1


def test_what_follows_an_answer_belongs_to_nobody(client: Http) -> None:
    def say(asked: Asked) -> bytes:
        asked.connection.sendall(HEAD + coded(b"first"))
        return coded(asked.body) + END + HEAD + coded(b"stale") + END

    with RawServer(say) as server:
        for number in range(20):
            body = str(number).encode()
            with opened(client, server.url, body) as response:
                assert b"".join(response.chunks(gathered=True)) == b"first" + body
        assert len(server.connections) == 20


def _never_ends(asked: Asked) -> None:
    asked.connection.sendall(HEAD + coded(b"first"))
    asked.connection.sendall(coded(b"second"))
    asked.connection.recv(1)


def _in_the_midst(client: Http, server: RawServer, timeout_s: float = 30.0) -> Iterator[bytes]:
    with opened(client, server.url, timeout_s=timeout_s) as response:
        yield from response.chunks(gathered=True)


def test_a_deadline_ends_it(client: Http) -> None:
    with RawServer(_never_ends) as server:
        with pytest.raises(DeadlineError):
            list(_in_the_midst(client, server, 0.5))
        assert server.wait_until_none_is_open(10)


@pytest.mark.parametrize("how", [lambda client: client.abort(), lambda client: client.close()], ids=["abort", "close"])
def test_a_stop_ends_it_and_the_server_sees_it(how: Callable[[Http], None], client: Http) -> None:
    read = threading.Event()

    def ask() -> list[bytes]:
        found = []
        for data in _in_the_midst(client, server):
            found.append(data)
            if b"".join(found) == b"firstsecond":
                read.set()
        return found

    with RawServer(_never_ends) as server, ThreadPoolExecutor(1) as executor:
        asked = executor.submit(ask)
        assert read.wait(30)
        how(client)
        assert isinstance(asked.exception(30), AbortedError)
        assert server.wait_until_none_is_open(10)


def test_a_reader_that_leaves_closes_the_connection(client: Http) -> None:
    with RawServer(_never_ends) as server:
        chunks = _in_the_midst(client, server)
        found = b""
        while found != b"firstsecond":
            found += next(chunks)
        chunks.close()  # type: ignore[attr-defined]
        assert server.wait_until_none_is_open(10)


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_a_connection_that_breaks_is_an_error(reset: bool, client: Http) -> None:
    heard = threading.Event()

    def say(asked: Asked) -> None:
        asked.connection.sendall(HEAD + coded(b"first"))
        asked.connection.sendall(coded(b"second"))
        heard.wait(30)
        if reset:
            asked.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        asked.connection.close()

    found = []

    def ask(server: RawServer) -> None:
        for data in _in_the_midst(client, server):
            found.append(data)
            if b"".join(found) == b"firstsecond":
                heard.set()

    with RawServer(say) as server, pytest.raises(HttpError, match="reset" if reset else "."):
        ask(server)
    assert b"".join(found) == b"firstsecond"


def test_a_reader_goes_on_by_itself_where_the_receiver_ended() -> None:
    made = Receiver()
    here, there = socket.socketpair()
    with here, there:
        inlet = made.hand_over(here)
        assert inlet is not None
        there.sendall(b"first")
        assert inlet.read() is not None
        made.close()
        assert inlet.read() is None
        assert made.hand_over(here) is None
        there.sendall(b"second")
        assert here.recv(100) == b"second"


def test_its_thread_ends_with_the_client(client: Http) -> None:
    before = set(threading.enumerate())
    with RawServer(words_of) as server, opened(client, server.url) as response:
        list(response.chunks(gathered=True))
        (thread,) = [one for one in threading.enumerate() if one.name == "modex-receiver" and one not in before]
    client.close()
    thread.join(30)
    assert not thread.is_alive()
