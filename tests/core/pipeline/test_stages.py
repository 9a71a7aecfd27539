"""What becomes of a sample at each stage, and of what fails on the way, with nobody asked."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, cast

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.evaluators.base import EvaluationResult
from modex.core.foundation.errors import ErrorType, JudgeError, ModelCallError, ModexError
from modex.core.llm.gate import Interrupted
from modex.core.llm.types import Usage
from modex.core.pipeline import benchmark as module
from modex.core.pipeline.benchmark import _ALL_FIELDS, _JUDGE_FIELDS, BaseBenchmark, spent_on
from modex.core.pipeline.long_answers import LONG, AbandonedError
from modex.core.pipeline.processers.base import BaseProcesser
from modex.core.pipeline.run_context import RunContext
from modex.core.store.sample import EvaluationSample
from modex.core.store.simulated import SimulatedUser
from modex.core.store.writer import Spent
from tests.rows import each_row


class Saved:
    """A writer that remembers what it was to store."""

    def __init__(self) -> None:
        self.saved: list[dict[str, Any]] = []

    def save(self, sample: EvaluationSample, fields: tuple[str, ...], **more: Any) -> Future[None]:
        self.saved.append({"stage": sample.stage, "status": sample.status, "fields": fields, **more})
        done: Future[None] = Future()
        done.set_result(None)
        return done


class Judging(BaseProcesser):
    """Judges as it is told to."""

    answer: Any = None
    asks_itself = False

    @classmethod
    def judges_itself(cls) -> bool:
        return cls.asks_itself

    def judge_one(self, sample: EvaluationSample, context: Any) -> EvaluationResult:
        if isinstance(self.answer, Exception):
            raise self.answer
        return cast(EvaluationResult, self.answer)


class Bench(BaseBenchmark):
    """Asks nobody: the rollout gives what it is told to."""

    def __init__(self, *, asks: bool = False, config: RunConfig | None = None) -> None:
        self.processer = Judging()
        self.phases: list[str] = []
        context = SimpleNamespace(
            progress=lambda sample, phase: self.phases.append(phase),
            config=config or RunConfig(model=ModelSpec(model="demo")), extracts=lambda *_: asks, is_judged=lambda *_: False,
            looking=RunContext.looking.__get__(SimpleNamespace(long_answers=None, stop=threading.Event())),
        )  # fmt: skip
        super().__init__(cast(Any, None), 1, cast(Any, context))

    def processer_of(self, sample: EvaluationSample) -> BaseProcesser:
        return self.processer

    def judge_fingerprint(self, sample: EvaluationSample) -> str:
        return "judged so"


CIRCLE: dict[str, Any] = {}
CIRCLE["a"] = CIRCLE
FINE = EvaluationResult(1.0, extracted_answer="4")


@pytest.fixture
def rolled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the model under test answers; an exception is raised."""
    answers: list[Any] = []

    released: list[Any] = []

    def roll_out(asking: Any) -> None:
        assert asking not in released, "its tools are there as long as it asks"
        answer = answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        asking.rollout.response = answer

    class Asking:
        noted = None

        def __init__(self, sample: EvaluationSample, context: Any, **_: Any) -> None:
            self.counted, self.counted_usd = Usage(), 0.0
            self.rollout = SimpleNamespace(transcript=[{"role": "user"}], response=None)
            self.rollout.store_in = lambda sample: setattr(sample, "response", self.rollout.response)

        def keep_workspace(self) -> None:
            assert self not in released, "its workspace is kept before it is closed"

        def release(self) -> None:
            released.append(self)

    monkeypatch.setattr(module, "roll_out", roll_out)
    monkeypatch.setattr(module, "Asking", Asking)
    monkeypatch.setattr(module, "now", lambda: "now")
    monkeypatch.setattr(module, "host_limits", lambda: "2 of 4 cores")
    return answers


