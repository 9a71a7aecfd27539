"""Servers of the Model Context Protocol, as real processes: answers, faults, deadlines, ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.suite.definitions import McpServer
from modex.core.tools.mcp_connection import Connection, _last_lines, not_started
from modex.core.tools.mcp_servers import McpServers
from tests.rows import each_row

NUMBERS = (sys.executable, str(Path(__file__).with_name("mcp_numbers.py")))
SERVER = McpServer(NUMBERS)
BY_SDK = McpServer((sys.executable, str(Path(__file__).with_name("mcp_sdk_numbers.py"))))


@pytest.fixture(scope="module")
def servers() -> Iterator[McpServers]:
    opened = McpServers()
    yield opened
    opened.close()


def test_a_tool_answers_and_its_fault_is_a_tool_error(servers: McpServers) -> None:
    assert servers.call(SERVER, "add", {"x": 2, "y": 3}).content == "5"
    failed = servers.call(SERVER, "fail", {})
    assert failed.is_error
    assert "fail" in failed.content


@pytest.mark.long
def test_a_server_by_the_official_sdk_is_asked_the_same_way(servers: McpServers) -> None:
    assert servers.call(BY_SDK, "add", {"x": 2, "y": 3}, "s").content == "5"
    assert servers.call(BY_SDK, "fail", {}, "s").is_error
    assert servers.call(BY_SDK, "picture", {}, "s").content == "a chart:\n[image 1 (image/png, 8 bytes)]"
    told = servers.call(BY_SDK, "error", {"code": -32602, "path": ""}, "s")
    assert (told.is_error, "no such city" in told.content) == (True, True)
    assert servers.call(BY_SDK, "count", {}, "s").content == "1", "it is the same process"
    with pytest.raises(ModelCallError, match="an error of its own"):
        servers.call(BY_SDK, "error", {"code": -32000, "path": ""}, "s")
    offered = {tool["name"]: tool["parameters"] for tool in servers.tools(BY_SDK)}
    by_hand = {tool["name"]: tool["parameters"] for tool in servers.tools(SERVER)}
    assert {name: set(one["properties"]) for name, one in offered.items()} == {
        name: set(one["properties"]) for name, one in by_hand.items()
    }


def test_what_a_server_offers_are_function_definitions(servers: McpServers) -> None:
    found = {tool["name"]: tool for tool in servers.tools(SERVER)}
    assert found["add"]["description"] == "Add two numbers."
    assert set(found["add"]["parameters"]["required"]) == {"x", "y"}


def test_each_sample_has_a_server_of_its_own_which_ends_with_it(servers: McpServers) -> None:
    others = _children()
    assert [servers.call(SERVER, "count", {}, owner).content for owner in ("a", "b", "a", "b")] == ["1", "1", "2", "2"]
    assert servers.call(SERVER, "place", {}, "a").content != (own := servers.call(SERVER, "place", {}, "b").content)
    servers.release("a")
    servers.release("b")
    assert servers.call(SERVER, "count", {}, "a").content == "1"
    servers.release("a")
    _until(lambda: not (_children() - others))
    assert not Path(own).exists()


def test_a_server_that_can_be_reset_is_used_again(servers: McpServers) -> None:
    own = McpServer(NUMBERS, reset="wipe")
    servers.call(own, "count", {}, "a")
    before = _children()
    for owner in "bcd":
        servers.release(chr(ord(owner) - 1))
        _until(lambda: bool(servers._idle.get(own)))
        assert servers.call(own, "count", {}, owner).content == "1"
    assert _children() == before
    odd = McpServer(NUMBERS, reset="fail")
    servers.call(odd, "count", {}, "a")
    servers.release("a")
    assert servers.call(odd, "count", {}, "b").content == "1"


def test_a_shared_server_is_one_for_all(servers: McpServers) -> None:
    own = McpServer(NUMBERS, shared=True)
    assert [servers.call(own, "count", {}, owner).content for owner in "abc"] == ["1", "2", "3"]
    servers.release("a")
    assert servers.call(own, "count", {}, "d").content == "4"


def test_invalid_params_are_for_the_model_and_leave_the_process(servers: McpServers) -> None:
    assert servers.call(SERVER, "count", {}, "g").content == "1"
    told = servers.call(SERVER, "error", {"code": -32602, "path": ""}, "g")
    assert told.is_error
    assert "error failed: no such city" in told.content
    assert servers.call(SERVER, "count", {}, "g").content == "2", "it is the same process"


@pytest.mark.long
@each_row("code", [-32000, -32601, 7])
def test_a_servers_own_error_is_asked_again_on_a_fresh_process_and_then_ends_the_sample(
    servers: McpServers, tmp_path: Path, code: int
) -> None:
    once = {"code": code, "path": str(tmp_path / f"{code}")}
    own = f"own {code}"
    assert servers.call(SERVER, "error", once, own).content == "well again"
    assert servers.call(SERVER, "count", {}, own).content == "1", "it is a fresh process"
    with pytest.raises(ModelCallError) as raised:
        servers.call(SERVER, "error", {"code": code, "path": ""}, f"twice {code}")
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE
    said = str(raised.value)
    assert said.startswith(f"the server {SERVER.words} answered error with an error of its own ({code}: no such city)")
    assert said.endswith("; it said: out of luck; it was asked twice")


def test_what_a_sample_called_before_is_not_lost_by_asking_again(servers: McpServers, tmp_path: Path) -> None:
    once = {"code": -32000, "path": str(tmp_path / "a")}
    servers.call(SERVER, "count", {}, "late")
    with pytest.raises(ModelCallError, match=r"an error of its own.*; this test had made 1 call there before"):
        servers.call(SERVER, "error", once, "late")
    servers.call(SERVER, "token", {}, "reads")  # says of itself that it only reads
    once = {"code": -32000, "path": str(tmp_path / "b")}
    assert servers.call(SERVER, "error", once, "reads").content == "well again"


def test_an_error_or_a_late_answer_of_a_shared_server_ends_nobody_elses_call(servers: McpServers) -> None:
    own = McpServer(NUMBERS, shared=True, timeout_s=1.0)
    assert servers.call(own, "count", {}, "a").content == "1"
    with pytest.raises(ModelCallError, match="it was asked twice"):
        servers.call(own, "error", {"code": -32000, "path": ""}, "b")
    assert servers.call(own, "count", {}, "c").content == "2", "it is the same process"


def test_a_server_begun_with_its_sample_answers_the_first_call_and_ends_uncalled_too(servers: McpServers) -> None:
    others = _children()
    servers.begin([SERVER], "a")
    servers.begin([SERVER], "b")
    _until(lambda: len(_children() - others) == 2)
    assert servers.call(SERVER, "count", {}, "a").content == "1"
    assert len(_children() - others) == 2, "the call asks the one that was begun"
    servers.release("a")
    servers.release("b")
    _until(lambda: not (_children() - others))


def test_a_server_that_ends_at_a_samples_first_call_is_asked_again_and_later_ends_the_sample(
    servers: McpServers, tmp_path: Path
) -> None:
    assert servers.call(SERVER, "once", {"path": str(tmp_path / "a")}, "first").content == "survived"
    servers.call(SERVER, "count", {}, "late")
    with pytest.raises(ModelCallError) as raised:
        servers.call(SERVER, "once", {"path": str(tmp_path / "b")}, "late")
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE
    assert str(raised.value).endswith(
        " ended (exit code 7); it said: out of luck; this test had made 1 call there before"
    )
    assert servers.call(SERVER, "count", {}, "late").content == "1"


def test_a_server_that_only_ends_is_asked_no_more(servers: McpServers, monkeypatch: pytest.MonkeyPatch) -> None:
    own = McpServer(NUMBERS, cwd=str(Path(__file__).parent))
    monkeypatch.setattr("modex.core.tools.mcp_servers.MOST_DEATHS", 3)
    for owner in ("a", "b"):  # each is tried twice
        with pytest.raises(ModelCallError, match="ended"):
            servers.call(own, "die", {}, owner)
    with pytest.raises(ModelCallError, match=r"gave 3 times in a row no answer.*; the last time it ended") as raised:
        servers.call(own, "add", {"x": 1, "y": 1}, "c")
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE
    assert servers.call(SERVER, "add", {"x": 1, "y": 1}, "c").content == "2", "another server is another matter"


def test_what_cannot_be_read_is_no_answer_and_writes_no_traceback(servers: McpServers, tmp_path: Path) -> None:
    noisy = tmp_path / "noisy.py"
    inserted = '    print("no JSON", flush=True)\n    return {}\n    if name not in TOOLS:'
    noisy.write_text(Path(NUMBERS[1]).read_text().replace("    if name not in TOOLS:", inserted))
    with pytest.raises(ModelCallError, match=r"gave no answer to count that can be read") as raised:
        servers.call(McpServer((sys.executable, str(noisy))), "count", {}, "n")
    assert "Error:" not in str(raised.value)
    assert "ValidationError" not in str(raised.value)
    for name in ("mcp", "client"):
        assert any(isinstance(one, logging.NullHandler) for one in logging.getLogger(name).handlers), name


def test_a_server_that_hangs_is_no_wrong_answer(servers: McpServers) -> None:
    hasty = McpServer(NUMBERS, timeout_s=1.5)
    with pytest.raises(ModelCallError, match=r"gave no answer to wait within 1.5 s") as raised:
        servers.call(hasty, "wait", {"seconds": 30.0})
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE


def test_a_tool_that_is_offered_no_more_is_no_wrong_answer(servers: McpServers) -> None:
    servers.call(SERVER, "leave", {}, "left")
    with pytest.raises(ModelCallError, match="no longer offers add"):
        servers.call(SERVER, "add", {"x": 1, "y": 1}, "left")


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
    with pytest.raises(ModelCallError, match=r"\(exit code 3\); it said: bad configuration"):
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


@pytest.mark.parametrize("called_before", [True, False])
def test_a_call_that_waits_when_all_is_closed_is_told_and_starts_nothing_anew(called_before: bool) -> None:
    """A sample's first call would be made again on a fresh process."""
    others = _children()
    own = McpServers()
    if called_before:
        own.call(SERVER, "add", {"x": 1, "y": 1})
    told: list[str] = []

    def wait() -> None:
        with pytest.raises(ModelCallError) as raised:
            own.call(SERVER, "wait", {"seconds": 20.0})
        told.append(str(raised.value))

    waiting = threading.Thread(target=wait)
    waiting.start()
    _until(lambda: bool(_asked(own)))
    own.close()
    waiting.join(5)
    assert ["mcp_numbers.py ended" in words for words in told] == [True], told
    assert not _children() - others


