"""Numbers in words: English, Indonesian, German, Spanish, Portuguese, French, and the numerals of Chinese and Japanese."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from modex.core.answers.numbers.scales import language_of


@dataclass(frozen=True, slots=True)
class _Language:
    """Words with their value, words that multiply what stands before them, and what may stand between."""

    values: dict[str, int]
    tens: dict[str, int]
    """Multiply the last word: `hundred`, `puluh`."""
    scales: dict[str, int]
    """Multiply the whole group before them: `thousand`, `juta`."""
    joining: frozenset[str]
    point: frozenset[str]

    def holds(self, word: str) -> bool:
        """Whether the word may be part of a number."""
        return any(word in words for words in (self.values, self.tens, self.scales, self.joining, self.point))


def _numbered(texts: str, start: int = 0, step: int = 1) -> dict[str, int]:
    return {
        word: start + step * index
        for index, alternatives in enumerate(texts.split())
        for word in alternatives.split("|")
    }


_LANGUAGES = {
    "en": _Language(
        {
            **_numbered(
                "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                "seventeen eighteen nineteen"
            ),
            **_numbered("twenty thirty forty|fourty fifty sixty seventy eighty ninety", 20, 10),
        },
        {"hundred": 100, "dozen": 12},
        {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12},
        frozenset(["and"]),
        frozenset(["point"]),
    ),
    "id": _Language(
        {
            **_numbered("nol|kosong satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas"),
            "seratus": 100,
            "seribu": 1000,
            "selusin": 12,
        },
        {"puluh": 10, "belas": -1, "ratus": 100, "lusin": 12},
        {"ribu": 10**3, "juta": 10**6, "miliar": 10**9, "milyar": 10**9, "triliun": 10**12},
        frozenset(),
        frozenset(["koma"]),
    ),
    "es": _Language(
        {
            **_numbered(
                "cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce "
                "quince dieciséis|dieciseis diecisiete dieciocho diecinueve veinte veintiuno|veintiún|veintiuna "
                "veintidós|veintidos veintitrés|veintitres "
                "veinticuatro veinticinco veintiséis|veintiseis veintisiete veintiocho veintinueve"
            ),
            **_numbered("treinta cuarenta cincuenta sesenta setenta ochenta noventa cien|ciento", 30, 10),
            **_numbered(
                "doscientos|doscientas trescientos|trescientas cuatrocientos|cuatrocientas quinientos|quinientas "
                "seiscientos|seiscientas setecientos|setecientas ochocientos|ochocientas novecientos|novecientas",
                200,
                100,
            ),
        },
        {},
        {"mil": 10**3, "millón": 10**6, "millon": 10**6, "millones": 10**6},
        frozenset(["y"]),
        frozenset(["coma", "punto"]),
    ),
    "pt": _Language(
        {
            **_numbered(
                "zero um|uma dois|duas três|tres quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze "
                "dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove"
            ),
            **_numbered("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem|cento", 20, 10),
            **_numbered(
                "duzentos|duzentas trezentos|trezentas quatrocentos|quatrocentas quinhentos|quinhentas "
                "seiscentos|seiscentas setecentos|setecentas oitocentos|oitocentas novecentos|novecentas",
                200,
                100,
            ),
        },
        {},
        {"mil": 10**3, "milhão": 10**6, "milhões": 10**6},
        frozenset(["e"]),
        frozenset(["vírgula"]),
    ),
    "fr": _Language(
        {
            **_numbered(
                "zéro|zero un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
            ),
            **_numbered("vingt|vingts trente quarante cinquante soixante septante", 20, 10),
            "octante": 80,
            "huitante": 80,
            "nonante": 90,
        },
        {"cent": 100, "cents": 100},
        {"mille": 10**3, "million": 10**6, "millions": 10**6, "milliard": 10**9, "milliards": 10**9},
        frozenset(["et"]),
        frozenset(["virgule"]),
    ),
}
_GERMAN = {
    **_numbered(
        "null ein|eins|eine|einen zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
        "sechzehn siebzehn achtzehn neunzehn"
    ),
    **_numbered("zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig", 20, 10),
}
_GERMAN_SCALES = {"million": 10**6, "millionen": 10**6, "milliarde": 10**9, "milliarden": 10**9}
_FOREIGN = frozenset(
    [
        "um",
        "uma",
        "sete",
        "dez",
        "cem",
        "once",
        "sept",
        "elf",
        "acht",
        "cent",
        "cents",
        "mil",
        "mille",
        "un",
        "une",
        "una",
        "uno",
        "dix",
        "ein",
        "eine",
        "einen",
        "dos",
        "null",
        "point",
    ]
)
"""Words that mean something else in other languages: numbers only where the test's locale says so."""
_FRACTIONS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourth": 4,
    "fourths": 4,
    **_numbered("fifth|fifths sixth|sixths seventh|sevenths eighth|eighths ninth|ninths tenth|tenths", 5),
}
_TOKEN = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[ -]+|, (?=[^\W\d_])")
_APART = 5
"""Words after which nothing that was read goes on as a number: `two and a` is none, and `two and a half` is one."""


