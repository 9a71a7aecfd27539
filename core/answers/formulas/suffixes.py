r"""The unit behind an expression, told apart from its algebra.

A unit stands after the whole value: in `\text{}`, as `°` or `%`, or as plain words that are known units. A lone letter in
plain writing is a variable (`5 m`), unless the other side of a comparison writes the same unit beyond doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from modex.core.answers.formulas.tree import FormulaError
from modex.core.answers.numbers.scales import scale_of
from modex.core.answers.numbers.units import CURRENCY_PREFIXES, known_unit, same_unit

_CURRENCIES = [*CURRENCY_PREFIXES, r"\pounds", r"\euro", "＄"]
_TEXT = r"\\text ?\{([^{}]*)\}(?:\^ ?\{?(-?\d)\}?)?"
_TEXTS = re.compile(rf"(?:(?:{_TEXT})(?: ?(?:/|\*|\^ ?\\circ|\\circ)? ?)?)+$")
_FRACTION = re.compile(r"\\frac ?\{ ?\\text ?\{([^{}]*)\} ?\} ?\{ ?\\text ?\{([^{}]*)\}(?:\^ ?\{?(\d)\}?)? ?\}$")
_DEGREES = re.compile(r"(?:\^ ?\{? ?\\circ ?\}?|\\degree) ?(C|F|\\text ?\{ ?[CF] ?\})$")
_POWERED = r"(?:\^ ?\{?-?\d\}?)?"
_NEXT = rf"(?: ?[/*·] ?| per | )[A-Za-zµΩ][A-Za-zµΩ²³]*{_POWERED}"
_PLAIN = re.compile(rf"(?<=[\d)}}\]\s°])([A-Za-zµΩ°$€£¥][A-Za-zµΩ²³°]*{_POWERED}(?:{_NEXT}){{0,3}})$")
_WORDS = re.compile(r"[^\W\d_][^\d{}\\]*")


@dataclass(frozen=True, slots=True)
class Suffix:
    """A unit as written; `known` where the tables hold it."""

    text: str
    known: bool

    def same(self, other: Suffix) -> bool:
        """Whether both name the same unit."""
        return same_unit(self.text, other.text)


def split_unit(text: str) -> tuple[str, Suffix | None]:
    """The expression without its unit or currency sign, and the unit.

    Raises:
        FormulaError: a text that is no unit and no word for what is counted stands behind the expression.
    """
    text = text.strip()
    sign = ""
    bare = text
    if bare[:1] == "-":
        sign, bare = "-", bare[1:].lstrip()
    for currency in _CURRENCIES:
        if bare.startswith(currency) and len(bare) > len(currency):
            name = {"＄": "$", r"\pounds": "£", r"\euro": "€"}.get(currency, currency)
            body, after = split_unit(sign + bare[len(currency) :].lstrip(". "))
            if after is not None and not after.same(Suffix(name, True)) and after.known:
                raise FormulaError("a currency and another unit")
            return body, Suffix(name, True)
    if match := _DEGREES.search(text):
        return text[: match.start()].strip(), Suffix("°C" if "C" in match[1] else "°F", True)
    if match := _FRACTION.search(text):
        unit = f"{match[1].strip()}/{match[2].strip()}" + (f"^{match[3]}" if match[3] else "")
        return _checked(text[: match.start()], unit)
    if (match := _TEXTS.search(text)) and match.start() > 0:
        if r"\circ" in match[0]:
            raise FormulaError("a degree sign after a unit")
        unit = re.sub(_TEXT, lambda m: m[1] + (f"^{m[2]}" if m[2] else ""), match[0])
        return _checked(text[: match.start()], unit)
    if match := _PLAIN.search(text):
        unit = re.sub(r"[{} ]++([\^/*])?", lambda m: m[1] or m[0], match[1])
        unit = re.sub(r"([\^/*])[{} ]++", r"\1", unit).rstrip("}")
        letters = re.sub(r"[^A-Za-zµΩ°$€£¥]", "", unit)
        body = text[: match.start()].strip()
        spaced = text[match.start() - 1] == " "
        if len(letters) > 1 and re.search(r"\d|\\pi|[πe)}]$", body) and _plain_unit(unit, spaced=spaced):
            return body, Suffix(unit, True)
    if (match := re.search(r"(?<=[\d)}]) ([^\W\d_]{3,}(?: [^\W\d_]+){0,2})$", text)) and _plain_word(match[1]):
        return text[: match.start()].strip(), Suffix(match[1], known_unit(match[1]))
    return text, None


def letter_unit(text: str) -> tuple[str, Suffix] | None:
    """`5 m` and `9.8 m/s^2` with the letters as units, for a comparison whose other side leaves no doubt about them."""
    match = re.search(r"(?<=[\d)}\s])([A-Za-zµΩ]{1,3}(?:\^\{?\d\}?)?(?:/[A-Za-z]{1,3}(?:\^\{?\d\}?)?)?)$", text)
    if match is None or not known_unit(match[1]):
        return None
    return text[: match.start()].strip(), Suffix(re.sub(r"[{}]", "", match[1]), True)


def _checked(body: str, unit: str) -> tuple[str, Suffix | None]:
    plain = unit.strip().strip(".").strip()
    body = body.strip().rstrip("*").strip()
    if not body:
        raise FormulaError("a text without a value")
    if not plain:
        return body, None
    if known_unit(plain):
        return body, Suffix(plain, True)
    if _WORDS.fullmatch(plain) is None or len(plain.split()) > 4 or re.search(r"\b(?:or|and|not|no|to|is)\b", plain):
        raise FormulaError("a text that is no unit")
    return body, Suffix(plain, False)


def _plain_unit(unit: str, *, spaced: bool) -> bool:
    """Whether plain letters behind a value are a known unit; one of single letters only where a blank parts it from the value."""
    if not known_unit(unit):
        return False
    parts = re.findall(r"[A-Za-zµΩ°]+", unit)
    longest = max(len(part) for part in parts)
    return longest >= 3 or (longest == 2 and (spaced or len(parts) == 1)) or (spaced and "/" in unit)


def _plain_word(words: str) -> bool:
    """Whether words behind a number can name what is counted (`18 eggs`)."""
    if _NO_COUNT.search(words) or scale_of(words.split(maxsplit=1)[0], "en") is not None:
        return False
    return known_unit(words.split(maxsplit=1)[0]) or re.fullmatch(r"[a-z]{3,}(?: of [a-z]+)?", words) is not None


_NO_COUNT = re.compile(r"\b(?:or|and|not|no|to|is|mod|base|over|times|plus|minus|if|when|for|where)\b")
