"""Whatever a model sends is stored exactly, shown safely, and survives export, resume and judging; memory stays bounded."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.exact import decode_json, decode_text
from tests.faults.harness import (
    Modex,
    finish,
    is_extraction,
    keyword_tests,
    wait_until,
    write_suite,
)
from tests.server import Reply, Request, replies, serve

pytestmark = pytest.mark.process

STRANGE = {
    "lone surrogates": "ok \ud800 and \udfff",
    "nul": "ok\x00after",
    "four bytes": "ok 𝟙 🧪 𐍈",
    "our own mark": "\ufdd0modex-escaped:ok \\u0000",
    "backslashes": "ok \\ud800 \\\\ \\x00",
    "every control": "ok " + "".join(map(chr, range(0x20))) + "\x7f\x9b",
    "bidi and zero width": "ok \u202e\u2066\u200b\ufeff\u2028",
    "terminal": "ok \x1b]52;c;ZXZpbA==\x07\x1b[2J\x1b]8;;http://evil\x1b\\x",
    "broken combining": "ok " + "\u0301" * 400,
    "crlf": "ok\r\nline\rline\n",
}


def test_strange_texts_are_stored_exactly_and_survive_show_export_and_resume(modex: Modex, tmp_path: Path) -> None:
    tests = [{**test, "prompt": name} for name, test in zip(STRANGE, keyword_tests(len(STRANGE)), strict=True)]
    suite = write_suite(tmp_path / "suite", tests)
    with serve(lambda request: Reply(content=STRANGE[request.prompt])) as server:
        arguments = modex.headless(server.url, suite)
        ended = modex.run(*arguments)
        assert ended.code == 0, ended.err
        hits = server.hits
        assert modex.run(*arguments).code == 0
        assert server.hits == hits, "a resume asks nothing again"
    for name, row in zip(STRANGE, modex.rows(), strict=True):
        assert decode_text(row["response"]) == STRANGE[name], name
        assert decode_json(row["transcript"])[-1]["content"] == STRANGE[name], name
        assert modex.here("show", "r", "--test", row["test_id"]).code == 0, name
    exported = json.loads(modex.here("export", "r", "--format", "json").out)
    assert [sample["response"] for sample in exported["samples"]] == list(STRANGE.values())
    modex.assert_sound()


def test_strange_texts_reach_pass_2_and_come_back_from_it(modex: Modex, tmp_path: Path) -> None:
    tests = [{"id": f"t{n}", "prompt": name, "expected": "ok"} for n, name in enumerate(STRANGE)]
    suite = write_suite(tmp_path / "suite", tests)

    def behave(request: Request) -> Reply:
        return Reply(content=f"ANSWER: {STRANGE['nul']}\ud800" if is_extraction(request) else STRANGE[request.prompt])

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite))
        assert "Traceback" not in ended.err
        assert modex.count("stage = 'judged'") == len(STRANGE), modex.rows("error_message")
        for kind in ("csv", "md", "html", "junit", "json"):
            assert modex.here("export", "r", "--format", kind).code == 0
    modex.assert_sound()


def test_a_strange_finish_reason_is_an_error_that_names_it(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    with serve(Reply(content="ok", finish_reason="st\ud800op")) as server:
        ended = modex.run(*modex.headless(server.url, suite))
    assert ended.code == 1
    (row,) = modex.rows()
    assert (row["status"], row["error_type"]) == ("error", "invalid_response")
    assert "finish_reason 'st" in row["error_message"]
    assert modex.here("show", "r", "--test", row["test_id"]).code == 0


def test_strange_names_in_tool_calls_and_errors_are_stored(modex: Modex, tmp_path: Path) -> None:
    test = {**keyword_tests(1)[0], "tools": [{"name": "f", "description": "d", "parameters": {}, "response": {}}]}
    suite = write_suite(tmp_path / "suite", [test, {**keyword_tests(2)[1], "prompt": "fail"}])

    def behave(request: Request) -> Reply:
        if request.prompt == "fail":
            return replies.error(400, "bad \ud800\x00\x1b[2J thing")
        if request.messages[-1]["role"] == "tool":
            return Reply(content="ok")
        return replies.calls(replies.call("f\ud800\x00", '{"\ud800": "\x00', "id\ud800"))

    with serve(behave) as server:
        ended = modex.run(*modex.headless(server.url, suite))
    assert ended.code == 1
    assert modex.rows("status") == [{"status": "passed"}, {"status": "error"}]
    call = decode_json(modex.rows("transcript")[0]["transcript"])[1]["tool_calls"][0]
    assert call["name"] == "f\ud800\x00"
    assert call["arguments"] == '{"\ud800": "\x00'


@pytest.mark.parametrize("field", ["id", "name", "prompt", "expected"])
def test_strange_texts_in_a_suite_are_taken_or_named_but_crash_nothing(
    modex: Modex, tmp_path: Path, field: str
) -> None:
    strange = "a\ud800\x00\x1b[2J"
    value: Any = {"keywords": [strange, "ok"]} if field == "expected" else strange
    suite = write_suite(tmp_path / "suite", [{**keyword_tests(1)[0], field: value}])
    with serve(Reply(content="ok")) as server:
        ended = modex.run(*modex.headless(server.url, suite))
    assert ended.code in (0, 1, 2)
    assert "Traceback" not in ended.err
    assert "internal error" not in ended.err
    assert "\x1b[2J" not in ended.err + ended.out


def test_names_that_are_no_text_on_the_command_line_are_refused_in_words(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(1))
    with serve(Reply(content="ok")) as server:
        for exp, model in (
            ("a\udcff", "openai/m"),
            ("b", "openai/m\udcff"),
            ("c" * 300, "openai/m"),
            ("../x", "openai/m"),
        ):
            ended = modex.run(*modex.headless(server.url, suite, exp=exp, model=model))
            assert ended.code in (0, 1, 2, 3), ended
            assert "Traceback" not in ended.err
            assert "internal error" not in ended.err, ended.err


def _peak_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


@pytest.mark.long
def test_ten_megabyte_answers_are_stored_whole_in_bounded_memory(modex: Modex, tmp_path: Path) -> None:
    count, size = 3, 10 * 1024 * 1024
    suite = write_suite(tmp_path / "suite", keyword_tests(count))
    modex.fresh = True  # what a fork holds of its maker would be counted
    with serve(Reply(content="ok " + "x" * (size - 3))) as server:
        process = modex.start(*modex.headless(server.url, suite, "--concurrency", "2"))
        peak = 0.0

        def done() -> bool:
            nonlocal peak
            if process.poll() is None:
                peak = max(peak, _peak_mb(process.pid))
            return process.poll() is not None

        wait_until(done, "the run's end")
        ended = finish(process)
        assert ended.code == 0, ended.err
    assert modex.query("SELECT length(response) AS n FROM individual_test_results") == [{"n": size}] * count
    assert peak < 700, f"{peak:.0f} MB"
    shown = modex.here("show", "r")
    assert shown.code == 0
    assert modex.here("show", "r", "--test", "t0000").code == 0
    assert modex.here("export", "r", "--format", "html").code == 0


def test_a_conversation_of_a_thousand_turns_is_asked_stored_and_shown(modex: Modex, tmp_path: Path) -> None:
    turns = [{"role": "user" if n % 2 == 0 else "assistant", "content": f"turn {n}"} for n in range(999)]
    suite = write_suite(tmp_path / "suite", [{**keyword_tests(1)[0], "prompt": turns}])
    with serve(Reply(content="ok")) as server:
        assert modex.run(*modex.headless(server.url, suite)).code == 0
        assert len(server.requests[0].messages) == 999
    assert len(json.loads(modex.rows("transcript")[0]["transcript"])) == 1000
    assert "turn 998" in modex.here("show", "r", "--test", "t0000").out


BACKWARDS = """
import datetime, time
_real, _start = time.time, time.time()
def _time():
    return _start - 3600 * (_real() - _start)
