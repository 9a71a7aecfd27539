"""Strict, locale-aware reading of numbers: one text is one number, or it is none.

The rule is that no digit is ever dropped or reinterpreted: `1,8` is not 18, `3.14` is not 314, `12:30` is not 12.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from core.evaluators.units import CURRENCY_PREFIXES, scale_of

_MAX_LENGTH = 200
_MAX_EXPONENT = 400
_INTEGER = re.compile(r"-?[0-9]{1,18}")
"""What most golds of data sets are; read at once, it costs a tenth of the whole grammar."""
_COMMA_LOCALES = re.compile(
    r"(?:de|id|fr|es|it|pt|nl|da|nb|no|sv|fi|pl|cs|sk|ru|uk|tr|el|ro|hu|bg|hr|sl|vi)(?:[-_]|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: the exact `value` (a percentage keeps its face value: 50% is 50), its unit, its precision."""

    value: Fraction
    unit: str | None = None
    percent: bool = False
    decimals: int | None = None
    """Digits after the decimal separator; None for fractions, powers and scaled numbers."""
    significant: int = 0
    """Significant digits written; 0 where `decimals` is None."""


def decimal_separator(locale: str) -> str:
    """`,` or `.`: what separates the decimals in `locale` (`de`, `id-ID`, `en_US`, …)."""
    return "," if _COMMA_LOCALES.match(locale) else "."


