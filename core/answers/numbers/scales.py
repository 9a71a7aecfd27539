"""Scale words: what multiplies the number that it follows (`1.5 million`, `2B`, `3 juta`, `5万`)."""

from __future__ import annotations

_THOUSAND, _MILLION, _BILLION, _TRILLION = 10**3, 10**6, 10**9, 10**12
_SCALES: dict[str, dict[str, int]] = {
    "en": {
        "hundred": 100,
        "thousand": _THOUSAND,
        "thousands": _THOUSAND,
        "k": _THOUSAND,
        "million": _MILLION,
        "millions": _MILLION,
        "mn": _MILLION,
        "mln": _MILLION,
        "billion": _BILLION,
        "billions": _BILLION,
        "bn": _BILLION,
        "bln": _BILLION,
        "trillion": _TRILLION,
        "tn": _TRILLION,
        "lakh": 10**5,
        "lakhs": 10**5,
        "crore": 10**7,
        "crores": 10**7,
        "dozen": 12,
    },
    "id": {
        "ratus": 100,
        "ribu": _THOUSAND,
        "rb": _THOUSAND,
        "juta": _MILLION,
        "jt": _MILLION,
        "miliar": _BILLION,
        "milyar": _BILLION,
        "triliun": _TRILLION,
        "lusin": 12,
    },
    "de": {
        "tausend": _THOUSAND,
        "tsd": _THOUSAND,
        "million": _MILLION,
        "millionen": _MILLION,
        "mio": _MILLION,
        "milliarde": _BILLION,
        "milliarden": _BILLION,
        "mrd": _BILLION,
        "billion": _TRILLION,
        "billionen": _TRILLION,
        "dutzend": 12,
    },
    "fr": {
        "mille": _THOUSAND,
        "million": _MILLION,
        "millions": _MILLION,
        "milliard": _BILLION,
        "milliards": _BILLION,
        "billion": _TRILLION,
        "billions": _TRILLION,
    },
    "es": {"mil": _THOUSAND, "millón": _MILLION, "millones": _MILLION, "billón": _TRILLION, "billones": _TRILLION},
    "pt": {
        "mil": _THOUSAND,
        "milhão": _MILLION,
        "milhões": _MILLION,
        "bilhão": _BILLION,
        "bilhões": _BILLION,
    },
    "it": {"mila": _THOUSAND, "milione": _MILLION, "milioni": _MILLION, "miliardo": _BILLION, "miliardi": _BILLION},
    "nl": {"duizend": _THOUSAND, "miljoen": _MILLION, "miljard": _BILLION, "biljoen": _TRILLION},
    "ru": {"тысяч": _THOUSAND, "тыс": _THOUSAND, "миллион": _MILLION, "миллионов": _MILLION, "млн": _MILLION, "млрд": _BILLION},
    "ja": {"十": 10, "百": 100, "千": _THOUSAND, "万": 10**4, "億": 10**8, "兆": _TRILLION},
    "zh": {"十": 10, "百": 100, "千": _THOUSAND, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8},
}  # fmt: skip
_CAPITALS = {"M": _MILLION, "B": _BILLION, "T": _TRILLION}
_LONG_SCALE = frozenset(("de", "fr", "es", "it", "pt", "nl", "id"))
_ANYWHERE = frozenset(
    [
        "ribu",
        "juta",
        "miliar",
        "milyar",
        "triliun",
        "millionen",
        "milliarde",
        "milliarden",
        "mio",
        "mrd",
        "millones",
        "millón",
        "milliard",
        "milliards",
    ]
)
"""Words of other languages that mean the same wherever they stand."""


def language_of(locale: str) -> str:
    """`de` of `de-CH`."""
    return locale.replace("_", "-").split("-", 1)[0].lower()


def scale_of(word: str, locale: str) -> int | None:
    """The factor a scale word stands for in `locale` (a German `Billion` is 10¹²), or None where it is none.

    `M`, `B` and `T` are scales only as capitals: `5 m` is five metres.
    """
    language = language_of(locale)
    if word in _CAPITALS:
        return _BILLION if (word == "M" and language == "id") else _CAPITALS[word]
    folded = word.casefold()
    factor = _SCALES.get(language, {}).get(folded)
    if factor is None and not (language in _LONG_SCALE and folded in ("billion", "billions", "trillion")):
        factor = _SCALES["en"].get(folded)
    if factor is None and folded in _ANYWHERE:
        factor = next(scales[folded] for scales in _SCALES.values() if folded in scales)
    return factor