def sample(**fields: Any) -> EvaluationSample:
    return EvaluationSample(**{"evaluator_id": "match", **fields})


STAGES: list[tuple[str, dict[str, Any], Any, Any, list[tuple[str, str, bool, str]]]] = [
    # until, the sample, the model's answer, the verdict, what is stored: stage, status, whether all fields, and what stood before
    ("judge", {}, "4", FINE, [("judged", "passed", True, "pending")]),
    ("rollout", {}, "4", FINE, [("rollout", "pending", True, "pending")]),
    ("judge", {}, "x" * LONG, FINE, [("rollout", "running", True, "pending"), ("judged", "passed", False, "running")]),
    ("judge", {}, "x" * (LONG - 1), FINE, [("judged", "passed", True, "pending")]),
    ("judge", {}, ModelCallError("no", ErrorType.TIMEOUT), FINE, [("init", "error", True, "pending")]),
    ("judge", {}, "4", JudgeError("odd"), [("rollout", "error", True, "pending")]),
    ("judge", {"stage": "rollout", "status": "running"}, None, FINE, [("judged", "passed", False, "running")]),
    ("judge", {"stage": "judged", "status": "failed"}, None, FINE, [("judged", "passed", False, "failed")]),
]


@pytest.mark.parametrize(("until", "fields", "answer", "verdict", "stored"), STAGES, ids=range(len(STAGES)))
def test_a_sample_is_stored_at_each_stage_that_it_reaches(
    rolled: list[Any],
    until: Any,
    fields: dict[str, Any],
    answer: Any,
    verdict: Any,
    stored: list[tuple[str, str, bool, str]],
) -> None:
    bench, writer, one = Bench(), Saved(), sample(**fields)
    bench.context.looking = lambda _: threading.Lock()  # type: ignore[assignment,method-assign,return-value]
    bench.processer.answer = verdict
    rolled.append(answer)
    assert bench.process(one, writer, until) is None  # type: ignore[arg-type]
    assert [
        (each["stage"], each["status"], each["fields"] == _ALL_FIELDS, each["before"]) for each in writer.saved
    ] == stored
    for each in writer.saved:
        assert each["fields"] in (_ALL_FIELDS, _JUDGE_FIELDS)
        assert each.get("keep_earlier", False) == (fields.get("stage") == "judged")


@pytest.mark.parametrize("itself", [True, False])
def test_an_answer_is_on_the_disk_before_a_judgement_asks_a_model(
    monkeypatch: pytest.MonkeyPatch, rolled: list[Any], itself: bool
) -> None:
    bench, writer, one = Bench(asks=not itself), Saved(), sample(prompt_tokens=5)
    monkeypatch.setattr(Judging, "asks_itself", itself)
    bench.processer.answer = FINE
    rolled.append("4")
    bench.process(one, writer, "judge")  # type: ignore[arg-type]
    assert [(each["stage"], each["status"]) for each in writer.saved] == [("rollout", "running"), ("judged", "passed")]
    assert [each["spent"] for each in writer.saved] == [Spent(5, 0, 0.0), Spent(0, 0, 0.0)]


