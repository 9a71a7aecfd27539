"""Whether an extracted answer stands in the response, or derives from it by normalising, and where.

What is in neither way of the response is the extractor's own work, and is never scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.errors import JudgeError
from core.evaluators.answers.comparison import compare
from core.evaluators.answers.kinds import ExpectedAnswer, expected_answer
from core.evaluators.answers.own import read_own
from core.evaluators.numbers.reading import parse_number
from core.evaluators.numbers.spans import number_spans, word_spans
from core.evaluators.text.boolean import read_boolean
from core.evaluators.text.choice import letters_named, read_choice
from core.evaluators.text.dates import AmbiguousDateError, dates_in, read_date
from core.evaluators.text.text import comparable, find_words, fold, strip_wrapping

Span = tuple[int, int]
_WINDOW = 200_000
_FRAGMENTS = 24
_FORMULA = re.compile(
    r"\$\$?(.+?)\$\$?|\\\((.+?)\\\)|\\\[(.+?)\\\]"
    r"|(?:[=:≈]|\b(?:is|are|gets?|got|gives?|obtain|have|becomes?|yields?|adalah|ist|est|es)\b)\s*([^\n=]{1,200})",
    re.DOTALL,
)


def locate(answer: str, response: str, expected: ExpectedAnswer, prompt: str = "") -> tuple[bool, Span | None]:
    """Whether `answer` is in `response`, and the character offsets of its last place.

    The offsets are None where it derives from the text without standing there as one piece. A number is found by its value
    and sign, a truth value or an option by a sentence that says it, anything else by its words.
    """
    base = max(0, len(response) - _WINDOW)
    window = response[base:]
    finder = {"numeric": _number, "boolean": _boolean, "choice": _choice, "date": _date, "math": _formula}.get(
        expected.type, _words
    )
    if expected.parts:
        finder = _words
    found, span = finder(answer, window, expected)
    if not found and expected.type not in ("numeric", "boolean", "choice"):
        found, span = _derived(answer, window, expected, prompt), None
    return found, None if span is None else (span[0] + base, span[1] + base)


def _literal(answer: str, window: str) -> Span | None:
    return find_words(window, strip_wrapping(answer))


def _number(answer: str, window: str, expected: ExpectedAnswer) -> tuple[bool, Span | None]:
    """By value: `18` is found in `$18.00`; a number word counts too."""
    number = parse_number(answer, expected.locale, expected.unit)
    if number is None:
        literal = _literal(answer, window)
        return literal is not None, literal
    for reader in (number_spans, word_spans):
        spans = [(start, end) for start, end, other in reader(window, expected.locale) if other.value == number.value]
        if spans:
            return True, spans[-1]
    literal = _literal(answer, window)
    if literal is not None and not re.search(r"(?:[-−–]|minus |negative )$", window[: literal[0]]):
        return True, literal
    return any(
        word in fold(window).split() for word in ("one", "a", "an", "un", "une", "satu", "ein", "eine")
    ) and number.value == 1, None


def _boolean(answer: str, window: str, expected: ExpectedAnswer) -> tuple[bool, Span | None]:
    """By polarity, sentence by sentence: `yes` is found in `That is correct`, and not in `That is not correct`."""
    wanted = read_boolean(answer)
    if wanted is None:
        return _words(answer, window, expected)
    places = [
        (match.start() + len(match[0]) - len(match[0].lstrip()), match.end())
        for match in re.finditer(r"[^.!?。！？।\n]*[^\s.!?。！？।][^.!?。！？।\n]*[.!?。！？।]?", window)
        if read_boolean(match[0]) is wanted
    ]
    return (True, places[-1]) if places else (read_boolean(window) is wanted, None)


def _choice(answer: str, window: str, expected: ExpectedAnswer) -> tuple[bool, Span | None]:
    """By a letter that stands as one, or by the option's text."""
    options = expected.options or None
    letter = read_choice(answer, options)
    if letter is None:
        return _words(answer, window, expected)
    for line in reversed(window.splitlines()):
        if (
            letter in letters_named(line, dict.fromkeys(options or "ABCDEFGHIJ", ""))
            or read_choice(line, options) == letter
        ):
            start = window.rindex(line)
            within = [m.span() for m in re.finditer(rf"(?<![\w'’]){letter}(?![\w'’])", line, re.IGNORECASE)]
            return True, (start + within[-1][0], start + within[-1][1]) if within else None
    text = (options or {}).get(letter, "")
    span = find_words(window, text) if text else None
    if span is None and _in_order(text, window):
        return True, None
    return (True, span) if span else (read_choice(window, options) == letter, None)


def _in_order(text: str, window: str) -> bool:
    """Whether an option that is a list has its items in the response in this order, each as whole words."""
    items = [re.escape(item.strip()) for item in text.split(",")]
    if len(items) < 3:
        return False
    return (
        re.search(r"\b.{1,80}?".join(rf"(?<!\w){item}(?!\w)" for item in items), window, re.IGNORECASE | re.DOTALL)
        is not None
    )


def _date(answer: str, window: str, expected: ExpectedAnswer) -> tuple[bool, Span | None]:
    locale = expected.locale if expected.locale_given else None
    literal = _literal(answer, window)
    if literal is not None:
        return True, literal
    try:
        day = read_date(answer, locale)
    except AmbiguousDateError:
        return False, None
    spans = [(start, end) for start, end, other in dates_in(window, locale) if other == day]
    return (True, spans[-1]) if day is not None and spans else (False, None)


def _words(answer: str, window: str, expected: ExpectedAnswer) -> tuple[bool, Span | None]:
    """As it stands, else in other case, spacing and quotes, else item by item where it is a list."""
    literal = _literal(answer, window)
    if literal is not None:
        return True, literal
    folded = fold(window)
    plain = comparable(answer, expected.locale)
    if plain and find_words(folded, plain):
        return True, None
    items = [
        item for item in (comparable(item, expected.locale) for item in re.split(r"[,;\n|]|\s+and\s+", answer)) if item
    ]
    return len(items) > 1 and all(find_words(folded, item) for item in items), None


def _formula(answer: str, window: str, expected: ExpectedAnswer) -> tuple[bool, Span | None]:
    """As it stands, with any white space in it, or by its value where it is a number."""
    literal = _literal(answer, window)
    if literal is not None:
        return True, literal
    squeezed = re.sub(r"\s", "", strip_wrapping(answer).strip("$"))
    if squeezed and len(squeezed) <= 200:
        spans = [match.span() for match in re.finditer(r"\s*".join(map(re.escape, squeezed)), window)]
        if spans:
            return True, spans[-1]
    if parse_number(answer, expected.locale) is not None:
        return _number(answer, window, expected)
    return False, None


def _derived(answer: str, window: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether it is equal to what the rules read in the response, or to a formula there."""
    own = read_own(window, expected, prompt)
    candidates = [own.text] if own is not None else []
    if expected.type == "math":
        candidates += _formulas(window)
    return any(_same(answer, candidate, expected) for candidate in candidates)


def _formulas(window: str) -> Iterator[str]:
    found = [next(part for part in match.groups() if part) for match in _FORMULA.finditer(window[-20_000:])]
    yield from reversed(found[-_FRAGMENTS:])


def _same(answer: str, candidate: str, expected: ExpectedAnswer) -> bool:
    kind = "exact_match" if expected.type == "text" or expected.parts else expected.type
    try:
        own = expected_answer({"type": kind, "value": candidate.strip(), "locale": expected.locale})
        return compare(answer, own)[0]
    except JudgeError:
        return False
