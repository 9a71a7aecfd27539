"""The live tools reach pages with limits of size, time and place, and search over an endpoint of the user's choice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.suite.live_tools import LIVE_TOOLS
from modex.core.tools import live
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.executor import SuiteToolExecutor
from tests.cli import call, write_suite
from tests.rows import each_row

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


@each_row("place", ["127.0.0.1", "localhost", "[::1]", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0"])
def test_private_addresses_are_refused(place: str) -> None:
    result = fetched(f"http://{place}:1/")
    assert result.is_error
    assert "private network" in result.content


@each_row("address", ["file:///etc/passwd", "ftp://x/", "x", "http://", "http://user:pass@example.org/"])
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


@each_row("address", ["http://host:99999/", "http://host:x/", "http://host:0/", "http://[::1/", "http://host:-1"])
def test_an_address_with_an_odd_port_is_a_tool_error(address: str) -> None:
    assert live.url_content({"url": address}, ToolSession()).is_error


class Web:
    """Pages by address, given without a network; what was asked is kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pages: dict[str, Any], hosts: dict[str, list[str]]) -> None:
        import urllib3

        self._pages, self._hosts = pages, hosts
        self.asked: list[tuple[str, str, int, dict[str, Any]]] = []
        self.now = 50.0
        monkeypatch.delenv(live.ALLOW_PRIVATE, raising=False)
        monkeypatch.setattr("modex.core.tools.live.socket.getaddrinfo", self._resolved)
        monkeypatch.setattr(live, "time", self)
        monkeypatch.setattr(urllib3, "HTTPConnectionPool", partial(self._pool, "http"))
        monkeypatch.setattr(urllib3, "HTTPSConnectionPool", partial(self._pool, "https"))

    def monotonic(self) -> float:
        return self.now

    def _resolved(self, host: str, port: int, **_: object) -> list[Any]:
        if host not in self._hosts:
            raise OSError("unknown")
        return [(0, 0, 0, "", (address, port)) for address in self._hosts[host]]

    def _pool(self, scheme: str, place: str, port: int, **settings: Any) -> Any:
        def urlopen(method: str, path: str, *, headers: dict[str, str], redirect: bool, preload_content: bool) -> Any:
            assert (method, redirect, preload_content, settings["retries"]) == ("GET", False, False, False)
            self.asked.append((scheme, place, port, {**settings, "path": path, "headers": headers}))
            status, given, parts = self._pages[f"{scheme}://{headers['Host']}{path}"]
            return SimpleNamespace(
                status=status, headers=given, stream=lambda *_, **__: self._streamed(parts), close=lambda: None
            )

        return SimpleNamespace(urlopen=urlopen, close=lambda: None)

    def _streamed(self, parts: list[bytes]) -> Iterator[bytes]:
        for part in parts:
            self.now += 1.0
            yield part


TEXT = {"Content-Type": "text/plain"}
PUBLIC = {
    "a.example": ["93.184.216.34", "93.184.216.35"],
    "b.example": ["93.184.216.34", "10.0.0.1"],
    "self": ["127.0.0.1"],
}


@pytest.mark.parametrize(
    ("address", "scheme", "port", "path", "named"),
    [
        ("http://a.example", "http", 80, "/", "a.example"),
        ("https://a.example/x", "https", 443, "/x", "a.example"),
        ("http://a.example:81/x?q=1#part", "http", 81, "/x?q=1", "a.example:81"),
        ("https://a.example:444?q", "https", 444, "/?q", "a.example:444"),
    ],
)
def test_a_page_is_asked_of_the_address_that_was_checked_under_its_own_name(
    monkeypatch: pytest.MonkeyPatch, address: str, scheme: str, port: int, path: str, named: str
) -> None:
    web = Web(monkeypatch, {f"{scheme}://{named}{path}": (200, TEXT, [b"a ", b"b"])}, PUBLIC)
    assert json.loads(live.url_content({"url": f" {address} "}, ToolSession()).content)["content"] == "a b"
    ((used, place, asked_port, settings),) = web.asked
    assert (used, place, asked_port, settings["path"]) == (scheme, "93.184.216.34", port, path)
    assert settings["headers"] == {
        "Host": named, "User-Agent": "modex", "Accept": "text/html,text/*,application/json",
    }  # fmt: skip
    assert settings["timeout"].total == pytest.approx(20.0)
    assert (
        settings.get("server_hostname")
        == settings.get("assert_hostname")
        == (None if scheme == "http" else "a.example")
    )


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_page_that_has_moved_is_followed(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    pages = {"http://a.example/x": (status, {"Location": "/y"}, []), "http://a.example/y": (200, TEXT, [b"here"])}
    Web(monkeypatch, pages, PUBLIC)
    found = live.url_content({"url": "http://a.example/x"}, ToolSession())
    assert json.loads(found.content) == {"url": "http://a.example/y", "content": "here"}


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ((300, {"Location": "/y", **TEXT}, [b"as it is"]), "as it is"),
        ((309, {"Location": "/y", **TEXT}, [b"as it is"]), "as it is"),
        ((301, TEXT, [b"nowhere"]), "nowhere"),
        ((399, TEXT, [b"odd"]), "odd"),
        ((400, TEXT, [b"no"]), "HTTP 400"),
        ((302, {"Location": "http://[x/"}, []), "leads to what is no address"),
        ((200, TEXT, [b"x" * live.MAX_BYTES]), "xxx"),
        ((200, TEXT, [b"x" * live.MAX_BYTES, b"y"]), "more than 2 MB"),
        ((200, TEXT, [b"x"] * 20), "xxx"),
        ((200, TEXT, [b"x"] * 21), "more than 20 s"),
    ],
)
def test_a_page_is_bounded_in_size_and_time_and_moves_only_as_the_standard_says(
    monkeypatch: pytest.MonkeyPatch, page: Any, said: str
) -> None:
    Web(monkeypatch, {"http://a.example/x": page}, PUBLIC)
    assert said in live.url_content({"url": "http://a.example/x"}, ToolSession()).content


