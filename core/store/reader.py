"""What viewers ask: runs, scores, samples, events, and what changed since a sequence number. Never writes."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal

import peewee as pw
from peewee import fn

from modex.core.config.filters import Condition, Query, read_filters
from modex.core.foundation.errors import ErrorType, StoreError
from modex.core.store.again import Again
from modex.core.store.connection import Database
from modex.core.store.database import open_database
from modex.core.store.exact import decode_text
from modex.core.store.lock import is_held
from modex.core.store.rows import (
    HEAD_FIELDS,
    RUN_COLUMNS,
    EventRow,
    RunRow,
    SampleHead,
    document_from_row,
    head_from_row,
    run_from_row,
    sample_from_row,
    values_from_row,
)
from modex.core.store.sample import SAMPLE_FIELDS, EvaluationSample
from modex.core.store.selecting import EVERYTHING, SampleQuery, condition_of
from modex.core.store.tables import EarlierVerdict, LevelScore, RunEvent, TestResult, fields_of
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

__all__ = ["Reader", "RunOrder", "SampleQuery", "expected_text", "run_query"]

RunOrder = Literal["started", "exp_id", "model", "score", "cost", "duration", "errors", "speed", "first"]
_SAMPLE_ORDER: dict[str, tuple[Any, ...]] = {
    "score": (Result.score.is_null(), Result.score),
    "time": (Result.duration_ms.desc(),),
    "tokens": ((Result.prompt_tokens + Result.completion_tokens).desc(),),
}


_FINISHED = ("passed", "failed", "error", "skipped")


def _of_pace(name: str) -> Any:
    """The median of one of a run's figures of speed; NULL where it has none, or its JSON is damaged."""
    return pw.Case(None, [(fn.json_valid(Run.pace), fn.json_extract(Run.pace, f"$.{name}.median"))])


_SPEED, _FIRST = _of_pace("tokens_per_s"), _of_pace("first_ms")
_RUN_ORDER: dict[str, tuple[Any, ...]] = {
    "started": (Run.status.in_(("running", "paused")).desc(), Run.started_at.desc(), Run.id.desc()),
    "exp_id": (Run.exp_id,),
    "model": (Run.model, Run.started_at.desc()),
    "score": (Run.overall_score.is_null(), fn.coalesce(Run.bound_low, Run.overall_score).desc()),
    "cost": (Run.cost_usd.desc(),),
    "duration": (Run.duration_ms.desc(),),
    "errors": (Run.error_tests.desc(), Run.started_at.desc()),
    "speed": (_SPEED.is_null(), _SPEED.desc()),
    "first": (_FIRST.is_null(), _FIRST),
}
_RUN_FIELDS = fields_of(Run, RUN_COLUMNS)
_SAMPLE_FIELDS = fields_of(Result, SAMPLE_FIELDS)
_CUT = {
    "error_message": fn.substr(Result.error_message, 1, 300),
    "extracted_answer": fn.substr(fn.coalesce(Result.extracted_answer, Result.response), 1, 200),
    "expected": fn.substr(Result.expected, 1, 200),
}
_HEAD_FIELDS = [_CUT.get(name, field) for name, field in zip(HEAD_FIELDS, fields_of(Result, HEAD_FIELDS), strict=True)]
_POSITION = SAMPLE_FIELDS.index("position")
_NEWEST = Again(lambda run_id: Run.select(Run.seq).where(Run.id == run_id), 1)


def _finished_since(run_id: int, since: int, newest: int, limit: int) -> pw.BaseQuery:
    changed = (Result.run == run_id, Result.seq > since, Result.seq <= newest)
    return Result.select(*_HEAD_FIELDS).where(*changed, Result.status.in_(_FINISHED)).order_by(Result.seq).limit(limit)


_FINISHED_SINCE = Again(_finished_since, 4)
_PAGE = 500


