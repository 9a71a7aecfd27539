"""What the stage `stat` asks and stores: tests with their epochs, groups of samples, judges' votes, and the scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import peewee as pw
from peewee import fn

from modex.core.statistics.k_of_n import Required, score_of_epochs
from modex.core.store.connection import Database
from modex.core.store.exact import decode_json, decode_text
from modex.core.store.rows import known_status, whole_level
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import LevelScore, TestResult
from modex.core.store.words import plain_errors

PASS2_FAULTS = ("found_nothing", "unreadable", "not_in_response", "not_asserted", "contradicted")
"""Why a reply of PASS 2 was not used, as the flags of a verdict name it behind `pass2_`."""
_PAGE = 500
_NUMBERS = ("real", "integer")


class Outcome(NamedTuple):
    """One sample as sums and comparisons need it."""

    source: str
    domain: str
    level: int
    test_id: str
    """As stored; `decode_text` gives it as it was."""
    status: str
    score: float | None
    weight: float
    position: int
    tokens: int
    cost_usd: float | None
    duration_ms: int
    error_type: str | None
    cluster: str | None
    """As stored."""
    pass_needed: int | None
    pass_of: int | None

    @property
    def required(self) -> Required | None:
        """How many of how many epochs the test must pass; None where their scores are averaged."""
        return Required(self.pass_needed, self.pass_of) if self.pass_needed and self.pass_of else None


def outcomes(database: Database, run_id: int) -> Iterator[Outcome]:
    """Every sample, the epochs of one test one after the other.

    Tests come in the order of their keys' bytes, which is Python's order of strings.
    """
    tokens = (
        Result.prompt_tokens + Result.completion_tokens + Result.judge_prompt_tokens + Result.judge_completion_tokens
    )
    query = (
        Result.select(
            Result.source, Result.domain, Result.level, Result.test_id, Result.status, plain_number(Result.score),
            fn.coalesce(plain_number(Result.weight), 1.0), Result.position, tokens, Result.cost_usd + Result.judge_cost_usd,
            Result.duration_ms + 0, Result.error_type, Result.cluster, Result.pass_needed, Result.pass_of,
        )
        .where(Result.run == run_id)
        .order_by(Result.source, Result.domain, Result.level, Result.test_id, Result.epoch)
    )  # fmt: skip
    with plain_errors(database.path):
        for source, domain, level, test_id, status, *numbers in database.each(query):
            yield Outcome(source, domain, whole_level(level), test_id, known_status(status), *numbers)


def clusters_by_test(database: Database, run_id: int) -> dict[tuple[str, str, int, str], tuple[str, str]]:
    """By (source, domain, level, test_id) of tests in a cluster: what names it, (source, cluster)."""
    query = (
        Result.select(Result.source, Result.domain, Result.level, Result.test_id, Result.cluster)
        .where(Result.run == run_id, Result.cluster.is_null(False))
        .distinct()
    )
    with plain_errors(database.path):
        return {
            (source, domain, whole_level(level), decode_text(test_id)): (source, cluster)
            for source, domain, level, test_id, cluster in database.fetch(query)
        }


def score_of(samples: Sequence[Outcome]) -> float | None:
    """The score of one test from its epochs; None where it has none (yet)."""
    scored = _scored(samples)
    passed = sum(sample.status == "passed" for sample in scored)
    scores = [sample.score for sample in scored if sample.score is not None]
    return score_of_epochs(scores, passed, len(scored) - passed, samples[0].required)


def weight_of(samples: Sequence[Outcome]) -> float:
    """The weight of one test from its epochs: the greatest of those scored, as the live matrix takes it.

    They differ where a run went on with another weight and did not come to every epoch.
    """
    return max((sample.weight for sample in _scored(samples)), default=samples[0].weight)


def _scored(samples: Sequence[Outcome]) -> list[Outcome]:
    return [sample for sample in samples if sample.score is not None and sample.status in ("passed", "failed")]


def plain_number(field: Any) -> Any:
    """A number, or NULL where a damaged row holds something else."""
    return pw.Case(None, [(fn.typeof(field).in_(_NUMBERS), field)])


class Group(NamedTuple):
    """Samples with one status, summed up."""

    status: str
    number: int
    flagged: int
    """Those that have one of the flags asked for."""
    tokens: int
    duration_ms: int
    cost_usd: float | None
    """None where the cost of one of them is unknown."""


def groups(database: Database, run_id: int, source: str, flags: Sequence[str]) -> list[Group]:
    """The samples of one source by status."""
    flagged = reduce(or_, [fn.instr(Result.flags, f'"{flag}"') > 0 for flag in flags])
    cost = pw.Case(None, [(fn.count(Result.cost_usd) == fn.count(Result.id), fn.sum(Result.cost_usd))])
    query = (
        Result.select(
            Result.status, fn.count(Result.id), fn.sum(flagged),
            fn.sum(Result.prompt_tokens + Result.completion_tokens), fn.sum(Result.duration_ms), cost,
        )
        .where(Result.run == run_id, Result.source == source)
        .group_by(Result.status)
    )  # fmt: skip
    with plain_errors(database.path):
        rows = database.fetch(query)
    return [Group(known_status(status), *rest) for status, *rest in rows]


def sources(database: Database, run_id: int) -> list[tuple[str, str]]:
    """The run's sources in planning order, each with its evaluator; empty where it has several."""
    query = (
        Result.select(Result.source, fn.min(Result.evaluator_id), fn.count(Result.evaluator_id.distinct()))
        .where(Result.run == run_id)
        .group_by(Result.source)
        .order_by(fn.min(Result.position))
    )
    with plain_errors(database.path):
        return [(source, evaluator if count == 1 else "") for source, evaluator, count in database.fetch(query)]