@pytest.mark.parametrize(("hops", "found"), [(5, True), (6, False)])
def test_five_redirections_are_followed(monkeypatch: pytest.MonkeyPatch, hops: int, found: bool) -> None:
    pages: dict[str, Any] = {f"http://a.example/{n}": (302, {"Location": f"/{n + 1}"}, []) for n in range(hops)}
    pages[f"http://a.example/{hops}"] = (200, TEXT, [b"here"])
    web = Web(monkeypatch, pages, PUBLIC)
    result = live.url_content({"url": "http://a.example/0"}, ToolSession())
    assert (result.is_error, len(web.asked)) == (not found, 6)


def test_a_host_of_which_one_address_is_private_is_not_asked_but_a_search_may_stand_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    web = Web(
        monkeypatch,
        {"http://self/?q=w": (200, {}, [b'{"items": [{"name": "n", "href": "u", "text": "t"}, 3]}'])},
        PUBLIC,
    )
    assert (
        "b.example stands in a private network" in live.url_content({"url": "http://b.example"}, ToolSession()).content
    )
    assert "there is no host 'c.example'" in live.url_content({"url": "http://c.example"}, ToolSession()).content
    assert web.asked == []
    monkeypatch.setenv(live.SEARCH_URL, "http://self/?q={query}")
    found = live.web_search({"query": "w"}, ToolSession())
    assert json.loads(found.content) == {"results": [{"title": "n", "url": "u", "text": "t"}]}
    assert "Authorization" not in web.asked[0][3]["headers"]
    monkeypatch.setenv(live.SEARCH_KEY, "k")
    live.web_search({"query": "w"}, ToolSession())
    assert web.asked[1][3]["headers"]["Authorization"] == "Bearer k"


@each_row(
    ("answer", "titles"),
    [
        ([{"title": "a"}], ["a"]), ({"results": [{"title": "a"}]}, ["a"]), ({"organic_results": [{"title": "a"}]}, ["a"]),
        ({"web": {"results": [{"title": "a"}]}}, ["a"]), ({"data": [{"title": "a"}, "odd", {"title": 3}]}, ["a", ""]),
        ({"web": []}, None), ("text", None), ({"results": [{"title": "x" * 1001}]}, ["x" * 1000]),
    ],
)  # fmt: skip
def test_results_are_found_under_the_names_that_endpoints_use(answer: Any, titles: list[str] | None) -> None:
    if titles is None:
        with pytest.raises(live._LiveError, match="no list of results"):
            live._results(answer)
    else:
        assert [one["title"] for one in live._results(answer)] == titles


@each_row(
    ("kind", "body", "text"),
    [
        ("text/html", b"<p>a</p>b<br>c", "ab\nc"),
        ("text/plain", b"<p>a</p>", "<p>a</p>"),
        ("", b"  <!DOCTYPE html><p>a", "a"),
        ("application/json", b" <html><i>a</i>", "a"),
        ("text/plain; charset=latin-1", b"\xe9", "é"),
        ('text/plain; charset="UTF-8"; x=y', b"\xc3\xa9", "é"),
        ("text/plain; charset=none-such", b"\xc3\xa9", "é"),
        ("application/xhtml+xml", b"<p>a<style>b</style><svg>c</svg></style>d", "ad"),
        ("application/xml", b"a\n\n  b  c\n", "a\nb c"),
        ("text/html", b"<head><script>a</script>b</head><p>c", "c"),
        ("Image/PNG", b"", None),
        ("application/pdf; x=text/", b"", None),
    ],
)
def test_a_page_is_read_by_its_kind_or_its_beginning(kind: str, body: bytes, text: str | None) -> None:
    if text is None:
        with pytest.raises(live._LiveError, match="which is no text"):
            live._readable(kind, body)
    else:
        assert live._readable(kind, body) == text


@each_row(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("::ffff:10.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("2002:0a00:0001::", False),
        ("224.0.1.1", False),
        ("fe80::1%eth0", False),
        ("2606:2800:220:1::1", True),
        ("100.64.0.1", False),
    ],
)
def test_an_address_within_another_counts_by_what_it_leads_to(address: str, public: bool) -> None:
    assert live._is_global(address) is public


@pytest.mark.parametrize("length", [40_000, 40_001])
def test_a_long_text_is_given_as_far_as_forty_thousand_characters(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    Web(monkeypatch, {"http://a.example/x": (200, TEXT, [b"x" * length])}, PUBLIC)
    assert len(json.loads(live.url_content({"url": "http://a.example/x"}, ToolSession()).content)["content"]) == 40_000
