"""The page on results: its SQL runs, and its tables name what is there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.generate import FOLDER
from tests.cli import call, write_suite
from tests.core.pipeline.conftest import CLOCK
from tests.docs.blocks import blocks
from tests.server import Reply, Request, replies, serve

PAGE = "results.md"
TABLES = ("evaluation_runs", "individual_test_results", "level_scores", "test_results")
TESTS: list[dict[str, Any]] = [
    {"id": "a", "prompt": "a?", "expected": {"keywords": ["ok"]}, "tools": [CLOCK]},
    {"id": "b", "prompt": "b?", "expected": {"keywords": ["ok"]}, "level": 2},
    {"id": "c", "prompt": "refused", "expected": {"keywords": ["ok"]}, "level": 3},
    {"id": "d", "prompt": "d?", "expected": "x", "evaluator_id": "llm_judge", "level": 4},
]


def behave(request: Request) -> Reply:
    """One tool call; one refusal; the second model fails where the first passes; judges of two minds."""
    if request.model in ("kind", "strict"):
        return Reply(f'{{"reason": "r", "score": {int(request.model == "kind")}}}')
    if request.prompt == "refused":
        return replies.FILTERED
    if request.prompt == "a?" and request.messages[-1]["role"] == "user":
        return replies.calls(replies.call("clock", '{"city": "Oslo"}'))
    return Reply("ok" if request.model == "one" or request.prompt != "b?" else "no")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """Two runs over the same tests, the first judged twice, opened as any program opens it."""
    root = tmp_path_factory.mktemp("results")
    suite = write_suite(root / "suite", TESTS)
    path = root / "modex.db"
    with pytest.MonkeyPatch.context() as patch, serve(behave) as server:
        patch.setenv("HOME", str(root))
        patch.setenv("MODEX_RETRY_WAIT", "0.01")
        judge = ("--judge-api-base", server.url, "--db", path)
        for exp_id, model in (("first", "openai/one"), ("second", "openai/two")):
            call(
                "run", "--model", model, "--api-base", server.url, "--suite", suite, "--exp-id", exp_id, "--headless",
                "--judge-model", "openai/kind", *judge,
            )  # fmt: skip
        call("judge", "first", "--judge-model", "openai/strict", *judge)
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    yield connection
    connection.close()


@pytest.mark.parametrize("number", range(len(blocks(PAGE, "sql"))))
def test_an_example_in_sql_finds_something(database: sqlite3.Connection, number: int) -> None:
    cursor = database.execute(blocks(PAGE, "sql")[number])
    assert cursor.fetchall(), blocks(PAGE, "sql")[number]


def test_the_weighted_score_by_hand_is_the_stored_one(database: sqlite3.Connection) -> None:
    (sql,) = [block for block in blocks(PAGE, "sql") if "weighted_score" in block]
    for _, by_hand, stored in database.execute(sql):
        assert by_hand == pytest.approx(stored)


def test_every_column_in_the_page_is_in_the_database(database: sqlite3.Connection) -> None:
    text = (FOLDER / PAGE).read_text(encoding="utf-8")
    for table in ("evaluation_runs", "individual_test_results"):
        section = text.split(f"### `{table}`")[1].split("\n###")[0]
        named = {
            name
            for line in section.splitlines()
            if line.startswith("| `")
            for name in re.findall(r"`(\w+)`", line.split(" | ")[0])
        }
        columns = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        assert named <= columns
        assert len(named) > 15


def test_every_documented_table_is_explained() -> None:
    text = (FOLDER / PAGE).read_text(encoding="utf-8")
    assert all(f"`{table}`" in text for table in TABLES)


def test_the_commands_of_the_page_exist() -> None:
    from modex.tui.cli import COMMANDS

    for page in (PAGE, "models.md", "extending.md"):
        for block in blocks(page, "sh"):
            for line in block.splitlines():
                if line.startswith("modex"):
                    assert line.split()[1] in COMMANDS, line


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in FOLDER.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text(encoding="utf-8")):
            assert (FOLDER / Path(target)).exists(), f"{page.name}: {target}"
