"""What is kept with a run of how a model was served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modex.core.config.runconfig import ModelSpec, ServeSpec
from modex.core.llm.served.facts import facts_of
from modex.core.llm.served.status import Status
from tests.core.llm.served.weights import SMALL, write_gguf

_SAID: dict[str, Any] = {"server": "llama-server", "build": "b1", "context": 512}


def test_what_the_server_says_of_itself_holds_and_else_what_was_wished() -> None:
    serve = ServeSpec(command="serve {port}", context=1024, slots=2, threads=3, gpu_layers=9)
    spec = ModelSpec(model="openai/m", serve=serve)
    wished = {"name": spec.said, "command": "serve {port}", "context": 1024, "slots": 2, "threads": 3, "gpu_layers": 9}
    assert facts_of(spec, Status()) == wished
    assert facts_of(spec, Status(starts=2, peak_bytes=700)) == {**wished, "starts": 2}
    told = Status(starts=1, peak_bytes=700, facts=_SAID)
    assert facts_of(spec, told) == {**wished, "starts": 1, "peak_bytes": 700, **_SAID}


def test_of_a_model_that_nothing_is_wished_for_only_its_name_is_known() -> None:
    spec = ModelSpec(model="openai/m")
    assert facts_of(spec, Status()) == {"name": spec.said}
    assert facts_of(spec, Status(facts={"server": "x"})) == {"name": spec.said, "server": "x"}


def test_of_a_file_its_head_is_kept(tmp_path: Path) -> None:
    spec = ModelSpec(model="small", gguf=str(write_gguf(tmp_path / "a.gguf")), gguf_digest="d" * 64)
    kept = {
        "name": spec.said, "file": "a.gguf", "file_digest": "d" * 64, "architecture": "llama", "parameters": 96,
        "quantization": "Q4_0", "trained_context": 2048, "own_template": True,
    }  # fmt: skip
    assert facts_of(spec, Status()) == kept
    bare = {key: value for key, value in SMALL.items() if "context" not in key and "template" not in key}
    spec = ModelSpec(model="small", gguf=str(write_gguf(tmp_path / "b.gguf", bare)), gguf_digest="e" * 64)
    found = facts_of(spec, Status())
    assert "trained_context" not in found
    assert found["own_template"] is False
