"""Between columns and objects: rows become samples, heads and runs; what is damaged in one row stays in that row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from modex.core.store.columns import Decoder, Exact, Json, Time, columns_of
from modex.core.store.sample import (
    SAMPLE_COLUMNS,
    SAMPLE_FIELDS,
    STATUSES,
    EvaluationSample,
    SampleStage,
    SampleStatus,
    stored_values,
    without_places,
)
from modex.core.store.soundness import sound_metrics, sound_pulse

RunStatus = Literal["running", "paused", "completed", "stopped", "aborted", "error"]

_DAMAGED = "damaged_row"
_STATUSES = frozenset(STATUSES)


def known_status(stored: Any) -> SampleStatus:
    """A stored status; a value that is none is damage of that row, and counts as an error."""
    return stored if stored in _STATUSES else "error"


def whole_level(stored: Any) -> int:
    """A stored level; a value that is no number is damage of that row, which is then counted at level 1."""
    return stored if isinstance(stored, int) else 1


def to_column(name: str, value: Any) -> Any:
    """A sample field's value as its column holds it."""
    return SAMPLE_COLUMNS[name].encode(value)


def from_column(name: str, stored: Any) -> Any:
    """Undo `to_column`.

    Raises:
        DamagedValueError: something else stands there.
    """
    return SAMPLE_COLUMNS[name].decode(stored)


_SAMPLES = Decoder(SAMPLE_COLUMNS.values())


def sample_from_row(row: tuple[Any, ...]) -> EvaluationSample:
    """A sample from a row that has every field in `SAMPLE_FIELDS`' order; a damaged one is an `error` that says so."""
    values, damage = _SAMPLES.decode(row)
    sample = EvaluationSample(*values)
    if damage:
        sample.status, sample.error_type, sample.error_message, sample.score = "error", _DAMAGED, damage, None
    return sample


def is_damaged(sample: EvaluationSample) -> bool:
    """Whether something of the sample's row could not be read."""
    return sample.error_type == _DAMAGED


_PLAIN = Decoder(SAMPLE_COLUMNS.values(), as_json=True)


def document_from_row(row: tuple[Any, ...]) -> list[Any]:
    """`stored_values` of the sample that a row holds, with the sentence why as `reason`, without making a sample of it."""
    values, damage = _PLAIN.decode(row)
    if damage:
        sample = sample_from_row(row)
        return list({**stored_values(sample), "reason": sample.why}.values())
    if (definition := values[_DEFINITION]).get("attachments"):
        values[_DEFINITION] = without_places({"definition": definition})["definition"]
    if not values[_REASON]:
        from modex.core.verdict import reason_in  # takes long to import, and most rows have a reason of their own

        values[_REASON] = reason_in(values[_DETAILS], passed=values[_STATUS] == "passed")
    return values


_DEFINITION, _REASON, _DETAILS, _STATUS = map(SAMPLE_FIELDS.index, ("definition", "reason", "details", "status"))


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
    ttft_ms: float | None
    output_tokens_per_s: float | None
    started_at: str | None
    completed_at: str | None
    flags: str
    reason: str | None
    """Why the verdict is as it is; None for those that 0.1.0 stored."""


HEAD_FIELDS: tuple[str, ...] = tuple(SampleHead.__dataclass_fields__)
_RAW = frozenset({"expected", "flags"})
"""JSON that a head holds as text, cut off where it is long."""
_HEADS = Decoder(
    replace(SAMPLE_COLUMNS[name], held=None, kind=str, null=True) if name in _RAW else SAMPLE_COLUMNS[name]
    for name in HEAD_FIELDS
)


def head_from_row(row: tuple[Any, ...]) -> SampleHead:
    """A head from a row that has `HEAD_FIELDS`; a damaged one is an `error` that says so."""
    values, damage = _HEADS.decode(row)
    head = SampleHead(*values)
    return replace(head, status="error", error_type=_DAMAGED, error_message=damage, score=None) if damage else head


