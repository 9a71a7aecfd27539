"""A misbehaving provider: what may be retried is, what may not ends with one clear line, and nothing becomes a score."""

from __future__ import annotations

import itertools
import json
import math
import re
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.harness import (
    Modex,
    extracted_tests,
    finish,
    is_extraction,
    keyword_tests,
    wait_until,
    write_suite,
)
from tests.pace import stretched
from tests.server import Behaviour, Reply, Request, replies, serve
from tests.server.raw import Asked, RawServer, answer

pytestmark = pytest.mark.process

OK = Reply(content="ok")
MODELS = pytest.mark.parametrize("model", ["openai/test-model", "deepseek/test-model"], ids=["direct", "litellm"])


@MODELS
@pytest.mark.parametrize("reply", [replies.unauthorized, replies.unknown_model], ids=["401", "unknown model"])
def test_a_refused_key_or_model_costs_at_most_one_request_a_worker_and_scores_nothing(
    modex: Modex, tmp_path: Path, model: str, reply: Behaviour
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1000))
    with serve(reply) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "8", model=model))
        assert server.hits <= 8
    assert ended.code == 3
    said = [line for line in ended.err.splitlines() if "aborted" in line]
    assert len(said) == 1
    assert model in said[0]
    assert "Traceback" not in ended.err
    assert modex.count("stage = 'init' AND status = 'pending' AND score IS NULL") == 1000
    assert modex.the_run()["status"] == "aborted"
    assert modex.the_run()["overall_score"] is None


def test_a_run_aborted_by_a_wrong_key_goes_on_with_the_right_one(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(5))
    with serve(replies.unauthorized) as server:
        arguments = modex.headless(server.url, suite)
        assert modex.run(*arguments).code == 3
        server.behave(OK)
        assert modex.run("resume", "r", "--headless").code == 0
    assert modex.count("status = 'passed'") == 5


def test_a_missing_key_is_said_before_the_first_call_and_nothing_is_stored(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    ended = modex.run("run", "--model", "openai/gpt-5-mini", "--suite", suite, "--headless")
    assert ended.code == 2
    assert "OPENAI_API_KEY" in ended.err
    assert len(ended.err.splitlines()) == 1
    assert modex.query("SELECT 1 FROM evaluation_runs") == []


def test_a_judge_that_refuses_its_key_ends_the_run_and_keeps_the_rollouts(modex: Modex, tmp_path: Path) -> None:
    tests = [{"id": f"t{n}", "prompt": "q", "expected": "ok", "evaluator_id": "llm_judge"} for n in range(6)]
    suite = write_suite(tmp_path / "suite", tests)
    with serve(OK) as server, serve(replies.unauthorized) as judge:
        more = ("--judge-model", "openai/judge", "--judge-api-base", judge.url, "--concurrency", "2")
        ended = modex.run(*modex.headless(server.url, suite, *more))
        assert ended.code == 3, ended.err
        asked = server.hits
        assert 0 < asked <= 6
        assert modex.count("stage = 'rollout' AND response = 'ok' AND score IS NULL") == asked
        assert modex.count("status = 'pending'") == 6
        judge.behave(Reply(content='{"correct": true, "verdict": "correct", "reason": "same"}'))
        server.forget()
        modex.run("resume", "r", "--headless")
        assert server.hits == 6 - asked, "a stored rollout is not asked again"


def test_a_rate_limit_holds_back_every_worker_for_as_long_as_the_provider_asks(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(30))
    wish = 2.0
    with serve(replies.script([OK] * 5 + [replies.rate_limited(wish)], then=OK)) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "4"))
        limited = server.requests[5]
        later = [request.time for request in server.requests[6:]]
        assert ended.code == 0, ended.err
        early = [moment for moment in later if moment - limited.time < wish]
        assert len(early) <= 3, "only what was already under way"
    assert modex.count("status = 'passed'") == 30


def test_a_long_outage_pauses_the_run_and_scores_nothing_until_the_provider_is_back(
    modex: Modex, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(60))
    with serve(replies.script([OK] * 10, then=replies.server_error())) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "4"))
        wait_until(lambda: modex.count("1") and modex.the_run()["status"] == "paused", "the run to pause itself")
        assert "does not answer" in modex.the_run()["reason"]
        assert modex.count("status IN ('failed', 'error')") == 0
        paused_at = server.hits
        server.behave(OK)
        ended = finish(process)
        assert ended.code == 0, ended.err
        assert "paused" in ended.err
        assert server.hits - paused_at < 60
    assert modex.count("status = 'passed'") == 60
    assert modex.the_run()["status"] == "completed"


