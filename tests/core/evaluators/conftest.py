from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from modex.core.evaluators.base import EvaluationResult, JudgeContext
from modex.core.evaluators.registry import find_config, get_evaluator
from modex.core.llm.types import Completion, Message
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig

P = TypeVar("P")
PROMPTS = Path(__file__).parents[3] / "prompts"


class ScriptedClient:
    """A model that gives the replies of a list, in order, and remembers what it was asked."""

    def __init__(self, *replies: str, model: str = "scripted", cost_usd: float | None = 0.001) -> None:
        self.cost_usd = cost_usd
        self.replies = list(replies)
        self.asked: list[list[Message]] = []
        self.forms: list[dict[str, Any] | None] = []
        self._model = model

    @property
    def model(self) -> str:
        return self._model

    def complete(
        self,
        messages: list[Message],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_format: dict[str, Any] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        assert temperature == 0.0
        self.asked.append(messages)
        self.forms.append(response_format)
        return Completion(text=self.replies.pop(0), cost_usd=self.cost_usd)


def config(identity: str, **changes: Any) -> EvaluatorConfig:
    kind = changes.pop("type", identity if identity in ("regex", "custom", "hybrid") else "builtin")
    return EvaluatorConfig(id=changes.pop("id", identity), name=identity, type=kind, **changes)


def context(
    evaluator: EvaluatorConfig | str,
    *,
    extractor: ScriptedClient | None = None,
    judges: tuple[ScriptedClient, ...] = (),
    configs: dict[str, EvaluatorConfig] | None = None,
) -> JudgeContext:
    chosen = find_config(evaluator, {}) if isinstance(evaluator, str) else evaluator
    assert chosen is not None
    return JudgeContext(
        config=chosen,
        template=lambda name: (PROMPTS / f"{name}.md").read_text(encoding="utf-8"),
        extractor=extractor,
        judges=judges,
        configs=configs or {},
    )


def sample(response: str | None, expected: Any, prompt: str = "What is asked?") -> EvaluationSample:
    return EvaluationSample(domain="d", level=2, test_id="t", prompt=prompt, response=response, expected=expected)


def part(result: EvaluationResult, kind: type[P]) -> P:
    """The result's one part of a type."""
    (found,) = [one for one in result.parts if isinstance(one, kind)]
    return found


Score = Callable[..., EvaluationResult]


@pytest.fixture
def two_pass() -> Score:
    """Score by `two_pass` with an extractor that replies as told."""

    def run(response: str, expected: Any, reply: str) -> EvaluationResult:
        judged = context("two_pass", extractor=ScriptedClient(reply))
        return get_evaluator(judged.config).evaluate(sample(response, expected), judged)

    return run
