"""What must be true of a store, in plain Python: the suite as it was written, the answers by rule, what was said and asked.

Nothing here reads code of modex: verdicts, scores and what has to be asked are worked out again from the suite and the rows.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DOMAINS = ("animals", "plants")
LEVELS = (1, 3)
WORDS = ("red", "green", "blue")
EVALUATORS = ("keyword", "two_pass", "own")
Key = tuple[str, str, int, str, int]
"""source, domain, level, test and epoch"""
Question = tuple[str, str]
"""The system prompt and the prompt."""


@dataclass(slots=True)
class Test:
    """A test as its file says it."""

    __test__ = False

    id: str
    domain: str
    level: int
    evaluator: str
    gold: int
    """Index of the word, or the number, that is right."""
    weight: float = 1.0
    version: int = 1
    """Of its prompt."""
    layer: int = 0
    """Of its own system prompt; 0 is none."""

    @property
    def prompt(self) -> str:
        """What is asked."""
        return f"{self.id} of {self.domain}, version {'i' * self.version}"

    @property
    def expected(self) -> Any:
        """The gold as it stands in the file."""
        if self.evaluator == "two_pass":
            return self.gold + 17
        return {"keywords": [WORDS[self.gold]]} if self.evaluator == "keyword" else WORDS[self.gold]

    def row(self) -> dict[str, Any]:
        """The test's line."""
        row: dict[str, Any] = {"id": self.id, "prompt": self.prompt, "expected": self.expected, "weight": self.weight,
                               "evaluator_id": self.evaluator}  # fmt: skip
        if self.layer:
            row |= {"system_prompt": f"test layer {self.layer}", "system_prompt_mode": "append"}
        return row


@dataclass(slots=True)
class Suite:
    """Two domains with two levels each."""

    tests: list[Test] = field(default_factory=list)
    layers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(DOMAINS, 0))
    """The version of each domain's system prompt; 0 is none."""
    evaluator: int = 1
    """The version of the evaluator that the suite configures itself."""

    def system(self, test: Test) -> str:
        """The layers folded: domain, then test."""
        layer = self.layers[test.domain]
        parts = [f"domain layer {layer}"] if layer else []
        parts += [f"test layer {test.layer}"] if test.layer else []
        return "\n\n".join(parts)

    def question(self, test: Test) -> Question:
        """What the model is sent."""
        return self.system(test), test.prompt

    def write(self, root: Path) -> None:
        """The suite's files, all of them."""
        definitions = root / "test_definitions"
        for domain in DOMAINS:
            folder = definitions / domain
            for level in LEVELS:
                (folder / f"level_{level}").mkdir(parents=True, exist_ok=True)
                rows = [test.row() for test in self.tests if (test.domain, test.level) == (domain, level)]
                file = folder / f"level_{level}" / "tests.jsonl"
                if rows:
                    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
                else:
                    file.unlink(missing_ok=True)
            described: dict[str, Any] = {"id": domain, "evaluator_id": "keyword"}
            if self.layers[domain]:
                described |= {"system_prompt": f"domain layer {self.layers[domain]}"}
            (folder / "domain.json").write_text(json.dumps(described))
        (definitions / "evaluators").mkdir(exist_ok=True)
        # Each version asks for another word that stands in every answer: judged otherwise, and alike.
        wanted = {
            "comparison": "required_keywords",
            "required_keywords": [("answer", "since", "sky")[self.evaluator - 1]],
        }
        own = {"id": "own", "name": "own", "type": "regex", "uses_pass2": False, "config": wanted}
        (definitions / "evaluators" / "own.json").write_text(json.dumps(own))


def luck(*parts: object) -> int:
    """A number that depends on nothing but these."""
    return int.from_bytes(hashlib.blake2b(json.dumps(parts).encode(), digest_size=4).digest(), "big")


def answer(model: str, question: Question) -> str:
    """What a model says: the right word or not by the question's own luck, and which question it was."""
    drawn = luck(model, question)
    mark = "".join(chr(97 + int(digit)) for digit in str(drawn))  # letters: no other number stands in it
    return f"Said {mark}: the answer is {17 + drawn % 3}, since the sky is {WORDS[drawn % 3]} here."


def extracted(response: str) -> str:
    """The number of an answer, as PASS 2 copies it."""
    return response.partition("the answer is ")[2][:2]


def gold(expected: Any) -> int | str:
    """The number or the word that is right, as a file says it or as it is stored."""
    if isinstance(expected, dict):
        expected = expected["keywords"][0] if "keywords" in expected else expected["value"]
        assert not isinstance(expected, dict), expected
    return expected if isinstance(expected, str) else int(expected)


