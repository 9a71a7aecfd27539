"""The sample: one test × one epoch in one run, the unit that moves through the stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

SampleStage = Literal["init", "rollout", "judged"]
SampleStatus = Literal["pending", "running", "passed", "failed", "error", "skipped"]
STATUSES: tuple[SampleStatus, ...] = ("pending", "running", "passed", "failed", "error", "skipped")
PASS_SCORE = 0.7
"""A score at or above this is `passed`."""


@dataclass(slots=True)
class EvaluationSample:
    """One row of `individual_test_results`; every field is a column of the same name.

    `prompt_tokens`, `completion_tokens`, `cost_usd` and `duration_ms` are the rollout's; the judge's own are in the
    `judge_*` fields. `transcript` holds what the rollout exchanged, a list of entries:
    `{"role": "system|user|assistant|tool", "content": str, "phase": "pass1|analysis|tool_selection|tool_loop|synthesis",
    "iteration": int, "reasoning"?: str, "tool_calls"?: [{"id", "name", "arguments"}], "tool_call_id"?: str, "name"?: str,
    "is_error"?: bool, "usage"?: {...}, "duration_ms"?: int, "finish_reason"?: str, "attempts"?: int}`.
    What the judge exchanged (PASS 2, LLM judge) is in `details["exchanges"]`, a list of
    `{"role": "pass2|judge|repair", "model": str, "messages": [...], "answer": str, "usage": {...}, "duration_ms": int}`.
    """

    run_id: int = 0
    source: str = "suite"
    domain: str = ""
    level: int = 1
    test_id: str = ""
    epoch: int = 1
    id: int | None = None
    seq: int = 0
    """Monotonic within the run: grows with every stored change; viewers ask for what is newer."""
    position: int = 0
    """Order of planning, from 0."""
    name: str = ""
    weight: float = 1.0
    stage: SampleStage = "init"
    status: SampleStatus = "pending"
    error_type: str | None = None
    error_message: str | None = None
    system_prompt: str | None = None
    prompt_layers: list[dict[str, Any]] = field(default_factory=list)
    """`{"scope": "domain|level|test", "mode": "overwrite|append", "text": str, "file": str, "line": int}` in fold order."""
    prompt: str = ""
    """The text asked; a list of turns is stored as JSON with `definition["turns"]` holding them."""
    expected: Any = None
    response: str | None = None
    reasoning: str | None = None
    transcript: list[dict[str, Any]] = field(default_factory=list)
    extracted_answer: str | None = None
    pass2_used: bool = False
    score: float | None = None
    details: dict[str, Any] = field(default_factory=dict)
    evaluator_id: str = ""
    definition: dict[str, Any] = field(default_factory=dict)
    """What else the test says and the stages need: `turns`, `rollout`, `tool_ids`, `timeout_ms`, `metadata`, `file`, `line`."""
    flags: list[str] = field(default_factory=list)
    """Notes about the rollout: `empty_answer`, `truncated_output`, `tool_limit`, `unparsed_reasoning`, `repaired_json`, …"""
    finish_reason: str | None = None
    attempts: int = 0
    """HTTP attempts of the rollout, retries included."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0
    """USD; None where the price is unknown."""
    duration_ms: int = 0
    judge_prompt_tokens: int = 0
    judge_completion_tokens: int = 0
    judge_cost_usd: float | None = 0.0
    judge_duration_ms: int = 0
    rollout_fingerprint: str | None = None
    judge_fingerprint: str | None = None
    started_at: str | None = None
    completed_at: str | None = None

    @property
    def key(self) -> tuple[str, str, int, str, int]:
        """What identifies the sample within its run."""
        return (self.source, self.domain, self.level, self.test_id, self.epoch)


SAMPLE_FIELDS: tuple[str, ...] = tuple(EvaluationSample.__dataclass_fields__)
