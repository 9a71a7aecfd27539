"""What a stored field is, said once in its annotation: its type, how its column holds it, and which stage writes it.

`columns_of` reads the annotations of a row's dataclass; the Peewee models (`tables.py`), the encoding and decoding of
values (`rows.py`) and the lists of fields that each stage writes all follow from it.
"""

from __future__ import annotations

import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from operator import attrgetter
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from modex.core.store.clock import parse
from modex.core.store.exact import decode_json, decode_text, encode_json, encode_text

T = TypeVar("T")


class Held(Enum):
    """How a column holds a value that SQLite cannot hold as it is."""

    EXACT = "text that may hold anything a model can send"
    JSON = "JSON as text"
    TIME = "ISO 8601 in UTC"


class WritingStage(Enum):
    """The stage that writes a field."""

    PLANNING = "planning, also where a test was changed"
    ROLLOUT = "rollout"
    JUDGE = "judge"


Exact = Annotated[str, Held.EXACT]
"""Text that may hold anything a model can send."""
Time = Annotated[str, Held.TIME]
"""A moment, as `core/store/clock.py` writes it."""
Json = Annotated[T, Held.JSON]
"""A value that is stored as JSON."""
Planned = Annotated[T, WritingStage.PLANNING]
"""What planning writes, also where the test was changed."""
Asked = Annotated[T, WritingStage.ROLLOUT]
"""What the rollout writes."""
Judged = Annotated[T, WritingStage.JUDGE]
"""What the judgement writes."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Says in a field's annotation that `modex show` and the transcript's figures show it, where it is not null, 0 or empty."""

    name: str
    words: str = "{}"
    """The value, as `str.format` takes it: `{:.1f} s`."""


class Document(ABC):
    """A typed value that a column holds as JSON."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def of(cls, value: Mapping[str, Any]) -> Self:
        """The value that a JSON object holds.

        Raises:
            ValueError: it holds what this cannot; the message names the key.
        """

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """What is stored."""

    @classmethod
    def normal(cls, value: dict[str, Any]) -> dict[str, Any]:
        """What would be stored of the value that a JSON object holds: most that is stored is that already.

        Raises:
            ValueError: it holds what this cannot; the message names the key.
        """
        return cls.of(value).as_json()


class DamagedValueError(ValueError):
    """A stored value that this column cannot hold; the message names the column."""


@dataclass(frozen=True, slots=True)
class Column:
    """One stored field."""

    name: str
    kind: type
    """`str`, `int`, `float` or `bool`; of JSON the value's own type, `object` where it may be any."""
    items: type | None
    """Of JSON that is a list, the type of its items."""
    values: frozenset[Any]
    """The values it may have; empty where any is right."""
    null: bool
    held: Held | None
    writers: frozenset[WritingStage]
    default: Callable[[], Any]
    shown: Shown | None = None

    @property
    def plain(self) -> bool:
        """Whether a value of the right type is right as it is stored."""
        return self.held is None and not self.values and self.kind in (str, int, float)

    def encode(self, value: Any) -> Any:
        """The value as the column holds it."""
        if value is None:
            return None
        if self.held is Held.JSON:
            return encode_json(value.as_json() if isinstance(value, Document) else value)
        return encode_text(value) if self.held is Held.EXACT else value

    def writer(self) -> Callable[[Any], Any]:
        """What does what `encode` does for values that are not None."""
        if self.held is Held.EXACT:
            return encode_text
        return self.encode if self.kind is object or issubclass(self.kind, Document) else encode_json

    def decode(self, stored: Any) -> Any:
        """Undo `encode`.

        Raises:
            DamagedValueError: another program, or a fault, left something else there.
        """
        if stored is None:
            if self.null:
                return None
            raise DamagedValueError(f"`{self.name}` is empty")
        if self.held is Held.JSON:
            empty = _EMPTY.get(stored) if type(stored) is str else None
            return empty() if empty is self.kind and empty is not None else self._from_json(stored)
        found = type(stored)
        if self.kind is str and found is str:
            if self.values and stored not in self.values:
                raise DamagedValueError(f"`{self.name}` holds {stored[:40]!r}")
            if self.held is Held.TIME:
                self._check_time(stored)
            return decode_text(stored) if self.held is Held.EXACT else stored
        if found is int and self.kind in (int, float):
            return stored
        if found is float and (self.kind is float or (self.kind is int and stored.is_integer())):
            return stored
        if self.kind is bool and found in (int, bool):
            return bool(stored)
        raise DamagedValueError(f"`{self.name}` holds {_said(stored)} where {_NAMES[self.kind]} belongs")

    def reader(self, found: type, *, as_json: bool = False) -> Callable[[Any], Any] | None:
        """What does for stored values of one type what `decode` does, once one of them was decoded; None where nothing is to do.

        It raises any `ValueError` or `LookupError` where `decode` would raise its own.
        """
        if found is type(None) or (self.plain and (found is not float or self.kind is float)):
            return None
        if found is not str:
            return self.decode
        if self.held is Held.EXACT:
            return decode_text
        if self.held is Held.JSON:
            if not issubclass(self.kind, Document):
                return decode_json if self.kind is object else _json_reader(self.kind, self.items)
            return _document_reader(self.kind.normal if as_json else self.kind.of)
        if self.held is Held.TIME:
            return _moment
        return {value: value for value in self.values}.__getitem__

    def _check_time(self, stored: str) -> None:
        try:
            parse(stored)
        except ValueError:
            raise DamagedValueError(f"`{self.name}` holds no time") from None

    def _from_json(self, stored: Any) -> Any:
        try:
            value = decode_json(stored)
        except (ValueError, TypeError, RecursionError):
            raise DamagedValueError(f"`{self.name}` holds no JSON") from None
        if issubclass(self.kind, Document):
            return self._document(value)
        fits = isinstance(value, self.kind)
        if fits and self.items is not None and type(value) is list:
            for item in value:
                fits = fits and isinstance(item, self.items)
        if not fits:
            raise DamagedValueError(f"`{self.name}` holds JSON of another form")
        return value

    def _document(self, value: Any) -> Document:
        if not isinstance(value, dict) or not issubclass(self.kind, Document):
            raise DamagedValueError(f"`{self.name}` holds JSON of another form")
        try:
            return self.kind.of(value)
        except ValueError as error:
            raise DamagedValueError(f"`{self.name}` holds {error}") from None


