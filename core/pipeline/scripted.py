"""What the scripted demo model plays: the test behind each call to it, bound beside the call; nothing is bound for others.

Its calls are made as every model's are. What a real judge reads in its prompt (the reply, the statements) is found there, and
what an evaluator takes from the test and its own file (the scale, the gold) is taken from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from modex.core.llm.demo.cues import Cue, cued
from modex.core.llm.providers import is_demo
from modex.core.llm.types import Message, ModelClient
from modex.core.store.sample import EvaluationSample

if TYPE_CHECKING:
    from modex.core.evaluators.base import JudgeContext
    from modex.core.suite.definitions import EvaluatorConfig

_READ = ("numeric", "choice", "boolean", "math", "tool_calls")
"""What the scripted model extracts in ways of their own; all else it reads as text."""
_PLACEHOLDER = re.compile(r"\{(?:prompt|response|delimiter|options|tools)\}")


def as_asked(
    client: ModelClient,
    evaluators: Mapping[str, EvaluatorConfig],
    sample: EvaluationSample,
    phase: str,
    iteration: int,
    *,
    tool_names: tuple[str, ...],
) -> AbstractContextManager[None]:
    """Around a call of the model under test."""
    if not is_demo(client.model):
        return nullcontext()
    definition = sample.definition
    return cued(
        Cue(
            role="rollout",
            key=f"{sample.source}/{_place(sample)}",
            level=sample.level,
            expected=sample.expected,
            evaluator_id=evaluators[sample.evaluator_id].id,
            tool_names=tool_names,
            rollout=definition.rollout,
            context={
                "phase": phase,
                "iteration": iteration,
                "metadata": definition.metadata,
                "user": definition.simulated_user,
            },
        )
    )


def as_user(client: ModelClient, sample: EvaluationSample) -> AbstractContextManager[None]:
    """Around a call of the model that plays the user of a conversation."""
    if not is_demo(client.model):
        return nullcontext()
    user = {"user": sample.definition.simulated_user}
    return cued(Cue("user", f"{sample.source}/{_place(sample)}", level=sample.level, context=user))


def as_judge(
    role: str, client: ModelClient, messages: list[Message], context: JudgeContext
) -> AbstractContextManager[None]:
    """Around a call of PASS 2 or of a judge."""
    sample = context.sample
    if sample is None or not is_demo(client.model):
        return nullcontext()
    prompt = str(messages[0].get("content") or "")
    told = {"type": _kind(prompt, context.template)} if role == "pass2" else _judged(prompt, sample, context)
    return cued(
        Cue(
            role="pass2" if role == "pass2" else "judge",
            key=_place(sample),
            level=sample.level,
            expected=sample.expected,
            evaluator_id=sample.evaluator_id,
            context={"expected": sample.expected, **told},
        )
    )


def _place(sample: EvaluationSample) -> str:
    return f"{sample.domain}/{sample.level}/{sample.test_id}/{sample.epoch}"


def _kind(prompt: str, template: Callable[[str], str]) -> str:
    """The kind of answer whose template the prompt was made of."""
    return next((kind for kind in _READ if _made_of(prompt, template(f"pass2/{kind}"))), "text")


def _made_of(prompt: str, template: str) -> bool:
    at = 0
    for piece in _PLACEHOLDER.split(template.rstrip()):
        at = prompt.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _judged(prompt: str, sample: EvaluationSample, context: JudgeContext) -> dict[str, Any]:
    """What is judged, and in which form."""
    from modex.core.evaluators.judging.custom import verdict_pattern
    from modex.core.evaluators.judging.scale import BINARY, scale_of
    from modex.core.llm.demo.extractor import response_in
    from modex.core.suite.templates import MAX_FENCED, shortened

    response = sample.response or ""
    whole = f"\n{shortened(response, MAX_FENCED)}\n" in prompt
    told: dict[str, Any] = {"response": response if whole else response_in(prompt)}
    if statements := _statements(prompt, sample.expected):
        return {**told, **statements, **_kept_answers(sample.definition.metadata)}
    own = bool(context.config.eval_prompt)
    scale = scale_of(context.config) if own else BINARY
    pattern = verdict_pattern(context.config) if own else None
    return {**told, "min_score": scale.minimum, "max_score": scale.maximum, "pattern": pattern}


def _statements(prompt: str, expected: Any) -> dict[str, Any]:
    """The statements of a rubric that the prompt lists; nothing where the test has no rubric."""
    from modex.core.evaluators.judging.rubric_form import Demand, RubricGate, read_rubric, rubric_problems

    if not (isinstance(expected, Mapping) and "items" in expected) or any(True for _ in rubric_problems(expected)):
        return {}
    rubric = read_rubric(expected)
    entries: list[Demand | RubricGate] = [*rubric.items, *rubric.gates]
    asked = [one for one in entries if f"\n- `{one.id}`: {one.says}" in prompt]
    return {
        "items": [one.id for one in asked if isinstance(one, Demand)],
        "gates": [one.id for one in asked if not isinstance(one, Demand)],
        "says": {one.id: one.says for one in asked},
    }


def _kept_answers(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {name: metadata.get(name) for name in ("good_answer", "bad_answer")}
