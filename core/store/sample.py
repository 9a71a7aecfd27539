"""The sample: one test × one epoch in one run, the unit that moves through the stages."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from modex.core.store.columns import (
    Asked,
    Document,
    Encoder,
    Exact,
    Json,
    Judged,
    Planned,
    Shown,
    Time,
    WritingStage,
    columns_of,
)
from modex.core.store.definition import Definition
from modex.core.store.simulated import SimulatedUser

if TYPE_CHECKING:
    from modex.core.verdict import Part

SampleStage = Literal["init", "rollout", "judged"]
SampleStatus = Literal["pending", "running", "passed", "failed", "error", "skipped"]
STATUSES: tuple[SampleStatus, ...] = ("pending", "running", "passed", "failed", "error", "skipped")
PASS_SCORE = 0.7
"""A score at or above this is `passed`."""
OTHER_RULES = "other_rules"
"""The flag of a verdict that is of another gold or evaluator than planning wrote since; judging it anew takes it away."""
OF_OTHER_RULES = "by another gold or evaluator than stand here; `modex judge` judges it anew"
"""What the reason of such a verdict begins with."""
ELSEWHERE = "imported"
"""The fingerprint of what another program asked or judged: an answer that no change of a prompt here makes out of date."""


@dataclass(slots=True)
class EvaluationSample:
    """One row of `individual_test_results`; every field is a column of the same name, by its annotation.

    `prompt_tokens`, `completion_tokens`, `cost_usd` and `duration_ms` are the rollout's; the judge's own are in the
    `judge_*` fields. `transcript` holds what the rollout exchanged, a list of entries:
    `{"role": "system|user|assistant|tool", "content": str, "phase": "pass1|analysis|tool_selection|tool_loop|synthesis",
    "iteration": int, "reasoning"?: str, "tool_calls"?: [{"id", "name", "arguments"}], "tool_call_id"?: str, "name"?: str,
    "is_error"?: bool, "usage"?: {...}, "duration_ms"?: int, "finish_reason"?: str, "attempts"?: int,
    "attachments"?: [{"name", "media_type", "size", "digest"}]}`.
    What the judge exchanged (PASS 2, LLM judge) is in `details["exchanges"]`, a list of
    `{"role": "pass2|judge|repair", "model": str, "messages": [...], "answer": str, "usage": {...}, "duration_ms": int}`.
    """

    run_id: int = 0
    source: str = "suite"
    domain: str = ""
    level: int = 1
    test_id: Exact = ""
    epoch: int = 1
    id: int | None = None
    seq: int = 0
    """Monotonic within the run: grows with every stored change; viewers ask for what is newer."""
    position: int = 0
    """Order of planning, from 0."""
    name: Planned[Exact] = ""
    weight: Planned[float] = 1.0
    stage: Asked[Judged[SampleStage]] = "init"
    status: Asked[Judged[SampleStatus]] = "pending"
    error_type: Asked[Judged[str | None]] = None
    error_message: Asked[Judged[Exact | None]] = None
    system_prompt: Planned[Exact | None] = None
    prompt_layers: Planned[Json[list[dict[str, Any]]]] = field(default_factory=list)
    """`{"scope": "domain|level|test", "mode": "overwrite|append", "text": str, "file": str, "line": int}` in fold order."""
    prompt: Planned[Exact] = ""
    """The text asked; a list of turns is stored as JSON with `definition.turns` holding them."""
    expected: Planned[Json[Any]] = None
    response: Asked[Exact | None] = None
    reasoning: Asked[Exact | None] = None
    transcript: Asked[Json[list[dict[str, Any]]]] = field(default_factory=list)
    extracted_answer: Judged[Exact | None] = None
    pass2_used: Judged[bool] = False
    score: Judged[float | None] = None
    details: Judged[Json[dict[str, Any]]] = field(default_factory=dict)
    evaluator_id: Planned[str] = ""
    definition: Planned[Json[Definition]] = field(default_factory=Definition)
    """What else the test says and the stages need; a plain dict given here is read as one."""
    flags: Asked[Json[list[str]]] = field(default_factory=list)
    """Notes about the rollout: `empty_answer`, `truncated_output`, `tool_limit`, `unparsed_reasoning`, `repaired_json`, …"""
    finish_reason: Asked[Exact | None] = None
    attempts: Asked[int] = 0
    """HTTP attempts of the rollout, retries included."""
    prompt_tokens: Asked[int] = 0
    completion_tokens: Asked[int] = 0
    reasoning_tokens: Asked[int] = 0
    cached_tokens: Asked[int] = 0
    cost_usd: Asked[float | None] = 0.0
    """USD; None where the price is unknown."""
    duration_ms: Asked[int] = 0
    judge_prompt_tokens: Judged[int] = 0
    judge_completion_tokens: Judged[int] = 0
    judge_cost_usd: Judged[float | None] = 0.0
    judge_duration_ms: Judged[int] = 0
    rollout_fingerprint: Planned[Asked[str | None]] = None
    judge_fingerprint: Planned[Judged[str | None]] = None
    started_at: Asked[Time | None] = None
    completed_at: Judged[Time | None] = None
    host: Asked[str | None] = None
    """The machine whose worker moved the sample."""
    host_limits: Asked[str | None] = None
    """What bounded the worker there, as `1.5 of 16 cores, 2.0 GB`; None where it might take the whole machine."""
    cluster: Annotated[Planned[Exact | None], Shown("cluster")] = None
    """What the test shares its source with (document, template, translation); None where it stands alone."""
    pass_needed: Planned[int | None] = None
    """How many of `pass_of` tries must pass for the test to pass; None where the tries' scores are averaged."""
    pass_of: Planned[int | None] = None
    ttft_ms: Asked[float | None] = None
    """Until the first streamed token, in milliseconds."""
    output_tokens_per_s: Asked[float | None] = None
    thinking_ms: Asked[int | None] = None
    """How long the model thought before its answer began, in milliseconds."""
    tool_state: Asked[Json[dict[str, Any] | None]] = None
    """What the mocks knew at the end (`$state`), by name; None where none of them keeps anything."""
    simulated_user: Asked[Json[SimulatedUser | None]] = None
    """Who spoke with the model in a conversation, what that cost, and how it ended; None elsewhere."""
    workspace: Asked[Json[dict[str, Any] | None]] = None
    """What stood in the test's workspace after the last call; None where it has none.

    `{"state": str, "calls": int, "too_much"?: str}`: the difference to its beginning (`modex.core.sandbox.workspace.tree`), how
    many calls were answered, and of what there was more than could be kept. One that is not finished has a `journal` of what was
    done so far (`modex.core.pipeline.rollout.journal`).
    """
    verdict_flags: Judged[Json[list[str] | None]] = None
    """Notes about the verdict: `gold_in_answer` (failed, and the gold stands in the response), `pass2_…` (PASS 2 was no use)."""
    reason: Judged[Exact | None] = None
    """Why the verdict is as it is, in one sentence."""

    def __post_init__(self) -> None:
        """Read a definition that was given as a plain dict.

        Raises:
            ValueError: it holds what a definition cannot.
        """
        if type(self.definition) is not Definition:
            self.definition = Definition.of(self.definition)

    @property
    def key(self) -> tuple[str, str, int, str, int]:
        """What identifies the sample within its run."""
        return (self.source, self.domain, self.level, self.test_id, self.epoch)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the evaluator found, typed; see `modex.core.verdict`."""
        from modex.core.verdict import parts_of  # a first frame shows no verdict, and these take long to import

        return parts_of(self.details)

    @property
    def noted(self) -> tuple[str, ...]:
        """The flags of the rollout and of the verdict."""
        return (*self.flags, *(self.verdict_flags or ()))

    @property
    def why(self) -> str:
        """One plain sentence why the verdict is as it is; empty where nothing says."""
        from modex.core.verdict import reason_in

        return self.reason or reason_in(self.details, passed=self.status == "passed")


def turns_of(sample: EvaluationSample) -> list[str]:
    """What was said to the model, turn by turn; one text for a test without turns."""
    turns = sample.definition.turns
    return [str(turn.get("content", "")) for turn in turns] if turns else [sample.prompt]


SAMPLE_COLUMNS = columns_of(EvaluationSample)
"""Every stored field of a sample, in the order of the fields."""
SAMPLE_FIELDS: tuple[str, ...] = tuple(SAMPLE_COLUMNS)


_values_of = attrgetter(*SAMPLE_FIELDS)
_SHOWN = tuple((name, column.shown) for name, column in SAMPLE_COLUMNS.items() if column.shown)
_DOCUMENTS = tuple(name for name, column in SAMPLE_COLUMNS.items() if issubclass(column.kind, Document))


def stored_values(sample: EvaluationSample) -> dict[str, Any]:
    """Every stored field by name, with what JSON can hold; of attachments the names, and not where they lie on this machine."""
    plain = dict(zip(SAMPLE_FIELDS, _values_of(sample), strict=True))
    for name in _DOCUMENTS:
        if isinstance(value := plain[name], Document):
            plain[name] = value.as_json()
    return without_places(plain)


def shown_of(sample: EvaluationSample) -> list[tuple[str, str]]:
    """What columns and what keys of the test say that they are shown (`Shown`, `Given.shown`), as names and words."""
    found = [(shown.name, shown.words.format(value)) for name, shown in _SHOWN if (value := getattr(sample, name))]
    return found + [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in sample.definition.shown
    ]


def without_places(plain: dict[str, Any]) -> dict[str, Any]:
    """A sample's stored fields, changed in place: where its attachments lie on this machine is left out."""
    definition = plain["definition"]
    if attachments := definition.get("attachments"):
        shown = [{key: value for key, value in one.items() if key != "path"} for one in attachments]
        plain["definition"] = {**definition, "attachments": shown}
    return plain


