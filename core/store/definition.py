"""What a test says beside its question and its gold, kept with each of its samples: one typed value in one JSON column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from modex.core.store.columns import Document

if TYPE_CHECKING:
    from modex.core.config.runconfig import (
        RolloutMode,  # its module takes long to import, and a first frame needs none of it
    )

_MODES: tuple[RolloutMode, ...] = ("direct", "reasoning", "agentic", "conversation")


@dataclass(frozen=True, slots=True, eq=False)
class Definition(Document, Mapping[str, Any]):
    """The column `definition` of a sample.

    It reads as a mapping too, with the keys that are stored: a field at its default has none (`line` has, where `file` is). Two
    are equal where they hold the same, and a plain dict with the same keys is equal as well. A processer that changes one makes
    another, with `dataclasses.replace`.
    """

    file: str = ""
    """The test's file, relative to the suite's root; empty where there is none."""
    line: int = 1
    """The test's line in `file`, from 1."""
    rollout: RolloutMode = "direct"
    tool_ids: list[str] = field(default_factory=list)
    """The suite's tools that are offered, by id."""
    tools: list[dict[str, Any]] = field(default_factory=list)
    """Tools that the suite does not know by id, whole."""
    timeout_ms: float | None = None
    """How long one call may take, in milliseconds; None for the run's own limit."""
    max_iterations: int | None = None
    """Turns of the tool loop that it needs, where the run allows fewer; None for the run's own number."""
    tool_faults: dict[str, list[str]] = field(default_factory=dict)
    """Faults planted in its tools, by tool and call by call."""
    tool_state: dict[str, Any] = field(default_factory=dict)
    """What its mocks know at the start, by name."""
    simulated_user: dict[str, Any] = field(default_factory=dict)
    """Who speaks with the model in a conversation: goal, facts, when it leaves."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """What the test's author keeps with it."""
    turns: list[dict[str, Any]] = field(default_factory=list)
    """The chat turns `{"role", "content"}` of a test that asks with several; empty for one text."""
    attachments: list[dict[str, Any]] = field(default_factory=list)
    """The files that are sent with the question, as `modex.core.suite.attachments.Attachment` says them; never their content."""
    more: dict[str, Any] = field(default_factory=dict)
    """Keys of no field, which a processer or another version stored."""

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Definition:
        """The definition that a mapping holds: a stored one, or a plain dict.

        Raises:
            ValueError: a key holds what it cannot; the message names it.
        """
        if isinstance(value, Definition):
            return value
        if type(value) is not dict and not isinstance(value, Mapping):
            raise ValueError(f"{type(value).__name__}, which is no object")
        known: dict[str, Any] = {}
        more: dict[str, Any] = {}
        for name, found in value.items():
            fits = _FITS.get(name)
            if fits is None:
                more[name] = found
            elif not fits(found):
                raise ValueError(f"`{name}` of another form")
            elif found is not None:
                known[name] = found
        return cls(**known, more=more)

    def as_json(self) -> dict[str, Any]:
        """What is stored: every field that is not at its default."""
        found: dict[str, Any] = {"file": self.file, "line": self.line} if self.file or self.line != 1 else {}
        if self.rollout != "direct":
            found["rollout"] = self.rollout
        for name in _LEFT_OUT_WHERE_EMPTY:
            if value := getattr(self, name):
                found[name] = value
        if self.timeout_ms is not None:
            found["timeout_ms"] = self.timeout_ms
        if self.max_iterations is not None:
            found["max_iterations"] = self.max_iterations
        return {**found, **self.more}

    @classmethod
    def normal(cls, value: dict[str, Any]) -> dict[str, Any]:
        """What would be stored of the definition that `value` holds.

        Raises:
            ValueError: a key holds what it cannot; the message names it.
        """
        if tuple(value) == ("file", "line"):  # of most tests nothing else is known
            file, line = value["file"], value["line"]
            if type(file) is str and type(line) is int and (file or line != 1):
                return value
        return super(Definition, cls).normal(value)

    def __getitem__(self, name: str) -> Any:
        """A stored key's value."""
        return self.as_json()[name]

    def __iter__(self) -> Iterator[str]:
        """The stored keys."""
        return iter(self.as_json())

    def __len__(self) -> int:
        """How many keys are stored."""
        return len(self.as_json())


_LEFT_OUT_WHERE_EMPTY = (
    "tool_ids",
    "tools",
    "tool_faults",
    "tool_state",
    "simulated_user",
    "metadata",
    "turns",
    "attachments",
)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


_FITS: dict[str, Callable[[object], bool]] = {
    "file": lambda value: isinstance(value, str),
    "line": _whole,
    "rollout": lambda value: value in _MODES,
    "tool_ids": _texts,
    "tools": _objects,
    "timeout_ms": lambda value: value is None or _whole(value) or isinstance(value, float),
    "max_iterations": lambda value: value is None or _whole(value),
    "tool_faults": lambda value: isinstance(value, dict) and all(map(_texts, value.values())),
    "tool_state": lambda value: isinstance(value, dict),
    "simulated_user": lambda value: isinstance(value, dict),
    "metadata": lambda value: value is None or isinstance(value, dict),
    "turns": lambda value: value is None or _objects(value),
    "attachments": lambda value: value is None or _objects(value),
}
