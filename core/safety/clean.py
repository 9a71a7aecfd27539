"""The one display boundary: text as it came → text that no terminal, log or page can be steered by.

Text that reads as another than it is: https://arxiv.org/abs/2111.00169; bidi controls: https://www.unicode.org/reports/tr9/.
"""

from __future__ import annotations

import shlex

_TABLE: dict[int, str | None] = {}
_TABLE.update({code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"})
_TABLE[0x7F] = "␡"
_TABLE.update(dict.fromkeys(range(0x80, 0xA0), "\ufffd"))
_TABLE.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
_BIDI = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_TABLE.update(dict.fromkeys(_BIDI, "\ufffd"))
_TABLE.update(dict.fromkeys([0x00AD, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF]))
_TABLE.update(dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)]))
_TABLE.update({0x2028: "\n", 0x2029: "\n"})
_TABLE.update(dict.fromkeys([0xFFF9, 0xFFFA, 0xFFFB], "\ufffd"))

_LINE_TABLE = {**_TABLE, 0x0A: "⏎", 0x09: " ", 0x2028: "⏎", 0x2029: "⏎"}


def _ranges(codes: set[int]) -> str:
    firsts = sorted(code for code in codes if code - 1 not in codes)
    lasts = sorted(code for code in codes if code + 1 not in codes)
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in zip(firsts, lasts, strict=True))


INVISIBLE = f"[{_ranges(set(_TABLE) - {0x2028, 0x2029})}]"
"""A pattern of every character that `clean` drops or draws as another: what stands on either side of it reads as one word."""


def clean(text: str) -> str:
    """Return `text` safe to show: C0 but tab and newline as control pictures, C1, bidi and surrogates as U+FFFD.

    Zero-width characters, variation selectors and tags are dropped. A carriage return before a newline goes too.
    """
    return text.replace("\r\n", "\n").translate(_TABLE)


def clean_line(text: str, limit: int | None = None) -> str:
    """Return `text` cleaned and on one line, cut to `limit` characters with an ellipsis."""
    looked_at = text if limit is None else text[: 4 * limit + 64]
    line = looked_at.replace("\r\n", "\n").strip().translate(_LINE_TABLE)
    if limit is not None and len(line) > limit:
        return line[: max(0, limit - 1)] + "…"
    return line


def as_words(*names: str) -> str:
    """Return `names` as words of a command that is told: safe to show, and quoted so that it can be pasted."""
    return clean_line(shlex.join(names))
