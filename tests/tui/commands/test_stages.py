"""`modex judge` and `modex stat`: one stage alone."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

from tests.cli import keyword_tests
from tests.server import Reply
from tests.tui.commands.conftest import MIXED, Shell


def test_stored_rollouts_are_judged_without_asking(shell: Shell) -> None:
    shell.suite(MIXED)
    first = shell.run("--until", "rollout", "--json")
    assert first.data["overall_score"] is None
    assert "modex judge" in first.err
    shell.server.forget()
    judged = shell("judge", "e", "--json")
    assert shell.server.hits == 0
    assert (judged.data["passed_tests"], judged.data["failed_tests"], judged.data["error_tests"]) == (3, 1, 1)
    assert judged.code == 1


def test_judging_again_does_only_what_is_judged_otherwise_now(mixed: Shell) -> None:
    called = mixed("judge", "e")
    assert "unchanged" in called.err
    assert mixed("show", "e", "--test", "w", "--json").data[0]["earlier_verdicts"] == []


def test_judging_everything_keeps_the_earlier_verdicts(mixed: Shell) -> None:
    mixed("judge", "e", "--all")
    assert [v["status"] for v in mixed("show", "e", "--test", "w", "--json").data[0]["earlier_verdicts"]] == ["failed"]


def test_a_new_test_is_not_asked_by_judging(shell: Shell) -> None:
    shell.suite(keyword_tests(2))
    shell.run()
    shell.suite(keyword_tests(3))
    shell.server.forget()
    shell("judge", "e")
    assert shell.server.hits == 0


def test_pass_2_may_be_asked_of_another_model(shell: Shell) -> None:
    shell.suite([{"id": "t", "prompt": "2+2?", "expected": 4, "evaluator_id": "two_pass"}])
    shell.server.behave(Reply("It is 4."))
    shell.run("--until", "rollout")
    shell.server.forget()
    shell.server.behave(Reply("ANSWER: 4"))
    called = shell("judge", "e", "--json")
    assert called.data["passed_tests"] == 1
    assert [request.model for request in shell.server.requests] == ["test-model"]


def test_scores_are_summed_up_alone(shell: Shell) -> None:
    shell.suite(keyword_tests(2))
    shell.run("--until", "judge")
    shell.server.forget()
    called = shell("stat", "e", "--json")
    assert (called.code, called.data["overall_score"], shell.server.hits) == (0, 1.0, 0)


def test_a_score_below_the_limit_is_told_by_the_exit_code(mixed: Shell) -> None:
    mixed.server.behave(Reply("ok"))
    mixed("resume", "e", "--headless")
    assert mixed("stat", "e").code == 0
    assert mixed("stat", "e", "--fail-under", "99").code == 1
    assert mixed("judge", "e", "--fail-under", "0.99").code == 1


def test_one_test_is_judged_or_asked_again_and_no_other(mixed: Shell) -> None:
    mixed.server.forget()
    mixed("judge", "e", "--test", "w")
    assert mixed.server.hits == 0
    assert len(mixed("show", "e", "--test", "w", "--json").data[0]["earlier_verdicts"]) == 1
    called = mixed("resume", "e", "--test", "d/2/w", "--headless")
    assert mixed.server.hits == 1
    assert "kept as they are" in called.err
    assert "no test 'nobody'" in mixed("resume", "e", "--test", "nobody", "--headless").err


def test_stat_says_what_several_epochs_say(shell: Shell) -> None:
    shell.suite(MIXED[:3])
    shell.run("--epochs", "2")
    assert "2 epochs: pass@1 66.7 %, pass@2 66.7 %, pass^2 66.7 % (n 3)" in shell("stat", "e").out
    assert shell("stat", "e", "--json").data["epochs"]["pass_hat_k"] == {"1": 2 / 3, "2": 2 / 3}


def test_verdicts_that_failed_for_what_their_sandbox_lacked_are_found_told_and_judged_again(shell: Shell) -> None:
    case = {"function": "f", "cases": [{"args": [1], "returns": 1}]}
    shell.server.behave(Reply("```python\ndef f(x):\n    return x\n```"))
    shell.suite([{"id": name, "prompt": "f?", "expected": case, "evaluator_id": "code_tests"} for name in "abc"])
    shell.run("--sandbox", "monty")
    part = {"kind": "cases", "function": "f", "total": 1}
    with closing(sqlite3.connect(shell.database)) as database, database:
        for name, why in (("a", "ModuleNotFoundError: No module named 'heapq'"), ("b", "ValueError: no")):
            details = json.dumps({"parts": [{**part, "why": f"the code does not load: {why}"}]})
            database.execute(
                "UPDATE individual_test_results SET status = 'failed', score = 0, details = ?, reason = NULL WHERE test_id = ?",
                (details, name),
            )
    tried = shell("judge", "e", "--dry-run")
    assert "1 answers judged by the rules as they are now: 1 would flip (0 from passed, 1 to passed)" in tried.out
    judged = shell("judge", "e")
    assert "1 verdict failed for what the sandbox lacked, and not for the answer (module heapq 1)" in judged.err
    assert "1 to judge again" in judged.err
    statuses = [shell("show", "e", "--test", name, "--json").data[0]["status"] for name in "abc"]
    assert statuses == ["passed", "failed", "passed"]
    assert "lacked" not in shell("judge", "e").err
