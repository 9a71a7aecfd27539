"""Whatever operation of a run fails or kills it, a resume ends in the rows of one that nothing disturbed; nothing is asked twice.

`make test` takes a seeded sample of the operations of a small run; `TEST_NIGHTLY=1` goes through every one of a run of 500
samples (`TEST_WHOLE_PART=1/4` takes a quarter of them, `TEST_WHOLE_SAMPLES` another number of samples).
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.faults.harness import is_extraction, wait_until
from tests.server import Reply, Request, ServerHandle, serve
from tests.whole.forks import FAILED, Ended, Forks
from tests.whole.trap import FAULTS, KILLED, KILLED_AFTER

NIGHTLY = bool(os.environ.get("TEST_NIGHTLY"))
SAMPLES = int(os.environ.get("TEST_WHOLE_SAMPLES", "500" if NIGHTLY else "24"))
IN_MAKE_TEST = 14
AT_ONCE = 2
RESUMES = 2
"""A resume may find what the fault left behind (an error to retry); two of them must do."""
_KEPT = """SELECT source, domain, level, test_id, epoch, stage, status, score, response, extracted_answer, error_type,
 rollout_fingerprint, judge_fingerprint, prompt_tokens, completion_tokens, judge_prompt_tokens, reason
 FROM individual_test_results ORDER BY source, domain, level, test_id, epoch"""
_SUMS = (
    "SELECT domain, level, average_score, total_tests, passed_tests, ci_low, ci_high FROM level_scores ORDER BY domain, level",
    "SELECT domain, level, score, status, total_tests, passed_tests, failed_tests, error_tests, total_tokens FROM test_results"
    " ORDER BY domain, level",
    "SELECT status, overall_score, total_tests, passed_tests, failed_tests, error_tests, skipped_tests FROM evaluation_runs",
)


@dataclass(frozen=True, slots=True)
class Point:
    """The `number`-th operation of a kind, and what is wrong with it."""

    kind: str
    number: int
    fault: str

    def __str__(self) -> str:
        return f"{self.kind} {self.number}: {self.fault}"


def _answer(request: Request) -> Reply:
    if is_extraction(request):
        return Reply(content="ANSWER: 18")
    word, number = request.prompt.split()
    if word == "sql":
        return Reply(content=f"```sql\nSELECT {int(number) % 2}\n```")
    if word == "code":
        return Reply(content=f"```python\ndef f(x):\n    return x + {int(number) % 2}\n```")
    said = number.translate(
        str.maketrans("0123456789", "abcdefghij")
    )  # no two answers are the same, and no other number is in one
    return Reply(content=f"It is {18 if int(number) % 3 else 17}, said {said}.")


_WORDS: dict[str, Any] = {"keywords": ["18"]}
_SQL: dict[str, Any] = {"schema": "CREATE TABLE t (a);", "seed": "INSERT INTO t VALUES (1);", "query": "SELECT 1"}
_CODE: dict[str, Any] = {"function": "f", "cases": [{"args": [1], "returns": 2}]}


def _tests(count: int) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Domain, level and test, of the kinds whose ways through the system differ: judged here, by PASS 2, in processes."""
    for number in range(count):
        domain, prompt, evaluator, expected = "words", "plain", "keyword", _WORDS
        if number % 12 == 3:
            domain, prompt, evaluator, expected = "code", "sql", "sql_executor", _SQL
        elif number % 12 == 9:
            domain, prompt, evaluator, expected = "code", "code", "code_tests", _CODE
        test: dict[str, Any] = {
            "id": f"t{number:04}",
            "prompt": f"{prompt} {number}",
            "evaluator_id": evaluator,
            "expected": expected,
        }
        if number % 3 == 1:
            domain, test = "numbers", test | {"evaluator_id": "two_pass", "expected": 18}
        yield domain, 1 + number % 2, test


def _write_suite(root: Path, count: int) -> Path:
    files: dict[Path, list[str]] = {}
    for domain, level, test in _tests(count):
        folder = root / "test_definitions" / domain / f"level_{level}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder.parent / "domain.json").write_text(json.dumps({"id": domain, "evaluator_id": "two_pass"}))
        files.setdefault(folder / "tests.jsonl", []).append(json.dumps(test))
    for path, lines in files.items():
        path.write_text("\n".join(lines) + "\n")
    return root


