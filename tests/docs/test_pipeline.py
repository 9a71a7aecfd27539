"""The workflow of the pipeline's page: each of its steps runs as it stands, in a shell that stops at the first failure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generate import FOLDER
from tests.cli import call, keyword_tests, write_suite
from tests.server import Reply, serve

WORKFLOW = (FOLDER / "examples" / "gate" / "gate.yml").read_text("utf-8")
ROOT = FOLDER.parent


def steps() -> dict[str, str]:
    """The shell of each step by its name."""
    found = re.findall(r"- name: (.+)\n +run: \|\n((?: {10}.*\n?)+)", WORKFLOW)
    return {name: "".join(line[10:] for line in body.splitlines(keepends=True)) for name, body in found}


@pytest.mark.parametrize(("answer", "code", "said"), [("ok", 4, "::warning::"), ("no", 1, "::error::worse than main")])
def test_the_steps_run_and_end_as_the_gate_says(tmp_path: Path, answer: str, code: int, said: str) -> None:
    shim = tmp_path / "bin" / "modex"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m tui.cli "$@"\n')
    shim.chmod(0o755)
    suite = write_suite(tmp_path / "evals", keyword_tests(20))
    database, summary = tmp_path / "modex.db", tmp_path / "summary.md"
    with serve(lambda request: Reply("ok" if request.model == "main" else answer)) as server:
        base = ("--api-base", server.url, "--suite", suite, "--db", database)
        assert call("run", "--model", "openai/main", *base, "--exp-id", "main", "--headless").code == 0
        environment = {
            **os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "MODEL": "openai/new",
            "SUITE": str(suite), "BASELINE": "main", "RUN": "pr-7", "MODEX_DB": str(database),
            "MODEX_API_BASE": server.url, "GITHUB_STEP_SUMMARY": str(summary),
        }  # fmt: skip
        ended = {
            name: subprocess.run(
                ["bash", "-e", "-c", body], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            for name, body in steps().items()
        }
    assert list(ended) == ["Check the suite", "Ask", "Decide"]
    assert [one.returncode for one in ended.values()] == [0, 0, 0 if code == 4 else code], ended
    assert said in ended["Decide"].stdout
    assert summary.read_text().startswith("### modex gate: " + ("cannot tell yet" if code == 4 else "failed"))
    assert f"k of n: {20 if answer == 'ok' else 0} of 20 tests hold" in summary.read_text()
    assert (tmp_path / "junit.xml").read_text().count("<testcase") == 20
