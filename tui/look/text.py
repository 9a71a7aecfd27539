"""The one way from data to the screen: every string that a widget shows passes here.

Built on `modex.core.safety.clean`: nothing that leaves this module can steer a terminal or act as markup.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from modex.core.safety import clean, clean_line

Align = Literal["left", "right"]
_LETTER_A = 0x1F1E6
_TONES = {
    0x1F3FB + number: f"[{name}]"
    for number, name in enumerate(("light", "medium-light", "medium", "medium-dark", "dark"))
}
"""Skin tones, by their names in Unicode (UTS 51, section 2.4)."""
_LOOSE = re.compile("[\U0001f1e6-\U0001f1ff]{1,2}|[\U0001f3fb-\U0001f3ff]")
"""Flags, written as two letters, and skin tones: pairs whose width terminals do not agree on."""


def shown(text: str) -> str:
    """`text` on one line with nothing a terminal acts on; spaces are kept.

    Grids use it for every string: signs whose width differs between terminals are written out, `[DE]` for a flag.
    """
    if text.isascii() and text.isprintable():
        return text
    return _LOOSE.sub(_written_out, clean(text).replace("\n", "⏎").replace("\t", " "))


def _written_out(found: re.Match[str]) -> str:
    sign = found[0]
    if (tone := _TONES.get(ord(sign[0]))) is not None:
        return tone
    return f"[{''.join(chr(ord('A') + ord(letter) - _LETTER_A) for letter in sign)}]"


@lru_cache(4096)
def fit(text: str, width: int, align: Align = "left", ellipsis: str = "…") -> str:
    """`text` in exactly `width` terminal columns: padded, or cut with an ellipsis; never more, also with wide signs."""
    if width <= 0:
        return ""
    text = shown(text[: width * 4 + 16])
    length = len(text) if text.isascii() else cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + ellipsis if width > 1 else ellipsis
    padding = " " * (width - length)
    return padding + text if align == "right" else text + padding


def fit_middle(text: str, width: int, ellipsis: str = "…") -> str:
    """`text` in exactly `width` columns, cut in the middle: the two ends of a name say most."""
    text = shown(text)
    if cell_len(text) <= width or width < 8:
        return fit(text, width, ellipsis=ellipsis)
    head = (width - 1) // 2
    return fit(set_cell_size(text, head) + ellipsis + _tail(text, width - 1 - head), width)


def told_apart(names: Sequence[str], width: int, ellipsis: str = "…") -> list[str]:
    """The names in at most `width` columns each, cut in the middle, or in front where they would look alike else."""
    cut = [fit_middle(name, width, ellipsis).rstrip() for name in names]
    if len(set(cut)) == len(set(names)):
        return cut
    return [name if width_of(name) <= width else ellipsis + _tail(shown(name), width - 1) for name in names]


def _tail(text: str, width: int) -> str:
    while text and cell_len(text) > width:
        text = text[1:]
    return text


def width_of(text: str) -> int:
    """How many terminal columns `shown(text)` takes."""
    text = shown(text)
    return len(text) if text.isascii() else cell_len(text)


def plain(text: str) -> Content:
    """Text of several lines for a widget: cleaned, and never read as markup."""
    return Content(clean(text))


def line(text: str, limit: int | None = None) -> Content:
    """Text for a widget on one line: cleaned, cut to `limit` characters, never read as markup."""
    return Content(clean_line(text, limit))


def message(text: str, limit: int = 400) -> str:
    """Text for a notification (shown with `markup=False`): cleaned and of bounded length."""
    text = clean(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
