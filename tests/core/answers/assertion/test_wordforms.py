"""When two words are the same word, name or number: each rule at its limits."""

from __future__ import annotations

from modex.core.answers.assertion.wordforms import (
    demonym,
    derived,
    key,
    misspelled,
    number_of,
    related,
    roman_of,
    same_given_name,
    scale_mark,
    shortened,
    sounds_alike,
    spellings_of,
)
from tests.core.answers.tables import differing

_NUMBERS = {
    "7": 7,
    "007": None,
    "0": 0,
    "00": None,
    "123456789012345": 123456789012345,
    "1234567890123456": None,
    "21st": 21,
    "1234567890th": None,
    "3.0": 3,
    "3.0000000": None,
    "3.5": None,
    "seven": 7,
    "twentieth": 20,
    "ninety": 90,
    "dozen": 12,
    "thrice": 3,
    "apple": None,
    "zeroth": 0,
    "5e": 5,
    "5x": None,
    "1er": 1,
}


def test_the_number_that_a_word_is() -> None:
    assert {word: number_of(word) for word in _NUMBERS} == _NUMBERS


_ROMAN = {
    "i": 1,
    "iv": 4,
    "vi": 6,
    "viii": 8,
    "ix": 9,
    "xi": 11,
    "xiv": 14,
    "xxxix": 39,
    "xl": 40,
    "xliv": 44,
    "l": 50,
    "lx": None,
    "li": 51,
    "xxxx": None,
    "iiii": None,
    "vv": None,
    "": None,
    "c": None,
    "mix": None,
    "lxxxviii": None,
    "ic": None,
    "il": None,
}


def test_roman_numerals_below_ninety() -> None:
    assert {word: roman_of(word) for word in _ROMAN} == _ROMAN


_MARKS = {
    "50m": ("50", 1000000),
    "50mn": ("50", 1000000),
    "2bn": ("2", 1000000000),
    "2b": ("2", 1000000000),
    "7k": ("7", 1000),
    "1.5m": ("1.5", 1000000),
    "50": None,
    "m": None,
    "1234567k": None,
    "5n": None,
    "5.1234567m": None,
    "5mm": None,
    "k5": None,
}


def test_a_number_with_a_scale_letter() -> None:
    assert {word: scale_mark(word) for word in _MARKS} == _MARKS


_KEYS = {
    "seven": "#7",
    "7": "#7",
    "21st": "#21",
    "january": "@1",
    "may": "may",
    "mar": "mar",
    "mars": "mar",
    "sep": "sep",
    "sept": "@9",
    "1990s": "90s",
    "90s": "90s",
    "2000s": "00s",
    "2100s": "2100",
    "1890s": "1890",
    "890s": "890",
    "children": "child",
    "km": "kilometer",
    "kilometres": "kilometer",
    "colour": "color",
    "colours": "color",
    "coloured": "color",
    "colouring": "color",
    "colourful": "colorful",
    "favourite": "favorit",
    "flavourable": "flavorabl",
    "hour": "hour",
    "four": "#4",
    "our": "our",
    "centre": "center",
    "centres": "center",
    "theatre": "theater",
    "fibre": "fiber",
    "here": "here",
    "organise": "organiz",
    "organised": "organiz",
    "organises": "organiz",
    "organising": "organiz",
    "organisation": "organization",
    "organiser": "organizer",
    "rise": "rise",
    "wise": "wise",
    "ise": "ise",
    "anaemia": "anemia",
    "foetus": "fetus",
    "sulphur": "sulfur",
    "aluminium": "aluminum",
    "travelled": "travel",
    "travelling": "travel",
    "traveller": "traveler",
    "cities": "city",
    "ties": "tie",
    "glasses": "glass",
    "churches": "church",
    "dishes": "dish",
    "boxes": "box",
    "quizzes": "quizz",
    "cats": "cat",
    "glass": "glass",
    "virus": "virus",
    "basis": "basis",
    "cat": "cat",
    "gas": "gas",
    "was": "was",
    "forward": "forward",
    "used": "use",
    "added": "adde",
    "walking": "walk",
    "walked": "walk",
    "king": "king",
    "sing": "sing",
    "running": "runn",
    "rolled": "role",
    "passing": "pass",
    "buzzing": "buzz",
    "making": "making",
    "hope": "hope",
    "hoping": "hoping",
    "tree": "tree",
    "the": "the",
    "ée": "ée",
    "gases": "gas",
    "yr": "year",
    "ave": "avenu",
}


def test_forms_of_a_word_have_one_key() -> None:
    assert {word: key(word) for word in _KEYS} == _KEYS


