"""Which samples of a run are meant, as one value that lists, exports and counts share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, ge, gt, le, lt, or_
from typing import Any, NamedTuple

import peewee as pw
from peewee import fn

from modex.core.config.filters import Condition, read_filters
from modex.core.store.party_column import party
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import Review


class Part(NamedTuple):
    """Samples of a run that follow each other, by their positions."""

    first: int
    end: int | None
    """Where the next part begins; None for the last one."""

    def of(self, position: Any) -> Any:
        """The condition that a `position` lies in it."""
        begins = position >= self.first
        return begins if self.end is None else begins & (position < self.end)


@dataclass(frozen=True, slots=True)
class SampleQuery:
    """Which samples of a run; empty fields do not restrict."""

    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    statuses: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    test_ids: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()
    """Samples by their own ids."""
    text: str = ""
    """Case-insensitive part of the test's id, name, domain, error or extracted answer."""
    conditions: tuple[Condition, ...] = ()
    """On the fields in `SAMPLE_FILTERS`."""
    part: Part | None = None
    """A part of the run, in planning order."""

    def of(self, run_id: int) -> Any:
        """The condition for a Peewee query on the samples of `run_id`."""
        parts: list[Any] = [Result.run == run_id]
        for column, values in (
            (Result.domain, self.domains),
            (Result.level, self.levels),
            (Result.status, self.statuses),
            (Result.source, self.sources),
            (Result.test_id, self.test_ids),
            (Result.id, self.ids),
        ):
            if values:
                parts.append(column.in_(values))
        if self.text:
            searched = (Result.test_id, Result.name, Result.domain, Result.error_type, Result.extracted_answer)
            parts.append(reduce(or_, [column.contains(self.text) for column in searched]))
        parts += [] if self.part is None else [self.part.of(Result.position)]
        parts += [condition_of(SAMPLE_FILTERS[condition.field], condition) for condition in self.conditions]
        return reduce(and_, parts)


EVERYTHING = SampleQuery()
_TEXT = (Result.test_id, Result.name, Result.domain, Result.error_type, Result.extracted_answer)


def _joined(columns: Sequence[Any]) -> Any:
    first, *rest = (fn.coalesce(column, "") for column in columns)
    joined: Any = first
    for column in rest:
        joined = joined.concat(" ").concat(column)
    return joined


def _told(name: str) -> Any:
    """What a sample's metadata holds under a name."""
    path = '$.metadata."' + name.replace('"', "") + '"'
    return pw.Case(None, [(fn.json_valid(Result.definition), fn.json_extract(Result.definition, path))])


TOLD = (
    "activity_label", "category", "db_id", "lang", "language", "platform", "problem_topic", "question_concept", "subject",
    "subset", "task", "title", "topic", "type",
)  # fmt: skip
"""Columns by which known benchmarks divide their questions: filtered by under their own names, all others as `metadata.NAME`."""
_METADATA = "metadata."


class _Filters(dict[str, Any]):
    """The fields by name, and `metadata.NAME` for whatever else a test says."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and name.startswith(_METADATA))

    def __missing__(self, name: str) -> Any:
        return _told(name.removeprefix(_METADATA))


SAMPLE_FILTERS: Mapping[str, Any] = _Filters({
    "status": Result.status,
    "domain": Result.domain,
    "level": Result.level,
    "source": Result.source,
    "test": Result.test_id,
    "id": Result.test_id,
    "name": Result.name,
    "epoch": Result.epoch,
    "score": Result.score,
    "evaluator": Result.evaluator_id,
    "error": fn.coalesce(Result.error_type, "").concat(" ").concat(fn.coalesce(Result.error_message, "")),
    "fault": party(),
    "flag": _joined((Result.flags, Result.verdict_flags)),
    "why": Result.reason,
    "got": Result.extracted_answer,
    "response": Result.response,
    "prompt": Result.prompt,
    "text": _joined(_TEXT),
    "tokens": Result.prompt_tokens + Result.completion_tokens,
    "cost": Result.cost_usd,
    "seconds": Result.duration_ms.cast("REAL") / 1000,
    "attempts": Result.attempts,
    "label": Review.label,
    "note": Review.note,
    "review": Review.verdict,
    "reviewer": Review.author,
    **{name: _told(name) for name in TOLD},
})  # fmt: skip
"""What a filter of samples can name, and where it stands."""
PARTIAL = frozenset({"note", "error", "flag", "why", "got", "response", "prompt", "text", "name", "run", "model"})
"""Fields of which `field:part` asks for a part, not for the whole."""


def sample_query(*typed: str) -> SampleQuery:
    """What filters of the command line ask for: those that all hold.

    Raises:
        ConfigurationError: a field that there is not is named.
    """
    query = read_filters(typed, SAMPLE_FILTERS)
    return SampleQuery(text=query.text, conditions=query.conditions)


def condition_of(field: Any, condition: Condition) -> Any:
    """A condition for a Peewee query; a field without a value meets only `!=`. Of several reviews, any may meet it."""
    if getattr(field, "model", None) is Review:
        return _reviewed(field, condition)
    return _met(field, condition)


def _met(field: Any, condition: Condition) -> Any:
    operator = condition.operator
    if operator == "range":
        number = field.cast("REAL")
        parts = [] if condition.low is None else [number >= condition.low]
        parts += [] if condition.high is None else [number <= condition.high]
        return reduce(and_, parts)
    if operator in (">", ">=", "<", "<="):
        compare = {">": gt, ">=": ge, "<": lt, "<=": le}[operator]
        number = condition.number
        return compare(field, condition.value) if number is None else compare(field.cast("REAL"), number)
    text = fn.lower(fn.coalesce(field.cast("TEXT"), ""))
    if operator == "~" or (operator == "in" and condition.field in PARTIAL):
        values = condition.alternatives if operator == "in" else (condition.value,)
        return reduce(or_, [fn.instr(text, value.lower()) > 0 for value in values])
    equal = reduce(or_, [_equals(field, text, value) for value in condition.alternatives or ("",)])
    return (~equal) | field.is_null() if operator == "!=" else equal


def _reviewed(field: Any, condition: Condition) -> Any:
    """Samples of which what somebody said last meets the condition; `!=` and `none` ask for those that nobody said it of."""
    newest = Review.select(fn.max(Review.id)).group_by(Review.result, Review.author)
    said = Review.select(Review.result).where(Review.id.in_(newest))
    if condition.value.lower() == "none" and condition.operator in ("=", "in", "!="):
        found = Result.id.in_(said.where(field.is_null(False)))
        return found if condition.operator == "!=" else ~found
    if condition.operator == "!=":
        same = Condition(condition.field, "=", condition.value)
        return ~Result.id.in_(said.where(_met(field, same)))
    return Result.id.in_(said.where(_met(field, condition)))


def _equals(field: Any, text: Any, value: str) -> Any:
    try:
        return field.cast("REAL") == float(value)
    except ValueError:
        return text == value.lower()
