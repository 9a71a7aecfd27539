"""One test that holds for every row of a table, and names each row for which it does not.

A row is a matter of microseconds, and a test of its own costs milliseconds: collected in every worker, set up, reported. So
what needs no fixture and leaves nothing behind is a table; what starts something, or has to begin afresh, is parametrized.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

_TOLD = 20
"""As many failing rows are told; the others are most often of the same cause."""


def each_row(
    names: str | Sequence[str], rows: Iterable[Any], *, ids: Iterable[object] | Callable[[Any], object] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test with each row; its parameters are those of `pytest.mark.parametrize`.

    Raises:
        ValueError: a row has not as many values as there are names, or there is no row at all.
    """
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    listed = [_values(row, len(parameters)) for row in rows]
    if not listed:
        raise ValueError("a table without rows holds nothing to be true")
    called = _named(listed, ids)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every(*given: Any, **fixtures: Any) -> None:
            wrong: list[Exception] = []
            for name, row in zip(called, listed, strict=True):
                try:
                    test(*given, **fixtures, **dict(zip(parameters, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    told = (
                        error if isinstance(error, Exception) else AssertionError(str(error))
                    )  # a group holds no others
                    told.add_note(f"in row {name}")
                    wrong.append(told)
                    if len(wrong) == _TOLD:
                        break
            if len(wrong) == 1:
                raise wrong[0]
            if wrong:
                raise ExceptionGroup(f"{len(wrong)} of {len(listed)} rows", wrong)

        signature = inspect.signature(test)
        kept = [value for name, value in signature.parameters.items() if name not in parameters]
        every.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return every

    return decorate


def _values(row: Any, count: int) -> tuple[Any, ...]:
    if hasattr(row, "marks") and hasattr(row, "values"):  # pytest.param
        if row.marks:
            raise ValueError("a row has no marks of its own: parametrize the test instead")
        row = row.values if count != 1 else row.values[0]
    values = (row,) if count == 1 else tuple(row)
    if len(values) != count:
        raise ValueError(f"{values!r} has not {count} values")
    return values


def _named(rows: Sequence[tuple[Any, ...]], ids: Iterable[object] | Callable[[Any], object] | None) -> list[str]:
    if callable(ids):
        return ["-".join(str(ids(value)) for value in row) for row in rows]
    if ids is not None:
        return [str(one) for one in ids]
    return [f"{number}: {', '.join(map(repr, row))[:300]}" for number, row in enumerate(rows, 1)]
