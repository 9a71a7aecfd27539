"""What a simulated user says that nothing told it: figures, amounts, numbers in words, dates, addresses and names.

The rules err towards finding nothing: what can be reckoned from two numbers that it was told, or rounds one, is not invented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.text.dates import dates_in, month_of

_BETWEEN_DIGITS = re.compile(r"(?<=\d)[ .,/’'-](?=\d)")
_FIGURES = re.compile(r"\d{3,}")
_MONEY = re.compile(
    r"\s*+(?:-\s*+)?(?:dollars?|bucks?|euros?|pounds?|cents?|yen|rupees?|rupiah|pesos?|francs?|usd|eur|gbp|chf|[$€£¥₹]|franken"
    r"|dólares?|libras?)\b"
    r"|\s*+[$€£¥₹]",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"[$€£¥₹]")
_ABOUT = re.compile(
    r"(?:about|around|roughly|some|almost|nearly|approximately|under|over|at least|at most|up to|more than|less than|etwa"
    r"|ungefähr"
    r"|circa|rund|unos|unas|environ|cerca de|à peu près)\s+(?:[$€£¥₹]\s*)?$",
    re.IGNORECASE,
)
_DIGITS = {
    "zero": "0", "oh": "0", "o": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "null": "0", "eins": "1", "zwei": "2", "drei": "3", "vier": "4", "fünf": "5",
    "sechs": "6", "sieben": "7", "acht": "8", "neun": "9", "cero": "0", "uno": "1", "dos": "2", "tres": "3", "cuatro": "4",
    "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "nueve": "9",
}  # fmt: skip
_DIGIT = "|".join(sorted(_DIGITS, key=len, reverse=True))
_SPELLED = re.compile(rf"\b(?:{_DIGIT})(?:[\s,-]+(?:{_DIGIT})){{2,}}\b", re.IGNORECASE)
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21, "twenty-second": 22,
    "twenty-third": 23, "twenty-fourth": 24, "twenty-fifth": 25, "twenty-sixth": 26, "twenty-seventh": 27,
    "twenty-eighth": 28, "twenty-ninth": 29, "thirtieth": 30, "thirty-first": 31,
}  # fmt: skip
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_DAY = rf"(?P<day>\d{{1,2}}(?!\d)|{_ORDINAL})(?:st|nd|rd|th|\.|º)?"
_DAY_MONTH = re.compile(rf"\b{_DAY}(?:\s+(?:of|de))?\s+(?P<month>[^\W\d_]{{3,}})", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b(?P<month>[^\W\d_]{{3,}})\.?\s+(?:the\s+)?{_DAY}\b", re.IGNORECASE)
_WEEKDAYS = (
    ("monday", "montag", "lunes", "lundi", "segunda-feira"), ("tuesday", "dienstag", "martes", "mardi", "terça-feira"),
    ("wednesday", "mittwoch", "miércoles", "mercredi", "quarta-feira"),
    ("thursday", "donnerstag", "jueves", "jeudi", "quinta-feira"),
    ("friday", "freitag", "viernes", "vendredi", "sexta-feira"), ("saturday", "samstag", "sábado", "samedi"),
    ("sunday", "sonntag", "domingo", "dimanche"),
)  # fmt: skip
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+")
_NAMED = re.compile(
    r"\b(?i:my (?:full |last |first |user ?)?name is|my name['’]s|I am called|(?:ich|mein Name) (?:heiße|ist)|me llamo"
    r"|mi nombre es"
    r"|je m['’]appelle|mon nom est|meu nome é|nama saya)\s+(?P<name>[^\W\d_][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*){0,3})"
)
_NAME = re.compile(
    r"(?<![.!?…:\n\"“]\s)(?<!^)(?<=\s)(?P<name>[A-ZÀ-Þ][a-zà-ÿ'’-]{2,}(?:\s+[A-ZÀ-Þ][a-zà-ÿ'’-]+){1,3})", re.MULTILINE
)
_CAPITALS = re.compile(r"\b(?:der|die|das|und|nicht|ich|mit|für|bitte|mein|meine|eine|einen)\b", re.IGNORECASE)
"""Words of German, whose nouns are all written with a capital."""
_SMALL = Fraction(100)


@dataclass(frozen=True, slots=True)
class Claim:
    """What was said without being told, in words, and whether that is sure."""

    words: str
    certain: bool = True


def invented(told: str, text: str) -> Claim | None:
    """What `text` says that `told` does not hold, the surest first; None where nothing is found."""
    found = list(_claims(told, text))
    return next((one for one in found if one.certain), found[0] if found else None)


def _claims(told: str, text: str) -> Iterator[Claim]:
    joined = f"{_BETWEEN_DIGITS.sub('', told)}\n{told}\n{_spelled_in(told)}"
    values = _values(told)
    days = {(day.month, day.day) for _, _, day in dates_in(told)} | {day for _, day in _days(told)}
    for number in _FIGURES.findall(_BETWEEN_DIGITS.sub("", text)):
        if (
            number not in joined
            and not _reckoned(Fraction(int(number)), values)
            and not _is_amount(number, text, values)
        ):
            yield Claim(number)
    for words, value in _amounts(text):
        if not _reckoned(value, values):
            yield Claim(words)
    for match in _SPELLED.finditer(text):
        figures = "".join(_DIGITS[word.casefold()] for word in re.split(r"[\s,-]+", match[0]))
        if figures not in joined:
            yield Claim(f"{match[0]} ({figures})")
    for words, day in _days(text):
        if day not in days:
            yield Claim(words)
    for match in _MAIL.finditer(text):
        if match[0].casefold() not in told.casefold():
            yield Claim(match[0])
    for match in _NAMED.finditer(text):
        if not _holds(told, match["name"]):
            yield Claim(match["name"])
    yield from _likely(told, text)


def _likely(told: str, text: str) -> Iterator[Claim]:
    folded = told.casefold()
    known = {day.weekday() for _, _, day in dates_in(told)}
    for number, names in enumerate(_WEEKDAYS):
        said = next((name for name in names if re.search(rf"\b{name}s?\b", text.casefold())), None)
        if said is not None and number not in known and not any(name in folded for name in names):
            yield Claim(said.capitalize(), certain=False)
    if not _CAPITALS.search(text):
        for match in _NAME.finditer(text):
            told_of = any(_holds(told, word) for word in match["name"].split())
            if not told_of and month_of(match["name"].split()[0]) is None:
                yield Claim(match["name"], certain=False)


def _values(text: str) -> set[Fraction]:
    return {number.value for _, _, number in (*number_spans(text), *word_spans(text))}


def _amounts(text: str) -> Iterator[tuple[str, Fraction]]:
    """Amounts of money, and numbers in words of a hundred and more, that are not said to be rough."""
    for start, end, number in number_spans(text):
        money = _MONEY.match(text, end)
        if (money or _CURRENCY.search(text[start:end])) and not _ABOUT.search(text[:start]):
            yield text[start : money.end() if money else end].strip(), number.value
    for start, end, number in word_spans(text):
        if _ORDINALS.get(text[start:end].casefold()) is not None or _ABOUT.search(text[:start]):
            continue
        money = _MONEY.match(text, end)
        if money or number.value >= _SMALL:
            yield text[start : money.end() if money else end].strip(), number.value


def _is_amount(number: str, text: str, values: set[Fraction]) -> bool:
    """Whether the figures are an amount, whose value is compared instead: `49.99` and `4999`."""
    for start, end, found in number_spans(text):
        if re.sub(r"\D", "", text[start:end]) == number:
            money = _CURRENCY.search(text[start:end]) or _MONEY.match(text, end)
            return bool(money) or found.value in values
    return False


def _reckoned(value: Fraction, known: set[Fraction]) -> bool:
    """Whether a value was told, rounds one, or is a sum, a difference or a small multiple of what was told."""
    if value in known or any(abs(one - value) < 1 for one in known if one.denominator > 1):
        return True
    return any(value in (a + b, abs(a - b), a * b) for a, b in combinations(sorted(known)[:60], 2))


def _spelled_in(text: str) -> str:
    """The figures of each number that is spelled digit by digit."""
    return " ".join(
        "".join(_DIGITS[word.casefold()] for word in re.split(r"[\s,-]+", match[0]))
        for match in _SPELLED.finditer(text)
    )


def _days(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Days of the year: as they are written, and as (month, day)."""
    for pattern in (_DAY_MONTH, _MONTH_DAY):
        for match in pattern.finditer(text):
            month = month_of(match["month"])
            written = match["day"].casefold()
            day = _ORDINALS.get(written) or (int(written) if written.isdigit() else 0)
            if month is not None and 1 <= day <= 31:
                yield match[0].strip(), (month, day)


def _holds(told: str, name: str) -> bool:
    """Whether each word of a name was told."""
    folded = told.casefold()
    return all(word.casefold().rstrip("'’s") in folded for word in name.split())