_GIVEN = [
    ("jim", "james", True),
    ("bill", "will", True),
    ("bob", "bill", False),
    ("j", "john", True),
    ("john", "j", True),
    ("k", "john", False),
    ("alex", "alexander", True),
    ("al", "albert", True),
    ("maria", "mari", False),
    ("julian", "juliana", False),
    ("chris", "christina", True),
    ("christopherus", "chris", False),
    ("tom", "tommy", True),
    ("ed", "edmund", True),
    ("yuri", "yury", False),
    ("mohammed", "muhammad", False),
    ("same", "same", True),
    ("jo", "joanna", True),
    ("joh", "johannesburg", False),
    ("ann", "anna", False),
    ("ann", "annette", False),
]


def test_given_names_of_one_person() -> None:
    assert [(one, other, same_given_name(one, other)) for one, other, _ in _GIVEN] == _GIVEN


_SOUND = [
    ("muhammad", "mohammed", False),
    ("tchaikovsky", "chaikovsky", False),
    ("gaddafi", "qaddafi", False),
    ("smith", "smyth", False),
    ("lee", "leigh", False),
    ("gorbachev", "gorbachov", True),
    ("dostoevsky", "dostoyevskiy", True),
    ("peter", "pater", False),
    ("schwartz", "shwarz", False),
    ("philip", "filip", False),
    ("mozart", "mozard", False),
    ("kadhafi", "gaddafi", False),
    ("an1rew", "andrew", False),
    ("nicholson", "nikolson", True),
    ("katherine", "catherinexyz", False),
]


def test_transliterations_of_one_name() -> None:
    assert [(one, other, sounds_alike(one, other)) for one, other, _ in _SOUND] == _SOUND


_SLIPS = [
    ("cyndi", "cindy", True),
    ("julian", "juliana", False),
    ("robert", "roberto", True),
    ("roberts", "robertz", False),
    ("johnson", "johnsen", True),
    ("johnson", "jhonson", True),
    ("washington", "washingtn", True),
    ("washington", "wasihngtno", True),
    ("christopher", "kristopher", False),
    ("christopher", "chrisotpehr", True),
    ("michelangelo", "michalangela", True),
    ("smith", "smiht", True),
    ("hamlet", "hamlett", True),
    ("einstein", "einstien", True),
    ("einstein", "einstin", True),
    ("newton", "newto", False),
    ("einstein", "einstei", True),
    ("einstein", "einsteim", False),
    ("same", "same", False),
    ("a1bcdefg", "a1bcdefh", False),
    ("aristotle", "aristotel", True),
    ("aristotle", "aristolte", True),
    ("ibsen", "ipsen", False),
]


def test_slips_of_the_pen_in_a_name() -> None:
    assert [(one, other, misspelled(one, other)) for one, other, _ in _SLIPS] == _SLIPS


_RELATED = [
    ("india", "indian", True),
    ("architecture", "architectural", True),
    ("japan", "japanese", False),
    ("china", "chinese", False),
    ("cat", "cats", False),
    ("nation", "nature", False),
    ("history", "historic", True),
    ("historical", "history", False),
    ("juli", "julia", False),
    ("paris", "parisian", False),
    ("norway", "norwegian", False),
    ("physics", "physicist", False),
    ("organ", "organisms", False),
    ("abcd", "abcdef", False),
    ("abcd", "abce", False),
]


def test_words_of_one_stem() -> None:
    assert [(one, other, related(one, other)) for one, other, _ in _RELATED] == _RELATED


_DERIVED = [
    ("mathematics", "mathematician", True),
    ("catholic", "catholicism", True),
    ("history", "historian", True),
    ("biology", "biological", False),
    ("biology", "biologist", True),
    ("christ", "christian", True),
    ("physics", "physical", True),
    ("economy", "economics", True),
    ("nation", "national", True),
    ("nation", "nature", False),
    ("germany", "germanic", True),
    ("science", "scientist", False),
    ("chemist", "chemistry", False),
    ("violin", "violinist", True),
    ("abcdef", "abcdeg", False),
    ("teacher", "teaching", False),
    ("photograph", "photography", True),
    ("photographs", "photographers", True),
    ("canada", "canadian", False),
]


def test_a_word_with_another_ending() -> None:
    assert [(one, other, derived(one, other)) for one, other, _ in _DERIVED] == _DERIVED


