from __future__ import annotations

import socket

from core.llm.discovery import find_local_servers
from tests.server import serve


def test_servers_that_answer_are_found_with_their_models() -> None:
    with serve(models=["llama3:8b", "evil\x1b[31m"]) as server, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found = find_local_servers(((server.port, "Ollama"), (free.getsockname()[1], "vLLM")))
    assert [(one.name, one.api_base) for one in found] == [("Ollama", server.url)]
    assert found[0].models[0] == "llama3:8b"
    assert "\x1b" not in found[0].models[1]


def test_a_port_that_says_nothing_costs_the_timeout_only() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert find_local_servers(((silent.getsockname()[1], "vLLM"),), timeout_s=0.1) == []