def test_an_outage_that_lasts_too_long_stops_the_run_and_a_resume_finishes_it(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(20))
    with serve(replies.server_error()) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "4", "--max-outage", "1"))
        assert ended.code == 1
        assert modex.the_run()["status"] == "stopped"
        assert "no answer for" in ended.err
        assert modex.count("score IS NOT NULL") == 0
        server.behave(OK)
        assert modex.run("resume", "r", "--headless").code == 0
    assert modex.count("status = 'passed'") == 20


@pytest.mark.parametrize("fault", ["drip_headers", "drip_body", "hang"])
@MODELS
def test_a_slow_drip_ends_with_the_deadline(modex: Modex, tmp_path: Path, model: str, fault: str) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    drip = Reply(content="ok" * 2000, fault=fault, drip_s=0.05)  # type: ignore[arg-type]
    limit = math.ceil(stretched(1))  # a try that may take a second never ends on a machine that needs two
    with serve(replies.script([drip], then=OK)) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--timeout", str(limit), model=model))
        assert ended.code == 0, ended.err
        first, second = server.requests[:2]
        assert second.time - first.time < limit + stretched(2)
        asked = server.hits
    # A try may end before it has left a busy machine, or behind it.
    (row,) = modex.rows("attempts, status")
    assert row["status"] == "passed"
    assert row["attempts"] >= asked >= 2


GARBAGE = {
    "connection": replies.RESET,
    "connection ": replies.RESET_MIDWAY,
    "connection  ": replies.TRUNCATED,
    "invalid_response": replies.INVALID_JSON,
    "invalid_response ": replies.HTML,
    "empty_choices": replies.EMPTY_CHOICES,
    "error_body": replies.ERROR_IN_200,
    "server_error": replies.server_error(500),
    "server_error ": replies.BAD_GATEWAY,
    "server_error  ": replies.server_error(529),
    "rate_limit": replies.rate_limited(),
}


def test_each_broken_answer_is_retried_then_an_error_of_its_own_kind_and_never_a_score(
    modex: Modex, tmp_path: Path
) -> None:
    kinds = list(GARBAGE)
    tests = [{**test, "prompt": f"case {n}"} for n, test in enumerate(keyword_tests(len(kinds)))]
    suite = write_suite(tmp_path / "suite", tests)

    def behave(request: Request) -> Reply:
        return GARBAGE[kinds[int(request.prompt.split()[-1])]]

    with serve(behave) as server:
        # A ceiling this high keeps the failures of different kinds from looking like one outage.
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "40"))
        asked = [request.prompt for request in server.requests]
        assert ended.code == 1
        for n, kind in enumerate(kinds):
            wanted = 8 if kind.strip() == "rate_limit" else 5
            assert asked.count(f"case {n}") == wanted, kind
        rows = modex.rows("stage, status, score, error_type, attempts")
        assert [row["error_type"] for row in rows] == [kind.strip() for kind in kinds]
        assert {(row["stage"], row["status"], row["score"]) for row in rows} == {("init", "error", None)}
        assert modex.the_run()["error_tests"] == len(kinds)
        assert modex.the_run()["overall_score"] is None
        server.behave(OK)
        assert modex.run("resume", "r", "--headless").code == 0
    assert modex.count("status = 'passed'") == len(kinds)


@MODELS
def test_empty_filtered_overlong_and_cut_off_answers_are_told_apart(modex: Modex, tmp_path: Path, model: str) -> None:
    cases: dict[str, tuple[Reply, str, str | None, str | None]] = {
        "null": (replies.NULL_CONTENT, "failed", None, "empty_answer"),
        "empty": (replies.EMPTY_CONTENT, "failed", None, "empty_answer"),
        "filtered": (replies.FILTERED, "error", "content_filter", None),
        "prompt filtered": (replies.prompt_filtered(), "error", "content_filter", None),
        "too long": (replies.context_exceeded(), "error", "context_window", None),
        "cut off": (replies.CUT_OFF, "error", "truncated_output", "truncated_output"),
        "unclosed thinking": (replies.UNCLOSED_THINKING, "error", "truncated_reasoning", "truncated_reasoning"),
        "only thinking": (replies.ONLY_REASONING, "error", "truncated_reasoning", "truncated_reasoning"),
        "thinking": (Reply(content="<think>not ok at all</think>\nok"), "passed", None, None),
    }
    tests = [{**test, "prompt": name} for name, test in zip(cases, keyword_tests(len(cases)), strict=True)]
    suite = write_suite(tmp_path / "suite", tests)
    with serve(lambda request: cases[request.prompt][0]) as server:
        ended = modex.run(*modex.headless(server.url, suite, model=model))
        assert ended.code == 1
        assert server.hits == len(cases), "none of these is cured by asking again"
    for (name, (_, status, kind, flag)), row in zip(
        cases.items(), modex.rows("status, error_type, score, flags, response, reasoning"), strict=True
    ):
        assert (row["status"], row["error_type"]) == (status, kind), name
        assert (row["score"] is None) == (status == "error"), name
        assert flag is None or flag in row["flags"], name
    assert modex.rows("response, reasoning")[-1] == {"response": "ok", "reasoning": "not ok at all"}


