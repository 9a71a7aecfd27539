"""Files of answers that were made elsewhere: JSONL, JSON, CSV or Parquet, a row for each answer.

A row belongs to a test by its id, or by the question's words where the ids differ.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.rollout.answer_columns import (
    GUESSED,
    IDS,
    RESPONSES,
    AnswerColumns,
    NamedColumns,
    answer_columns,
    value_of,
)
from modex.core.pipeline.rollout.answer_figures import error_of, figures_of
from modex.core.pipeline.rollout.chat_forms import LISTS, unread_keys
from modex.core.pipeline.rollout.chats import CHATS, chat_of, items_of, last_answer, odd_lists, text_of
from modex.core.suite.datasets.asked import asked_in, last_asked
from modex.core.suite.datasets.rows import ROW_KEYS, BadRow, Row, iter_rows, json_lines
from modex.core.suite.questions import plain_words, question_key, questions_in

_KINDS = (".json", ".csv", ".tsv", ".parquet", ".pq")
_PEEK = 200
_MOST_NAMED = 12
_READ = frozenset(
    {"answer", "epoch", "error", "reasoning", "steps", "usage", "cost_usd", *CHATS, *LISTS, *IDS, *RESPONSES}
)
"""Columns that are read under these names."""
NO_RESPONSE = "the row holds no response"
"""The `error` of a row that has neither a response nor an error."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One row: whom it answers, and what it says."""

    line: int
    identity: str | None
    question: str
    """The question's words as `question_key` has them; empty where the row has none."""
    epoch: int
    data: Mapping[str, Any]
    """The row; `answer` is the response's text, None where there is none to judge, and then `error` says why."""
    told: bool = False
    """Whether the question is a conversation's: it finds a test, and rules out none that the id names."""
    numbered: bool = True
    """Whether the row says its epoch."""
    beside: bool = False
    """Whether a response stands beside an error."""
    whole: bool = False
    """Whether the response is no text, and read as its JSON."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The rows of a file by whom they answer."""

    columns: AnswerColumns
    rows: Sequence[AnswerRow]
    by_id: Mapping[tuple[str, int], AnswerRow] = field(default_factory=dict)
    by_question: Mapping[tuple[str, int], AnswerRow | None] = field(default_factory=dict)
    """None where several rows with ids of their own ask the same."""
    notes: Sequence[str] = ()
    """What a person should know of how the rows were read."""

    def find(self, domain: str, level: int, test_id: str, prompt: str, epoch: int = 1) -> AnswerRow | None:
        """The answer to a test: by `domain/level/id` or id, unless the row asks something else; else by the question's words."""
        named = self.by_id.get((f"{domain}/{level}/{test_id}", epoch)) or self.by_id.get((test_id, epoch))
        if named is not None and (not named.question or named.told):
            return named
        if named is None and epoch > 1:
            first = self.find(domain, level, test_id, prompt)
            if first is not None and first.identity in (test_id, f"{domain}/{level}/{test_id}"):
                return None  # its id finds its answers: those of other ids to the same words are not its later epochs
        asked = questions_in(prompt) if self.by_question else ()
        if named is not None and named.question in asked:
            return named
        same = next((found for one in asked if (found := self.by_question.get((one, epoch))) is not None), None)
        if same is not None:
            return same
        return named if named is not None and self._alike(named, prompt) else None

    def _alike(self, answer: AnswerRow, prompt: str) -> bool:
        """Whether a row with the test's id asks what the prompt asks, in a template of one of the two."""
        theirs, ours = plain_words(_question(answer.data, self.columns)[0]), plain_words(prompt)
        return theirs in ours or ours in theirs


