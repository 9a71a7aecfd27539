"""Times of day: `19:00`, `19.00 WIB`, `7:00 PM`, `19 Uhr` are one minute of the day, with the zone where one is named."""

from __future__ import annotations

import re
from collections.abc import Iterator

from modex.core.foundation.lazy_regex import deferred

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


_LEAD = deferred(r"(?:at |by |about |around |a )?", re.IGNORECASE)


def same_time(gold: str, answer: str) -> bool:
    """Whether both are the same time of day; the gold's minutes are written with two digits, and zones must not differ."""
    if not re.search(r"\d[:h]\d{2}(?!\d)", gold):
        return False
    one, other = read_time(gold), read_time(answer)
    if other is None and (clock := clock_of(gold)) is not None:
        plain = answer.strip(" .*`\"'")
        stated = [
            (low, high, minutes, known) for low, high, minutes, known in times_in(plain) if high - low >= len(plain) - 6
        ]
        return (
            bool(stated)
            and same_clock(stated[0][2], stated[0][3], clock)
            and _LEAD.fullmatch(plain[: stated[0][0]]) is not None
        )
    return (
        one is not None
        and other is not None
        and one[0] == other[0]
        and (not one[1] or not other[1] or one[1] == other[1])
    )


_HOURS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip
_COUNTS = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "twenty five": 25}
_HOUR_WORD = "|".join(_HOURS)
_PART = r"(?:\s(?:(?P<half{0}>[ap]\.?m\b\.?)|in the (?P<day{0}>morning|afternoon|evening)|at (?P<night{0}>night)))?"
_SAID = deferred(
    rf"(?<![^\W_])(?:a )?(?P<count>half|quarter|twenty[- ]five|twenty|ten|five)(?: minutes)? (?P<way>past|after|to|before|till)"
    rf" (?P<hour>{_HOUR_WORD}|1[0-2]|[1-9])(?: o['’]clock)?(?![^\W_])" + _PART.format(1)
    + r"|(?<![\d:.])(?P<hh>\d{1,2}):(?P<mm>\d{2})(?![\d:])\s?" + _PART.replace(r"(?:\s(?:", "(?:(?:", 1).format(2)
    + rf"|(?<![^\W_])(?P<full>{_HOUR_WORD}|1[0-2]|[1-9]) o['’]clock" + _PART.format(3),
    re.IGNORECASE,
)  # fmt: skip


def times_in(text: str) -> Iterator[tuple[int, int, int, bool]]:
    """The times of day that a text says, in digits or in English words: start, end, minutes, and whether its half is known.

    `half past ten` is 10:30 or 22:30; `quarter past eight in the morning` is 08:15.
    """
    for match in _SAID.finditer(text):
        hour, minute = _clock(match)
        if hour > 23 or minute > 59:
            continue
        half = next((match[f"half{at}"] for at in "123" if match[f"half{at}"]), None)
        day = next((match[name + at] for at in "123" for name in ("day", "night") if match[name + at]), "")
        late = (half is not None and half[0] in "pP") or day.lower() in ("afternoon", "evening", "night")
        known = half is not None or bool(day) or hour > 12
        if known and hour <= 12:
            if day.lower() == "night" and hour in (12, 1, 2, 3, 4):
                late = False
            hour = hour % 12 + (12 if late else 0)
        yield match.start(), match.end(), (hour * 60 + minute) % 1440, known or match["hh"] is not None


def _clock(match: re.Match[str]) -> tuple[int, int]:
    if match["hh"]:
        return int(match["hh"]), int(match["mm"])
    word = (match["hour"] or match["full"]).lower()
    hour = _HOURS.get(word) or int(word)
    if match["full"]:
        return hour, 0
    minutes = _COUNTS[match["count"].lower()]
    if match["way"].lower() in ("to", "before", "till"):
        return (hour - 1 or 12), 60 - minutes
    return hour, minutes


_CLOCK = deferred(r"\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?", re.IGNORECASE)


def clock_of(gold: str) -> tuple[int, bool] | None:
    """The minutes of a gold that is a time of day and nothing else, and whether it leaves its half open (`8:15`)."""
    if _CLOCK.fullmatch(gold.strip()) is None or (found := read_time(gold)) is None:
        return None
    minutes = found[0]
    open_half = gold.strip()[-1:].isdigit() and not gold.strip().startswith("0") and 60 <= minutes < 780
    return minutes, open_half


def same_clock(minutes: int, known: bool, gold: tuple[int, bool]) -> bool:
    """Whether a time that a text says is a gold's; where one leaves its half of the day open, either half will do."""
    wanted, is_open = gold
    return minutes == wanted or ((is_open or not known) and (minutes - wanted) % 720 == 0)
