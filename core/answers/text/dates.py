"""Dates in words and figures; what can be read in two ways is read in none, unless the locale decides."""

from __future__ import annotations

import datetime
import re
import unicodedata

from modex.core.foundation.lazy_regex import deferred

_MONTHS: dict[str, int] = {}
for _row in (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "jan. feb. mär. apr. mai. jun. jul. aug. sept okt. nov. dez",
):
    _MONTHS.update({_name.strip("."): _index for _index, _name in enumerate(_row.split(), 1)})
_MONTHS |= {"agu": 8, "okt": 10, "des": 12, "sept": 9, "agt": 8, "ago": 8, "dic": 12, "ene": 1, "mrt": 3}
_WORD = r"([^\W\d_]{3,})\.?"
_DAY = r"(\d{1,2})(?:st|nd|rd|th|\.|er|º|o\b)?"
_ISO = deferred(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00)?Z?)?")
_EAST = deferred(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号일]?")
_DAY_FIRST = deferred(
    rf"(?:the\s+)?{_DAY}\s*(?:of\s+|de\s+)?[- ]?{_WORD}[,]?\s*(?:del?\s+|of\s+)?[- ]?(\d{{4}})", re.IGNORECASE
)
_MONTH_FIRST = deferred(rf"(?<![^\W\d_]){_WORD}\s+(?:the\s+)?{_DAY},?\s+(\d{{4}})", re.IGNORECASE)
_YEAR_FIRST = deferred(rf"(\d{{4}}),?\s+{_WORD}\s+{_DAY}", re.IGNORECASE)
_FIGURES = deferred(r"(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4})")
_LEAD = deferred(
    r"^(?:(?:on|am|le|el|pada|tanggal|il|em|the date is)\s+)?(?:[^\W\d_]{2,}\.?,\s*)?(?:(?:the|den|le)\s+)?",
    re.IGNORECASE,
)
_WEEKDAY = deferred(
    r"^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+|^(?:senin|selasa|rabu|kamis|jumat|sabtu|minggu),?\s+|"
    r"^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag),?\s+", re.IGNORECASE
)  # fmt: skip
AMBIGUOUS = "a date that can be read as day/month or month/day; the test's `locale` would decide"


class AmbiguousDateError(ValueError):
    """Figures whose order nothing decides."""


def read_date(text: str, locale: str | None = None) -> datetime.date | None:
    """The day that `text` names, or None where it names none: `1986-04-26`, `26 April 1986`, `April 26, 1986`, `26.04.1986`.

    Raises:
        AmbiguousDateError: `04/05/2024`, and no locale.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split()).strip(" .*`\"'")
    plain = _WEEKDAY.sub("", plain)
    found = _read(plain, locale)
    return found if found is not None else _read(_LEAD.sub("", plain, count=1), locale)


def _read(plain: str, locale: str | None) -> datetime.date | None:
    for pattern in (_ISO, _EAST):
        if match := pattern.fullmatch(plain):
            return _date(int(match[1]), int(match[2]), int(match[3]))
    if (match := _DAY_FIRST.fullmatch(plain)) and (month := month_of(match[2])):
        return _date(int(match[3]), month, int(match[1]))
    if (match := _MONTH_FIRST.fullmatch(plain)) and (month := month_of(match[1])):
        return _date(int(match[3]), month, int(match[2]))
    if (match := _YEAR_FIRST.fullmatch(plain)) and (month := month_of(match[2])):
        return _date(int(match[1]), month, int(match[3]))
    if match := _FIGURES.fullmatch(plain):
        day_first = (
            match[2] == "." and locale is None
        )  # with full stops the day comes first in every country that writes them
        return _figures(int(match[1]), int(match[3]), int(match[4]), "de" if day_first else locale)
    return None


_DAY_OF_MONTH = deferred(rf"(?:the\s+)?{_DAY}\s*(?:of\s+|de\s+)?[- ]?{_WORD}", re.IGNORECASE)
_MONTH_DAY = deferred(rf"(?<![^\W\d_]){_WORD}\s+(?:the\s+)?{_DAY}", re.IGNORECASE)
_MONTH_YEAR = deferred(rf"{_WORD},?\s+(?:of\s+|del?\s+)?(\d{{4}})|(\d{{4}})-(\d{{1,2}})", re.IGNORECASE)


def _partial(text: str) -> tuple[int, int, int] | None:
    """Year, month and day of `July 4` and `April 1986`, 0 for what is not said; None for what is neither."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split()).strip(" .*`\"'")
    return _part(plain) or _part(_LEAD.sub("", plain, count=1))


def _part(plain: str) -> tuple[int, int, int] | None:
    if (match := _MONTH_YEAR.fullmatch(plain)) is not None:
        month = month_of(match[1]) if match[1] else int(match[4])
        return (int(match[2] or match[3]), month, 0) if month and month <= 12 else None
    for pattern, day, name in ((_DAY_OF_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        if (match := pattern.fullmatch(plain)) and (month := month_of(match[name])) and int(match[day]) <= 31:
            return 0, month, int(match[day])
    return None


def same_date(gold: str, answer: str, locale: str | None = None) -> bool:
    """Whether both write the same day, month of a year (`April 1986`) or day of a year (`July 4`), in words or figures.

    Figures that can be read in two ways are no date, unless the locale decides.
    """
    try:
        day = read_date(gold, locale)
        if day is not None:
            return read_date(answer, locale) == day
    except AmbiguousDateError:
        return False
    part = _partial(gold) if any(char.isdigit() for char in gold) else None
    return part is not None and part == _partial(answer)


def _figures(first: int, second: int, year: int, locale: str | None) -> datetime.date | None:
    if first == second or second > 12:
        return _date(year, first, second)
    if first > 12:
        return _date(year, second, first)
    if locale is None:
        raise AmbiguousDateError(AMBIGUOUS)
    month_first = re.match(r"en(?:[-_](?:US|PH|BZ))?$", locale, re.IGNORECASE)
    return _date(year, first, second) if month_first else _date(year, second, first)


def month_of(word: str) -> int | None:
    """The number of the month that a word names in one of ten languages, or None."""
    folded = unicodedata.normalize("NFD", word.casefold())
    return _MONTHS.get("".join(char for char in folded if unicodedata.category(char) != "Mn")) or _MONTHS.get(
        word.casefold()
    )


def _date(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def dates_in(text: str, locale: str | None = None) -> list[tuple[int, int, datetime.date]]:
    """Every date in running text that can be read, with its offsets."""
    found = []
    for pattern in (_ISO, _EAST, _DAY_FIRST, _MONTH_FIRST, _YEAR_FIRST, _FIGURES):
        for match in pattern.finditer(text):
            try:
                day = _read(match[0], locale)
            except AmbiguousDateError:
                continue
            if day is not None:
                found.append((match.start(), match.end(), day))
    return sorted(found)