def to_fraction(value: float | str | Decimal | Fraction) -> Fraction | None:
    """The exact value of a JSON number (floats by their shortest decimal form); None for NaN, infinities and bools."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Fraction | int):
        return Fraction(value)
    try:
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except ArithmeticError:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _MAX_EXPONENT:
        return None
    return Fraction(number)


def parse_number(text: str, locale: str = "en") -> Number | None:
    """Read `text` as one number in `locale`, or return None.

    Understands currency signs, units, LaTeX wrapping, Unicode minus and fractions, grouping by the locale's separator,
    spaces or apostrophes, powers of ten, scale words (`1.5 million`), `3/4`, `1 1/2`, `50%`. In a comma locale a
    point that cannot be grouping is read as a decimal point; elsewhere a comma is never a decimal separator.
    """
    return _parsed(text, locale) if text and len(text) <= _MAX_LENGTH else None


@lru_cache(maxsize=4096)
def _parsed(text: str, locale: str) -> Number | None:
    """`parse_number` of a short text; kept, as one gold is read by the check, the plan and the judgement (0.03 ms each)."""
    if _INTEGER.fullmatch(text):
        return Number(Fraction(int(text)), decimals=0, significant=len(text.lstrip("-0")))
    plain = _trim(_unlatex(_plain_characters(text)))
    plain = _without_lead(plain)
    sign, currency, body = _sign_and_currency(plain)
    for reader in (_read_mixed, _read_fraction, _read_power, _read_decimal):
        found = reader(body, locale)
        if found is not None:
            number, rest = found
            return _with_unit(number, sign, currency, rest, locale)
    return None


def _plain_characters(text: str) -> str:
    """Digits of any script as ASCII, every space a space, every minus a hyphen, `½` as ` 1/2`, `10⁻⁷` as `10^-7`."""
    text = re.sub(r"(?<=\d)[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: "^" + unicodedata.normalize("NFKC", m[0]), text)
    out: list[str] = []
    for char in text:
        category = unicodedata.category(char)
        if category == "Nd":
            out.append(str(unicodedata.decimal(char)))
        elif category == "No" and "⁄" in (split := unicodedata.normalize("NFKC", char)):
            out.append(" " + split.replace("⁄", "/"))
        elif category == "Zs":
            out.append(" ")
        elif category == "Cf":
            continue
        else:
            out.append(_CHARACTERS.get(char, char))
    return "".join(out)


_CHARACTERS = {
    **dict.fromkeys("−‐‑‒–﹣－", "-"),
    "＋": "+",
    "⁄": "/",
    "∕": "/",
    "，": ",",
    "．": ".",
    "。": ".",
    "٫": ".",
    "٬": ",",
    "％": "%",
    "٪": "%",
    "＄": "$",
    "￥": "¥",
    "’": "'",
    "×": "x",
    "·": "*",
    "⋅": "*",
}


def last_boxed(text: str) -> str | None:
    r"""The content of the last `\boxed{…}` (braces balanced) in `text`, or None; in one pass, whatever is left open."""
    starts = {match.end() for match in re.finditer(r"\\f?boxed\s*\{", text)}
    if not starts:
        return None
    opened: list[int] = []
    last: tuple[int, int] | None = None
    for brace in re.finditer(r"(?<!\\)[{}]", text):
        if brace[0] == "{":
            opened.append(brace.end())
        elif opened and (start := opened.pop()) in starts and (last is None or start > last[0]):
            last = (start, brace.start())
    return text[last[0] : last[1]] if last else None


def _unlatex(text: str) -> str:
    """LaTeX wrapping taken off: `\\boxed{-5}` → `-5`, `\\frac{3}{4}` → ` 3/4`, `1\\,234` → `1 234`, `18{,}000` → `18,000`."""
    if (boxed := last_boxed(text)) is not None:
        text = boxed
    text = re.sub(r"\\(?:text|textbf|mathrm|mathbf|operatorname)\s*\{([^{}]*)\}", r" \1", text)
    text = re.sub(r"\\[dtc]?frac\s*\{\s*(-?\d+)\s*\}\s*\{\s*(\d+)\s*\}", r" \1/\2", text)
    text = re.sub(r"\\[dtc]?frac\s*(\d)\s*(\d)(?!\d)", r" \1/\2", text)
    text = re.sub(r"\\times|\\cdot", "x", text).replace("{,}", ",").replace("\\!", "")
    text = re.sub(r"\\[,;: ]|~", " ", text)
    text = re.sub(r"\^\s*\{\s*([+-]?\d+)\s*\}", r"^\1", text)
    text = re.sub(r"\\([$%#&_{}])", r"\1", text)
    text = re.sub(r"\^?\s*\{?\\(?:circ|degree)\}?", "°", text)
    text = re.sub(r"\\[()\[\]]", " ", text).replace("\\approx", "≈")
    dollars = text.strip()
    if len(dollars) > 2 and dollars.startswith("$") and dollars.endswith("$"):
        text = dollars.strip("$")
    return text


def _trim(text: str) -> str:
    """Without surrounding markup, quotes, final punctuation, and a final remark in parentheses."""
    previous = None
    while previous != text:
        previous = text
        text = text.strip().strip('*`"“”„«»_').strip()
        text = re.sub(r"(?<=[\w%°€$£¥])\s*\([^()]*\)$", "", text)
        text = re.sub(r"(?:[.…,;:?]|(?<!\d)!)+$", "", text)
    return text


def _without_lead(text: str) -> str:
    """Without `x =`, `≈`, `=`, or a label such as `Total:` in front."""
    text = re.sub(r"^[^\W\d_][^\d:=]{0,40}[:=]\s+(?=\S)", "", text)
    text = re.sub(r"^[a-zA-Z]\w{0,3}\s*=\s*", "", text)
    return re.sub(r"^[=≈~\s]+", "", text).strip("* ")


_CODE = re.compile(r"[A-Z]{3}(?![A-Za-z])")


def _sign_and_currency(text: str) -> tuple[int, str | None, str]:
    """The sign (±1), the currency written before the number, and what follows; `-$5` and `$-5` are both read."""
    sign, currency = 1, None
    signed = False
    for _ in range(2):
        if not signed and text[:1] in ("-", "+"):
            signed, sign, text = True, -1 if text[0] == "-" else 1, text[1:].lstrip()
        if currency is None:
            prefix = next((p for p in CURRENCY_PREFIXES if text.startswith(p)), None)
            if prefix is None and (code := _CODE.match(text)):
                prefix = code[0]
            if prefix is not None:
                currency = prefix
                text = text[len(prefix) :].lstrip(". ") if prefix[-1].isalpha() else text[len(prefix) :].lstrip()
    return sign, currency, text


def _read_mixed(text: str, locale: str) -> tuple[Number, str] | None:
    """`1 1/2`."""
    del locale
    match = re.match(r"(\d{1,15})\s+(\d{1,15})/(\d{1,15})(?![\d/.,:])", text)
    if match is None or int(match[3]) == 0 or int(match[2]) >= int(match[3]):
        return None
    return Number(int(match[1]) + Fraction(int(match[2]), int(match[3]))), text[match.end() :]


def _read_fraction(text: str, locale: str) -> tuple[Number, str] | None:
    """`3/4`."""
    del locale
    match = re.match(r"\(?(-?\d{1,15})\)?\s*/\s*(\d{1,15})(?![\d/.,:])", text)
    if match is None or int(match[2]) == 0:
        return None
    return Number(Fraction(int(match[1]), int(match[2]))), text[match.end() :]


def _read_power(text: str, locale: str) -> tuple[Number, str] | None:
    """`10^6`, `1.5e-7`, `1.5 x 10^-7`."""
    match = re.match(r"10\s*(?:\^|\*\*)\s*([+-]?\d{1,3})(?!\d)", text)
    if match is not None:
        return _scaled(Number(Fraction(1)), int(match[1]), text[match.end() :])
    separator = re.escape(decimal_separator(locale))
    match = re.match(
        rf"(\d+(?:[.{separator}]\d+)?)(?:[eE]|\s*[x*]\s*10\s*(?:\^|\*\*)\s*)\(?([+-]?\d{{1,3}})\)?(?![\d.])", text
    )
    if match is None:
        return None
    return _scaled(Number(Fraction(match[1].replace(",", "."))), int(match[2]), text[match.end() :])


def _scaled(number: Number, exponent: int, rest: str) -> tuple[Number, str] | None:
    if abs(exponent) > _MAX_EXPONENT:
        return None
    return Number(number.value * Fraction(10) ** exponent), rest


def _read_decimal(text: str, locale: str) -> tuple[Number, str] | None:
    """Plain and grouped decimals, by the locale's separators."""
    match = re.match(r"[\d.,' ]*\d", text)
    if match is None:
        return None
    token = match[0]
    rest = text[match.end() :]
    point = decimal_separator(locale)
    comma = "." if point == "," else ","
    digits = _ungroup(token, point, comma)
    if digits is None and point == ",":
        digits = _point_decimal(token)
    if digits is None:
        return None
    whole, _, decimals = digits.partition(".")
    significant = len((whole + decimals).lstrip("0"))
    return Number(Fraction(digits), decimals=len(decimals), significant=significant), rest


