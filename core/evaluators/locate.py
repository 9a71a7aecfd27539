"""Whether an extracted answer stands in the response, and where."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.evaluators.boolean import read_boolean
from core.evaluators.choice import read_choice
from core.evaluators.number_spans import number_spans
from core.evaluators.numbers import parse_number
from core.evaluators.text import comparable, find_words, fold, strip_wrapping

Span = tuple[int, int]
_WINDOW = 200_000
_NUMBER_WORDS = {
    word: value
    for value, row in enumerate(
        [
            "zero|nol|null|cero|zéro",
            "one|satu|eins|uno|un",
            "two|dua|zwei|dos|deux",
            "three|tiga|drei|tres|trois",
            "four|empat|vier|cuatro|quatre",
            "five|lima|fünf|cinco|cinq",
            "six|enam|sechs|seis",
            "seven|tujuh|sieben|siete|sept",
            "eight|delapan|acht|ocho|huit",
            "nine|sembilan|neun|nueve|neuf",
            "ten|sepuluh|zehn|diez|dix",
            "eleven|sebelas|elf|once|onze",
            "twelve|dozen|lusin|zwölf|doce|douze",
        ]
    )
    for word in row.split("|")
}


def locate(
    answer: str, response: str, kind: str, locale: str = "en", options: Mapping[str, str] | None = None
) -> tuple[bool, Span | None]:
    """Whether `answer` is in `response` or derives from it by normalising, and the character offsets of its last place.

    The offsets are None where it derives from the text without standing there as one piece.
    """
    literal = _literal(answer, response)
    if kind == "numeric":
        found, span = _number(answer, response, locale)
        return (True, span) if found else (literal is not None, literal)
    if kind == "boolean":
        return _boolean(answer, response)
    if kind == "choice":
        return _choice(answer, response, options)
    if literal is not None:
        return True, literal
    if kind == "math":
        span = _spaceless(answer, response)
        if span is not None:
            return True, span
        return _number(answer, response, locale)
    window = response[-_WINDOW:]
    return comparable(answer, locale) in fold(window), None


def _literal(answer: str, response: str) -> Span | None:
    plain = strip_wrapping(answer)
    return find_words(response[-_WINDOW:], plain) and _shift(find_words(response[-_WINDOW:], plain), response)


def _shift(span: Span | None, response: str) -> Span | None:
    base = max(0, len(response) - _WINDOW)
    return None if span is None else (span[0] + base, span[1] + base)


def _number(answer: str, response: str, locale: str) -> tuple[bool, Span | None]:
    """By value: `18` is found in `$18.00`; a number word counts too."""
    number = parse_number(answer, locale)
    if number is None:
        return False, None
    spans = [
        (start, end) for start, end, other in number_spans(response, locale) if abs(other.value) == abs(number.value)
    ]
    if spans:
        return True, spans[-1]
    for word, value in _NUMBER_WORDS.items():
        if value == number.value and (span := _shift(find_words(response[-_WINDOW:], word), response)):
            return True, span
    return False, None


def _boolean(answer: str, response: str) -> tuple[bool, Span | None]:
    """By polarity: `yes` is found in `That is correct`."""
    wanted = read_boolean(answer)
    if wanted is None:
        return False, None
    base = max(0, len(response) - _WINDOW)
    places = [match.span() for match in re.finditer(r"[^\W\d_]+", response[base:]) if read_boolean(match[0]) is wanted]
    return (True, _shift(places[-1], response)) if places else (False, None)


def _choice(answer: str, response: str, options: Mapping[str, str] | None) -> tuple[bool, Span | None]:
    """By letter or by the option's text."""
    letter = read_choice(answer, options)
    if letter is None:
        return False, None
    base = max(0, len(response) - _WINDOW)
    places = [m.span() for m in re.finditer(rf"(?<![\w'’]){re.escape(letter)}(?![\w'’])", response[base:])]
    if not places:
        places = [m.span(1) for m in re.finditer(rf"\(({re.escape(letter.lower())})\)", response[base:])]
    if places:
        return True, _shift(places[-1], response)
    text = (options or {}).get(letter, "")
    span = _shift(find_words(response[-_WINDOW:], text), response) if text else None
    return (True, span) if span else (read_choice(response, options) == letter, None)


def _spaceless(answer: str, response: str) -> Span | None:
    """The answer with any white space between its characters."""
    squeezed = re.sub(r"\s", "", strip_wrapping(answer).strip("$"))
    if not squeezed or len(squeezed) > 200:
        return None
    pattern = r"\s*".join(re.escape(char) for char in squeezed)
    spans = [match.span() for match in re.finditer(pattern, response[-_WINDOW:])]
    return _shift(spans[-1], response) if spans else None
