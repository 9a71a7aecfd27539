"""How a run stood before it was judged or asked again, and putting it back where that fails.

A judge that cannot be reached, a missing key or a spent budget say nothing of the answers: the verdicts that they would have
replaced stand again, and what was judged anew until then is kept among the earlier verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import peewee as pw
from peewee import fn

from modex.core.foundation.errors import MODEL_MAY_CAUSE
from modex.core.store.connection import Database
from modex.core.store.sample import ASKED_FIELDS, ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.tables import EarlierVerdict, fields_of
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors
from modex.core.store.writer import KEPT

_FAILURE = ("stage", "status", "error_type", "error_message", "completed_at")
_ASKED_BY = "rollout_fingerprint"
_PUT_BACK = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS, *ASKED_FIELDS)))
"""What an answer is of as well: the question and the gold that planning wrote anew."""


@dataclass(frozen=True, slots=True)
class ToPutBack:
    """What a session may have to put back."""

    last_earlier: int
    """The newest earlier verdict there was."""
    failures: tuple[tuple[Any, ...], ...] = ()
    """Samples without a verdict, each with its id, the digest of what was asked, and why."""
    samples: tuple[EvaluationSample, ...] = field(default=(), repr=False)
    """Chosen samples as they were, whole."""


def standing(database: Database, run_id: int, samples: Iterable[EvaluationSample] = ()) -> ToPutBack:
    """How a run stands; `samples` are those that are asked again, as they are stored.

    Raises:
        StoreError: the store cannot be read.
    """
    with plain_errors(database.path):
        newest = database.fetch(EarlierVerdict.select(fn.max(EarlierVerdict.id)).where(EarlierVerdict.run == run_id))
        failed = Result.select(Result.id, *fields_of(Result, (_ASKED_BY, *_FAILURE))).where(
            Result.run == run_id, Result.status == "error"
        )
        return ToPutBack(int(newest[0][0] or 0), tuple(database.fetch(failed)), tuple(samples))


def replaced(database: Database, run_id: int, before: ToPutBack) -> int:
    """How many verdicts were replaced since.

    Raises:
        StoreError: the store cannot be read.
    """
    query = EarlierVerdict.select(fn.count(EarlierVerdict.result.distinct()))
    with plain_errors(database.path):
        found = database.fetch(query.where(EarlierVerdict.run == run_id, EarlierVerdict.id > before.last_earlier))
    return int(found[0][0])


def came_to_nothing(database: Database, run_id: int, before: ToPutBack) -> bool:
    """Whether verdicts were replaced since, and not one sample that was judged since has a verdict.

    Raises:
        StoreError: the store cannot be read.
    """
    if not replaced(database, run_id, before):
        return False
    since = EarlierVerdict.select(EarlierVerdict.result).where(
        EarlierVerdict.run == run_id, EarlierVerdict.id > before.last_earlier
    )
    has_verdict = Result.status.in_(("passed", "failed"))
    with plain_errors(database.path):
        query = Result.select(Result.id).where(Result.run == run_id, has_verdict, Result.id.in_(since)).limit(1)
        if database.fetch(query):
            return False
        failed = {row[0] for row in before.failures}
        scored = database.fetch(Result.select(Result.id).where(Result.run == run_id, has_verdict)) if failed else []
        return not any(row[0] in failed for row in scored)


def put_back(database: Database, run_id: int, before: ToPutBack, *, judging: bool) -> int:
    """Let what stood before stand again; the number of verdicts that did.

    Where answers were judged again, every verdict and every error is as it was. Where they were asked again, what was answered
    since stays, and what failed without being the model's doing is as it was.

    Raises:
        StoreError: the store cannot be written.
    """
    with plain_errors(database.path), database.atomic("IMMEDIATE"):
        seq = int(database.fetch(Run.select(Run.seq).where(Run.id == run_id))[0][0])
        number = 0
        if judging:
            seq, number = _swap_verdicts(database, run_id, before, seq)
        seq = _put_failures_back(database, before, seq, whatever=judging)
        for sample in before.samples:
            seq = _put_sample_back(database, sample, seq)
        database.change(Run.update({"seq": seq}).where(Run.id == run_id))
    return number


def _swap_verdicts(database: Database, run_id: int, before: ToPutBack, seq: int) -> tuple[int, int]:
    names = ("judge_fingerprint", "evaluator_id", *KEPT)
    fields = [EarlierVerdict.id, EarlierVerdict.result, EarlierVerdict.status, *fields_of(EarlierVerdict, names)]
    query = EarlierVerdict.select(*fields).where(EarlierVerdict.run == run_id, EarlierVerdict.id > before.last_earlier)
    done: set[int] = set()
    for id_, sample_id, status, *values in database.fetch(query.order_by(EarlierVerdict.id)):
        if sample_id in done:  # replaced twice in one session: what stood first stands again
            continue
        done.add(sample_id)
        (now,) = database.fetch(Result.select(Result.status, *fields_of(Result, names)).where(Result.id == sample_id))
        seq += 1
        stood = _plain(names, values)
        database.change(
            Result.update({**stood, "stage": "judged", "status": status, "seq": seq}).where(Result.id == sample_id)
        )
        since = {**_plain(names, now[1:]), "status": now[0]}
        database.change(EarlierVerdict.update(since).where(EarlierVerdict.id == id_))
    return seq, len(done)


def _put_failures_back(database: Database, before: ToPutBack, seq: int, *, whatever: bool) -> int:
    for id_, asked_by, *was in before.failures:
        found = database.fetch(Result.select(*fields_of(Result, (_ASKED_BY, *_FAILURE))).where(Result.id == id_))
        if not found or list(found[0][1:]) == was:
            continue
        if was[0] != "init" and found[0][0] != asked_by:
            continue  # its answer is one to another question now, and must not be judged as if it were one to this
        status, kind = found[0][2], found[0][3]
        if not whatever and not (
            status == "pending" or (status == "error" and kind not in MODEL_MAY_CAUSE and was[2] in MODEL_MAY_CAUSE)
        ):
            continue
        seq += 1
        cleared: dict[str, Any] = {"score": None, "judge_fingerprint": None, "reason": None}
        database.change(Result.update({**cleared, **_plain(_FAILURE, was), "seq": seq}).where(Result.id == id_))
    return seq


def _put_sample_back(database: Database, sample: EvaluationSample, seq: int) -> int:
    """One that was asked again and has no verdict of its own now."""
    found = database.fetch(Result.select(Result.status, Result.error_type).where(Result.id == sample.id))
    if not found or sample.status not in ("passed", "failed"):
        return seq
    status, kind = found[0]
    if status in ("passed", "failed", "running") or (status == "error" and kind in MODEL_MAY_CAUSE):
        return seq
    columns = {name: getattr(sample, name) for name in _PUT_BACK}
    database.change(Result.update({**columns, "seq": seq + 1}).where(Result.id == sample.id))
    return seq + 1


def _plain(names: Iterable[str], values: Iterable[Any]) -> dict[str, Any]:
    """Values as columns hold them, to be stored as they are."""
    return {name: pw.SQL("?", [value]) for name, value in zip(names, values, strict=True)}
