"""Times of day: `19:00`, `19.00 WIB`, `7:00 PM`, `19 Uhr` are one minute of the day, with the zone where one is named."""

from __future__ import annotations

import re

from core.deferred import deferred

_TIME = deferred(
    r"(?:at |um |pukul |à |a las |jam )?(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(a\.?m\.?|p\.?m\.?|uhr|h|hrs|hours|o'clock)?\s*"
    r"\(?(wib|wita|wit|utc|gmt|cet|cest|est|edt|pst|pdt|cst|bst|jst|ist|msk|z)?\)?", re.IGNORECASE
)  # fmt: skip


_ZONES = deferred(r"\bwaktu (?:indonesia barat|jakarta)\b|\bjakarta time\b", re.IGNORECASE)
"""What `WIB` is called in words."""


def read_time(text: str) -> tuple[int, str] | None:
    """Minutes since midnight and the zone (empty where none is named); None for what is no time of day.

    A bare number is none: minutes or a word such as `pm` must show what is meant.
    """
    match = _TIME.fullmatch(_ZONES.sub("WIB", text.strip(" .*`\"'")))
    if match is None or (match[2] is None and match[3] is None):
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").replace(".", "").lower()
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59:
        return None
    return hour * 60 + minute, (match[4] or "").upper()


def same_time(gold: str, answer: str) -> bool:
    """Whether both are the same time of day; the gold's minutes are written with two digits, and zones must not differ."""
    if not re.search(r"\d[:h]\d{2}(?!\d)", gold):
        return False
    one, other = read_time(gold), read_time(answer)
    return (
        one is not None
        and other is not None
        and one[0] == other[0]
        and (not one[1] or not other[1] or one[1] == other[1])
    )
