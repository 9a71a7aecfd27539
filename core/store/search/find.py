"""Questions to the index: which samples hold these words, the best first, and where in them.

BM25: https://www.sqlite.org/fts5.html#the_bm25_function.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from modex.core.config.filters import Condition, parse_query
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import SampleHead
from modex.core.store.search.index import SearchIndex
from modex.core.store.search.text import COLUMNS, ROLES, SEARCHED, expression, texts_of, words_of
from modex.core.store.selecting import SAMPLE_FILTERS, SampleQuery, condition_of
from modex.core.store.tables import EvaluationRun as Run
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.tables import Review, fields_of
from modex.core.store.words import plain_errors

RANKED = 2000
"""Of the samples that hold the words, so many of the newest are put in the order of how well they fit."""
SHOWN = 500
"""So many are listed unless more are asked for."""
FIELDS = frozenset({*SAMPLE_FILTERS, "run", "model", "role", "tool"})
"""What a filter of a search can name."""
_PAGE = 400
_AROUND = 60
"""Characters of a line that stand before a hit at least."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for."""

    words: tuple[str, ...] = ()
    roles: tuple[str, ...] = SEARCHED
    notes: bool = True
    """Whether what people noted is looked in too."""
    tools: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    """On the fields of samples."""
    runs: tuple[Condition, ...] = ()
    """On `run` and `model`."""
    run_ids: tuple[int, ...] | None = None
    """Only these runs."""
    begins: bool = False
    """Whether the last word may be unfinished: it is still being typed."""
    problem: str = ""
    """What a person should know: a field or a role that there is not."""

    @property
    def wants_nothing(self) -> bool:
        """Whether neither a word nor a tool is asked for."""
        return not self.words and not self.tools


def parse_search(typed: str, run_ids: Sequence[int] | None = None, *, begins: bool = False) -> Search:
    """Read what was typed: words, "phrases", -words, and filters such as `role:answer model:gpt score<0.5`. Never an error."""
    query = parse_query(typed, FIELDS)
    problem = query.problem
    roles: tuple[str, ...] = SEARCHED
    notes = True
    if asked := query.values("role"):
        known = tuple(role for role in asked if role in (*ROLES, "note"))
        if unknown := [role for role in asked if role not in known]:
            problem = f"no role '{unknown[0][:40]}'; there are {', '.join((*ROLES, 'note'))}"
        roles, notes = tuple(role for role in known if role != "note"), "note" in known
    conditions = query.without("role", "tool")
    # A phrase in quotes loses them on its way through the filter, so the words are read from what is left of the typing.
    left = " ".join(piece for piece in _PIECES.findall(typed) if not _is_condition(piece))
    return Search(
        tuple(words_of(left)),
        roles,
        notes,
        query.values("tool"),
        tuple(one for one in conditions if one.field not in ("run", "model")),
        tuple(one for one in conditions if one.field in ("run", "model")),
        None if run_ids is None else tuple(run_ids),
        begins,
        problem=problem,
    )


_PIECES = re.compile(r"""(?:[^\s"]|"[^"]*")+|"[^"]*$""")


def _is_condition(piece: str) -> bool:
    if piece[0] in '"-':
        return False
    query = parse_query(piece, FIELDS)
    return bool(query.conditions) or (not query.text and not query.problem)


