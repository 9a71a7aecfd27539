"""The golds of conversation that follow from bookkeeping are worked out again here."""

from __future__ import annotations

from fractions import Fraction

from tests.suite.golds import golds

TESTS = golds("conversation")


def test_conversations_end_with_the_user_and_alternate() -> None:
    for test_id, test in TESTS.items():
        if isinstance(test["prompt"], list):
            roles = [turn["role"] for turn in test["prompt"]]
            assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"], test_id
            assert all(turn["content"].strip() for turn in test["prompt"]), test_id


def test_dumplings_with_meat() -> None:
    mine, his = 12, 6
    his_without_meat = his // 2
    mine -= 4
    assert TESTS["dumpling_order"]["expected"]["value"] == mine + his - his_without_meat


def test_portions_for_the_party() -> None:
    adults = {"colleagues": 14, "neighbours": 6, "partners": 9}
    children = 0
    adults["colleagues"] -= 2
    children += 3
    adults["neighbours"] -= 1
    children += 2
    adults["hosts"] = 2
    assert TESTS["party_portions"]["expected"]["value"] == sum(adults.values()) + Fraction(children, 2)


def test_the_day_that_suits_all_three() -> None:
    week = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}
    me = ({"Monday", "Wednesday", "Friday"} - {"Friday"}) | {"Tuesday"}
    ilse = ((week - {"Wednesday"}) | {"Wednesday"}) - {"Tuesday"}
    joao = {"Tuesday", "Wednesday", "Friday"}
    assert {TESTS["three_calendars"]["expected"]["value"]} == me & ilse & joao


def test_the_umbrella_follows_the_story() -> None:
    owner = holder = "Rosa"
    for receiver in ("Mei", "Jon"):
        holder = receiver
    assert TESTS["whose_umbrella"]["expected"]["value"] == f"{holder}, {owner}"


def test_beliefs_follow_from_what_each_saw() -> None:
    moves = [
        ("blue jar", {"Tove", "Nils"}),
        ("tin box", {"Nils", "Tove"}),
        ("drawer", {"Nils"}),
    ]
    seen_by_tove = [place for place, witnesses in moves if "Tove" in witnesses]
    seen_by_tove_as_nils_thinks = seen_by_tove[:1]
    assert TESTS["who_knows_what"]["expected"]["value"] == f"{seen_by_tove_as_nils_thinks[-1]}; {seen_by_tove[-1]}"


def test_a_random_door_leaves_even_odds() -> None:
    shown, won = Fraction(0), Fraction(0)
    for prize in (1, 2, 3):
        for opened in (2, 3):
            if opened != prize:
                shown += Fraction(1, 6)
                won += Fraction(1, 6) if prize == 1 else 0
    assert won / shown == Fraction(1, 2)
    assert TESTS["random_host"]["expected"]["value"] == r"\frac{1}{2}"


def test_three_scarves_cost_three_times_one() -> None:
    patterns = {item["id"]: item["regex"] for item in TESTS["standing_rule"]["expected"]["items"]}
    assert r"145\.000" in patterns["one"]
    assert rf"{3 * 145}\.000" in patterns["three"]