class Encoder:
    """Encodes the same fields of many objects; most hold what their columns hold, so only the others are looked at."""

    def __init__(self, columns: Iterable[Column]) -> None:
        columns = tuple(columns)
        self._values = attrgetter(*(column.name for column in columns))
        self._single = len(columns) == 1
        self._told_apart = [(at, column.writer()) for at, column in enumerate(columns) if column.held in _CHANGED]

    def encode(self, item: object) -> list[Any]:
        """The fields of `item` in the columns' order, each as its column holds it."""
        values = [self._values(item)] if self._single else list(self._values(item))
        for at, encode in self._told_apart:
            if (value := values[at]) is not None:
                values[at] = encode(value)
        return values

    def encode_all(self, items: Iterable[object]) -> list[Sequence[Any]]:
        """What `encode` gives for each of `items`, one column after the other; none for no items."""
        values = ([self._values(item)] for item in items) if self._single else map(self._values, items)
        columns: list[Sequence[Any]] = list(zip(*values, strict=True))
        for at, encode in self._told_apart if columns else ():
            columns[at] = [None if value is None else encode(value) for value in columns[at]]
        return columns


class Decoder:
    """Decodes rows of the same columns; a million of them are read, so what is plain in a row is passed on as it is.

    With `as_json`, typed documents come as what is stored of them.
    """

    def __init__(self, columns: Iterable[Column], *, as_json: bool = False) -> None:
        self._columns = tuple(columns)
        self._as_json = as_json
        self._sound: dict[tuple[type, ...], list[tuple[int, Callable[[Any], Any]]]] = {}
        """By the types of whole rows that were found to fit their columns, what is still to be decoded: nothing that is NULL."""

    def decode(self, row: Sequence[Any]) -> tuple[list[Any], str | None]:
        """The values in the columns' order, and what is damaged in words; a damaged value reads as its default."""
        types = tuple(map(type, row))
        told_apart = self._sound.get(types)
        if told_apart is not None:
            values = list(row)
            try:
                for at, decode in told_apart:
                    values[at] = decode(row[at])
            except (ValueError, LookupError, RecursionError):
                return self._one_by_one(row)
            return values, None
        values, damage = self._one_by_one(row)
        if damage is None:
            readers = [(at, column.reader(types[at], as_json=self._as_json)) for at, column in enumerate(self._columns)]
            self._sound[types] = [(at, read) for at, read in readers if read is not None]
        return values, damage

    def _one_by_one(self, row: Sequence[Any]) -> tuple[list[Any], str | None]:
        values: list[Any] = []
        damage: list[str] = []
        for column, stored in zip(self._columns, row, strict=True):
            try:
                values.append(column.decode(stored))
            except DamagedValueError as error:
                values.append(column.default())
                damage.append(str(error))
            if self._as_json and isinstance(value := values[-1], Document):
                values[-1] = value.as_json()
        return values, f"this row of the database is damaged: {'; '.join(damage)}" if damage else None


