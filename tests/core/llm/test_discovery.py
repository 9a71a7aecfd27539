from __future__ import annotations

import json
import socket

import pytest

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm import discovery
from modex.core.llm.discovery import _listed, find_local_servers, models_at
from modex.core.llm.http import HttpAnswer, HttpError
from tests.core.llm.test_http import raw_server
from tests.rows import each_row
from tests.server import serve
from tests.server.raw import RawServer, answer


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


def test_a_server_is_asked_for_its_models_with_the_key_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    with RawServer(lambda _: answer(b'{"data": [{"id": "m"}]}')) as server:
        assert models_at(server.url) == ("m",)
        assert server.asked[0].headers["authorization"] == "Bearer sk-canary-0123456789"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (answer(b'{"error": {"message": "bad key"}}', "401 Unauthorized"), "the key was refused .*OPENAI_API_KEY"),
        (answer(b"<html>hello</html>"), "not an OpenAI-compatible server"),
        (answer(b"", "404 Not Found"), "status 404.*/v1"),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", "no connection: not HTTP"),
    ],
)
def test_what_is_wrong_with_a_server_is_told_apart(said: bytes, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    with RawServer(lambda _: said) as server, pytest.raises(ConfigurationError, match=words):
        models_at(server.url)


def test_a_server_without_tls_is_told_apart() -> None:
    with (
        raw_server(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") as port,
        pytest.raises(ConfigurationError, match=r"speaks no TLS .*http://"),
    ):
        models_at(f"https://127.0.0.1:{port}/v1")


@each_row(
    ("status", "body", "listed"),
    [
        (200, b'{"data": [{"id": "a"}, {"id": 3}, "b", {"id": "c\\u001b"}]}', ("a", "c\u241b")),
        (200, b'{"data": []}', ()),
        (200, b'{"data": {}}', None),
        (200, b"[]", None),
        (200, b"no JSON", None),
        (200, b"[" * 100_000, None),
        (404, b'{"data": [{"id": "a"}]}', None),
        (200, json.dumps({"data": [{"id": str(n)} for n in range(501)]}).encode(), tuple(map(str, range(500)))),
        (200, json.dumps({"data": [{"id": "x" * 201}]}).encode(), ("x" * 199 + "…",)),
    ],
)
def test_the_models_of_a_list_are_its_ids_and_at_most_five_hundred(
    status: int, body: bytes, listed: tuple[str, ...] | None
) -> None:
    assert _listed(HttpAnswer(status, {}, body)) == listed


def test_servers_are_looked_for_on_the_ports_that_they_usually_have(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, float]] = []

    class Stub:
        def request(self, method: str, url: str, body: object, headers: dict[str, str], timeout_s: float) -> HttpAnswer:
            asked.append((url, timeout_s))
            if ":2/" in url:
                raise HttpError("refused")
            return HttpAnswer(200 if ":1/" in url else 500, {}, b'{"data": [{"id": "m"}]}')

        def close(self) -> None:
            asked.append(("closed", 0.0))

    monkeypatch.setattr(discovery, "Http", Stub)
    found = discovery.find_local_servers(((1, "one"), (2, "two"), (3, "three")))
    assert found == [discovery.LocalServer("one", "http://127.0.0.1:1/v1", ("m",))]
    assert sorted(asked[:3]) == [(f"http://127.0.0.1:{port}/v1/models", 0.5) for port in (1, 2, 3)]
    assert asked[-1] == ("closed", 0.0)
    assert discovery.find_local_servers(()) == []
