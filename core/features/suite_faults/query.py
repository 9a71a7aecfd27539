"""Every test as all runs answered it, for looking at the tests themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from peewee import fn

from modex.core.store.exact import decode_json, decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import known_status, whole_level
from modex.core.store.tables import EarlierVerdict
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

_SHORT = 200
"""Characters of an answer that are compared with other models'."""


class Answered(NamedTuple):
    """One sample as the look at its test needs it; texts as stored (`decode_text`)."""

    id: int
    source: str
    domain: str
    level: int
    test_id: str
    status: str
    score: float | None
    error_type: str | None
    answer: str | None
    """What was extracted, else an answer that is short itself."""
    cluster: str | None
    prompt: str
    expected: str | None
    """JSON, as stored."""


def answered(reader: Reader, run_id: int) -> Iterator[Answered]:
    """Every sample of a run, epochs of a test in their order; nothing is kept."""
    short = fn.nullif(fn.substr(Result.response, 1, _SHORT + 1), "")
    query = (
        Result.select(
            Result.id, Result.source, Result.domain, Result.level, Result.test_id, Result.status, Result.score,
            Result.error_type, fn.substr(fn.coalesce(Result.extracted_answer, short), 1, _SHORT + 1),
            Result.cluster, Result.prompt, Result.expected,
        )
        .where(Result.run == run_id)
        .order_by(Result.source, Result.domain, Result.level, Result.test_id, Result.epoch)
    )  # fmt: skip
    with plain_errors(reader.path):
        for row in reader.database.each(query):
            id_, source, domain, level, test_id, status, score, error, answer, *rest = row
            number = float(score) if isinstance(score, int | float) else None
            said = str(answer) if answer is not None and len(str(answer)) <= _SHORT else None
            yield Answered(
                id_, source, domain, whole_level(level), str(test_id), known_status(status), number, error, said, *rest
            )


def system_prompts(reader: Reader, ids: list[int]) -> dict[int, str]:
    """The system prompts of samples that have one."""
    found: dict[int, str] = {}
    for start in range(0, len(ids), 500):
        query = Result.select(Result.id, Result.system_prompt).where(Result.id.in_(ids[start : start + 500]))
        with plain_errors(reader.path):
            found.update((id_, decode_text(str(text))) for id_, text in reader.database.fetch(query) if text)
    return found


def votes_by_sample(reader: Reader, run_id: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The details of the samples of a run that hold judges' votes."""
    query = Result.select(Result.id, Result.details).where(
        Result.run == run_id, fn.instr(Result.details, '"votes"') > 0
    )
    with plain_errors(reader.path):
        for id_, details in reader.database.each(query):
            try:
                value = decode_json(details)
            except (ValueError, TypeError, RecursionError):
                continue  # a damaged row is an error wherever it is shown, and nobody's vote
            if isinstance(value, dict):
                yield id_, value


def judged_again(reader: Reader, run_ids: list[int]) -> list[tuple[int, bool]]:
    """By sample that was judged again by the very same rules and judges: whether the verdict went the other way."""
    found: list[tuple[int, bool]] = []
    verdicts = ("passed", "failed")
    for run_id in run_ids:
        query = (
            EarlierVerdict.select(EarlierVerdict.result, EarlierVerdict.status != Result.status)
            .join(Result, on=EarlierVerdict.result == Result.id)
            .where(
                EarlierVerdict.run == run_id,
                EarlierVerdict.judge_fingerprint == Result.judge_fingerprint,
                EarlierVerdict.status.in_(verdicts),
                Result.status.in_(verdicts),
            )
        )
        with plain_errors(reader.path):
            found += [(id_, bool(flipped)) for id_, flipped in reader.database.fetch(query)]
    return found
