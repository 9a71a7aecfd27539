"""inspect_ai."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers.peer import Command, Work, install_python

_TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import match
from inspect_ai.solver import generate


@task
def trivial():
    fields = FieldSpec(input="question", target="answer", id="id")
    return Task(dataset=json_dataset({rows!r}, fields), solver=generate(), scorer=match())
"""


class InspectPeer:
    name = "inspect_ai"
    version = "0.3.285"

    def install(self, cache: Path) -> None:
        install_python(cache, f"inspect-{self.version}", f"inspect_ai=={self.version}", "openai")

    def command(self, cache: Path, work: Work) -> Command:
        task = work.folder / "trivial.py"
        task.write_text(_TASK.format(rows=str(work.rows)))
        limit = str(work.concurrency)
        return Command(
            [
                self._program(cache), "eval", task.name, "--model", "openai/test-model", "-M", "responses_api=false",
                "--max-connections", limit, "--max-samples", limit, "--display", "none",
                "--log-dir", work.folder / "logs",
            ],
            {"OPENAI_BASE_URL": work.base, "OPENAI_API_KEY": "none"},
        )  # fmt: skip

    def help_command(self, cache: Path) -> Command:
        return Command([self._program(cache), "--help"])

    def _program(self, cache: Path) -> Path:
        return cache / f"inspect-{self.version}" / "bin" / "inspect"
