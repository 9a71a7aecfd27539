"""When two texts of JSON values are the same: however their letters are put together, and numerals by their value."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

_APOSTROPHE = re.compile(
    r"(?<=[^\W\d_])[’ʼ‘ʻ＇](?=[^\W\d_])"  # O’Brien, l’Église
    r"|(?<=s)[’ʼ](?!\S)"  # the girls’ school
    r"|(?<!\S)[’ʼ‘](?=n[’ʼ']|tis\b|twas\b|em\b|\d0s)|(?<=[’ʼ'‘]n)[’ʼ]",  # rock ’n’ roll
    re.IGNORECASE,
)
_DROPPED = re.compile(r"[ ,./\-_*^]")
_SIGN = r"(?<![\d.,])[+\-−]?"
_EXPONENT = r"(?:[eE][+\-]?\d{1,3})?"
_NUMERALS = (
    (re.compile(rf"{_SIGN}(?:\d+|[1-9]\d{{0,2}}(?:,\d{{2,3}})*,\d{{3}})(?:\.\d*)?{_EXPONENT}"), "", "."),
    (re.compile(rf"{_SIGN}\.\d+{_EXPONENT}"), "", "."),
    (re.compile(rf"{_SIGN}\d+,\d+{_EXPONENT}"), ".", ","),
    (re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:\.\d{{3}})+(?:,\d+|(?<=\.\d{{3}}\.\d{{3}})){_EXPONENT}"), ".", ","),
)
"""How a numeral is written, with the sign between thousands where it is no comma, and the one before decimals."""
_PROTECTED = re.compile(
    r"(?<![\d.])(?:\d+|(?=\.))\.\d+(?![\d.])"  # 1.5 hours, .5
    r"|(?<![\d,])\d+,\d{1,2}(?![\d,])"  # 1,5 hours
    r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"  # the address of a machine
    r"|(?:^|(?<=[(\[=]))[-−](?=\.?\d)"  # -5 degrees
)
_LONGEST = 400


def same_text(left: str, right: str) -> bool:
    """Whether two texts are the same but for how letters with accents are put together (NFC) and an apostrophe's form.

    Only an apostrophe within or behind a word: typographic quotes in a program are no quotes.
    """
    return left == right or plain(left) == plain(right)


def plain(text: str) -> str:
    """`text` in NFC, with plain apostrophes."""
    return text if text.isascii() else _APOSTROPHE.sub("'", unicodedata.normalize("NFC", text))


def numeral(text: str) -> Fraction | None:
    """What a text that is one numeral is worth: `1,500` and `1.500,0` are 1500, `1,5` is 1.5; None for any other text."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    for pattern, between, decimals in _NUMERALS:
        if pattern.fullmatch(text):
            bare = text.replace("−", "-").replace(between or ",", "").replace(decimals, ".")
            return Fraction(bare if bare[-1] != "." else bare[:-1])
    return None


def same_by_bfcl(wanted: str, actual: str) -> bool:
    """As BFCL's checker compares texts: without case, blanks and ` ,./-_*^`, either quote for the other.

    Numerals are compared by value instead, and within a text their point and sign count: dropping these would make -5 the
    same as 5, 1,5 as 15, and $5.00 as $500.
    """
    left, right = numeral(wanted), numeral(actual)
    if left is not None and right is not None:
        return left == right
    return _folded(wanted) == _folded(actual)


def _folded(text: str) -> str:
    kept = _PROTECTED.sub(
        lambda match: re.sub("[.,]", "·", match[0]).translate({45: "¬", 0x2212: "¬"}), plain(text).strip()
    )
    return _DROPPED.sub("", kept).lower().replace("'", '"')