def values_from_row(names: Sequence[str], row: tuple[Any, ...]) -> dict[str, Any]:
    """The values of some of a sample's fields by name; what is damaged reads as its default."""
    values, _ = Decoder(SAMPLE_COLUMNS[name] for name in names).decode(row)
    return dict(zip(names, values, strict=True))


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
    exp_id: str = ""
    model: str = ""
    status: RunStatus = "running"
    """As stored; see `state` for what a person should see."""
    started_at: Time | None = None
    completed_at: Time | None = None
    overall_score: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    unsettled: int | None = None
    """Samples without a verdict for a reason that the model can cause, when `stat` last looked; None before it did."""
    bound_low: float | None = None
    """The Weighted Score if all of those were wrong; None without any."""
    bound_high: float | None = None
    """If all were right."""
    total_tests: int = 0
    passed_tests: int = 0
    failed_tests: int = 0
    error_tests: int = 0
    skipped_tests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_calls: int = 0
    """Samples whose cost is unknown and therefore not in `cost_usd`."""
    duration_ms: int = 0
    reason: Exact | None = None
    """Why the run is paused, stopped or aborted, for a person."""
    seq: int = 0
    """The newest change of the run; viewers ask for what is newer than they have seen."""
    kind: str = "evaluation"
    """What the run is for: `evaluation`, or what a command that needs runs of its own calls its kind."""
    note: Exact | None = None
    """What a person wrote about the run."""
    archived: bool = False
    """Whether a person put the run away; lists leave it out unless asked."""
    config: Json[dict[str, Any]] = field(default_factory=dict)
    metrics: Json[dict[str, Any]] = field(default_factory=dict)
    """What each source's processer calculated in `stat`: `{source: {...}}`."""
    pace: Json[dict[str, Any]] = field(default_factory=dict)
    """How fast its answers came, as `stat` found it: `Pace.as_dict()` (`core/store/speeds.py`); empty where none was streamed."""
    hosts: Json[list[dict[str, Any]]] = field(default_factory=list)
    """On which machines its samples were asked, as `stat` found it: what `hosts_of` gives (`core/store/hosts.py`)."""
    served: Json[list[dict[str, Any]]] = field(default_factory=list)
    """How its models were served by this program: file, digest, server, context, slots, memory (`core/llm/served/facts.py`)."""
    judged_by: Json[dict[str, Any]] = field(default_factory=dict)
    """The LLM judges that last judged it, by evaluator: `{"models", "model", "prompt"}`, the last two digests of the judges with
    their settings and of what they are told."""
    plan: Json[dict[str, Any]] = field(default_factory=dict)
    """What its last plan was made of and found (`core/pipeline/unchanged.py`); empty where a resume reads all tests again."""
    live: Json[dict[str, Any]] = field(default_factory=dict)
    """The runner's pulse: in flight, limit, retries, holds, workers; written while it runs."""
    alive: bool = False
    """Whether a runner process holds the run now."""

    @property
    def state(self) -> str:
        """The status a person should see: a held run is `starting` until work begins, one that nobody holds `interrupted`."""
        if self.status not in ("running", "paused"):
            return self.status
        if not self.alive:
            return "interrupted"
        return "starting" if "starting" in self.live else self.status

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The scores that samples without a verdict leave the run between, as stored; None where none bounds it."""
        if not self.unsettled or self.bound_low is None or self.bound_high is None:
            return None
        return self.bound_low, self.bound_high

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval that may stand beside the score; none beside bounds: it is of the answers with a verdict alone, and so
        narrower than what is known."""
        if self.bounds is not None or self.ci_low is None or self.ci_high is None:
            return None
        return self.ci_low, self.ci_high

    @property
    def least_score(self) -> float | None:
        """The score that is certain: the lower bound, where samples without a verdict bound it; None without any score."""
        return self.overall_score if self.bounds is None else self.bounds[0]

    @property
    def suite(self) -> str | None:
        """The folder of the suite that it asked; None for the bundled one, and for datasets alone."""
        selection = self.config.get("selection")
        suite = selection.get("suite") if isinstance(selection, dict) else None
        return suite if isinstance(suite, str) else None

    @property
    def going(self) -> bool:
        """Whether somebody works on it, or is about to."""
        return self.alive

    @property
    def done_tests(self) -> int:
        """Samples that need nothing more."""
        return self.passed_tests + self.failed_tests + self.error_tests + self.skipped_tests


RUN_COLUMNS = columns_of(RunRow, without=frozenset({"alive"}))
"""Every stored field of a run, in the order of the fields."""
_RUNS = Decoder(RUN_COLUMNS.values())


def run_from_row(row: tuple[Any, ...]) -> RunRow:
    """A run from a row of `RUN_COLUMNS`; a damaged one has the status `error` and says so as its reason."""
    values, damage = _RUNS.decode(row)
    run = RunRow(*values)
    live, pulse = sound_pulse(run.live)
    metrics, numbers = sound_metrics(run.metrics)
    if pulse or numbers:
        words = "; ".join(filter(None, (pulse, numbers)))
        run = replace(run, live=live, metrics=metrics)
        damage = f"{damage}; {words}" if damage else f"this row of the database is damaged: {words}"
    ends = (run.bound_low, run.bound_high)
    if ends != (None, None) and not 0 <= (ends[0] or 0.0) <= (1.0 if ends[1] is None else ends[1]) <= 1:
        run = replace(run, bound_low=None, bound_high=None)
        words = f"its bounds {ends[0]!r} and {ends[1]!r} are no scores; `modex stat` computes them anew"
        damage = f"{damage}; {words}" if damage else f"this row of the database is damaged: {words}"
    return replace(run, status="error", reason=damage) if damage else run
