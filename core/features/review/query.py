"""What people say of samples: agrees with the verdict or not, what kind of failure, in words.

A person says one thing of one answer: who says more of the same answer changes what stands. Where the answer has changed
since, the review is *stale*: it stays, is shown as such and counts for nothing, and what is said of the new answer stands
beside it. What a person holds an answer to be (`own_verdict`) is kept apart from whether that agreed with the verdict of
the moment, so that reviews outlive every judgement.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from peewee import fn

from modex.core.foundation.errors import StoreError
from modex.core.store.clock import now
from modex.core.store.connection import Database
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import from_column, known_status, whole_level
from modex.core.store.sample import EvaluationSample
from modex.core.store.selecting import SampleQuery
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import Review, fields_of
from modex.core.store.words import plain_errors

Verdict = Literal["agree", "disagree", "unsure"]
OwnVerdict = Literal["passed", "failed"]
VERDICTS: tuple[Verdict, ...] = ("agree", "disagree", "unsure")
MOST_OF_A_LABEL = 60
MOST_OF_A_NOTE = 2000
_PAGE = 400
_REVIEW = (
    "id", "run_id", "result_id", "author", "verdict", "own_verdict", "label", "note", "created_at", "source_fingerprint",
    "answer_digest",
)  # fmt: skip
_SAMPLE = ("source", "domain", "level", "test_id", "epoch", "status", "score", "evaluator_id", "judge_fingerprint")
_ANSWER = ("response", "transcript")
_DIGESTED = json.JSONEncoder(default=str)
"""Made once: thousands of answers are digested to count their labels."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What one person says of one sample, with the sample as it stands now."""

    id: int
    run_id: int
    result_id: int
    author: str
    verdict: Verdict | None
    """Whether the person agreed with the verdict that stood when they said so."""
    own_verdict: OwnVerdict | None
    """What the answer is in the person's eyes."""
    label: str | None
    note: str | None
    created_at: str
    source_fingerprint: str | None
    """The sample's `rollout_fingerprint` then."""
    answer_digest: str | None
    source: str
    domain: str
    level: int
    test_id: str
    epoch: int
    status: str
    """The sample's now."""
    score: float | None
    evaluator_id: str
    judge_fingerprint: str | None
    """Of the verdict that stands now."""
    model: str
    exp_id: str
    stale: bool
    """Whether the answer is another one now than the one that was looked at."""

    @property
    def agrees_now(self) -> bool | None:
        """Whether the verdict that stands now is the person's; None where one of them has none."""
        if self.own_verdict is None or self.status not in ("passed", "failed"):
            return None
        return self.own_verdict == self.status


@dataclass(frozen=True, slots=True)
class HumanVerdict:
    """What a person says of an answer."""

    own_verdict: OwnVerdict | None = None
    unsure: bool = False
    label: str | None = None
    note: str | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        return self == HumanVerdict()


def verdict_in(row: ReviewRow | None) -> HumanVerdict:
    """What stands in a stored review; nothing where there is none."""
    if row is None:
        return HumanVerdict()
    return HumanVerdict(row.own_verdict, row.verdict == "unsure", row.label, row.note)


def answer_digest(sample: EvaluationSample) -> str:
    """What identifies an answer: its text and the calls it made, whatever it took or cost."""
    return _digest(sample.response, sample.transcript)


def _digest(response: str | None, transcript: Any) -> str:
    calls = [
        [entry.get("tool_calls"), entry.get("content") if entry.get("role") == "tool" else None]
        for entry in (transcript if isinstance(transcript, list) else ())
        if isinstance(entry, dict) and (entry.get("tool_calls") or entry.get("role") == "tool")
    ]
    text = _DIGESTED.encode([response, calls])
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def clean_label(text: str) -> str | None:
    """A label as it is kept: one line without doubled or outer spaces; None where nothing is left."""
    return " ".join(text.split())[:MOST_OF_A_LABEL].strip() or None


# asking


def reviews(
    reader: Reader,
    run_ids: Iterable[int] | None = None,
    *,
    result_ids: Sequence[int] | None = None,
    author: str | None = None,
) -> list[ReviewRow]:
    """What each person said last of each sample, in the order in which it was first said; `None` does not restrict."""
    newest = Review.select(fn.max(Review.id)).group_by(Review.result, Review.author)
    condition: Any = Review.id.in_(newest)
    if run_ids is not None:
        condition &= Review.run.in_(list(run_ids))
    if author is not None:
        condition &= Review.author == author
    if result_ids is None:
        return _rows(reader, condition)
    found: list[ReviewRow] = []
    for start in range(0, len(result_ids), _PAGE):
        found += _rows(reader, condition & Review.result.in_(list(result_ids[start : start + _PAGE])))
    return found


def reviews_of(reader: Reader, result_id: int) -> list[ReviewRow]:
    """Everything that was said of one sample, that of earlier answers too, oldest first."""
    return _rows(reader, Review.result == result_id)


def _rows(reader: Reader, condition: Any) -> list[ReviewRow]:
    columns = (
        *fields_of(Review, _REVIEW),
        *fields_of(Result, _SAMPLE),
        Run.model,
        Run.exp_id,
        *fields_of(Result, _ANSWER),
    )
    query = Review.select(*columns).join(Result, on=Review.result == Result.id).join(Run, on=Result.run == Run.id)
    with plain_errors(reader.path):
        return [_row(row) for row in reader.database.each(query.where(condition).order_by(Review.id))]


