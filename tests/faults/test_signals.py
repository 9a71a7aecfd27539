"""Signals end a run in order and in time, whatever is in flight; a lost terminal ends nothing."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from benchmarks.linear import FORTY, LARGE, shape
from tests.faults.harness import (
    Modex,
    alive,
    descendants,
    extracted_tests,
    finish,
    keyword_tests,
    runners_of,
    wait_until,
    write_suite,
)
from tests.pace import stretched
from tests.server import Reply, Request, serve

pytestmark = pytest.mark.process

DIRECT, LITELLM = "openai/test-model", "deepseek/test-model"
PATHS = pytest.mark.parametrize("model", [DIRECT, LITELLM], ids=["direct", "litellm"])
SLOW = Reply(content="ok", latency=60)


def _slow_after(count: int) -> object:
    def behave(request: Request) -> Reply:
        return Reply(content="ok") if request.index < count else SLOW

    return behave


@PATHS
def test_one_interrupt_ends_within_ten_seconds_with_sixty_second_calls_in_flight_and_can_be_resumed(
    modex: Modex, tmp_path: Path, model: str
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(12))
    with serve(_slow_after(4)) as server:  # type: ignore[arg-type]
        arguments = modex.headless(server.url, suite, "--concurrency", "4", model=model)
        process = modex.start(*arguments)
        wait_until(lambda: server.in_flight == 4 and modex.count("status = 'passed'") == 4, "four slow calls")
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert time.monotonic() - begun < stretched(10)
        assert ended.code == 130
        assert "Traceback" not in ended.err
        assert modex.the_run()["status"] == "stopped"
        assert modex.count("status = 'pending'") == 8
        assert server.hits == 8, "no work is handed out after the signal"
        server.behave(Reply(content="ok"))
        assert modex.run(*arguments).code == 0
    assert modex.count("status = 'passed'") == 12


@PATHS
def test_a_second_interrupt_ends_at_once_with_130(modex: Modex, tmp_path: Path, model: str) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(8))
    with serve(SLOW) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "8", model=model))
        wait_until(lambda: server.in_flight == 8, "eight slow calls")
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while (line := process.stderr.readline()) and "second signal" not in line:
            pass
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert time.monotonic() - begun < stretched(2)
        assert ended.code == 130
        assert "Traceback" not in ended.err
    assert modex.count("status = 'pending'") == 8
    modex.assert_sound()


@PATHS
def test_a_term_signal_commits_and_ends_within_five_seconds(modex: Modex, tmp_path: Path, model: str) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(8))
    with serve(_slow_after(4)) as server:  # type: ignore[arg-type]
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "4", model=model))
        wait_until(lambda: server.in_flight == 4, "four slow calls")
        begun = time.monotonic()
        process.terminate()
        ended = finish(process)
        assert time.monotonic() - begun < stretched(5)
        assert ended.code in (130, 143)
    assert modex.count("status = 'passed'") == 4
    assert modex.the_run()["status"] == "stopped"
    modex.assert_sound()


def test_an_interrupt_while_planning_ends_soon(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(20_000))
    with serve(Reply(content="ok")) as server:
        process = modex.start(*modex.headless(server.url, suite, "--epochs", "50"))
        wait_until(lambda: modex.count("1") > 0, "the first planned rows")
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        assert time.monotonic() - begun < stretched(10)
        assert ended.code == 130
        assert server.hits == 0
    assert modex.the_run()["status"] == "stopped"


def test_an_interrupt_ends_a_comparison_without_beginning_the_next_model(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(4))
    with serve(SLOW) as server:
        words = ("--model", "openai/other-model", "--concurrency", "4")
        process = modex.start(*modex.headless(server.url, suite, *words))
        wait_until(lambda: server.in_flight == 4, "four slow calls")
        process.terminate()
        assert finish(process).code == 130
        assert {request.model for request in server.requests} == {"test-model"}


def test_an_interrupt_before_the_first_call_still_leaves_a_run_that_can_be_resumed(
    modex: Modex, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    with serve(Reply(content="ok")) as server:
        arguments = modex.headless(server.url, suite)
        process = modex.start(*arguments)
        wait_until(lambda: bool(modex.query("SELECT 1 FROM evaluation_runs")), "the run's row")
        process.send_signal(signal.SIGINT)
        ended = finish(process)
        # Python ends itself by the signal where it came while a module made its classes; a shell says 130 for both.
        assert ended.code in (0, 130, -signal.SIGINT)
        assert "Traceback" not in ended.err
        assert modex.run(*arguments).code == 0
    assert modex.count("status = 'passed'") == 3


def test_the_runner_goes_on_when_whoever_started_it_is_gone_and_leaves_nothing_behind(
    modex: Modex, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", extracted_tests(30))

    def behave(request: Request) -> Reply:
        return Reply(content="ANSWER: 18", latency=0.05)

    with serve(behave) as server:
        words = [str(word) for word in modex.headless(server.url, suite, "--concurrency", "2") if word != "--headless"]
        starter = modex.start(*words, "--detach", start_new_session=True)
        assert finish(starter).out.strip() == "r"
        runner = runners_of(modex.db)
        assert len(runner) == 1
        assert os.getsid(runner[0]) == runner[0], "a session of its own"
        os.kill(runner[0], signal.SIGHUP)
        children: set[int] = set()

        def done() -> bool:
            children.update(descendants(runner[0]))
            return str(modex.the_run()["status"]) == "completed"

        wait_until(done, "the run to finish")
        wait_until(lambda: not runners_of(modex.db), "the runner to end")
        assert not [pid for pid in children if alive(pid)]
    assert modex.count("status = 'passed'") == 30
    modex.assert_sound()


@pytest.mark.long
def test_a_termination_ends_a_run_in_time_while_hostile_answers_are_read(modex: Modex, tmp_path: Path) -> None:
    """Forty shapes of 30 kB, each read as a number, a name and a truth value: what holds the interpreter hears no signal."""
    tests = [
        {"id": f"t{number:03}", "prompt": f"q{number}", "expected": expected, "evaluator_id": "match"}
        for number, expected in enumerate([42, "Paris", True] * len(FORTY))
    ]

    def behave(request: Request) -> Reply:
        unit, start, end = FORTY[request.index % len(FORTY)]
        return Reply(content=shape(unit, LARGE // 2, start, end).replace("\0", "x"))

    suite = write_suite(tmp_path / "suite", tests)
    with serve(behave) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "40", model=DIRECT))
        wait_until(lambda: server.hits >= len(FORTY), "an answer of every shape")
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        ended = finish(process)
        assert time.monotonic() - begun < stretched(5)
    assert ended.code in (130, 143, -signal.SIGKILL), (
        "by itself, or by the process that watches it where the machine is busy"
    )
    modex.assert_sound()
