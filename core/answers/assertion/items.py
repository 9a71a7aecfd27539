"""The words of a text as they are compared: keyed, numbers put together, small words marked, footnote marks split off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from modex.core.answers.assertion.tokens import Token, fold_word, spans_of, token_at, word_set
from modex.core.answers.assertion.wordforms import (
    MONTHS,
    NUMBERS,
    SCALES,
    key,
    number_of,
    roman_of,
    scale_mark,
)
from modex.core.foundation.lazy_regex import deferred

SMALL = word_set("""
    the a an of in on at by to for from and is was are were be been it its this that these those as with into onto
    his her their he she they or than which who whom whose what when where why how do does did has have had der die das
    den dem des ein eine einer einen einem im am vom zum zur und ist le la les l un une des du de d et est el
    los las un una unos unas del al y es il lo gli i uno della dello dei delle degli nel nella e o os um uma uns
    umas da do das dos em no na nos nas yang di ke dari dan itu ini adalah
""")
"""Words that carry no content of a gold in the languages that golds come in; a gold of nothing else keeps them."""
_ALSO_NAMES = word_set("dan al")
"""Small words that are given names where they begin with a capital."""
_GLUED = deferred(r"(?P<small>in|on|of|the|by|at|to|is|was|and|from|as)(?=[A-Z][a-z])")
_GLUED_BEFORE = deferred(
    r"(?P<small>in|on|of|by|to|since|until|from|is|was|are|has|have|about)(?P<number>(?:1\d|20)\d\d(?=\D|\d?$)|\d{1,2}(?=$))"
)
_GLUED_ROMAN = deferred(r"([IVX]{1,5})(?:of|in|and|is|was|to|on)")
_GLUED_BEHIND = deferred(r"(\d{4})(?:in|on|at|by|to|and|for|as|is|was|the)")
_GLUED_DAY = deferred(r"(\d{1,2})(?:st|nd|rd|th)(?:every|each|of|in|on|at|and|by)")
_FOOTNOTE = deferred(r"([^\W\d_]{3,})\d{1,3}")
_YEAR_NOTE = deferred(r"((?:1[0-9]|20)\d\d)\d{1,2}")
_MINUS = deferred(r"(?:^|(?<=[\s(\[=:,$€£\"'“]))[-−](?=$)")
"""The sign of a number; a hyphen within a word or between two numbers is none."""
_CLAUSE_ENDS = frozenset(".,;:)\n")


class Item(NamedTuple):
    """One word: what it is compared by, as it is folded, where it stands, and whether it begins with a capital."""

    key: str
    word: str
    start: int
    end: int
    capital: bool
    small: bool


def items_of(text: str) -> list[Item]:
    """The words of `text` in order. Numbers of several words are one item: `fifty million`, `£50m`, `twenty-one`."""
    return list(_kept(text)) if len(text) <= _KEPT_CHARS else _merged(text)


@lru_cache(maxsize=64)
def _kept(text: str) -> tuple[Item, ...]:
    """The words of a short text, which is read for its marked answer and for what it asserts."""
    return tuple(_merged(text))


_KEPT_CHARS = 8000


class _Tokens:
    """The tokens of a text, each made when it is asked for: few words are looked at beyond their letters."""

    def __init__(self, text: str, spans: list[tuple[int, int]]) -> None:
        self.text, self.spans = text, spans
        self.made: dict[int, Token] = {}

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, at: int) -> Token:
        token = self.made.get(at)
        if token is None:
            token = self.made[at] = token_at(self.text, *self.spans[at])
        return token


def _merged(text: str) -> list[Item]:
    found: list[Item] = []
    spans = spans_of(text)
    tokens = _Tokens(text, spans)
    # A longer word is cut at one letter more than a plain one has, so that the cache of words stays small.
    plains = list(map(_plain, [text[start : min(end, start + _PLAIN_CHARS + 1)] for start, end in spans]))
    at, count = 0, len(spans)
    new, add = tuple.__new__, found.append  # half the time of `Item(…)`, for every word of every answer
    while at < count:
        start, end = spans[at]
        plain = plains[at]
        if plain is not None:
            key_, word, capital, small = plain
            add(new(Item, (key_, word, start, end, capital, small)))
            at += 1
            continue
        token = tokens[at]
        word = token.word
        if word in NUMBERS or word[0].isdigit():
            value, after = _number(tokens, at, text)
            if value is not None:
                signed = _MINUS.search(text, max(0, start - 3), start)
                own, begin = (value, start) if signed is None else (f"-{value}", start - 1)
                add(Item(own, word, begin, tokens[after - 1].end, False, False))
                if after < count and (until := _until(token, tokens[after], text)) is not None:
                    add(until)
                    after += 1
                at = after
                continue
        found.extend(_word(text, token))
        at += 1
    return found


_PLAIN_CHARS = 40


@lru_cache(maxsize=32768)
def _plain(raw: str) -> tuple[str, str, bool, bool] | None:
    """Key, folded word, capital and small of a word that is the same item wherever it stands.

    None where it is too long, is or holds a number, or may be two words run together.
    """
    if len(raw) > _PLAIN_CHARS:
        return None
    word = fold_word(raw)
    if word in NUMBERS or any(map(str.isdigit, raw)) or any(map(str.isdigit, word)):
        return None
    capital = raw[0].isupper()
    if not raw[2:].islower() and len(raw) > 3 and _GLUED.match(raw):
        return None
    if capital and ((2 <= len(raw) <= 6 and raw.isupper()) or _GLUED_ROMAN.fullmatch(raw)):
        return None
    return key(word), word, capital, word in SMALL and not (capital and word in _ALSO_NAMES)


def _until(since: Token, token: Token, text: str) -> Item | None:
    """The second year of a range that leaves out its century: `1648-51`."""
    digits = token.word
    if len(digits) != 2 or len(since.word) != 4 or not (digits.isdecimal() and since.word.isdecimal()):
        return None
    if (
        text[since.end : token.start] not in ("-", "–", "‑", "/")
        or digits <= since.word[2:]
        or since.word[0] not in "12"
    ):
        return None
    return Item(f"#{since.word[:2]}{digits}", since.word[:2] + digits, token.start, token.end, False, False)


def _word(text: str, token: Token) -> Iterator[Item]:
    word, start, end = token.word, token.start, token.end
    if end - start > 3 and not text[start + 2 : end].islower() and (glued := _GLUED.match(text, start, end)):
        yield Item(key(glued["small"]), glued["small"], start, glued.end(), False, True)
        start = glued.end()
        word = word[len(glued["small"]) :]
    if end - start > 2 and not word[0].isdigit() and any(map(str.isdigit, word)):
        split = _GLUED_BEFORE.match(word)
        if split is not None and (split["number"] == word[split.end("small") :] or len(split["number"]) == 4):
            at = start + split.end("small")
            yield Item(key(split["small"]), split["small"], start, at, False, True)
            yield Item(f"#{int(split['number'])}", split["number"], at, at + len(split["number"]), False, False)
            return
    if text[start].isupper() and (numeral := _GLUED_ROMAN.fullmatch(text, start, end)) is not None:
        value = roman_of(numeral[1].casefold())
        if value is not None:
            yield Item(f"#{value}", numeral[1].casefold(), start, start + len(numeral[1]), True, False)
            return
    if word[0].isdigit() and (day := _GLUED_DAY.fullmatch(word)) is not None:
        yield Item(f"#{int(day[1])}", day[1], start, start + len(day[1]), False, False)
        return
    if word[0].isdigit() and (year := _GLUED_BEHIND.fullmatch(word)) is not None:
        yield Item(f"#{year[1]}", year[1], start, start + 4, False, False)
        return
    capital = text[start].isupper()
    if capital and 2 <= end - start <= 6 and text[start:end].isupper() and (value := roman_of(word)) is not None:
        yield Item(f"#{value}", word, start, end, True, False)
        return
    if word[-1].isdigit() and (end == len(text) or not text[end].isalnum()):
        if (note := _FOOTNOTE.fullmatch(word)) and (
            end == len(text) or text[end] in _CLAUSE_ENDS or text[end].isspace()
        ):
            yield Item(key(note[1]), note[1], start, start + len(note[1]), capital, note[1] in SMALL)
            return
        if (year := _YEAR_NOTE.fullmatch(word)) and (end == len(text) or text[end] in _CLAUSE_ENDS):
            yield Item(f"#{year[1]}", year[1], start, start + 4, False, False)
            return
    yield Item(key(word), word, start, end, capital, word in SMALL and not (capital and word in _ALSO_NAMES))


def _number(tokens: _Tokens, at: int, text: str) -> tuple[str | None, int]:
    """The key of the number that begins here and the index behind it."""
    word = tokens[at].word
    if (marked := scale_mark(word)) is not None:
        return _shown(float(marked[0]) * marked[1]), at + 1
    decimal = re.fullmatch(r"\d{1,12}\.\d{1,9}", word) if "." in word else None
    value = number_of(word)
    if value is None and decimal is None:
        return None, at + 1
    total: float = float(word) if value is None else value
    after = at + 1
    if word in _CENTURIES and (paired := _year_in_words(tokens, at)) is not None:
        return paired
    if _has_ones(tokens, at) and text[tokens[at].end : tokens[after].start] in ("-", " ", "‑"):
        total += NUMBERS[tokens[after].word]
        after += 1
    if len(word) >= 5 and word.isdecimal() and (year := _YEAR_NOTE.fullmatch(word)):
        end = tokens[at].end
        before = tokens[at - 1].word if at else ""
        dated = (
            before in MONTHS
            or before in ("in", "to", "until", "since", "and", "during", "by", "from", "of")
            or (at > 1 and tokens[at - 2].word in MONTHS)
        )
        if dated and (end == len(text) or text[end] in _CLAUSE_ENDS or text[end].isspace()):
            return f"#{year[1]}", after
    while after < len(tokens) and (scale := SCALES.get(tokens[after].word)) is not None and total < 10**13:
        total *= scale
        after += 1
        if after < len(tokens) and tokens[after].word == "and" and word in NUMBERS and after + 1 < len(tokens):
            rest, behind = _small_number(tokens, after + 1)
            if rest is not None and rest < scale:
                total, after = total + rest, behind
        elif word in NUMBERS and after < len(tokens):
            rest, behind = _small_number(tokens, after)
            if rest is not None and rest < scale and tokens[after].word in NUMBERS:
                total, after = total + rest, behind
    return _shown(total), after


_CENTURIES = word_set("eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")


def _year_in_words(tokens: _Tokens, at: int) -> tuple[str, int] | None:
    """A year read in pairs (`nineteen forty-five`, `twenty twelve`, `nineteen oh five`) and the index behind it."""
    if at + 1 >= len(tokens):
        return None
    century, follows = NUMBERS[tokens[at].word], at + 1
    if tokens[follows].word in ("oh", "o") and follows + 1 < len(tokens):
        ones = NUMBERS.get(tokens[follows + 1].word, 0)
        return (
            (f"#{100 * century + ones}", follows + 2)
            if 0 < ones < 10 and not tokens[follows + 1].word.isdecimal()
            else None
        )
    rest, after = _small_number(tokens, follows)
    word = tokens[follows].word
    if rest is None or not 10 <= rest < 100 or word.endswith(("th", "once", "dozen")):
        return None
    return f"#{100 * century + rest}", after


def _has_ones(tokens: _Tokens, at: int) -> bool:
    """Whether a word for tens stands before one for ones."""
    tens = NUMBERS.get(tokens[at].word, 0)
    return 20 <= tens < 100 and at + 1 < len(tokens) and 0 < NUMBERS.get(tokens[at + 1].word, 0) < 10


def _small_number(tokens: _Tokens, at: int) -> tuple[int | None, int]:
    value = NUMBERS.get(tokens[at].word)
    if value is None:
        return None, at
    if _has_ones(tokens, at):
        return value + NUMBERS[tokens[at + 1].word], at + 2
    return value, at + 1


def _shown(value: float) -> str:
    return f"#{int(value)}" if value == int(value) else f"#{value:.9g}"