@dataclass(frozen=True, slots=True)
class FoundAt:
    """Where something was found in a sample."""

    role: str
    line: str
    """The line it stands in, cut around it where it is long."""
    start: int
    end: int
    """Where in `line`."""
    number: int
    """Of the line in its text, from 1."""

    @property
    def found(self) -> str:
        """The text that was found."""
        return self.line[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Hit:
    """A sample that holds what was looked for."""

    head: SampleHead
    run_id: int
    exp_id: str
    model: str
    place: FoundAt | None
    """None where the words stand in no one line."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to."""

    ids: tuple[int, ...]
    """Samples, the best first."""
    more: bool
    """Whether older samples hold the words too, and were not put in order."""


def find(reader: Reader, index: SearchIndex, search: Search, limit: int = SHOWN) -> Found:
    """The samples that hold everything that is looked for, notes first, then by BM25 among the newest `RANKED`.

    Raises:
        StoreError: the index or the store cannot be read.
    """
    run_ids = _runs(reader, search)
    noted = _noted(reader, search, run_ids) if search.notes and search.words else []
    matching = expression(list(search.words), search.roles, search.tools, begins=search.begins) if search.roles else ""
    if not matching:
        found = _meeting(reader, search, noted, limit)
        return Found(tuple(found[:limit]), more=len(found) > limit)
    restricted, parameters = "", [matching]
    if run_ids is not None:
        restricted = f" AND d.run_id IN ({', '.join(str(int(run)) for run in run_ids)})"
        if len(run_ids) <= 50:
            # The index itself knows of which run a sample is: what is of other runs is not looked at.
            tags = " OR ".join(f'"r{run}"' for run in run_ids) or '"none"'
            parameters = [f"({matching}) AND tags : ({tags})"]
    # Filters on samples are asked of the store, after the index: more of the newest are then taken.
    most = RANKED if not search.conditions else 4 * RANKED
    newest = index.rows(
        "SELECT d.result_id, w.score FROM (SELECT rowid AS docid, bm25(words) AS score FROM words WHERE words MATCH ?"
        f" ORDER BY rowid DESC LIMIT {most + 1}) AS w JOIN documents AS d ON d.docid = w.docid{restricted}"
        " ORDER BY w.score, d.docid DESC",
        parameters,
    )
    ids = [*noted, *(result for result, _ in newest[:most] if result not in set(noted))]
    found = _meeting(reader, search, ids, limit)
    return Found(tuple(found[:limit]), more=len(newest) > most or len(found) > limit)


def count(index: SearchIndex, search: Search) -> int:
    """How many samples hold the words, filters left aside."""
    matching = expression(list(search.words), search.roles, search.tools, begins=search.begins) if search.roles else ""
    if not matching:
        return 0
    return int(
        index.rows("SELECT count(*) FROM words JOIN documents ON docid = words.rowid WHERE words MATCH ?", [matching])[
            0
        ][0]
    )


def _runs(reader: Reader, search: Search) -> list[int] | None:
    if search.run_ids is None and not search.runs:
        return None
    condition: Any = Run.id.is_null(False)
    if search.run_ids is not None:
        condition &= Run.id.in_(list(search.run_ids))
    for wanted in search.runs:
        condition &= condition_of(Run.exp_id if wanted.field == "run" else Run.model, wanted)
    with plain_errors(reader.path):
        return [row[0] for row in reader.database.fetch(Run.select(Run.id).where(condition))]


def _noted(reader: Reader, search: Search, run_ids: list[int] | None) -> list[int]:
    """Samples of which somebody noted all the words."""
    condition: Any = Review.note.is_null(False)
    if run_ids is not None:
        condition &= Review.run.in_(run_ids)
    with plain_errors(reader.path):
        rows = reader.database.fetch(
            Review.select(Review.result, Review.note).where(condition).order_by(Review.id.desc())
        )
    wanted = [folded(word.rstrip("*")) for word in search.words if not word.startswith("-")]
    found = [result for result, note in rows if all(word in folded(decode_text(str(note))) for word in wanted)]
    return list(dict.fromkeys(found)) if wanted else []


def _meeting(reader: Reader, search: Search, ids: Sequence[int], limit: int) -> list[int]:
    """Those of `ids` that are in the store and meet the filters, in their order; a few more than `limit` at most."""
    found: list[int] = []
    for start in range(0, len(ids), _PAGE):
        page = ids[start : start + _PAGE]
        condition: Any = Result.id.in_(list(page))
        for wanted in search.conditions:
            condition &= condition_of(SAMPLE_FILTERS[wanted.field], wanted)
        with plain_errors(reader.path):
            kept = {row[0] for row in reader.database.fetch(Result.select(Result.id).where(condition))}
        found += [id_ for id_ in page if id_ in kept]
        if len(found) > limit:
            break
    return found


# where in a sample


def hits(reader: Reader, ids: Sequence[int], search: Search) -> list[Hit]:
    """The samples with the line in which the words stand, in the order of `ids`; those that are gone are left out."""
    pattern = _pattern(search.words, begins=search.begins)
    return _hits(
        reader,
        ids,
        lambda role, text: _in_line(role, text, pattern),
        (*search.roles, *(["note"] if search.notes else [])),
    )


def _hits(
    reader: Reader, ids: Sequence[int], look: Callable[[str, str], FoundAt | None], roles: Sequence[str]
) -> list[Hit]:
    heads = {head.id: head for head in reader.heads_by_id(ids)}
    found: dict[int, Hit] = {}
    for start in range(0, len(ids), _PAGE):
        page = list(ids[start : start + _PAGE])
        query = Result.select(Result.id, Run.id, Run.exp_id, Run.model, *fields_of(Result, COLUMNS)).join(
            Run, on=Result.run == Run.id
        )
        notes = Review.select(Review.result, Review.note).where(Review.result.in_(page), Review.note.is_null(False))
        with plain_errors(reader.path):
            noted = dict(reader.database.fetch(notes.order_by(Review.id)))
            rows = reader.database.fetch(query.where(Result.id.in_(page)))
        for id_, run_id, exp_id, model, *columns in rows:
            texts = dict(texts_of(tuple(columns)).by_role)
            if note := noted.get(id_):
                texts["note"] = decode_text(str(note))
            order = sorted(roles, key=_ORDER.index)
            place = next((place for role in order if (place := look(role, texts.get(role, "")))), None)
            if id_ in heads:
                found[id_] = Hit(heads[id_], run_id, str(exp_id), str(model), place)
    return [found[id_] for id_ in ids if id_ in found]


_ORDER = ("note", "answer", "tools", "thinking", "prompt", "system")
"""Where a hit is shown, where several roles have one."""


def folded(text: str) -> str:
    """Without case and accents, as the index compares; one character for each where that can be."""
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFD", sign)[0].lower() for sign in text)


def _pattern(words: Sequence[str], *, begins: bool) -> re.Pattern[str] | None:
    wanted = [word for word in words if not word.startswith("-")]
    pieces = []
    for place, word in enumerate(wanted):
        prefix = word.endswith("*") or (begins and place == len(wanted) - 1)
        parts = re.findall(r"\w+", folded(word.rstrip("*")))
        joined = r"\W+".join(re.escape(part) for part in parts)
        edge = r"\b" if joined.isascii() else ""
        pieces.append(f"{edge}{joined}{'' if prefix else edge}")
    return re.compile("|".join(pieces)) if pieces else None


def _in_line(role: str, text: str, pattern: re.Pattern[str] | None) -> FoundAt | None:
    if not text or pattern is None:
        return None
    match = pattern.search(folded(text))
    return None if match is None else _place(role, text, match.start(), match.end())


def _place(role: str, text: str, start: int, end: int) -> FoundAt:
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    left = max(begin, start - _AROUND)
    line = text[left : min(stop, end + 200)]
    return FoundAt(role, line, start - left, end - left, text.count("\n", 0, start) + 1)


def grep(
    reader: Reader, pattern: str, search: Search, *, ignore_case: bool, timeout_s: float = 1.0
) -> Iterator[Hit | str]:
    """Every sample whose texts match a regular expression, as they are read, the newest run first; what could not be
    searched in time comes as a sentence.

    Raises:
        ConfigurationError: it is no regular expression.
        StoreError: the store cannot be read.
    """
    import regex

    try:
        compiled = regex.compile(pattern, regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0))
    except regex.error as error:
        raise ConfigurationError(
            f"-E {pattern[:120]!r}: {error}; correct it, or leave out -E to look for the words"
        ) from error

    slow: list[str] = []

    def look(role: str, text: str) -> FoundAt | None:
        try:
            match = compiled.search(text, timeout=timeout_s) if text else None
        except TimeoutError:
            slow.append(role)
            return None
        return None if match is None else _place(role, text, match.start(), max(match.end(), match.start()))

    roles = (*search.roles, *(["note"] if search.notes else []))
    run_ids = _runs(reader, search)
    if run_ids is None:
        with plain_errors(reader.path):
            run_ids = [row[0] for row in reader.database.fetch(Run.select(Run.id))]
    for run_id in sorted(run_ids, reverse=True):
        ids = reader.head_ids(run_id, replace(SampleQuery(), conditions=search.conditions))
        for start in range(0, len(ids), 50):
            for hit in _hits(reader, ids[start : start + 50], look, roles):
                while slow:
                    yield f"{hit.exp_id}: {hit.head.test_id}: the {slow.pop()} could not be searched within {timeout_s:.0f} s"
                if hit.place is not None:
                    yield hit
