"""What a dialect is to the loader: it knows the signs of its files, and says their values in our form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Said:
    """A file's value in our form."""

    data: dict[str, Any]
    forms: tuple[str, ...] = ()
    """What was translated, each a form by name (`answer`, `mock_response`)."""
    notes: tuple[str, ...] = ()
    """What the form lost, in sentences."""
    unusable: str = ""
    """Why the test or tool cannot run here, which is no mistake of its author."""


@dataclass(slots=True)
class Context:
    """What a test stands in: its evaluator, by its own id or its level's or domain's, and the tools it is offered."""

    evaluator_id: str = ""
    evaluator_type: str = ""
    evaluator_config: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The argument schemas of the suite's tools, by function name."""
    stem: str = ""
    """The file's name without its ending, which is the id where a test has none."""
    level: int = 1


class Dialect(Protocol):
    """One system's way to write a suite."""

    name: str
    appends_tools: bool
    """Whether tool lists add up over domain, level and test where a file does not say."""
    folders: tuple[str, ...]
    """Folders beside the definitions that hold domains, tools and evaluators too."""

    def evaluator(self, data: dict[str, Any]) -> Said:
        """An evaluator file's object."""

    def tool(self, data: dict[str, Any]) -> Said:
        """A tool's object, of a file or embedded in a test."""

    def layer(self, data: dict[str, Any], level: int | None = None) -> Said:
        """A domain.json or, with its `level`, a level.json."""

    def test(self, data: dict[str, Any], context: Context) -> Said:
        """A test's object."""
