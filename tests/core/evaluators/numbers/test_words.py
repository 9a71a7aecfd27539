from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.numbers.spans import number_spans, word_spans
from core.evaluators.numbers.words import read_words

_ONES = [
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def english(value: int) -> str:
    """A number from 1 to 999,999,999 in words."""
    for scale, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= scale:
            rest = value % scale
            joint = " and " if name == "hundred" else " "
            return f"{english(value // scale)} {name}" + (joint + english(rest) if rest else "")
    if value < 20:
        return _ONES[value]
    return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")


@given(st.integers(1, 999_999_999))
def test_english_numbers_round_trip(value: int) -> None:
    assert read_words(english(value)) == (Fraction(value), "")


def chinese(value: int) -> str:
    digits = "零一二三四五六七八九"
    out = ""
    for scale, name in ((10**4, "万"), (1000, "千"), (100, "百"), (10, "十")):
        if value >= scale:
            out += (chinese(value // scale) if scale == 10**4 else digits[value // scale]) + name
            value %= scale
    return out + (digits[value] if value else "")


@given(st.integers(1, 99_999_999))
def test_chinese_numerals_round_trip(value: int) -> None:
    assert read_words(chinese(value), "zh") == (Fraction(value), "")


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("dua ribu", "en", 2000),
        ("satu juta dua ratus ribu", "id", 1_200_000),
        ("zweitausenddreihunderteinundzwanzig", "de", 2321),
        ("quatre-vingt-dix-sept", "fr", 97),
        ("treinta y uno", "es", 31),
        ("1万2千", "ja", 12000),
        ("two and a half", "en", Fraction(5, 2)),
        ("three quarters", "en", Fraction(3, 4)),
        ("tiga koma lima", "id", Fraction(7, 2)),
    ],
)
def test_numbers_in_words_are_read(text: str, locale: str, value: Fraction) -> None:
    assert read_words(text, locale) == (Fraction(value), "")


@pytest.mark.parametrize(
    ("text", "locale"),
    [("once", "en"), ("elf", "en"), ("sept", "en"), ("apples", "en"), ("and five", "en"), ("", "en")],
)
def test_words_of_another_meaning_are_no_numbers(text: str, locale: str) -> None:
    assert read_words(text, locale) is None


def test_numbers_stand_in_running_text_by_digit_and_by_word() -> None:
    text = "Of seventeen hens, 3 laid minus 5 eggs."
    assert [number.value for _, _, number in number_spans(text)] == [3, -5]
    assert [number.value for _, _, number in word_spans(text)] == [17]


@given(st.text(max_size=60), st.sampled_from(["en", "id", "de", "es", "fr", "ja"]))
def test_no_text_raises(text: str, locale: str) -> None:
    read_words(text, locale)
    list(number_spans(text, locale))
    list(word_spans(text, locale))


@pytest.mark.parametrize(
    ("locale", "first", "step", "words"),
    [
        ("en", 0, 1, "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
        ("en", 16, 1, "sixteen seventeen eighteen nineteen twenty twenty-one"),
        ("en", 20, 10, "twenty thirty forty fifty sixty seventy eighty ninety hundred"),
        ("id", 0, 1, "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas dua_belas"),
        (
            "id",
            13,
            1,
            "tiga_belas empat_belas lima_belas enam_belas tujuh_belas delapan_belas sembilan_belas dua_puluh",
        ),
        ("id", 10, 90, "sepuluh seratus seratus_sembilan_puluh dua_ratus_delapan_puluh"),
        ("es", 0, 1, "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"),
        ("es", 16, 1, "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro"),
        ("es", 25, 1, "veinticinco veintiséis veintisiete veintiocho veintinueve treinta treinta_y_uno"),
        ("es", 30, 10, "treinta cuarenta cincuenta sesenta setenta ochenta noventa cien"),
        (
            "es",
            200,
            100,
            "doscientos trescientas cuatrocientos quinientas seiscientos setecientas ochocientos novecientas",
        ),
        (
            "pt",
            0,
            1,
            "zero um duas três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezasseis",
        ),
        ("pt", 16, 1, "dezesseis dezassete dezoito dezenove vinte vinte_e_um"),
        ("pt", 20, 10, "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cento"),
        ("pt", 200, 100, "duzentos trezentas quatrocentos quinhentas seiscentos setecentas oitocentos novecentas mil"),
        ("fr", 0, 1, "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
        ("fr", 17, 1, "dix-sept dix-huit dix-neuf vingt vingt_et_un vingt-deux"),
        ("fr", 20, 10, "vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent"),
        ("fr", 70, 10, "septante octante nonante"),
        ("fr", 78, 1, "soixante-dix-huit soixante-dix-neuf quatre-vingts quatre-vingt-un"),
        ("fr", 98, 1, "quatre-vingt-dix-huit quatre-vingt-dix-neuf cent cent_un"),
        ("de", 0, 1, "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"),
        ("de", 16, 1, "sechzehn siebzehn achtzehn neunzehn zwanzig einundzwanzig zweiundzwanzig"),
        ("de", 20, 10, "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert hundertzehn"),
        ("de", 100, 100, "einhundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert"),
        ("de", 999, 1, "neunhundertneunundneunzig tausend eintausendeins tausendzwei"),
        ("ja", 0, 1, "〇 一 二 三 四 五 六 七 八 九 十 十一 十二"),
        ("zh", 1, 1, "壱 兩 参"),
        ("zh", 0, 2, "零 两"),
        ("zh", 8, 2, "八 拾 十二"),
    ],
)
def test_the_numerals_of_a_language_count_on(locale: str, first: int, step: int, words: str) -> None:
    read = [read_words(word.replace("_", " "), locale) for word in words.split()]
    assert read == [(Fraction(first + step * place), "") for place in range(len(read))]


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("one TRILLION", "en", 10**12),
        ("two billion", "en", 2 * 10**9),
        ("twelve hundred", "en", 1200),
        ("two dozen", "en", 24),
        ("a hundred", "en", 100),
        ("a quarter", "en", Fraction(1, 4)),
        ("two thirds", "en", Fraction(2, 3)),
        ("three fourths", "en", Fraction(3, 4)),
        ("four fifths", "en", Fraction(4, 5)),
        ("five sixths", "en", Fraction(5, 6)),
        ("three sevenths", "en", Fraction(3, 7)),
        ("three eighths", "en", Fraction(3, 8)),
        ("four ninths", "en", Fraction(4, 9)),
        ("ninety-nine tenths", "en", Fraction(99, 10)),
        ("ten and a half", "en", Fraction(21, 2)),
        ("two and one third", "en", Fraction(7, 3)),
        ("point five", "en", None),
        ("half", "pt", Fraction(1, 2)),
        ("setengah", "id", Fraction(1, 2)),
        ("setengah", "en", Fraction(1, 2)),
        ("zero point nine zero", "en", Fraction(9, 10)),
        ("cuarenta coma cinco", "es", Fraction(81, 2)),
        ("drei Komma fünf", "de", Fraction(7, 2)),
        ("drei Komma neun null", "de", Fraction(39, 10)),
        ("zwei Millionen dreihunderttausend", "de", 2_300_000),
        ("eine Milliarde", "en", 10**9),
        ("eine Million", "de", 10**6),
        ("un million", "en", 10**6),
        ("dua lusin", "id", 24),
        ("seratus ribu", "id", 100_000),
        ("seribu", "en", 1000),
        ("tiga miliar", "id", 3 * 10**9),
        ("dua triliun", "id", 2 * 10**12),
        ("um milhão", "pt", 10**6),
        ("deux milliards", "fr", 2 * 10**9),
        ("deux cents millions", "fr", 2 * 10**8),
        ("millón", "es", 10**6),
        ("亿两百", "zh", 100_000_200),
        ("千三", "ja", 1003),
        ("三三", "zh", 33),
        ("二〇二四", "zh", 2024),
        ("三億", "ja", 3 * 10**8),
        ("一兆", "ja", 10**12),
        ("三千二百", "ja", 3200),
        ("2.5万", "zh", 25_000),
        ("1,200万", "ja", 12_000_000),
        ("十億二千万", "ja", 1_020_000_000),
        ("千千", "ja", None),
        ("万億", "ja", None),
        ("一二十一", "zh", None),
        ("hunderthundert", "de", None),
        ("unddreißig", "de", None),
        ("zehnundzwanzig", "de", None),
        ("einundzehn", "de", None),
        ("a", "ru", None),
        ("five", "ru", 5),
    ],
)
def test_a_number_in_words_has_its_value(text: str, locale: str, value: Fraction | None) -> None:
    assert read_words(text, locale) == (None if value is None else (Fraction(value), ""))


@pytest.mark.parametrize(
    ("text", "locale", "value", "rest"),
    [
        ("a third of", "en", Fraction(1, 3), " of"),
        ("half a", "en", Fraction(1, 2), " a"),
        ("half an hour", "en", Fraction(1, 2), " an hour"),
        ("fifty-zero", "en", 50, "-zero"),
        ("twenty-ten", "en", 20, "-ten"),
        ("one hundred hundred", "en", 100, " hundred"),
        ("one and three quarters", "en", 1, " and three quarters"),
        ("two thousand point hundred", "en", 2000, " point hundred"),
        ("two million and ", "en", 2_000_000, " and "),
        ("three thousand thousand", "en", 3000, " thousand"),
        ("dos mil mil", "es", 2000, " mil"),
        ("tiga belas lima", "id", 13, " lima"),
        ("quatre--onze", "fr", 4, "--onze"),
        ("soixante et vingt", "fr", 60, " et vingt"),
        ("drei Komma fünffünf", "de", 3, " Komma fünffünf"),
        ("five apples", "en", 5, " apples"),
        ("三個", "ja", 3, "個"),
    ],
)
def test_a_number_in_words_ends_where_nothing_goes_on_with_it(
    text: str, locale: str, value: Fraction, rest: str
) -> None:
    assert read_words(text, locale) == (Fraction(value), rest)
