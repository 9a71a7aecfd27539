"""A text as it is searched for golds: its words by key, its dates, the words of the question, and a place of a gold in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from modex.core.answers.assertion.golds import DateParts, Gold, month_of
from modex.core.answers.assertion.items import Item, items_of
from modex.core.answers.assertion.quantities import Quantity, quantities_of
from modex.core.answers.assertion.reading import Reading
from modex.core.answers.assertion.tokens import word_set
from modex.core.answers.assertion.wordforms import key, shortened, spellings_of

MOST_PLACES = 40
"""Places of one word that are looked at; a text that repeats a word more often says nothing new by it."""


_MOST_JOINED = 4
_IMPLIED = ((word_set("age old ages aged"), key("years")), (word_set("percentage percent"), key("percent")))
"""Words of a question, and the unit that its answer may leave out for them."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a gold stands in a text: which alias, the span, and the rule that found it."""

    gold: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Clause:
    """The items of a clause as a range, and what stands before it."""

    low: int
    high: int
    opens: str


@dataclass(frozen=True, slots=True)
class Filler:
    """An answer that a clause gives: its items as a range, and how much of the question its clause says."""

    low: int
    high: int
    clause: Clause
    covered: int
    verb: bool
    """Whether the clause says the question's verb."""


class Indexed:
    """A text's items within the bounds, by key, and what the question says."""

    def __init__(self, reading: Reading, low: int, high: int) -> None:
        self.reading, self.low, self.high = reading, low, high
        items = items_of(reading.text[:high])
        self.items = [item for item in items if item.start >= low] if low else items
        self.starts = [item.start for item in self.items]
        self.places: dict[str, list[int]] = defaultdict(list)
        places = self.places
        for at, item in enumerate(self.items):
            places[item[0]].append(at)
        self.question, self.asked = question_of(reading.question)
        self.meant, self.shorts = _in_full(self.question)
        self.fuller: list[DateParts] = []
        self.wanted: set[str] = set()
        self.wanted_words: set[str] = set()
        self.initials: set[str] = set()
        self.clauses: dict[int, list[Clause]] = {}
        self.fillers: dict[int, list[Filler]] = {}
        self.dates: list[tuple[DateParts, int, int]] | None = None
        self.prefixes: dict[str, list[int]] | None = None
        self.same: set[int] = set()
        self.measured: list[Quantity] | None = None
        self.lower: str | None = None
        self.run: tuple[str, list[int]] | None = None

    def at(self, key: str) -> list[int]:
        """The first places of a word."""
        return self.places.get(key, [])[:MOST_PLACES]

    def is_mark(self, at: int) -> bool:
        """Whether an item is the number of a line of a list: `2. Green`."""
        item = self.items[at]
        if (
            item.key[:1] != "#"
            or not item.word.isdecimal()
            or self.reading.text[item.end : item.end + 1] not in (".", ")")
        ):
            return False
        line = self.reading.text.rfind("\n", 0, item.start) + 1
        return item.start - line <= 8 and not self.reading.text[line : item.start].strip(" \t*_(>")

    def asks_for_short(self, gold: Gold) -> bool:
        """Whether a gold is the full or the short name of what the question names in short (`US`)."""
        return shortened(gold.joined) in self.shorts

    def sentence(self, at: int) -> tuple[int, int]:
        """The items of the sentence that item `at` stands in, as a range."""
        found = self.reading.sentence_at(self.items[at].start)
        return bisect_left(self.starts, found.start), bisect_left(self.starts, found.end)

    def covered(self, start: int, end: int) -> int:
        """How many of the question's words stand between two offsets."""
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return len({item.key for item in self.items[low:high]} & self.asked)

    def beginning(self, letters: str) -> list[int]:
        """The items that begin with three letters."""
        if self.prefixes is None:
            self.prefixes = defaultdict(list)
            for at, item in enumerate(self.items):
                self.prefixes[item.word[:3]].append(at)
        return self.prefixes.get(letters, [])[:MOST_PLACES]

    def lowered(self) -> str:
        """The text in small letters, as long as the text itself."""
        if self.lower is None:
            lower = self.reading.text.lower()
            self.lower = lower if len(lower) == len(self.reading.text) else self.reading.text
        return self.lower

    def quantities(self) -> list[Quantity]:
        """The quantities of the text."""
        if self.measured is None:
            self.measured = quantities_of(self.reading.text, self.items)
        return self.measured

    def joined(self, wanted: str) -> tuple[int, int] | None:
        """The items, one to four, that read `wanted` when they are run together or are short for it (`US`)."""
        if self.run is None:
            ends = list(accumulate(len(item.word) for item in self.items))
            self.run = ("".join(item.word for item in self.items), ends)
        run, ends = self.run
        for spelled in spellings_of(wanted):
            at = run.find(spelled)
            for _ in range(MOST_PLACES):
                if at < 0:
                    break
                low, high = bisect_right(ends, at), bisect_left(ends, at + len(spelled)) + 1
                begins = ends[low] - len(self.items[low].word) == at
                if begins and ends[high - 1] == at + len(spelled) and high - low <= _MOST_JOINED:
                    return low, high
                at = run.find(spelled, at + 1)
        return None

    def dated(self) -> list[tuple[DateParts, int, int]]:
        """The dates of the text with their items."""
        if self.dates is None:
            self.dates = list(_dates(self.items))
        return self.dates