TOOL = {
    "name": "lookup",
    "description": "Look something up.",
    "parameters": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
    "response": {"value": 42},
}


def _tool_test(name: str) -> dict[str, object]:
    return {
        "id": name.replace(" ", "_"),
        "prompt": name,
        "expected": {"keywords": ["done"]},
        "evaluator_id": "keyword",
        "tools": [TOOL],
    }


TOOL_CASES: dict[str, Reply] = {
    "arguments that are no JSON": replies.calls(replies.call("lookup", '{"key": ')),
    "an unknown tool": replies.calls(replies.call("delete_everything", "{}")),
    "three at once": replies.calls(*(replies.call("lookup", f'{{"key": "{n}"}}', f"c{n}") for n in range(3))),
    "no id": replies.calls(replies.call("lookup", '{"key": "a"}', None)),
    "no name": replies.calls(replies.call(None, '{"key": "a"}')),
    "the same id twice": replies.calls(*(replies.call("lookup", f'{{"key": "{n}"}}', "same") for n in range(2))),
    "arguments that are a list": replies.calls(replies.call("lookup", "[1, 2]")),
}


def test_broken_tool_calls_are_answered_as_the_protocol_wants(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", [_tool_test(name) for name in TOOL_CASES])

    def behave(request: Request) -> Reply:
        return Reply(content="done") if request.messages[-1]["role"] == "tool" else TOOL_CASES[request.prompt]

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite))
        second = {request.prompt: request.messages for request in server.requests if len(request.messages) > 1}
    assert ended.code == 0, ended.err + ended.out
    assert set(second) == set(TOOL_CASES)
    for name, messages in second.items():
        assistant = next(message for message in messages if message["role"] == "assistant")
        results = messages[messages.index(assistant) + 1 :]
        wanted = [call["id"] for call in assistant["tool_calls"]]
        assert all(wanted), name
        assert len(set(wanted)) == len(wanted), name
        assert [message["tool_call_id"] for message in results] == wanted, name
        assert all(message["role"] == "tool" for message in results), name
        for call in assistant["tool_calls"]:
            assert call["function"]["name"], name
            assert call["function"]["arguments"].startswith("{"), name
    assert len(second["three at once"]) == 5
    transcript = modex.rows("transcript")[0]["transcript"]
    assert re.search(r'\{\\"key\\": ', transcript), "recorded as it came"


@pytest.mark.parametrize("rollout", ["direct", "agentic"])
def test_endless_tool_calls_end_after_five_rounds_with_one_call_without_tools(
    modex: Modex, tmp_path: Path, rollout: str
) -> None:
    suite = write_suite(tmp_path / "suite", [{**_tool_test("go on"), "rollout": rollout}])
    with serve(replies.endless_calls("lookup", '{"key": "a"}')) as server:
        modex.run(*modex.headless(server.url, suite))
        offered = ["tools" in request.body for request in server.requests]
    runs = [(key, len(list(group))) for key, group in itertools.groupby(offered)]
    assert (True, 5) in runs
    assert runs[-1] == (False, 1)
    assert "tool_limit" in modex.rows("flags")[0]["flags"]


