"""MATH's rule: what stands in the last box is the gold's text, after a few ways of writing are made one."""

from __future__ import annotations

import re
from collections.abc import Callable

from modex.core.evaluators.official.rule import OfficialRule

_BOXES = ("\\boxed", "\\fbox")
_SAME: tuple[tuple[str, str], ...] = (
    ("\n", ""), ("\\!", ""), ("\\\\", "\\"), ("tfrac", "frac"), ("dfrac", "frac"), ("\\left", ""), ("\\right", ""),
    ("^{\\circ}", ""), ("^\\circ", ""), ("\\$", ""),
)  # fmt: skip
"""Rewritten one after the other, in this order."""
_WHOLE = re.compile(r"(-?\d+)/(-?\d+)")
_UNIT = "\\text{ "


def read_boxed(text: str) -> str | None:
    """What stands in the last `\\boxed{…}` (where there is none, in the last `\\fbox{…}`); None where its brace is not closed."""
    place = next((found for box in _BOXES if (found := text.rfind(box)) >= 0), -1)
    begin = text.find("{", place) if place >= 0 else -1
    if begin < 0 or not text[place:begin].strip().isascii() or text[place:begin] not in _BOXES:
        return None
    depth = 0
    for at in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[begin + 1 : at]
    return None


def same_text(first: str, second: str) -> bool:
    """Whether two answers are one text by MATH's rule; where one cannot be rewritten, both are compared as they are."""
    try:
        return rewritten(first) == rewritten(second)
    except (IndexError, ValueError):
        return first == second


def rewritten(text: str) -> str:
    """An answer in the one form that is compared.

    Raises:
        ValueError: it has several units, or a root, a fraction or a unit breaks off.
        IndexError: the same.
    """
    for written, one in _SAME:
        text = text.replace(written, one)
    if _UNIT in text:
        text, _ = text.split(_UNIT)
    text = text.replace("\\%", "").replace("%", "").replace(" .", " 0.").replace("{.", "{0.")
    if not text:
        return text
    if text[0] == ".":
        text = f"0{text}"
    name, *rest = text.split("=")
    if len(rest) == 1 and len(name) <= 2:
        text = rest[0]
    text = _braced(text, "\\sqrt", _one)
    text = _braced(text.replace(" ", ""), "\\frac", _two)
    if text == "0.5":
        return "\\frac{1}{2}"
    if (found := _WHOLE.fullmatch(text)) and text == f"{int(found[1])}/{int(found[2])}":
        return f"\\frac{{{found[1]}}}{{{found[2]}}}"
    return text


def _braced(text: str, command: str, braces: Callable[[str], str]) -> str:
    """The text with the arguments of a command in braces."""
    head, *rest = text.split(command)
    if braces is _two and any(len(part) == 1 and part != "{" for part in rest):
        return text
    written = [part if part[0] == "{" else braces(part) for part in rest]
    return command.join([head, *written])


def _one(part: str) -> str:
    return f"{{{part[0]}}}{part[1:]}"


def _two(part: str) -> str:
    """`12` as `{1}{2}`, `1{72}` as `{1}{72}`."""
    first, second = part[0], part[1]
    return f"{{{first}}}{part[1:]}" if second == "{" else f"{{{first}}}{{{second}}}{part[2:]}"


RULE = OfficialRule(
    "MATH's rule",
    read_boxed,
    same_text,
    "What stands in the last `\\boxed{…}`, compared as a text, after blanks, degrees, dollars, percents, a unit behind the value"
    " and `x =` before it are left out and fractions and roots are written in one way. It knows no mathematics: `(x+1)^2` is not"
    " `x^2+2x+1`. An answer without a box is wrong.",
    "https://github.com/hendrycks/math/blob/main/modeling/math_equivalence.py",
)