@lru_cache(maxsize=1024)
def _in_full(question: tuple[Item, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """What the short forms in a question stand for: the keys of their words, and their names run together (`US`)."""
    names = frozenset(full for item in question if (full := shortened(item.word)) != item.word)
    keys = {key(word) for name in names for word in _WORDS_OF.get(name, "").split()}
    return frozenset(keys), names


_WORDS_OF = {"unitedstates": "united states", "unitedkingdom": "united kingdom", "sovietunion": "soviet union"}
"""The words of names that questions shorten."""


@lru_cache(maxsize=1024)
def question_of(question: str) -> tuple[tuple[Item, ...], frozenset[str]]:
    """The words of a question, and the keys of those with content, with what they imply (`age`: years)."""
    items = tuple(items_of(question))
    asked = {item.key for item in items if not item.small}
    implied = {unit for words, unit in _IMPLIED if not words.isdisjoint(item.word for item in items)}
    return items, frozenset(asked | implied)


def _dates(items: Sequence[Item]) -> Iterator[tuple[DateParts, int, int]]:
    for at, item in enumerate(items):
        if item.key[0] != "@" and not item.capital:
            continue
        month = month_of(item)
        if month is None:
            continue
        low, high, day, year = at, at + 1, None, None
        before = at - 1
        while before >= 0 and items[before].small and at - before <= 2:
            before -= 1
        if before >= 0 and (value := value_of(items[before])) is not None and 1 <= value <= 31:
            day, low = value, before
        after = at + 1
        while after < len(items) and items[after].small and after - at <= 2:
            after += 1
        if after < len(items) and (value := value_of(items[after])) is not None:
            if 1 <= value <= 31 and day is None:
                day, high, after = value, after + 1, after + 1
                while after < len(items) and items[after].small and after - at <= 4:
                    after += 1
                value = value_of(items[after]) if after < len(items) else None
            if value is not None and 1000 <= value <= 2100:
                year, high = value, after + 1
        yield DateParts(day, month, year), low, high


def value_of(item: Item) -> int | None:
    """The whole number that an item is."""
    return int(item.key[1:]) if item.key[:1] == "#" and item.key[1:].isdecimal() else None


def place_of(gold: Gold, text: Indexed, low: int, high: int, rule: str) -> Place:
    """The place of the items from `low` to before `high`."""
    return Place(gold.text, text.items[low].start, text.items[high - 1].end, rule)


def is_year(item: Item) -> bool:
    """Whether an item is a year in digits."""
    value = value_of(item)
    return value is not None and 1000 <= value <= 2100 and item.word.isdecimal()


def agree(one: DateParts, other: DateParts) -> bool:
    """Whether two dates contradict each other in nothing that both of them give."""
    pairs = ((one.day, other.day), (one.month, other.month), (one.year, other.year))
    return all(a is None or b is None or a == b for a, b in pairs)
