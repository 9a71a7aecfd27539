"""Servers of the Model Context Protocol, as real processes: answers, faults, deadlines, ends."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import MCPError
from mcp.types import CONNECTION_CLOSED

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.suite.definitions import McpServer
from modex.core.tools.mcp_servers import MOST_STARTS, McpServers, _not_started, _result
from tests.rows import each_row

NUMBERS = (sys.executable, str(Path(__file__).with_name("mcp_numbers.py")))
SERVER = McpServer(NUMBERS)


@pytest.fixture(scope="module")
def servers() -> Iterator[McpServers]:
    opened = McpServers()
    yield opened
    opened.close()


def test_a_tool_answers_and_its_fault_is_a_tool_error(servers: McpServers) -> None:
    assert servers.call(SERVER, "add", {"x": 2, "y": 3}).content == "5"
    failed = servers.call(SERVER, "fail", {})
    assert failed.is_error
    assert servers.call(SERVER, "unknown", {}).is_error


def test_what_a_server_offers_are_function_definitions(servers: McpServers) -> None:
    found = {tool["name"]: tool for tool in servers.tools(SERVER)}
    assert found["add"]["description"] == "Add two numbers."
    assert set(found["add"]["parameters"]["required"]) == {"x", "y"}


def test_a_server_that_ends_while_it_is_asked_is_a_tool_error_and_is_started_again_a_few_times(
    servers: McpServers,
) -> None:
    own = McpServer(NUMBERS, cwd=str(Path(__file__).parent))
    for _ in range(MOST_STARTS):
        ended = servers.call(own, "die", {})
        assert ended.is_error
        assert "its server ended" in ended.content
    with pytest.raises(ModelCallError, match=f"ended {MOST_STARTS} times") as raised:
        servers.call(own, "add", {"x": 1, "y": 1})
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE


def test_a_late_answer_is_a_tool_error_and_the_next_call_is_answered(servers: McpServers) -> None:
    hasty = McpServer(NUMBERS, timeout_s=0.2)
    servers.call(McpServer(NUMBERS, timeout_s=0.2), "unknown", {})
    late = servers.call(hasty, "wait", {"seconds": 1.0})
    assert late.is_error
    assert "timed out after 0.2 s" in late.content


def test_a_stop_ends_a_call_that_waits() -> None:
    stop = threading.Event()
    own = McpServers(stop)
    try:
        own.call(SERVER, "add", {"x": 1, "y": 1})
        threading.Timer(0.1, stop.set).start()
        assert "the run stops" in own.call(SERVER, "wait", {"seconds": 20.0}).content
    finally:
        own.close()


def test_a_command_that_is_no_server_says_what_it_said(servers: McpServers) -> None:
    with pytest.raises(ModelCallError, match="bad configuration"):
        servers.call(McpServer(("/bin/sh", "-c", "echo bad configuration >&2; exit 3")), "add", {})
    with pytest.raises(ModelCallError, match="no-such-program"):
        servers.call(McpServer(("no-such-program",)), "add", {})


def test_a_server_gets_only_the_variables_that_it_names(servers: McpServers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_GIVEN", "1")
    monkeypatch.setenv("CANARY_KEPT", "1")
    assert servers.call(McpServer(NUMBERS, env=("CANARY_GIVEN",)), "token", {}).content == "CANARY_GIVEN"


def test_closing_ends_the_servers_processes() -> None:
    others = _children()
    own = McpServers()
    own.call(SERVER, "add", {"x": 1, "y": 1})
    started = _children() - others
    assert started
    own.close()
    assert not started & _children()


def _children() -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        # A thread that ended meanwhile has no children.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found.update(int(pid) for pid in (task / "children").read_text().split() if _is_ours(pid))
    return found


def _is_ours(pid: str) -> bool:
    try:
        return b"mcp_numbers" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@each_row(
    ("error", "said", "kept"),
    [
        (MCPError(-32602, "no such x"), "add failed: ", True),
        (MCPError(CONNECTION_CLOSED, "closed"), "its server ended", False),
        (BrokenPipeError("gone"), "its server ended", False),
    ],
)
def test_a_fault_that_the_server_tells_leaves_it_and_any_other_ends_it(error: Exception, said: str, kept: bool) -> None:
    async def told() -> tuple[str, bool, bool]:
        opened, closing = McpServers(), asyncio.Event()
        connection: Any = SimpleNamespace(closing=closing)
        opened._open[SERVER] = connection
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        answer.set_exception(error)
        found = opened._read(SERVER, "add", answer)
        assert found.is_error
        return found.content, SERVER in opened._open, closing.is_set()

    content, there, ended = asyncio.run(told())
    assert said in content
    assert (there, ended) == (kept, not kept)


@each_row(
    ("blocks", "structured", "text"),
    [
        ([("text", "a"), ("image", ""), ("text", "b")], None, "a\n[image]\nb"),
        ([], {"ä": 1}, '{"ä": 1}'),
        ([("text", "a")], {"b": 1}, "a"),
        ([], None, ""),
    ],
)
@each_row("fault", [False, True, None])
def test_an_answer_is_its_texts_else_its_structure(
    blocks: list[tuple[str, str]], structured: Any, text: str, fault: bool | None
) -> None:
    content = [SimpleNamespace(type=kind, text=said) for kind, said in blocks]
    found = _result(SimpleNamespace(content=content, structured_content=structured, is_error=fault))
    assert (found.content, found.is_error) == (text, bool(fault))


def test_a_server_that_cannot_be_started_says_why_with_its_last_lines() -> None:
    error = _not_started(SERVER, ValueError("odd"), io.StringIO("one\ntwo\nthree\nfour\n"))
    assert str(error).endswith("does not answer: ValueError: odd; it said: two / three / four")
    assert error.error_type == ErrorType.TOOL_UNAVAILABLE
    assert str(_not_started(SERVER, ValueError("odd"), io.StringIO(" "))).endswith("ValueError: odd")
    assert len(str(_not_started(SERVER, ValueError("x" * 2000), io.StringIO()))) == 1500
