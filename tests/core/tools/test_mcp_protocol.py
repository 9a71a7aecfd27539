"""The server's side of the protocol: what is answered, and what is refused with which number."""

from __future__ import annotations

import json
from typing import Any

from modex.core.tools.mcp_protocol import VERSIONS, RefusedError, ServedTools, text_result
from tests.rows import each_row


def call(name: str, arguments: Any) -> dict[str, Any]:
    if name != "add":
        raise RefusedError(f"there is no tool {name}")
    return text_result(json.dumps(arguments))


SERVED = ServedTools(lambda: [{"name": "add"}], call, "Be kind.")


def ask(method: str, params: Any = None) -> Any:
    answer = SERVED.answer({"jsonrpc": "2.0", "id": "x", "method": method, "params": params})
    assert answer is not None
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", "x")
    return answer


def test_a_client_gets_the_version_that_it_asks_for_or_the_newest() -> None:
    for asked, given in ((VERSIONS[-1], VERSIONS[-1]), ("1999-01-01", VERSIONS[0]), (None, VERSIONS[0])):
        found = ask("initialize", {"protocolVersion": asked})["result"]
        assert (found["protocolVersion"], found["instructions"]) == (given, "Be kind.")
        assert found["capabilities"] == {"tools": {"listChanged": False}}
        assert found["serverInfo"]["name"] == "modex"
    assert "instructions" not in (ServedTools(list, call).answer({"id": 1, "method": "initialize"}) or {})["result"]


def test_tools_are_listed_called_and_pinged() -> None:
    assert ask("ping")["result"] == {}
    assert ask("tools/list")["result"] == {"tools": [{"name": "add"}]}
    assert ask("tools/call", {"name": "add"})["result"] == {"content": [{"type": "text", "text": "{}"}]}
    assert text_result("no", is_error=True) == {"content": [{"type": "text", "text": "no"}], "isError": True}
    assert SERVED.answer({"method": "tools/call", "params": {"name": "no"}}) is None  # a notification


@each_row(
    ("text", "code", "id_"),
    [
        ("{", -32700, None),
        ("[" * 99_999, -32700, None),
        ("[]", -32600, None),
        ('{"id": 1}', -32600, None),
        ('{"id": 1, "method": 2}', -32600, None),
        ('{"id": 1, "method": "resources/list"}', -32601, 1),
        ('{"id": 1, "method": "tools/call", "params": [1]}', -32602, 1),
        ('{"id": 1, "method": "tools/call", "params": {"name": "no"}}', -32602, 1),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_the_protocol(text: str, code: int, id_: Any) -> None:
    answer = SERVED.answer_text(text)
    assert answer is not None
    assert (answer["id"], answer["error"]["code"]) == (id_, code)
