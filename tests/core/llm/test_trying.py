"""Whether a model's server is there, asked of many at once; what keeps a model from being served here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, ServeSpec
from modex.core.llm.trying import away, problems_of
from tests.core.llm.served.weights import write_gguf
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


def _program(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_weights_need_a_program_that_serves_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("modex.core.llm.served.programs.WHEEL", "no_such_wheel")
    spec = ModelSpec(model="m", gguf=str(write_gguf(tmp_path / "a.gguf")))
    (lacks,) = problems_of(spec)
    assert "pip install 'modex[local]'" in lacks
    _program(tmp_path / "llama-server")
    assert problems_of(spec) == []
    assert problems_of(ModelSpec(model="m", gguf="/not/there.gguf")) == [
        "/not/there.gguf is not there; correct the path"
    ]


def test_a_commands_program_is_looked_for_where_it_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(_program(tmp_path / "on-path").parent))
    (folder := tmp_path / "suite").mkdir()
    _program(folder / "serve.sh")

    def told(command: str) -> list[str]:
        return problems_of(ModelSpec(model="openai/m", serve=ServeSpec(command=command, folder=str(folder))))

    for there in ("on-path {port}", "./serve.sh {port}", f"{folder}/serve.sh {{port}}"):
        assert told(there) == []
    assert told("serve.sh {port}") == ["no program serve.sh is here; install it, or correct serve.command"]
    assert told("./on-path {port}") == ["no program ./on-path is here; install it, or correct serve.command"]
    assert "check its quotes" in told("'on-path {port}")[0]


def test_only_a_model_elsewhere_needs_a_price() -> None:
    def told(base: str, **more: Any) -> bool:
        spec = ModelSpec(model="openai/m", api_base=base, **more)
        return any("no price is known" in words for words in problems_of(spec, timeout_s=0.1))

    assert told("http://192.0.2.1:9/v1")
    assert not told("http://192.0.2.1:9/v1", input_price=1e-6, output_price=1e-6)
    assert not told(_GONE)
