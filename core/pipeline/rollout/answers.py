"""Answers that were made elsewhere as rollouts of samples."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from modex.core.config.runconfig import RunConfig
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.thinking import strip_thinking
from modex.core.pipeline.rollout.answer_columns import NamedColumns
from modex.core.pipeline.rollout.answer_figures import figures_of
from modex.core.pipeline.rollout.answer_files import NO_RESPONSE, AnswerRow, Answers, read_answers
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.chats import chat_of, entries_of, last_said
from modex.core.store.sample import EvaluationSample

PREFIX = "answers:"
"""What a run's `agent` begins with where its answers come from a file."""


def file_of(agent: str | None) -> Path | None:
    """The file whose answers a run takes; None for a run that asks."""
    return Path(agent.removeprefix(PREFIX)) if agent is not None and agent.startswith(PREFIX) else None


def answers_of(config: RunConfig) -> Answers | None:
    """The answers that a run takes; None for a run that asks.

    Raises:
        ConfigurationError: the file cannot be read, or a row is no answer; the message names the line.
    """
    path = file_of(config.agent)
    if path is None:
        return None
    datasets = config.selection.datasets
    own = next((one for one in datasets if Path(one.path).expanduser().absolute() == path), None)
    named = NamedColumns(config.response_field)
    if (asked := own or next(iter(datasets), None)) is not None:
        named = NamedColumns(
            config.response_field, asked.question_field, asked.answer_field if own else None, asked.id_field
        )
    return read_answers(path, named, by_row=own is not None)


def answer_of(sample: EvaluationSample, answers: Answers) -> AnswerRow | None:
    """The row that answers a sample; None where there is none."""
    return answers.find(sample.domain, sample.level, sample.test_id, sample.prompt, sample.epoch)


def digest_of(sample: EvaluationSample, answers: Answers) -> str:
    """The digest of a sample's answer: another one is another rollout."""
    found = answer_of(sample, answers)
    text = json.dumps(None if found is None else dict(found.data), sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def roll_out_by_answers(asking: Asking, answers: Answers) -> None:
    """Take the sample's answer from the file; thinking in it is kept apart.

    Raises:
        ModelCallError: there is none, the file says that it failed, or its steps have another form.
    """
    from modex.core.pipeline.rollout.agents import take_answer

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
    turns = sample.definition.turns or [{"role": "user", "content": sample.prompt}]
    messages = chat_of(found, answers.columns.response)
    if messages and not found.get("steps"):
        asking.rollout.transcript += entries_of(messages, "agent")
        found["said"] = (last_said(messages) or "").strip() == found["answer"].strip()
    else:
        opening = [{"role": "system", "content": sample.system_prompt}] if sample.system_prompt else []
        asking.told([*opening, *turns], "agent", turns=len(turns))
    thinking = strip_thinking(found["answer"])
    if thinking.truncated:
        raise ModelCallError("the answer is thinking that never ended", ErrorType.TRUNCATED_REASONING)
    if thinking.reasoning:
        asking.rollout.reasoning.append(thinking.reasoning)
    take_answer({**found, "answer": thinking.answer}, asking)
