"""`modex speed` measures what the server did, stays in its bounds, and is kept."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from modex.core.store.reader import Reader
from tests.cli import call
from tests.faults.harness import Modex, finish, wait_until
from tests.server import Reply, Stream, replies, serve


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.01")


def test_a_speed_test_is_measured_stored_shown_and_compared(tmp_path: Path) -> None:
    db = str(tmp_path / "m.db")
    usage = {"prompt_tokens": 40, "completion_tokens": 21, "total_tokens": 61}
    reply = Reply(content="w " * 21, latency=0.05, usage=usage, stream=Stream(every_s=0.01))
    with serve(reply) as server:
        for name in ("one", "two"):
            found = call(
                "speed", "--model", "openai/m", "--api-base", server.url, "--concurrency", "1,2", "--requests", "3",
                "--prompt-tokens", "40", "--output-tokens", "21", "--exp-id", name, "--db", db, "--json",
            )  # fmt: skip
            assert found.code == 0, found.err
        assert server.hits == 2 * (1 + 3 + 4)
        assert {request.body["max_tokens"] for request in server.requests} == {21}
        assert len({request.prompt for request in server.requests}) == 1 + 4
    points = json.loads(found.out)["points"]
    assert [(point["at_once"], point["calls"], point["errors"]) for point in points] == [(1, 3, 0), (2, 4, 0)]
    # Whoever is late for the first event on a busy machine finds the others waiting, so the rate has no upper end.
    assert all(point["first_ms"] >= 50 and point["each_per_s"] > 0 for point in points)
    assert not any(point["estimated"] for point in points)
    reader = Reader(Path(db))
    assert reader.run("one").kind == "speed"
    reader.close()
    listed = call("runs", "--db", db).out
    assert "7 calls" in listed
    assert "tok/s" in listed
    shown = call("show", "one", "--db", db).out
    assert "at once" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    compared = call("compare", "one", "two", "--db", db).out.splitlines()
    assert compared[0] == "one → two"
    assert all("→" in line and len(line) <= 80 for line in compared[2:])


@pytest.mark.parametrize("model", ["nobody/model", "openai/m", "demo/none"])
def test_what_cannot_be_asked_is_refused_before_anything_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    database = tmp_path / "m.db"
    found = call("speed", "--model", model, "--db", database)
    assert found.code == 2
    assert found.err.startswith(f"modex: {model}: ")
    assert not database.exists()


def test_it_ends_at_its_bounds_and_says_which(tmp_path: Path) -> None:
    with serve(Reply(content="a b", latency=0.3)) as server:
        found = call(
            "speed", "--model", "openai/m", "--api-base", server.url, "--concurrency", "1", "--requests", "50",
            "--max-seconds", "1", "--exp-id", "short", "--db", str(tmp_path / "m.db"),
        )  # fmt: skip
        assert server.hits < 20
    assert found.code == 1
    assert "its 1 seconds are over" in found.err


def test_its_name_is_told_with_what_shows_it_again_and_why_calls_have_no_answer(tmp_path: Path) -> None:
    refusal = Reply(status=400, body=json.dumps({"error": {"message": "the card is out of memory"}}))
    with serve(replies.script([Reply(content="warm")], then=refusal)) as server:
        found = call(
            "speed", "--model", "openai/m", "--api-base", server.url, "--concurrency", "1", "--requests", "2",
            "--exp-id", "a b", "--db", str(tmp_path / "m.db"),
        )  # fmt: skip
    assert found.code == 1
    assert "2 of 2 calls have no answer" in found.out
    assert "the card is out of memory" in found.out
    assert "kept as a b: modex show 'a b'" in found.err


@pytest.mark.process
def test_ctrl_c_keeps_what_was_measured_and_ends_it_with_130(tmp_path: Path) -> None:
    modex = Modex(tmp_path)
    with serve(Reply(content="a b", latency=0.05)) as server:
        process = modex.start(
            "speed", "--model", "openai/m", "--api-base", server.url, "--concurrency", "1", "--requests", "10000",
            "--exp-id", "cut",
        )  # fmt: skip
        wait_until(lambda: server.hits > 3, "some calls")
        process.send_signal(signal.SIGINT)
        ended = finish(process)
    assert ended.code == 130
    assert "cut: stopped: interrupted" in ended.err
    assert "at once" in ended.out
