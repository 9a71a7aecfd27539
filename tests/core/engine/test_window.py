"""Looking over a worker's shoulder: what is being written is seen, by several at once, and no file holds it."""

from __future__ import annotations

import contextlib
import json
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import Selection
from modex.core.engine.commands import send_command
from modex.core.engine.session import Session
from modex.core.engine.window import _MOST_BYTES, MOST, Window, being_written, sweep
from modex.core.engine.workers import Activity
from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.underway import UnderWay
from modex.core.store.sample import EvaluationSample
from tests.cli import write_suite
from tests.core.engine.conftest import Bench
from tests.pace import eventually
from tests.server import Reply, Request, Stream, replies

PHRASE = "unmistakable "
SLOWLY = Stream(endless=True, every_s=0.005)


class Visitor:
    """Somebody who looks through a window."""

    def __init__(self, path: str, sample_id: int) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(20)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rb")
        self.ask(sample_id)

    def ask(self, sample_id: int) -> None:
        self._socket.sendall(json.dumps({"sample": sample_id}).encode() + b"\n")

    def sees(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._lines.readline())
        return found

    def sees_text(self, least: int) -> dict[str, Any]:
        """The first view with so many characters of text."""
        while True:
            view = self.sees()
            if sum(len(text) for _, text in view.get("parts") or ()) >= least:
                return view

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def _looked_at(bench: Bench, run_id: int) -> tuple[str, list[int]]:
    """The running run's window, and the samples that workers have."""
    found: dict[str, Any] = {}

    def there(reader: Any) -> bool:
        live = reader.run_by_id(run_id).live
        found.update(live)
        return bool(live.get("window") and len(live.get("workers") or ()) == 2)

    bench.until(there, "two workers seen")
    return found["window"], [worker["sample_id"] for worker in found["workers"]]


def test_two_visitors_see_two_answers_grow_while_no_file_holds_a_word_and_a_skip_closes_one(bench: Bench) -> None:
    run_id = bench.prepare(2, runaway=False)
    bench.server.behave(Reply(content=PHRASE, reasoning_content="first a thought", stream=SLOWLY))
    session = Session(bench.database, "e")
    thread = threading.Thread(target=session.run)
    thread.start()
    window, samples = _looked_at(bench, run_id)
    visitors = [Visitor(window, sample_id) for sample_id in samples]
    for visitor, sample_id in zip(visitors, samples, strict=True):
        view = visitor.sees_text(200)
        assert (view["sample"], view["over"], view["phase"]) == (sample_id, False, "pass 1")
        assert view["parts"][0] == ["thinking", "first a thought"]
        assert view["parts"][1][1].startswith(PHRASE)
        later = visitor.sees()
        assert len(later["parts"][1][1]) > len(view["parts"][1][1])
    assert not [file for file in bench.root.rglob("*") if file.is_file() and PHRASE.encode() in file.read_bytes()]
    send_command(bench.database, run_id, "skip", [samples[0]])
    while not visitors[0].sees()["over"]:
        pass
    assert eventually(lambda: bench.server.given_up == 1)
    visitors[0].ask(samples[1])
    assert not visitors[0].sees_text(1)["over"]
    session.stop(grace_s=0.0)
    thread.join(30)
    session.close()
    assert eventually(lambda: bench.server.given_up == 2)
    assert sorted(bench.statuses()) == ["pending", "skipped"]
    for visitor in visitors:
        visitor.close()
    assert not Path(window).parent.exists()