class SourceReading(NamedTuple):
    """How the answers of a source were read."""

    extractor_only: int
    """Extracted answers that their response does not hold."""
    gold_in_answer: int
    """Failed answers in which the gold stands."""
    pass2_asked: int
    pass2_faults: dict[str, int]
    """Replies of PASS 2 that were no use, by the fault of `modex.core.verdict.Extracted`; only what occurs."""


def reading(database: Database, run_id: int, source: str) -> SourceReading:
    """How the answers of one source were read, in one pass over its samples."""

    def having(*conditions: Any) -> Any:
        return fn.coalesce(fn.sum(pw.Case(None, [(reduce(or_, conditions), 1)], 0)), 0)

    def has(flag: str) -> Any:
        return fn.instr(fn.coalesce(Result.verdict_flags, ""), f'"{flag}"') > 0

    asked = Result.pass2_used == True  # noqa: E712
    unread = (Result.status == "error") & (Result.error_type == "extraction_error")
    offered = fn.instr(Result.details, '"offered"') > 0  # of a verdict stored without flags
    own = has("pass2_not_in_response") | (Result.verdict_flags.is_null() & offered)
    query = Result.select(
        having(own & asked),
        having((Result.status == "failed") & has("gold_in_answer")),
        having(asked, unread),
        *(having(has(f"pass2_{fault}"), *([unread] if fault == "unreadable" else [])) for fault in PASS2_FAULTS),
    ).where(Result.run == run_id, Result.source == source)
    with plain_errors(database.path):
        invented, golds, number, *faults = database.fetch(query)[0]
    found = {fault: int(count) for fault, count in zip(PASS2_FAULTS, faults, strict=True) if count}
    return SourceReading(int(invented), int(golds), int(number), found)


def flagged(database: Database, run_id: int, source: str, flag: str) -> int:
    """How many answers of a source carry a flag."""
    query = Result.select(fn.count(Result.id)).where(
        Result.run == run_id, Result.source == source, fn.instr(Result.flags, f'"{flag}"') > 0
    )
    with plain_errors(database.path):
        return int(database.fetch(query)[0][0])


def verdicts_with(database: Database, run_id: int, source: str, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Status and details of those samples of a source whose verdict has a part of this kind, a page in memory at a time."""
    holds = fn.instr(Result.details, f'"{kind}"') > 0
    wanted = (
        Result.select(Result.id, Result.status, Result.details)
        .where(Result.run == run_id, Result.source == source, holds)
        .order_by(Result.id)
        .limit(_PAGE)
    )
    after = 0
    while True:
        with plain_errors(database.path):
            rows = database.fetch(wanted.where(Result.id > after))
        for id_, status, details in rows:
            after = id_
            try:
                value = decode_json(details)
            except (ValueError, TypeError, RecursionError):
                continue  # a damaged row is an error wherever it is shown, and nobody's vote
            if isinstance(value, dict):
                yield status, value
        if len(rows) < _PAGE:
            return


@dataclass(frozen=True, slots=True)
class Scores:
    """What `stat` computed: rows of the two tables by the names of their columns, and the run's own numbers."""

    levels: Sequence[Mapping[str, Any]]
    results: Sequence[Mapping[str, Any]]
    overall: float | None
    interval: tuple[float, float] | None
    metrics: Mapping[str, Any]
    pace: Mapping[str, Any] = field(default_factory=dict)
    """How fast its answers came; empty where none was streamed."""
    hosts: Sequence[Mapping[str, Any]] = ()
    """On which machines its samples were asked."""
    unsettled: int = 0
    """Samples without a verdict for a reason that the model can cause."""
    bounds: tuple[float, float] | None = None
    """The scores that they leave the run between."""


def replace_scores(database: Database, run_id: int, scores: Scores) -> None:
    """Store the run's scores in place of those that were there, all or none."""
    low, high = scores.interval or (None, None)
    with plain_errors(database.path), database.atomic("IMMEDIATE"):
        for table, rows in ((LevelScore, scores.levels), (TestResult, scores.results)):
            database.change(table.delete().where(table.run == run_id))
            for row in rows:
                database.change(table.insert({"run": run_id, **row}))
        columns: dict[str, Any] = {"overall_score": scores.overall, "ci_low": low, "ci_high": high}
        worst, best = scores.bounds or (None, None)
        columns |= {"unsettled": scores.unsettled, "bound_low": worst, "bound_high": best}
        columns |= {"metrics": dict(scores.metrics), "pace": dict(scores.pace), "hosts": list(scores.hosts)}
        database.change(Run.update({**columns, "seq": Run.seq + 1}).where(Run.id == run_id))
