"""Whether a model's server is there, asked of many at once."""

from __future__ import annotations

from modex.core.config.runconfig import ModelSpec, ServeSpec
from modex.core.llm.trying import away
from tests.server import Reply, serve

_GONE = "http://127.0.0.1:9/v1"


def test_only_a_server_that_cannot_be_reached_is_away() -> None:
    with serve(Reply(status=500)) as server:
        first, *others = away(_specs(server.url))
    assert "127.0.0.1:9" in first
    assert others == [""] * 4
    assert away([]) == []


def _specs(there: str) -> list[ModelSpec]:
    return [
        ModelSpec(model="openai/m", api_base=_GONE),
        ModelSpec(model="openai/m", api_base=there),
        ModelSpec(model="openai/m"),
        ModelSpec(model="m", gguf="/a.gguf", api_base=_GONE),
        ModelSpec(model="openai/m", api_base=_GONE, serve=ServeSpec(command="serve {port}")),
    ]
