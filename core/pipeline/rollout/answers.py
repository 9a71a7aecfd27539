"""Answers that were made elsewhere, and the samples that they are rollouts of."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from modex.core.config.runconfig import RunConfig
from modex.core.pipeline.rollout.agent_option import file_of
from modex.core.pipeline.rollout.answer_columns import NamedColumns
from modex.core.pipeline.rollout.answer_files import AnswerRow, Answers, read_answers
from modex.core.store.sample import EvaluationSample


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
