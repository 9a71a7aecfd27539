"""The unit that a question asks for where its gold is a bare number: `in Celsius`, or a percentage."""

from __future__ import annotations

import re

from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.numbers.reading import parse_number
from modex.core.answers.numbers.units import known_unit
from modex.core.foundation.lazy_regex import deferred

_READ_CHARS = 2000
_IN_UNIT = deferred(
    r"(?<![^\W_])(?:in|auf|en|em|dalam)\s(?:degrees?\s|grad\s|degrés\s|derajat\s)?"
    r"(celsius|centigrade|fahrenheit|kelvin|°\s?[CFK]|(?:milli|centi|kilo)?met(?:re|er)s?|miles|feet|inches|(?:kilo)?grams|pounds"
    r"|seconds|minutes|hours|km/h|kmh|kph|mph"
    r"|(?:kilo)?met(?:re|er)s? per (?:hour|second)|miles per hour|[mk]m/s|m/s²?|km|cm|mm|kg|mg"
    r"|lit(?:re|er)s|(?:US )?dollars|euros)(?![^\W_/])(?!\s+(?:and|per)\b)",
    re.IGNORECASE,
)
_HOW_MANY = deferred(r"\b(?:how many|wie viele|combien|cuánt[oa]s|quant[ie]|quant[oa]s|berapa banyak)\b", re.IGNORECASE)
_HOW_MUCH = deferred(
    r"\b(?:speed|velocity|height|weight|mass|length|distance|how (?:tall|long|far|high|fast|old|deep|heavy))\b",
    re.IGNORECASE,
)
_PERCENT = deferred(
    r"%|per\s?cents?\b|percentages?|rates?\b|interest|discount|chance|probabilit|ratio|proportion|share\b|fraction|tax\b|tip\b"
    r"|increase|decrease|prozent|anteil|pour\s?cent|por\s?ciento|porcentaje|per\s?cento|persen",
    re.IGNORECASE,
)


def asked_unit(prompt: str) -> str | None:
    """The unit that a question names for its answer; none of one that counts things."""
    question = prompt[-_READ_CHARS:]
    if _HOW_MANY.search(question):
        return None
    found = [match[1] for match in _IN_UNIT.finditer(question)]
    return found[-1] if found and known_unit(found[-1]) else None


def is_percent_unasked(answer: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether an answer is a percentage where the question asks how many there are of something: `31%` for 31 apples."""
    gold = expected.number
    if (
        gold is None
        or gold.percent
        or expected.unit
        or gold.unit
        or expected.percent_equal
        or not (_HOW_MANY.search(prompt) or _HOW_MUCH.search(prompt))
    ):
        return False
    number = parse_number(answer, expected.locale)
    return number is not None and number.percent and _PERCENT.search(prompt) is None
