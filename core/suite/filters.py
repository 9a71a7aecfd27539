"""`--filter`: one condition on a test's fields, then on its metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.config.filters import MISSING, Condition, Query, parse_condition, parse_query, unknown_field
from modex.core.suite.definitions import TestCase

_FIELDS: Mapping[str, Callable[[TestCase], Any]] = {
    "id": lambda test: test.test_id,
    "test_id": lambda test: test.test_id,
    "name": lambda test: test.name,
    "description": lambda test: test.description,
    "domain": lambda test: test.domain,
    "level": lambda test: test.level,
    "source": lambda test: test.source,
    "prompt": lambda test: test.prompt,
    "question": lambda test: test.prompt,
    "expected": lambda test: test.expected,
    "evaluator_id": lambda test: test.evaluator_id,
    "evaluator": lambda test: test.evaluator_id,
    "test": lambda test: test.test_id,
    "text": lambda test: f"{test.test_id} {test.name} {test.description} {test.prompt}",
    "rollout": lambda test: test.rollout,
    "weight": lambda test: test.weight,
    "timeout_ms": lambda test: test.timeout_ms,
    "tool_ids": lambda test: test.tool_ids,
}


def dotted(value: Any, path: str) -> Any:
    """What `path` (`a.b.0`) finds in nested objects and lists; a key that itself holds the dots comes first.

    Returns `MISSING` where it finds nothing.
    """
    if isinstance(value, Mapping) and path in value:
        return value[path]
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part, MISSING)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
        if value is MISSING:
            return MISSING
    return value


_OF_RESULTS = frozenset({"score", "status", "error", "fault", "flag", "tokens", "cost", "seconds", "attempts", "why"})
"""Fields of samples, which a test does not have before it was asked."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a test."""

    condition: Condition

    @property
    def field(self) -> str:
        """The field it is about."""
        return self.condition.field

    def matches(self, test: TestCase, row: Mapping[str, Any] | None = None) -> bool:
        """Whether `test` (or the dataset row it came from) meets the condition."""
        found = self.find(test, row)
        if self.field == "text" and self.condition.operator == "in" and found is not MISSING:
            return any(part.casefold() in str(found).casefold() for part in self.condition.alternatives)
        return self.condition.holds(found)

    def find(self, test: TestCase, row: Mapping[str, Any] | None = None) -> Any:
        """The value that the condition is about; `MISSING` where the test has no such field."""
        return value_of(test, self.field, row)


_LATE = frozenset({"evaluator", "test", "text"})
"""Short names that give way to a test's own metadata."""


def value_of(test: TestCase, name: str, row: Mapping[str, Any] | None = None) -> Any:
    """What a test (or the dataset row it came from) has under this name; `MISSING` where it has no such field."""
    found = dotted(test.metadata, name)
    getter = _FIELDS.get(name)
    if getter is not None and (found is MISSING or name not in _LATE):
        return getter(test)
    if found is MISSING and row is not None:
        found = dotted(row, name)
    if found is MISSING and name == "category":
        return test.domain
    return found


def parse_filter(text: str) -> Filter:
    """A condition on tests, as `modex.core.config.filters` reads it.

    Raises:
        ConfigurationError: it is no condition.
    """
    return Filter(parse_condition(text))


def typed_filters(typed: str, tests: Iterable[TestCase]) -> Query:
    """What is typed into a filter of `tests`: conditions on their fields and metadata, as in `--filter`, and words."""
    return parse_query(typed, {*_FIELDS, "category", *(name for test in tests for name in test.metadata)})


def unknown_filter(filter_: Filter) -> str | None:
    """Why no test has the field of a filter, in a sentence; None where every test has it."""
    if filter_.field in _FIELDS or filter_.field == "category":
        return None
    if filter_.field in _OF_RESULTS:
        return f"the filter '{filter_.field}' is about results, and tests have none before they are asked; leave it out"
    return f"the filter finds nothing: {unknown_field(filter_.field, _FIELDS)}, or any field of a test's metadata"
