"""Rollouts that take answers made elsewhere, thinking in them kept apart."""

from __future__ import annotations

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.thinking import strip_thinking
from modex.core.pipeline.rollout.agents import say_flags, take_answer
from modex.core.pipeline.rollout.answer_figures import figures_of
from modex.core.pipeline.rollout.answer_files import NO_RESPONSE, Answers
from modex.core.pipeline.rollout.answers import answer_of
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.chats import chat_of
from modex.core.suite.datasets.asked import role_of


def roll_out_by_answers(asking: Asking, answers: Answers) -> None:
    """Take the sample's answer from the file; thinking in it is kept apart.

    Raises:
        ModelCallError: there is none, the file says that it failed, or its steps have another form.
    """
    sample = asking.sample
    answer = answer_of(sample, answers)
    if answer is None:
        raise ModelCallError(
            f"the file of answers has none for epoch {sample.epoch} of this test", ErrorType.AGENT_ERROR
        )
    found = dict(answer.data)
    if found["answer"] is None:
        made = "" if found["error"] == NO_RESPONSE else "the answer failed where it was made: "
        raise ModelCallError(f"{made}{found['error']}", ErrorType.AGENT_ERROR)
    found |= figures_of(found)[0]
    if found.get("cost_usd") is not None and found.get("usage") is None:
        found["usage"] = {}  # a cost counts with the tokens that it paid for, also where nobody counted them
    column = answers.columns.response
    if found.get("steps") or not any(role_of(message) == "user" for message in chat_of(found, column)):
        turns = sample.definition.turns or [{"role": "user", "content": sample.prompt}]
        opening = [{"role": "system", "content": sample.system_prompt}] if sample.system_prompt else []
        asking.told([*opening, *turns], "agent", turns=len(turns))
    thinking = strip_thinking(found["answer"])
    if thinking.truncated:
        raise ModelCallError("the answer is thinking that never ended", ErrorType.TRUNCATED_REASONING)
    if thinking.reasoning:
        asking.rollout.reasoning.append(thinking.reasoning)
    take_answer({**found, "answer": thinking.answer}, asking, column=column)
    say_flags(asking)