def read_answers(path: Path, named: NamedColumns = GUESSED, *, by_row: bool = False) -> Answers:
    """The answers of a file; read once as long as it stays as it is.

    `by_row`: the file is the dataset as well, and a row without an id is called by its number, as the dataset calls it.

    Raises:
        ConfigurationError: it cannot be read, or a row is no answer; the message names the line.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror or error}); name a file that can be"
        ) from None
    return _read(path, named, by_row, found.st_mtime_ns, found.st_size)


def columns_of(path: Path, named: NamedColumns = GUESSED) -> AnswerColumns:
    """The columns of a file by its first rows.

    Raises:
        ConfigurationError: it cannot be read, or lacks the column that is named.
    """
    return answer_columns([row.data for row in islice(_rows(path), _PEEK) if isinstance(row, Row)], named)


@lru_cache(maxsize=4)
def _read(path: Path, named: NamedColumns, by_row: bool, _changed: int, _size: int) -> Answers:
    stream = _rows(path)
    head = list(islice(stream, _PEEK))
    columns = answer_columns([row.data for row in head if isinstance(row, Row)], named)
    rows: list[AnswerRow] = []
    unnamed: dict[str, str] = {}
    notes = _Notes()
    for index, row in enumerate(chain(head, stream)):
        if isinstance(row, BadRow):
            raise ConfigurationError(f"{path}:{row.line}: {row.message}")
        answer = _answer(path, row, columns)
        notes.pass_over(row.data, columns, kept=by_row)
        if by_row and answer.identity is None:
            answer = replace(answer, identity=_place(answer, columns, index, unnamed))
        notes.see(answer)
        rows.append(answer)
    if not rows:
        raise ConfigurationError(
            f"{path}: no answer stands in it; write one JSON object a line, with `test_id` and `answer`"
        )
    if notes.missing and notes.missing[0] == len(rows):
        raise ConfigurationError(
            f"{path}:{notes.missing[1]}: there is no text in {columns.response or 'answer'!r} (and no `error`), nor in"
            " any other row; --response-field names the column"
        )
    rows = _numbered(path, _under_one_name(rows), notes)
    by_id: dict[tuple[str, int], AnswerRow] = {}
    by_question: dict[tuple[str, int], AnswerRow | None] = {}
    for answer in rows:
        if answer.identity is not None:
            by_id[answer.identity, answer.epoch] = answer
        if answer.question:
            key = (answer.question, answer.epoch)
            if key in by_question and answer.identity is None:
                raise ConfigurationError(_twice(path, answer, "the same question"))
            by_question[key] = None if key in by_question else answer
    return Answers(columns, rows, by_id, by_question, tuple(notes.told()))


def _place(answer: AnswerRow, columns: AnswerColumns, index: int, unnamed: dict[str, str]) -> str:
    """What a dataset calls a row without an id: its number, that of the first row that asks the same in another epoch."""
    if not answer.numbered or not answer.question:
        return str(index)
    gold = json.dumps(value_of(answer.data, columns.gold), sort_keys=True, ensure_ascii=False, default=str)
    return unnamed.setdefault(f"{answer.question} {gold}", str(index))


def _under_one_name(rows: list[AnswerRow]) -> list[AnswerRow]:
    """The rows of `t` and `domain/level/t` as one test's, where no two whole names end so and no question differs."""
    whole: dict[str, dict[str, set[str]]] = {}
    for row in rows:
        if row.identity is not None and (match := _WHOLE_NAME.fullmatch(row.identity)):
            whole.setdefault(match[1], {}).setdefault(row.identity, set()).add(row.question)
    if not whole:
        return rows
    asked: dict[str, set[str]] = {}
    for row in rows:
        if row.identity in whole:
            asked.setdefault(row.identity, set()).add(row.question)
    names: dict[str, str] = {}
    for plain, questions in asked.items():
        for name, others in whole[plain].items() if len(whole[plain]) == 1 else ():
            if len((questions | others) - {""}) < 2:
                names[plain] = name
    return [replace(row, identity=names.get(row.identity or "", row.identity)) for row in rows]


_WHOLE_NAME = re.compile(r"[^/]+/[1-5]/(.+)", re.DOTALL)
"""A test's id behind its domain and level."""


