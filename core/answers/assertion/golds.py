"""A gold as it is looked for: its content words, and whether it is a name, a date or a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from modex.core.answers.assertion.items import Item, items_of
from modex.core.answers.assertion.quantities import Quantity, quantities_of
from modex.core.answers.assertion.tokens import word_set
from modex.core.foundation.lazy_regex import deferred

_NOTE_MARK = deferred(r"\[\d{1,3}\]")
_TODAY = deferred(r"^(?:the )?(?:present|modern)[- ]day (?=\S)", re.IGNORECASE)
"""What a gold says of the time of a place's name: `present-day Ghana`."""
_METRES = deferred(r"(?<![\w.])(\d{1,5})m\b")
_MONEY = deferred(r"[$€£¥₹]")
_PARENTHESIS = deferred(r"(?:(?<!\s)\s+)?\(([^()]{1,120})\)")
_LEADING = deferred(r"^(?:to|by|from|in|at|on|with|for)\s+(?=\S)", re.IGNORECASE)
_NAME_PART = deferred(r"[^\W\d_][^\W\d_.'’ -]{0,1}[^\d_,;:()]{0,40}")
_IN_YEAR = deferred(r"(?<=[a-z]) (?:in|of|from) \(?(?:1\d|20)\d\d\)?$")
_ABOUT = deferred(
    r"^(?:around|about|approximately|circa|ca?\.|roughly|some|in the year|usually|typically|mostly|normally|generally)\s+(?=\S)",
    re.IGNORECASE,
)
_EXPLAINS = deferred(r"(?:in|who|which|that|a|an|the|at|near|of|from|son|daughter|wife|now|then|known|also|or)\b")
_CAPITAL = r"[^\W\d_a-z][\w.'’-]{1,30}"
_NAMED_THING = deferred(
    rf"(?:[Tt]he )?(?P<name>[^\W\d_a-z]{{3,12}}|{_CAPITAL}(?: {_CAPITAL}){{1,3}})(?: [a-z]{{3,20}}){{1,2}}"
    r"|[Tt]he (?P<place>(?!\w{1,20}(?:an|ish|ese|ic|man|ch)\b)[^\W\d_a-z][\w'’-]{4,30})(?: [a-z]{3,20}){1,2}"
)
_THING_NAMED = deferred(
    rf"(?:{_CAPITAL} |[Tt]he |[a-z]{{3,20}} ){{0,2}}(?!of |in |to |for )[a-z]{{4,20}} (?P<name>{_CAPITAL}(?: {_CAPITAL}){{1,3}})"
    rf"|(?:[Tt]he |[Aa] )?(?:(?!of |in |to |for |from |on |at |by |and )[a-z]{{3,20}} ){{1,3}}"
    r"(?P<single>[^\W\d_a-z][\w'’-]{4,30})"
)
_WHOSE = deferred(
    r"(?:[^\W\d_][\w.-]{0,30} ){0,2}[^\W\d_][\w.-]{0,30}(?:['’]s?)? (?:[a-z]{3,20} ){0,2}[a-z]{3,20}"
    r"|(?:his|her|the|a|an) [a-z ]{3,40}"
)
_PROPER = deferred(rf"{_CAPITAL}(?: {_CAPITAL}){{0,2}}")
_KIND_OF = deferred(
    r"(?:[Tt]he )?(?:[Cc]ity|[Tt]own|[Vv]illage|[Ss]tate|[Pp]rovince|[Cc]ounty|[Kk]ingdom|[Rr]epublic|[Cc]ommonwealth) of "
    rf"({_CAPITAL}(?: {_CAPITAL}){{0,2}})"
)
"""A place with what it is before its name: `City of Leeds`, `Republic of Malta`."""
_JOINS = word_set("and or und et y dan")
_VAGUE = word_set("about around approximately approx circa ca roughly some long tall wide deep high old")
_OF = word_set("of in from for von de di da")
_SUFFIXES = word_set("""
    jr sr ii iii iv esq phd md
""")
TITLES = word_set("""
    sir dr mr mrs ms lord lady king queen saint st prince princess president professor captain pope dame
""")
QUALIFIERS = word_set("""
    new north south east west northern southern eastern western central northeast northwest southeast southwest
""")
"""Words before a name that make it another place."""
_NAME_SIGNS = deferred(r"[\d%$€£¥°/=+]")


@dataclass(frozen=True, slots=True)
class DateParts:
    """Day, month and year as far as they are given."""

    day: int | None
    month: int | None
    year: int | None


@dataclass(frozen=True, slots=True)
class Gold:
    """One way to write a gold."""

    text: str
    """As the test has it."""
    items: tuple[Item, ...]
    content: tuple[Item, ...]
    """Its items without small words; all of them where it has no others."""
    joined: str
    """Its words run together."""
    name: bool
    """Whether it is written as a proper name of two words or more."""
    date: DateParts | None
    head: Item | None = None
    """What a bare answer must have of it: the head of an `of`, else its last word; None for lists."""
    quantity: Quantity | None = None
    """What it measures, where it is a quantity and nothing else."""
    whole: bool = True
    """Whether nothing of it is left out (a head before a comma leaves the rest out)."""
    comma: int | None = None
    """Where its first comma stands, if it has one."""


