"""Rows of dataset files, one at a time: JSONL, JSON, CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from modex.core.config.values import unguarded
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.files import FileFaultError, decode, open_regular, read_text
from modex.core.suite.jsontext import parse_json

MAX_LINE_BYTES = 32 * 1024 * 1024
MAX_JSON_BYTES = 256 * 1024 * 1024
"""A `.json` file is read whole; a larger one should be JSONL."""
ROW_KEYS = ("data", "rows", "examples", "results", "samples", "items")
"""Under which of these the rows of a `.json` file that is one object stand."""
_DELIMITERS = (",", ";", "\t", "|")
_PARQUET_BATCH = 1024


@dataclass(frozen=True, slots=True)
class Row:
    """One row and the 1-based line on which it starts (for JSON and Parquet: its number)."""

    line: int
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be read."""

    line: int
    message: str


def iter_rows(path: Path) -> Iterator[Row | BadRow]:
    """The rows of `path`, by its extension, in the order of the file.

    Raises:
        ConfigurationError: the file cannot be read at all, or its kind is unknown.
    """
    suffix = path.suffix.lower()
    try:
        if suffix in (".jsonl", ".ndjson"):
            yield from _jsonl(path)
        elif suffix == ".json":
            yield from _json(path)
        elif suffix in (".csv", ".tsv"):
            yield from _csv(path, "\t" if suffix == ".tsv" else None)
        elif suffix in (".parquet", ".pq"):
            yield from _parquet(path)
        else:
            raise ConfigurationError(
                f"{path}: a dataset is a .jsonl, .json, .csv, .tsv or .parquet file, not '{suffix or path.name}'; convert it"
            )
    except FileFaultError as fault:
        where = f"{path}:{fault.line}" if fault.line else f"{path}"
        raise ConfigurationError(f"{where}: {fault.message}") from None
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror or error}); name a file that can be"
        ) from None


def json_lines(path: Path) -> Iterator[Row | BadRow]:
    """The rows of a file with an object a line, whatever its name ends in.

    Raises:
        ConfigurationError: the file cannot be read at all.
    """
    try:
        yield from _jsonl(path)
    except FileFaultError as fault:
        raise ConfigurationError(f"{path}: {fault.message}") from None


def _object(value: Any, line: int) -> Row | BadRow:
    return Row(line, value) if isinstance(value, dict) else BadRow(line, "a row must be an object")


def _jsonl(path: Path) -> Iterator[Row | BadRow]:
    with os.fdopen(open_regular(path), "rb") as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_LINE_BYTES)
                yield BadRow(number, f"the line is longer than {MAX_LINE_BYTES // 1024 // 1024} MiB")
                continue
            if line.isspace():
                continue
            yield _line(line, number)


def _line(line: bytes, number: int) -> Row | BadRow:
    try:
        value, duplicates = parse_json(decode(line))
    except FileFaultError as fault:
        return BadRow(number, fault.message)
    if duplicates:
        return BadRow(number, f"'{duplicates[0][0]}' is given twice in one object")
    return _object(value, number)


def _json(path: Path) -> Iterator[Row | BadRow]:
    value, _ = parse_json(read_text(path, MAX_JSON_BYTES))
    rows = value
    if isinstance(value, dict):
        rows = next((value[key] for key in ROW_KEYS if isinstance(value.get(key), list)), None)
    if not isinstance(rows, list):
        raise FileFaultError(f"a dataset must be a list of objects, or an object with one under {', '.join(ROW_KEYS)}")
    del value
    for number, item in enumerate(rows, 1):
        # Datasets exported from the Hub's viewer wrap each row.
        inner = item.get("row") if isinstance(item, dict) and isinstance(item.get("row"), dict) else item
        yield _object(inner, number)


def _delimiter(head: str) -> str:
    """The delimiter that the header line holds most often outside quotes; a comma where it holds none."""
    outside = "".join(head.split('"')[::2])
    return max(_DELIMITERS, key=lambda mark: (outside.count(mark), mark == ","))


def _csv(path: Path, delimiter: str | None) -> Iterator[Row | BadRow]:
    csv.field_size_limit(MAX_LINE_BYTES)
    with os.fdopen(open_regular(path), "r", encoding="utf-8-sig", newline="") as file:
        try:
            yield from _records(file, delimiter)
        except UnicodeDecodeError:
            raise _not_utf8(path) from None


def _not_utf8(path: Path) -> FileFaultError:
    """The line of a file that is no UTF-8, and what it may be instead."""
    with os.fdopen(open_regular(path), "rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), 1):
            try:
                decode(line)
            except FileFaultError as fault:
                return FileFaultError(fault.message, number)
    return FileFaultError("is not UTF-8 text; save it as UTF-8")


def _records(file: IO[str], delimiter: str | None) -> Iterator[Row | BadRow]:
    if delimiter is None:
        delimiter = _delimiter(file.readline(MAX_LINE_BYTES))
        file.seek(0)
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    header: list[str] | None = None
    ours = False
    while True:
        start = reader.line_num + 1
        try:
            record = next(reader, None)
        except csv.Error as error:
            yield BadRow(start, f"is not valid CSV: {error}")
            continue
        if record is None:
            return
        if not record:
            continue
        if header is None:
            header = [name.strip() for name in record]
            _check_header(header, start)
            ours = tuple(header[: len(EXPORTED)]) == EXPORTED
        elif len(record) != len(header):
            yield BadRow(start, f"has {len(record)} columns where the header has {len(header)}")
        else:
            cells = map(unguarded, record) if ours else record
            yield Row(start, dict(zip(header, cells, strict=True)))


EXPORTED = ("source", "domain", "level", "test_id", "epoch", "name", "status", "score", "evaluator_id")
"""How the header of our own CSV begins; its guard against formulas is no part of what its cells say."""


def _check_header(header: list[str], line: int) -> None:
    if header[0].startswith(("{", "[{")):
        raise FileFaultError("is JSON where a CSV file has its header; name the file .jsonl, or .json", line)
    for name in header:
        if name and header.count(name) > 1:
            raise FileFaultError(f"the column '{name[:80]}' is there twice; rename one", line)


def _parquet(path: Path) -> Iterator[Row | BadRow]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise FileFaultError(
            "reading Parquet needs pyarrow; install modex with the extra: pip install 'modex[parquet]'"
        ) from None
    number = 0
    with os.fdopen(open_regular(path), "rb") as file:
        try:
            for batch in parquet.ParquetFile(file).iter_batches(batch_size=_PARQUET_BATCH):
                for data in batch.to_pylist():
                    number += 1
                    yield Row(number, data)
        except ArrowException as error:
            raise FileFaultError(f"is not readable Parquet ({str(error)[:200]}); write it again") from None