@pytest.mark.parametrize("fatal", [True, False])
def test_a_failure_that_every_call_would_meet_ends_the_run_and_is_not_stored(rolled: list[Any], fatal: bool) -> None:
    error = ModelCallError("bad key", ErrorType.AUTHENTICATION, fatal=fatal)
    bench, writer, one = Bench(), Saved(), sample()
    rolled.append(error)
    assert bench.process(one, writer, "judge") is (error if fatal else None)  # type: ignore[arg-type]
    assert len(writer.saved) == (0 if fatal else 1)
    asked = sample(stage="rollout", status="running")
    bench.processer.answer = error
    assert bench.process(asked, writer, "judge") is (error if fatal else None)  # type: ignore[arg-type]
    assert len(writer.saved) == (0 if fatal else 2)


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ModelCallError("refused", ErrorType.BAD_REQUEST), "bad_request", "refused"),
        (ValueError("odd"), "internal_error", "ValueError: odd (core/pipeline/test_stages.py:"),
    ],
)
def test_a_rollout_that_fails_says_how(rolled: list[Any], error: Exception, kind: str, said: str) -> None:
    bench, one = Bench(), sample(score=0.5, reason="of before")
    rolled.append(error)
    bench.rollout_one(one)
    assert (one.stage, one.status, one.error_type, one.score, one.reason) == ("init", "error", kind, None, None)
    assert str(one.error_message).startswith(said)
    assert (one.started_at, one.completed_at, one.host_limits) == ("now", "now", "2 of 4 cores")
    rolled.append("4")
    assert bench.rollout_one(one) is None
    assert (one.stage, one.status, one.error_type, one.error_message, one.response) == (
        "rollout",
        "pending",
        None,
        None,
        "4",
    )
    assert one.transcript == [{"role": "user"}]
    rolled.append(Interrupted())
    with pytest.raises(Interrupted):
        bench.rollout_one(one)


@pytest.mark.parametrize(
    ("verdict", "kind", "said"),
    [
        (ModelCallError("long", ErrorType.CONTEXT_WINDOW), "judge_refused", "judging: long (context_window)"),
        (ModelCallError("slow", ErrorType.TIMEOUT), "timeout", "judging: slow"),
        (JudgeError("odd"), "judge_error", "odd"),
        (JudgeError("odd", ErrorType.EXTRACTION_ERROR), "extraction_error", "odd"),
        (ModexError("wrong file"), "evaluator_error", "wrong file"),
        (LookupError("x"), "evaluator_error", "LookupError: x ("),
        (EvaluationResult(1.0, details=CIRCLE), "evaluator_error", ""),
        ("no result", "evaluator_error", ""),
    ],
)
def test_a_judgement_that_fails_keeps_the_answer_and_says_how(
    rolled: list[Any], verdict: Any, kind: str, said: str
) -> None:
    bench, one = Bench(), sample(stage="rollout", response="4", score=0.5, judge_fingerprint="before")
    bench.processer.answer = verdict
    assert bench.judge_one(one) is None
    assert (one.stage, one.status, one.error_type, one.response, one.score) == ("rollout", "error", kind, "4", None)
    assert str(one.error_message).startswith(said)
    assert (one.judge_fingerprint, bench.phases, one.completed_at) == (None, ["judge"], "now")
    bench.processer.answer = Interrupted()
    with pytest.raises(Interrupted):
        bench.judge_one(one)


def test_a_verdict_is_stored_whole(rolled: list[Any]) -> None:
    bench, one = (
        Bench(),
        sample(stage="rollout", response="It is 4.", expected=4, error_type="timeout", error_message="before"),
    )
    bench.processer.answer = EvaluationResult(0.0, extracted_answer="5", pass2_used=True, details={"n": 1})
    assert bench.judge_one(one) is None
    assert (one.stage, one.status, one.score, one.extracted_answer, one.pass2_used) == (
        "judged",
        "failed",
        0.0,
        "5",
        True,
    )
    assert (one.details["n"], one.error_type, one.error_message, one.judge_fingerprint) == (1, None, None, "judged so")


def test_a_long_answer_that_nobody_waits_for_any_more_interrupts_its_judgement(rolled: list[Any]) -> None:
    class Abandoned:
        def turn(self, stop: object) -> Any:
            raise AbandonedError

    bench, one = Bench(), sample(stage="rollout", response="x" * LONG)
    looking = SimpleNamespace(long_answers=Abandoned(), stop=threading.Event())
    bench.context.looking = RunContext.looking.__get__(looking)  # type: ignore[method-assign]
    bench.processer.answer = FINE
    with pytest.raises(Interrupted):
        bench.judge_one(one)
    one.response = "x" * (LONG - 1)
    assert bench.judge_one(one) is None
    assert one.status == "passed"


