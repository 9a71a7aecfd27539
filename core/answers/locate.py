"""Whether an extracted answer stands in the response, or derives from it by normalising, and where.

What is in neither way of the response is the extractor's own work, and is never scored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from modex.core.answers.assertion import Reading, Standing, read_text
from modex.core.answers.comparison import compare
from modex.core.answers.kinds import ExpectedAnswer, expected_answer
from modex.core.answers.numbers.reading import parse_number
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.own import read_own
from modex.core.answers.text.boolean import read_boolean
from modex.core.answers.text.choice import letters_named, read_choice
from modex.core.answers.text.dates import AmbiguousDateError, dates_in, read_date
from modex.core.answers.text.text import comparable, find_words, fold, strip_wrapping
from modex.core.answers.text.text import word_spans as word_places
from modex.core.foundation.errors import JudgeError

Span = tuple[int, int]
Places = tuple[bool, list[Span]]
"""Whether an answer is in a text, and the places where it stands as one piece, in order."""
_WINDOW_CHARS = 200_000
_FRAGMENTS = 24
_FORMULA = re.compile(
    r"\$\$?(.+?)\$\$?|\\\((.+?)\\\)|\\\[(.+?)\\\]"
    r"|(?:[=:≈]|\b(?:is|are|gets?|got|gives?|obtain|have|becomes?|yields?|adalah|ist|est|es)\b)\s*([^\n=]{1,200})",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Located:
    """Where an answer is in a response, and whether the response gives it as what it holds."""

    found: bool
    span: Span | None = None
    """The last place where it is asserted, else the last place; None where it stands nowhere as one piece."""
    standing: Standing | None = None
    """What the response does with it instead of asserting it, at every place; None where it asserts it."""


def locate(answer: str, response: str, expected: ExpectedAnswer, prompt: str = "") -> Located:
    """Whether `answer` is in `response`, where, and whether it is asserted there (and not denied, corrected, asked, …).

    The span is None where it derives from the text without standing there as one piece. A number is found by its value
    and sign, a truth value or an option by a sentence that says it, anything else by its words.
    """
    base = max(0, len(response) - _WINDOW_CHARS)
    window = response[base:]
    finder = {"numeric": _number, "boolean": _boolean, "choice": _choice, "date": _date, "math": _formula}.get(
        expected.type, _words
    )
    if expected.parts:
        finder = _words
    found, spans = finder(answer, window, expected)
    if not found and expected.type not in ("numeric", "boolean", "choice"):
        found, spans = _derived(answer, window, expected, prompt), []
    if not spans and found and finder is _words:
        window = fold(window)  # its places are nobody's: only what is done with them counts
        spans = list(word_places(window, comparable(answer, expected.locale)))
        standing = _standing(read_text(window, prompt), spans)[1] if spans else None
        return Located(found, None, standing)
    if not spans:
        return Located(found)
    (start, end), standing = _standing(read_text(window, prompt), spans)
    return Located(found, (start + base, end + base), standing)


def _standing(reading: Reading, spans: list[Span]) -> tuple[Span, Standing | None]:
    """The last of these places that is asserted; else the last one, and what is done with it."""
    last: Standing | None = None
    for start, end in reversed(spans[-_PLACES:]):
        standing = reading.stance(start, end)
        if standing.asserted and not reading.takes_back(end):
            return (start, end), None
        last = last or (TAKEN_BACK if standing.asserted else standing)
    return spans[-1], last


def asserts(response: str, start: int, end: int, prompt: str = "") -> bool:
    """Whether `response` asserts its piece from `start` to `end`."""
    return _standing(read_text(response, prompt), [(start, end)])[1] is None


TAKEN_BACK = Standing("corrected", "called wrong")
_PLACES = 40
"""Places of one answer that are looked at, from the last one back."""


def _literal(answer: str, window: str) -> list[Span]:
    return list(word_places(window, strip_wrapping(answer)))


def _number(answer: str, window: str, expected: ExpectedAnswer) -> Places:
    """By value: `18` is found in `$18.00`; a number word counts too."""
    number = parse_number(answer, expected.locale, expected.unit)
    if number is None:
        literal = _literal(answer, window)
        return bool(literal), literal
    for reader in (number_spans, word_spans):
        spans = [(start, end) for start, end, other in reader(window, expected.locale) if other.value == number.value]
        if spans:
            return True, spans
    literal = _literal(answer, window)
    if literal and not re.search(r"(?:[-−–]|minus |negative )$", window[: literal[-1][0]]):
        return True, literal
    return any(
        word in fold(window).split() for word in ("one", "a", "an", "un", "une", "satu", "ein", "eine")
    ) and number.value == 1, []


def _boolean(answer: str, window: str, expected: ExpectedAnswer) -> Places:
    """By polarity, sentence by sentence: `yes` is found in `That is correct`, and not in `That is not correct`."""
    wanted = read_boolean(answer)
    if wanted is None:
        return _words(answer, window, expected)
    places = [
        (match.start() + len(match[0]) - len(match[0].lstrip()), match.end())
        for match in re.finditer(r"(?<![^\S\n])[^\S\n]*+[^\s.!?。！？।][^.!?。！？।\n]*[.!?。！？।]?", window)
        if read_boolean(match[0]) is wanted
    ]
    return (True, places) if places else (read_boolean(window) is wanted, [])


def _choice(answer: str, window: str, expected: ExpectedAnswer) -> Places:
    """By a letter that stands as one, or by the option's text."""
    options = expected.options or None
    letter = read_choice(answer, options)
    if letter is None:
        return _words(answer, window, expected)
    known = dict.fromkeys(options or "ABCDEFGHIJ", "")
    found, places = False, []
    for line in re.finditer(r"(?<![^\n])[^\S\n]*+\S[^\n]*", window):
        if letter in letters_named(line[0], known) or read_choice(line[0], options) == letter:
            found = True
            within = re.finditer(rf"(?<![\w'’]){letter}(?![\w'’])", line[0], re.IGNORECASE)
            places += [(line.start() + one.start(), line.start() + one.end()) for one in within]
    if found:
        return True, places
    text = (options or {}).get(letter, "")
    spans = list(word_places(window, text)) if text else []
    if not spans and _in_order(text, window):
        return True, []
    return (True, spans) if spans else (read_choice(window, options) == letter, [])


