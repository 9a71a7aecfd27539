from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Called, call, keyword_tests, write_suite
from tests.server import Reply, Request, ServerHandle, serve

HOSTILE = "\x1b]52;c;aGk=\x07\x1b[31mred\x9b2J\u202e"


def answering(request: Request) -> Reply:
    """Right, wrong, refused or hostile, as the question says."""
    for word, reply in (
        ("wrong", Reply("no")),
        ("refused", Reply(None, finish_reason="content_filter")),
        ("hostile", Reply(f"ok {HOSTILE} =cmd()")),
    ):
        if word in request.prompt:
            return reply
    return Reply("ok")


@dataclass(slots=True)
class Shell:
    """`modex` with a database, a suite and a server of its own."""

    server: ServerHandle
    root: Path

    @property
    def database(self) -> Path:
        return self.root / "modex.db"

    def __call__(self, *words: str | Path) -> Called:
        """Any command, on this database."""
        return call(words[0], *words[1:], "--db", self.database)

    def suite(self, tests: list[dict[str, Any]], domain: str = "d", **more: Any) -> Path:
        return write_suite(self.root / "suite", tests, domain, **more)

    def run(self, *words: str, exp_id: str = "e", model: str = "openai/test-model") -> Called:
        """A run in the foreground of what `suite` wrote last."""
        return self(
            "run", "--model", model, "--api-base", self.server.url, "--suite", self.root / "suite", "--exp-id", exp_id,
            "--headless", *words,
        )  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with serve(answering) as server:
        yield Shell(server, tmp_path)


MIXED = [
    *keyword_tests(2),
    {"id": "w", "prompt": "wrong", "expected": {"keywords": ["ok"]}, "level": 2},
    {"id": "r", "prompt": "refused", "expected": {"keywords": ["ok"]}, "level": 3},
    {"id": "h", "prompt": f"hostile {HOSTILE}", "expected": {"keywords": ["ok"]}, "level": 2},
]


@pytest.fixture(scope="session")
def mixed_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A place and a server for `mixed`: a run knows both by name, so each test of this process gets the same ones."""
    with serve(answering) as server:
        yield Shell(server, tmp_path_factory.mktemp("mixed") / "place")


@pytest.fixture
def mixed(mixed_place: Shell) -> Shell:
    """A finished run `e` with passed, failed, hostile and refused tests; made once, and as it was then for each test."""
    place, kept = mixed_place.root, mixed_place.root.with_name("kept")
    mixed_place.server.behave(answering)
    if not kept.exists():
        mixed_place.suite(MIXED)
        mixed_place.run()
        shutil.copytree(place, kept)
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    return mixed_place


def assert_clean(called: Called) -> None:
    """No byte that a terminal would obey."""
    for text in (called.out, called.err):
        assert not [
            hex(ord(mark)) for mark in text if (ord(mark) < 32 and mark not in "\n\t\r") or 0x7F <= ord(mark) < 0xA0
        ]
        assert "\u202e" not in text