def _numbered(path: Path, rows: Sequence[AnswerRow], notes: _Notes) -> list[AnswerRow]:
    """The rows with their epochs from 1 on for each test, in the file's order where rows do not say theirs.

    Raises:
        ConfigurationError: two rows answer the same epoch of a test, or one id stands for two questions.
    """
    found = list(rows)
    tests: dict[tuple[bool, str], list[int]] = {}
    for place, row in enumerate(rows):
        tests.setdefault((row.identity is not None, row.identity or row.question), []).append(place)
    for places in tests.values():
        if len(places) == 1 and rows[places[0]].epoch == 1:
            continue
        taken: set[int] = set()
        for place in places:
            row, first = rows[place], rows[places[0]]
            if row.epoch in taken:
                named = "the same question" if row.identity is None else f"test '{row.identity[:80]}'"
                if row.identity is not None and row.question and first.question not in ("", row.question):
                    raise ConfigurationError(
                        f"{path}:{row.line}: {named} asks another question on line {first.line};"
                        " give each question an id of its own"
                    )
                if row.numbered or row.identity is None or not row.question:
                    raise ConfigurationError(_twice(path, row, named))
                found[place] = row = replace(row, epoch=max(taken) + 1)
                notes.ordered = _more(notes.ordered, row.line)
            taken.add(row.epoch)
        in_order = sorted(taken)
        if in_order[-1] > len(in_order):
            notes.renumbered = _more(notes.renumbered, rows[places[0]].line)
        for place in places:
            epoch = in_order.index(found[place].epoch) + 1
            if epoch != found[place].epoch:
                found[place] = replace(found[place], epoch=epoch)
    return found


@dataclass(slots=True)
class _Notes:
    """What is worth saying of a file's rows: how many there are of a kind, and the line of the first."""

    missing: tuple[int, int] | None = None
    failed: tuple[int, int] | None = None
    beside: tuple[int, int] | None = None
    ordered: tuple[int, int] | None = None
    renumbered: tuple[int, int] | None = None
    whole: tuple[int, int] | None = None
    unread: dict[str, tuple[int, int]] = field(default_factory=dict)
    passed_over: Counter[str] = field(default_factory=Counter)
    """Keys that nothing reads."""

    def pass_over(self, data: Mapping[str, Any], columns: AnswerColumns, *, kept: bool) -> None:
        """Count what of a row is not read; `kept`: its columns are kept with the test that it is."""
        items = items_of(data, columns.response)
        self.passed_over += unread_keys(items)
        if data.get("steps"):
            self.passed_over.update(name for name in CHATS if data.get(name))
        if data.get("steps") or any(item.get("type") not in LISTS for item in items if isinstance(item, dict)):
            self.passed_over.update(name for name in LISTS if data.get(name))
        if not kept:
            named = (columns.response, columns.id, columns.question, columns.gold, columns.context)
            known = {*_READ, *columns.passed_over, *(name.partition(".")[0] for name in named if name), *(named)}
            self.passed_over.update(
                name for name, value in data.items() if name not in known and value not in (None, "")
            )

    def see(self, answer: AnswerRow) -> None:
        """One row more."""
        data, line = answer.data, answer.line
        if data["answer"] is None:
            if data["error"] == NO_RESPONSE:
                self.missing = _more(self.missing, line)
            else:
                self.failed = _more(self.failed, line)
                if answer.beside:
                    self.beside = _more(self.beside, line)
        if answer.whole:
            self.whole = _more(self.whole, line)
        for words in (*(f"`{name}`" for name in figures_of(data)[1]), *odd_lists(data)):
            self.unread[words] = _more(self.unread.get(words), line)

    def told(self) -> Iterator[str]:
        """A sentence for each kind of row that there is."""
        if self.failed:
            yield f"{_lines(self.failed)}: an error where the answer was made, an error here, never a score"
        if self.beside:
            yield f"{_lines(self.beside)}: a response beside the error is not judged"
        if self.missing:
            yield f"{_lines(self.missing)}: no response, an error, never a score"
        if self.ordered:
            yield f"{_lines(self.ordered)}: the same test and question again, without an `epoch`: epochs in the file's order"
        if self.renumbered:
            yield f"{_lines(self.renumbered)}: the test lacks epochs before its last: its epochs are numbered from 1"
        if self.whole:
            yield f"{_lines(self.whole)}: the response is no text; its JSON is judged as one"
        for words, rows in self.unread.items():
            yield f"{_lines(rows)}: {words} cannot be read and is left out; the answer is judged"
        if self.passed_over:
            named = [f"`{name[:60]}` ({number:,})" for name, number in self.passed_over.most_common(_MOST_NAMED)]
            more = len(self.passed_over) - len(named)
            yield f"not read: {', '.join(named)}" + (f" and {more:,} more" if more else "")


def _more(counted: tuple[int, int] | None, line: int) -> tuple[int, int]:
    return (counted[0] + 1, counted[1]) if counted else (1, line)


