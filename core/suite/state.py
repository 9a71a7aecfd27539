"""What the parts of the loader share while one suite is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from modex.core.suite.definitions import Suite, Translation
from modex.core.suite.dialects import Dialect, Translated, Whose, every_dialect
from modex.core.suite.files import FileFaultError, Folder, read_text
from modex.core.suite.report import Report, Source

RESERVED = frozenset({"evaluators", "tools", "prompts", "tool_mocks", "plugins", "schemas"})
"""Folders beside the domains that hold something else."""


@dataclass(slots=True)
class Loading:
    """One suite being read. Paths are relative to its root, with `/`."""

    suite: Suite
    definitions: str
    """Folder of the domains: `test_definitions`, or empty where the root is that folder."""
    builtins: frozenset[str]
    whole: bool
    """Whether the tests are read too; else nobody is told of mistakes, and those that take long to find are not looked for."""
    report: Report = field(default_factory=Report)
    broken_evaluators: dict[str, str] = field(default_factory=dict)
    """Evaluators whose file has a mistake, with the reason; tests that name them cannot run."""
    broken_tools: dict[str, str] = field(default_factory=dict)
    absent_tools: dict[str, str] = field(default_factory=dict)
    """Tools that a file defines and nobody can run here, with the reason."""
    stand_ins: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Tools that stand in no file of the suite, since the other system has them in its code, in our form by id."""
    dialect: Dialect | None = None
    """The system that the files were written for; None where it is this one."""
    foreign: Dialect | None = None
    """The system whose signs a file bears, though nobody said that it is read as that system's."""
    leaning: Dialect | None = None
    """The system whose the suite's queries are, unless one of them is ours."""
    own_queries: bool = False
    """Whether a test of a query names what only we know."""
    settled: bool = field(init=False)
    """Whether the suite says itself that it is written for this system, so that nothing is looked for."""
    ignore_case: bool = field(init=False)
    tools_append: bool = field(init=False)
    """Whether lists of tools add up over the layers where a file does not say. It and the two before are the settings'."""
    spoken: dict[str, list[tuple[int, dict[str, Any]]]] = field(default_factory=dict)
    """What the files of another system say in our form, by path, each with its line (0 where it is the file's); only while such a
    suite is read."""
    real_root: str = ""

    def __post_init__(self) -> None:
        self.real_root = os.path.realpath(self.suite.root)

    def full(self, relative: str) -> str:
        """The absolute path of a relative one."""
        return f"{self.suite.root}/{relative}" if relative else str(self.suite.root)

    def under(self, *parts: str) -> str:
        """A path below the folder of the domains."""
        return "/".join(part for part in (self.definitions, *parts) if part)

    def folder(self, relative: str) -> Folder:
        """List a folder; links that leave the suite are reported. A missing folder is an empty one."""
        found = Folder(self.full(relative))
        try:
            found.list(self.real_root)
        except FileFaultError as fault:
            self.report.problem(relative or ".", 0, fault.message)
        for name in found.escaped:
            self.report.problem(
                f"{relative}/{name}" if relative else name,
                0,
                "a link that leaves the suite, or leads nowhere, is not followed; copy the file there",
            )
        return found

    def look_for_signs(self, bears: Callable[[Dialect], bool]) -> None:
        """Remember the other system whose signs an object bears, unless the suite says what it is written for."""
        if self.foreign is None and not self.settled:
            self.foreign = next((one for one in every_dialect() if bears(one)), None)

    def look_at_query(self, expected: Any, evaluator_id: str) -> None:
        """Remember what a test of a query says of whose the suite is."""
        for dialect in every_dialect():
            whose = dialect.is_query(expected, evaluator_id)
            self.own_queries = self.own_queries or whose is Whose.OURS
            if whose is Whose.THEIRS or (whose is Whose.EITHER and self._fixture_of(dialect)):
                self.leaning = self.leaning or dialect

    @property
    def others(self) -> Dialect | None:
        """The system that the files are written for, by their signs; None where there are none, or the suite says whose it is."""
        if self.settled or self.dialect is not None:
            return None
        return self.foreign or (None if self.own_queries else self.leaning)

    def say(self, source: Source, at: tuple[int, ...], said: Translated) -> dict[str, Any]:
        """Remember what was translated, and return the value in our form."""
        line = source.line or (source.line_of(at) if at else 1)
        found = [Translation(source.path, line, form) for form in said.forms]
        lost = [
            Translation(source.path, line, "", note)
            for note in (*said.notes, *([said.unusable] if said.unusable else []))
        ]
        self.suite.translated += [*found, *lost]
        self.spoken.setdefault(source.path, []).append((source.line or 0, said.data))
        return said.data

    @property
    def fixture(self) -> str:
        """The file with the tables that the other system's queries are run on; empty where there is none."""
        return self._fixture_of(self.dialect) if self.dialect is not None else ""

    def _fixture_of(self, dialect: Dialect) -> str:
        return next((name for name in dialect.fixtures if os.path.isfile(self.full(name))), "")  # noqa: PTH113 - a text already

    def is_typo(self, hint: str) -> bool:
        """Whether a name that is not there is a mistake, by the `hint` at what was meant.

        Another system's suite makes no mistake so: what it names may stand in that system's code.
        """
        return bool(hint) and self.dialect is None

    def read(self, relative: str) -> Source | None:
        """Read one definition file; None with the problem reported where it cannot be read."""
        try:
            return Source(relative, read_text(self.full(relative)))
        except FileFaultError as fault:
            self.report.problem(relative, fault.line, fault.message)
            return None

    def objects(self, relative: str) -> Iterator[tuple[Source, tuple[int, ...], dict[str, Any]]]:
        """The objects of a file that holds one or a list of them, each with where it stands."""
        source = self.read(relative)
        if source is None:
            return
        value = self.report.parse(source)
        if isinstance(value, dict):
            yield source, (), value
        elif isinstance(value, list):
            for number, item in enumerate(value):
                if isinstance(item, dict):
                    yield source, (number,), item
                else:
                    source.add((number,), "an object is expected; write one")
        elif not source.faulty:
            source.add((), "an object is expected; write one")
        self.report.take(source)


def one_object(loading: Loading, relative: str) -> tuple[Source, dict[str, Any]] | None:
    """The object of a file that holds exactly one; None with the problem reported."""
    source = loading.read(relative)
    if source is None:
        return None
    value = loading.report.parse(source)
    if isinstance(value, dict):
        return source, value
    if not source.faulty:
        hint = "; put several tests into a .jsonl file, one a line" if isinstance(value, list) else ""
        source.add((), f"an object is expected{hint or '; write one'}")
    loading.report.take(source)
    return None
