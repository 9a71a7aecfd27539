"""Text and numbers as the page shows them."""

from __future__ import annotations

import html
import json
from typing import Any

from modex.core.safety import clean, clean_line, without_secrets


def shown(text: str) -> str:
    """Any text, cleaned and escaped, for an element or an attribute."""
    return html.escape(clean(text), quote=True)


def line(text: str, limit: int) -> str:
    """Any text on one line of at most `limit` characters, cleaned and escaped."""
    return html.escape(clean_line(text, limit), quote=True)


def lines(*texts: tuple[str, int]) -> list[str]:
    """Several texts as `line` gives them, with secrets masked at once: escaped, a secret would not be known any more."""
    joined = "\n".join(clean_line(text, limit) for text, limit in texts)
    return [html.escape(part, quote=True) for part in without_secrets(joined).split("\n")]


def as_text(value: Any) -> str:
    """A JSON value as people read it: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def data(value: Any) -> str:
    """JSON for a comment, secrets masked: without `<` and `>` nothing in it can end the comment."""
    written = without_secrets(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return written


def score(value: float | None) -> str:
    """A score from 0 to 1 on the scale of 100; a dash where there is none."""
    return "–" if value is None else f"{100 * value:.1f}"


def heat(value: float | None) -> str:
    """The class of a score's colour, in steps of ten."""
    return "none" if value is None else f"h{min(10, max(0, round(value * 10)))}"


def seconds(value_ms: float) -> str:
    """A duration in words that fit a table."""
    total = value_ms / 1000
    if total < 60:
        return f"{total:.1f} s"
    minutes, rest = divmod(round(total), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def money(value: float, unpriced: int = 0) -> str:
    """A cost; `≥` where some calls have no price."""
    if unpriced and not value:
        return "–"
    return f"{'≥ ' if unpriced else ''}${value:.4f}" if value < 1 else f"{'≥ ' if unpriced else ''}${value:,.2f}"
