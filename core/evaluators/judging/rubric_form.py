"""A rubric as a test's `expected` gives it: items worth points, groups with a minimum, gates that forbid a pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.answers.text.text import fold
from modex.core.evaluators.text.affirmed import affirmed
from modex.core.evaluators.text.keyword import phrase_occurs
from modex.core.evaluators.text.patterns import occurs, pattern_problem
from modex.core.suite.keys import Table
from modex.core.suite.suggest import did_you_mean
from modex.core.suite.tables import RUBRIC, RUBRIC_GATE, RUBRIC_ITEM


@dataclass(frozen=True, slots=True)
class Rule:
    """What decides without a judge: any of the phrases, or any of the patterns."""

    any: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    prefix: bool = False

    def __bool__(self) -> bool:
        return bool(self.any or self.regex)


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that the reply should say or be."""

    id: str
    says: str
    points: float = 1.0
    required: bool = False
    group: str | None = None
    rule: Rule = Rule()

    def occurs(self, text: str) -> bool:
        """Whether the rule finds it.

        Raises:
            JudgeError: a pattern takes more than two seconds.
        """
        folded = fold(text)
        return any(phrase_occurs(fold(phrase), folded, self.rule.prefix) for phrase in self.rule.any) or any(
            occurs(pattern, text, ignore_case=True) for pattern in self.rule.regex
        )


@dataclass(frozen=True, slots=True)
class RubricGate:
    """One thing that forbids a pass. Its rule is tried first; a `judged` gate is put to the judge too."""

    id: str
    says: str
    rule: Rule = Rule()
    as_written: bool = False
    judged: bool = True

    def found(self, text: str) -> str | None:
        """The passage in which the rule sees it, or None.

        Raises:
            JudgeError: a pattern takes more than two seconds.
        """
        for pattern in self.rule.regex:
            if passage := affirmed(pattern, text, as_written=self.as_written):
                return passage
        if self.rule.any:
            folded = fold(text)
            return next(
                (phrase for phrase in self.rule.any if phrase_occurs(fold(phrase), folded, self.rule.prefix)), None
            )
        return None


@dataclass(frozen=True, slots=True)
class RubricForm:
    """A whole rubric; `groups` maps a group to the least share of its points."""

    items: tuple[Demand, ...]
    gates: tuple[RubricGate, ...] = ()
    groups: tuple[tuple[str, float], ...] = ()
    form: str | None = None
    """A pattern for the whole reply, as `trimmed` gives it."""
    language: str | None = None
    min_words: int | None = None
    max_words: int | None = None

    @property
    def asked(self) -> tuple[Demand | RubricGate, ...]:
        """What a judge is asked about: items without a rule, and judged gates."""
        return (*(item for item in self.items if not item.rule), *(gate for gate in self.gates if gate.judged))


def read_rubric(expected: Mapping[str, Any]) -> RubricForm:
    """The rubric in an `expected` that has no problems."""
    return RubricForm(
        items=tuple(
            Demand(
                entry["id"],
                entry["says"],
                float(entry.get("points") or 1),
                bool(entry.get("required")),
                entry.get("group"),
                _rule(entry),
            )
            for entry in expected["items"]
        ),
        gates=tuple(
            RubricGate(
                entry["id"],
                entry["says"],
                _rule(entry),
                bool(entry.get("as_written")),
                entry.get("judged") is not False,
            )
            for entry in expected.get("gates") or ()
        ),
        groups=tuple((name, float(least)) for name, least in (expected.get("groups") or {}).items()),
        form=expected.get("form"),
        language=expected.get("language"),
        min_words=expected.get("min_words"),
        max_words=expected.get("max_words"),
    )


def rubric_problems(expected: Any) -> Iterator[str]:
    """What is wrong with an `expected` that should be a rubric, one message each."""
    if not isinstance(expected, dict):
        yield "expected is an object with `items`, a list of what the reply should say or be"
        return
    yield from _by_table(expected, RUBRIC, "expected")
    if expected.get("form") is not None and (problem := pattern_problem(expected["form"])):
        yield f"`form`: {problem}"
    items, gates = expected.get("items"), expected.get("gates") or []
    if not isinstance(items, list) or not items:
        yield "`items` is a list with at least one item"
        items = []
    for kind, entries, table in (("item", items, RUBRIC_ITEM), ("gate", gates, RUBRIC_GATE)):
        for number, entry in enumerate(entries if isinstance(entries, list) else [], 1):
            yield from _entry_problems(entry, table, f"{kind} {number}")
    entries = [entry for entry in [*items, *(gates if isinstance(gates, list) else [])] if isinstance(entry, dict)]
    ids = [entry.get("id") for entry in entries]
    for repeated in sorted({str(name) for name in ids if ids.count(name) > 1}):
        yield f"two entries are called {repeated!r}; rename one"
    yield from _group_problems(
        expected.get("groups"), {entry.get("group") for entry in items if isinstance(entry, dict)}
    )


def _rule(entry: Mapping[str, Any]) -> Rule:
    pattern = entry.get("regex") or ()
    patterns = (pattern,) if isinstance(pattern, str) else tuple(pattern)
    return Rule(tuple(entry.get("any") or ()), patterns, bool(entry.get("prefix")))


def _by_table(entry: Mapping[str, Any], table: Table, where: str) -> Iterator[str]:
    for name in table.required:
        if entry.get(name) is None:
            yield f"{where} has no `{name}`"
    for name, value in entry.items():
        check = table.checks.get(name)
        if check is None:
            yield f"{where} has no key `{name}` here{did_you_mean(name, table.checks)}"
        elif value is not None and (fault := check(value)):
            yield f"{where}: `{name}` {fault}"


def _entry_problems(entry: Any, table: Table, where: str) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f'{where} must be an object such as {{"id": "doctor", "says": "Sends them to a doctor today."}}'
        return
    yield from _by_table(entry, table, where)
    if isinstance(entry.get("says"), str) and not entry["says"].strip():
        yield f"{where}: `says` is empty"
    if entry.get("any") is not None and entry.get("regex") is not None:
        yield f"{where} has `any` and `regex`; one of them decides"
    patterns = entry.get("regex") if isinstance(entry.get("regex"), list) else [entry.get("regex")]
    for pattern in patterns or [""]:
        if pattern is not None and (problem := pattern_problem(pattern)):
            yield f"{where}: {problem}"
    if entry.get("any") is not None and (not entry["any"] or not all(str(phrase).strip() for phrase in entry["any"])):
        yield f"{where}: `any` holds texts that are not empty"
    if table is RUBRIC_GATE and entry.get("judged") is False and not (entry.get("any") or entry.get("regex")):
        yield f"{where}: without a judge it needs `any` or `regex`"


def _group_problems(groups: Any, named: set[Any]) -> Iterator[str]:
    for name, least in groups.items() if isinstance(groups, dict) else ():
        if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least <= 1:
            yield f"`groups`: the least share of {name!r} is a number from 0 to 1, not {least!r}"
        if name not in named:
            yield f"`groups`: no item belongs to the group {name!r}"
