from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.foundation.parties import detail_of, party_of_error
from modex.core.pipeline.plugins import load_bundled_plugins
from modex.core.suite.definitions import Location, McpServer, ToolDefinition
from modex.core.tools.base import ToolResult, ToolSession
from modex.core.tools.executor import MAX_RESULT_CHARS, SuiteToolExecutor
from modex.core.tools.registry import present_of, register_handler, register_present
from tests.rows import each_row


def _tool(handler: str | None = None, mock: Any = None) -> ToolDefinition:
    return ToolDefinition("t", "t", "", {}, Location("t.json"), mock=mock, handler=handler)


def test_a_mock_answers_where_there_is_no_handler() -> None:
    assert SuiteToolExecutor().call(_tool(mock=[{"response": "hi"}]), {}, ToolSession()).content == "hi"


def test_a_handler_s_exception_is_a_tool_error_without_secrets() -> None:
    def broken(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        raise RuntimeError("no luck with sk-proj-abcdefghijklmnopqrstuvwxyz123456")

    result = SuiteToolExecutor({"python:broken": broken}).call(_tool("python:broken"), {}, ToolSession())
    assert result.is_error
    assert "RuntimeError: no luck" in result.content
    assert "abcdefghijklmnop" not in result.content


def test_a_long_answer_is_cut_and_said_so() -> None:
    result = SuiteToolExecutor().call(_tool(mock=[{"response": "x" * (MAX_RESULT_CHARS + 5)}]), {}, ToolSession())
    assert result.content.endswith("x\n[… 5 characters left out]")


def test_a_missing_handler_is_the_machine_s_fault_and_not_the_model_s() -> None:
    executor = SuiteToolExecutor()
    assert "no handler 'python:nowhere'" in (executor.unavailable(_tool("python:nowhere")) or "")
    with pytest.raises(ModelCallError) as raised:
        executor.call(_tool("python:nowhere"), {}, ToolSession())
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE


def test_a_plugin_s_handler_is_found_by_its_id() -> None:
    @register_handler("python:shout_in_tests")
    def shout(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        return ToolResult(str(arguments["text"]).upper())

    executor = SuiteToolExecutor()
    assert executor.unavailable(_tool("python:shout_in_tests")) is None
    assert executor.call(_tool("python:shout_in_tests"), {"text": "a"}, ToolSession()).content == "A"


def test_a_handler_s_id_has_one_form() -> None:
    with pytest.raises(ConfigurationError, match="python:<name>"):
        register_handler("shout")


def test_the_world_and_the_workspace_are_there() -> None:
    load_bundled_plugins()
    executor = SuiteToolExecutor()
    assert executor.unavailable(_tool("world:token_supply")) is None
    assert executor.unavailable(_tool("python:code_workspace")) is None


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """What the executor and the mocks take for the time."""
    found = Clock()
    monkeypatch.setattr("modex.core.tools.executor.time", found)
    monkeypatch.setattr("modex.core.tools.mocks.time", found)
    return found


@pytest.mark.parametrize(("own", "told"), [(0, 1500), (7, 7)])
def test_how_long_a_handler_took_is_told_in_milliseconds_unless_it_says_so_itself(
    clock: Clock, own: int, told: int
) -> None:
    def slow(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        clock.now += 1.5
        return ToolResult("done", duration_ms=own)

    executor = SuiteToolExecutor({"python:slow": slow})
    assert executor.call(_tool("python:slow"), {}, ToolSession()) == ToolResult("done", duration_ms=told)


def test_what_leaves_the_machine_holds_no_stored_secret_and_what_stays_is_as_it_was(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr("modex.core.safety.known.stored_secrets", lambda: ["hunter2-secret"])
    given: list[Any] = []

    def handler(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        given.append(arguments)
        return ToolResult("")

    class Servers:
        def __init__(self, stop: object) -> None:
            self.closed = False
            made.append(self)

        def call(
            self, server: McpServer, tool: str, arguments: dict[str, Any], owner: str, is_over: object
        ) -> ToolResult:
            clock.now += 0.25
            given.append((server, tool, arguments))
            owners.append(owner)
            return ToolResult("from afar", is_error=True)

        def release(self, owner: str) -> None:
            owners.append(f"{owner} released")

        def close(self) -> None:
            self.closed = True

    made: list[Servers] = []
    owners: list[str] = []
    monkeypatch.setattr("modex.core.tools.mcp_servers.McpServers", Servers)
    monkeypatch.setattr("modex.core.tools.mcp_servers.mcp_unavailable", lambda: None)
    executor, asked = SuiteToolExecutor({"live:x": handler, "python:x": handler}), {"q": "hunter2-secret"}
    executor.call(_tool("live:x"), asked, ToolSession())
    executor.call(_tool("python:x"), asked, ToolSession())
    server = McpServer(("serve",))
    far = replace(_tool(), server=server)
    first, second = ToolSession(), ToolSession()
    executor.release(first)
    answer = executor.call(far, asked, first)
    executor.call(far, {}, second)
    executor.call(far, {}, first)
    executor.release(first)
    assert owners == [owners[0], owners[1], owners[0], f"{owners[0]} released"]
    assert owners[0] != owners[1]
    assert "hunter2" not in str(given[0])
    assert given[1] is asked
    assert given[2][:2] == (server, "t")
    assert "hunter2" not in str(given[2][2])
    assert answer == ToolResult("from afar", is_error=True, duration_ms=250)
    assert [one.closed for one in made] == [False]
    executor.close()
    assert [one.closed for one in made] == [True]
    monkeypatch.setattr("modex.core.tools.mcp_servers.mcp_unavailable", lambda: "no extra")
    with pytest.raises(ModelCallError, match="no extra") as raised:
        executor.call(far, {}, ToolSession())
    assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE


@each_row(("length", "cut"), [(MAX_RESULT_CHARS, ""), (MAX_RESULT_CHARS + 1, "\n[… 1 characters left out]"), (0, "")])
def test_an_answer_as_long_as_it_may_be_is_whole(length: int, cut: str) -> None:
    result = SuiteToolExecutor().call(_tool(mock=[{"response": "x" * length}]), {}, ToolSession())
    assert result.content == "x" * min(length, MAX_RESULT_CHARS) + cut


def test_the_words_of_a_handlers_exception_are_cut_at_a_thousand_characters() -> None:
    def broken(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
        raise RuntimeError("é " * 1000)

    result = SuiteToolExecutor({"python:broken": broken}).call(_tool("python:broken"), {}, ToolSession())
    assert "é é" in result.content
    assert len(json.loads(result.content)["error"]) == 1000


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        ("live:url_content", None),
        ("live:web_search", "MODEX_SEARCH_URL"),
        ("live:none", "no handler 'live:none'"),
        ("python:none", "no handler 'python:none'"),
        ("python:code_workspace", "no sandbox"),
    ],
)
def test_a_handler_that_this_machine_cannot_run_is_told_before_it_is_called(
    monkeypatch: pytest.MonkeyPatch, handler: str, said: str | None
) -> None:
    monkeypatch.delenv("MODEX_SEARCH_URL", raising=False)
    monkeypatch.setattr("modex.core.sandbox.python.python_unavailable", lambda: "no sandbox")
    executor = SuiteToolExecutor()
    found = executor.unavailable(_tool(handler))
    assert (found is None, said or "") == (said is None, said if said and said in str(found) else "")
    if said is not None:
        with pytest.raises(ModelCallError, match=said.split("'")[0]):
            executor.call(_tool(handler), {}, ToolSession())


def test_the_present_of_a_test_is_that_of_its_source_or_of_one_of_its_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.tools.registry._presents", [])
    for _ in range(2):
        register_present("2026-06-30", handlers="world:", sources=("market",))
    register_present("2025-01-01", handlers="shop:")
    asked = [((), "market"), (("python:x", "world:y"), "s"), (("shop:z",), "s"), (("worldly:y",), "s"), ((), "s")]
    assert [present_of(handlers, source) for handlers, source in asked] == [
        "2026-06-30", "2026-06-30", "2025-01-01", None, None,
    ]  # fmt: skip


@each_row("name", ["python", "python:", ":x", "Python:x", "1p:x", "python:x y", "python:x:y"])
def test_an_id_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="python:<name>"):
        register_handler(name)


@each_row("content", ["not an object", "[1]", '{"a": 1}'])
def test_a_state_that_is_none_is_its_servers_fault(content: str) -> None:
    server = McpServer(command=("python", "a.py"), state="snap")
    tool = ToolDefinition("t", "t", "", {}, Location("t.json"), server=server)
    executor = SuiteToolExecutor()
    given: Any = SimpleNamespace(give=lambda *_: ToolResult(content, is_error=content.startswith("{")))
    executor.replayer = given
    with pytest.raises(ModelCallError) as refused:
        executor.state_of([tool], ToolSession())
    assert party_of_error(refused.value.error_type, str(refused.value)) == "server"
    assert detail_of(str(refused.value)) == "a: no state"
