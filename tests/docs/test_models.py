"""The section on models.toml: its file is read, its commands run, and its table is the program's."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from modex.core.config.entries.keys import KEYS
from modex.core.config.entries.places import files
from tests.cli import call, keyword_tests, write_suite
from tests.server import Reply, Request, ServerHandle, serve

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text()
SECTION = PAGE[PAGE.index("## Models by name") : PAGE.index("## Servers of your own")]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", SECTION, re.DOTALL)


def answering(request: Request) -> Reply:
    return Reply("ok")


def test_the_table_holds_every_key() -> None:
    rows = [line for line in SECTION.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{key.name}` | {key.help} | `{key.example}` |" for key in KEYS]


@pytest.mark.long
def test_every_line_of_the_section_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GPU1_KEY", "TRACE_ID", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, f"value-of-{name}-0123456789")
    monkeypatch.setenv("MODEX_SUITE", str(write_suite(tmp_path / "suite", keyword_tests(20), "math")))
    (text,) = blocks("toml")
    models = ("Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-1.5B")
    with ServerHandle(answering, models) as small, serve(answering) as large:
        ours = {"http://127.0.0.1:8000/v1": small.url, "http://127.0.0.1:8001/v1": large.url}
        for page, own in ours.items():
            assert page in text
            text = text.replace(page, own)
        path = files(None)[0][0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        for line in "".join(blocks("sh")).splitlines():
            words = shlex.split(line.replace("http://127.0.0.1:8000/v1", small.url))
            assert words.pop(0) == "modex"
            database = [] if words[0] == "models" else ["--db", str(tmp_path / "modex.db")]
            done = call(*words, *database)
            assert done.code == 0, (line, done.err)
        assert {request.key for request in small.requests} == {"value-of-GPU1_KEY-0123456789"}
        assert {request.headers["x-trace"] for request in small.requests} == {"value-of-TRACE_ID-0123456789"}
        assert {request.body.get("top_k") for request in small.requests} == {20}
        assert {request.model for request in large.requests} == {"Qwen/Qwen2.5-7B"}
        assert path.read_text() == text
