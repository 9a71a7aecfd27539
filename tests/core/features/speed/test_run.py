"""A speed test at work, with a model that answers at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.features.speed import run as module
from modex.core.features.speed.run import Load, _fill, _Test, measure, prompt
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.foundation.usage import Usage
from modex.core.llm.timing import Timing
from modex.core.llm.types import Completion
from modex.core.store.database import open_database
from modex.core.store.lock import is_held
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.store.writer import Writer
from tests.core.store.stores import CONFIG
from tests.rows import each_row


class _Client:
    """A model whose every call costs a quarter; `answer` is told the number of the call."""

    def __init__(self, answer: Callable[[int], Exception | None] = lambda _: None) -> None:
        self._answer = answer
        self.calls = 0

    def complete(self, messages: Any) -> Completion:
        self.calls += 1
        if (error := self._answer(self.calls)) is not None:
            raise error
        return Completion("text", usage=Usage(prompt=3, completion=2), cost_usd=0.25, duration_ms=7)


def _run(tmp_path: Path, load: Load, client: _Client) -> tuple[str | None, list[EvaluationSample], list[str], int]:
    manager = DBDataManager(tmp_path / "m.db")
    run_id = manager.create_run("e", CONFIG)
    writer = Writer(open_database(manager.path), run_id)
    said: list[str] = []
    told: list[None] = []
    given: Any = client
    try:
        test = _Test(manager, run_id, writer, given, load=load, say=said.append, told=lambda: told.append(None))
        reason = test.run()
    finally:
        writer.close()
    samples = list(manager.reader.samples(run_id))
    manager.close()
    return reason, samples, said, len(told)


@each_row(
    ("load", "points"),
    [
        (Load((1, 2), (8, 9), requests=1), [(8, 1, 2), (8, 2, 4), (9, 1, 2), (9, 2, 4)]),
        (Load(), [(128, 1, 8), (128, 2, 8), (128, 4, 8), (128, 8, 16), (128, 16, 32)]),
        (Load((3,), (8,), requests=7), [(8, 3, 7)]),
        (Load((4,), (8,), requests=7), [(8, 4, 8)]),
    ],
)
def test_a_point_has_two_calls_for_each_worker_at_least(load: Load, points: list[tuple[int, int, int]]) -> None:
    assert list(load.points()) == points


def test_every_point_is_asked_in_order_after_a_call_for_each_length_that_does_not_count(tmp_path: Path) -> None:
    client = _Client()
    reason, samples, said, told = _run(tmp_path, Load((1, 2), (30,), requests=2), client)
    assert reason is None
    assert client.calls == 1 + 2 + 4
    assert said == ["30 tokens in, 1 at once: 2 calls", "30 tokens in, 2 at once: 4 calls"]
    assert told == 6
    assert [(one.domain, one.test_id, one.cluster) for one in samples] == [
        ("30 tokens in", f"{at_once} at once/{number}", str(at_once))
        for at_once in (1, 2)
        for number in range(1, 2 * at_once + 1)
    ]
    assert {
        (one.stage, one.response, one.prompt_tokens, one.completion_tokens, one.cost_usd, one.duration_ms)
        for one in samples
    } == {("rollout", "text", 3, 2, 0.25, 7)}
    assert all(one.started_at and one.completed_at for one in samples)


@pytest.mark.parametrize(
    ("limit", "calls", "reason"),
    [
        (0.25, 1, "the budget of $0.25 is spent"),
        (0.5, 2, "the budget of $0.5 is spent"),
        (1.0, 4, "the budget of $1 is spent"),
        (1.25, 5, None),
        (None, 5, None),
    ],
)
def test_no_call_begins_once_the_budget_is_spent(
    tmp_path: Path, limit: float | None, calls: int, reason: str | None
) -> None:
    client = _Client()
    found = _run(tmp_path, Load((1,), (30,), requests=4, max_cost_usd=limit), client)
    assert (client.calls, found[0]) == (calls, reason)


def test_no_call_begins_once_the_time_is_over(tmp_path: Path) -> None:
    client = _Client()
    reason, samples, said, told = _run(tmp_path, Load((1,), (30,), max_seconds=0.0), client)
    assert (reason, client.calls, samples, said, told) == ("its 0 seconds are over", 1, [], [], 0)


def test_a_call_that_fails_is_stored_and_the_next_is_made_unless_none_can_succeed(tmp_path: Path) -> None:
    errors: dict[int, Exception] = {
        2: ModelCallError("slow", ErrorType.TIMEOUT),
        3: ValueError("odd"),
        5: ModelCallError("no such key", ErrorType.AUTHENTICATION, fatal=True),
    }
    client = _Client(errors.get)
    reason, samples, _, told = _run(tmp_path, Load((1,), (30,), requests=6), client)
    assert reason == "no such key"
    assert client.calls == 5
    assert told == 4
    assert [(one.status, one.error_type, one.error_message) for one in samples] == [
        ("error", "timeout", "slow"),
        ("error", "internal_error", "ValueError: odd"),
        ("pending", None, None),
        ("error", "authentication", "no such key"),
        ("pending", None, None),
        ("pending", None, None),
    ]


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (None, "completed", None),
        (ModelCallError("no such key", ErrorType.AUTHENTICATION, fatal=True), "stopped", "no such key"),
        (KeyboardInterrupt(), "stopped", "interrupted"),
        (RuntimeError("odd"), "error", None),
    ],
)
def test_a_test_is_stored_with_how_it_ended_and_lets_its_run_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException | None, status: str, reason: str | None
) -> None:
    writers: list[Writer] = []

    class Kept(Writer):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            writers.append(self)

    fails_at = 2 if isinstance(error, ModelCallError) else 1
    client = _Client(lambda call: error if call == fails_at else None)  # type: ignore[arg-type,return-value]
    specs: list[ModelSpec] = []

    def opened(spec: ModelSpec, **_: object) -> _Client:
        specs.append(spec)
        return client

    monkeypatch.setattr(module, "open_client", opened)
    monkeypatch.setattr(module, "Writer", Kept)
    told: list[None] = []

    def ask() -> str:
        return measure(
            tmp_path / "m.db", ModelSpec(model="demo/strong"), Load((1, 3), (30,), output_tokens=33, requests=2),
            exp_id="fast", timeout_s=5.0, say=lambda _: None, told=lambda: told.append(None),
        )  # fmt: skip

    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError):
            ask()
    else:
        assert ask() == "fast"
    assert [one.max_tokens for one in specs] == [33]
    manager = DBDataManager(tmp_path / "m.db")
    run = manager.reader.run("fast")
    assert (run.kind, run.status, run.reason, run.live) == ("speed", status, reason, {})
    assert run.completed_at is not None
    assert run.config["concurrency"] == 3
    assert (run.total_tests, len(told)) == ((8, 8) if error is None else (2, 1) if reason == "no such key" else (0, 0))
    assert not is_held(manager.path, run.id)
    manager.close()
    assert not writers[0]._thread.is_alive()


def test_prompts_are_as_long_as_asked_and_differ_from_their_first_word() -> None:
    assert prompt(128, 3) == prompt(128, 3)
    assert [len(prompt(tokens, 0).split(": ", 2)[2].split()) for tokens in (0, 25, 26, 128)] == [1, 1, 2, 104]
    assert [prompt(64, number).split(":")[0] for number in (-1, 0, 1)] == ["1", "2", "3"]
    assert prompt(64, 0).split(": ", 2)[2] != prompt(64, 1).split(": ", 2)[2]
    assert module.INTERRUPTED == "interrupted"


def test_a_call_that_was_not_streamed_has_no_speed() -> None:
    sample = EvaluationSample()
    _fill(sample, Completion("a", usage=Usage(prompt=1, completion=0, reasoning=5, cached=6), attempts=2))
    assert (sample.ttft_ms, sample.output_tokens_per_s, sample.completion_tokens) == (None, None, 0)
    assert (sample.reasoning_tokens, sample.cached_tokens, sample.attempts, sample.flags) == (5, 6, 2, [])


@each_row(("tokens", "counted", "per_s", "flags"), [(21, 21, 10.0, []), (0, 11, 5.0, ["speed_estimated"])])
def test_a_streamed_call_has_its_speed_by_tokens_or_by_the_events_of_its_stream(
    tokens: int, counted: int, per_s: float, flags: list[str]
) -> None:
    sample = EvaluationSample()
    _fill(sample, Completion("a", usage=Usage(completion=tokens), timing=Timing(0.5, 1.5, 2.0, 11)))
    assert (sample.ttft_ms, sample.thinking_ms, sample.completion_tokens, sample.flags) == (500, 1500, counted, flags)
    assert sample.output_tokens_per_s == pytest.approx(per_s)
