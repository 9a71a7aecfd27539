"""Between columns and objects: which sample fields are stored how, and the light rows that viewers read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.store.clock import parse
from core.store.exact import decode_json, decode_text, encode_json, encode_text
from core.store.sample import SAMPLE_FIELDS, EvaluationSample, SampleStage, SampleStatus

_STARTING_S = 20.0
"""How long a launched runner may take to hold its run."""
JSON_FIELDS = frozenset({"prompt_layers", "expected", "transcript", "details", "definition", "flags"})
TEXT_FIELDS = frozenset(
    {
        "error_message",
        "system_prompt",
        "prompt",
        "response",
        "reasoning",
        "extracted_answer",
        "name",
        "test_id",
        "finish_reason",
    }
)

ROLLOUT_FIELDS: tuple[str, ...] = (
    "stage", "status", "error_type", "error_message", "response", "reasoning", "transcript", "flags", "finish_reason",
    "attempts", "prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens", "cost_usd", "duration_ms",
    "rollout_fingerprint", "started_at",
)  # fmt: skip
"""What a rollout writes."""

VERDICT_FIELDS: tuple[str, ...] = (
    "stage", "status", "error_type", "error_message", "extracted_answer", "pass2_used", "score", "details",
    "judge_prompt_tokens", "judge_completion_tokens", "judge_cost_usd", "judge_duration_ms", "judge_fingerprint",
    "completed_at",
)  # fmt: skip
"""What a judgement writes."""

PLAN_FIELDS: tuple[str, ...] = tuple(name for name in SAMPLE_FIELDS if name not in ("id", "seq"))
"""What planning inserts."""


def to_column(name: str, value: Any) -> Any:
    """A field's value as its column holds it."""
    if value is None:
        return None
    if name in JSON_FIELDS:
        return encode_json(value)
    if name in TEXT_FIELDS:
        return encode_text(value)
    return value


def from_column(name: str, value: Any) -> Any:
    """Undo `to_column`."""
    if value is None:
        return None
    if name in JSON_FIELDS:
        return decode_json(value)
    if name in TEXT_FIELDS:
        return decode_text(value)
    return bool(value) if name == "pass2_used" else value


def sample_from_row(row: tuple[Any, ...]) -> EvaluationSample:
    """A sample from a row that has every field in `SAMPLE_FIELDS`' order."""
    return EvaluationSample(**{name: from_column(name, value) for name, value in zip(SAMPLE_FIELDS, row, strict=True)})


@dataclass(frozen=True, slots=True)
class SampleHead:
    """A sample without its long texts: what lists, the matrix and the log need."""

    id: int
    seq: int
    position: int
    source: str
    domain: str
    level: int
    test_id: str
    epoch: int
    name: str
    stage: SampleStage
    status: SampleStatus
    score: float | None
    weight: float
    evaluator_id: str
    error_type: str | None
    error_message: str | None
    extracted_answer: str | None
    """Its first 200 characters; the response's beginning where nothing was extracted."""
    expected: str | None
    """The JSON's first 200 characters."""
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    duration_ms: int
    started_at: str | None
    completed_at: str | None
    flags: str


_HEAD_SQL = {
    "error_message": "substr(error_message, 1, 300)",
    "extracted_answer": "substr(coalesce(extracted_answer, response), 1, 200)",
    "expected": "substr(expected, 1, 200)",
}
HEAD_COLUMNS = ", ".join(_HEAD_SQL.get(name, name) for name in SampleHead.__dataclass_fields__)


def head_from_row(row: tuple[Any, ...]) -> SampleHead:
    """A head from a row of `HEAD_COLUMNS`."""
    head = SampleHead(*row)
    for name in ("error_message", "extracted_answer", "test_id", "name"):
        value = getattr(head, name)
        if value is not None and value[:1] == "\ufdd0":
            object.__setattr__(head, name, decode_text(value))
    return head


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of a run's log."""

    seq: int
    at: str
    kind: str
    result_id: int | None
    message: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as lists and headers show it."""

    id: int
    exp_id: str
    model: str
    status: str
    """As stored; see `state` for what a person should see."""
    started_at: str | None
    completed_at: str | None
    overall_score: float | None
    ci_low: float | None
    ci_high: float | None
    total_tests: int
    passed_tests: int
    failed_tests: int
    error_tests: int
    skipped_tests: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    unpriced_calls: int
    duration_ms: int
    reason: str | None
    seq: int
    config: dict[str, Any] = field(default_factory=dict)
    metrics: dict[str, Any] = field(default_factory=dict)
    live: dict[str, Any] = field(default_factory=dict)
    alive: bool = False
    """Whether a runner process holds the run now."""

    @property
    def state(self) -> str:
        """The status a person should see: a run that nobody holds is `starting` for a moment, else `interrupted`."""
        if self.status not in ("running", "paused") or self.alive:
            return self.status
        begun = self.live.get("starting")
        if isinstance(begun, str) and abs((datetime.now(UTC) - parse(begun)).total_seconds()) < _STARTING_S:
            return "starting"
        return "interrupted"

    @property
    def going(self) -> bool:
        """Whether somebody works on it, or is about to."""
        return self.alive or self.state == "starting"

    @property
    def done_tests(self) -> int:
        """Samples that need nothing more."""
        return self.passed_tests + self.failed_tests + self.error_tests + self.skipped_tests


RUN_COLUMNS = ", ".join(name for name in RunRow.__dataclass_fields__ if name != "alive")
_RUN_PLAIN = [name for name in RunRow.__dataclass_fields__ if name not in ("config", "metrics", "live", "alive")]


def run_from_row(row: tuple[Any, ...], alive: bool) -> RunRow:
    """A run from a row of `RUN_COLUMNS`."""
    plain = dict(zip(_RUN_PLAIN, row, strict=False))
    config, metrics, live = (decode_json(value) or {} for value in row[len(_RUN_PLAIN) :])
    return RunRow(**plain, config=config, metrics=metrics, live=live, alive=alive)
