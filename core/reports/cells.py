"""Cells of CSV that no spreadsheet takes for anything but what they say.

Formulas in cells: https://owasp.org/www-community/attacks/CSV_Injection. CSV: https://www.rfc-editor.org/rfc/rfc4180.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from modex.core.config.values import starts_formula

_SURROGATES = re.compile("[\ud800-\udfff]")
"""Halves of characters, which UTF-8 cannot hold."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def csv_row(cells: Sequence[str]) -> str:
    """One line of CSV (RFC 4180)."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()


def csv_cell(value: Any) -> str:
    """A cell that no spreadsheet runs as a formula, and that says exactly what `value` does; numbers stay numbers.

    A text that might be taken for a formula, apostrophes before it or not, gets one apostrophe more (as OWASP advises),
    which `unguarded` takes away. Half a character becomes U+FFFD.
    """
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = _SURROGATES.sub("\ufffd", text)
    return "'" + text if starts_formula(text.lstrip("'")) and not _NUMBER.fullmatch(text) else text
