"""The command line as a function: what a command prints, where, and its exit code."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modex.core.store.reader import Reader
from modex.tui.cli import main


@dataclass(frozen=True, slots=True)
class Called:
    """A command that ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Its output as JSON."""
        return json.loads(self.out)


def call(*arguments: str | Path) -> Called:
    """Run `modex` with these arguments in this process."""
    out, err = _stream(), _stream()
    hooks = sys.excepthook, threading.excepthook
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main([str(argument) for argument in arguments])
            except SystemExit as ended:
                code = ended.code
    finally:
        sys.excepthook, threading.excepthook = hooks
    assert isinstance(code, int)
    return Called(code, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


def write_suite(root: Path, tests: Sequence[Mapping[str, Any]], domain: str = "d", **more: Any) -> Path:
    """A suite of one domain; each test stands in its own `level` (default 1). `more` goes into its `domain.json`."""
    folder = root / "test_definitions" / domain
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "domain.json").write_text(json.dumps({"id": domain, "evaluator_id": "keyword", **more}))
    levels: dict[int, list[str]] = {}
    for test in tests:
        fields = {name: value for name, value in test.items() if name != "level"}
        levels.setdefault(test.get("level", 1), []).append(json.dumps(fields))
    for level, lines in levels.items():
        (folder / f"level_{level}").mkdir(exist_ok=True)
        (folder / f"level_{level}" / "tests.jsonl").write_text("\n".join(lines) + "\n")
    return root


def keyword_tests(count: int, *, word: str = "ok", level: int = 1) -> list[dict[str, Any]]:
    """Tests that are judged without asking a model: passed where the answer holds `word`."""
    return [
        {"id": f"t{number}", "prompt": f"question {number}", "expected": {"keywords": [word]}, "level": level}
        for number in range(count)
    ]


@contextlib.contextmanager
def reading(database: Path) -> Iterator[Reader]:
    """A reader that is closed again."""
    reader = Reader(database)
    try:
        yield reader
    finally:
        reader.close()
