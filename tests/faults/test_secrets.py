"""Canaries through every fault: no byte of a secret in any file, database, export, screen, log or process argument."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import sqlite3
from pathlib import Path
from typing import get_args

import pytest

from modex.core.reports.formats import Format
from tests.faults.harness import (
    Modex,
    extracted_tests,
    finish,
    is_extraction,
    keyword_tests,
    processes,
    runners_of,
    wait_until,
    write_suite,
)
from tests.server import Reply, Request, replies, serve

pytestmark = pytest.mark.process

KEY = "canary-key-Zq81XwPLm2"
PASSWORD = "canary-pass-Uy77TbVk"
CANARIES = (KEY, PASSWORD, base64.b64encode(f"user:{PASSWORD}".encode()).decode())
CASES = ("401", "echoed in an answer", "500", "error body", "html", "bad request", "tool call", "redirect")
FORMATS = get_args(Format)


@pytest.fixture
def keyed(modex: Modex) -> Modex:
    """modex with a key in its environment."""
    modex.variables["OPENAI_API_KEY"] = KEY
    modex.variables["DEEPSEEK_API_KEY"] = KEY
    return modex


def _with_password(url: str) -> str:
    return url.replace("http://", f"http://user:{PASSWORD}@")


def _assert_clean(where: str, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    for canary in CANARIES:
        assert canary.encode() not in data, (
            f"{where} holds a secret: …{data[max(0, data.find(canary.encode()) - 200) :][:300]!r}"
        )


def _assert_no_secret(modex: Modex, *outputs: str, exp: str = "r") -> None:
    """Look through everything that a run leaves."""
    for number, output in enumerate(outputs):
        _assert_clean(f"output {number}", output)
    for kind in FORMATS:
        ended = modex.here("export", exp, "--format", kind)
        assert ended.code == 0, ended.err
        _assert_clean(kind, ended.out + ended.err)
    for row in modex.rows("test_id"):
        shown = modex.here("show", exp, "--test", str(row["test_id"]))
        _assert_clean("show", shown.out + shown.err)
        break
    with contextlib.closing(sqlite3.connect(modex.db)) as connection:
        for line in connection.iterdump():
            _assert_clean("database", line)
    for file in [path for path in modex.home.rglob("*") if path.is_file()]:
        _assert_clean(str(file), file.read_bytes())


def _echo(request: Request) -> Reply:
    """A server that writes what it was sent into everything it answers."""
    header = request.headers["authorization"]
    said = f"ok, you sent {header}"
    if header.startswith("Basic "):
        said += f", that is {base64.b64decode(header[6:]).decode()}"
    return Reply(content=f"<think>{said}</think>{said}\nANSWER: 18", reasoning_content=said)


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "model"),
    [
        *((case, "openai/test-model") for case in CASES),
        *((case, "deepseek/test-model") for case in ("401", "echoed in an answer", "tool call")),
    ],
)
def test_a_key_that_the_provider_echoes_is_kept_nowhere(keyed: Modex, tmp_path: Path, case: str, model: str) -> None:
    def say(request: Request) -> str:
        return f"Incorrect API key provided: {request.key}; header Authorization: Bearer {request.key}"

    answers = {
        "401": replies.unauthorized,
        "echoed in an answer": _echo,
        "500": lambda request: replies.error(500, say(request)),
        "error body": lambda request: Reply(body={"error": {"message": say(request), "code": 502}}),
        "html": lambda request: Reply(body=f"<html><body>{say(request)}</body></html>", content_type="text/html"),
        "bad request": lambda request: replies.error(400, say(request)),
        "tool call": lambda request: replies.calls(replies.call(request.key, json.dumps({"key": request.key}))),
        "redirect": lambda request: Reply(
            status=302, headers={"Location": f"http://127.0.0.1:9/{request.key}?api_key={request.key}"}, body="moved"
        ),
    }
    tests = [{**extracted_tests(1)[0], "tools": [{"name": "f", "description": "d", "parameters": {}, "response": {}}]}]
    suite = write_suite(tmp_path / "suite", tests if case == "tool call" else extracted_tests(1))
    with serve(answers[case]) as server:
        ended = keyed.run(*keyed.headless(server.url, suite, model=model))
        assert server.hits
        assert server.requests[0].key == KEY, "the key is really used"
    _assert_no_secret(keyed, ended.out, ended.err)


def test_a_password_in_the_address_is_used_and_kept_nowhere(keyed: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", extracted_tests(2))
    keyed.variables["MODEX_API_BASE"] = ""

    def behave(request: Request) -> Reply:
        return _echo(request) if is_extraction(request) else replies.error(500, f"from {request.headers}")

    with serve(_echo) as server:
        keyed.variables["MODEX_API_BASE"] = _with_password(server.url)
        words: list[str | Path] = ["run", "--model", "openai/test-model", "--suite", suite, "--exp-id", "r"]
        ended = keyed.run(*words, "--headless")
        assert server.requests[0].headers["authorization"].startswith("Basic ")
        server.behave(behave)
        again = keyed.run(*words, "--headless", "--temperature", "0.5")
    with serve(Reply(fault="reset")) as closed:
        port = closed.port
    keyed.variables["MODEX_API_BASE"] = _with_password(f"http://127.0.0.1:{port}/v1")
    unreachable = keyed.run(*words, "--headless", "--temperature", "0.7", "--max-outage", "0.1")
    assert unreachable.code == 1
    _assert_no_secret(keyed, ended.out, ended.err, again.out, again.err, unreachable.out, unreachable.err)


def test_the_detached_runner_shows_no_secret_in_its_arguments_or_its_log(keyed: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    with serve(Reply(content="ok", latency=30)) as server:
        keyed.variables["MODEX_API_BASE"] = _with_password(server.url)
        starter = keyed.run("run", "--model", "openai/test-model", "--suite", suite, "--exp-id", "r", "--detach")
        assert starter.code == 0, starter.err
        wait_until(lambda: server.in_flight == 3, "the runner at work")
        assert server.requests[0].headers["authorization"].startswith("Basic ")
        runner = runners_of(keyed.db)[0]
        for _, words in processes():
            if words[0].endswith("python") and str(keyed.home) in " ".join(words):
                _assert_clean("arguments", " ".join(words))
        os.kill(runner, signal.SIGKILL)
        wait_until(lambda: server.in_flight == 0, "the runner to be gone")
        server.behave(replies.unauthorized)
        detached = keyed.run("resume", "r", "--detach")
        wait_until(lambda: keyed.the_run()["status"] == "aborted", "the run to abort")
        wait_until(lambda: not runners_of(keyed.db), "the runner to end")
    _assert_no_secret(keyed, starter.out, starter.err, detached.out, detached.err)


def test_a_crash_of_a_plugin_prints_neither_locals_nor_keys(keyed: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    (suite / "plugins").mkdir()
    (suite / "plugins" / "bad.py").write_text(
        "import os\nkey = os.environ['OPENAI_API_KEY']\nraise RuntimeError('cannot reach with ' + key)\n"
    )
    with serve(Reply(content="ok")) as server:
        ended = keyed.run(*keyed.headless(server.url, suite, "--allow-plugins"))
    assert ended.code == 2
    assert "bad.py:3" in ended.err
    _assert_clean("output", ended.out + ended.err)


def test_a_worker_that_crashes_tells_where_but_no_secret(keyed: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    dataset = tmp_path / "boom.jsonl"
    dataset.write_text('{"question": "q", "answer": "a", "id": "1"}\n')
    (suite / "plugins").mkdir()
    (suite / "plugins" / "boom.py").write_text(
        "import os\n"
        "from modex.core.pipeline.processers.base import BaseProcesser\n"
        "from modex.core.pipeline.processers.factory import PROCESSER_FACTORY\n"
        "class Boom(BaseProcesser):\n"
        "    source = 'boom'\n"
        "    def judge_one(self, sample, services):\n"
        "        raise RuntimeError('with ' + os.environ['OPENAI_API_KEY'])\n"
        "PROCESSER_FACTORY.register(Boom)\n"
    )
    with serve(Reply(content="ok")) as server:
        ended = keyed.run(
            *keyed.headless(server.url, suite, "--allow-plugins", "--dataset", dataset, "--evaluator", "match")
        )
    assert ended.code == 1, ended.err
    assert keyed.count("status = 'error' AND error_message LIKE '%RuntimeError%'") >= 1
    _assert_no_secret(keyed, ended.out, ended.err)


def test_an_interrupted_run_leaves_no_secret(keyed: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    with serve(Reply(content="ok", latency=60)) as server:
        process = keyed.start(*keyed.headless(server.url, suite))
        wait_until(lambda: server.in_flight == 3, "calls in flight")
        process.terminate()
        ended = finish(process)
    _assert_no_secret(keyed, ended.out, ended.err)


def test_a_key_with_invisible_characters_inside_is_kept_and_shown_nowhere(keyed: Modex) -> None:
    split = f"{KEY[:6]}\u200b{KEY[6:]}"
    suite = write_suite(keyed.home / "suite", keyword_tests(2))

    def behave(request: Request) -> Reply:
        return replies.error(400, f"bad key {split}") if request.index else Reply(content=f"ok, the key is {split}")

    with serve(behave) as server:
        ended = keyed.run(*keyed.headless(server.url, suite, "--concurrency", "1"))
    (answered, refused) = keyed.rows("response, error_message")
    assert "the key is" in answered["response"]
    assert "bad key" in refused["error_message"]
    outputs = [ended.out, ended.err]
    for words in (
        ("show", "r"),
        ("show", "r", "--test", "t0000"),
        ("show", "r", "--test", "t0001"),
        ("show", "r", "--json"),
    ):
        shown = keyed.run(*words)
        outputs += [shown.out, shown.err]
    outputs += [keyed.run("export", "r", "--format", kind).out for kind in FORMATS]
    outputs += [path.read_bytes().decode("utf-8", "replace") for path in keyed.home.rglob("*") if path.is_file()]
    for text in outputs:
        _assert_clean("a sink", text.replace("\u200b", "").replace("\\u200b", ""))


def test_an_answer_that_holds_the_key_is_judged_as_it_was_said_and_stored_without_it(
    keyed: Modex, tmp_path: Path
) -> None:
    tests = [
        {"id": "a", "prompt": "say it", "expected": {"keywords": [KEY.rpartition("-")[2]]}, "evaluator_id": "keyword"},
        {"id": "b", "prompt": "say basic", "expected": {"keywords": ["basic arithmetic"]}, "evaluator_id": "keyword"},
    ]
    suite = write_suite(tmp_path / "suite", tests)
    answers = {"say it": f"it is {KEY}, yes", "say basic": "basic arithmetic, sk-learn and token=abcdefghijkl"}
    with serve(lambda request: Reply(content=answers[request.body["messages"][-1]["content"]])) as server:
        ended = keyed.run(*keyed.headless(server.url, suite))
        assert ended.code == 0, ended.err
        asked = server.hits
        first, second = keyed.rows("status, response, flags")
        assert (first["status"], first["response"]) == ("passed", "it is [redacted], yes")
        assert json.loads(first["flags"])[-1] == "redacted"
        assert (second["status"], second["response"]) == ("passed", answers["say basic"])
        assert "redacted" not in second["flags"]
        again = keyed.run("judge", "r", "--all")
        assert again.code == 0, again.err
        assert server.hits == asked
    assert [row["status"] for row in keyed.rows("status")] == ["passed", "passed"]
    _assert_no_secret(keyed, ended.out, ended.err, again.out, again.err)


def test_a_run_killed_before_its_verdict_asks_again_for_words_that_were_masked(keyed: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", extracted_tests(1))

    def behave(request: Request) -> Reply:
        return (
            Reply(content="ANSWER: 18", latency=60 if not judged else 0)
            if is_extraction(request)
            else Reply(content=f"18, and the key is {KEY}")
        )

    judged: list[bool] = []
    with serve(behave) as server:
        process = keyed.start(*keyed.headless(server.url, suite))
        wait_until(lambda: any(is_extraction(request) for request in server.requests), "PASS 2 under way")
        process.kill()
        finish(process)
        (row,) = keyed.rows("stage, response")
        assert (row["stage"], row["response"]) == ("rollout", "18, and the key is [redacted]")
        judged.append(True)
        before = sum(not is_extraction(request) for request in server.requests)
        resumed = keyed.run("resume", "r", "--headless")
        assert resumed.code == 0, resumed.err
        assert sum(not is_extraction(request) for request in server.requests) == before + 1
    assert keyed.count("status = 'passed'") == 1
    _assert_no_secret(keyed, resumed.out, resumed.err)
