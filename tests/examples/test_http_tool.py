from __future__ import annotations

import json
import runpy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from modex.core.suite.loading import load_suite
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.executor import SuiteToolExecutor

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "http_tool"
Call = Callable[[str, ToolSession], ToolResult]


class Api(BaseHTTPRequestHandler):
    seen: ClassVar[list[tuple[str, str | None]]]

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers.get("Authorization")))
        code, body = {
            "/services/billing": (200, b'{"service": "billing", "state": "up"}'),
            "/services/a%2Fb": (200, b"<html>"),
            "/services/flood": (200, b"x" * 100_000),
        }.get(self.path, (404, b"{}"))
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@contextmanager
def api() -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    class Counted(Api):
        seen: ClassVar[list[tuple[str, str | None]]] = []

    server = ThreadingHTTPServer(("127.0.0.1", 0), Counted)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", Counted.seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(name="call")
def plugged_in() -> Call:
    runpy.run_path(str(EXAMPLE / "plugins" / "http_tool.py"))
    tool = load_suite(EXAMPLE).tools["service_status"]
    executor = SuiteToolExecutor()
    return lambda service, session: executor.call(tool, {"service": service}, session)


def test_the_example_suite_has_no_mistakes() -> None:
    assert load_suite(EXAMPLE).problems == []


def test_the_tool_fetches_once_a_sample_and_sends_the_key(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    with api() as (url, seen):
        monkeypatch.setenv("STATUS_API_URL", url)
        monkeypatch.setenv("STATUS_API_KEY", "example")
        session = ToolSession()
        first, second = call("billing", session), call("billing", session)
        assert json.loads(first.content) == {"service": "billing", "state": "up"}
        assert first == second
        assert not first.is_error
        assert seen == [("/services/billing", "Bearer example")]


@pytest.mark.parametrize(
    ("service", "message"),
    [("nothing", "answered 404"), ("a/b", "did not answer JSON"), ("flood", "more than 64,000 bytes")],
)
def test_what_the_api_gets_wrong_is_an_error_the_model_can_read(
    call: Call, monkeypatch: pytest.MonkeyPatch, service: str, message: str
) -> None:
    with api() as (url, _):
        monkeypatch.setenv("STATUS_API_URL", url)
        result = call(service, ToolSession())
        assert result.is_error
        assert message in json.loads(result.content)["error"]


def test_an_api_that_is_not_there_is_an_error_too(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATUS_API_URL", "http://127.0.0.1:9")
    assert "cannot be reached" in call("billing", ToolSession()).content
    monkeypatch.delenv("STATUS_API_URL")
    assert "STATUS_API_URL is not set" in call("billing", ToolSession()).content
