"""Where numbers stand in running text, each read by the strict reader."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.evaluators.numbers import Number, parse_number

_TOKEN = re.compile(
    r"(?:(?<![\w.,])[-−–+]\s?)?(?:(?:US|R)?[$€£¥₹]\s?|Rp\.?\s?)?(?<![\w.,])[-−]?"
    r"(?:\d+ \d+/\d+|\d+\s?/\s?\d+|\d*[½⅓⅔¼¾⅕⅛]|\\[dt]?frac\{-?\d+\}\{\d+\}"
    r"|\d(?:[\d.,'’]|\\,|\{,\}|[   ](?=\d{3}(?!\d)))*(?:[eE][+-]?\d+|\s?(?:[x×]|\\times)\s?10\^\{?-?\d+\}?)?)"
    r"(?:\s?\\?%|\s(?:thousand|million|billion|trillion|ribu|juta|miliar|Millionen|Milliarden|mille|mil|millones)\b)?"
)
_WINDOW = 200_000


def number_spans(text: str, locale: str = "en") -> Iterator[tuple[int, int, Number]]:
    """Each number in `text` as (start, end, number), in order; only the last 200,000 characters are looked at."""
    for match in _TOKEN.finditer(text, max(0, len(text) - _WINDOW)):
        token = match[0].rstrip(".,'’")
        number = parse_number(token, locale)
        if number is not None:
            yield match.start(), match.start() + len(token), number