@each_row(
    ("stage", "status", "after", "whole", "earlier"),
    [
        ("init", "running", "init", True, False),
        ("rollout", "running", "rollout", False, False),
        ("judged", "failed", "rollout", False, True),
    ],
)
def test_a_sample_that_cannot_be_moved_is_an_error_of_the_stage_that_it_had_not_reached(
    stage: Any, status: Any, after: str, whole: bool, earlier: bool
) -> None:
    writer, one = Saved(), sample(stage=stage, status=status)
    Bench().fail(one, writer, "y" * 3000)  # type: ignore[arg-type]
    ((saved),) = writer.saved
    assert (saved["stage"], saved["status"], saved["before"], saved["keep_earlier"]) == (
        after,
        "error",
        status,
        earlier,
    )
    assert saved["fields"] == (_ALL_FIELDS if whole else _JUDGE_FIELDS)
    assert (one.error_type, len(one.error_message or "")) == ("internal_error", 2000)


@each_row(
    ("cost", "user", "spent"),
    [
        (0.5, None, Spent(1, 20, 0.5)),
        (None, None, Spent(1, 20, None)),
        (0.5, 0.25, Spent(301, 4020, 0.75)),
        (None, 0.25, Spent(301, 4020, None)),
        (0.5, "unknown", Spent(301, 4020, None)),
        (0.0, 0.25, Spent(301, 4020, 0.25)),
    ],
)
def test_what_a_simulated_user_cost_is_spent_too(cost: float | None, user: Any, spent: Spent) -> None:
    played = SimulatedUser(prompt_tokens=300, completion_tokens=4000, cost_usd=None if user == "unknown" else user)
    one = sample(prompt_tokens=1, completion_tokens=20, cost_usd=cost, simulated_user=None if user is None else played)
    assert spent_on(one) == spent


@each_row(
    ("until", "judging", "more", "chosen", "stages", "only", "again"),
    [
        ("stat", None, None, None, ("rollout", "judge"), False, False),
        ("rollout", None, None, None, ("rollout",), False, False),
        ("stat", "changed", None, None, ("judge",), False, False),
        ("rollout", "all", None, None, ("judge",), False, True),
        ("stat", None, 50, None, ("rollout", "judge"), True, False),
        ("stat", None, 50, "some", ("rollout", "judge"), False, False),
        ("stat", "all", 50, None, ("judge",), False, True),
    ],
)
def test_what_is_planned_follows_from_how_far_a_run_goes_and_what_is_asked_again(
    until: Any, judging: Any, more: int | None, chosen: Any, stages: tuple[str, ...], only: bool, again: bool
) -> None:
    asked: list[dict[str, Any]] = []

    class Manager:
        reader = SimpleNamespace(ids_with_part=lambda *_: [])

        def plan(self, run_id: int, samples: Any, **wanted: Any) -> str:
            asked.append(wanted)
            return "planned"

        def plan_unchanged(self, run_id: int, unchanged: int, **_: Any) -> str | None:
            return "as before" if unchanged == 7 else None

        def load(self, ids: list[int]) -> list[int]:
            return ids

    config = RunConfig(model=ModelSpec(model="demo"), until=until, more_tokens=more)
    bench = Bench(config=config)
    bench.manager = cast(Any, Manager())
    assert bench.preprocess([], judging=judging, chosen=chosen, unchanged=8) == "planned"  # type: ignore[comparison-overlap]
    ((wanted),) = asked
    assert (wanted["stages"], wanted["only"] is not None, wanted["rejudge"], wanted["chosen"]) == (
        stages,
        only,
        again,
        chosen,
    )
    assert bench.preprocess([], unchanged=7) == "as before"  # type: ignore[comparison-overlap]
    ids = list(range(450))
    assert cast(Any, [*bench._planned(cast(Any, SimpleNamespace(to_do=ids)))]) == ids
