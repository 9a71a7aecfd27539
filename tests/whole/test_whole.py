"""The whole system against one small model: suites that change, runs that are killed, stopped, paused and limited, golds,
evaluators, reviews, races, imports, names, deletions, in any order.

`make test` takes some 300 steps, the same ones each time; `TEST_NIGHTLY=1` takes 10,000 others each time (`TEST_WHOLE_STEPS`
another number), and kills runners that `modex run --detach` would start too.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shutil
import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from modex.core.engine.control import archive_run, delete_run, rename_run
from modex.core.features.review.query import HumanVerdict, reviews, say
from modex.core.store.lock import is_held
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from tests.faults.harness import alive, is_extraction, wait_until
from tests.server import Reply, Request, ServerHandle, replies, serve
from tests.whole import model
from tests.whole.forks import Ended, Forks
from tests.whole.model import DOMAINS, EVALUATORS, LEVELS, Key, Question, Suite, Test

NIGHTLY = bool(os.environ.get("TEST_NIGHTLY"))
STEPS_OF_ONE = 30
STEPS = int(os.environ.get("TEST_WHOLE_STEPS", "10000" if NIGHTLY else "300"))
NAMES = ("one", "two")
AUTHORS = ("ann", "bob")
PRICE = 0.001
"""USD a token."""
COMPLETION = 5


class Asked:
    """The model's side: answers by rule, counts what it is asked, and fails where it is told to."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rollouts: Counter[tuple[str, Question]] = Counter()
        self.refused: Counter[tuple[str, Question]] = Counter()
        """Of the rollouts those that failed."""
        self.extractions: Counter[str] = Counter()
        self.tokens = 0
        """The prompt tokens of the last answer: every answer says another number, so that a row tells which one it holds."""
        self.faulty: dict[str, int] = {}
        """How often a question of which this is a part still fails."""

    def __call__(self, request: Request) -> Reply:
        with self.lock:
            self.tokens += 1
            usage = {"prompt_tokens": self.tokens, "completion_tokens": COMPLETION}
            text = json.dumps(request.body.get("messages"))
            for part, left in self.faulty.items():
                if left and part in text:
                    self.faulty[part] -= 1
                    self._count(request)
                    if not is_extraction(request):
                        self.refused[request.model, (request.system, request.prompt)] += 1
                    return replies.error(400, "refused for this once", code="strange")
            return Reply(content=self._count(request), usage=usage)

    def _count(self, request: Request) -> str:
        if is_extraction(request):
            found = re.search(r"Said \w+: the answer is \d+", json.dumps(request.body.get("messages")))
            assert found is not None
            self.extractions[found[0]] += 1
            return f"ANSWER: {model.extracted(found[0])}"
        question = request.system, request.prompt
        self.rollouts[request.model, question] += 1
        return model.answer(request.model, question)


class World:
    """What all examples share: the server and the process that makes processes."""

    def __init__(self, base: Path, server: ServerHandle, forks: Forks, asked: Asked) -> None:
        self.base, self.server, self.forks, self.asked = base, server, forks, asked
        self.steps = 0
        self.done: Counter[str] = Counter()
        """How pieces of work ended, by kind."""

    def told(self) -> str:
        """How far it is, and what was done."""
        return f"{self.steps} steps {dict(sorted(self.done.items()))}"

    def work(self, kind: str, **job: Any) -> Ended:
        """A piece of work, done by a process of its own, and no call of it left."""
        ended = self.forks.work(kind, **job)
        assert "it hung" not in ended.error, ended
        if kind != "launch":  # which goes on
            wait_until(lambda: self.server.in_flight == 0, "the calls of a dead process to end")
        self.done[kind if kind == "launch" else f"{kind}: {ended.status or ended.code}"] += 1
        if ended.status == "refused":  # nothing but what was done to it, and a budget that pays for too little
            assert ended.at is not None or "--max-calls" in ended.error, ended
        if ended.at is not None:
            self.done[f"disturbed: {job['at']['act']}"] += 1
        return ended


