"""What an evaluator is given and what it returns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from modex.core.config.options import Settle
from modex.core.foundation.errors import JudgeError, ModelCallError
from modex.core.llm.types import Completion, Message, ModelClient, Usage
from modex.core.sandbox.names import SandboxName
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase, ToolDefinition
from modex.core.verdict import Part, details_of, found_parts, reason_of

JUDGING_PHASES = ("judge", "pass 2")
"""What a worker is said to do while it judges: score, or ask a judge; ask for the bare answer."""


@dataclass(slots=True)
class EvaluationResult:
    """A verdict: `score` 0.0–1.0, and what it is founded on.

    `parts` are what was found, typed, and drawn by type in every output. An evaluator without a part that fits fills
    `details` with names and JSON values; all of them are shown. `reason` is one plain sentence why; without it the parts'
    own is taken.
    """

    score: float
    details: dict[str, Any] = field(default_factory=dict)
    extracted_answer: str | None = None
    pass2_used: bool = False
    parts: tuple[Part, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"a score is between 0 and 1, not {self.score!r}")

    @property
    def status(self) -> Literal["passed", "failed"]:
        """`passed` at a score of 0.7 or more."""
        return "passed" if self.score >= PASS_SCORE else "failed"

    @property
    def why(self) -> str:
        """The reason: the evaluator's own, else what the parts or the details say."""
        return self.reason or reason_of(self.found, passed=self.status == "passed")

    @property
    def found(self) -> tuple[Part, ...]:
        """The parts, those that `details` describe among them."""
        return found_parts(self.parts, self.details, self.reason)

    def stored(self) -> dict[str, Any]:
        """What the `details` column keeps: the parts as JSON, its own reason, and what else is in `details`."""
        return details_of(self.parts, self.details, self.reason)


def _nothing(*_: object) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(slots=True)
class JudgeContext:
    """What a judgement may use beside the sample: models, templates, the test's tools, the suite's folder.

    Every model call goes through `ask`, which records it in `exchanges` and adds up tokens, cost and time.
    """

    config: EvaluatorConfig
    template: Callable[[str], str]
    """The text of a template by name (`pass2/numeric`, `judge/binary`), the suite's own before the bundled one."""
    extractor: ModelClient | None = None
    judges: tuple[ModelClient, ...] = ()
    tools: Mapping[str, ToolDefinition] = field(default_factory=dict)
    """The tools the test offered, by name."""
    suite_root: Path | None = None
    configs: Mapping[str, EvaluatorConfig] = field(default_factory=dict)
    """Every evaluator of the run by id, for evaluators made of others (`hybrid`); built-in ones need not be there."""
    repeats: int = 1
    """How often each judge is asked; an evaluator's `config.repeats` comes before it."""
    settle: Settle = "auto"
    """How several verdicts become one; an evaluator's `config.settle` comes before it."""
    sandbox: SandboxName = "auto"
    """What runs the code of an answer."""
    tell: Callable[[str], None] = lambda _words: None
    """Told what takes long and is done once for the whole run."""
    doing: Callable[[str], None] = lambda _phase: None
    """Told which phase of judging begins: one of `JUDGING_PHASES`."""
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext
    """Entered while a model is asked: others may read meanwhile."""
    sample: EvaluationSample | None = None
    """Whose answer is judged; None where nobody said."""
    around: Callable[[str, ModelClient, list[Message], JudgeContext], AbstractContextManager[None]] = _nothing
    """Entered around each call, told who is asked what in which role."""
    exchanges: list[dict[str, Any]] = field(default_factory=list)
    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    duration_ms: int = 0

    def ask(
        self,
        role: Literal["pass2", "judge", "repair"],
        client: ModelClient,
        messages: list[Message],
        *,
        response_format: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Ask `client` at temperature 0, and record the exchange.

        Raises:
            ModelCallError: the call failed; the sample becomes an `error` and keeps its rollout.
            JudgeError: its answer had to be ended.
        """
        self.doing("pass 2" if role == "pass2" else "judge")
        try:
            with self.waiting(), self.around(role, client, messages, self):
                completion = client.complete(
                    messages, temperature=0.0, response_format=response_format, max_tokens=max_tokens
                )
        except ModelCallError as error:
            error.asked_as = role
            if error.usage is not None:
                self.spend(error.usage, error.cost_usd)
            raise
        finally:
            self.doing("judge")
        self.spend(completion.usage, completion.cost_usd)
        self.duration_ms += completion.duration_ms
        self.exchanges.append(
            {
                "role": role,
                "model": client.model,
                "messages": messages,
                "answer": completion.text,
                "reasoning": completion.reasoning,
                "usage": completion.usage.as_dict(),
                "duration_ms": completion.duration_ms,
                "attempts": completion.attempts,
                "finish_reason": completion.finish_reason,
            }
        )
        if completion.cut is not None:
            raise JudgeError(f"{client.model}: its answer as {role} was ended: {completion.cut}")
        return completion

    def spend(self, usage: Usage, cost_usd: float | None) -> None:
        """Add what a call cost; one of unknown cost makes the whole unknown."""
        self.usage = self.usage + usage
        self.cost_usd = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd


class BaseEvaluator(ABC):
    """A strategy that scores one sample. Stateless: one instance serves every worker thread."""

    id: ClassVar[str]
    """The `evaluator_id` that selects it."""
    repeats: ClassVar[int | None] = None
    """How often each judge is asked where neither file nor run says; None for once."""

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """Yield what is wrong with the test's `expected` or the configuration, one message each. Makes no model call."""
        del test, config, suite_root
        return ()

    def parts(self, config: EvaluatorConfig) -> list[dict[str, Any]]:
        """The evaluators that this one is made of, each `{"evaluator": id, "expected"?: …}`; none for most."""
        del config
        return []

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Whether a judgement asks an LLM judge (so that its key is checked before the first call)."""
        del expected, config
        return False

    def needs_extractor(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Whether a judgement may make a PASS 2 call."""
        del expected, config
        return False

    def unavailable(self, sample: EvaluationSample, context: JudgeContext) -> str | None:
        """Why nothing on this machine can judge `sample`, whatever is answered, with what to install; None where it can be.

        Asked before the model is, which is not asked then: the test is skipped with these words.
        """
        del sample, context
        return None

    @abstractmethod
    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Score `sample.response` (and `sample.transcript`) against `sample.expected`.

        Raises:
            JudgeError: no verdict could be reached.
            ModelCallError: PASS 2 or the judge could not be asked.
        """