def test_what_is_closed_is_asked_no_more() -> None:
    others = _children()
    own = McpServers()
    own.close()
    own.begin([SERVER], "a")
    own.release("a")
    with pytest.raises(ModelCallError, match="the run has ended") as raised:
        own.call(SERVER, "add", {"x": 1, "y": 1}, "a")
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE
    with pytest.raises(ModelCallError, match="the run has ended"):
        own.tools(SERVER)
    assert not _children() - others


@pytest.mark.long
@pytest.mark.parametrize("steps", range(6))
def test_what_is_closed_while_its_process_is_made_is_reaped_before_the_loop_is_gone(steps: int) -> None:
    """`steps` of the event loop after its start: its process is made at the second or third."""
    others = _children()

    async def begun_and_closed() -> None:
        connection = Connection(SERVER)
        for _ in range(steps):
            await asyncio.sleep(0)
        connection.close()
        await asyncio.wait({connection.ended})

    loop = asyncio.new_event_loop()
    loop.run_until_complete(begun_and_closed())
    loop.close()
    gc.collect()  # what was left open is a warning now, and so an error
    assert not _children() - others


def _asked(servers: McpServers) -> list[int]:
    """Of each process that runs: how many calls it has to answer."""
    return [number for one in servers._every if (number := one._asking)]


