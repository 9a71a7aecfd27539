"""Cells of CSV that no spreadsheet takes for anything but what they say."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from core.safety import clean

_FORMULA = re.compile(r"^[\s]*[=+\-@\t\r|%＝＋－＠]")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def csv_row(cells: Sequence[str]) -> str:
    """One line of CSV (RFC 4180)."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()


def csv_cell(value: Any) -> str:
    """A cell that no spreadsheet runs as a formula (a leading apostrophe, as OWASP advises); numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