def _in_order(text: str, window: str) -> bool:
    """Whether an option that is a list has its items in the response in this order, each as whole words."""
    items = [re.escape(item.strip()) for item in text.split(",")]
    if len(items) < 3:
        return False
    return (
        re.search(r"\b.{1,80}?".join(rf"(?<!\w){item}(?!\w)" for item in items), window, re.IGNORECASE | re.DOTALL)
        is not None
    )


def _date(answer: str, window: str, expected: ExpectedAnswer) -> Places:
    locale = expected.locale if expected.locale_given else None
    literal = _literal(answer, window)
    if literal:
        return True, literal
    try:
        day = read_date(answer, locale)
    except AmbiguousDateError:
        return False, []
    spans = [(start, end) for start, end, other in dates_in(window, locale) if other == day]
    return (True, spans) if day is not None and spans else (False, [])


def _words(answer: str, window: str, expected: ExpectedAnswer) -> Places:
    """As it stands, else in other case, spacing and quotes, else item by item where it is a list."""
    literal = _literal(answer, window)
    if literal:
        return True, literal
    folded = fold(window)
    plain = comparable(answer, expected.locale)
    if plain and find_words(folded, plain):
        return True, []
    items = [
        item
        for item in (comparable(item, expected.locale) for item in re.split(r"[,;\n|]|\s{1,20}and\s{1,20}", answer))
        if item
    ]
    return len(items) > 1 and all(find_words(folded, item) for item in items), []


def _formula(answer: str, window: str, expected: ExpectedAnswer) -> Places:
    """As it stands, with any white space in it, or by its value where it is a number."""
    literal = _literal(answer, window)
    if literal:
        return True, literal
    squeezed = re.sub(r"\s", "", strip_wrapping(answer).strip("$"))
    if squeezed and len(squeezed) <= 200:
        spans = [match.span() for match in re.finditer(r"\s*".join(map(re.escape, squeezed)), window)]
        if spans:
            return True, spans
    if parse_number(answer, expected.locale) is not None:
        return _number(answer, window, expected)
    return False, []


def _derived(answer: str, window: str, expected: ExpectedAnswer, prompt: str) -> bool:
    """Whether it is equal to what the rules read in the response, or to a formula there."""
    own = read_own(window, expected, prompt)
    candidates = [own.answer] if own is not None else []
    if expected.type == "math":
        candidates += _formulas(window)
    return any(_same(answer, candidate, expected) for candidate in candidates)


def _formulas(window: str) -> Iterator[str]:
    found = [next(part for part in match.groups() if part) for match in _FORMULA.finditer(window[-20_000:])]
    yield from reversed(found[-_FRAGMENTS:])


def formulas_of(sentence: str) -> Iterator[tuple[int, str]]:
    """What a sentence gives behind its last verb, and behind its last sign of equality, with where it starts."""
    for pattern in (_VERB_GIVES, _SIGN_GIVES):
        for match in list(pattern.finditer(sentence))[-1:]:
            piece = sentence[match.end() :].strip().rstrip(".").strip()
            if piece:
                yield sentence.index(piece, match.end()), piece


_VERB_GIVES = re.compile(
    r"\b(?:is|are|equals?|gives?|becomes?|ist|sind|est|sont|es|son|adalah)\b:?(?!\s+(?:not|nicht|pas|no)\b)",
    re.IGNORECASE,
)
_SIGN_GIVES = re.compile(r"[:=]")


def _same(answer: str, candidate: str, expected: ExpectedAnswer) -> bool:
    kind = "exact_match" if expected.type == "text" or expected.parts else expected.type
    try:
        own = expected_answer({"type": kind, "value": candidate.strip(), "locale": expected.locale})
        return compare(answer, own)[0]
    except JudgeError:
        return False