def _children() -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        # A thread that ended meanwhile has no children.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found.update(int(pid) for pid in (task / "children").read_text().split() if _is_ours(pid))
    return found


def _until(holds: Callable[[], bool]) -> None:
    """Wait for what happens on the servers' own thread; the test's time limit ends it otherwise."""
    while not holds():
        time.sleep(0.01)


def _is_ours(pid: str) -> bool:
    try:
        return b"mcp_numbers" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_an_image_of_a_server_comes_with_its_bytes(servers: McpServers) -> None:
    found = servers.call(SERVER, "picture", {})
    assert found.content == "a chart:\n[image 1 (image/png, 8 bytes)]"
    assert [(one.name, one.media_type, one.data) for one in found.images] == [
        ("image 1", "image/png", b"\x89PNG\r\n\x1a\n")
    ]


@pytest.mark.long
def test_a_server_that_cannot_be_started_says_why_with_its_last_lines() -> None:
    error = not_started(SERVER, ValueError("odd"), " (exit code 3); it said: a / b")
    assert str(error).endswith("does not answer: ValueError: odd (exit code 3); it said: a / b")
    assert error.error_type == ErrorType.TOOL_UNAVAILABLE
    assert str(not_started(SERVER, ValueError("x" * 2000), "; it said: a")).endswith("x…; it said: a")
    assert _last_lines(io.BytesIO(b"one\ntwo\nthree\nfour \xff\n")) == "two / three / four \ufffd"
    assert _last_lines(io.BytesIO(b" ")) == ""
