from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from modex.core.llm import http
from modex.core.llm.http import DeadlineError, Http, HttpAnswer, HttpError, TooLargeError
from tests.pace import stretched
from tests.server import Reply, ServerHandle, replies, serve


@pytest.fixture
def client() -> Iterator[Http]:
    made = Http()
    yield made
    made.close()


def post(client: Http, server: ServerHandle, timeout_s: float = 5.0) -> http.HttpAnswer:
    return client.post(f"{server.url}/chat/completions", b"{}", {}, timeout_s)


@pytest.mark.parametrize("fault", ["drip_body", "drip_headers", "hang"])
def test_the_deadline_is_for_the_whole_call(fault: str, client: Http) -> None:
    with serve(Reply(fault=fault, drip_s=0.05)) as server:  # type: ignore[arg-type]
        started = time.monotonic()
        with pytest.raises(DeadlineError):
            post(client, server, 0.3)
        assert time.monotonic() - started < stretched(1)


@pytest.mark.parametrize("reply", [replies.RESET, replies.RESET_MIDWAY, replies.TRUNCATED])
def test_half_an_answer_is_none(reply: Reply, client: Http) -> None:
    with serve(reply) as server, pytest.raises(HttpError):
        post(client, server)


def test_a_port_nobody_listens_on_is_an_error_and_not_a_hang(client: Http) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(HttpError, match="refused"):
        client.post(f"http://127.0.0.1:{port}/v1", b"", {}, 5)


def test_a_body_beyond_the_cap_is_refused(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_RESPONSE", 1000)
    with serve(Reply(content="x" * 2000)) as server, pytest.raises(TooLargeError):
        post(client, server)


def test_a_body_without_a_length_is_capped_too(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_RESPONSE", 10_000)
    with (
        raw_server(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"ff0\r\n"
            + b"x" * 0xFF0
            + b"\r\n" * 1
            + (b"ff0\r\n" + b"x" * 0xFF0 + b"\r\n") * 400
        ) as port,
        pytest.raises(TooLargeError),
    ):
        client.post(f"http://127.0.0.1:{port}/v1", b"", {}, 5)


@pytest.mark.parametrize(
    "said", [b"SSH-2.0-OpenSSH_9\r\n\r\n", b"", b"HTTP/1.1 abc\r\n\r\n", b"\x00" * 100 + b"\r\n\r\n"]
)
def test_what_is_not_http_is_an_error(said: bytes, client: Http) -> None:
    with raw_server(said) as port, pytest.raises(HttpError):
        client.post(f"http://127.0.0.1:{port}/v1", b"", {}, 5)


def test_a_connection_that_the_server_closed_is_not_used_again(client: Http) -> None:
    with serve() as server:
        port = server.port
        post(client, server)
    with serve(port=port) as server:
        assert post(client, server).status == 200


def test_a_proxy_of_the_environment_is_asked_with_the_whole_url(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve() as proxy:
        monkeypatch.setenv("http_proxy", f"http://me:pass@127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        client.post("http://models.example:8000/v1/chat/completions", b"{}", {}, 5)
        assert proxy.requests[0].path == "http://models.example:8000/v1/chat/completions"
        assert proxy.requests[0].headers["proxy-authorization"] == "Basic bWU6cGFzcw=="


def test_loopback_is_never_asked_through_a_proxy(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with serve() as server:
        assert post(client, server).status == 200


class raw_server:  # noqa: N801
    """A server that says the same bytes to whoever connects, then closes."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> int:
        self._thread.start()
        port: int = self._socket.getsockname()[1]
        return port

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._thread.join(5)

    def _serve(self) -> None:
        try:
            connection, _ = self._socket.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(self._said)
        except OSError:
            return


def test_an_answer_holds_what_came() -> None:
    answer = HttpAnswer(200, {"a": "b"}, b"body")
    assert (answer.status, answer.headers, answer.body) == (200, {"a": "b"}, b"body")