def read_words(text: str, locale: str = "en") -> tuple[Fraction, str] | None:
    """The number that `text` begins with in words, and the rest; the test's own language first.

    `twenty-one`, `dua ribu`, `zweihundertfünf`, `two and a half`, `three quarters`, `three point one four`, `1万2千`.
    """
    cjk = _cjk(text)
    if cjk is not None:
        return cjk
    if not text[:1].isalpha():
        return None
    own = language_of(locale)
    for language in dict.fromkeys([own, "en", "id", "de", "es", "fr"]):
        found = _german(text) if language == "de" else _read(text, language)
        if found is None:
            continue
        used = _TOKEN.findall(text[: len(text) - len(found[1])].casefold())
        if language != own and len(used) == 1 and used[0] in _FOREIGN:
            continue
        return found
    return None


def _read(text: str, language: str) -> tuple[Fraction, str] | None:
    known = _LANGUAGES.get(language)
    if known is None:
        return None
    first = _TOKEN.match(text)
    if first is None or not _begins(first[0].casefold(), known, language):
        return None  # most words of an answer, which is read from each of them in every language
    following = ((match[0].casefold(), match.end()) for match in _joined(text))
    tokens = list(itertools.islice(following, 2))
    best: tuple[Fraction, str] | None = None
    if language == "en" and tokens and tokens[0][0] in ("a", "an") and len(tokens) > 1:
        tokens[0] = ("one" if tokens[1][0] in {**known.tens, **known.scales, **_FRACTIONS} else "a", tokens[0][1])
    if (
        language == "en"
        and tokens
        and tokens[0][0] == "half"
        and (len(tokens) == 1 or tokens[1][0] not in known.values)
    ):
        return Fraction(1, 2), text[tokens[0][1] :]
    if language == "id" and tokens and tokens[0][0] in ("setengah", "separuh"):
        return Fraction(1, 2), text[tokens[0][1] :]
    count = missed = 0
    while count < len(tokens) and missed < _APART:
        count += 1
        tokens += itertools.islice(following, 1)
        word = tokens[count - 1][0]
        if not known.holds(word) and word not in _FRACTIONS:
            half = language == "en" and word in ("a", "an") and count < len(tokens) and tokens[count][0] in _FRACTIONS
            if not half:
                break
        value = _value([token for token, _ in tokens[:count]], known, language)
        missed += 1
        if value is not None:
            best, missed = (value, text[tokens[count - 1][1] :]), 0
    return best


def _begins(word: str, known: _Language, language: str) -> bool:
    """Whether a number in words can begin with this word."""
    if known.holds(word) or word in _FRACTIONS:
        return True
    return word in {"en": ("a", "an", "half"), "id": ("setengah", "separuh")}.get(language, ())


@lru_cache(4096)
def may_begin(word: str) -> bool:
    """Whether a number in words can begin with this word in any language; most words of an answer begin none."""
    folded = word.casefold()
    return (
        any(_begins(folded, known, language) for language, known in _LANGUAGES.items())
        or _german_word(folded) is not None
        or _CJK.match(word) is not None
    )


def _joined(text: str) -> Iterable[re.Match[str]]:
    """Words with nothing between them but spaces and hyphens."""
    at = 0
    while match := _TOKEN.match(text, at):
        yield match
        at = match.end()
        gap = _GAP.match(text, at)
        if gap is None:
            return
        at = gap.end()


def _value(words: list[str], known: _Language, language: str) -> Fraction | None:
    for index, word in enumerate(words):
        if word in known.point:
            whole, digits = (
                _cardinal(words[:index], known, language),
                [known.values.get(digit) for digit in words[index + 1 :]],
            )
            if whole is None or not digits or any(digit is None or digit > 9 for digit in digits):
                return None
            return Fraction(f"{whole}.{''.join(str(digit) for digit in digits)}")
    if language == "en" and words[-1] in _FRACTIONS:
        return _english_fraction(words, known)
    if words[-1] in known.joining or (language == "en" and "a" in words):
        return None
    cardinal = _cardinal(words, known, language)
    return None if cardinal is None else Fraction(cardinal)


def _english_fraction(words: list[str], known: _Language) -> Fraction | None:
    """`two and a half`, `three quarters`, `one third`."""
    bottom = _FRACTIONS[words[-1]]
    if len(words) > 2 and words[-3:-1] in (["and", "a"], ["and", "one"]):
        whole = _cardinal(words[:-3], known, "en")
        return None if whole is None else whole + Fraction(1, bottom)
    top = _cardinal(words[:-1], known, "en") if len(words) > 1 else None
    return None if top is None or top > 99 else Fraction(top, bottom)


