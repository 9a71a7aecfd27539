"""Whatever operation of a run fails or kills it, a resume ends in the rows of one that nothing disturbed; nothing is asked twice.

`make long` takes a seeded sample of the operations of a small run; `TEST_NIGHTLY=1` goes through every one of a run of 500
samples (`TEST_WHOLE_PART=1/4` takes a quarter of them, `TEST_WHOLE_SAMPLES` another number of samples).

A run from the start for each of 7,700 operations would take hours. So there are three phases: the operations before the first
question, those between it and the last answer, and those behind that. A **history** is one database: its first session is
disturbed at an operation of the first phase, the next ones at operations of the second, counted over all sessions from their
first questions on, until one comes to the end; then its rows are those of a calm run. What stands behind the last answer is
tried on copies of a run that was killed there.
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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.faults.harness import is_extraction, wait_until
from tests.server import Reply, Request, ServerHandle, serve
from tests.whole.forks import FAILED, Ended, Forks
from tests.whole.trap import FAULTS, KILLED, KILLED_AFTER

NIGHTLY = bool(os.environ.get("TEST_NIGHTLY"))
SAMPLES = int(os.environ.get("TEST_WHOLE_SAMPLES", "500" if NIGHTLY else "24"))
IN_MAKE_TEST = 8
SEED = 37
IN_A_HISTORY = 20
"""Points of one history between its first question and its last answer, about."""
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
        self.first, self.last = Counter(calm.first), Counter(calm.last)
        self.kept = _stored(base / "calm.db")
        self.asked = Counter(_question(request) for request in server.requests)
        assert len(self.kept[0]) == SAMPLES
        assert set(self.asked.values()) == {1}

    def work(self, database: Path, **more: Any) -> Ended:
        """One run over the suite, begun or gone on with."""
        return self._forks.work("run", database=str(database), exp_id="r", config=self.config, **more)

    def history(self, begin: Point | None, middle: list[Point]) -> dict[Point, str | None]:
        """Disturb one run there, session after session, and compare; where each point was, None where it was not come to."""
        folder = self.base / "history"
        folder.mkdir()
        self.server.forget()
        try:
            return self._history(folder / "m.db", begin, middle)
        finally:
            shutil.rmtree(folder)

    def _history(self, database: Path, begin: Point | None, middle: list[Point]) -> dict[Point, str | None]:
        before = [begin] if begin is not None else []
        reached: dict[Point, str | None] = dict.fromkeys([*before, *middle])
        done: Counter[str] = Counter()
        again, ahead = 0, list(middle)
        while before or ahead:
            now = [Point(point.kind, point.number - done[point.kind], point.fault) for point in ahead]
            ended = self._session(database, now, before)
            for kind, number, where, at_first in ended.hits:
                met = before[0] if at_first else Point(kind, number + done[kind], _fault(now, kind, number))
                reached[met] = where
            again += _again(ended)
            asked = Counter(_question(request) for request in self.server.requests)
            assert asked.total() - len(asked) <= again, f"asked again: {[*map(str, reached)]}"
            if not ended.hits:
                break
            if ended.first:
                done.update(Counter(ended.counts) - Counter(ended.first))
            before, ahead = [], [point for point in ahead if reached[point] is None and point.number > done[point.kind]]
        self._whole(database, ", ".join(map(str, reached)), again=again)
        return reached

    def _session(self, database: Path, points: list[Point], before: list[Point] | None = None) -> Ended:
        """One session disturbed at these points, in the numbers of its own operations, as far as it comes."""
        ended = self.work(
            database, at=[_at(point) for point in points], before=None if before is None else [*map(_at, before)]
        )
        acts = [_fault(before or [] if at_first else points, kind, number) for kind, number, _, at_first in ended.hits]
        said = "; ".join(f"{kind} {number} at {where}" for kind, number, where, _ in ended.hits) + f": {acts}"
        assert "it hung" not in ended.error, f"{said}: {ended.error}"
        died = KILLED in acts or KILLED_AFTER in acts
        assert (ended.code == -9) == died, f"{said}: {ended}"
        wait_until(lambda: self.server.in_flight == 0, "the calls of a dead process to end")
        return ended

    def _whole(self, database: Path, said: str, *, again: int) -> None:
        """What a run must be in the end, whatever was done to it: gone on with, it holds the rows of a calm one."""
        for _ in range(RESUMES):
            last = self.work(database)
            assert last.code == 0, f"{said}: the resume: {last}"
            if _stored(database) == self.kept:
                break
        assert _stored(database) == self.kept, f"{said}: {last}"
        asked = Counter(_question(request) for request in self.server.requests)
        assert not set(asked) - set(self.asked), said
        assert asked.total() - len(asked) <= again, f"{said}: asked again {asked.total() - len(asked)}"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    def answered(self) -> dict[str, int]:
        """Kill a run at the first commit behind its last answer, to be copied; how many operations a session over it has."""
        folder = self.base / "answered"
        number = self.last["commit"] + 1
        while True:
            folder.mkdir()
            self.server.forget()
            ended = self.work(folder / "m.db", at=[{"on": "commit", "number": number, "act": KILLED}])
            wait_until(lambda: self.server.in_flight == 0, "the calls of a dead process to end")
            if ended.code == -9 and len(self.server.requests) == self.asked.total():
                break
            number += 1 if ended.code == -9 else -3
            shutil.rmtree(folder)
        shutil.copytree(folder, self.base / "trial")
        self.server.forget()
        counted = self.work(self.base / "trial" / "m.db", counted=True)
        assert (counted.code, counted.status) == (0, "completed"), counted
        shutil.rmtree(self.base / "trial")
        return counted.counts

    def at_the_end(self, point: Point) -> str | None:
        """Disturb the session that goes on behind the last answer, and compare; None where it does not come so far."""
        folder = self.base / "ending"
        shutil.copytree(self.base / "answered", folder)
        self.server.forget()
        try:
            ended = self._session(folder / "m.db", [point])
            self._whole(folder / "m.db", f"at the end, {point} at {ended.at}", again=_again(ended))
            return ended.at
        finally:
            shutil.rmtree(folder)

    def disturbed(self, point: Point) -> str | None:
        """Disturb a run at one point from its start, resume it, and compare; where it was, None where it never came so far."""
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
        assert sum(again.values()) <= _again(first), f"{point} at {first.at}: asked again {again}"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if first.code == FAILED:
            return f"{first.at} raised {first.error.strip().splitlines()[-1]}"
        return first.at


def _at(point: Point) -> dict[str, Any]:
    return {"on": point.kind, "number": point.number, "act": point.fault}


def _fault(points: list[Point], kind: str, number: int) -> str:
    return next(point.fault for point in points if (point.kind, point.number) == (kind, number))


def _again(ended: Ended) -> int:
    """How many questions may be asked again because of what was done to a session: those in flight where it did not come to its
    end, and each call that was broken; never one whose answer only had to wait for the disk."""
    broken = sum(kind in ("connect", "send", "receive") for kind, _, _, _ in ended.hits)
    return broken + (0 if ended.status == "completed" else AT_ONCE)


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


def _points(counts: Mapping[str, int], seed: int) -> list[Point]:
    """Every operation once, in an order of its own, with the faults of its kind in turn."""
    found = []
    for kind, number in sorted(counts.items()):
        faults = FAULTS[kind]
        found += [Point(kind, one, faults[(one + seed) % len(faults)]) for one in range(1, number + 1)]
    random.Random(seed).shuffle(found)
    return found


def _histories(bench: Bench, seed: int, least: int = 1) -> list[tuple[Point | None, list[Point]]]:
    """Every operation up to the last answer, in histories: a point before the first question, then points all along the way, so
    many at least."""
    begins = _points(bench.first, seed)
    between = bench.last - bench.first
    middle = sorted(_points(between, seed), key=lambda point: point.number / between[point.kind])
    count = min(max(1, len(begins), len(middle) // IN_A_HISTORY), max(1, len(middle) // least))
    return [(begins[one] if one < len(begins) else None, middle[one::count]) for one in range(count)]


def _sampled(counts: dict[str, int], seed: int) -> list[Point]:
    """A few points, of every kind at least one."""
    points = _points(counts, seed)
    first = {kind: next(point for point in points if point.kind == kind) for kind in counts}
    rest = [point for point in points if point not in first.values()]
    return [*first.values(), *rest][:IN_MAKE_TEST]


@pytest.mark.skipif(NIGHTLY, reason="every operation is gone through")
def test_a_run_disturbed_at_some_operations_ends_in_the_rows_of_one_that_was_not(bench: Bench) -> None:
    found = {str(point): bench.disturbed(point) for point in _sampled(bench.counts, SEED)}
    assert sum(at is not None for at in found.values()) >= IN_MAKE_TEST // 2, found


@pytest.mark.skipif(NIGHTLY, reason="every operation is gone through")
def test_a_run_disturbed_again_and_again_ends_in_the_rows_of_one_that_was_not(bench: Bench) -> None:
    (begin, middle), *_ = _histories(bench, seed=SEED, least=IN_A_HISTORY)
    reached = bench.history(begin, middle)
    assert sum(at is not None for at in reached.values()) >= IN_A_HISTORY // 2, reached


@pytest.mark.long
@pytest.mark.skipif(not NIGHTLY, reason="TEST_NIGHTLY=1 goes through every operation")
@pytest.mark.timeout(0)
def test_a_run_disturbed_at_any_operation_ends_in_the_rows_of_one_that_was_not(bench: Bench) -> None:
    part, of = map(int, os.environ.get("TEST_WHOLE_PART", "1/1").split("/"))
    seed = int(os.environ.get("TEST_WHOLE_SEED", "1"))
    tried: Counter[str] = Counter()
    wrong: list[str] = []

    def noted(phase: str, run: Callable[[], dict[Point, str | None]], points: list[Point]) -> None:
        try:
            found: dict[Point, str | None] = run()
        except AssertionError as error:
            wrong.append(str(error))
            tried[f"{phase}, wrong"] += len(points)
            print(f"WRONG {phase} {', '.join(map(str, points))}: {error}", flush=True)
            return
        for point, at in found.items():
            tried[f"{phase}, {point.kind}" if at is not None else f"{phase}, {point.kind}, not reached"] += 1

    histories = _histories(bench, seed)
    random.Random(seed).shuffle(histories)
    mine = histories[part - 1 :: of]
    for number, (begin, middle) in enumerate(mine, 1):
        points = [*([begin] if begin is not None else []), *middle]
        noted("up to the last answer", partial(bench.history, begin, middle), points)
        print(
            f"history {number} of {len(mine)}: {len(points)} points; {tried.total()} so far, {len(wrong)} wrong",
            flush=True,
        )
    ends = _points(bench.answered(), seed)[part - 1 :: of]
    for number, point in enumerate(ends, 1):
        noted("behind it", partial(_one, bench, point), [point])
        if not number % 20 or number == len(ends):
            print(f"end {number} of {len(ends)}: {tried.total()} so far, {len(wrong)} wrong", flush=True)
    print(dict(sorted(tried.items())))
    assert not wrong, "\n".join(wrong)


def _one(bench: Bench, point: Point) -> dict[Point, str | None]:
    return {point: bench.at_the_end(point)}
