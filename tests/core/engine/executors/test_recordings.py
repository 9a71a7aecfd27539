"""Recordings of tools are the driver's: the same whichever executor moves the samples, wherever its processes run."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from modex.core.engine.stopping import SessionOutcome
from modex.core.tools.cassettes import CassetteKey, RecordedCall, Recorder, Replayer, _Tape
from tests.core.engine.conftest import Bench
from tests.core.engine.executors.test_contract import EXECUTORS, Moved, Work, moved_by, prepare, rows
from tests.server import Behaviour, Reply, Request
from tests.server.replies import call, calls

__all__ = ["moved_by"]
COUNT = 12


def asks_twice(request: Request) -> Reply:
    """Calls `look` twice with the same arguments, in another order of the keys, and tells what it heard."""
    heard = [message["content"] for message in request.messages if message["role"] == "tool"]
    number = next(message["content"] for message in request.messages if message["role"] == "user").split()[-1]
    if len(heard) == 2:
        return Reply(f"ok: {heard}")
    arguments = {"n": number, "unit": "m"} if heard else {"unit": "m", "n": number}
    return calls(call("look", json.dumps(arguments), call_id=f"call_{len(heard)}"))


def tool_says(bench: Bench, word: str) -> None:
    """Have the suite's tool answer so, and remember whom it answered."""
    answers = [
        {"when": {"$call": 2}, "set": {"last": "{{n}}"}, "response": f"{word} {{{{n}}}}, again"},
        {"response": f"{word} {{{{n}}}}"},
    ]
    function = {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {"n": {}}}}
    folder = bench.root / "suite" / "tool_mocks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "look.json").write_text(json.dumps({"id": "look", "function": function, "responses": answers}))


def moved(
    bench: Bench, root: Path, name: str, word: str, model: Behaviour = asks_twice, **config: Any
) -> list[dict[str, Any]]:
    """The rows of a run in a database of its own, whose tool says this word."""
    own = Bench(bench.server, bench.root, root / f"{name}.db")
    bench.server.behave(model)
    tool_says(own, word)
    tests = [
        {"id": f"t{n}", "prompt": f"look at {n}", "tool_ids": ["look"], "expected": {"keywords": ["ok"]}}
        for n in range(COUNT)
    ]
    prepare(own, tests, evaluator="keyword", concurrency=4, **config)
    assert Work(own).ended() == SessionOutcome("completed")
    return rows(own)


def recorded(folder: Path) -> Counter[str]:
    """The recording's lines, whose order is that of the calls, without what they took."""
    (path,) = folder.glob("*.jsonl")
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return Counter(json.dumps({name: one[name] for name in sorted(one) if name != "duration_ms"}) for one in found)


@EXECUTORS
def test_a_recording_is_the_same_by_every_executor(
    bench: Bench, tmp_path: Path, moved_by: Moved, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_threads = moved(bench, tmp_path, "threads", "seen", record=str(tmp_path / "threads"))
    assert {row["status"] for row in by_threads[:-1]} == {"passed"}
    folder, add, here = tmp_path / "own", Recorder.add, Counter[str]()

    def counted(self: Recorder, call: CassetteKey, kept: RecordedCall) -> None:
        here[call.sample] += 1
        add(self, call, kept)

    monkeypatch.setattr(Recorder, "add", counted)
    assert moved(bench, tmp_path, "own", "seen", record=str(folder), **moved_by(how)) == by_threads
    assert set(here.values()) == {2}, "the driver writes each line, and nobody else"
    assert len(here) == COUNT
    assert recorded(folder) == recorded(tmp_path / "threads")
    assert len(recorded(folder)) == 2 * COUNT, "each call of each sample is a line of its own"


@EXECUTORS
def test_a_recording_is_read_once_and_gives_the_same_by_every_executor(
    bench: Bench, tmp_path: Path, moved_by: Moved, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"
    by_threads = moved(bench, tmp_path, "threads", "seen", record=str(folder))

    def without_folder(request: Request) -> Reply:
        shutil.rmtree(folder, ignore_errors=True)
        return asks_twice(request)

    find, read, found, reads = Replayer.find, _Tape.__init__, Counter[str](), Counter[str]()

    def counted(self: Replayer, call: CassetteKey) -> RecordedCall:
        found[call.sample] += 1
        return find(self, call)

    def counted_read(self: _Tape, path: Path) -> None:
        reads[path.name] += 1
        read(self, path)

    monkeypatch.setattr(Replayer, "find", counted)
    monkeypatch.setattr(_Tape, "__init__", counted_read)
    replayed = moved(bench, tmp_path, "again", "changed", without_folder, replay=str(folder), **moved_by(how))
    assert not folder.exists()
    assert reads == {"look.jsonl": 1}
    assert (len(found), set(found.values())) == (COUNT, {2}), "the driver gives each answer, and nobody else"
    assert [row["transcript"] for row in replayed[:-1]] == [row["transcript"] for row in by_threads[:-1]]
    assert [row["tool_state"] for row in replayed[:-1]] == [row["tool_state"] for row in by_threads[:-1]]


@EXECUTORS
def test_what_was_not_recorded_is_an_error_that_names_the_call(
    bench: Bench, tmp_path: Path, moved_by: Moved, how: str
) -> None:
    folder = tmp_path / "kept"
    moved(bench, tmp_path, "kept", "seen", record=str(folder))
    (path,) = folder.glob("*.jsonl")
    kept = [line for line in path.read_text().splitlines() if '"n": "3"' not in line]
    path.write_text("\n".join(kept) + "\n")
    replayed = moved(bench, tmp_path, "again", "changed", replay=str(folder), **moved_by(how))
    assert Counter(row["status"] for row in replayed[:-1]) == {"passed": COUNT - 1, "error": 1}
    (missed,) = [row for row in replayed[:-1] if row["status"] == "error"]
    assert missed["error_type"] == "tool_unavailable"
    said = missed["error_message"]
    assert 'no answer is recorded for call 1 of look({"n":"3","unit":"m"}) by d/1/t3' in said
    assert str(folder) in said


@EXECUTORS
def test_a_damaged_recording_is_named_before_a_model_is_asked(
    bench: Bench, tmp_path: Path, moved_by: Moved, how: str
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "look.jsonl").write_text('{"sample": "d/1/t0/1", "arg\n')
    tool_says(bench, "seen")
    prepare(bench, [{"id": "t", "prompt": "1", "tool_ids": ["look"], "expected": {"keywords": ["ok"]},
                     "evaluator_id": "keyword"}], replay=str(folder), **moved_by(how))  # fmt: skip
    outcome = Work(bench).ended()
    assert outcome.status == "error"
    assert "look.jsonl:1: this line of the recording is damaged" in (outcome.reason or "")
    assert bench.server.hits == 0


@pytest.mark.long
@EXECUTORS
def test_a_folder_that_cannot_be_written_is_said_and_no_answer_goes_on_without_its_line(
    bench: Bench, tmp_path: Path, moved_by: Moved, how: str
) -> None:
    folder = tmp_path / "kept"
    (folder / "look.jsonl").mkdir(parents=True)
    found = moved(bench, tmp_path, "e", "seen", record=str(folder), **moved_by(how))
    assert {row["error_type"] for row in found[:-1]} == {"tool_unavailable"}
    assert all(f"--record {folder} cannot be written" in row["error_message"] for row in found[:-1])
