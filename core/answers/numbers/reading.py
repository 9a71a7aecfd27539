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

from modex.core.answers.numbers.scales import language_of, scale_of
from modex.core.answers.numbers.units import CURRENCY_PREFIXES, known_unit, same_unit
from modex.core.answers.numbers.words import read_words
from modex.core.foundation.lazy_regex import deferred

_MAX_LENGTH = 200
_MAX_EXPONENT = 400
_INTEGER = deferred(r"-?[0-9]{1,4000}")
"""What most golds of data sets are; read at once, it costs a tenth of the whole grammar."""
_POINT_REGIONS = deferred(r"(?:de[-_](?:CH|LI)|it[-_]CH|es[-_](?:MX|US|PR|DO|GT|HN|NI|PA|PE|SV))$", re.IGNORECASE)
"""Regions whose language writes a comma elsewhere, and a point there (CLDR)."""
_COMMA_LOCALES = deferred(
    r"(?:de|id|fr|es|it|pt|nl|da|nb|no|sv|fi|pl|cs|sk|ru|uk|tr|el|ro|hu|bg|hr|sl|vi)(?:[-_]|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written: the exact `value` (a percentage keeps its face value: 50% is 50), its unit, its precision."""

    value: Fraction
    unit: str | None = None
    percent: bool = False
    decimals: int | None = None
    """Digits after the decimal separator, less the power of ten behind them (`1.5e-7` has 8, `1.55e7` -5); None for fractions,
    bare powers and numbers with a scale word."""
    significant: int = 0
    """Significant digits written; 0 where `decimals` is None."""


def decimal_separator(locale: str) -> str:
    """`,` or `.`: what separates the decimals in `locale` (`de`, `id-ID`, `en_US`, `de-CH`, …)."""
    if _POINT_REGIONS.match(locale):
        return "."
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


def parse_number(text: str, locale: str = "en", unit: str | None = None) -> Number | None:
    """Read `text` as one number in `locale`, or return None.

    Understands currency signs, units, LaTeX wrapping, Unicode minus and fractions, grouping by the locale's separator,
    spaces or apostrophes, powers of ten, scale words (`1.5 million`, `2B`), `3/4`, `1 1/2`, `50%`, number words, `minus 5`,
    `about 5`, the result of `3+4=7`. In a comma locale a point that cannot be grouping is read as a decimal point;
    elsewhere a comma is never a decimal separator. Where `unit` is what the test asks for, `300K` is 300 kelvin.
    """
    if not text or (len(text) > _MAX_LENGTH and _INTEGER.fullmatch(text) is None):
        return None
    return _parsed(text, locale, unit)


@lru_cache(maxsize=4096)
def _parsed(text: str, locale: str, unit: str | None) -> Number | None:
    """`parse_number` of a short text; kept, as one gold is read by the check, the plan and the judgement (0.03 ms each)."""
    if _INTEGER.fullmatch(text):
        return Number(Fraction(int(text)), decimals=0, significant=len(text.lstrip("-0")))
    plain = _trim(_unlatex(_plain_characters(text)))
    plain = _around(_without_lead(plain))
    sign, currency, body = _sign_and_currency(plain)
    for reader in (_read_mixed, _read_fraction, _read_power, _read_words, _read_decimal):
        found = reader(body, locale)
        if found is not None:
            return _with_unit(found, sign, currency, locale, unit)
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
    boxes = _boxes(text)
    if not boxes:
        return None
    _, start, end = max(boxes, key=lambda box: box[1])
    return text[start:end]


def _boxes(text: str) -> list[tuple[int, int, int]]:
    r"""Every closed `\boxed{…}`: where it begins, and where its content begins and ends."""
    if "boxed" not in text:
        return []
    starts = {match.end(): match.start() for match in re.finditer(r"\\f?boxed\s*\{", text)}
    if not starts:
        return []
    opened: list[int] = []
    boxes: list[tuple[int, int, int]] = []
    for brace in re.finditer(r"(?<!\\)[{}]", text):
        if brace[0] == "{":
            opened.append(brace.end())
        elif opened and (start := opened.pop()) in starts:
            boxes.append((starts[start], start, brace.start()))
    return boxes


_BETWEEN_BOXES = re.compile(
    r"(?:[^\S\n]|\\(?:q?quad|[,;: ()\[\]])|\$"
    r"|(?P<by>,|;|(?<!\w)(?:and|or)(?!\w)|\\(?:text|mathrm|mbox)\s?\{\s*(?:,|,?\s*(?:and|or))\s*\})|\n)*+"
)


def boxes_together(text: str) -> tuple[int, int] | None:
    r"""Where the last boxes stand that only commas, `and`, `or` or blanks separate; None for one box, or one said twice.

    A line break alone separates a later answer from an earlier one.
    """
    boxes = _last_boxes(text)
    return (boxes[0][0], boxes[-1][2] + 1) if boxes else None


def joined_boxes(text: str) -> str | None:
    r"""The contents of the boxes that stand together, as a list: `\boxed{1} and \boxed{2}` → `1, 2`; else None."""
    boxes = _last_boxes(text)
    return ", ".join(text[start:end].strip() for _, start, end in boxes) if boxes else None


def _last_boxes(text: str) -> list[tuple[int, int, int]]:
    boxes = sorted(_boxes(text))
    together = boxes[-1:]
    for before, after in zip(reversed(boxes[:-1]), reversed(boxes[1:]), strict=True):
        gap = text[before[2] + 1 : after[0]] if before[2] < after[0] else "nested"
        match = _BETWEEN_BOXES.fullmatch(gap)
        if match is None or ("\n" in gap and match["by"] is None):
            break
        together.insert(0, before)
    lines = [text[start:end].strip() for _, start, end in together]
    return together if len(set(lines)) > 1 and all(lines) else []


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
    text = re.sub(r"(?:\^\s*+|(?<!\s)\s++)?\{?\\(?:circ|degree)\}?", "°", text)
    text = re.sub(r"\\[()\[\]]", " ", text).replace("\\approx", "≈")
    dollars = text.strip()
    if len(dollars) > 2 and dollars.startswith("$") and dollars.endswith("$"):
        text = dollars.strip("$")
    return text


def _body_ends(text: str) -> int:
    """Where the marks begin that end `text`; an exclamation mark behind a digit is a factorial and none of them."""
    end = len(text)
    while end and (text[end - 1] in ".…,;:?" or (text[end - 1] == "!" and not text[end - 2 : end - 1].isdecimal())):
        end -= 1
    return end


def _trim(text: str) -> str:
    """Without surrounding markup, quotes, final punctuation, and a final remark in parentheses."""
    previous = None
    while previous != text:
        previous = text
        text = text.strip().strip('*`"“”„«»_').strip()
        text = re.sub(
            r"(?<=[\w%°€$£¥])\s+\((?!(?:or|oder|atau|ou|o|oppure|maybe|perhaps|possibly)\b)[^()]*\)$", "", text
        )
        text = text[: _body_ends(text)]
        text = re.sub(r"(?<=\d)[.,]-{1,2}(?=$|\s)", "", text)
    return text


_ABOUT = deferred(
    r"(?:about|approximately|approx\.?|around|roughly|circa|ca\.?|exactly|precisely|only|just|sekitar|kira-kira|kurang lebih|"
    r"tepat|etwa|ungefähr|rund|genau|environ|exactement|aproximadamente|unos|unas|exactamente|circa|cerca de|约|約|大约|大約)"
    r"(?:\s+|(?<=[约約]))",
    re.IGNORECASE,
)
_MINUS = deferred(r"(?:minus|negative|negatif|moins|menos|meno|负|負|マイナス)\s*(?=\S)", re.IGNORECASE)
_SUM = deferred(r"^[\d\s.,()$€£%+\-*/x÷^=]*[\d)%]\s*=\s*(?=\S)")


def _without_lead(text: str) -> str:
    """Without `x =`, `≈`, `=`, a label such as `Total:`, a sum that leads to the result, or `about` in front."""
    text = re.sub(r"^[^\W\d_][^\d:=]{0,40}[:=]\s+(?=\S)", "", text)
    text = re.sub(r"^[a-zA-Z]\w{0,3}\s*=\s*", "", text)
    text = re.sub(r"^[=≈~\s]+", "", text).strip("* ")
    text = _SUM.sub("", text)
    text = _ABOUT.sub("", re.sub(r"^[=≈~\s]+", "", text).strip("* "), count=1)
    return re.sub(r"^[≈~\s]+", "", _MINUS.sub("-", text, count=1) if _MINUS.match(text) else text)


def _around(text: str) -> str:
    """What is written around a number in Chinese and Japanese put behind it: `摄氏38.5度` → `38.5 °C`, `百分之38` → `38%`."""
    text = re.sub(r"^(?:摄氏|攝氏|摂氏|セ氏)\s*(-?[\d.,]+)\s*度$", r"\1 °C", text)
    text = re.sub(r"^(?:华氏|華氏|カ氏)\s*(-?[\d.,]+)\s*度$", r"\1 °F", text)
    return re.sub(r"^百分之\s*(-?[\d.,]+)$", r"\1%", text)


_CODE = deferred(r"[A-Z]{3}(?![A-Za-z])")


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
    digits = match[1].replace(",", ".")
    whole, _, decimals = digits.partition(".")
    mantissa = Number(Fraction(digits), decimals=len(decimals), significant=len((whole + decimals).lstrip("0")))
    return _scaled(mantissa, int(match[2]), text[match.end() :])


def _read_words(text: str, locale: str) -> tuple[Number, str] | None:
    """`twenty-one`, `dua ribu`, `1万2千`."""
    found = read_words(text, locale)
    return None if found is None else (Number(found[0]), found[1])


def _scaled(number: Number, exponent: int, rest: str) -> tuple[Number, str] | None:
    if abs(exponent) > _MAX_EXPONENT:
        return None
    decimals = None if number.decimals is None else number.decimals - exponent
    return Number(number.value * Fraction(10) ** exponent, decimals=decimals, significant=number.significant), rest


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


_UNIT = deferred(
    r"(?:[^\W\d_]|[°℃℉㎏㎝㎜㎞㎡€$£¥₹₽₩¢])(?:[^\d\n=<>+*|\\:;,!?()\[\]{}\"]|\^-?\d|(?<=[a-z])[23](?![\d.])|[*⋅·])*\.?"
)
_NO_UNIT = deferred(
    r"\b(?:or|and|to|is|not|no|than|more|less|nor|but|if|was|were|of|in|that|which|st|nd|rd|th|ish|und|oder|bis|nicht|atau|dan|bukan|tidak|y|o|et|ou|e|x)\b",
    re.IGNORECASE,
)


def _with_unit(
    found: tuple[Number, str], sign: int, currency: str | None, locale: str, wanted: str | None
) -> Number | None:
    """The number with its sign and what follows it read as scale word, percent sign or unit; None where it is neither."""
    number, rest = found
    value, decimals, significant = number.value * sign, number.decimals, number.significant
    kelvin = re.match(r"\s+[kK]$", rest) is not None
    spaced = rest[:1] in (" ", "-")
    rest = rest.replace("-", " ", 1).strip() if re.match(r"-[^\W\d]", rest) else rest.strip()
    word = re.match(r"[^\W\d_]+", rest)
    meant = word is not None and wanted is not None and same_unit(rest, wanted)
    factor = scale_of(word[0], locale) if word and not kelvin and not meant else None
    if word is not None and factor is None and not meant and word[0][0] in "千万萬億亿兆":
        word = re.match(r".", rest)
        factor = scale_of(rest[0], "ja") or scale_of(rest[0], "zh")
    if word is not None and factor is not None:
        value, decimals, significant = value * factor, None, 0
        rest = rest[word.end() :].lstrip(". ")
    percent = _PERCENT.match(rest)
    if percent:
        rest = rest[percent.end() :].strip()
        return None if rest or currency else Number(value, "%", True, decimals, significant)
    if rest.startswith("/"):
        if not rest[1:].strip():
            return None
        rest = "per " + rest[1:]
    if (cents := _CENTS.fullmatch(rest)) and number.decimals == 0 and int(cents[1]) < 100:
        return Number(value + sign * Fraction(int(cents[1]), 100), "$", False, 2, significant + 2)
    if rest and (
        not _is_unit(rest, spaced=spaced or meant)
        or (_read_words(rest, locale) and language_of(locale) in _WORD_LANGUAGES)
    ):
        return None
    return Number(value, currency or rest or None, False, decimals, significant)


_PERCENT = deferred(
    r"(?:%|(?:percent|percentage(?!\s+point)|per cent|pct|prozent|persen|por ciento|pour ?cent|por cento|per cento|procent)"
    r"(?![\w]))",
    re.IGNORECASE,
)
_CENTS = deferred(r"dollars? and (\d{1,2}) cents?", re.IGNORECASE)
_WORD_LANGUAGES = frozenset(["en", "id", "de", "es", "fr", "pt"])


_LONE = frozenset("mgshlLWVANJCFKd")
"""Letters that are units even where nothing separates them from the number; others may be a variable (`2n`, `7i`)."""


_FACTOR = deferred(r"[\u0370-\u03ff]{1,2}(?!\w)|[²³⁰-⁹]")
"""What is part of a formula behind a number (`7π`), and names nothing that is counted."""


def _is_unit(text: str, *, spaced: bool) -> bool:
    """Whether what follows a number can be a unit, or the name of what is counted (three letters or more)."""
    if len(text.split()) > 5 or _NO_UNIT.search(text) or _UNIT.fullmatch(text) is None:
        return False
    if known_unit(text):
        return len(text) > 1 or not text.isalpha() or not text.isascii() or spaced or text in _LONE
    if _FACTOR.match(text):
        return False
    if re.fullmatch(r"[\u0370-\u03ff]", text):  # a constant or a variable: 2π is not 2
        return False
    return re.match(r"[^\W\d_]{3}|[^\x00-\x7f]", text) is not None and "^" not in text and "*" not in text
