"""Reading what a person gave (a flag, a variable, a line of TOML, a field of a form) as the value it should be.

Every reader takes a text or a TOML value and raises ValueError or TypeError with what it must be. No pydantic: importing it
takes a quarter of the time in which a first frame must stand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modex.core.foundation.lazy_regex import deferred

Read = Callable[[Any], Any]
_WORDS = {"true": True, "1": True, "yes": True, "y": True, "on": True}
_WORDS |= {"false": False, "0": False, "no": False, "n": False, "off": False}


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError("must be a text")
    return value


def is_bare(text: str) -> bool:
    """Whether a text for a dataset can name no file of one: it has neither a folder nor an ending (`mmlu-pro`)."""
    return bool(text) and text[0] not in "~." and not set(text) & set("./\\")


def names(value: Any) -> list[str]:
    """Several names: a list, or a text with them between commas or as JSON."""
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            import json

            value = json.loads(value)
        else:
            return [name for part in value.split(",") if (name := part.strip())]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("must be names: a list, or a text with commas between them")
    return value


def texts(value: Any) -> list[str]:
    """One text, or a list of them; numbers in a list are texts (`level = [1, 2]`)."""
    several = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str | int) and not isinstance(one, bool) for one in several):
        raise ValueError("must be a text, or a list of them")
    return [str(one) for one in several]


def one_of(*values: str) -> Read:
    """One of `values`."""

    def read(value: Any) -> str:
        if value not in values:
            raise ValueError(f"must be one of {', '.join(values)}")
        return str(value)

    return read


def number(
    *, above: float | None = None, least: float | None = None, most: float | None = None, whole: bool = False
) -> Read:
    """A number within its limits, and never one without end."""
    wanted = "a whole number" if whole else "a number"
    wanted += "" if above is None else f" above {_shown(above)}"
    wanted += "" if least is None else f" of at least {_shown(least)}"
    wanted += "" if most is None else f"{' and' if least is not None else ','} at most {_shown(most)}"

    def read(value: Any) -> float:
        try:
            found = value if not isinstance(value, str) else int(value) if whole else float(value)
        except ValueError:
            found = None
        if (
            not isinstance(found, int if whole else int | float)
            or isinstance(found, bool)
            or (above is not None and not found > above)
            or (least is not None and not found >= least)
            or (most is not None and not found <= most)
            or found != found  # noqa: PLR0124  NaN
            or found in (float("inf"), float("-inf"))
        ):
            raise ValueError(f"must be {wanted}")
        return found if whole else float(found)

    return read


def _shown(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f"{limit:g}"


def switch(value: Any) -> bool:
    """True or false."""
    found = _WORDS.get(value.lower()) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise TypeError("must be true or false")
    return found


_FORMULA = deferred(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r|%＝＋－＠]")
"""Spreadsheets drop blanks and signs that are not seen, and then read what follows them."""


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet might take `text` for a formula."""
    return _FORMULA.match(text) is not None


def unguarded(cell: str) -> str:
    """The text of a cell that an export of this program wrote (`modex.core.reports.cells.csv_cell`)."""
    return cell[1:] if cell[:1] == "'" and starts_formula(cell.lstrip("'")) else cell
