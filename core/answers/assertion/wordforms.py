"""Words that are the same word: inflection, spelling, numbers in words and digits, nicknames, initials, transliteration."""

from __future__ import annotations

import re
from functools import lru_cache

from modex.core.answers.assertion.tokens import word_set

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "once": 1, "twice": 2, "thrice": 3, "dozen": 12,
}  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ORDINALS = {
    "zeroth": 0, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
    "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
}  # fmt: skip
NUMBERS: dict[str, int] = {
    **_ONES,
    **_TENS,
    **_ORDINALS,
    **{word.removesuffix("y") + "ieth": value for word, value in _TENS.items()},
}
SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
}
_SCALE_MARKS = {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9}
_ROMAN = re.compile(r"(?=[ivxl])(?:x{0,3}|xl|l)(?:ix|iv|v?i{0,3})")
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio janeiro januari",
            "february feb februar fevrier febrero febbraio fevereiro februari",
            "march mar marz mars marzo marco maret",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug aout agosto agustus",
            "september sep sept septembre septiembre settembre setembro",
            "october oct oktober octobre octubre ottobre outubro",
            "november nov novembre noviembre novembro",
            "december dec dezember decembre diciembre dicembre dezembro desember",
        ),
        1,
    )
    for name in names.split()
}
_SHORT_FORMS = """
    james jim jimmy jamie / william bill billy will willie / robert bob bobby rob robbie / richard dick rick ricky richie /
    john johnny jack jon / michael mike mick mickey / thomas tom tommy / charles charlie chuck / edward ed eddie ted ned /
    joseph joe joey / daniel dan danny / david dave davy / anthony tony / samuel sam sammy / benjamin ben benny / elizabeth
    liz lizzie beth betty eliza bess / margaret maggie peggy meg / katherine catherine kathleen kathryn kate kathy katie
    cathy kat kitty / andrew andy drew / christopher chris / nicholas nick / matthew matt / steven stephen steve / patrick
    pat paddy / alexander alex sandy / theodore ted teddy / lawrence larry / gerald gerry jerry / peter pete / philip phil /
    ronald ron ronnie / donald don donnie / kenneth ken kenny / frederick fred freddie / henry harry hank / walter walt /
    leonard len lenny leo / gregory greg / jeffrey jeff geoffrey geoff / timothy tim / vincent vince / arthur art / raymond
    ray / albert al bert / francis frank / rebecca becky / susan sue / deborah debbie / victoria vicky / jennifer jenny jen /
    patricia pat patty / barbara barb / mary molly / abraham abe / jacob jake / zachary zach / ellen helen eleanor nell
    nellie / florence flo / dorothy dot dolly / edmund ed / edwin ed / eugene gene / harold harry hal / louis lou lewis /
    martin marty / nathaniel nathan nate / oliver ollie / philip pip / randolph randy / reginald reg reggie / rodney rod /
    roger rog / ronald ronny / russell russ / sidney sid / stanley stan / terence terry terrence / theresa terry tess /
    walter wally / winston winnie / angela angie / amanda mandy / christine christina chris chrissie tina / diana di /
    frances fran fanny / gwendolyn gwen / jacqueline jackie / jessica jess / joanna jo / josephine jo josie / judith judy /
    katharine kate kathy / kimberly kim / laura laurie / margaret maggie rita greta / martha patty / matilda tilly / melissa
    mel lissa / pamela pam / penelope penny / rosemary rose rosie / sandra sandy / sarah sally sadie / stephanie steph /
    suzanne suzy sue / teresa terri / valerie val / veronica ronnie / virginia ginny / yvonne vonnie / maximilian max /
    sebastian seb / aleksandr alexander / pyotr peter / mikhail michael / ivan john / giuseppe joseph / johann john johannes
    / jean john / carl karl charles / friedrich frederick fritz / heinrich henry heinz / wilhelm william willy / ludwig louis
    / georg george / franz francis frank
"""
_NICKNAMES = tuple(word_set(names) for names in _SHORT_FORMS.split("/"))
_SHORTENED = {
    "us": "unitedstates", "usa": "unitedstates", "unitedstatesofamerica": "unitedstates", "america": "unitedstates",
    "uk": "unitedkingdom", "greatbritain": "unitedkingdom", "britain": "unitedkingdom",
    "ussr": "sovietunion", "uae": "unitedarabemirates", "eu": "europeanunion", "un": "unitednations",
    "tv": "television", "ww2": "worldwar2", "wwii": "worldwar2", "ww1": "worldwar1", "wwi": "worldwar1",
    "la": "losangeles", "nyc": "newyorkcity", "dna": "deoxyribonucleicacid", "rna": "ribonucleicacid",
}  # fmt: skip