_VERDICT = ("stage", "status", "score", "evaluator_id", "expected", "response", "extracted_answer", "error_message")
WORLD: list[World] = []
_tests = st.builds(
    Test,
    id=st.sampled_from([f"t{number}" for number in range(8)]),
    domain=st.sampled_from(DOMAINS),
    level=st.sampled_from(LEVELS),
    evaluator=st.sampled_from(EVALUATORS),
    gold=st.integers(0, 2),
    weight=st.sampled_from([1.0, 1.0, 2.5]),
)
_number = st.integers(0, 30)
Disturbance = tuple[str, str, int]
"""What is done, at which kind of operation, and at which of them."""
_disturbances = st.one_of(
    st.tuples(st.sampled_from(["killed", "killed after", "interrupt", "pause"]), st.just("commit"), st.integers(1, 30)),
    st.tuples(st.sampled_from(["killed", "killed after", "interrupt"]), st.just("receive"), st.integers(1, 24)),
    st.tuples(st.sampled_from(["locked", "full", "i/o"]), st.just("statement"), st.integers(90, 220)),
)


class Whole(RuleBasedStateMachine):
    """One database, from its first run on."""

    def __init__(self) -> None:
        super().__init__()
        self.world = WORLD[0]
        self.folder = Path(tempfile.mkdtemp(dir=self.world.base))
        self.database = self.folder / "m.db"
        self.suite = Suite()
        self.asked = self.world.asked
        self.asked.faulty.clear()
        self.names: set[str] = set()
        """Of runs that were begun and are there."""
        self.said: dict[tuple[int, int, str], list[tuple[str, HumanVerdict]]] = {}
        """By run, sample and author: what was said of which answer, the newest last."""
        self.before = model.Stored()
        """The store after the last step."""
        self.replaced: Counter[int] = Counter()
        """By run: prompt tokens of answers and judgements that others took the place of."""
        self.judged: dict[tuple[int, Key], tuple[Any, int | str]] = {}
        """By run and sample: the verdict, and the gold that it was given by."""
        self.summed: set[int] = set()
        """Runs whose last session came to its end: their scores are those of their rows."""
        self.looks: dict[str, list[Any]] = {}
        self.race_of: dict[str, str] = {}
        self.raced = self.imported = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    # the suite

    @initialize(tests=st.lists(_tests, min_size=3, max_size=8, unique_by=lambda test: test.id))
    def written(self, tests: list[Test]) -> None:
        """A suite to begin with."""
        self.suite.tests = [copied(test) for test in tests]
        self._write()

    def _write(self) -> None:
        self.suite.write(self.folder / "suite")

    @rule(test=_tests)
    def add_or_replace_a_test(self, test: Test) -> None:
        """A new test, or another under an id that is known."""
        self.suite.tests = [one for one in self.suite.tests if one.id != test.id] + [copied(test)]
        self._write()

    @precondition(lambda self: len(self.suite.tests) > 2)
    @rule(number=_number)
    def remove_a_test(self, number: int) -> None:
        """A test leaves the suite; its samples stay."""
        self.suite.tests.pop(number % len(self.suite.tests))
        self._write()

    @rule(number=_number, gold=st.integers(0, 2))
    def change_a_gold(self, number: int, gold: int) -> None:
        """What is right changes; no answer does."""
        self._test(number).gold = gold
        self._write()

    @rule(number=_number, version=st.integers(1, 3))
    def change_a_prompt(self, number: int, version: int) -> None:
        """Another question under the same id, or the one of before again."""
        self._test(number).version = version
        self._write()

    @rule(number=_number, layer=st.integers(0, 2))
    def change_a_layer_of_a_test(self, number: int, layer: int) -> None:
        """The test's own system prompt."""
        self._test(number).layer = layer
        self._write()

    @rule(domain=st.sampled_from(DOMAINS), layer=st.integers(0, 2))
    def change_a_layer_of_a_domain(self, domain: str, layer: int) -> None:
        """The system prompt of many tests at once."""
        self.suite.layers[domain] = layer
        self._write()

    @rule(version=st.integers(1, 3), weight=st.sampled_from([1.0, 3.0]), number=_number)
    def change_the_evaluator_and_a_weight(self, version: int, weight: float, number: int) -> None:
        """How it is judged, and how much it counts."""
        self.suite.evaluator = version
        self._test(number).weight = weight
        self._write()

    def _test(self, number: int) -> Test:
        return self.suite.tests[number % len(self.suite.tests)]

    @rule(number=_number, times=st.integers(1, 2), extraction=st.booleans())
    def let_a_question_fail(self, number: int, times: int, extraction: bool) -> None:
        """The server refuses a question, or the PASS 2 of its answer, so many times."""
        test = self._test(number)
        part = f'"{test.prompt}"'
        if extraction:
            part = model.answer("m", self.suite.question(test)).partition(",")[0]
        self.asked.faulty[part] = times

    # runs

    def _config(self, name: str = "m", **more: Any) -> dict[str, Any]:
        selection = {"suite": str(self.folder / "suite"), **more.pop("selection", {})}
        priced = {"input_price": PRICE, "output_price": PRICE}
        return {
            "model": {"model": f"openai/{name}", "api_base": self.world.server.url, **priced},
            "selection": selection,
            "concurrency": 2,
            **more,
        }

    @rule(name=st.sampled_from(NAMES), epochs=st.sampled_from([1, 1, 2]))
    def run(self, name: str, epochs: int) -> None:
        """Begin a run or go on with it, to its end."""
        self._run(name, None, epochs=epochs)

    @rule(name=st.sampled_from(NAMES), epochs=st.sampled_from([1, 2]), disturbance=_disturbances)
    def run_amid_trouble(self, name: str, epochs: int, disturbance: Disturbance) -> None:
        """Begin a run or go on with it; it is killed, stopped, paused, or finds the disk full."""
        self._run(name, disturbance, epochs=epochs)

    @rule(
        name=st.sampled_from(NAMES),
        disturbance=st.one_of(st.none(), _disturbances),
        budget=st.sampled_from([None, 0.02, 0.1]),
        calls=st.sampled_from([None, 6]),
        until=st.sampled_from(["stat", "stat", "rollout", "preprocess"]),
    )
    def run_within_limits(
        self, name: str, disturbance: Disturbance | None, budget: float | None, calls: int | None, until: str
    ) -> None:
        """Begin a run or go on with it, as far as its budget goes, or up to a stage."""
        more: dict[str, Any] = {"until": until}
        if budget is not None:
            run = self.before.run(name)
            more["max_cost_usd"] = budget + (float(run["cost_usd"]) if run else 0.0)
        if calls is not None:
            more["selection"] = {"max_calls": calls}
        self._run(name, disturbance, limited=calls is not None, **more)

    def _run(
        self, name: str, disturbance: Disturbance | None, *, epochs: int = 1, limited: bool = False, **more: Any
    ) -> None:
        config = self._config(epochs=epochs, **more)
        self._work(
            "run", name, disturbance, epochs=epochs, limited=limited, until=more.get("until", "stat"), config=config
        )

    @precondition(lambda self: NIGHTLY)
    @rule(name=st.sampled_from(NAMES), calls=st.integers(0, 12))
    def kill_a_runner(self, name: str, calls: int) -> None:
        """A runner of its own, without a terminal, is killed after so many calls, or has come to its end before."""
        wanted, stored = self._wanted(1), self.before.samples(name)
        to_ask, rollouts = self._to_ask(wanted, stored), self.asked.rollouts.copy()
        goal = self.world.server.hits + calls
        launched = self.world.work("launch", database=str(self.database), exp_id=name, config=self._config())
        assert launched.code == 0, launched
        pid = int(launched.status or 0)
        wait_until(lambda: self.world.server.hits >= goal or not alive(pid), f"call {goal} of the runner {pid}")
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not alive(pid) and self.world.server.in_flight == 0, "the runner's end")
        run = model.read(self.database).run(name)
        assert run is not None
        # The lock goes with the last of its threads: one of them may still end a commit.
        wait_until(lambda: not is_held(self.database, run["id"]), "the run's lock")
        self.names.add(name)
        now = model.read(self.database)
        self._asked_no_more_than(self.asked.rollouts - rollouts, to_ask, launched)
        self._note_replaced(now, name)
        self.summed.discard(run["id"])

    @precondition(lambda self: self.names)
    @rule(number=_number, everything=st.booleans(), disturbance=st.one_of(st.none(), _disturbances))
    def judge_again(self, number: int, everything: bool, disturbance: Disturbance | None) -> None:
        """Stored answers judged by what the suite says now; the model under test is asked no rollout."""
        name = sorted(self.names)[number % len(self.names)]
        asked = self.asked.rollouts.total()
        self._work("judge", name, disturbance, epochs=1, limited=True, until="stat", all=everything)
        assert self.asked.rollouts.total() == asked

    def _work(
        self, kind: str, name: str, disturbance: Disturbance | None, *, epochs: int, limited: bool, until: str,
        **job: Any,
    ) -> None:  # fmt: skip
        wanted = self._wanted(epochs)
        stored = self.before.samples(name)
        to_ask = self._to_ask(wanted, stored)
        rollouts, extractions = self.asked.rollouts.copy(), self.asked.extractions.copy()
        act = ""
        if disturbance is not None:
            act, on, number = disturbance
            job["at"] = {"on": on, "number": number, "act": act}
        ended = self.world.work(kind, database=str(self.database), exp_id=name, **job)
        # Before a session is there to be stopped in order, a signal ends the command.
        done_to = ended.at is not None and (act in ("locked", "full", "i/o") or "KeyboardInterrupt" in ended.error)
        assert ended.code in (0, 2, 3, -9) or done_to, ended
        now = model.read(self.database)
        if now.run(name) is not None:
            self.names.add(name)
        asked = self.asked.rollouts - rollouts
        self._asked_no_more_than(asked, to_ask, ended)
        self._note_replaced(now, name)
        run = now.run(name)
        if run is None:
            return
        if ended.status in ("completed", "aborted") and until == "stat" and ended.code == 0:
            self.summed.add(run["id"])
        else:
            self.summed.discard(run["id"])
        if ended.status == "completed" and kind == "run" and ended.code == 0:
            self._whole(now.samples(name), stored, wanted, asked, to_ask, ended, limited=limited, until=until)
            judged = self.asked.extractions - extractions
            if not asked and stored and self._nothing_to_judge(wanted, stored):
                assert not judged, "nothing changed, and PASS 2 was asked"

    def _wanted(self, epochs: int) -> dict[Key, Test]:
        return {
            ("suite", test.domain, test.level, test.id, epoch): test
            for test in self.suite.tests
            for epoch in range(1, epochs + 1)
        }

    def _to_ask(self, wanted: dict[Key, Test], stored: dict[Key, dict[str, Any]]) -> Counter[tuple[str, Question]]:
        """The questions whose answer is not stored, each as often as samples want it."""
        found: Counter[tuple[str, Question]] = Counter()
        for key, test in wanted.items():
            if not self._is_answered(stored.get(key), test):
                found["m", self.suite.question(test)] += 1
        return found

    def _is_answered(self, row: dict[str, Any] | None, test: Test) -> bool:
        """Whether a stored sample holds an answer to the question that the suite asks now."""
        if row is None or row["stage"] == "init":
            return False
        return (row["system_prompt"] or "", row["prompt"]) == self.suite.question(test)

    def _asked_no_more_than(
        self, asked: Counter[tuple[str, Question]], to_ask: Counter[tuple[str, Question]], ended: Ended
    ) -> None:
        too_often = asked - to_ask
        assert not too_often, f"asked again: {too_often}; {ended}"

    def _nothing_to_judge(self, wanted: dict[Key, Test], stored: dict[Key, dict[str, Any]]) -> bool:
        # A gold that was planned may stand in a row that is still judged by the one before.
        return all(
            (row := stored.get(key)) is not None
            and row["stage"] == "judged"
            and row["status"] in ("passed", "failed")
            and right(row) == model.gold(test.expected) == self.judged[row["run_id"], key][1]
            and row["evaluator_id"] == test.evaluator
            for key, test in wanted.items()
        )

    def _whole(
        self, rows: dict[Key, dict[str, Any]], before: dict[Key, dict[str, Any]], wanted: dict[Key, Test],
        asked: Counter[tuple[str, Question]], to_ask: Counter[tuple[str, Question]], ended: Ended, *, limited: bool, until: str,
    ) -> None:  # fmt: skip
        """A run that was completed holds every sample that the suite wants, asked and judged as it says now.

        One that only asks leaves what was answered before, and the gold that it was judged by, as they are.
        """
        kept = {key for key, test in wanted.items() if until == "rollout" and self._is_answered(before.get(key), test)}
        for key, test in wanted.items():
            row = rows.get(key)
            if limited and (row is None or row["status"] == "pending"):  # not among the tests that are paid for
                continue
            assert row is not None, f"{key} is missing; {ended}"
            if limited and (row["system_prompt"] or "", row["prompt"]) != self.suite.question(test):
                continue
            assert (row["system_prompt"] or "", row["prompt"]) == self.suite.question(test)
            if (limited or key in kept) and right(row) != model.gold(test.expected):
                continue
            assert right(row) == model.gold(test.expected)
            assert (row["evaluator_id"], row["weight"]) == (test.evaluator, test.weight) or limited or key in kept
            if until == "stat":
                assert row["status"] in ("passed", "failed", "error"), (key, row["status"], row["stage"], ended)
                if row["status"] != "error":
                    is_right = model.passes(model.gold(test.expected), row["response"])
                    assert (row["status"] == "passed") == is_right, f"{key} is judged by an earlier gold; {ended}"
            elif until == "rollout":
                assert row["stage"] != "init" or row["status"] == "error"
        if not limited and until != "preprocess":
            assert asked == to_ask, f"not asked: {to_ask - asked}; {ended}"

    def _note_replaced(self, now: model.Stored, name: str) -> None:
        """What answers and judgements cost that are not in the rows any more."""
        run = now.run(name)
        if run is None:
            return
        before, rows = self.before.samples(name), now.samples(name)
        for key, old in before.items():
            new = rows[key]
            for column in ("prompt_tokens", "judge_prompt_tokens"):
                if new[column] != old[column]:
                    self.replaced[run["id"]] += old[column]

    # what people do

    @precondition(lambda self: self.names)
    @rule(
        number=_number,
        sample=_number,
        author=st.sampled_from(AUTHORS),
        said=st.builds(
            HumanVerdict,
            own_verdict=st.sampled_from(["passed", "failed", None]),
            label=st.sampled_from([None, "odd"]),
            note=st.sampled_from([None, "see"]),
        ),
    )
    def review(self, number: int, sample: int, author: str, said: HumanVerdict) -> None:
        """Somebody says what they hold of an answer, something else, or nothing any more."""
        rows = self.before.samples(sorted(self.names)[number % len(self.names)])
        if not rows:
            return
        row = list(rows.values())[sample % len(rows)]
        manager = DBDataManager(self.database)
        try:
            (stored,) = manager.load([row["id"]])
            say(manager.reader, stored, author, said)
        finally:
            manager.close()
        held = self.said.setdefault((row["run_id"], row["id"], author), [])
        held[:] = [(answer, one) for answer, one in held if answer != (row["response"] or "")]
        if not said.empty:
            held.append((row["response"] or "", said))

    @precondition(lambda self: self.names)
    @rule(number=_number, to=st.sampled_from([*NAMES, "three"]))
    def rename(self, number: int, to: str) -> None:
        """A run gets another name, where that is free."""
        name = sorted(self.names)[number % len(self.names)]
        if to in self.names:
            return
        rename_run(self.database, name, to)
        self.names = self.names - {name} | {to}

    @precondition(lambda self: self.names)
    @rule(number=_number, away=st.booleans())
    def archive(self, number: int, away: bool) -> None:
        """A run is put away, or taken back."""
        archive_run(self.database, sorted(self.names)[number % len(self.names)], archived=away)

    @precondition(lambda self: self.names)
    @rule(number=_number)
    def delete(self, number: int) -> None:
        """A run goes with all that is of it, and nothing else goes."""
        name = sorted(self.names)[number % len(self.names)]
        run = self.before.run(name)
        assert run is not None
        delete_run(self.database, run["id"])
        self.names.discard(name)
        self.summed.discard(run["id"])
        self.replaced.pop(run["id"], None)  # the number may be another run's next
        self.said = {key: held for key, held in self.said.items() if key[0] != run["id"]}
        self.judged = {key: held for key, held in self.judged.items() if key[0] != run["id"]}
        now = model.read(self.database)
        assert run["id"] not in now.runs
        assert {one: rows for one, rows in self.before.rows.items() if one != run["id"]} == now.rows

    @precondition(lambda self: self.imported < 2)
    @rule(rows=st.integers(1, 4), number=st.integers(1, 2), disturbance=st.one_of(st.none(), _disturbances))
    def import_a_log(self, rows: int, number: int, disturbance: Disturbance | None) -> None:
        """Another tool's log as a run, perhaps killed amid it; imported again it is the same run."""
        self.imported += 1
        path = self.folder / f"samples_task{number}_2026-01-01T00-00-00.jsonl"
        if not path.exists():
            lines = [
                {"doc_id": one, "doc": {}, "target": "4", "resps": [["It is 4."]], "filter": "none",
                 "arguments": {"gen_args_0": {"arg_0": f"Q{one}"}}, "filtered_resps": ["4"], "metrics": ["acc"],
                 "acc": float(one % 2)}
                for one in range(rows)
            ]  # fmt: skip
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        rows = len(path.read_text().splitlines())
        job: dict[str, Any] = {"database": str(self.database), "path": str(path), "exp_id": ""}
        if disturbance is not None and disturbance[0].startswith("killed"):
            at = {"on": "commit", "number": 1 + disturbance[2] % 9, "act": disturbance[0]}
            self.world.work("import", at=at, **job)
        ended = self.world.work("import", **job)
        assert (ended.code, ended.status in ("imported", "there already")) == (0, True), ended
        once = model.read(self.database)
        again = self.world.work("import", **job)
        assert (again.code, again.status) == (0, "there already"), again
        twice = model.read(self.database)
        assert once == twice
        mine = [run for run in twice.runs.values() if f"task{number}" in run["exp_id"]]
        assert len(mine) == 1
        assert len(twice.rows[mine[0]["id"]]) == rows
        self.summed.add(mine[0]["id"])

    @precondition(lambda self: 3 < len(self.suite.tests) < 7 and self.raced < 2)
    @rule(number=st.integers(1, 2), disturbance=st.one_of(st.none(), _disturbances), peek=st.booleans())
    def race(self, number: int, disturbance: Disturbance | None, peek: bool) -> None:
        """Two models race, or go on with it; its looks only grow, and no model is asked a question twice."""
        self.raced += 1
        name = f"race{number}"
        asked, refused = self.asked.rollouts.copy(), self.asked.refused.copy()
        before = {one: self.before.samples(f"{name}@openai/{one}") for one in ("m", "other")}
        job: dict[str, Any] = {"configs": [self._config(one) for one in before], "peek": peek}
        if disturbance is not None:
            act, on, at = disturbance
            job["at"] = {"on": on, "number": at * 4, "act": act}
        ended = self.world.work("race", database=str(self.database), exp_id=name, **job)
        now = model.read(self.database)
        for one, stored in before.items():
            run = f"{name}@openai/{one}"
            wanted = Counter({(one, q): times for (_, q), times in self._to_ask(self._wanted(1), stored).items()})
            wanted += self.asked.refused - refused  # which the next block asks again
            mine = {of: times for of, times in (self.asked.rollouts - asked).items() if of[0] == one}
            assert not Counter(mine) - wanted, ended
            self._note_replaced(now, run)
            if (found := now.run(run)) is not None:
                self.summed.discard(found["id"])
        if (stored_race := now.races.get(name)) is None:
            return
        looks = stored_race["looks"]
        assert [look["look"] for look in looks] == list(range(1, len(looks) + 1))
        numbers = [look["asked"] for look in looks]
        assert numbers == sorted(numbers)
        dropped = [len(look["dropped"]) for look in looks]
        assert dropped == sorted(dropped)
        made_of = json.dumps([stored_race["config"], [test.row() for test in self.suite.tests], self.suite.layers])
        if self.race_of.get(name) == made_of:
            known = self.looks[name]
            assert looks[: len(known)] == known, "an earlier look was decided otherwise"
        self.race_of[name], self.looks[name] = made_of, looks
        if ended.status == "0":
            assert looks[-1]["ending"] is not None
            assert stored_race["status"] == "completed"

    # what must be true after every step

    @invariant()
    def holds(self) -> None:
        """The rows, the sums and the numbers agree with one another and with the model."""
        self.world.steps += 1
        if NIGHTLY and not self.world.steps % 500:
            print(self.world.told(), flush=True)
        now = model.read(self.database)
        assert now.twice == []
        assert now.orphans == 0
        for run_id, run in now.runs.items():
            rows = now.rows.get(run_id, {})
            self._answers_and_verdicts(run, rows)
            self._numbers(run, rows)
            if run["kind"] == "evaluation":
                self._totals(run, rows)
            if run_id in self.summed:
                self._sums(now, run, rows)
        self._reviews()
        self.before = now

    def _answers_and_verdicts(self, run: dict[str, Any], rows: dict[Key, dict[str, Any]]) -> None:
        if run["kind"] != "evaluation":
            return
        who = run["model"].partition("/")[2]
        for key, row in rows.items():
            if row["stage"] != "init" and row["response"] is not None:
                question = row["system_prompt"] or "", row["prompt"]
                assert row["response"] == model.answer(who, question), f"{key} holds another question's answer"
            if row["status"] in ("passed", "failed"):
                assert row["stage"] == "judged"
                # A gold that was planned stands in the row before it is judged by: the verdict is of the one it was seen with.
                verdict = tuple(row[name] for name in ("judge_fingerprint", "completed_at", "score", "response"))
                known, by = self.judged.get((run["id"], key), (None, None))
                if verdict != known or by is None:
                    by = right(row)
                    self.judged[run["id"], key] = verdict, by
                assert (row["status"] == "passed") == model.passes(by, row["response"]), (
                    f"{run['exp_id']}: {key}: {[row[name] for name in _VERDICT]}"
                )
                assert row["score"] is not None
            if row["status"] == "error":
                assert row["score"] is None
                assert row["error_type"]

    def _numbers(self, run: dict[str, Any], rows: dict[Key, dict[str, Any]]) -> None:
        """A viewer that asks for what is newer than it has seen misses nothing."""
        known = self.before.runs.get(run["id"])
        if known is None:
            return
        assert run["seq"] >= known["seq"]
        seen = self.before.rows.get(run["id"], {})
        for key, row in rows.items():
            assert row["seq"] <= run["seq"]
            if seen.get(key) != row:
                assert row["seq"] > known["seq"], f"{run['exp_id']}: {key} changed under an old number"
        shown = {name: value for name, value in run.items() if name != "seq"}
        if shown != {name: value for name, value in known.items() if name != "seq"}:
            assert run["seq"] > known["seq"] or shown["config"] != known["config"], run["exp_id"]

    def _totals(self, run: dict[str, Any], rows: dict[Key, dict[str, Any]]) -> None:
        """What a run cost is what its answers and judgements cost, those included that were replaced."""
        held = sum(row["prompt_tokens"] + row["judge_prompt_tokens"] for row in rows.values())
        assert run["prompt_tokens"] == held + self.replaced[run["id"]], run["exp_id"]
        cost = PRICE * (run["prompt_tokens"] + run["completion_tokens"])
        assert math.isclose(run["cost_usd"], cost, rel_tol=1e-6, abs_tol=1e-9)
        assert run["completion_tokens"] % COMPLETION == 0
        assert run["unpriced_calls"] == 0

    def _sums(self, now: model.Stored, run: dict[str, Any], rows: dict[Key, dict[str, Any]]) -> None:
        cells, overall = model.scores(rows.values())
        stored = {cell: row["average_score"] for cell, row in now.levels.get(run["id"], {}).items()}
        assert {cell for cell, score in stored.items() if score is not None} == cells.keys()
        for cell, score in cells.items():
            held = [(key, row["weight"], row["score"], row["status"]) for key, row in rows.items() if key[1:3] == cell]
            assert math.isclose(stored[cell], score, abs_tol=1e-9), (run["exp_id"], cell, held)
            assert math.isclose(now.results[run["id"]][cell]["score"], score, abs_tol=1e-9)
        assert (run["overall_score"] is None) == (overall is None)
        assert overall is None or math.isclose(run["overall_score"], overall, abs_tol=1e-9)
        of = model.counts(rows.values())
        for status in ("passed", "failed", "error", "skipped"):
            assert run[f"{status}_tests"] == of[status], (run["exp_id"], status)
        assert run["total_tests"] == len(rows)
        for (domain, level), result in now.results[run["id"]].items():
            mine = [row for key, row in rows.items() if key[1] == domain and level in (None, key[2])]
            assert result["total_tests"] == len(mine)
            assert result["passed_tests"] == model.counts(mine)["passed"]
            tokens = ("prompt_tokens", "completion_tokens", "judge_prompt_tokens", "judge_completion_tokens")
            assert result["total_tokens"] == sum(row[name] for row in mine for name in tokens)

    def _reviews(self) -> None:
        if not self.said:
            return
        reader = Reader(self.database)
        try:
            found = {(row.run_id, row.result_id, row.author): row for row in reviews(reader)}
            answers = {
                row["id"]: row["response"] or ""
                for rows in model.read(self.database).rows.values()
                for row in rows.values()
            }
        finally:
            reader.close()
        wanted = {key: held[-1] for key, held in self.said.items() if held}
        assert found.keys() == wanted.keys()
        for key, (answer, said) in wanted.items():
            row = found[key]
            assert (row.own_verdict, row.label, row.note) == (said.own_verdict, said.label, said.note), key
            assert row.stale == (answer != answers[key[1]])


def right(row: dict[str, Any]) -> int | str:
    """The gold that a stored sample is judged by."""
    return model.gold(json.loads(row["expected"]))


def copied(test: Test) -> Test:
    """A copy that may be changed: hypothesis keeps what it drew."""
    return Test(test.id, test.domain, test.level, test.evaluator, test.gold, test.weight)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    base = tmp_path_factory.mktemp("whole")
    asked = Asked()
    with serve(asked, models=("m", "other")) as server, Forks(base) as forks:
        found = World(base, server, forks, asked)
        WORLD[:] = [found]
        yield found
        WORLD.clear()


@pytest.mark.timeout(0 if NIGHTLY else 240)
def test_whatever_happens_to_a_store_the_model_of_it_holds(world: World) -> None:
    phases = (Phase.generate,)
    with contextlib.ExitStack():
        run_state_machine_as_test(
            Whole,
            settings=settings(
                max_examples=max(1, STEPS // STEPS_OF_ONE),
                stateful_step_count=STEPS_OF_ONE,
                derandomize=not NIGHTLY,
                database=None,
                deadline=None,
                phases=phases,
                suppress_health_check=list(HealthCheck),
            ),
        )
    print(world.told())
    assert world.steps >= STEPS // 2