def _ungroup(token: str, point: str, comma: str) -> str | None:
    """`token` with ASCII digits and a `.` for the decimals, where its separators are rightly placed; else None."""
    whole, found, decimals = token.partition(point)
    if (found and not decimals.isdigit()) or (not whole and not decimals):
        return None
    if whole and not whole.isdigit():
        separator = next(char for char in whole if not char.isdigit())
        if separator == point:
            return None
        western = re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(separator)}\d{{3}})+", whole)
        indian = separator == comma == "," and re.fullmatch(r"[1-9]\d?(?:,\d{2})+,\d{3}", whole)
        if not western and not indian:
            return None
        whole = whole.replace(separator, "")
    return f"{whole or '0'}.{decimals}" if decimals else whole


def _point_decimal(token: str) -> str | None:
    """A point that cannot be grouping (`3.14`, `0.125`) is a decimal point in comma locales too."""
    if re.fullmatch(r"\d+\.\d+", token) is None or re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", token):
        return None
    return token


_UNIT = re.compile(r"(?:[^\W\d_]|[°€$£¥₹₽₩¢])[^\d\n=<>+*|\\:;,!?()\[\]{}\"]*?(?:\^?[23²³])?\.?")
_NO_UNIT = re.compile(
    r"\b(?:or|and|to|is|not|no|than|more|less|nor|but|if|was|were|und|oder|bis|nicht|atau|dan|bukan|tidak|y|o|et|ou|e|x)\b",
    re.IGNORECASE,
)


def _with_unit(number: Number, sign: int, currency: str | None, rest: str, locale: str) -> Number | None:
    """The number with its sign and what follows it read as scale word, percent sign or unit; None where it is neither."""
    value, decimals, significant = number.value * sign, number.decimals, number.significant
    kelvin = re.match(r"\s+[kK]$", rest) is not None
    rest = rest.replace("-", " ", 1).strip() if re.match(r"-[^\W\d]", rest) else rest.strip()
    word = re.match(r"[^\W\d_]+", rest)
    factor = scale_of(word[0], locale) if word and not kelvin else None
    if word is not None and factor is None and word[0][0] in "千万億亿兆":
        word = re.match(r".", rest)
        factor = scale_of(rest[0], "ja") or scale_of(rest[0], "zh")
    if word is not None and factor is not None:
        value, decimals, significant = value * factor, None, 0
        rest = rest[word.end() :].lstrip(". ")
    percent = rest.startswith("%") or rest.casefold() in ("percent", "per cent", "prozent", "persen", "por ciento")
    if percent:
        rest = "" if not rest.startswith("%") else rest[1:].strip()
        return None if rest or currency else Number(value, "%", True, decimals, significant)
    if rest.startswith("/"):
        rest = "per " + rest[1:]
    if rest and (_UNIT.fullmatch(rest) is None or len(rest.split()) > 5 or _NO_UNIT.search(rest)):
        return None
    return Number(value, currency or rest or None, False, decimals, significant)