def test_pass_2_is_seen_as_such_beside_the_answer_it_reads(bench: Bench) -> None:
    suite = write_suite(
        bench.root / "extracted",
        [{"id": "a", "prompt": "6 times 7?", "expected": "twelve", "evaluator_id": "two_pass"}],
    )
    run_id = bench.prepare(selection=Selection(suite=str(suite)), runaway=False)
    said = "It may be twelve, or forty-two."

    def behave(request: Request) -> Reply:
        return Reply(content=PHRASE, stream=SLOWLY) if said in request.prompt else Reply(content=said)

    bench.server.behave(behave)
    session = Session(bench.database, "e")
    thread = threading.Thread(target=session.run)
    thread.start()
    found: dict[str, Any] = {}

    def there(reader: Any) -> bool:
        found.update(reader.run_by_id(run_id).live)
        return any(worker["phase"] == "pass 2" for worker in found.get("workers") or ())

    bench.until(there, "PASS 2 at work")
    (worker,) = (worker for worker in found["workers"] if worker["phase"] == "pass 2")
    visitor = Visitor(found["window"], worker["sample_id"])
    view = visitor.sees_text(200)
    assert view["phase"] == "pass 2"
    assert found["judging"] == 1
    (kind, answer), (aside, reading) = view["parts"]
    assert ((kind, answer), aside) == (("text", said), "judging")
    assert reading.startswith(PHRASE)
    session.stop(grace_s=0.0)
    thread.join(30)
    session.close()
    visitor.close()


def _looking(under_way: UnderWay) -> Callable[[Activity], dict[str, Any]]:
    return lambda activity: being_written(activity.sample, under_way.of(activity.thread))


def test_calls_and_what_tools_said_are_seen_as_they_come() -> None:
    sample = EvaluationSample(id=7)
    sample.transcript = [
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "1", "name": "find", "arguments": "{}"}]},
        {"role": "tool", "content": "x" * 1000},
    ]
    under_way, answer = UnderWay(), StreamAssembly()
    answer.add(
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "add", "arguments": '{"a'}}]}}]}
    )
    under_way.begin(answer)
    window = Window(lambda: [Activity(sample, "tool loop 2/5", 0.0, threading.get_ident())], _looking(under_way))
    try:
        view = window.view(7)
        assert view["parts"] == [
            ("text", "I look."), ("call", "find({})"), ("result", "x" * 400), ("call", 'add({"a'),
        ]  # fmt: skip
        assert window.view(8) == {"sample": 8, "over": True}
    finally:
        window.close()


def test_thinking_in_tags_is_apart_from_the_answer_while_both_are_written() -> None:
    answer = StreamAssembly()
    answer.add_text("<think>\n2 and 2")
    assert being_written(EvaluationSample(), answer)["parts"] == [("thinking", "2 and 2")]
    answer.add_text(" make 4.</think>\n\nIt is")
    assert being_written(EvaluationSample(), answer)["parts"] == [("thinking", "2 and 2 make 4."), ("text", "It is")]


