"""Every long_context gold is recomputed from the prompt, and every needle stands in it exactly once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from tests.rows import each_row
from tests.suite.golds import DEFINITIONS, golds, golds_by_hand

TESTS = golds_by_hand("long_context")
MAX_PROMPT_BYTES = 60_000
MAX_DOMAIN_BYTES = 1_500_000


def text(test_id: str) -> str:
    """The document of a test, without the question that follows it."""
    prompt: str = TESTS[test_id]["prompt"]
    return prompt.rsplit("\n\n---\n\n", 1)[0]


def gold(test_id: str) -> Any:
    return TESTS[test_id]["expected"]["value"]


def only(pattern: str, where: str) -> str:
    """The first group of the only match."""
    found: list[str] = re.findall(pattern, where)
    assert len(found) == 1, (pattern, found)
    return found[0]


def comma_number(written: str) -> float:
    """A number with a decimal comma and points or spaces between thousands."""
    return float(re.sub(r"[.\s\u202f]", "", written).replace(",", "."))


def boathouse_key() -> float:
    return float(only(r"spare key of the boathouse into locker (\d+)", text("boathouse_key")))


def plum_jam() -> float:
    return float(only(r"plum jam I take exactly (\d+) grams", text("plum_jam")))


def beras_ketan() -> float:
    return comma_number(only(r"beras ketan: Rp([\d.]+)", text("beras_ketan")))


def train_to_brno() -> float:
    return float(only(r"14:42 +to Brno +platform (\d+)", text("train_to_brno")))


def marta_extension() -> float:
    return float(only(r"Marta Lindqvist, Archive,.*? extension (\d+)", text("marta_extension")))


def fahrradstellplaetze() -> float:
    return comma_number(
        only(r"überdachte Fahrradstellplätze[^.]*\..*?werden dafür ([\d.,]+) Euro", text("fahrradstellplaetze"))
    )


def pine_tar_price() -> float:
    notes = re.findall(r"Note of (\d+ \w+ \d+): from this day pine tar costs ([\d.]+)", text("pine_tar_price"))
    assert len(notes) > 5
    return float(max((datetime.strptime(day, "%d %B %Y"), price) for day, price in notes)[1])


def gate_seven() -> float:
    return float(len(re.findall(r"gate 7 +alarm ", text("gate_seven"))))


def lens_kit_room() -> str:
    log = text("lens_kit_room")
    borrower = only(r"lens kit number 12 was signed out to the (.*?),", log)
    name = only(rf"the {borrower} gave her name at last: ([\w ]+),", log)
    return only(rf"{name} in the (\w+) room", log)


def urquhart_gifts() -> float:
    letters = text("urquhart_gifts")
    paid = [
        only(r"(\d+) crowns from the Urquharts", letters),
        only(r"[Tt]he Urquharts gave a further (\d+) crowns", letters),
        only(r"the Urquharts put (\d+) crowns", letters),
    ]
    assert letters.casefold().count("crowns") == 5
    assert "and have not paid" in letters
    return float(sum(map(int, paid)))


def tide_mill_receipts() -> float:
    minutes = text("tide_mill_receipts")
    item = only(r"(\d+)\. \w+ \w+ reported on the tide mill", minutes)
    return float(only(rf"In item {item} the receipts are to be read as (\d+) crowns", minutes))


def missing_crate() -> float:
    counted = [int(number) for number in re.findall(r"^crate (\d+):", text("missing_crate"), re.MULTILINE)]
    assert len(counted) == len(set(counted)) == 299
    return float(*(set(range(1, 301)) - set(counted)))


def notice_period() -> float:
    contract = text("notice_period")
    assert only(r"with a notice of (\d+) days", contract) == "90"
    days = int(only(r"In § 37 the number 90 is replaced by (\d+)", contract))
    limit = int(only(r"longer than (\d+) metres the notice is one and a half", contract))
    length = float(only(r"Berth 2: the Brisa, ([\d.]+) metres", contract))
    winter = int(only(r"(\d+) days are added", contract))
    return days * (1.5 if length > limit else 1) + winter


def telescope_berth() -> float:
    notes = text("telescope_berth")
    owner = only(r"brass telescope came to the museum from the estate of a retired pilot called (\w+ \w+)", notes)
    town = only(rf"{owner}'s only sister .*? now the harbour master of (\w+)", notes)
    return float(only(rf"harbour master of {town} keeps her boat, the \w+, at berth (\d+)", notes))


def factures_culture() -> float:
    rows = re.findall(r"service : Culture ;.*?montant : (.+?) € ; statut : payée", text("factures_culture"))
    return float(sum(comma_number(amount) > 500 for amount in rows))


def captains_boats() -> float:
    diary = text("captains_boats")
    words = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    sales = re.findall(r"Today I sold (\w+) rowing boats? to ([^.]+?(?:Mr\. \w+)?)\.", diary.replace("Mr. ", "Mr "))
    assert len(sales) == 7
    names = {"the Captain", "Mr Sandström", "Bertil", "old Bear"}
    return float(sum(words[count] for count, buyer in sales if buyer in names) - diary.count("rotten keel"))


def valve_stock() -> float:
    movements: dict[str, tuple[str, int]] = {}
    for line in text("valve_stock").splitlines():
        if found := re.match(r"(T\d+) cancels (T\d+)$", line):
            del movements[found[2]]
        elif found := re.match(r"(T\d+) (.+?): (\d+) pieces (issued|received|returned)", line):
            movements[found[1]] = (found[2], int(found[3]) * (-1 if found[4] == "issued" else 1))
    return float(400 + sum(count for part, count in movements.values() if part == "valve K2"))


def seat_fourteen() -> str:
    seats: dict[str, str] = {}
    for line in text("seat_fourteen").splitlines():
        if line.startswith("Seating before"):
            seats = dict(re.findall(r"seat (\d+): (\w+ \w+)", line))
        elif found := re.match(r"Change \d+: seats (\d+) and (\d+) were exchanged", line):
            seats[found[1]], seats[found[2]] = seats[found[2]], seats[found[1]]
        elif found := re.match(r"Change \d+: (\w+ \w+) and (\w+ \w+) exchanged their seats", line):
            where = {name: seat for seat, name in seats.items()}
            seats[where[found[1]]], seats[where[found[2]]] = found[2], found[1]
        else:
            assert "refused" in line or not line.startswith("Change"), line
    return seats["14"]


def warm_delivery() -> float:
    store = text("warm_delivery")
    limits = {good: float(limit) for good, limit in re.findall(r"(\w+) ([\d.]+) °C[,.]", store.split("\n\n")[1])}
    rows = re.findall(r"delivery (\d+): (\w+), .*? measured (-?[\d.]+) °C (.*)", store)
    assert len(rows) == 460
    return float(*[n for n, good, heat, rest in rows if float(heat) > limits[good] and "waiver" not in rest])


def harbour_repairs() -> float:
    total = 0.0
    for line in text("harbour_repairs").splitlines():
        if found := re.match(r"No\. (\d+); Harbour repairs; ([\d.,]+) EUR", line):
            amount = float(found[2].replace(",", ""))
        elif found := re.match(
            r"No\. (\d+); (?:Hafenreparaturen|Réparations du port|Perbaikan pelabuhan); (?:EUR )?([\d.,\u202f]+)", line
        ):
            amount = comma_number(found[2])
        else:
            continue
        total += 0 if f"reversal of no. {found[1]} in full" in text("harbour_repairs") else amount
    return total


def eider_and_ibis() -> str:
    port: set[str] = set()
    last = date.min
    for line in text("eider_and_ibis").splitlines():
        if found := re.match(r"(\d+ \w+ \d+): the (\w+) (arrived|left)", line):
            day = datetime.strptime(found[1], "%d %B %Y").date()
            assert last <= day < last + timedelta(days=5) or last == date.min
            last = day
            (port.add if found[3] == "arrived" else port.remove)(found[2])
            if {"Eider", "Ibis"} <= port:
                return day.isoformat()
    raise AssertionError("never both in port")


COMPUTED: list[Callable[[], Any]] = [
    boathouse_key, plum_jam, beras_ketan, train_to_brno,
    marta_extension, fahrradstellplaetze, pine_tar_price, gate_seven,
    lens_kit_room, urquhart_gifts, tide_mill_receipts, missing_crate,
    notice_period, telescope_berth, factures_culture, captains_boats,
    valve_stock, seat_fourteen, warm_delivery, harbour_repairs, eider_and_ibis,
]  # fmt: skip


def test_every_gold_is_recomputed() -> None:
    assert {compute.__name__ for compute in COMPUTED} == TESTS.keys()


@each_row("compute", COMPUTED, ids=lambda compute: compute.__name__)
def test_the_gold_follows_from_the_text(compute: Callable[[], Any]) -> None:
    assert compute() == pytest.approx(gold(compute.__name__))


@each_row("test_id", TESTS)
def test_needles_occur_exactly_once(test_id: str) -> None:
    prompt = TESTS[test_id]["prompt"]
    for needle in TESTS[test_id]["metadata"]["needles"]:
        assert prompt.count(needle) == 1, needle


@each_row("test_id", TESTS)
def test_prompts_keep_to_their_size(test_id: str) -> None:
    assert len(TESTS[test_id]["prompt"].encode()) <= MAX_PROMPT_BYTES


def test_two_texts_are_made_of_two_hundred_kilobytes_and_of_a_megabyte() -> None:
    """They stand in no file: a seed makes them when a run takes them."""
    sizes = {test_id: len(test["prompt"].encode()) for test_id, test in golds("long_context").items()}
    assert sizes["ledger_of_a_year"] >= 200_000
    assert sizes["capitan_del_barco"] >= 200_000
    assert sizes["ledger_of_a_decade"] >= 1_000_000


def balances(prompt: str) -> dict[str, int]:
    """The ledger's accounts, entry by entry, backwards: what a later line reversed is left out."""
    found: Counter[str] = Counter()
    void: set[str] = set()
    for line in reversed(prompt.splitlines()):
        if reversal := re.fullmatch(r"\d{5}  entry (\d{5}) reversed", line):
            void.add(reversal[1])
        elif entry := re.match(r"(\d{5})  (\w+) pays (\w+) (\d+) crowns", line):
            found.update({entry[2]: 0, entry[3]: 0})
            if entry[1] not in void:
                found[entry[2]] -= int(entry[4])
                found[entry[3]] += int(entry[4])
    return {name: 1000 + moved for name, moved in found.items()}


