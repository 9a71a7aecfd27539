"""A sample's tools on a loopback address: who may ask, what is a request, what is a call, and that all of it ends."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from modex.core.tools.base import ToolResult
from modex.core.tools.endpoint import MAX_BODY, MAX_CONNECTIONS, ToolEndpoint
from tests.rows import each_row

SCHEMAS = [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"properties": {}}}}]


class Mover:
    """Answers what comes, as the one who moves a sample does."""

    def __init__(self) -> None:
        self.endpoint = ToolEndpoint(SCHEMAS)
        self.calls: list[tuple[str, str, str]] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()

    def _answer(self) -> None:
        import select

        while not self._done.is_set():
            if select.select([self.endpoint], [], [], 0.01)[0]:
                for call in self.endpoint.take():
                    self.calls.append((call.id, call.name, call.arguments))
                    call.answer(ToolResult(f"did {call.name}", is_error=call.name != "add"))

    def end(self) -> None:
        self._done.set()
        self._thread.join()
        self.endpoint.close()


@pytest.fixture
def mover() -> Iterator[Mover]:
    made = Mover()
    yield made
    made.end()


def ask(
    endpoint: ToolEndpoint, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    """The status and the JSON of one request; `path` stands behind the secret, unless it begins with two slashes."""
    address = urlsplit(endpoint.url)
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=20)
    try:
        text = body if isinstance(body, str | bytes) or body is None else json.dumps(body)
        connection.request(method, path[1:] if path.startswith("//") else address.path + path, text, headers or {})
        reply = connection.getresponse()
        said = reply.read()
        return reply.status, json.loads(said) if said else None
    finally:
        connection.close()


def was_asked(mover: Mover) -> bool:
    return mover.endpoint.asked


def test_tools_are_listed_and_called_as_a_name_with_arguments_or_as_openai_writes_a_call(mover: Mover) -> None:
    assert not was_asked(mover)
    assert ask(mover.endpoint, "GET", "/tools") == (200, SCHEMAS)
    assert was_asked(mover)
    said = {"role": "tool", "tool_call_id": "", "name": "add", "content": "did add", "is_error": False}
    assert ask(mover.endpoint, "POST", "/call", {"name": "add", "arguments": {"x": "é"}}) == (200, said)
    of_openai = {"id": "c1", "type": "function", "function": {"name": "no", "arguments": '{"y": 1}'}}
    assert ask(mover.endpoint, "POST", "/call?x=1", of_openai) == (
        200,
        {"role": "tool", "tool_call_id": "c1", "name": "no", "content": "did no", "is_error": True},
    )
    assert ask(mover.endpoint, "POST", "/call", {"name": "add"})[0] == 200
    assert mover.calls == [("", "add", '{"x": "é"}'), ("c1", "no", '{"y": 1}'), ("", "add", "{}")]


@each_row(
    ("method", "path", "body", "headers", "status", "said"),
    [
        ("GET", "//tools", None, {}, 404, "MODEX_TOOLS_URL"),
        ("POST", "//call", '{"name": "add"}', {}, 404, "MODEX_TOOLS_URL"),
        ("GET", "//" + "x" * 33 + "/tools", None, {}, 404, "MODEX_TOOLS_URL"),
        ("GET", "/tools", None, {"Origin": "https://evil.example"}, 404, "MODEX_TOOLS_URL"),
        ("GET", "/tools", None, {"Origin": "null"}, 404, "MODEX_TOOLS_URL"),
        ("GET", "/other", None, {}, 404, "GET /tools, POST /call"),
        ("POST", "/tools", "{}", {}, 405, "GET /tools"),
        ("GET", "/call", None, {}, 405, "POST /call"),
        ("GET", "/mcp", None, {}, 405, "POST /mcp"),
        ("DELETE", "/mcp", None, {}, 405, "POST /mcp"),
        ("POST", "/call", "no json", {}, 400, '{"name"'),
        ("POST", "/call", "[1]", {}, 400, '{"name"'),
        ("POST", "/call", '{"name": 3}', {}, 400, '{"name"'),
        ("POST", "/call", '{"function": "add"}', {}, 400, '{"name"'),
        ("POST", "/call", "[" * 90_000, {}, 400, '{"name"'),
        ("POST", "/call", None, {"Content-Length": str(MAX_BODY + 1)}, 413, "at most 4 MB"),
        ("POST", "/call", None, {"Content-Length": "1" * 30}, 413, "at most 4 MB"),
        ("POST", "/call", None, {"Content-Length": "-1"}, 400, "no number"),
        ("POST", "/call", None, {"Transfer-Encoding": "chunked", "Content-Length": "0"}, 400, "chunk"),
    ],
)  # fmt: skip
def test_what_is_no_request_is_told_so_and_calls_nothing(
    mover: Mover, method: str, path: str, body: str | None, headers: dict[str, str], status: int, said: str
) -> None:
    if "Transfer-Encoding" in headers:
        address = urlsplit(mover.endpoint.url)
        with socket.create_connection(("127.0.0.1", address.port or 0), 20) as connection:
            connection.sendall(
                f"POST {address.path}/call HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nodd\r\n".encode()
            )
            assert _status(connection) == status
    else:
        found, answer = ask(mover.endpoint, method, path, body, headers)
        assert (found, said in answer["error"]) == (status, True), answer
    assert mover.calls == []
    assert not mover.endpoint.asked


def _status(connection: socket.socket) -> int:
    """Of the next answer, read to its end."""
    reply = http.client.HTTPResponse(connection)
    reply.begin()
    reply.read()
    return reply.status


def test_a_body_in_chunks_is_a_body_and_a_page_of_this_machine_may_ask(mover: Mover) -> None:
    address = urlsplit(mover.endpoint.url)
    head = f"POST {address.path}/call HTTP/1.1\r\nOrigin: http://localhost:3000\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", address.port or 0), 20) as connection:
        connection.sendall((head + '8;x=1\r\n{"name":\r\n7\r\n "add"}\r\n0\r\nTrailer: x\r\n\r\n').encode())
        assert _status(connection) == 200
        connection.sendall(f"GET {address.path}/tools HTTP/1.1\r\n\r\n".encode())  # the same connection goes on
        assert _status(connection) == 200
    assert mover.calls == [("", "add", "{}")]


def test_the_protocol_lists_and_calls_over_post_and_a_notification_has_no_answer(mover: Mover) -> None:
    def say(method: str, **params: Any) -> Any:
        status, answer = ask(
            mover.endpoint, "POST", "/mcp", {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        )
        assert status == 200
        return answer.get("result", answer.get("error"))

    assert say("initialize", protocolVersion="2025-06-18")["protocolVersion"] == "2025-06-18"
    assert not was_asked(mover)
    assert say("tools/list") == {
        "tools": [{"name": "add", "description": "Adds.", "inputSchema": {"type": "object", "properties": {}}}]
    }
    assert was_asked(mover)
    assert say("tools/call", name="add", arguments={"x": 1}) == {"content": [{"type": "text", "text": "did add"}]}
    assert say("tools/call", name="no") == {"content": [{"type": "text", "text": "did no"}], "isError": True}
    assert mover.calls == [("", "add", '{"x": 1}'), ("", "no", "{}")]
    assert ask(mover.endpoint, "POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)
    assert ask(mover.endpoint, "POST", "/mcp", "no json")[1]["error"]["code"] == -32700


def test_the_end_refuses_who_waits_and_leaves_no_thread_no_port_and_no_file() -> None:
    endpoint = ToolEndpoint(SCHEMAS)
    port = urlsplit(endpoint.url).port or 0
    waiting: list[Any] = []

    def call() -> None:
        try:
            waiting.append(ask(endpoint, "POST", "/call", {"name": "add"})[0])
        except (OSError, http.client.HTTPException) as error:
            waiting.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    with socket.create_connection(("127.0.0.1", port), 20) as idle:
        while not endpoint.asked:
            time.sleep(0.001)
        endpoint.close()
        endpoint.close()
        assert _is_closed(idle)
    thread.join(20)
    assert waiting[0] == 503 or isinstance(waiting[0], OSError | http.client.HTTPException)
    assert not [one for one in threading.enumerate() if one.name in ("tool endpoint",)]
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 1)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(10) == b""
    except ConnectionResetError:
        return True


def test_more_connections_than_are_served_are_closed(mover: Mover) -> None:
    address = ("127.0.0.1", urlsplit(mover.endpoint.url).port or 0)
    with contextlib.ExitStack() as held:
        for _ in range(MAX_CONNECTIONS):
            one = held.enter_context(socket.create_connection(address, 20))
            one.sendall(f"GET {urlsplit(mover.endpoint.url).path}/tools HTTP/1.1\r\n\r\n".encode())
            assert _status(one) == 200  # and stays open
        assert _is_closed(held.enter_context(socket.create_connection(address, 20)))