class Reader:
    """Read access to a store; safe from any thread, each with a connection of its own."""

    def __init__(self, path: Path, database: Database | None = None) -> None:
        """Open the database at `path` for reading.

        Raises:
            StoreError: missing, damaged, or written by a newer modex.
        """
        self.path = path
        self.on_samples: Callable[[int], None] = lambda _: None
        """Told how many whole samples were read, a page at a time: for who waits for all of a run."""
        self.database = database or open_database(path, read_only=True)

    @property
    def lacks(self) -> tuple[str, ...]:
        """The migrations that the file, of an older modex, has not had."""
        return self.database.lacks

    def close(self) -> None:
        """Close this thread's connection."""
        self.database.close()

    @contextlib.contextmanager
    def as_of_now(self) -> Iterator[None]:
        """Everything that this thread reads within is of one moment: a run that is deleted meanwhile is still whole."""
        with plain_errors(self.path), self.database.atomic():
            yield

    def damage(self) -> str | None:
        """What SQLite finds wrong with the file, in its words; None where nothing is. Reads the whole file."""
        with plain_errors(self.path):
            found = str(self.database.rows("PRAGMA quick_check(1)")[0][0])
        return None if found == "ok" else found

    def _fetch(self, query: pw.BaseQuery) -> list[tuple[Any, ...]]:
        with plain_errors(self.path):
            return self.database.fetch(query)

    # runs

    def runs(
        self,
        *,
        text: str = "",
        model: str = "",
        status: str = "",
        conditions: tuple[Condition, ...] = (),
        archived: bool | None = None,
        order: RunOrder = "started",
        turned: bool = False,
        limit: int = 1000,
        offset: int = 0,
    ) -> list[RunRow]:
        """Runs that match, in `order` or `turned` round; unfinished ones first where the order is `started`.

        `status` and conditions on it ask for the state that a person sees (`RunRow.state`), `interrupted` included.
        """
        matching = self._matching(text, model, status, conditions, archived)
        query = Run.select(*_RUN_FIELDS).where(matching)
        rows = self._fetch(query.order_by(*_turned(_RUN_ORDER[order], turned)).limit(limit).offset(offset))
        return [self._run(row) for row in rows]

    def place_of_run(
        self,
        run_id: int,
        *,
        text: str = "",
        conditions: tuple[Condition, ...] = (),
        archived: bool | None = None,
        order: RunOrder = "started",
        turned: bool = False,
    ) -> int | None:
        """How many runs stand before this one where `runs` lists it; None where it does not match."""
        matching = self._matching(text, "", "", conditions, archived)
        place = fn.row_number().over(order_by=_turned(_RUN_ORDER[order], turned))
        listed = Run.select(Run.id, place.alias("place")).where(matching)
        found = self._fetch(pw.Select([listed], [listed.c.place]).where(listed.c.id == run_id))
        return int(found[0][0]) - 1 if found else None

    def count_runs(
        self,
        *,
        text: str = "",
        model: str = "",
        status: str = "",
        conditions: tuple[Condition, ...] = (),
        archived: bool | None = None,
    ) -> int:
        """How many runs match."""
        matching = self._matching(text, model, status, conditions, archived)
        return int(self._fetch(Run.select(fn.count(Run.id)).where(matching))[0][0])

    def _matching(
        self, text: str, model: str, state: str, conditions: tuple[Condition, ...], archived: bool | None
    ) -> Any:
        """The condition for runs whose name or model holds `text`, whose model holds `model`, that are in `state`."""
        condition: Any = Run.id.is_null(False)
        for columns, value in (((Run.exp_id, Run.model), text), ((Run.model,), model)):
            if value:
                condition &= reduce(or_, [fn.instr(fn.lower(column), value.lower()) > 0 for column in columns])
        by_state = bool(state) or any(wanted.field == "status" for wanted in conditions)
        states = self._states() if by_state else Run.status
        if state:
            condition &= states == state
        for wanted in conditions:
            condition &= condition_of(states if wanted.field == "status" else RUN_FILTERS[wanted.field], wanted)
        return condition if archived is None else condition & (Run.archived == archived)

    def _states(self) -> Any:
        """A run's state as a value of a query; whether somebody holds an unfinished run no table knows."""
        ids: dict[str, list[int]] = {}
        for row in self._fetch(Run.select(*_RUN_FIELDS).where(Run.status.in_(("running", "paused")))):
            run = self._run(row)
            ids.setdefault(run.state, []).append(run.id)
        shown = [(Run.id.in_(found), state) for state, found in ids.items()]
        return pw.Case(None, shown, Run.status) if shown else Run.status

    def _run(self, row: tuple[Any, ...]) -> RunRow:
        run = run_from_row(row)
        if run.status not in ("running", "paused"):
            return run
        if is_held(self.path, run.id):
            return replace(run, alive=True)
        # Its runner may have ended since the row was read, which the row says now: only then nobody was cut off.
        again = self._fetch(Run.select(*_RUN_FIELDS).where(Run.id == run.id))
        return run_from_row(again[0]) if again else run

    def find_run(self, exp_id: str) -> RunRow | None:
        """The run with exactly this `exp_id`, or None."""
        rows = self._fetch(Run.select(*_RUN_FIELDS).where(Run.exp_id == exp_id))
        return self._run(rows[0]) if rows else None

    def run(self, exp_id: str) -> RunRow:
        """The run with this `exp_id`, or the only one that begins with it.

        Raises:
            StoreError: there is none, or several begin so; the message names near ones.
        """
        if run := self.find_run(exp_id):
            return run
        begins = fn.substr(Run.exp_id, 1, len(exp_id)) == exp_id
        rows = self._fetch(Run.select(*_RUN_FIELDS).where(begins).order_by(Run.id.desc()).limit(6))
        if len(rows) == 1 and exp_id:
            return self._run(rows[0])
        from difflib import get_close_matches

        names = [str(row[0]) for row in self._fetch(Run.select(Run.exp_id).order_by(Run.id.desc()).limit(2000))]
        near = [self._run(row).exp_id for row in rows] if exp_id else []
        near = near or get_close_matches(exp_id, names, n=3, cutoff=0.5)
        hint = f"; did you mean {', '.join(near)}?" if near else "; `modex runs` lists them"
        raise StoreError(f"no run named {exp_id!r} in {self.path}{hint}")

    def run_by_id(self, run_id: int) -> RunRow:
        """The run with this id.

        Raises:
            StoreError: it is gone.
        """
        rows = self._fetch(Run.select(*_RUN_FIELDS).where(Run.id == run_id))
        if not rows:
            raise StoreError(f"{self.path}: the run was deleted; open another")
        return self._run(rows[0])

    # scores

    def domain_scores(self, run_ids: Sequence[int]) -> dict[int, list[tuple[str, float | None]]]:
        """Each run's domains with their Weighted Scores, as last stored by `stat`."""
        query = TestResult.select(TestResult.run, TestResult.domain, TestResult.score)
        query = query.where(TestResult.level.is_null(), TestResult.run.in_(list(run_ids)))
        scores: dict[int, list[tuple[str, float | None]]] = {}
        for run_id, domain, score in self._fetch(query.order_by(TestResult.id)):
            scores.setdefault(run_id, []).append((domain, score if isinstance(score, int | float) else None))
        return scores

    def level_scores(self, run_id: int) -> list[dict[str, Any]]:
        """The stored `level_scores` rows of the run."""
        names = ("domain", "level", "average_score", "weight", "total_tests", "passed_tests", "ci_low", "ci_high")
        query = LevelScore.select(*fields_of(LevelScore, names)).where(LevelScore.run == run_id)
        return [dict(zip(names, row, strict=True)) for row in self._fetch(query.order_by(LevelScore.id))]

    # samples

    def changes(self, run_id: int, since: int, limit: int = 5000) -> list[SampleHead]:
        """Samples changed after sequence number `since`, oldest change first."""
        query = Result.select(*_HEAD_FIELDS).where(Result.run == run_id, Result.seq > since)
        return [head_from_row(row) for row in self._fetch(query.order_by(Result.seq).limit(limit))]

    def finished(self, run_id: int, since: int, limit: int = 5000) -> tuple[list[SampleHead], int]:
        """Samples that were finished after sequence number `since`, oldest first, and up to which number that is.

        All were told once the number does not grow any more.
        """
        with plain_errors(self.path):
            found = _NEWEST.rows(self.database, run_id)
            newest = int(found[0][0]) if found else since
            heads = [head_from_row(row) for row in _FINISHED_SINCE.rows(self.database, run_id, since, newest, limit)]
        return heads, heads[-1].seq if len(heads) == limit else max(since, newest)

    def heads(
        self, run_id: int, query: SampleQuery = EVERYTHING, *, limit: int = 1000, offset: int = 0
    ) -> list[SampleHead]:
        """Samples that match, in planning order."""
        found = Result.select(*_HEAD_FIELDS).where(query.of(run_id)).order_by(Result.position)
        return [head_from_row(row) for row in self._fetch(found.limit(limit).offset(offset))]

    def head_ids(self, run_id: int, query: SampleQuery = EVERYTHING) -> list[int]:
        """The ids of the samples that match, in planning order."""
        found = Result.select(Result.id).where(query.of(run_id)).order_by(Result.position)
        return [row[0] for row in self._fetch(found)]

    def ids_with_part(self, run_id: int, kind: str, status: str) -> list[int]:
        """The ids of the samples of that status whose verdict names that kind of part, in planning order."""
        named = fn.instr(Result.details, f'"{kind}"') > 0
        found = Result.select(Result.id).where(Result.run == run_id, Result.status == status, named)
        return [row[0] for row in self._fetch(found.order_by(Result.position))]

    def ids_around(
        self, run_id: int, query: SampleQuery, sample_id: int | None, limit: int
    ) -> tuple[list[int], list[int]]:
        """The ids of samples that match, in planning order: at most `limit` before `sample_id`, and as many from it on.

        Without a sample, or with one that does not match, the first ones. Costs what it passes over, not what matches.
        """
        matching = query.of(run_id)
        found = None
        if sample_id is not None:
            found = self._fetch(Result.select(Result.position).where(matching & (Result.id == sample_id)))
        ids = Result.select(Result.id).limit(limit)
        if not found:
            return [], [row[0] for row in self._fetch(ids.where(matching).order_by(Result.position))]
        place = found[0][0]
        before = self._fetch(ids.where(matching & (Result.position < place)).order_by(Result.position.desc()))
        after = self._fetch(ids.where(matching & (Result.position >= place)).order_by(Result.position))
        return [row[0] for row in reversed(before)], [row[0] for row in after]

    def sorted_ids(self, run_id: int, query: SampleQuery, sort: str, *, turned: bool = False) -> list[int]:
        """The ids of the samples that match, worst `score`, longest `time` or most `tokens` first, or `turned` round."""
        found = (
            Result.select(Result.id)
            .where(query.of(run_id))
            .order_by(*_turned(_SAMPLE_ORDER[sort], turned), Result.position)
        )
        return [row[0] for row in self._fetch(found)]

    def heads_by_id(self, ids: Sequence[int]) -> list[SampleHead]:
        """The heads of these samples, in the order of `ids`; missing ones are left out."""
        found: dict[int, SampleHead] = {}
        for start in range(0, len(ids), _PAGE):
            page = Result.select(*_HEAD_FIELDS).where(Result.id.in_(list(ids[start : start + _PAGE])))
            found.update((row[0], head_from_row(row)) for row in self._fetch(page))
        return [found[id_] for id_ in ids if id_ in found]

    def details_by_id(self, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
        """What the verdicts of these samples stored in detail; missing and damaged ones are left out."""
        found: dict[int, dict[str, Any]] = {}
        for start in range(0, len(ids), _PAGE):
            page = Result.select(Result.id, Result.details).where(Result.id.in_(list(ids[start : start + _PAGE])))
            found.update((row[0], values_from_row(("details",), row[1:])["details"]) for row in self._fetch(page))
        return found

    def names(self, run_id: int, query: SampleQuery = EVERYTHING) -> Iterator[tuple[str, int, str]]:
        """Domain, level and id of every sample that matches, in planning order: a test with epochs comes again."""
        fields = (Result.domain, Result.level, Result.test_id)
        wanted = Result.select(*fields).where(query.of(run_id)).order_by(Result.position)
        with plain_errors(self.path):
            for domain, level, test_id in self.database.each(wanted):
                yield domain, level, decode_text(test_id)

    def count(self, run_id: int, query: SampleQuery = EVERYTHING) -> int:
        """How many samples match."""
        return int(self._fetch(Result.select(fn.count(Result.id)).where(query.of(run_id)))[0][0])

    def lacking(self, run: RunRow) -> int:
        """How many samples were not asked since something of their tests is not here, which nobody asked to skip."""
        if run.config.get("selection", {}).get("skip_invalid"):
            return 0
        types = (str(ErrorType.INVALID_TEST), str(ErrorType.TOOL_UNAVAILABLE), str(ErrorType.SANDBOX_UNAVAILABLE))
        found = (Result.run == run.id) & (Result.status == "skipped") & Result.error_type.in_(types)
        return int(self._fetch(Result.select(fn.count(Result.id)).where(found))[0][0])

    def sample(self, sample_id: int) -> EvaluationSample:
        """One sample with everything it holds.

        Raises:
            StoreError: it is gone.
        """
        rows = self._fetch(Result.select(*_SAMPLE_FIELDS).where(Result.id == sample_id))
        if not rows:
            raise StoreError(f"{self.path}: sample {sample_id} is gone, since its run was deleted; open another")
        return sample_from_row(rows[0])

    def bytes_of_transcript(self, sample_id: int) -> int:
        """How large the stored transcript of a sample is; 0 where the sample is gone."""
        size = fn.length(Result.transcript.cast("BLOB"))
        rows = self._fetch(Result.select(size).where(Result.id == sample_id))
        return int(rows[0][0] or 0) if rows else 0

    def sample_without_transcript(self, sample_id: int) -> EvaluationSample:
        """One sample with everything but its transcript, which is empty.

        Raises:
            StoreError: it is gone.
        """
        fields = [pw.Value("[]") if field is Result.transcript else field for field in _SAMPLE_FIELDS]
        rows = self._fetch(Result.select(*fields).where(Result.id == sample_id))
        if not rows:
            raise StoreError(f"{self.path}: sample {sample_id} is gone, since its run was deleted; open another")
        return sample_from_row(rows[0])

    def samples_by_id(self, ids: Sequence[int]) -> list[EvaluationSample]:
        """Whole samples, in the order of `ids`; missing ones are left out."""
        if not ids:
            return []
        # The ids as one parameter: Peewee takes 40 µs a sample to build a list of them, reading a sample 60.
        listed = pw.SQL("(SELECT value FROM json_each(?))", [json.dumps(list(ids))])
        rows = self._fetch(Result.select(*_SAMPLE_FIELDS).where(pw.Expression(Result.id, "IN", listed)))
        found = {sample.id: sample for sample in map(sample_from_row, rows)}
        return [found[id_] for id_ in ids if id_ in found]

    def samples(self, run_id: int, query: SampleQuery = EVERYTHING) -> Iterator[EvaluationSample]:
        """Whole samples in planning order, a page in memory at a time."""
        return map(sample_from_row, self._rows_of_samples(run_id, query))

    def documents(self, run_id: int, query: SampleQuery = EVERYTHING) -> Iterator[list[Any]]:
        """The samples in planning order as JSON holds them: the values of `SAMPLE_FIELDS`, `reason` always filled in."""
        return map(document_from_row, self._rows_of_samples(run_id, query))

    def _rows_of_samples(self, run_id: int, query: SampleQuery) -> Iterator[tuple[Any, ...]]:
        wanted = Result.select(*_SAMPLE_FIELDS).where(query.of(run_id)).order_by(Result.position).limit(_PAGE)
        after: Any = -1
        while True:
            rows = self._fetch(wanted.where(Result.position > after))
            yield from rows
            self.on_samples(len(rows))
            if len(rows) < _PAGE:
                return
            after = rows[-1][_POSITION]

    def earlier_verdicts(self, sample_id: int) -> list[dict[str, Any]]:
        """Judgements of the sample that later ones replaced, oldest first."""
        names = (
            "judge_fingerprint", "evaluator_id", "status", "score", "error_type", "error_message", "extracted_answer",
            "completed_at", "details",
        )  # fmt: skip
        query = EarlierVerdict.select(*fields_of(EarlierVerdict, names)).where(EarlierVerdict.result == sample_id)
        return [values_from_row(names, row) for row in self._fetch(query.order_by(EarlierVerdict.id))]

    # log

    def events(self, run_id: int, since: int = 0, limit: int = 1000) -> list[EventRow]:
        """Log lines after sequence number `since`, oldest first; the newest `limit` of them."""
        fields = (RunEvent.seq, RunEvent.at, RunEvent.kind, RunEvent.result_id, RunEvent.message)
        query = RunEvent.select(*fields).where(RunEvent.run == run_id, RunEvent.seq > since)
        rows = self._fetch(query.order_by(RunEvent.seq.desc()).limit(limit))
        return [
            EventRow(seq, at, kind, result_id, decode_text(str(message)))
            for seq, at, kind, result_id, message in rows[::-1]
        ]

    def found_limits(self, run_id: int) -> str:
        """How many calls at once each model was found to answer, and why no more, in words; empty where nobody looked."""
        query = RunEvent.select(RunEvent.message).where(RunEvent.run == run_id, RunEvent.kind == "limit")
        rows = self._fetch(query.order_by(RunEvent.seq.desc()).limit(1))
        return decode_text(str(rows[0][0])) if rows else ""


def _turned(order: tuple[Any, ...], turned: bool) -> list[Any]:
    """The order the other way round; what stands first or last whatever the order (unfinished, without a score) stays."""
    if not turned:
        return list(order)
    found: list[Any] = []
    for part in order:
        down = isinstance(part, pw.Ordering) and part.direction == "DESC"
        field = part.node if isinstance(part, pw.Ordering) else part
        plain = isinstance(field, pw.Field) or part is order[-1]
        found.append(part if not plain else field.asc() if down else field.desc())
    return found


RUN_FILTERS: Mapping[str, Any] = {
    "run": Run.exp_id,
    "model": Run.model,
    "status": Run.status,
    "kind": Run.kind,
    "note": fn.coalesce(Run.note, ""),
    "score": Run.overall_score * 100,
    "tests": Run.total_tests,
    "passed": Run.passed_tests,
    "errors": Run.error_tests,
    "cost": Run.cost_usd,
    "tokens": Run.prompt_tokens + Run.completion_tokens,
    "seconds": Run.duration_ms.cast("REAL") / 1000,
    "speed": _SPEED,
    "first": _FIRST.cast("REAL") / 1000,
    "started": Run.started_at,
    "archived": pw.Case(None, [(Run.archived == True, "yes")], "no"),  # noqa: E712
}
"""What a filter of runs can name, and where it stands; a run's score is out of 100, as it is shown; `status` is its
state; `speed` is in output tokens a second and `first` in seconds to the first token, medians both."""


def run_query(*typed: str) -> Query:
    """What filters of the command line ask of runs: those that all hold.

    Raises:
        ConfigurationError: a field that there is not is named.
    """
    return read_filters(typed, RUN_FILTERS)


_SHOWN = ("value", "query", "reference")
"""What stands for a whole `expected` in one line, where it has it."""
_CUT_VALUE = re.compile(r'"(?:value|query)":\s*"((?:[^"\\]|\\.)*)')


def expected_text(head: SampleHead) -> str:
    """A head's expected answer as short text; empty where the part of the JSON that was read does not hold it."""
    if head.expected is None:
        return ""
    try:
        value = json.loads(head.expected)
    except ValueError:
        cut = _CUT_VALUE.search(head.expected)
        return cut[1] if cut else "" if head.expected.startswith("{") else head.expected
    if isinstance(value, dict):
        value = next((value[key] for key in _SHOWN if key in value), "")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