@lru_cache(maxsize=16384)
def gold_forms(text: str) -> tuple[Gold, ...]:
    """The ways to write one gold: as it is, without what it has in parentheses, turned round at its comma, its head alone."""
    text = _NOTE_MARK.sub("", text)
    forms: list[tuple[str, bool]] = [(_TODAY.sub("", text), True)]
    if (inner := _PARENTHESIS.search(text)) is not None:
        bare = _PARENTHESIS.sub("", text).strip()
        if bare:
            forms.append((bare, True))
            if len(whole := text.replace("(", "").replace(")", "")) == len(text) - 2 and text[0] == "(":
                forms.append((whole.strip(), True))
            if inner[1].isupper() and 2 <= len(inner[1]) <= 8:
                forms.append((inner[1], True))
    if (core := _core(forms[0][0])) is not None:
        forms.append((core, False))
    if (timeless := _IN_YEAR.sub("", _ABOUT.sub("", forms[0][0]))) != forms[0][0]:
        forms.append((timeless.strip(), True))
    parts = [part.strip() for part in forms[0][0].split(",")]
    if len(parts) >= 2 and len(parts[0]) > 3 and _EXPLAINS.match(parts[1]):
        forms.append((parts[0], False))
        if (core := _core(_LEADING.sub("", parts[0]))) is not None:
            forms.append((core, False))
    elif (
        len(parts) == 2
        and all(part[:1].isupper() and _NAME_PART.fullmatch(part) for part in parts)
        and _JOINS.isdisjoint(forms[0][0].split())
    ):
        forms.append((f"{parts[1]} {parts[0]}", True))
        if len(parts[0]) > 3:
            forms.append((parts[0], False))
    for form, _ in tuple(forms[:2]):
        sides = form.split(" or ")
        if 2 <= len(sides) <= 4 and all(_PROPER.fullmatch(side.strip()) for side in sides):
            forms.extend((side.strip(), True) for side in sides)
        if _METRES.search(form) is not None and _MONEY.search(form) is None:
            forms.append((_METRES.sub(r"\1 metres", form), True))
    if len(parts) == 2 and _WHOSE.fullmatch(parts[0]) and _PROPER.fullmatch(parts[1]):
        forms.append((parts[1], True))
    if (place := _KIND_OF.fullmatch(forms[0][0])) is not None:
        forms.append((place[1], True))
    made = (_gold(text, form, whole=whole) for form, whole in dict.fromkeys(forms))
    return tuple(gold for gold in made if gold.items)


def _core(form: str) -> str | None:
    """The proper name in a gold that says what it is too: `the ARPANET project`, `Venezuelan voice actor Jesse Corti`."""
    match = _NAMED_THING.fullmatch(form) or _THING_NAMED.fullmatch(form)
    if match is None:
        return None
    return next((found for found in match.groupdict().values() if found), None)


def _gold(text: str, form: str, *, whole: bool) -> Gold:
    items = tuple(items_of(form))
    content = tuple(item for item in items if not item.small) or items
    name = (
        len(content) >= 2
        and all(item.capital or item.word in _SUFFIXES for item in content)
        and not _NAME_SIGNS.search(form)
        and "," not in form
        and not form.isupper()
    )
    joined = "".join(item.word for item in items)
    comma = form.index(",") if "," in form else None
    return Gold(text, items, content, joined, name, date_of(items), _head(items), _quantity(form, items), whole, comma)


def _quantity(form: str, items: tuple[Item, ...]) -> Quantity | None:
    found = quantities_of(form, items)
    if len(found) != 1:
        return None
    beside = [item for at, item in enumerate(items) if not found[0].low <= at < found[0].high]
    return found[0] if all(item.small or item.word in _VAGUE for item in beside) else None


def _head(items: tuple[Item, ...]) -> Item | None:
    words = [item.word for item in items]
    if not _JOINS.isdisjoint(words):
        return None
    cut = next(
        (at for at, word in enumerate(words) if word in ("of", "in", "from", "for", "von", "de", "di", "da") and at),
        len(words),
    )
    own = [item for item in items[:cut] if not item.small and item.word not in _SUFFIXES]
    return own[-1] if own else None


def date_of(items: tuple[Item, ...]) -> DateParts | None:
    """The date that a gold of these words is, where it names a month and nothing but a day or a year beside it."""
    day = month = year = None
    for item in items:
        if item.small or item.word in (
            "th",
            "st",
            "nd",
            "rd",
            "every",
            "each",
            "around",
            "about",
            "early",
            "late",
            "mid",
        ):
            continue
        if (found := month_of(item)) is not None and month is None:
            month = found
        elif item.key[:1] == "#" and item.key[1:].isdecimal():
            value = int(item.key[1:])
            if 1 <= value <= 31 and day is None:
                day = value
            elif 1000 <= value <= 2100 and year is None:
                year = value
            else:
                return None
        else:
            return None
    return DateParts(day, month, year) if month is not None and (day or year) else None


def month_of(item: Item) -> int | None:
    """The month that a word names; `may` and `mar` need a capital."""
    if item.key[:1] == "@":
        return int(item.key[1:])
    if item.capital and item.word in ("may", "mar", "sep"):
        return {"may": 5, "mar": 3, "sep": 9}[item.word]
    return None


def surname_of(gold: Gold) -> tuple[Item, tuple[Item, ...]]:
    """The surname of a name and what stands before it, titles and suffixes left out."""
    own = [item for item in gold.content if item.word not in _SUFFIXES]
    own = own or list(gold.content)
    return own[-1], tuple(item for item in own[:-1] if item.word not in TITLES) or tuple(own[:-1])
