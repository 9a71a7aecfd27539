"""The live tools reach pages with limits of size, time and place, and search over an endpoint of the user's choice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.suite.live_tools import LIVE_TOOLS
from core.tools import live
from core.tools.base import ToolResult, ToolSession
from core.tools.executor import SuiteToolExecutor
from tests.cli import call, write_suite

PAGES: dict[str, tuple[int, str, bytes]] = {
    "/page": (200, "text/html; charset=utf-8", b"<html><head><title>x</title></head><body><script>no()</script>"
              b"<p>Hello <b>world</b></p></body></html>"),
    "/plain": (200, "text/plain", b"just text"),
    "/image": (200, "image/png", b"\x89PNG"),
    "/large": (200, "text/plain", b"x" * (live.MAX_BYTES + 10)),
    "/missing": (404, "text/plain", b"no"),
}  # fmt: skip


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/search":
            body = json.dumps({"organic": [{"title": self.path, "link": "http://x", "snippet": "s"}] * 12}).encode()
            self._send(200, "application/json", body)
        elif path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://10.0.0.1/")
            self.end_headers()
        elif path == "/moved":
            self.send_response(301)
            self.send_header("Location", "/plain")
            self.end_headers()
        elif path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
        else:
            self._send(*PAGES[path])

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def fetched(address: str) -> ToolResult:
    return SuiteToolExecutor().call(LIVE_TOOLS["live_url_content"], {"url": address}, ToolSession())


@pytest.mark.parametrize(
    "place", ["127.0.0.1", "localhost", "[::1]", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0"]
)
def test_private_addresses_are_refused(place: str) -> None:
    result = fetched(f"http://{place}:1/")
    assert result.is_error
    assert "private network" in result.content


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://x/", "x", "http://", "http://user:pass@example.org/"])
def test_only_web_addresses(address: str) -> None:
    assert "no http(s) address" in fetched(address).content


def test_pages_are_read_as_text(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(live.ALLOW_PRIVATE, "1")
    assert json.loads(fetched(f"{site}/page").content)["content"] == "Hello world"
    assert json.loads(fetched(f"{site}/moved").content) == {"url": f"{site}/plain", "content": "just text"}


@pytest.mark.parametrize(
    ("path", "said"),
    [("/image", "image/png"), ("/large", "more than 2 MB"), ("/missing", "HTTP 404"), ("/loop", "redirections")],
)
def test_what_is_no_readable_page_is_a_tool_error(
    path: str, said: str, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(live.ALLOW_PRIVATE, "1")
    result = fetched(site + path)
    assert (result.is_error, said in result.content) == (True, True), result.content


def test_a_redirection_into_a_private_network_is_not_followed(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = live._is_global
    monkeypatch.setattr(live, "_is_global", lambda address: address == "127.0.0.1" or real(address))
    assert "private network" in fetched(f"{site}/away").content


def test_a_slow_page_ends(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(live.ALLOW_PRIVATE, "1")
    monkeypatch.setattr(live, "TIMEOUT_S", 0.3)
    listener = __import__("socket").create_server(("127.0.0.1", 0))
    started = time.monotonic()
    result = fetched(f"http://127.0.0.1:{listener.getsockname()[1]}/")
    listener.close()
    assert result.is_error
    assert time.monotonic() - started < 30


def test_the_search_asks_the_users_endpoint(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    executor, tool = SuiteToolExecutor(), LIVE_TOOLS["live_web_search"]
    assert "MODEX_SEARCH_URL" in (executor.unavailable(tool) or "")
    monkeypatch.setenv(live.SEARCH_URL, f"{site}/search?q={{query}}")
    assert executor.unavailable(tool) is None
    found = json.loads(executor.call(tool, {"query": "a b&c"}, ToolSession()).content)["results"]
    assert len(found) == 10
    assert found[0] == {"title": "/search?q=a%20b%26c", "url": "http://x", "text": "s"}


def test_live_tools_are_off_unless_named(tmp_path: Path) -> None:
    tests = [{"id": "t", "prompt": "q", "expected": {"keywords": ["ok"]}, "rollout": "agentic"}]
    suite = write_suite(tmp_path / "suite", tests)
    assert call("tests", suite, "--json").data[0]["tools"] == []
    named = call("tests", suite, "--tool", "live_web_search", "--tool", "live_url_content", "--json")
    assert named.data[0]["tools"] == ["web_search", "url_content"]
    unknown = call("tests", suite, "--tool", "live_web_serch")
    assert (unknown.code, "did you mean 'live_web_search'" in unknown.err) == (2, True)


def test_an_agentic_test_without_tools_is_called_what_it_is(tmp_path: Path) -> None:
    from tests.cli import reading

    tests = [{"id": "t", "prompt": "q", "expected": {"keywords": ["ok"]}, "rollout": "agentic"}]
    suite = write_suite(tmp_path / "suite", tests)
    called = call("run", "--model", "demo", "--suite", suite, "--headless", "--exp-id", "e", "--db", tmp_path / "m.db")
    assert "1 agentic tests are offered no tool: they are asked as `reasoning`" in called.err
    with reading(tmp_path / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert sample.definition.rollout == "reasoning"
    assert [entry["phase"] for entry in sample.transcript if entry["role"] == "assistant"] == ["pass1"]


def test_the_invented_world_says_so_where_its_tools_are_offered(tmp_path: Path) -> None:
    from tests.cli import reading

    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "What is the price?", "answer": "1"}\n')
    called = call(
        "run", "--model", "demo", "--dataset", path, "--evaluator", "match", "--rollout", "agentic", "--headless",
        "--exp-id", "e", "--db", tmp_path / "m.db",
    )  # fmt: skip
    assert "offered those of an invented, frozen market" in called.err
    with reading(tmp_path / "m.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    assert "invented, frozen market" in (sample.system_prompt or "")


def test_check_counts_rows_names_plugins_and_calls_no_own_file_ignored(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [{"id": "t", "prompt": "q", "expected": "x", "evaluator_id": "haiku"}])
    (suite / "plugins").mkdir()
    (suite / "plugins" / "poems.py").write_text("")
    folder = suite / "test_definitions" / "facts"
    folder.mkdir()
    (folder / "facts.json").write_text(json.dumps([{"question": f"q{n}", "answer": "a"} for n in range(3)]))
    (folder / "dataset.json").write_text('{"file": "facts.json"}')
    called = call("check", suite, "--notes")
    assert "there is no evaluator 'haiku'; the suite's plugins may define it (poems.py)" in called.out
    assert "facts/dataset.json: 3 rows" in called.err
    assert "is ignored" not in called.out


@pytest.mark.parametrize(
    "address", ["http://host:99999/", "http://host:x/", "http://host:0/", "http://[::1/", "http://host:-1"]
)
def test_an_address_with_an_odd_port_is_a_tool_error(address: str) -> None:
    assert live.url_content({"url": address}, ToolSession()).is_error
