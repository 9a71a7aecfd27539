"""What the reading of an answer finds: one comparison, and where the answer came from. Verdicts keep both as parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Compared:
    """One answer against one gold."""

    kind: ClassVar[str] = "compared"
    expected: Any = None
    got: Any = None
    type: str = ""
    """How they were compared: an answer type (`numeric`, `math`, …) or a rule (`use_expected_as_pattern`)."""
    why: str = ""
    aliases: tuple[Any, ...] = ()
    """Other golds that would have been right."""
    tolerance: float | int | str | None = None
    difference: float | int | str | None = None
    difference_percent: float | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else the comparison knows (`similarity`, `method`, `unit`, …)."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Where the answer that was compared came from."""

    kind: ClassVar[str] = "extracted"
    state: str = ""
    """`found`, `not_in_response`, `by_rules`, `no_answer`, `empty_response`; for SQL how the query was found (`fenced`, …)."""
    span: tuple[int, ...] = ()
    """Start and end in the response, where it stands there."""
    form: str = ""
    """How an extractor wrote it (`json`, `bare`, `prose`), where that is worth saying."""
    source: str = ""
    """Which rule found it, where no extractor did."""
    offered: str = ""
    """What an extractor said that was not compared; `fault` says why."""
    fault: str = ""
    """Why an extractor's reply was not used: `found_nothing`, `unreadable`, `not_in_response`, `not_asserted`, `contradicted`."""
    stance: str = ""
    """What the response does with what it does not assert: `denied`, `corrected`, `doubted`, `asked`, …"""