def test_pass_2_that_fails_is_an_error_of_the_judge_and_keeps_the_rollout(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", extracted_tests(2))

    def behave(request: Request) -> Reply:
        return replies.EMPTY_CHOICES if is_extraction(request) else Reply(content="The answer is 18.")

    with serve(behave) as server:
        begun = time.monotonic()
        assert modex.run(*modex.headless(server.url, suite)).code == 1
        assert time.monotonic() - begun < stretched(20)
        assert modex.count("stage = 'rollout' AND status = 'error' AND error_type = 'extractor_refused'") == 2
        server.forget()
        server.behave(Reply(content="ANSWER: 18"))
        assert modex.run("resume", "r", "--headless").code == 0
        assert all(is_extraction(request) for request in server.requests)


@pytest.mark.parametrize(
    "reply",
    [replies.error(400, "Authentication Error, No connected db."), Reply(status=405, body="<h1>405 Not Allowed</h1>")],
    ids=["no database", "405"],
)
def test_the_same_refusal_for_every_call_stops_the_run_and_is_said_once(
    modex: Modex, tmp_path: Path, reply: Reply
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(200))
    with serve(reply) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "8"))
        assert server.hits <= 16
    assert ended.code == 3, ended.err
    assert len([line for line in ended.err.splitlines() if "aborted" in line]) == 1
    assert modex.the_run()["overall_score"] is None


INTERIM = (
    b"HTTP/1.1 102 Processing\r\n\r\n",
    b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nContent-Length: 7\r\n\r\n",
    b"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
)
"""What a server may say before its answer, any number of times; a 103's length is of no body."""


@MODELS
def test_behind_interim_answers_every_sample_has_the_answer_to_its_own_question(
    modex: Modex, tmp_path: Path, model: str
) -> None:
    tests = [{**test, "expected": {"keywords": [f"answer {n:04}."]}} for n, test in enumerate(keyword_tests(200))]
    suite = write_suite(tmp_path / "suite", tests)

    def say(asked: Asked) -> bytes:
        number = int(json.loads(asked.body)["messages"][-1]["content"].split()[-1])
        said = {
            "choices": [{"message": {"role": "assistant", "content": f"answer {number:04}."}, "finish_reason": "stop"}]
        }
        return INTERIM[number % len(INTERIM)] + answer(
            json.dumps(said).encode(), "200 OK", "Content-Type: application/json"
        )

    with RawServer(say) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "8", model=model))
        assert ended.code == 0, ended.err
        # Litellm reads nothing of an answer that is no stream, so each worker's first may be asked for once more.
        assert 200 <= len(server.asked) <= (200 if model.startswith("openai/") else 208)
    assert [row["response"] for row in modex.rows("response")] == [f"answer {number:04}." for number in range(200)]
    assert modex.count("status = 'passed'") == 200


def test_waiting_is_narrated_with_who_why_and_until_when(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(2))
    with serve(replies.script([replies.rate_limited(2)], then=OK)) as server:
        ended = modex.run(*modex.headless(server.url, suite, "--concurrency", "2"))
    assert ended.code == 0, ended.err
    said = [line for line in ended.err.splitlines() if "waits until" in line]
    assert len(said) == 1
    assert re.search(r"openai/test-model waits until \d\d:\d\d:\d\d \(2 s\): rate limited \(429\)", said[0])


def test_a_provider_that_asks_for_a_day_is_waited_for_a_minute_which_shows(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(8))
    with serve(replace(replies.server_error(503), headers={"Retry-After": "86400"})) as server:
        running = modex.start(*modex.headless(server.url, suite, "--concurrency", "4"))

        def held() -> bool:
            rows = modex.query("SELECT live FROM evaluation_runs")
            holds = json.loads(rows[0]["live"]).get("holds", []) if rows else []
            return any(0 < hold["seconds_left"] <= 61 for hold in holds)

        wait_until(held, "the wait is shown")
        running.send_signal(signal.SIGINT)
        ended = finish(running)
    assert ended.code == 130, ended.err
    assert re.search(r"waits until \d\d:\d\d:\d\d \(60 s\): .*503", ended.err)


def test_the_last_error_of_an_outage_stands_in_the_pause_in_show_and_in_the_narration(
    modex: Modex, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(40))
    with serve(replies.server_error(503)) as server:
        running = modex.start(*modex.headless(server.url, suite, "--concurrency", "4"))
        wait_until(
            lambda: (modex.query("SELECT status FROM evaluation_runs") or [{}])[0].get("status") == "paused", "p"
        )
        assert "overloaded or not ready" in modex.the_run()["reason"]
        shown = modex.run("show", "r")
        assert "overloaded or not ready" in shown.out + shown.err
        server.behave(OK)
        ended = finish(running)
    assert ended.code == 0, ended.err
    assert any("paused: " in line and "overloaded or not ready" in line for line in ended.err.splitlines())
