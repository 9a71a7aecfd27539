"""Judging or asking again that fails leaves the run as it was; what is stopped in the middle says so."""

from __future__ import annotations

import json
import signal
import socket
import threading
from typing import Any

import pytest

from tests.forked import command
from tests.server import Reply, Request, serve
from tests.tui.commands.conftest import Shell

REFUSED = Reply(status=401, body={"error": {"message": "no such key", "code": "invalid_api_key"}})
STOOD = ("status", "overall_score", "passed_tests", "failed_tests", "error_tests", "config", "judged_by", "bounds")


class Judge:
    """Says that answers with an odd number pass; after `most` replies it is refused, unreadable, or waits."""

    def __init__(self) -> None:
        self.most = 1_000
        self.turned = False
        self.then: Reply | None = REFUSED
        self.said = 0
        self.waits = threading.Event()
        self.lock = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        if request.model != "judge":
            return Reply(f"answer {request.prompt.split()[-1]}")
        with self.lock:
            self.said += 1
            number = self.said
        if number > self.most:
            if self.then is None:
                self.waits.set()
                threading.Event().wait(20)
                return REFUSED
            return self.then
        odd = any(f"answer {n}\\n" in str(request.body) for n in range(1, 12, 2))
        return Reply(json.dumps({"reason": "parity", "score": int(odd != self.turned)}))


@pytest.fixture
def judge(shell: Shell) -> Judge:
    found = Judge()
    shell.suite([{"id": f"t{n}", "prompt": f"q {n}", "expected": "x"} for n in range(12)], evaluator_id="llm_judge")
    shell.server.behave(found)
    return found


def run(shell: Shell, *words: str) -> int:
    given = ("--judge-model", "openai/judge", "--judge-api-base", shell.server.url, "--concurrency", "1", *words)
    return shell.run(*given).code


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def stood(shell: Shell) -> dict[str, Any]:
    found = shell("show", "e", "--json").data
    tests = shell("export", "e", "--format", "json").data["samples"]
    return {name: found[name] for name in STOOD} | {
        one["test_id"]: (one["status"], one["score"], one["reason"], one["details"], one["error_type"]) for one in tests
    }


@pytest.mark.long
@pytest.mark.parametrize("most", [0, 5])
def test_a_refused_judge_leaves_verdicts_scores_and_settings(shell: Shell, judge: Judge, most: int) -> None:
    assert run(shell) == 0
    before = stood(shell)
    judge.said, judge.most, judge.turned = 0, most, True
    called = shell(
        "judge", "e", "--all", "--judge-model", "openai/judge", "--judge-api-base", f"{shell.server.url}/v1/"
    )
    assert called.code == 3
    assert "the run is as it was" in called.err
    assert (f"{most} earlier verdicts stand again" in called.err) == bool(most)
    assert stood(shell) == before
    kept = sum(len(shell("show", "e", "--test", f"t{n}", "--json").data[0]["earlier_verdicts"]) for n in range(12))
    assert kept == most
    judge.most = 1_000
    again = shell("judge", "e", "--all")
    assert again.code == 0
    assert stood(shell)["overall_score"] == pytest.approx(1 - before["overall_score"])