_ABBREVIATED = {
    "ave": "avenue", "rd": "road", "blvd": "boulevard", "dept": "department", "govt": "government", "mt": "mount",
    "intl": "international", "univ": "university", "corp": "corporation", "mi": "mile", "km": "kilometer", "kilometre":
    "kilometer", "kilometres": "kilometer", "kg": "kilogram", "yrs": "year", "yr": "year", "hrs": "hour", "hr": "hour",
    "ft": "foot", "feet": "foot", "mins": "minute", "vs": "versus", "metres": "meter", "metre": "meter", "litre":
    "liter", "litres": "liter", "jr": "junior", "php": "peso", "usd": "dollar", "eur": "euro", "gbp": "pound", "inr":
    "rupee", "jpy": "yen", "rs": "rupee", "ne": "northeast", "nw": "northwest",
}  # fmt: skip
_IRREGULAR_PEOPLE = {
    "british": "britain", "french": "france", "english": "england", "spanish": "spain", "dutch": "netherlands",
    "german": "germany", "greek": "greece", "swiss": "switzerland", "danish": "denmark", "turkish": "turkey",
    "polish": "poland", "welsh": "wales", "irish": "ireland", "scottish": "scotland", "swedish": "sweden",
    "finnish": "finland",
}  # fmt: skip


_PLURALS = {
    "gases": "gas", "buses": "bus", "lenses": "lens", "children": "child", "teeth": "tooth", "mice": "mouse", "geese": "goose",
    "wolves": "wolf", "knives": "knife", "halves": "half", "oxen": "ox",
}  # fmt: skip


def shortened(joined: str) -> str:
    """The one spelling of a name that has several (`US`, `USA`); of words run together, folded."""
    return _SHORTENED.get(joined, joined)


@lru_cache(maxsize=4096)
def spellings_of(name: str) -> tuple[str, ...]:
    """Every spelling of a name that `shortened` brings to one, itself first."""
    return (name, *(short for short, full in _SHORTENED.items() if full == name))


def number_of(word: str) -> int | None:
    """The whole number that one folded word is: digits, an ordinal, a number word; None for anything else."""
    if word.isdecimal() and len(word) < 16 and (word[0] != "0" or word == "0"):
        return int(word)
    match = re.fullmatch(r"(\d{1,9})(?:st|nd|rd|th|er|eme|e|º|ª)", word)
    if match:
        return int(match[1])
    match = re.fullmatch(r"(\d{1,9})\.0{1,6}", word)
    if match:
        return int(match[1])
    return NUMBERS.get(word)


def roman_of(word: str) -> int | None:
    """The value of a Roman numeral below 90, folded."""
    if not word or len(word) > 8 or not _ROMAN.fullmatch(word):
        return None
    total, values = 0, {"i": 1, "v": 5, "x": 10, "l": 50}
    for at, sign in enumerate(word):
        value = values[sign]
        total += -value if at + 1 < len(word) and values[word[at + 1]] > value else value
    return total


def scale_mark(word: str) -> tuple[str, int] | None:
    """A number with a scale letter, `50m`: the digits and the scale."""
    if word[-1] not in "kmnb":
        return None
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)(k|mn?|bn?)", word)
    return (match[1], _SCALE_MARKS[match[2]]) if match else None


@lru_cache(maxsize=65536)
def key(word: str) -> str:
    """What two forms of one word have in common: number, month, stem and spelling."""
    number = number_of(word)
    if number is not None:
        return f"#{number}"
    if word in MONTHS and word not in ("may", "mar", "mars", "sep"):
        return f"@{MONTHS[word]}"
    if re.fullmatch(r"(?:19)?[1-9]0s|(?:20)?00s", word):  # `the 60s` are the 1960s, and not the 1860s
        return word[-3:]
    word = _PLURALS.get(word, _ABBREVIATED.get(word, word))
    return _stem(_spelling(word))