@pytest.mark.parametrize(("apart_s", "speed"), [(0.001, None), (0.5, 4.0)])
def test_what_came_within_a_few_milliseconds_has_no_speed(
    apart_s: float, speed: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([1.0, 1.0 + apart_s])
    answer = StreamAssembly(started=0.0, clock=lambda: next(times))
    monkeypatch.setattr("modex.core.engine.window.time.monotonic", lambda: 1.5)
    for word in ("It", " is"):
        answer.add({"choices": [{"index": 0, "delta": {"content": word}}]})
    assert being_written(EvaluationSample(), answer)["speed"] == {"first_s": 1.0, "pieces": 2, "per_s": speed}


def test_what_an_extractor_or_a_judge_writes_is_not_shown_as_the_sample_s_own_answer() -> None:
    sample = EvaluationSample(id=7, stage="rollout")
    sample.transcript = [{"role": "assistant", "content": "6 times 7 is 42."}]
    reading = StreamAssembly()
    reading.add_text("<think>I look.</think>42")
    assert being_written(sample, reading)["parts"] == [
        ("text", "6 times 7 is 42."), ("thinking", "I look."), ("judging", "42"),
    ]  # fmt: skip


def test_a_view_is_small_enough_to_be_sent_four_times_a_second() -> None:
    for text in ("plain words ", "漢字", "\x00\x01"):
        under_way, answer = UnderWay(), StreamAssembly()
        for _ in range(3000):
            answer.add_text(text)
        under_way.begin(answer)
        activity = Activity(EvaluationSample(id=7), "pass 1", 0.0, threading.get_ident())
        window = Window(lambda: [activity], _looking(under_way))  # noqa: B023
        view = window.view(7)
        window.close()
        shown = view["parts"][-1][1]
        assert len(json.dumps(view["parts"])) <= _MOST_BYTES
        assert len(shown) <= MOST
        assert view["left_out"] + len(shown) == 3000 * len(text)
        assert (text * 3000).endswith(shown)


def test_a_visitor_for_whom_no_thread_is_to_be_had_is_turned_away_and_the_next_one_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = Window(list, _looking(UnderWay()))
    start, refused = threading.Thread.start, iter([True])

    def starting(thread: threading.Thread) -> None:
        if thread.name == "modex-visitor" and next(refused, False):
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", starting)
    try:
        with socket.socket(socket.AF_UNIX) as first:
            first.settimeout(20)
            first.connect(str(window.path))
            assert first.recv(1) == b""
        visitor = Visitor(str(window.path), 7)
        assert visitor.sees()["over"]
        visitor.close()
    finally:
        window.close()


def test_where_a_socket_s_name_would_be_too_long_nobody_can_look_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    window = Window(list, _looking(UnderWay()))
    assert window.path is None
    window.close()
    assert list(long.iterdir()) == []


def test_the_figures_of_a_streamed_run_are_stored_and_those_of_a_whole_one_are_not(bench: Bench) -> None:
    def behave(request: Request) -> Reply:
        content = "<think>hm hm</think>" + " ".join(["ok"] * 10)
        return Reply(content=content, latency=0.05, stream=Stream(every_s=0.01))

    bench.server.behave(behave)
    for exp_id, stream in (("streamed", True), ("whole", False)):
        bench.prepare(4, exp_id, stream=stream)
        session = Session(bench.database, exp_id)
        assert session.run().status == "completed"
        found = list(session.manager.reader.samples(session.run_row.id))
        session.close()
        assert len(found) == 4
        if stream:
            assert all(sample.ttft_ms is not None and sample.ttft_ms >= 50 for sample in found)
            # How long they are is tested with a clock of its own: on a busy machine words come together.
            assert all(sample.thinking_ms is not None for sample in found)
            assert any(sample.output_tokens_per_s for sample in found)
        else:
            assert {(sample.ttft_ms, sample.thinking_ms, sample.output_tokens_per_s) for sample in found} == {
                (None,) * 3
            }


def test_a_loop_is_an_error_of_its_own_with_its_text(bench: Bench) -> None:
    bench.server.behave(
        lambda request: (
            Reply(content="The same again and again. ", stream=Stream(endless=True, every_s=0.0001))
            if request.index == 0
            else replies.script([Reply("ok")])(request)
        )
    )
    bench.prepare(2, concurrency=1)
    session = Session(bench.database, "e")
    session.run()
    first, second = session.manager.reader.samples(session.run_row.id)
    session.close()
    assert (first.status, first.error_type, first.finish_reason) == ("error", "runaway", "runaway")
    assert (first.response or "").startswith("The same again and again.")
    assert "over and over" in (first.error_message or "") or "times" in (first.error_message or "")
    assert (second.status, first.score) == ("passed", None)


def test_a_folder_that_cannot_be_looked_into_ends_no_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(*_: object) -> object:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "modex-left" / "answers"
    left.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as dead, contextlib.chdir(left.parent):
        dead.bind(left.name)  # a socket's whole path may be longer than one can have
    with monkeypatch.context() as broken:
        broken.setattr(Path, "glob", fails)
        sweep()
    assert left.is_socket(), "what cannot be looked at stays"
    sweep()
    assert not left.parent.exists(), "and is swept when it can be"
