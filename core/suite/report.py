"""Collecting every mistake of a suite and what it lacks: a source remembers its mistakes, and finds the lines only then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.suite.files import FileFaultError
from modex.core.suite.jsontext import parse_json
from modex.core.suite.keys import Table
from modex.core.suite.positions import JsonPath, find_line, find_lines
from modex.core.suite.suggest import near_miss
from modex.core.suite.tables import INNOCENT


@dataclass(slots=True)
class Source:
    """One JSON text: a file, or a line of a JSONL file (then `line` is that line)."""

    path: str
    text: str
    line: int | None = None
    found: list[tuple[JsonPath, str]] = field(default_factory=list)
    located: list[Problem] = field(default_factory=list)
    as_written: Mapping[str, str] = field(default_factory=dict)
    """What the file's author calls a key that stands nowhere in it: mistakes are found there."""

    def add(self, where: JsonPath, message: str) -> None:
        """Remember a mistake at `where`; its line is looked up by `problems`."""
        self.found.append((where, message))

    def add_at(self, line: int, message: str) -> None:
        """Remember a mistake whose line is known."""
        self.located.append(Problem(self.path, self.line or line, message))

    def line_of(self, where: JsonPath) -> int:
        """The line of the key or element at `where`."""
        where = self._written(where)
        if self.line is None and where and isinstance(where[-1], str):
            token = f'"{where[-1]}"'
            at = self.text.find(token)
            if at >= 0 and self.text.find(token, at + 1) < 0:
                return self.text.count("\n", 0, at) + 1
        return self.line or find_line(self.text, where)

    def _written(self, where: JsonPath) -> JsonPath:
        """The path of `where` in the words of the file."""
        name = self.as_written.get(str(where[-1])) if where and self.as_written else None
        its_own = name is None or re.search(rf'"{where[-1]}"\s{{0,9}}:', self.text)
        return where if its_own or name is None else (*where[:-1], name)

    def first_since(self, number: int) -> Problem:
        """The first mistake with its line, after the first `number` of them were remembered."""
        return Source(self.path, self.text, self.line, self.found[number:], [], self.as_written).problems()[0]

    @property
    def faulty(self) -> bool:
        """Whether anything is wrong."""
        return bool(self.found or self.located)

    def problems(self) -> list[Problem]:
        """Every mistake with its line, in the order of the file."""
        problems = list(self.located)
        if self.found and self.line is not None:
            problems += [Problem(self.path, self.line, message) for _, message in self.found]
        elif self.found:
            found = [(self._written(where), message) for where, message in self.found]
            lines = find_lines(self.text, [where for where, _ in found])
            problems += [Problem(self.path, lines[where], message) for where, message in found]
        return sorted(set(problems))


@dataclass(slots=True)
class _Unknown:
    path: str
    line: int
    count: int = 1


@dataclass(slots=True)
class Report:
    """What the loader found: problems that stop a run, lacks that skip tests, notes that do neither."""

    problems: list[Problem] = field(default_factory=list)
    lacks: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    _unknown: dict[tuple[str, str], _Unknown] = field(default_factory=dict)
    _misses: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def parse(self, source: Source) -> Any:
        """The JSON value of `source`; None with the mistake remembered where it is not JSON."""
        try:
            value, duplicates = parse_json(source.text)
        except FileFaultError as fault:
            source.add_at(fault.line, fault.message)
            return None
        for key, line, first in duplicates:
            source.add_at(line, f"'{key}' is given twice in one object (first on line {source.line or first})")
        return value

    def check(self, source: Source, data: dict[str, Any], table: Table, where: JsonPath = ()) -> dict[str, Any]:
        """Check `data` by `table`; return its unknown keys. Nulls count as absent."""
        unknown: dict[str, Any] = {}
        checks = table.checks
        for name, value in data.items():
            check = checks.get(name)
            if check is None:
                if not self._near_miss(source, table, name, where):
                    unknown[name] = value
            elif value is not None:
                fault = check(value)
                if fault is not None:
                    source.add((*where, name), f"'{name}' {fault}")
        for name in table.required:
            if data.get(name) is None:
                self._missing(source, data, table, name, where)
        return unknown

    def _missing(self, source: Source, data: Mapping[str, Any], table: Table, name: str, where: JsonPath) -> None:
        if any(self._misses.get((table.kind, key)) == name for key in data):
            return
        source.add((*where, name) if name in data else where, f"the {table.kind} has no '{name}'; add it")

    def _near_miss(self, source: Source, table: Table, name: str, where: JsonPath) -> bool:
        slot = (table.kind, name)
        if slot not in self._misses:
            self._misses[slot] = None if name in INNOCENT else near_miss(name, table.checks)
        meant = self._misses[slot]
        if meant is not None:
            source.add((*where, name), f"unknown key '{name}'; did you mean '{meant}'?")
            return True
        seen = self._unknown.get(slot)
        if seen is None:
            self._unknown[slot] = _Unknown(source.path, source.line_of((*where, name)))
        else:
            seen.count += 1
        return False

    def note(self, path: str, line: int, message: str) -> None:
        """Remember something worth saying that does not stop a run."""
        self.notes.append(Problem(path, line, message))

    def problem(self, path: str, line: int, message: str) -> None:
        """Remember a mistake that belongs to no JSON text."""
        self.problems.append(Problem(path, line, message))

    def lack(self, path: str, line: int, message: str) -> Problem:
        """Remember something that is named and only not here, and return it with its place."""
        found = Problem(path, line, message)
        self.lacks.append(found)
        return found

    def take(self, source: Source) -> list[Problem]:
        """Add the mistakes of `source`, and return them."""
        if not source.faulty:
            return []
        problems = source.problems()
        self.problems += problems
        return problems

    def finish(self) -> None:
        """Add one note per unknown key, and put everything in order."""
        for (kind, name), seen in self._unknown.items():
            more = f" (and {seen.count - 1:,} more)" if seen.count > 1 else ""
            self.note(seen.path, seen.line, f"unknown {kind} key '{name}' is kept as metadata{more}")
        self.problems = sorted(set(self.problems))
        self.lacks, self.notes = sorted(set(self.lacks)), sorted(set(self.notes))


def reason(problems: list[Problem]) -> str:
    """Why a test cannot run, in one text."""
    shown = "; ".join(str(problem) for problem in problems[:3])
    return f"{shown}; and {len(problems) - 3} more" if len(problems) > 3 else shown
