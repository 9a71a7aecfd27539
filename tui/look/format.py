"""Numbers, times and money as a person reads them: short, one unit a column, of constant width while they change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from modex.core.safety import clean_line
from modex.core.store.clock import parse

NONE = "–"


def clock(seconds: float | None) -> str:
    """Elapsed or remaining time: `0:07`, `2:14`, `1:02:03`, `3d 04h`; at most 7 columns."""
    if seconds is None:
        return NONE
    whole = max(0, int(seconds))
    if whole >= 100 * 3600:
        return f"{whole // 86400}d {whole % 86400 // 3600:02d}h"
    if whole >= 3600:
        return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}"


def passed(kind: str, done: int, total: int) -> str:
    """How many of a run's samples passed, `64/78`; of a speed test, which judges nothing, how many there are."""
    return f"{total} calls" if kind == "speed" else f"{done}/{total}"


def remaining(seconds: float | None) -> str:
    """How much longer: as `clock`, but nothing is known where an estimate has run out or is below a second."""
    return NONE if seconds is None or seconds < 1 else clock(seconds)


def roughly(seconds: float) -> str:
    """How much longer in one number, which no clock time looks like: `~40 s`, `~12 min`, `~2.5 h`; at most 7 columns."""
    if seconds < 60:
        return f"~{max(1, round(seconds))} s"
    if seconds < 5970:
        return f"~{round(seconds / 60)} min"
    return f"~{seconds / 3600:.1f} h" if seconds < 359_640 else "~days"


def seconds(milliseconds: float | None) -> str:
    """How long one thing took: `0.0 s`, `3.4 s`, `59.9 s`, then as `clock`; at most 7 columns."""
    if milliseconds is None:
        return NONE
    value = milliseconds / 1000
    return f"{value:.1f} s" if value < 99.95 else clock(value)


def speed(
    first_ms: float | None, tokens_per_s: float | None, thinking_ms: float | None, *, estimated: bool
) -> list[str]:
    """How fast an answer came, a figure each, of those that there are; `~` where no server counted its tokens."""
    about = "~" if estimated else ""
    found = [f"first token {first_ms / 1000:.2f} s"] if first_ms else []
    found += [f"{about}{tokens_per_s:.0f} tok/s"] if tokens_per_s else []
    return found + ([f"thinking {thinking_ms / 1000:.1f} s"] if thinking_ms else [])


def hundred(score: float | None, digits: int = 0) -> str:
    """A score (0–1) out of 100: `84`, `100`, or with one digit `71.4`."""
    return NONE if score is None else f"{100 * score:.{digits}f}"


def least(score: float | None, bounds: tuple[float, float] | None, sign: str = "≥") -> str:
    """A run's score out of 100; where samples without a verdict bound it, what it is at least: `≥40.0`."""
    return hundred(score, 1) if bounds is None else f"{sign}{hundred(bounds[0], 1)}"


def one(score: float | None) -> str:
    """A sample's score as stored: `0.00` to `1.00`."""
    return NONE if score is None else f"{score:.2f}"


def spread(low: float | None, high: float | None) -> str:
    """Half the width of an interval of a score, out of 100: `5.2`; empty where there is none."""
    return "" if low is None or high is None else f"{50 * (high - low):.1f}"


def count(number: int | None) -> str:
    """A count in full: `1,204`."""
    return NONE if number is None else f"{number:,}"


def compact(number: float | None) -> str:
    """A large count in at most 5 columns: `812`, `4.1k`, `190k`, `2.3M`."""
    if number is None:
        return NONE
    for limit, divisor, unit in ((1e3, 1.0, ""), (1e6, 1e3, "k"), (1e9, 1e6, "M"), (1e12, 1e9, "G")):
        if abs(number) < limit * 0.9995:
            value = number / divisor
            if not unit:
                return f"{number:.0f}"
            return f"{value:.1f}{unit}" if abs(value) < 99.95 else f"{value:.0f}{unit}"
    return f"{number / 1e12:.1f}T"


def rate(number: float | None) -> str:
    """Things per second: `0.4`, `1.9`, `14`, `4.1k`."""
    if number is None:
        return NONE
    return f"{number:.1f}" if number < 9.95 else compact(number)


def cost(usd: float | None, *, unpriced: bool = False) -> str:
    """Money: `$0.00`, `$0.0009`, `$0.08`, `$12.30`, `$1,234`; a `+` where some calls have no known price."""
    if usd is None:
        return NONE
    if usd >= 1000:
        text = f"${usd:,.0f}"
    elif usd >= 0.01 or usd == 0:
        text = f"${usd:.2f}"
    else:
        text = f"${usd:.4f}"
    if unpriced:
        return f"{text}+" if usd else NONE
    return text


def local(stored: str | None, zone_of: datetime) -> datetime | None:
    """A stored moment in the time zone of `zone_of`; None where there is none or it cannot be read."""
    if not stored:
        return None
    try:
        return parse(stored).astimezone(zone_of.tzinfo)
    except ValueError:
        return None


def when(stored: str | None, now: datetime) -> str:
    """When something began: `14:02` today, `Mon 14:02` within a week, `3 Nov` this year, `2025-11-03` before."""
    moment = local(stored, now)
    if moment is None:
        return NONE
    days = (now.date() - moment.date()).days
    if days == 0:
        return f"{moment:%H:%M}"
    if 0 < days < 7:
        return f"{moment:%a %H:%M}"
    return f"{moment.day} {moment:%b}" if moment.year == now.year else f"{moment:%Y-%m-%d}"


def time_of_day(stored: str | None, now: datetime) -> str:
    """A log line's time: `14:02:31`."""
    moment = local(stored, now)
    return NONE if moment is None else f"{moment:%H:%M:%S}"


def attached(attachment: Mapping[str, Any]) -> str:
    """A file that is sent with a question: `chart.png (image/png, 12.4 kB)`."""
    size = int(attachment.get("size") or 0)
    large = f"{size} bytes" if size < 1000 else f"{size / 1000:.1f} kB" if size < 999_950 else f"{size / 1e6:.1f} MB"
    return clean_line(f"{attachment.get('name')} ({attachment.get('media_type')}, {large})")
