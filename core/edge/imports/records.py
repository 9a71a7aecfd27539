"""What a log of another tool says, before it is stored: one record a run, one a sample."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.jsonvalues.jsonargs import too_deep
from modex.core.suite.datasets.mapping import level_of
from modex.core.suite.files import FileFaultError, read_bytes

_LABEL = 200
_DEEPEST = 300
MAX_FILE_BYTES = 1024 * 1024 * 1024
"""A log that is one JSON object is read whole, so it has a limit; logs of many lines and archives have none."""


@dataclass(slots=True)
class ForeignSample:
    """One answer and its verdict. `score` is 0 to 1, None where the tool gave none that can be read as such."""

    test_id: str
    question: str
    epoch: int = 1
    gold: Any = None
    """As the log has it; None where there is none."""
    domain: str = ""
    level: int = 1
    weight: float = 1.0
    system_prompt: str | None = None
    response: str | None = None
    reasoning: str | None = None
    answer: str | None = None
    """What the other tool took for the answer."""
    transcript: list[dict[str, Any]] = field(default_factory=list)
    score: float | None = None
    why: str | None = None
    error: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    duration_ms: int = 0
    finish_reason: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    found: dict[str, Any] = field(default_factory=dict)
    """What else the tool's verdict says, by name."""


@dataclass(slots=True)
class ForeignRun:
    """One run of another tool. `samples` reads the log when it is called."""

    tool: str
    path: Path
    name: str
    """What the run is called here."""
    task: str
    """What was asked; runs of the same task are compared test by test."""
    model: str
    scorer: str
    """Whose verdict it is."""
    samples: Callable[[], Iterator[ForeignSample]]
    started_at: str | None = None
    completed_at: str | None = None
    duration_ms: int = 0
    """How long its evaluation took as its log says, with the others of the log; 0 where it does not."""
    finished: bool = True
    reason: str | None = None
    notes: list[str] = field(default_factory=list)
    """What of the log is not carried over."""
    bent: list[str] = field(default_factory=list)
    """What of it is read in another way than it says."""


def label(value: Any, otherwise: str) -> str:
    """A name of a test, a task or a run: one printable line that is no path."""
    text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    text = "".join(mark if mark.isprintable() else "_" for mark in text)[:_LABEL].lstrip("/")
    return otherwise if not text or ".." in text.split("/") else text


def table(value: Any) -> dict[str, Any]:
    """The object that stands there; an empty one where something else does."""
    return value if isinstance(value, dict) else {}


def read_object(text: bytes | str, where: object) -> dict[str, Any]:
    """A JSON object.

    Raises:
        ConfigurationError: it is none; the message says where.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{where}: this is no JSON ({error}); name a file as it was written, whole") from error
    if too_deep(value, _DEEPEST):
        raise ConfigurationError(f"{where}: nests deeper than {_DEEPEST} levels; name a file as it was written, whole")
    if not isinstance(value, dict):
        raise ConfigurationError(f"{where}: this is no JSON object; name a file as it was written, whole")
    return value


def read_file(path: Path) -> dict[str, Any]:
    """A file that is one JSON object.

    Raises:
        ConfigurationError: it cannot be read, or is none.
    """
    try:
        return read_object(read_bytes(path, MAX_FILE_BYTES), path)
    except FileFaultError as fault:
        raise ConfigurationError(f"{path}: {fault.message}") from None


def level_in(value: Any) -> int:
    """A level from 1 to 5 as metadata may say it; 1 where it says none."""
    return level_of(value) or 1


def score_in(value: Any, highest: float) -> float | None:
    """A score as 0 to 1 (`highest` is the most a number can be); None where the value is none."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        letters = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
        if value in letters:
            return letters[value]
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= highest:
        return None
    return value / highest


def moment(value: Any) -> str | None:
    """A moment as the store writes it, from ISO 8601 or seconds since 1970; None where there is none that can be read."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            read = datetime.fromtimestamp(value, UTC)
        elif isinstance(value, str) and value:
            read = datetime.fromisoformat(value)
        else:
            return None
        at = (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def whole(value: Any) -> int:
    """A count or a time, 0 where there is none."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return round(value) if known and value > 0 else 0