def _document_reader(read: Callable[[dict[str, Any]], T]) -> Callable[[str], T]:
    def document(stored: str) -> T:
        value = decode_json(stored)
        if type(value) is not dict:
            raise ValueError("no object")
        return read(value)

    return document


def _json_reader(kind: Any, items: type | None) -> Callable[[str], Any]:
    blank = next((text for text, empty in _EMPTY.items() if empty is kind), None)

    def value_of(stored: str) -> Any:
        if stored == blank:
            return kind()
        value: Any = decode_json(stored)
        if not isinstance(value, kind):
            raise DamagedValueError("another form")
        if items is not None:
            for item in value:
                if not isinstance(item, items):
                    raise DamagedValueError("another form")
        return value

    return value_of


def _moment(stored: str) -> str:
    parse(stored)
    return stored


_CHANGED = (Held.EXACT, Held.JSON)
"""What columns hold otherwise than the fields of a sample do."""
_EMPTY: dict[str, type] = {"{}": dict, "[]": list}
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "0 or 1"}


def _said(stored: Any) -> str:
    return {str: "text", bytes: "bytes", float: "a fraction", int: "a number"}.get(type(stored), "something")


def columns_of(row: type, *, without: frozenset[str] = frozenset()) -> dict[str, Column]:
    """The columns of a row's dataclass by name, in its order; `without` names fields that are not stored."""
    hints = get_type_hints(row, include_extras=True)
    columns = {}
    for field in fields(row):
        if field.name in without:
            continue
        markers: list[Any] = []
        plain, null = _unfolded(hints[field.name], markers)
        held = next((marker for marker in markers if isinstance(marker, Held)), None)
        kind, items, values = _kind(plain)
        default = field.default_factory
        if default is MISSING:
            default = _constant(None if field.default is MISSING else field.default)
        columns[field.name] = Column(
            field.name,
            kind,
            items,
            values,
            null or kind is object,
            held,
            frozenset(marker for marker in markers if isinstance(marker, WritingStage)),
            default,
            next((marker for marker in markers if isinstance(marker, Shown)), None),
        )
    return columns


def fits(hint: Any) -> Callable[[object], bool]:
    """What says whether a value of JSON is of this type: plain ones, literals, lists and objects of them, each perhaps null."""
    hint, null = _unfolded(hint, [])
    kind: Any = get_origin(hint) or hint
    check: Callable[[object], bool]
    if kind is Literal:
        check = get_args(hint).__contains__
    elif kind is list:
        check = _every(list, iter, get_args(hint)[0])
    elif kind is dict:
        check = _every(dict, dict.values, get_args(hint)[1])
    else:
        kinds = (int, float) if kind is float else kind
        check = lambda value: isinstance(value, kinds) and not (isinstance(value, bool) and kind is not bool)  # noqa: E731
    return (lambda value: value is None or check(value)) if null else check


def _every(kind: type, items: Callable[[Any], Iterable[object]], hint: Any) -> Callable[[object], bool]:
    """What says whether a value is a list, or an object, of items of this type."""
    if hint is Any:
        return lambda value: isinstance(value, kind)
    inner = fits(hint)
    return lambda value: isinstance(value, kind) and all(map(inner, items(value)))


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _unfolded(hint: Any, markers: list[Any]) -> tuple[Any, bool]:
    """The hint without `Annotated` and without None, and whether None was in it; markers are collected."""
    null = False
    while True:
        if get_origin(hint) is Annotated:
            hint, *found = get_args(hint)
            markers += found
        elif get_origin(hint) in (Union, types.UnionType):
            kept = [part for part in get_args(hint) if part is not type(None)]
            null = True
            (hint,) = kept
        else:
            return hint, null


def _kind(hint: Any) -> tuple[type, type | None, frozenset[Any]]:
    if get_origin(hint) is Literal:
        return str, None, frozenset(get_args(hint))
    if hint is Any:
        return object, None, frozenset()
    if get_origin(hint) is list:
        (inner,) = get_args(hint)
        return list, get_origin(inner) or inner, frozenset()
    kind: type = get_origin(hint) or hint
    return kind, None, frozenset()
