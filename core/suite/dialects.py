"""Other systems' ways to write a suite: what one is to the loader, and those that there are.

A dialect knows the signs of its files, and says their values in our form. It stands at the edge, and is found by a name here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any, Protocol

from modex.core.foundation.by_name import by_name


@dataclass(frozen=True, slots=True)
class Translated:
    """A file's value in our form."""

    data: dict[str, Any]
    forms: tuple[str, ...] = ()
    """What was translated, each a form by name (`answer`, `mock_response`)."""
    notes: tuple[str, ...] = ()
    """What the form lost, in sentences."""
    unusable: str = ""
    """Why the test or tool cannot run here, which is no mistake of its author."""
    absent: tuple[tuple[str, str], ...] = ()
    """Tools within a test that cannot run here, each with why: they end it only where its gold needs them."""


@dataclass(slots=True)
class Context:
    """What a test stands in: its evaluator, by its own id or its level's or domain's, and the tools it is offered."""

    evaluator_id: str
    evaluator_type: str
    evaluator_config: Mapping[str, Any]
    parameters: Mapping[str, Mapping[str, Any]]
    """The argument schemas of the suite's tools, by function name."""
    stem: str
    """The file's name without its ending, which is the id where a test has none."""
    level: int
    fixture: str
    """The file of the suite, of those that the dialect names, in which its queries' tables stand; empty where there is none."""


class Whose(Enum):
    """Whose a test of a query is."""

    OURS = auto()
    """It names what only we know."""
    THEIRS = auto()
    """It names what only the other system knows."""
    EITHER = auto()
    """Both know it: it is theirs where the tables stand where that system has them."""


class Dialect(Protocol):
    """One system's way to write a suite."""

    name: str
    appends_tools: bool
    """Whether tool lists add up over domain, level and test where a file does not say."""
    folders: tuple[str, ...]
    """Folders beside the definitions that hold domains, tools and evaluators too."""
    tool_folders: tuple[str, ...]
    """Folders beside the definitions that hold tools only."""
    fixtures: tuple[str, ...]
    """Files of the suite in which the tables of its queries may stand; the first that is there counts."""
    names: Mapping[str, str]
    """What the system calls a key of ours, where it calls it otherwise."""
    stand_ins: Mapping[str, dict[str, Any]]
    """Tools that the system has in its code and in no file, in our form by id."""

    def otherwise(self, forms: Collection[str]) -> tuple[str, ...]:
        """What is judged otherwise than there, and why, of the forms that a suite has; each in a sentence."""

    def is_evaluator(self, data: dict[str, Any]) -> bool:
        """Whether an evaluator file's object bears the signs of this system; in our form it would be a mistake."""

    def is_tool(self, data: dict[str, Any]) -> bool:
        """Whether a tool's object does."""

    def is_test(self, expected: Any, evaluator_id: str) -> bool:
        """Whether a test's `expected` does, under its evaluator."""

    def named_evaluator(self, data: dict[str, Any]) -> str:
        """The evaluator that a test's object names itself; empty where it names none."""

    def is_query(self, expected: Any, evaluator_id: str) -> Whose | None:
        """What a test of a query says of whose it is; None where it is no such test.

        Such a test may have nothing that this system alone writes.
        """

    def evaluator(self, data: dict[str, Any]) -> Translated:
        """An evaluator file's object."""

    def tool(self, data: dict[str, Any]) -> Translated:
        """A tool's object, of a file or embedded in a test."""

    def layer(self, data: dict[str, Any], level: int | None = None) -> Translated:
        """A domain.json or, with its `level`, a level.json."""

    def test(self, data: dict[str, Any], context: Context) -> Translated:
        """A test's object."""


DIALECTS = {"evonic": "modex.core.edge.dialects.evonic:Evonic"}
"""The class of each dialect as `module:name`, by the name that a `suite.json` gives it."""


@cache
def dialect_of(name: str) -> Dialect:
    """The dialect of this name, one of `DIALECTS`."""
    made: Dialect = by_name(DIALECTS[name])()
    return made


@cache
def every_dialect() -> tuple[Dialect, ...]:
    """All of them; the first whose signs a file bears is the one that it is written in."""
    return tuple(dialect_of(name) for name in DIALECTS)