def _spelling(word: str) -> str:
    """British and American spellings as one."""
    if len(word) < 5:
        return word
    word = re.sub(r"our(?=s?$|ed$|ing$|ful$|ite|able|i[sz])", "or", word)
    word = re.sub(r"(?<=[a-z]{2})is(?=e[sd]?$|ing$|ation|er)", "iz", word)
    word = re.sub(r"(?<=[bcdtgv])re(?=s?$)", "er", word)
    word = word.replace("ae", "e").replace("oe", "e").replace("sulph", "sulf").replace("aluminium", "aluminum")
    return re.sub(r"ll(?=ed$|ing$|er)", "l", word)


def _stem(word: str) -> str:
    """A light stem: plurals and the commonest English endings; short words stay."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "ches", "shes", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ward") or (word.endswith("ed") and 4 <= len(word) <= 5 and word[-3] not in "aeiou"):
        return word[:-1] if word.endswith("ed") else word
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            return word.removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


_FEMININE = word_set("a ia ina ine ette")
"""Endings by which a man's given name becomes a woman's."""


def same_given_name(one: str, other: str) -> bool:
    """Whether two folded given names may be one person's: equal, an initial, a nickname, a shorter form."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return long.startswith(short)
    if len(short) >= 3 and long.startswith(short) and len(long) - len(short) <= 5:
        return long[len(short) :] not in _FEMININE
    return any(one in names and other in names for names in _NICKNAMES) or sounds_alike(one, other)


@lru_cache(maxsize=16384)
def _skeleton(word: str) -> str:
    word = word.replace("ph", "f").replace("ck", "k").replace("ch", "k").replace("sch", "sh").replace("tz", "z")
    word = word.translate(str.maketrans("cqzwyj", "kksvii"))
    word = word[0] + re.sub(r"[aeiouh]", "", word[1:])
    return re.sub(r"(.)\1", r"\1", word)


def sounds_alike(one: str, other: str) -> bool:
    """Whether two names are spellings of one, as transliterations are: the same consonants in order, four or more."""
    if min(len(one), len(other)) < 5 or abs(len(one) - len(other)) > 2 or not (one.isalpha() and other.isalpha()):
        return False
    skeleton = _skeleton(one)
    return len(skeleton) >= 4 and skeleton == _skeleton(other)


def misspelled(one: str, other: str) -> bool:
    """Whether two names differ as a slip of the pen does: one letter in seven or more, two in ten, never the first one.

    From five letters on names that sound alike are one too (`Cyndi`, `Cindy`). A last letter may be missing but is not another,
    nor an ending that makes another name (`Julian`, `Juliana`).
    """
    from rapidfuzz.distance import OSA

    if one == other or one[:1] != other[:1] or not (one.isalpha() and other.isalpha()):
        return False
    short, long = sorted((one, other), key=len)
    shorter = len(short)
    if long.startswith(short) and long[shorter:] in _FEMININE:
        return False
    if shorter >= 5 and _skeleton(one) == _skeleton(other):
        return OSA.distance(one, other, score_cutoff=2) <= 2
    if shorter < 7 or (one[-1] != other[-1] and len(one) == len(other)):
        return False
    return OSA.distance(one, other, score_cutoff=2) <= (2 if shorter >= 10 else 1)


def related(one: str, other: str) -> bool:
    """Whether two words grow from one stem (`India`, `Indian`; `architecture`, `architectural`): the same beginning."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < 4 or shorter[:4] != longer[:4] or longer.removeprefix(shorter) in _FEMININE:
        return False
    same = next((at for at, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    return same >= 4 and same >= 0.7 * len(longer) and len(shorter) - same <= 2


_ENDINGS = word_set("""
    a e y s an ian n ean ese ish ic ical ism er or al ation ion ist ia ium um ics es ing ers
""") | {""}


def derived(one: str, other: str) -> bool:
    """Whether two words are one word with other endings: `mathematics`, `mathematician`; `Catholic`, `Catholicism`."""
    if one[:5] != other[:5] or min(len(one), len(other)) < 6:
        return False
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if same < 0.65 * max(len(one), len(other)):
        return False
    return any(one[at:] in _ENDINGS and other[at:] in _ENDINGS for at in range(same, max(4, same - 2), -1))


def demonym(country: str, word: str) -> bool:
    """Whether `word` is how a person of `country` is called: `Colombia`, `Colombian`; `Japan`, `Japanese`."""
    if _IRREGULAR_PEOPLE.get(word) == country:
        return True
    stem = country.rstrip("aeiouy")
    return len(stem) >= 3 and word.startswith(stem) and word[len(stem) :] in _PEOPLE


_PEOPLE = word_set("an ian n ese ish i ean er ic nian")