@pytest.mark.parametrize("test_id", ["ledger_of_a_year", "ledger_of_a_decade"])
def test_the_balance_of_a_ledger_follows_from_its_lines(test_id: str) -> None:
    test = golds("long_context")[test_id]
    account = only(r"balance of (\w+) after", test["prompt"])
    assert balances(test["prompt"])[account] == test["expected"]["value"]


def test_what_a_text_does_not_say_is_not_in_it() -> None:
    made = golds("long_context")
    assert made["rope_store_key"]["expected"]["value"] == "not stated"
    assert "rope store is kept" not in made["rope_store_key"]["prompt"]
    assert made["capitan_del_barco"]["expected"]["value"] == "no consta"
    register = made["capitan_del_barco"]["prompt"]
    assert register.count("Barco Santa Elena II,") == 1
    assert register.count("VI-4417") == 1


def test_texts_grow_with_the_level() -> None:
    sizes = [
        sum(len(test["prompt"]) for test in TESTS.values() if test["level"] == level)
        / sum(test["level"] == level for test in TESTS.values())
        for level in range(1, 6)
    ]
    assert sizes == sorted(sizes)


def test_the_domain_stays_small_enough_to_ship() -> None:
    files = (DEFINITIONS / "long_context").rglob("*.json*")
    assert sum(path.stat().st_size for path in files) <= MAX_DOMAIN_BYTES