class _Datetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromtimestamp(_time(), tz)
time.time = _time
_Datetime.__name__ = 'datetime'
datetime.datetime = _Datetime
"""


@pytest.mark.long
def test_a_clock_that_runs_backwards_changes_neither_durations_nor_order(modex: Modex, tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(6))
    hook = tmp_path / "clock"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(BACKWARDS)
    modex.fresh = True
    modex.variables["PYTHONPATH"] = f"{hook}:{modex.environment()['PYTHONPATH']}"
    with serve(Reply(content="ok", latency=0.1)) as server:
        arguments = modex.headless(server.url, suite, "--concurrency", "1")
        assert modex.run(*arguments).code == 0
        assert modex.run(*arguments).code == 0
    rows = modex.rows("seq, duration_ms, started_at, completed_at")
    assert rows[0]["completed_at"] > rows[-1]["completed_at"], "the clock did go back"
    assert [row["seq"] for row in rows] == sorted(row["seq"] for row in rows)
    assert all(90 <= row["duration_ms"] < 20_000 for row in rows)
    assert modex.the_run()["duration_ms"] > 0


def test_a_database_from_python_with_foreign_keys_stays_consistent_when_a_run_is_deleted(
    modex: Modex, tmp_path: Path
) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(3))
    with serve(Reply(content="ok")) as server:
        modex.run(*modex.headless(server.url, suite, exp="first"))
        modex.run(*modex.headless(server.url, suite, exp="second"))
    with sqlite3.connect(modex.db) as connection:
        connection.execute("PRAGMA foreign_keys = 1")
        connection.execute("DELETE FROM evaluation_runs WHERE exp_id = 'first'")
    connection.close()
    assert modex.count("1") == 3
    modex.assert_sound()
    assert modex.here("show", "second").code == 0
