from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.sample import EvaluationSample
from tests.cli import call, reading, write_suite
from tests.server import Behaviour, Reply, ServerHandle, serve

Ask = Callable[..., EvaluationSample]
CLOCK: dict[str, Any] = {
    "id": "clock",
    "name": "clock",
    "description": "The time in a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    "responses": [
        {"when": {"city": "Oslo"}, "response": {"time": "12:00", "city": "{{city}}"}},
        {"when": {}, "response": {"time": "09:00"}},
    ],
}


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve() as started:
        yield started


@pytest.fixture
def ask(tmp_path: Path, server: ServerHandle) -> Ask:
    """Run one test against the server, which behaves as told, and read what was stored."""

    def run(behaviour: Reply | Behaviour, *flags: str, **test: Any) -> EvaluationSample:
        server.behave(behaviour)
        fields = {"id": "t", "prompt": "What time is it?", "expected": {"keywords": ["ok"]}, **test}
        suite = write_suite(tmp_path / "suite", [fields])
        database = tmp_path / "modex.db"
        called = call(
            "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e",
            "--db", database, "--headless", *flags,
        )  # fmt: skip
        assert "Traceback" not in called.err
        assert "internal error" not in called.err
        with reading(database) as reader:
            (sample,) = reader.samples(reader.run("e").id)
        return sample

    return run