class Bench:
    """A suite, a server that counts, and the processes that run one against the other."""

    def __init__(self, base: Path, server: ServerHandle, forks: Forks) -> None:
        self.base, self.server, self._forks = base, server, forks
        self.config = {
            "model": {"model": "openai/test-model", "api_base": server.url},
            "selection": {"suite": str(_write_suite(base / "suite", SAMPLES))},
            "concurrency": AT_ONCE,
        }
        self.work(base / "first.db")  # what it imports, the others find
        server.forget()
        calm = self.work(base / "calm.db", counted=True)
        assert (calm.code, calm.status) == (0, "completed"), calm
        self.counts = calm.counts
        self.kept = _stored(base / "calm.db")
        self.asked = Counter(_question(request) for request in server.requests)
        assert len(self.kept[0]) == SAMPLES
        assert set(self.asked.values()) == {1}

    def work(self, database: Path, **more: Any) -> Ended:
        """One run over the suite, begun or gone on with."""
        return self._forks.work("run", database=str(database), exp_id="r", config=self.config, **more)

    def disturbed(self, point: Point) -> str | None:
        """Disturb a run there, resume it, and compare; where it was disturbed, None where the run never came so far."""
        folder = self.base / "disturbed"
        folder.mkdir()
        try:
            return self._disturbed(point, folder / "m.db")
        finally:
            shutil.rmtree(folder)

    def _disturbed(self, point: Point, database: Path) -> str | None:
        self.server.forget()
        first = self.work(database, at={"on": point.kind, "number": point.number, "act": point.fault})
        assert "it hung" not in first.error, f"{point} at {first.at}: {first.error}"
        died = point.fault in (KILLED, KILLED_AFTER)
        assert first.at is None or (first.code == -9) == died, f"{point} at {first.at}: {first}"
        wait_until(lambda: self.server.in_flight == 0, "the calls of a dead process to end")
        last = first
        for _ in range(RESUMES):
            last = self.work(database)
            assert last.code == 0, f"{point} at {first.at}: {first}: the resume: {last}"
            if _stored(database) == self.kept:
                break
        assert _stored(database) == self.kept, f"{point} at {first.at}: {first}: {last}"
        asked = Counter(_question(request) for request in self.server.requests)
        assert not set(asked) ^ set(self.asked), f"{point} at {first.at}"
        again = {question: times - 1 for question, times in asked.items() if times > 1}
        assert sum(again.values()) <= AT_ONCE, f"{point} at {first.at}: asked again {again}"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if first.code == FAILED:
            return f"{first.at} raised {first.error.strip().splitlines()[-1]}"
        return first.at


def _question(request: Request) -> str:
    return re.sub("DATA-[0-9a-f]+", "DATA", json.dumps(request.body.get("messages")))  # a mark of each call's own


def _stored(database: Path) -> list[list[tuple[Any, ...]]]:
    """All that must not depend on what happened on the way."""
    if not database.exists():
        return []
    with contextlib.closing(sqlite3.connect(database)) as connection:
        try:
            return [connection.execute(sql).fetchall() for sql in (_KEPT, *_SUMS)]
        except sqlite3.OperationalError:  # no such table: it was killed before there was one
            return []


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    base = tmp_path_factory.mktemp("disturbed")
    with serve(_answer) as server, Forks(base) as forks:
        yield Bench(base, server, forks)


def _points(counts: dict[str, int], seed: int) -> list[Point]:
    """Every operation once, in an order of its own, with the faults of its kind in turn."""
    found = []
    for kind, number in sorted(counts.items()):
        faults = FAULTS[kind]
        found += [Point(kind, one, faults[(one + seed) % len(faults)]) for one in range(1, number + 1)]
    random.Random(seed).shuffle(found)
    return found


def _sampled(counts: dict[str, int], seed: int) -> list[Point]:
    """A few points, of every kind at least one."""
    points = _points(counts, seed)
    first = {kind: next(point for point in points if point.kind == kind) for kind in counts}
    rest = [point for point in points if point not in first.values()]
    return [*first.values(), *rest][:IN_MAKE_TEST]


@pytest.mark.skipif(NIGHTLY, reason="every operation is gone through")
def test_a_run_disturbed_at_some_operations_ends_in_the_rows_of_one_that_was_not(bench: Bench) -> None:
    found = {str(point): bench.disturbed(point) for point in _sampled(bench.counts, seed=32)}
    assert sum(at is not None for at in found.values()) >= IN_MAKE_TEST // 2, found


@pytest.mark.skipif(not NIGHTLY, reason="TEST_NIGHTLY=1 goes through every operation")
@pytest.mark.timeout(0)
def test_a_run_disturbed_at_any_operation_ends_in_the_rows_of_one_that_was_not(bench: Bench) -> None:
    part, of = map(int, os.environ.get("TEST_WHOLE_PART", "1/1").split("/"))
    points = _points(bench.counts, seed=int(os.environ.get("TEST_WHOLE_SEED", "1")))[part - 1 :: of]
    reached: Counter[str] = Counter()
    wrong: list[str] = []
    for number, point in enumerate(points, 1):
        try:
            at = bench.disturbed(point)
        except AssertionError as error:
            wrong.append(str(error))
            at = "wrong"
            print(f"WRONG {point}: {error}", flush=True)
        reached[point.kind if at is not None else f"{point.kind}, not reached"] += 1
        print(f"{number} of {len(points)}: {point}: {at}", flush=True)
    print(dict(reached))
    assert not wrong, "\n".join(wrong)
