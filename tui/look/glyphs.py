"""The signs that carry state: readable without colour, in Unicode or in ASCII."""

from __future__ import annotations

import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass

from modex.core.config.settings import GlyphSetting


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs; every sign is one column wide."""

    passed: str
    failed: str
    flaky: str
    """A test that passed in some epochs and failed in others."""
    error: str
    running: str
    pending: str
    skipped: str
    paused: str
    stopped: str
    completed: str
    """A run that came to its end, whatever its score."""
    bar: str
    """Left edge of the selected row."""
    marked: str
    open: str
    """An unfolded section."""
    folded: str
    full: str
    """A filled part of a bar."""
    half: str
    empty: str
    rule: str
    column: str
    ellipsis: str
    dash: str
    """Stands where there is no value."""
    plus_minus: str
    at_least: str
    enter: str
    up: str
    down: str
    left: str
    right: str
    checked: str
    partly: str
    unchecked: str
    branch: str
    dot: str
    sorted: str
    """Beside the title of the column a list is sorted by."""
    turned: str
    """The same, where the order is the other way round."""
    levels: str
    """From least to most, for a value in one column."""

    def status(self, status: str) -> str:
        """The sign of a sample's status or a run's state."""
        return _STATUS[status](self) if status in _STATUS else self.pending

    def level(self, value: float) -> str:
        """A value from 0 to 1 in one column."""
        return self.levels[max(0, min(len(self.levels) - 1, int(value * len(self.levels))))]


_STATUS = {
    "passed": lambda g: g.passed,
    "failed": lambda g: g.failed,
    "flaky": lambda g: g.flaky,
    "error": lambda g: g.error,
    "running": lambda g: g.running,
    "pending": lambda g: g.pending,
    "skipped": lambda g: g.skipped,
    "completed": lambda g: g.completed,
    "paused": lambda g: g.paused,
    "stopped": lambda g: g.stopped,
    "aborted": lambda g: g.error,
    "interrupted": lambda g: g.stopped,
}

UNICODE = Glyphs(
    passed="●", failed="○", flaky="◐", error="!", running="▸", pending="·", skipped="–", paused="‖", stopped="■", completed="✓",
    bar="▐", marked="◆", open="▾", folded="▸", full="━", half="╸", empty="─", rule="─", column="│", ellipsis="…",
    dash="–", plus_minus="±", at_least="≥", enter="↵", up="↑", down="↓", left="←", right="→",
    checked="■", partly="◪", unchecked="□", branch="›", dot="·", sorted="▾", turned="▴", levels="▁▂▃▄▅▆▇█",
)  # fmt: skip
ASCII = Glyphs(
    passed="#", failed="o", flaky="%", error="!", running=">", pending=".", skipped="-", paused="=", stopped="x", completed="+",
    bar="|", marked="*", open="v", folded=">", full="=", half="-", empty=".", rule="-", column="|", ellipsis="~",
    dash="-", plus_minus="~", at_least=">", enter="enter", up="up", down="down", left="left", right="right",
    checked="x", partly="-", unchecked=" ", branch=">", dot=".", sorted="v", turned="^", levels="0123456789",
)  # fmt: skip


def choose(setting: GlyphSetting, environment: Mapping[str, str] = os.environ, encoding: str | None = None) -> Glyphs:
    """The set to draw with: the setting, else ASCII where the locale cannot encode or draws these signs wide."""
    if setting != "auto":
        return UNICODE if setting == "unicode" else ASCII
    encoding = encoding or locale.getpreferredencoding(False)
    if encoding.lower().replace("-", "") not in ("utf8", "utf16", "utf32"):
        return ASCII
    language = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    return ASCII if language[:2] in ("ja", "zh", "ko") else UNICODE
