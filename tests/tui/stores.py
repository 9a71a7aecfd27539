"""Filling a store with runs through its own interfaces."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store.exact import encode_text
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import to_column
from modex.core.store.sample import PLAN_FIELDS, EvaluationSample, SampleStatus

DOMAINS = (
    "conversation",
    "math",
    "reasoning",
    "health",
    "sql",
    "tool_calling",
    "coding",
    "long_context",
    "instructions",
)
STARTED = "2026-03-05T14:27:46.000Z"
_SCORES: dict[str, float] = {"passed": 1.0, "failed": 0.0}
_LETTERS: dict[str, SampleStatus] = {
    "●": "passed", "○": "failed", "!": "error", "▸": "running", "·": "pending", "–": "skipped"
}  # fmt: skip


def sample(domain: str, level: int, number: int, status: SampleStatus, **fields: Any) -> EvaluationSample:
    """A sample in `status` with what the stages would have left."""
    done = status in ("passed", "failed")
    base = EvaluationSample(
        domain=domain,
        level=level,
        test_id=f"{domain}_{level}_{number}",
        name=f"{domain} {level}.{number}",
        status=status,
        stage="judged" if done else "rollout" if status == "error" else "init",
        score=_SCORES.get(status),
        evaluator_id="two_pass",
        prompt=f"What is {number} times {level}?",
        expected=number * level,
        response=f"That makes {number * level}." if done else None,
        extracted_answer=str(number * level) if status == "passed" else "7" if status == "failed" else None,
        error_type="rate_limit" if status == "error" else None,
        error_message="the provider refused 5 times: too many requests" if status == "error" else None,
        prompt_tokens=120 if done else 0,
        completion_tokens=40 * level if done else 0,
        cost_usd=0.0004 * level if done else 0.0,
        duration_ms=900 * level + 130 * number if done else 0,
        started_at=STARTED if status != "pending" else None,
        completed_at=f"2026-03-05T14:{28 + level % 2}:{(7 * number + level) % 60:02d}.000Z"
        if done or status == "error"
        else None,
    )
    return replace(base, **fields)


def cells(text: str) -> list[EvaluationSample]:
    """Samples drawn as a matrix: a line a domain, a word a level, a sign a test (`math ●●○ ▸··`)."""
    found: list[EvaluationSample] = []
    for line in text.strip().splitlines():
        domain, *levels = line.split()
        for level, signs in enumerate(levels, 1):
            found += [sample(domain, level, number, _LETTERS[sign]) for number, sign in enumerate(signs, 1)]
    return found


SKETCH = """
conversation  ●●●●  ●●●○  ●●▸·  ····  ····
math          ●●●●  ●●●●  ●●○▸  ▸···  ····
reasoning     ●●●●  ●●○●  ○▸··  ····  ····
health        ●●●○  ●●●●  ▸···  ····  ····
sql           ●●●●  ●○!●  ●▸··  ····  ····
tool_calling  ●●●○  ●●··  ····  ····  ····
coding        ●●▸·  ····  ····  ····  ····
long_context  ····  ····  ····  ····  ····
instructions  ····  ····  ····  ····  ····
"""
LIVE: dict[str, Any] = {
    "at": "2026-03-05T14:29:59.900Z",
    "in_flight": 12,
    "limit": 16,
    "concurrency": 16,
    "retries": 3,
    "holds": [],
    "outage_s": None,
    "tests_per_s": 1.9,
    "tokens_per_s": 4130.0,
    "eta_s": 370.0,
    "projected_cost_usd": 0.31,
    "elapsed_s": 134.0,
    "workers": [
        {
            "sample_id": 11,
            "domain": "conversation",
            "level": 3,
            "test_id": "conversation_3_3",
            "phase": "pass 1",
            "since_s": 2.4,
        },
        {"sample_id": 24, "domain": "math", "level": 3, "test_id": "math_3_4", "phase": "pass 2", "since_s": 0.6},
        {
            "sample_id": 25,
            "domain": "math",
            "level": 4,
            "test_id": "math_4_1",
            "phase": "tool loop 2/5",
            "since_s": 8.1,
        },
        {
            "sample_id": 46,
            "domain": "reasoning",
            "level": 3,
            "test_id": "reasoning_3_2",
            "phase": "judge",
            "since_s": 1.2,
        },
    ],
}


_empty: list[bytes] = []


def _begin(path: Path) -> None:
    """An empty database at `path`, as the store makes it: once a process, since all of them are alike."""
    if path.exists() or not os.access(path.parent, os.W_OK):
        return
    if not _empty:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "empty.db")
            DBDataManager(made).close()
            _empty.append(made.read_bytes())
    path.touch(0o600)
    path.write_bytes(_empty[0])


class StoreMaker:
    """A database and shortcuts to fill it."""

    def __init__(self, path: Path) -> None:
        _begin(path)
        self.path = path
        self.manager = DBDataManager(path)
        self._ids: dict[str, int] = {}

    def close(self) -> None:
        """Close the connection."""
        self.manager.close()

    def become(self, kept: Path) -> None:
        """Hold what a closed database holds: copying it is quicker than storing all of it again."""
        self.manager.close()
        shutil.copyfile(kept, self.path)
        self.manager = DBDataManager(self.path)
        self._ids = {run.exp_id: run.id for run in self.manager.reader.runs()}

    def run_id(self, exp_id: str) -> int:
        """The id of a run made here."""
        return self._ids[exp_id]

    def run(
        self,
        exp_id: str = "gpt-5-mini-0142",
        model: str = "openai/gpt-5-mini",
        samples: Sequence[EvaluationSample] = (),
        *,
        status: str = "completed",
        config: RunConfig | None = None,
        **columns: Any,
    ) -> int:
        """Store a run with its samples; its id."""
        run_id = self.manager.create_run(exp_id, config or RunConfig(model=ModelSpec(model=model)))
        self._ids[exp_id] = run_id
        self.add(run_id, samples)
        self.manager.recount(run_id)
        self.manager.update_run(run_id, **{"status": status, "started_at": STARTED, **columns})
        return run_id

    def add(self, run_id: int, samples: Sequence[EvaluationSample]) -> None:
        """Insert samples behind those the run has."""
        database = self.manager.database
        seq = int(database.rows("SELECT seq FROM evaluation_runs WHERE id = ?", [run_id])[0][0])
        position = int(database.rows("SELECT count(*) FROM individual_test_results WHERE run_id = ?", [run_id])[0][0])
        names = ("seq", *PLAN_FIELDS)
        rows = []
        for offset, item in enumerate(samples):
            item.run_id, item.position = run_id, position + offset
            rows.append([seq + offset + 1, *(to_column(name, getattr(item, name)) for name in PLAN_FIELDS)])
        with database.atomic():
            database.run_many(
                f"INSERT INTO individual_test_results ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", rows
            )
            database.run("UPDATE evaluation_runs SET seq = ? WHERE id = ?", [seq + len(rows), run_id])

    def finish(self, run_id: int, test_id: str, status: SampleStatus, **fields: Any) -> None:
        """A sample reaches `status`, as the runner stores it."""
        values = {"status": status, "score": _SCORES.get(status), "stage": "judged", **fields}
        database = self.manager.database
        with database.atomic():
            database.run("UPDATE evaluation_runs SET seq = seq + 1 WHERE id = ?", [run_id])
            database.run(
                f"UPDATE individual_test_results SET {', '.join(f'{name} = ?' for name in values)}, seq ="
                " (SELECT seq FROM evaluation_runs WHERE id = ?) WHERE run_id = ? AND test_id = ?",
                [*values.values(), run_id, run_id, test_id],
            )
        self.manager.recount(run_id)

    def event(self, run_id: int, message: str, kind: str = "info", at: str = "2026-03-05T14:29:01.000Z") -> None:
        """A line of the run's log."""
        database = self.manager.database
        with database.atomic():
            database.run("UPDATE evaluation_runs SET seq = seq + 1 WHERE id = ?", [run_id])
            database.run(
                "INSERT INTO run_events (run_id, seq, at, kind, result_id, message)"
                " SELECT id, seq, ?, ?, NULL, ? FROM evaluation_runs WHERE id = ?",
                [at, kind, encode_text(message), run_id],
            )

    def domain_scores(self, run_id: int, scores: dict[str, float | None]) -> None:
        """The domains' Weighted Scores as `stat` stores them."""
        self.manager.database.run_many(
            "INSERT INTO test_results (run_id, domain, level, score, status, total_tests, passed_tests, failed_tests,"
            " error_tests, total_tokens, duration_ms) VALUES (?, ?, NULL, ?, 'completed', 0, 0, 0, 0, 0, 0)",
            [[run_id, domain, score] for domain, score in scores.items()],
        )

    def pulse(self, run_id: int, **changes: Any) -> None:
        """What the runner says of the moment."""
        self.manager.database.run(
            "UPDATE evaluation_runs SET live = ?, seq = seq + 1 WHERE id = ?", [json.dumps({**LIVE, **changes}), run_id]
        )