def _row(row: tuple[Any, ...]) -> ReviewRow:
    values = dict(zip((*_REVIEW, *_SAMPLE, "model", "exp_id"), row, strict=False))
    for name in ("author", "label", "note"):
        values[name] = None if values[name] is None else decode_text(str(values[name]))
    values["test_id"] = decode_text(str(values["test_id"]))
    values["status"], values["level"] = known_status(values["status"]), whole_level(values["level"])
    return ReviewRow(**values, stale=_is_stale(values["answer_digest"], *row[-2:]))


def _is_stale(digest: str | None, response: Any, transcript: Any) -> bool:
    if digest is None:
        return False
    try:
        answer = from_column("response", response)
        # Most answers called nothing, and their transcripts need not be read for it.
        calls = from_column("transcript", transcript) if '"tool' in str(transcript) else []
    except (ValueError, TypeError, RecursionError):
        return True
    return _digest(answer, calls) != digest


def labels_used(reader: Reader) -> list[tuple[str, int]]:
    """The labels that stand in the store with how often, the most frequent first."""
    number = fn.count(Review.id)
    query = Review.select(Review.label, number).where(Review.label.is_null(False)).group_by(Review.label)
    with plain_errors(reader.path):
        rows = reader.database.fetch(query.order_by(number.desc(), Review.label))
    return [(decode_text(str(label)), count) for label, count in rows]


def reviewed_tests(reader: Reader, query: SampleQuery, exp_id: str | None = None) -> list[str]:
    """`domain/level/id` of the tests of which a sample matches, in the run of this name where it is there, else in any run."""
    runs = Run.select(Run.id)
    with plain_errors(reader.path):
        named = [] if exp_id is None else reader.database.fetch(runs.where(Run.exp_id == exp_id))
        ids = [row[0] for row in named or reader.database.fetch(runs)]
        rows = [
            row
            for run_id in ids
            for row in reader.database.fetch(
                Result.select(Result.domain, Result.level, Result.test_id).where(query.of(run_id))
            )
        ]
    return list(
        dict.fromkeys(f"{domain}/{whole_level(level)}/{decode_text(str(test))}" for domain, level, test in rows)
    )


# saying


def say(
    reader: Reader, sample: EvaluationSample, author: str, verdict: HumanVerdict, *, at: str | None = None
) -> tuple[HumanVerdict, HumanVerdict]:
    """Store what `author` says of the sample's answer as it stands in `sample`; what stood before, and what stands now.

    What is empty takes the person's review of this answer away. `reader` must be able to write.

    Raises:
        StoreError: the sample is gone, or it cannot be written.
    """
    database = reader.database
    digest = answer_digest(sample)
    with plain_errors(reader.path), database.atomic("IMMEDIATE"):
        if not database.fetch(Result.select(Result.id).where(Result.id == sample.id)):
            raise StoreError(f"{reader.path}: sample {sample.id} is gone, since its run was deleted; open another")
        same = (Review.result == sample.id) & (Review.author == author) & (Review.answer_digest == digest)
        stood = [row for row in _rows(reader, same) if not row.stale]
        before = verdict_in(stood[-1]) if stood else HumanVerdict()
        if verdict.empty:
            database.change(Review.delete().where(same))
            return before, verdict
        columns = _columns(sample, verdict)
        last = Review.select(fn.max(Review.id)).where((Review.result == sample.id) & (Review.author == author))
        if stood and database.fetch(last) != [(stood[-1].id,)]:
            # An answer that came back, and the person spoke of another meanwhile: what is said now is said last.
            database.change(Review.delete().where(same))
            stood = []
        if stood:
            if at is not None:
                columns["created_at"] = at
            database.change(Review.update(columns).where(Review.id == stood[-1].id))
        else:
            _insert(database, sample, author, {**columns, "answer_digest": digest, "created_at": at or now()})
    return before, verdict


def _columns(sample: EvaluationSample, own: HumanVerdict) -> dict[str, Any]:
    verdict: Verdict | None = "unsure" if own.unsure else None
    if own.own_verdict is not None and sample.status in ("passed", "failed"):
        verdict = "agree" if own.own_verdict == sample.status else "disagree"
    label = clean_label(own.label) if own.label else None
    note = (" ".join(own.note.split())[:MOST_OF_A_NOTE] or None) if own.note else None
    return {"verdict": verdict, "own_verdict": own.own_verdict, "label": label, "note": note}


def _insert(database: Database, sample: EvaluationSample, author: str, columns: dict[str, Any]) -> None:
    row = {
        "run": sample.run_id,
        "result": sample.id,
        "source_fingerprint": sample.rollout_fingerprint,
        "author": author,
    }
    database.change(Review.insert({**row, **columns}))


def rename_label(reader: Reader, before: str, after: str | None) -> int:
    """Call a label otherwise wherever it stands, or take it away; how many reviews changed. `reader` must be able to write.

    Raises:
        StoreError: it cannot be written.
    """
    with plain_errors(reader.path), reader.database.atomic("IMMEDIATE"):
        return reader.database.change(Review.update({"label": after}).where(Review.label == before))