def _lines(rows: tuple[int, int]) -> str:
    number, first = rows
    return f"{number:,} rows, the first in line {first}" if number > 1 else f"line {first}"


def _rows(path: Path) -> Iterator[Row | BadRow]:
    """The rows by the file's ending; objects a line whatever it ends in, also in a `.json`."""
    if path.suffix.lower() not in _KINDS:
        return json_lines(path)
    if path.suffix.lower() == ".json":
        lines = list(islice(json_lines(path), 2))
        if (
            lines
            and isinstance(lines[0], Row)
            and not any(isinstance(lines[0].data.get(key), list) for key in ROW_KEYS)
        ):
            return json_lines(path)
    return iter_rows(path)


def _answer(path: Path, row: Row, columns: AnswerColumns) -> AnswerRow:
    data = row.data
    ids = (_identity(value_of(data, name)) for name in (columns.id, *IDS) if name is not None)
    identity = next((one for one in ids if one is not None), None)
    question, told = _question(data, columns)
    asked = question_key(question) if question else ""
    if identity is None and not asked:
        raise ConfigurationError(
            f"{path}:{row.line}: the answer names no test: it has {_named(list(data))}; give its id as `test_id`, or its"
            " `question`; where the file holds question and gold too, --question-field, --answer-field and --id-field name theirs"
        )
    text, error = _response(data, columns), error_of(data, columns.response)
    whole = whole_of(data, columns) if text is None and error is None else None
    text = whole if whole is not None else text
    fields = {"answer": text} if error is None and text is not None else {"answer": None, "error": error or NO_RESPONSE}
    return AnswerRow(
        row.line,
        identity,
        asked,
        _epoch(path, row),
        {**data, **fields},
        told=told,
        numbered=data.get("epoch") not in (None, ""),
        beside=error is not None and bool((text or "").strip()),
        whole=whole is not None,
    )


def _question(data: Mapping[str, Any], columns: AnswerColumns) -> tuple[str, bool]:
    """The question's words, and whether they are of a conversation; empty where there are none."""
    value = value_of(data, columns.question)
    if (turns := asked_in(value if columns.question is not None else chat_of(data))) is not None:
        return last_asked(turns), True
    if isinstance(value, str) and isinstance(below := value_of(data, columns.context), str) and below:
        value = f"{value.rstrip()}\n\n{below}"  # as the datasets' reader puts them together
    return (value, False) if isinstance(value, str) and value.strip() else ("", False)


def _named(columns: Sequence[str]) -> str:
    """Some names of columns in a sentence."""
    return ", ".join(f"'{name[:40]}'" for name in columns[:6]) or "no column"


def _identity(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    return str(value) or None


def _epoch(path: Path, row: Row) -> int:
    value = row.data.get("epoch")
    value = 1 if value in (None, "") else value
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigurationError(f"{path}:{row.line}: `epoch` is a whole number of 1 or more")
    return value


def _response(data: Mapping[str, Any], columns: AnswerColumns) -> str | None:
    """The response's text: of its column, of a response as an API gives it, or what the assistant said last."""
    for name in (columns.response, *RESPONSES):
        if name is not None and name != columns.gold and (text := text_of(value_of(data, name))) is not None:
            return text
    chat = chat_of(data, columns.response)
    return last_answer(chat) if chat and not any(data.get(name) for name in LISTS) else None


_ENVELOPE = frozenset({"body", "choices", "content", "message", "object", "output", "role", "text", "type"})
"""Keys of an API's response or message: without a text in it, it says nothing."""


def whole_of(data: Mapping[str, Any], columns: AnswerColumns) -> str | None:
    """The JSON of a response that is an object of its own, and none of an API; None where there is none."""
    for name in (columns.response, *RESPONSES):
        value = value_of(data, name) if name is not None and name != columns.gold else None
        if isinstance(value, dict) and value:
            return None if value.keys() & _ENVELOPE else json.dumps(value, ensure_ascii=False, default=str)
    return None


def _twice(path: Path, answer: AnswerRow, what: str) -> str:
    return (
        f"{path}:{answer.line}: {what} (epoch {answer.epoch}) is answered already; leave one of the two out, "
        "or give each its `epoch`"
    )