def passes(right: int | str, response: str) -> bool:
    """Whether an answer is right."""
    return right in response if isinstance(right, str) else str(right) == extracted(response)


@dataclass(slots=True)
class Stored:
    """All that a database holds, read by SQLite alone."""

    runs: dict[int, dict[str, Any]] = field(default_factory=dict)
    rows: dict[int, dict[Key, dict[str, Any]]] = field(default_factory=dict)
    races: dict[str, dict[str, Any]] = field(default_factory=dict)
    levels: dict[int, dict[tuple[str, int], dict[str, Any]]] = field(default_factory=dict)
    results: dict[int, dict[tuple[str, int | None], dict[str, Any]]] = field(default_factory=dict)
    twice: list[tuple[Any, ...]] = field(default_factory=list)
    orphans: int = 0

    def run(self, exp_id: str) -> dict[str, Any] | None:
        """The run of this name."""
        return next((run for run in self.runs.values() if run["exp_id"] == exp_id), None)

    def samples(self, exp_id: str) -> dict[Key, dict[str, Any]]:
        """The samples of the run of this name; none where there is no such run."""
        run = self.run(exp_id)
        return {} if run is None else self.rows.get(int(run["id"]), {})


KEY = ("source", "domain", "level", "test_id", "epoch")
_OF_A_SAMPLE = ("reviews", "earlier_verdicts")


def read(database: Path) -> Stored:
    """What the database holds now."""
    found = Stored()
    if not database.exists():
        return found
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'races'").fetchall():
            return found
        connection.execute("BEGIN")  # all of one moment
        for run in connection.execute("SELECT * FROM evaluation_runs"):
            found.runs[run["id"]] = {**dict(run), "config": json.loads(run["config"])}
        for row in connection.execute("SELECT * FROM individual_test_results"):
            found.rows.setdefault(row["run_id"], {})[tuple(row[name] for name in KEY)] = dict(row)
        for race in connection.execute("SELECT * FROM races"):
            found.races[race["exp_id"]] = {**dict(race), "looks": json.loads(race["looks"])}
        for row in connection.execute("SELECT * FROM level_scores"):
            found.levels.setdefault(row["run_id"], {})[row["domain"], row["level"]] = dict(row)
        for row in connection.execute("SELECT * FROM test_results"):
            found.results.setdefault(row["run_id"], {})[row["domain"], row["level"]] = dict(row)
        keys = ", ".join(KEY)
        sql = f"SELECT run_id, {keys} FROM individual_test_results GROUP BY run_id, {keys} HAVING count(*) > 1"
        found.twice = [tuple(row) for row in connection.execute(sql)]
        found.twice += [
            tuple(row)
            for row in connection.execute(
                "SELECT run_id, position FROM individual_test_results GROUP BY run_id, position HAVING count(*) > 1"
            )
        ]
        for table in (*_OF_A_SAMPLE, "run_events", "level_scores", "test_results", "individual_test_results"):
            sql = f"SELECT count(*) FROM {table} WHERE run_id NOT IN (SELECT id FROM evaluation_runs)"
            found.orphans += connection.execute(sql).fetchone()[0]
        for table in _OF_A_SAMPLE:
            sql = f"SELECT count(*) FROM {table} WHERE result_id NOT IN (SELECT id FROM individual_test_results)"
            found.orphans += connection.execute(sql).fetchone()[0]
    return found


def scores(rows: Iterable[dict[str, Any]]) -> tuple[dict[tuple[str, int], float], float | None]:
    """The score of each cell and of the run: tests by their weight, epochs by their mean, levels by their number."""
    tests: dict[tuple[str, int, str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if row["score"] is not None and row["status"] in ("passed", "failed"):
            tests.setdefault((row["domain"], row["level"], row["source"], row["test_id"]), []).append(row)
    sums: dict[tuple[str, int], list[float]] = {}
    for (domain, level, _, _), tries in tests.items():
        of = sums.setdefault((domain, level), [0.0, 0.0])
        weight = max(float(row["weight"]) for row in tries)  # a plan that was broken off may leave two
        of[0] += weight * sum(row["score"] for row in tries) / len(tries)
        of[1] += weight
    cells = {cell: total / weight for cell, (total, weight) in sums.items() if weight}
    levels = sum(level for _, level in cells)
    return cells, sum(score * level for (_, level), score in cells.items()) / levels if levels else None


def counts(rows: Iterable[dict[str, Any]]) -> Counter[str]:
    """How many samples have each status."""
    return Counter(row["status"] for row in rows)