def test_another_judge_of_the_provider_is_asked_where_the_runs_judge_was(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.suite([{"id": f"t{n}", "prompt": f"q {n}", "expected": "x"} for n in range(2)], evaluator_id="llm_judge")
    verdict = Reply(json.dumps({"reason": "r", "score": 1}))
    with serve(lambda _: verdict) as local, serve(lambda _: verdict) as public:
        monkeypatch.setenv("OPENAI_API_BASE", public.url)
        monkeypatch.setenv("OPENAI_BASE_URL", public.url)
        shell.server.behave(lambda _: Reply("an answer"))
        assert shell.run("--judge-model", "openai/judge", "--judge-api-base", local.url).code == 0
        for more in ((), ("--dry-run", "--max-cost", "1")):
            called = shell("judge", "e", "--all", "--judge-model", "openai/other", *more)
            assert called.code == 0
            assert f"openai/other is asked at {local.url}" in called.err
        assert {one.model for one in local.requests} == {"judge", "other"}
        assert not public.requests
        called = shell("judge", "e", "--all", "--judge-model", "openai/third", "--judge-api-base", public.url)
        assert called.code == 0
        assert "is asked at" not in called.err
        assert {one.model for one in public.requests} == {"third"}


def test_two_judges_at_two_addresses_are_paired_in_order_or_refused(shell: Shell) -> None:
    shell.suite([{"id": f"t{n}", "prompt": f"q {n}", "expected": "x"} for n in range(2)], evaluator_id="llm_judge")
    verdict = Reply(json.dumps({"reason": "r", "score": 1}))
    with serve(lambda _: verdict) as first, serve(lambda _: verdict) as second:
        shell.server.behave(lambda _: Reply("an answer"))
        at = ("--judge-api-base", first.url, "--judge-api-base", second.url)
        two = ("--judge-model", "openai/one", "--judge-model", "openai/two")
        assert shell.run(*two, *at).code == 0
        assert ({one.model for one in first.requests}, {one.model for one in second.requests}) == ({"one"}, {"two"})
        first.forget()
        assert shell("judge", "e", "--all", *reversed_pairs(two), *at).code == 0
        assert {one.model for one in first.requests} == {"two"}
        for called in (shell("judge", "e", *two[:2], *at), shell.run(*two[:2], *at, exp_id="f")):
            assert (called.code, "2 addresses for one judge" in called.err) == (2, True)


def reversed_pairs(words: tuple[str, ...]) -> tuple[str, ...]:
    return (*words[2:], *words[:2])


def test_judges_that_give_not_one_verdict_leave_the_run_and_show_nothing_as_new(shell: Shell, judge: Judge) -> None:
    assert run(shell) == 0
    before = stood(shell)
    for reply in (Reply("I would rather not say."), Reply("", finish_reason="content_filter")):
        judge.said, judge.most, judge.then = 0, 0, reply
        called = shell("judge", "e", "--all")
        assert called.code == 1
        assert "gave not one verdict" in called.err
        assert "12 earlier verdicts stand again; the run is as it was" in called.err
        assert "Weighted Score" not in called.out
        assert not [
            line for line in called.err.splitlines() if "d/1/t" in line and ("passed" in line or "failed" in line)
        ]
        assert stood(shell) == before
    judge.said, judge.most = 0, 1
    assert shell("judge", "e", "--all").code == 1
    found = shell("show", "e", "--json").data
    assert (found["passed_tests"] + found["failed_tests"], found["error_tests"]) == (1, 11)


def test_a_judge_that_nobody_reaches_leaves_the_run(shell: Shell, judge: Judge) -> None:
    del judge
    run(shell, "--max-outage", "0")
    before = stood(shell)
    called = shell(
        "judge",
        "e",
        "--all",
        "--judge-model",
        "openai/judge",
        "--judge-api-base",
        f"http://127.0.0.1:{closed_port()}/v1",
    )
    assert called.code != 0
    assert stood(shell) == before


def test_retrying_errors_of_the_model_with_a_bad_key_does_not_make_them_errors_of_the_network(
    shell: Shell, judge: Judge
) -> None:
    judge.most, judge.then = 4, Reply("I would rather not say.")
    assert run(shell) == 1
    before = stood(shell)
    assert before["bounds"]["number"] == 8
    judge.said, judge.most, judge.then = 0, 0, REFUSED
    for words in (["resume", "e", "--headless"], ["judge", "e"]):
        assert shell(*words).code == 3
        assert stood(shell) == before


def test_one_test_asked_again_in_vain_keeps_its_answer(shell: Shell, judge: Judge) -> None:
    run(shell)
    before = stood(shell)
    shell.server.behave(REFUSED)
    called = shell("resume", "e", "--test", "t3", "--headless")
    assert called.code == 3
    assert stood(shell) == before
    shell.server.behave(judge)
    assert shell("resume", "e", "--test", "t3", "--headless").code == 0


@pytest.mark.process
def test_judging_stopped_in_the_middle_says_how_many_verdicts_are_new_and_goes_on(shell: Shell, judge: Judge) -> None:
    run(shell)
    before = stood(shell)
    judge.said, judge.most, judge.turned, judge.then = 0, 5, True, None
    process = command("judge", "e", "--all", "--db", shell.database)
    try:
        assert judge.waits.wait(60)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "5 of 12 verdicts are new" in said
    found = shell("show", "e", "--json").data
    assert found["status"] == "stopped"
    assert "5 of 12 verdicts are new" in found["reason"]
    judge.said, judge.most = 0, 1_000
    assert shell("judge", "e", "--all").code == 0
    assert stood(shell)["overall_score"] == pytest.approx(1 - before["overall_score"])
