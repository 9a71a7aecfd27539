from __future__ import annotations

from modex.core.evaluators.instructions.capitals import words_of
from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row

SMALL = "this is a plain english text about the weather in the north of the country"


@each_row(
    ("text", "capital"),
    [
        ("NASA and the WELL-KNOWN 3D A/B", ["NASA", "WELL-KNOWN", "3D", "A/B"]),
        ("U.S. U.N.", ["U.S.", "U.N."]),
        ("I'M, I'VE, WE'LL", ["I", "'M", "I", "'VE", "WE", "'LL"]),
        ("DON'T", ["DO", "N'T"]),
        ('*BOLD* (YES) [NO] "OK"', ["BOLD", "YES", "NO", "OK"]),
        ("ONE--TWO THREE...FOUR A:B 10:30AM", ["ONE", "TWO", "THREE", "FOUR", "A", "B", "10:30AM"]),
        ("42 - ! eBay Word", []),
        ("AT&T C#", ["AT", "T", "C"]),
    ],
)
def test_words_in_capitals_are_cut_as_in_the_treebank(text: str, capital: list[str]) -> None:
    assert [word for word in words_of(text) if word.isupper()] == capital


def test_words_in_capitals_are_counted() -> None:
    kind = "change_case:capital_word_frequency"
    assert found(kind, "STOP it NOW", capital_frequency=3).words == "2 words in capitals, at least 3 asked"
    assert found(kind, "STOP it", capital_frequency=1).words == "1 word in capitals, at least 1 asked"
    assert followed(kind, "STOP it NOW", capital_frequency=3, capital_relation="less than")


def test_english_in_capitals_only() -> None:
    kind = "change_case:english_capital"
    assert found(kind, SMALL.upper()).words == "all letters are capitals"
    assert followed(kind, SMALL.upper())
    assert found(kind, SMALL.upper() + " Almost").words == "'Almost' is not in capitals"
    assert found(kind, "12 + 3").words == "no letters"
    assert not followed(kind, "12 + 3")
    german = found(kind, "DAS IST EIN GANZ GEWÖHNLICHER DEUTSCHER SATZ ÜBER DAS WETTER")
    assert not german.followed
    assert german.words == "all letters are capitals, but it is in 'de', English asked"


def test_english_without_a_capital() -> None:
    kind = "change_case:english_lowercase"
    assert found(kind, SMALL).words == "no letter is a capital"
    assert followed(kind, SMALL)
    assert found(kind, SMALL + " Almost").words == "'Almost' has a capital"
    assert found(kind, "12 + 3").words == "no letters"
    assert not followed(kind, "das ist ein ganz gewöhnlicher deutscher satz über das wetter")


def test_a_text_that_is_too_short_to_tell_is_taken_for_english() -> None:
    assert followed("change_case:english_lowercase", "etchings")
