"""Rules are tried in memory: what would flip is said, models are asked only within a budget, nothing is stored before."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

from modex.core.features.dry_run.rule import store, try_rules
from modex.core.store.selecting import sample_query
from tests.server import Reply
from tests.tui.commands.conftest import Shell

NUMERIC: dict[str, Any] = {
    "prompt": "how much?",
    "expected": {"value": 12, "type": "numeric"},
    "evaluator_id": "two_pass",
}


def dump(shell: Shell) -> str:
    with closing(sqlite3.connect(shell.database)) as connection:
        return "\n".join(connection.iterdump())


def test_a_changed_gold_flips_verdicts_and_stores_nothing_until_it_is_asked(shell: Shell) -> None:
    tests = [{"id": f"t{n}", "prompt": "wrong", "expected": {"keywords": ["yes"]}} for n in range(3)]
    shell.suite(tests)
    shell.run()
    shell.suite([{**tests[0], "expected": {"keywords": ["no"]}}, *tests[1:]])
    before = dump(shell)
    hits = len(shell.server.requests)
    result = try_rules(shell.database, "e")
    (change,) = result.flips
    assert (change.sample.test_id, change.before.status, change.after.status) == ("t0", "failed", "passed")
    assert "yes" in change.before.why
    assert (result.judged, result.unchanged, result.not_asked, result.asked_otherwise) == (1, 2, 0, 0)
    assert dump(shell) == before
    assert store(shell.database, result) == 1
    data = shell("show", "e", "--test", "t0", "--json").data[0]
    assert (data["status"], data["earlier_verdicts"][0]["status"]) == ("passed", "failed")
    assert shell("show", "e", "--json").data["passed_tests"] == 1
    assert len(shell.server.requests) == hits
    assert try_rules(shell.database, "e").changes == []


def test_what_is_asked_otherwise_now_is_left(shell: Shell) -> None:
    shell.suite([{"id": "t", "prompt": "wrong", "expected": {"keywords": ["yes"]}}])
    shell.run()
    shell.suite([{"id": "t", "prompt": "wrong?", "expected": {"keywords": ["no"]}}])
    result = try_rules(shell.database, "e")
    assert (result.asked_otherwise, result.judged) == (1, 0)


def test_an_extraction_that_is_stored_is_not_asked_again_for_another_tolerance(shell: Shell) -> None:
    shell.server.behave(
        lambda request: Reply("ANSWER: 12.4" if "ANSWER" in request.prompt else "It comes to 12.4 in all.")
    )
    shell.suite([{**NUMERIC, "id": "t"}])
    shell.run()
    hits = len(shell.server.requests)
    shell.suite([{**NUMERIC, "id": "t", "expected": {"value": 12, "type": "numeric", "tolerance": 0.5}}])
    result = try_rules(shell.database, "e")
    assert [(change.before.status, change.after.status) for change in result.flips] == [("failed", "passed")]
    assert len(shell.server.requests) == hits


def test_a_model_is_asked_only_within_a_budget(shell: Shell) -> None:
    shell.suite([{"id": "t", "prompt": "wrong", "expected": {"keywords": ["no"]}}])
    shell.run()
    hits = len(shell.server.requests)
    shell.server.behave(lambda request: Reply("ANSWER: 7"))
    shell.suite([{**NUMERIC, "id": "t", "prompt": "wrong", "expected": {"value": 7, "type": "numeric"}}])
    without = try_rules(shell.database, "e")
    assert (without.not_asked, without.judged, len(shell.server.requests)) == (1, 0, hits)
    within = try_rules(shell.database, "e", budget_usd=1.0)
    assert (within.not_asked, within.judged) == (0, 1)
    assert len(shell.server.requests) > hits


def test_only_what_matches_is_tried(shell: Shell) -> None:
    shell.suite([{"id": f"t{n}", "prompt": "wrong", "expected": {"keywords": ["yes"]}} for n in range(3)])
    shell.run()
    result = try_rules(shell.database, "e", everything=True, query=sample_query("test:t1"))
    assert (result.judged, result.changes) == (1, [])


def test_what_was_done_again_meanwhile_is_left_as_it_is(shell: Shell) -> None:
    shell.suite([{"id": "t", "prompt": "wrong", "expected": {"keywords": ["yes"]}}])
    shell.run()
    shell.suite([{"id": "t", "prompt": "wrong", "expected": {"keywords": ["no"]}}])
    result = try_rules(shell.database, "e")
    shell("judge", "e", "--all")
    assert store(shell.database, result) == 0


def test_the_command_says_what_would_flip_and_stores_it_when_told(shell: Shell) -> None:
    shell.suite([{"id": "t", "prompt": "wrong", "expected": {"keywords": ["yes"]}}])
    shell.run()
    shell.suite([{"id": "t", "prompt": "wrong", "expected": {"keywords": ["no"]}}])
    called = shell("judge", "e", "--dry-run")
    assert "1 would flip (0 from passed, 1 to passed)" in called.out
    assert "nothing was stored" in called.err
    data = json.loads(shell("judge", "e", "--dry-run", "--json").out)
    assert data["changes"][0]["before"].keys() == {"status", "score"}
    assert "untrusted" in shell("judge", "e", "--dry-run", "--json", "--content").data["changes"][0]["before"]
    assert "1 verdicts stored" in shell("judge", "e", "--dry-run", "--store").err
    assert "0 would flip" in shell("judge", "e", "--dry-run").out
