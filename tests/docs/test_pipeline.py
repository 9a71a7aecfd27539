"""The workflow of the pipeline's page: each of its steps runs as it stands, in a shell that stops at the first failure."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generate import FOLDER
from tests.cli import call, keyword_tests, write_suite
from tests.docs.github import OURS, GitHub, github
from tests.forked import shell_command
from tests.server import Reply, serve

pytestmark = pytest.mark.process

WORKFLOW = (FOLDER / "examples" / "gate" / "gate.yml").read_text("utf-8")
COMMENT = FOLDER / "examples" / "gate" / "comment.py"
TABLE = "<!-- modex: m over s -->\n| a | b |\n"


def steps() -> dict[str, str]:
    """The shell of each step by its name."""
    found = re.findall(r"- name: (.+)\n +run: \|\n((?: {10}.*\n?)+)", WORKFLOW)
    return {name: "".join(line[10:] for line in body.splitlines(keepends=True)) for name, body in found}


@pytest.mark.long
@pytest.mark.parametrize(("answer", "code", "said"), [("ok", 4, "::warning::"), ("no", 1, "::error::worse than main")])
def test_the_steps_run_and_end_as_the_gate_says(tmp_path: Path, answer: str, code: int, said: str) -> None:
    program = shell_command(tmp_path / "bin")
    suite = write_suite(tmp_path / "evals", keyword_tests(20))
    database, summary = tmp_path / "modex.db", tmp_path / "summary.md"
    shutil.copy(COMMENT, suite)
    with serve(lambda request: Reply("ok" if request.model == "main" else answer)) as server, github() as hub:
        base = ("--api-base", server.url, "--suite", suite, "--db", database)
        assert call("run", "--model", "openai/main", *base, "--exp-id", "main", "--headless").code == 0
        environment = {
            **os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "MODEL": "openai/new",
            "SUITE": str(suite), "BASELINE": "main", "RUN": "pr-7", "MODEX_DB": str(database),
            "MODEX_API_BASE": server.url, "GITHUB_STEP_SUMMARY": str(summary), **hub.environment("7"),
        }  # fmt: skip
        ended = {
            name: subprocess.run(
                ["bash", "-e", "-c", body], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            for name, body in steps().items()
        }
    assert list(ended) == ["Check the suite", "Ask", "Comment", "Decide"]
    assert [one.returncode for one in ended.values()] == [0, 0, 0, 0 if code == 4 else code], ended
    assert said in ended["Decide"].stdout
    (comment,) = hub.comments
    assert comment["body"].startswith("<!-- modex: openai/new over evals -->\n### pr\\-7 against main\n")
    assert summary.read_text().startswith(comment["body"])
    assert "\n### modex gate: " + ("cannot tell yet" if code == 4 else "failed") in summary.read_text()
    assert f"k of n: {20 if answer == 'ok' else 0} of 20 tests hold" in summary.read_text()
    assert (tmp_path / "junit.xml").read_text().count("<testcase") == 20


def post(hub: GitHub, folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run the script as the workflow's step does."""
    table = folder / "table.md"
    table.write_text(text)
    environment = {**os.environ, **hub.environment("7")}
    return subprocess.run(
        ["bash", "-e", "-c", f"{sys.executable} {COMMENT} {table}"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_table_is_posted_once_and_then_replaced_in_place(tmp_path: Path) -> None:
    with github() as hub:
        for number in range(150):  # more than a page, and somebody who quotes the table
            hub.add(TABLE if number == 3 else f"comment {number}", "a person")
        assert post(hub, tmp_path, TABLE + "first").stdout == "posted\n"
        assert post(hub, tmp_path, TABLE.replace("over s", "over another") + "other").stdout == "posted\n"
        assert post(hub, tmp_path, TABLE + "second").stdout == "replaced comment 151\n"
    ours = [one["body"] for one in hub.comments if one["user"]["login"] == OURS]
    assert ours == [TABLE + "second", TABLE.replace("over s", "over another") + "other"]
    assert hub.comments[3]["body"] == TABLE


def test_a_token_that_may_not_write_fails_no_pipeline(tmp_path: Path) -> None:
    with github(writable=False) as hub:
        ended = post(hub, tmp_path, TABLE)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("::warning::the token may not comment here (403)")