def _cardinal(words: list[str], known: _Language, language: str) -> int | None:
    """The value of a cardinal; None where the words do not follow one another as in one."""
    total, group, last, ceiling, empty = 0, 0, 0, 10**15, True
    if not words:
        return None
    for word in _french(words) if language == "fr" else words:
        if word in known.joining:
            if empty:
                return None
            continue
        if word in known.tens:
            factor = known.tens[word]
            part = last or (0 if group else 1)
            rest = group - last
            if not part or (factor in (10, -1) and part > 9):
                return None
            part = part + 10 if factor == -1 else part * factor
            if rest and part >= _place(rest):
                return None
            group, last = rest + part, 0
        elif word in known.scales or word == "seribu":
            factor = known.scales.get(word, 1000)
            if factor >= ceiling or (word == "seribu" and group):
                return None
            total, group, last, ceiling = total + (group or 1) * factor, 0, 0, factor
        else:
            value = int(word) if word.isdigit() else known.values.get(word)
            if value is None:
                return None
            french = language == "fr" and group % 100 in (60, 80) and value < 20
            if group and value >= _place(group) and not french:
                return None
            if (total or group) and value == 0:
                return None
            group, last = group + value, value
        empty = False
    return None if empty else total + group


def _place(value: int) -> int:
    """The lowest place that a value fills: 20 → 10, 300 → 100, 23 → 1."""
    place = 1
    while value % (place * 10) == 0:
        place *= 10
    return place


def _french(words: list[str]) -> list[str]:
    """`quatre-vingt` is one value."""
    out: list[str] = []
    for word in words:
        if word in ("vingt", "vingts") and out and out[-1] == "quatre":
            out[-1] = "80"
        else:
            out.append(word)
    return out


def _german(text: str) -> tuple[Fraction, str] | None:
    match = _TOKEN.match(text)
    if match is None:
        return None
    first = _german_word(match[0].casefold())
    rest = text[match.end() :]
    if first is None:
        return None
    scale = re.match(r"\s+([^\W\d_]+)", rest)
    if scale and (factor := _GERMAN_SCALES.get(scale[1].casefold())):
        tail = _german(rest[scale.end() :].lstrip())
        if tail is not None and tail[0] < factor:
            return first * factor + tail[0], tail[1]
        return Fraction(first * factor), rest[scale.end() :]
    comma = re.match(r"\s+komma((?:\s+[^\W\d_]+)+)", rest, re.IGNORECASE)
    if comma:
        digits = [_GERMAN.get(word) for word in comma[1].casefold().split()]
        if all(digit is not None and digit < 10 for digit in digits):
            return Fraction(f"{first}.{''.join(map(str, digits))}"), rest[comma.end() :]
    return Fraction(first), rest


def _german_word(word: str) -> int | None:
    """`zweitausenddreihunderteinundzwanzig`."""
    if word in _GERMAN:
        return _GERMAN[word]
    for name, factor in (("tausend", 1000), ("hundert", 100)):
        head, found, tail = word.partition(name)
        if found:
            top = _german_word(head) if head else 1
            bottom = _german_word(tail.removeprefix("und")) if tail else 0
            return None if top is None or bottom is None or bottom >= factor or top >= 1000 else top * factor + bottom
    head, found, tail = word.partition("und")
    if (
        found
        and head in _GERMAN
        and tail in _GERMAN
        and 0 < _GERMAN[head] < 10
        and _GERMAN[tail] % 10 == 0
        and _GERMAN[tail] >= 20
    ):
        return _GERMAN[head] + _GERMAN[tail]
    return None


_DIGITS = {
    **{char: value for value, char in enumerate("〇一二三四五六七八九")},
    "零": 0,
    "两": 2,
    "兩": 2,
    "壱": 1,
    "弐": 2,
    "参": 3,
}
_SMALL = {"十": 10, "百": 100, "千": 1000, "拾": 10}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_CJK = re.compile(rf"(?:\d[\d,]*(?:\.\d+)?|[{''.join([*_DIGITS, *_SMALL, *_LARGE])}])+")


def _cjk(text: str) -> tuple[Fraction, str] | None:
    match = _CJK.match(text)
    if match is None or not re.search(rf"[{''.join([*_DIGITS, *_SMALL, *_LARGE])}]", match[0]):
        return None
    parts = re.findall(r"\d[\d,]*(?:\.\d+)?|.", match[0])
    if all(part in _DIGITS for part in parts) and len(parts) > 1:
        return Fraction(int("".join(str(_DIGITS[part]) for part in parts))), text[match.end() :]
    total, group, current = Fraction(0), Fraction(0), Fraction(-1)
    ceiling, small = 10**16, 10**4
    for part in parts:
        if part in _LARGE:
            if _LARGE[part] >= ceiling:
                return None
            group += max(current, Fraction(0))
            total, group, current, ceiling, small = (
                total + (group or 1) * _LARGE[part],
                Fraction(0),
                Fraction(-1),
                _LARGE[part],
                10**4,
            )
        elif part in _SMALL:
            if _SMALL[part] >= small:
                return None
            group, current, small = group + (current if current >= 0 else 1) * _SMALL[part], Fraction(-1), _SMALL[part]
        else:
            if current > 0:
                return None
            current = Fraction(_DIGITS[part]) if part in _DIGITS else Fraction(part.replace(",", ""))
    return total + group + max(current, Fraction(0)), text[match.end() :]
