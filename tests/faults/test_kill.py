"""`kill -9` at any moment loses only the calls in flight; a resume ends in the rows of an uninterrupted run."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.harness import (
    VERDICT,
    Modex,
    extracted_tests,
    finish,
    is_extraction,
    keyword_tests,
    wait_until,
    write_suite,
)
from tests.server import Reply, Request, serve

pytestmark = pytest.mark.process

TESTS = 100
KILLS = 20


def _answer(request: Request) -> Reply:
    if is_extraction(request):
        return Reply(content="ANSWER: 18", latency=0.02)
    number = int(request.prompt.split()[-1])
    return Reply(content=f"The answer is {18 if number % 3 else 17}. It is ok.", latency=0.02)


def test_twenty_kills_end_in_the_rows_of_an_uninterrupted_run_and_repeat_no_finished_call(
    modex: Modex, tmp_path: Path
) -> None:
    tests = [*keyword_tests(TESTS // 2), *extracted_tests(TESTS)[TESTS // 2 :]]
    suite = write_suite(tmp_path / "suite", tests)
    with serve(_answer) as server:
        calm = Modex(tmp_path / "calm")
        calm.home.mkdir()
        assert calm.run(*calm.headless(server.url, suite)).code in (0, 1)
        expected = calm.rows(VERDICT)
        assert len(expected) == TESTS
        server.forget()

        rng = random.Random(5)
        arguments = modex.headless(server.url, suite, "--concurrency", "8")
        in_flight_at_kills = 0
        for step in range(KILLS):
            before = server.hits
            after = rng.randrange(0, 2 * (TESTS + TESTS // 2) // KILLS // 2)
            process = modex.start(*arguments)
            wait_until(
                lambda p=process, goal=before + after: server.hits > goal or p.poll() is not None,  # type: ignore[misc]
                f"call {before + after} after kill {step}",
            )
            process.kill()
            finish(process)
            in_flight_at_kills += 8
            wait_until(lambda: server.in_flight == 0, "the dead runner's calls to end")
        last = modex.run(*arguments)
        assert last.code in (0, 1), last.err
        assert modex.rows(VERDICT) == expected
        modex.assert_sound()
        asked = Counter(request.prompt for request in server.requests if not is_extraction(request))
        assert len(asked) == TESTS
        assert sum(asked.values()) <= TESTS + in_flight_at_kills
        hits = server.hits
        assert modex.run(*arguments).code == last.code
        assert server.hits == hits, "a finished run asks nothing"


def test_a_kill_while_judging_asks_no_rollout_again(modex: Modex, tmp_path: Path) -> None:
    count = 12
    suite = write_suite(tmp_path / "suite", extracted_tests(count))

    def judging_hangs(request: Request) -> Reply:
        return Reply(fault="hang") if is_extraction(request) else Reply(content="The answer is 18.")

    with serve(judging_hangs) as server:
        arguments = modex.headless(server.url, suite, "--concurrency", str(count))
        process = modex.start(*arguments)
        wait_until(lambda: server.hits == 2 * count, "every judgement in flight")
        assert modex.count("stage = 'rollout'") == count, "a rollout is stored before its judgement asks"
        process.kill()
        finish(process)
        server.forget()
        server.behave(Reply(content="ANSWER: 18"))
        assert modex.run(*arguments).code == 0
        assert server.hits == count
        assert all(is_extraction(request) for request in server.requests)
    assert modex.count("status = 'passed'") == count
    modex.assert_sound()


def test_a_kill_while_planning_leaves_a_run_that_the_same_command_finishes(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(6000))
    with serve(Reply(content="ok")) as server:
        arguments = modex.headless(server.url, suite, "--until", "preprocess")
        process = modex.start(*arguments)
        wait_until(lambda: modex.count("1") > 0 or process.poll() is not None, "the first planned rows")
        process.kill()
        finish(process)
        assert modex.run(*arguments).code == 0
        assert server.hits == 0
    assert modex.count("stage = 'init' AND status = 'pending'") == 6000
    assert modex.query("SELECT count(DISTINCT position) AS n FROM individual_test_results") == [{"n": 6000}]
    modex.assert_sound()
