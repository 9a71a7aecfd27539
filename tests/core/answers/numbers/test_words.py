from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.numbers.words import _LANGUAGES, may_begin, read_words
from tests.rows import each_row

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


@each_row(
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


@each_row(
    ("text", "locale"),
    [("once", "en"), ("elf", "en"), ("sept", "en"), ("apples", "en"), ("and five", "en"), ("", "en")],
)
def test_words_of_another_meaning_are_no_numbers(text: str, locale: str) -> None:
    assert read_words(text, locale) is None


def test_a_number_is_read_from_no_word_that_may_not_begin_one() -> None:
    known = {
        word
        for language in _LANGUAGES.values()
        for words in (language.values, language.tens, language.scales, language.joining, language.point)
        for word in words
    }
    for word in sorted(
        {*known, "a", "half", "separuh", "third", "hundertfünf", "Zweitausend", "一百", "house", "Unding"}
    ):
        found = {
            locale for locale in ("en", "id", "de", "es", "pt", "fr", "zh") for rest in ("", " five", " half")
            if read_words(word + rest, locale) is not None
        }  # fmt: skip
        assert may_begin(word) or not found, (word, found)
    assert not may_begin("house")


def test_numbers_stand_in_running_text_by_digit_and_by_word() -> None:
    text = "Of seventeen hens, 3 laid minus 5 eggs."
    assert [number.value for _, _, number in number_spans(text)] == [3, -5]
    assert [number.value for _, _, number in word_spans(text)] == [17]


@given(st.text(max_size=60), st.sampled_from(["en", "id", "de", "es", "fr", "ja"]))
def test_no_text_raises(text: str, locale: str) -> None:
    read_words(text, locale)
    list(number_spans(text, locale))
    list(word_spans(text, locale))


@each_row(
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


@each_row(
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


@each_row(
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


_IN_WORDS = [
    ("en", "two dozen", "24", ""),
    ("en", "hundred", "100", ""),
    ("en", "a hundred and one", "101", ""),
    ("en", "one hundred thousand two", "100002", ""),
    ("en", "two thousand million", "2000", " million"),
    ("en", "twenty eleven", "20", " eleven"),
    ("en", "twenty zero", "20", " zero"),
    ("en", "twenty-ten", "20", "-ten"),
    ("en", "nine hundred ninety-nine", "999", ""),
    ("en", "five hundred dozen", "500", " dozen"),
    ("en", "seven and", "7", " and"),
    ("en", "and seven", None, ""),
    ("en", "three point one four", "157/50", ""),
    ("en", "three point", "3", " point"),
    ("en", "three point ten", "3", " point ten"),
    ("en", "point five", None, ""),
    ("en", "three point one nine", "319/100", ""),
    ("en", "three point zero", "3", ""),
    ("en", "half", "1/2", ""),
    ("en", "half three", None, ""),
    ("en", "a half", "1/2", ""),
    ("en", "a third", "1/3", ""),
    ("en", "two thirds", "2/3", ""),
    ("en", "ninety-nine hundredths", "99", " hundredths"),
    ("en", "ninety-nine tenths", "99/10", ""),
    ("en", "one hundred tenths", "100", " tenths"),
    ("en", "two and a half", "5/2", ""),
    ("en", "two and one third", "7/3", ""),
    ("en", "two and a third more", "7/3", " more"),
    ("en", "and a half", None, ""),
    ("en", "a", None, ""),
    ("en", "an apple", None, ""),
    ("en", "a dozen eggs", "12", " eggs"),
    ("en", "an eighth", "1/8", ""),
    ("en", "a million and a half", "2000001/2", ""),
    ("en", "two and three", "2", " and three"),
    ("en", "two and a", "2", " and a"),
    ("en", "one two", "1", " two"),
    ("en", "twenty twenty", "20", " twenty"),
    ("en", "one hundred two hundred", "102", " hundred"),
    ("en", "one thousand one thousand", "1001", " thousand"),
    ("en", "one thousand one million", "1001", " million"),
    ("en", "fourty", "40", ""),
    ("en", "three quarters of it", "3/4", " of it"),
    ("en", "three, four", "3", ", four"),
    ("en", "three  four", "3", "  four"),
    ("en", "seven tenths", "7/10", ""),
    ("en", "zero", "0", ""),
    ("en", "one trillion two billion three million four thousand five", "1002003004005", ""),
    ("id", "dua puluh lima", "25", ""),
    ("id", "dua belas", "12", ""),
    ("id", "sebelas", "11", ""),
    ("id", "sepuluh ribu", "10000", ""),
    ("id", "seratus dua puluh", "120", ""),
    ("id", "seribu dua ratus", "1200", ""),
    ("id", "dua seribu", "2", " seribu"),
    ("id", "tiga juta seribu", "3001000", ""),
    ("id", "dua juta seribu satu", "2001001", ""),
    ("id", "lima ratus ribu", "500000", ""),
    ("id", "sebelas puluh", "11", " puluh"),
    ("id", "sepuluh puluh", "10", " puluh"),
    ("id", "dua lusin", "24", ""),
    ("id", "selusin", "12", ""),
    ("id", "setengah", "1/2", ""),
    ("id", "separuh", "1/2", ""),
    ("id", "tiga koma satu empat", "157/50", ""),
    ("id", "sembilan belas", "19", ""),
    ("id", "satu miliar", "1000000000", ""),
    ("id", "satu milyar dua juta", "1002000000", ""),
    ("id", "satu triliun", "1000000000000", ""),
    ("id", "kosong", "0", ""),
    ("id", "dua puluh tiga puluh", "23", " puluh"),
    ("id", "dua ratus tiga ratus", "203", " ratus"),
    ("id", "dua puluh dua ratus", "22", " ratus"),
    ("id", "satu puluh satu", "11", ""),
    ("es", "dieciséis", "16", ""),
    ("es", "veintiuna", "21", ""),
    ("es", "treinta y nueve", "39", ""),
    ("es", "cien mil", "100000", ""),
    ("es", "ciento uno", "101", ""),
    ("es", "novecientas noventa", "990", ""),
    ("es", "mil doscientos", "1200", ""),
    ("es", "dos mil", "2000", ""),
    ("es", "un millón", "1000000", ""),
    ("es", "dos millones tres mil cuatro", "2003004", ""),
    ("es", "tres coma cinco", "7/2", ""),
    ("es", "tres punto cinco", "7/2", ""),
    ("es", "cero", "0", ""),
    ("es", "y dos", None, ""),
    ("pt", "vinte e um", "21", ""),
    ("pt", "mil e quinhentos", "1500", ""),
    ("pt", "cento e vinte", "120", ""),
    ("pt", "novecentos mil", "900000", ""),
    ("pt", "um milhão", "1000000", ""),
    ("pt", "dois milhões", "2000000", ""),
    ("pt", "três vírgula cinco", "7/2", ""),
    ("pt", "dezassete", "17", ""),
    ("pt", "catorze", "14", ""),
    ("fr", "quatre-vingts", "80", ""),
    ("fr", "quatre-vingt-un", "81", ""),
    ("fr", "quatre-vingt-dix-neuf", "99", ""),
    ("fr", "soixante-dix", "70", ""),
    ("fr", "soixante et onze", "71", ""),
    ("fr", "soixante-dix-neuf", "79", ""),
    ("fr", "soixante vingt", "60", " vingt"),
    ("fr", "cinquante-dix", "50", "-dix"),
    ("fr", "septante-deux", "72", ""),
    ("fr", "octante", "80", ""),
    ("fr", "huitante-trois", "83", ""),
    ("fr", "nonante-neuf", "99", ""),
    ("fr", "deux cents", "200", ""),
    ("fr", "deux cent un", "201", ""),
    ("fr", "mille deux", "1002", ""),
    ("fr", "deux millions cinq cents", "2000500", ""),
    ("fr", "un milliard", "1000000000", ""),
    ("fr", "trois virgule un quatre", "157/50", ""),
    ("fr", "vingt et un", "21", ""),
    ("fr", "seize", "16", ""),
    ("de", "zweihundertfünf", "205", ""),
    ("de", "tausend", "1000", ""),
    ("de", "hundert", "100", ""),
    ("de", "einhundertundeins", "101", ""),
    ("de", "neunzehnhundert", "1900", ""),
    ("de", "zehntausend", "10000", ""),
    ("de", "dreihundertvierundfünfzigtausendzweihundertelf", "354211", ""),
    ("de", "eine Million", "1000000", ""),
    ("de", "zwei Millionen dreihunderttausend", "2300000", ""),
    ("de", "zwei Millionen drei Millionen", "2000000", " drei Millionen"),
    ("de", "drei Milliarden zwei Millionen eins", "3002000001", ""),
    ("de", "drei Komma eins vier", "157/50", ""),
    ("de", "drei Komma zwölf", "3", " Komma zwölf"),
    ("de", "einundzwanzig", "21", ""),
    ("de", "zehnundzwanzig", None, ""),
    ("de", "einunddreißig", "31", ""),
    ("de", "einundzehn", None, ""),
    ("de", "nullundzwanzig", None, ""),
    ("de", "zwanzigundeins", None, ""),
    ("de", "hunderttausendtausend", None, ""),
    ("de", "tausendhunderttausend", None, ""),
    ("de", "zwo", "2", ""),
    ("zh", "二十", "20", ""),
    ("zh", "十", "10", ""),
    ("zh", "十五", "15", ""),
    ("zh", "二百零五", "205", ""),
    ("zh", "两千", "2000", ""),
    ("zh", "三万五千", "35000", ""),
    ("zh", "一亿二千万", "120000000", ""),
    ("zh", "一二三", "123", ""),
    ("zh", "二〇二四", "2024", ""),
    ("zh", "百千", None, ""),
    ("zh", "万亿", None, ""),
    ("zh", "1万2千", "12000", ""),
    ("zh", "1,200万", "12000000", ""),
    ("zh", "1.5亿", "150000000", ""),
    ("zh", "三四百", None, ""),
    ("zh", "五兆", "5000000000000", ""),
    ("ja", "十億", "1000000000", ""),
    ("ja", "弐拾", "20", ""),
    ("ja", "3千人", "3000", "人"),
    ("ja", "五人", "5", "人"),
    ("en", "三", "3", ""),
    ("en", "12", None, ""),
    ("en", "sept", None, ""),
    ("fr", "sept", "7", ""),
    ("en", "dix-sept", "17", ""),
    ("en", "acht", None, ""),
    ("de", "acht", "8", ""),
    ("en", "dos", None, ""),
    ("en", "dos mil", "2000", ""),
    ("en", "dua", "2", ""),
    ("en", "null", None, ""),
    ("en", "once", None, ""),
    ("es", "once", "11", ""),
    ("es", "one hundred", "100", ""),
    ("en", "mille", None, ""),
    ("en", "un million", "1000000", ""),
]
"""The language, a text, the number that it begins with (None where it begins with none), and what is left of the text."""


def test_numbers_in_words_end_where_their_language_ends_them() -> None:
    found = [(locale, text, read_words(text, locale)) for locale, text, _, _ in _IN_WORDS]
    assert [(locale, text, *((str(one[0]), one[1]) if one else (None, ""))) for locale, text, one in found] == _IN_WORDS


_SPOKEN = {
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis "
    "veintisiete veintiocho veintinueve",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito "
    "dezenove vinte",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn zwanzig",
    "id": "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
}
_TENS_IN = {
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem",
    "fr": "vingt trente quarante cinquante soixante septante octante nonante cent",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
    "en": "twenty thirty forty fifty sixty seventy eighty ninety hundred",
}
_HUNDREDS_IN = {
    "es": "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos mil",
    "pt": "duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos mil",
}


@each_row(("words", "first", "step"), [(_SPOKEN, 0, 1), (_TENS_IN, 20, 10), (_HUNDREDS_IN, 200, 100)])
def test_each_word_of_a_language_has_its_value(words: dict[str, str], first: int, step: int) -> None:
    for locale, spoken in words.items():
        found = [read_words(word, locale) for word in spoken.split()]
        assert found == [(Fraction(first + step * index), "") for index in range(len(found))], locale
