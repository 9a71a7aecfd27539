"""What a SQL test says: its fixtures, its gold, and how results are compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modex.core.evaluators.sql.compare import DEFAULT_TOLERANCE, ColumnRule
from modex.core.evaluators.sql.parsed import asked_parts
from modex.core.sandbox.sql import Fixture
from modex.core.suite.files import FileFaultError, read_text

MAX_FIXTURE_BYTES = 8 * 1024 * 1024
MAX_INSTANCES = 32
_KEYS = frozenset(
    [
        *("schema", "seed", "seeds", "fixture", "fixtures", "query", "rows", "columns", "tolerance", "ordered"),
        *("query_type", "table", "clause", "functions", "selects"),
    ]
)


class GoldError(ValueError):
    """`expected` cannot be read; the message says which part."""


@dataclass(frozen=True, slots=True)
class SqlGold:
    """`instances` are empty where only `parts` of the query are asked for; with `parts` it may be that the query is only to run
    on them; else `query` or `rows` is given."""

    instances: tuple[Fixture | Path, ...] = ()
    query: str | None = None
    rows: tuple[tuple[Any, ...], ...] | None = None
    columns: ColumnRule = "exact"
    tolerance: float = DEFAULT_TOLERANCE
    ordered: bool = False
    parts: dict[str, list[str]] | None = None


def read_gold(expected: Any, suite_root: Path | None, folder: str = "") -> SqlGold:
    """Read `expected`; fixture files are sought beside the test (`folder`, relative to the suite), then in the suite.

    Raises:
        GoldError: a part is missing, contradictory or of the wrong type.
    """
    if isinstance(expected, str):
        raise GoldError("'expected' needs the tables too: an object with 'schema', 'seed' and 'query'")
    if not isinstance(expected, dict):
        raise GoldError("'expected' must be an object with 'schema', 'seed' and 'query' (or 'rows')")
    unknown = sorted(set(expected) - _KEYS)
    if unknown:
        raise GoldError(f"'expected' does not know {', '.join(unknown)}")
    try:
        parts = asked_parts(expected)
    except ValueError as error:
        raise GoldError(str(error)) from None
    instances = _instances(expected, suite_root, folder)
    query, rows = expected.get("query"), expected.get("rows")
    if not instances:
        if query is not None or rows is not None:
            raise GoldError("a gold 'query' or 'rows' needs tables: give 'schema' and 'seed', or 'fixture'")
        if not parts:
            raise GoldError(
                "'expected' has neither tables ('schema', 'seed', 'fixture') nor parts of a query to ask for"
            )
        return SqlGold(parts=parts)
    if query is None and rows is None and parts:
        return SqlGold(instances=instances, parts=parts)
    if (query is None) == (rows is None):
        raise GoldError("give either a gold 'query' or gold 'rows'")
    if query is not None and (not isinstance(query, str) or not query.strip()):
        raise GoldError("'query' must be a text with a SELECT in it")
    return SqlGold(
        instances=instances,
        query=query,
        rows=None if rows is None else _rows(rows),
        columns=_columns(expected),
        tolerance=_tolerance(expected),
        ordered=expected.get("ordered") is True,
        parts=parts or None,
    )


def _instances(expected: dict[str, Any], suite_root: Path | None, folder: str) -> tuple[Fixture | Path, ...]:
    names = _texts(expected, "fixture", "fixtures")
    seeds = _texts(expected, "seed", "seeds")
    schema = expected.get("schema")
    if schema is not None and not isinstance(schema, str):
        raise GoldError("'schema' must be a text")
    if names and (schema is not None or seeds):
        raise GoldError("give either fixture files or 'schema' and 'seed'")
    if len(names) > MAX_INSTANCES or len(seeds) > MAX_INSTANCES:
        raise GoldError(f"at most {MAX_INSTANCES} instances")
    if names:
        return tuple(_fixture_file(name, suite_root, folder) for name in names)
    if schema is None and not seeds:
        return ()
    return tuple(Fixture(schema or "", seed) for seed in seeds) or (Fixture(schema or ""),)


def _texts(expected: dict[str, Any], one: str, many: str) -> list[str]:
    if expected.get(one) is not None and expected.get(many) is not None:
        raise GoldError(f"give either '{one}' or '{many}'")
    value = expected.get(one) if expected.get(one) is not None else expected.get(many)
    values = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise GoldError(f"'{many if many in expected else one}' must be a text or a list of texts")
    return values


def _fixture_file(name: str, suite_root: Path | None, folder: str) -> Fixture | Path:
    """A `.sql` file's text, or a SQLite file's path; never outside the suite, or of a dataset its file's own folder."""
    if Path(folder).is_absolute():
        suite_root, place = Path(folder), "the dataset's folder"
    else:
        place = "the suite"
    if suite_root is None:
        raise GoldError(f"the fixture '{name}' needs a suite's folder")
    root = suite_root.resolve()
    for base in (root / folder, root / "test_definitions" / folder, root):
        path = (base / name).resolve()
        if not path.is_relative_to(root):
            raise GoldError(f"the fixture '{name}' lies outside {place}; copy it there")
        if path.is_file():
            break
    else:
        raise GoldError(f"there is no fixture '{name}' beside the test or in {place}")
    if path.suffix.lower() == ".sql" and path.stat().st_size > MAX_FIXTURE_BYTES:
        raise GoldError(f"the fixture '{name}' has more than {MAX_FIXTURE_BYTES:,} bytes")
    if path.suffix.lower() != ".sql":
        return path
    try:
        return Fixture(read_text(path, MAX_FIXTURE_BYTES))
    except FileFaultError as fault:
        raise GoldError(f"the fixture '{name}' {fault.message}") from None


def _rows(rows: Any) -> tuple[tuple[Any, ...], ...]:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise GoldError("'rows' is a list of lists")
    if len({len(row) for row in rows}) > 1:
        raise GoldError("'rows' differ in their number of columns")
    plain = (str, int, float, type(None))
    if not all(isinstance(value, plain) for row in rows for value in row):
        raise GoldError("a value in 'rows' is a text, a number or null")
    return tuple(tuple(int(value) if isinstance(value, bool) else value for value in row) for row in rows)


def _columns(expected: dict[str, Any]) -> ColumnRule:
    value = expected.get("columns", "exact")
    if value == "exact" or value == "any_order" or value == "superset":  # noqa: PLR1714  mypy narrows only this form
        return value  # type: ignore[no-any-return]
    raise GoldError(f"'columns' is 'exact', 'any_order' or 'superset', not {value!r}")


def _tolerance(expected: dict[str, Any]) -> float:
    value = expected.get("tolerance", DEFAULT_TOLERANCE)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise GoldError(f"'tolerance' is a number from 0, not {value!r}")
    return float(value)