_PEOPLE = [
    ("colombia", "colombian", True),
    ("japan", "japanese", True),
    ("britain", "british", True),
    ("france", "french", True),
    ("iraq", "iraqi", True),
    ("iceland", "icelander", True),
    ("iceland", "icelandic", True),
    ("chile", "chilean", True),
    ("peru", "peruvian", False),
    ("usa", "usan", False),
    ("oman", "omani", True),
    ("italy", "italian", True),
    ("italy", "italic", True),
    ("finland", "finnish", True),
    ("sweden", "swede", False),
    ("iran", "iranian", True),
    ("mali", "malian", True),
    ("germany", "french", False),
    ("poland", "polish", True),
    ("norway", "norwayish", False),
    ("cuba", "cuban", True),
    ("iraq", "irish", False),
]


def test_what_the_people_of_a_country_are_called() -> None:
    assert [(one, other, demonym(one, other)) for one, other, _ in _PEOPLE] == _PEOPLE


_SHORT = {
    "us": "unitedstates",
    "usa": "unitedstates",
    "america": "unitedstates",
    "uk": "unitedkingdom",
    "britain": "unitedkingdom",
    "ww2": "worldwar2",
    "paris": "paris",
}


def test_a_name_with_several_spellings_has_one() -> None:
    assert {word: shortened(word) for word in _SHORT} == _SHORT


def test_the_spellings_of_a_name() -> None:
    assert spellings_of("unitedkingdom") == ("unitedkingdom", "uk", "greatbritain", "britain")
    assert spellings_of("paris") == ("paris",)


_ALIKE = r"""
india indian => related given
india indians => related given
architecture architectural => related derived misspelled
apple apples => same related given
paul paula =>
color colour => same misspelled
cat cats => same given
mathematics mathematician => related derived
catholic catholicism => related derived given
planet plane => related given
cyndi cindy => misspelled
grecco greco => misspelled
massachusetts massachussets => misspelled alike given
tchaikovsky chaikovsky =>
tchaikovsky tschaikowsky => misspelled
dostoevsky dostoyevsky => misspelled alike given
jefferson jeffersen => related misspelled alike given
jefferson jefferso => related derived misspelled given
jefferson kefferson =>
mohammed muhammad => misspelled
smith smyth => misspelled
steven stephen => given
robert rob => given
robert bob => given
rob bob => given
j john => given
john jane =>
j k =>
alexander alex => given
alexand alexandrina => given
jo john =>
joan john =>
maria marie => related misspelled
anna anne =>
philip phillip => misspelled
peking beijing =>
muller mueller => misspelled
center centre => same misspelled alike given
organise organize => same related misspelled alike given
organisation organization => same misspelled alike given
travelled traveled => same misspelled alike given
defence defense => related misspelled
aluminium aluminum => same derived misspelled alike given
sulphur sulfur => same misspelled alike given
gases gas => same given
mice mouse => same
boxes box => same given
classes class => same related given
churches church => same related derived given
cities city => same
ties tie => same given
running run => given
stopped stop => same given
falling fall => given
bed be =>
red re =>
used use => same given
forward forwar => related given
toward towards => same related derived given
news new => same given
bus bus => same given
glass glas => related given
thesis thesi => related misspelled given
virus viru => related given
hundred hundr => same related given
once one => same
may may => same given
sept september => same given
mar march => given
1960s 60s => same
1860s 60s =>
1860s 1960s =>
km kilometre => same
yrs years => same
u.s us =>
naive naïve =>
"""
"""Two words, and in which senses they are one."""
_ROMANS = r"""
i => 1
ii => 2
iii => 3
iv => 4
v => 5
vi => 6
ix => 9
x => 10
xi => 11
xiv => 14
xix => 19
xx => 20
xxix => 29
xxx => 30
xl => 40
xlix => 49
l => 50
li => 51
lix => 59
lx => None
lxx => None
iiii => None
vv => None
vx => None
ic => None
mm => None
iix => None
x1 => None
xxxx => None
civ => None
"""
_DEMONYMS = r"""
colombia colombian => True
japan japanese => True
france french => True
italy italian => True
peru peruvian => False
chile chilean => True
iraq iraqi => True
spain spaniard => False
netherlands dutch => True
usa american => False
oman omani => True
iran irani => True
canada canadian => True
china chinese => True
poland polish => True
russia russ => False
"""


def alike(pair: str) -> str:
    one, other = pair.split(" ")
    rules = {
        "same": key(one) == key(other), "related": related(one, other), "derived": derived(one, other),
        "misspelled": misspelled(one, other), "alike": sounds_alike(one, other), "given": same_given_name(one, other),
    }  # fmt: skip
    return " ".join(name for name, holds in rules.items() if holds)


def test_two_words_are_one_in_the_senses_that_hold() -> None:
    assert differing(_ALIKE, alike) == []
    assert differing(_ROMANS, lambda word: str(roman_of(word))) == []
    assert differing(_DEMONYMS, lambda pair: str(demonym(*pair.split(" ")))) == []