@cache
def encoder_of(fields: tuple[str, ...]) -> Encoder:
    """What encodes these fields of a sample."""
    return Encoder(SAMPLE_COLUMNS[name] for name in fields)


def _written_by(writer: WritingStage) -> tuple[str, ...]:
    return tuple(name for name, column in SAMPLE_COLUMNS.items() if writer in column.writers)


PLAN_FIELDS = tuple(name for name in SAMPLE_FIELDS if name not in ("id", "seq"))
"""What planning inserts."""
ASKED_FIELDS = _written_by(WritingStage.PLANNING)
"""What planning writes again where a test was changed."""
ROLLOUT_FIELDS = _written_by(WritingStage.ROLLOUT)
"""What a rollout writes."""
VERDICT_FIELDS = _written_by(WritingStage.JUDGE)
"""What a judgement writes."""
RESET_FIELDS = tuple(name for name in ROLLOUT_FIELDS if name in VERDICT_FIELDS)
"""Where a sample stands; both stages write it."""


_VERDICT_DEFAULTS = tuple((name, SAMPLE_COLUMNS[name].default) for name in VERDICT_FIELDS if name not in RESET_FIELDS)
_verdict_of = attrgetter(*(name for name, _ in _VERDICT_DEFAULTS))
_NO_VERDICT = tuple(default() for _, default in _VERDICT_DEFAULTS)


def without_verdict(sample: EvaluationSample) -> None:
    """Make a sample one that was not judged yet."""
    sample.judge_fingerprint = None  # planning writes it too
    if _verdict_of(sample) == _NO_VERDICT:
        return  # most were not judged yet, and this is asked before the rollout and again before the verdict
    for name, default in _VERDICT_DEFAULTS:
        setattr(sample, name, default())
