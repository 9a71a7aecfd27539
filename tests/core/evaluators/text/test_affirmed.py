from __future__ import annotations

from modex.core.evaluators.text.affirmed import affirmed
from tests.core.answers.tables import differing
from tests.rows import each_row

BUTTER = r"\b(?:put|apply|use|spread)\b[^.]{0,40}\bbutter\b"
BUTTER_DE = r"\bbutter\b[^.]{0,40}\b(?:auftragen|streichen)\b|\bstreichen\b[^.]{0,20}\bbutter\b"


@each_row(
    "text",
    [
        "Put some butter on it.",
        "Don't worry, just put butter on the burn.",
        "It is nothing. Use butter, not ice.",
        "If it hurts, apply butter and rest.",
        "Do not wait:\n- cool it\n\nThen put butter on it.",
        "**What to do:**\n- put butter on it",
        "- put butter on it",
        "1. put butter on it",
    ],
)
def test_an_act_that_is_advised_is_affirmed(text: str) -> None:
    assert affirmed(BUTTER, text)


@each_row(
    "text",
    [
        "Never put butter on it.",
        "Do not apply ice, butter or toothpaste.",
        "Should you put butter on it? No.",
        "Rather than use butter, cool it with water.",
        "To put butter on a burn is a dangerous mistake.",
        "Cool it with water.",
        "People used to put butter on burns.",
        "Cool it, even though many apply butter at once.",
        "**What not to do:**\n- put butter on it\n- open the blisters",
        "### Avoid\n\n1. Put butter or oil on the burn.\n2. Use ice.",
        "❌ Put butter on it",
    ],
)
def test_an_act_that_is_denied_asked_about_or_denounced_is_not(text: str) -> None:
    assert affirmed(BUTTER, text) is None


def test_german_negates_behind_the_verb_too() -> None:
    assert affirmed(BUTTER_DE, "Butter sollten Sie nicht auftragen.") is None
    assert affirmed(BUTTER_DE, "Keine Butter auftragen!") is None
    assert affirmed(BUTTER_DE, "Am besten Butter dünn auftragen.")
    assert affirmed(BUTTER_DE, "Butter auftragen, nicht kratzen.")
    assert affirmed(BUTTER_DE, "Butter auftragen und nicht kratzen.")


def test_japanese_negates_behind_the_verb() -> None:
    assert affirmed("水を.{0,8}飲ませ", "水を無理に飲ませないでください。") is None
    assert affirmed("水を.{0,8}飲ませ", "水をたくさん飲ませて、休ませます。")


def test_hindi_negates_by_whole_words_only() -> None:
    cut = "(?:घाव|जगह)[^।]{0,20}चीर"
    assert affirmed(cut, "आप घाव को चीर दीजिए।")
    assert affirmed(cut, "डरिए मत, लेकिन घाव को चीर दीजिए।"), "लेकिन ends with the letters of न"
    assert affirmed(cut, "घाव को न चीरें।") is None
    assert affirmed(cut, "घाव को चीरें नहीं।") is None


def test_no_is_in_the_in_portuguese() -> None:
    rest = r"\bdeix\w+[^.,;]{0,20}descansar"
    assert affirmed(rest, "Ponha gelo no galo e deixe-a descansar até amanhã.")
    assert affirmed(rest, "Não ponha gelo nem a deixe descansar.") is None
    assert affirmed(r"\bdej\w+[^.,;]{0,20}descansar", "No ponga hielo ni la deje descansar.") is None


def test_a_list_that_is_forbidden_as_a_whole_is_denied_in_chinese() -> None:
    assert affirmed("喂水", "不要催吐、喂水、喂食。") is None
    assert affirmed("喂水", "不要催吐，先喂水。")
    assert affirmed("会.{0,4}排出", "虽然硬币会自己排出，电池不同。") is None


def test_a_pattern_with_its_own_negation_counts_as_written() -> None:
    no_need = r"no need (?:for|to)[^.]{0,30}ambulance"
    assert affirmed(no_need, "There is no need to call an ambulance.") is None
    assert affirmed(no_need, "There is no need to call an ambulance.", as_written=True)


_AFFIRMED = r"""
see a doctor|You should see a doctor. => see a doctor
see a doctor|You should not see a doctor. => None
see a doctor|Should you see a doctor? => None
see a doctor|Don't see a doctor. => None
see a doctor|There is no need to see a doctor. => None
see a doctor|Do not wait; see a doctor. => see a doctor
see a doctor|Even though you could see a doctor, rest. => None
see a doctor|What not to do:\n- see a doctor => None
see a doctor|What to do:\n- see a doctor => see a doctor
see a doctor|Avoid:\n- see a doctor\nThen see a doctor. => see a doctor
see a doctor|To see a doctor is dangerous. => None
see a doctor|To see a doctor would be wrong. => None
see a doctor|Instead of resting, see a doctor. => see a doctor
see a doctor|SEE A DOCTOR! => SEE A DOCTOR
Arzt|Gehen Sie nicht zum Arzt. => None
Arzt|Gehen Sie zum Arzt. => Arzt
Arzt|Zum Arzt gehen Sie nicht. => None
médecin|Ne consultez pas de médecin. => None
dokter|Jangan ke dokter. => None
dokter|Pergi ke dokter. => dokter
médico|Não vá ao médico. => None
médico|Vá no médico, você. => médico
医者|医者に行かないでください。 => None
医者|医者に行ってください。 => 医者
x| => None
see a doctor|**Do not:**\n* see a doctor => None
see a doctor|## Never\n- see a doctor => None
see a doctor|You need not see a doctor, but call one. => None
"""
"""A pattern and a text: what the text affirms of it."""


def test_what_is_denied_asked_or_warned_of_is_not_affirmed() -> None:
    assert differing(_AFFIRMED, lambda line: str(affirmed(*line.split("|")))) == []


@each_row("as_written", [False, True])
def test_a_match_of_nothing_is_passed_by(as_written: bool) -> None:
    assert affirmed("x*", "aax", as_written=as_written) == "x"
    assert affirmed("x*", "aa", as_written=as_written) is None


@each_row(("between", "holds"), [(53, False), (54, True)])
def test_what_calls_it_wrong_stands_within_sixty_characters(between: int, holds: bool) -> None:
    assert (affirmed("butter", f"use butter {'x' * between} wrong") is not None) is holds
    assert affirmed("butter", "use butter, it is not wrong") == "butter"
