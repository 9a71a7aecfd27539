"""Every reasoning gold is the only one that its clues allow, found by trying every case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any, TypeVar

from tests.rows import each_row
from tests.suite.golds import golds_by_hand

TESTS = golds_by_hand("reasoning")
T = TypeVar("T")
WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
HARI = ["Senin", "Selasa", "Rabu", "Kamis", "Jumat", "Sabtu", "Minggu"]


def only(found: Iterator[T]) -> T:
    """The single value among what was found."""
    (value,) = set(found)
    return value


def orders(*names: str) -> Iterator[tuple[dict[str, int], tuple[str, ...]]]:
    """Every order of `names`: the 1-based place of each, and the order itself."""
    for order in permutations(names):
        yield {name: place for place, name in enumerate(order, 1)}, order


def three_days_ago() -> str:
    return only(WEEK[day - 3] for day in range(7) if WEEK[(day + 2) % 7] == "Sunday")


def shortest() -> str:
    return only(order[-1] for at, order in orders("Ana", "Ben", "Cleo") if at["Ana"] < at["Ben"] < at["Cleo"])


def four_in_a_row() -> str:
    return only(
        order[0]
        for at, order in orders("Ada", "Bilal", "Chiara", "Daan")
        if abs(at["Ada"] - at["Bilal"]) != 1
        and at["Chiara"] < at["Ada"]
        and at["Daan"] == at["Chiara"] + 1
        and at["Daan"] not in (1, 4)
    )


def distance_walked() -> float:
    place, heading = 0j, 1j
    for length in (5, 3, 9, 3):
        place += heading * length
        heading *= -1j
    return abs(place)


def relation_of_lucia() -> str:
    mothers = {"Pablo": "Lucía", "Inés": "Lucía", "Tomás": "Inés"}
    return "abuela" if mothers[mothers["Tomás"]] == "Lucía" else "?"


def must(premises: Callable[..., bool], conclusion: Callable[..., bool], facts: int) -> bool:
    """Whether the conclusion holds in every case in which the premises do."""
    cases = [case for case in product((False, True), repeat=facts) if premises(*case)]
    assert cases, "premises that contradict each other prove anything"
    return all(conclusion(*case) for case in cases)


def third_islander() -> str:
    return only(
        "a knight" if cruz else "a knave"
        for anu, bao, cruz in product((False, True), repeat=3)
        if anu == (not bao) and bao == (anu == cruz)
    )


def fifth_race() -> str:
    return only(
        order[2]
        for at, order in orders("Jan", "Kim", "Lea", "Mio", "Nele")
        if at["Jan"] < at["Kim"]
        and at["Jan"] != 1
        and at["Lea"] == at["Nele"] + 2
        and at["Mio"] not in (1, 5)
        and abs(at["Kim"] - at["Mio"]) == 1
    )


def last_talk() -> str:
    return only(
        order[3]
        for at, order in orders("Ayu", "Budi", "Cici", "Dedi")
        if at["Budi"] > at["Ayu"] and at["Budi"] != 4 and at["Cici"] != 1 and at["Dedi"] + 1 == at["Ayu"]
    )


def socks() -> int:
    unlucky = (sum(taken) for taken in product(range(6), range(8), range(10)) if max(taken) < 4)
    return 1 + max(unlucky)


def fish_keeper() -> str:
    found = []
    for who, who_in in orders("Ana", "Bo", "Cem", "Dia"):
        for door, _ in orders("red", "green", "blue", "white"):
            for pet, _ in orders("cat", "dog", "parrot", "fish"):
                clues = (
                    who["Cem"] in (1, 4) and abs(who["Cem"] - door["white"]) == 1,
                    who["Cem"] < who["Dia"],
                    who["Bo"] == door["red"] and door["red"] in (2, 3),
                    pet["cat"] == door["white"],
                    door["green"] < pet["dog"],
                    pet["dog"] not in (who["Dia"], 4),
                    abs(who["Ana"] - pet["parrot"]) == 1,
                )
                if all(clues):
                    found.append(who_in[pet["fish"] - 1])
    assert len(found) == 1, "one way to fill the whole grid"
    return found[0]


def knaves() -> int:
    return only(
        6 - sum(truthful)
        for truthful in product((False, True), repeat=6)
        if all(truthful[k - 1] == (6 - sum(truthful) >= k) for k in range(1, 7))
    )


def crossing_time() -> int:
    """Dijkstra without a queue: relax every state until nothing improves."""
    paces = (2, 6, 7, 9)
    best = {(frozenset(range(4)), True): 0}
    changed = True
    while changed:
        changed = False
        for (near, lantern_near), time in list(best.items()):
            side = near if lantern_near else frozenset(range(4)) - near
            for a, b in product(side, repeat=2):
                state = (near ^ {a, b} if a != b else near ^ {a}, not lantern_near)
                total = time + max(paces[a], paces[b])
                if total < best.get(state, 10**6):
                    best[state], changed = total, True
    return best[frozenset(), False]


def cards_to_turn() -> str:
    """A card must be turned if what may be on its back could break the rule."""
    faces: dict[str, list[tuple[str, int]]] = {
        "E": [("E", n) for n in range(10)],
        "K": [("K", n) for n in range(10)],
        "4": [(chr(65 + i), 4) for i in range(26)],
        "7": [(chr(65 + i), 7) for i in range(26)],
    }
    breaks = {face: any(n % 2 == 0 and letter not in "AEIOU" for letter, n in cards) for face, cards in faces.items()}
    return " と ".join(face for face, broken in breaks.items() if broken)


def five_offices() -> str:
    found = []
    for who, order in orders("Ada", "Ben", "Chi", "Dov", "Eva"):
        for plays, _ in orders("harp", "drum", "flute", "cello", "oboe"):
            if who["Ben"] + 1 != plays["cello"] or who["Chi"] + 1 != plays["drum"]:
                continue
            for drink, _ in orders("tea", "milk", "juice", "water", "cocoa"):
                if not (
                    plays["cello"] + 1 == drink["milk"]
                    and abs(drink["milk"] - plays["harp"]) == 1
                    and drink["water"] == who["Eva"]
                    and drink["cocoa"] == plays["cello"]
                    and drink["tea"] + 1 == plays["drum"]
                    and abs(drink["cocoa"] - plays["flute"]) == 1
                ):
                    continue
                found += [
                    order
                    for door, _ in orders("red", "blue", "green", "white", "black")
                    if abs(door["green"] - who["Ada"]) == 1
                    and door["white"] + 1 == drink["water"]
                    and abs(door["red"] - who["Ada"]) == 2
                    and who["Ada"] + 1 == door["black"]
                ]
    assert len(found) == 1, "one way to fill the whole grid"
    return ", ".join(found[0])


def one_spy() -> str:
    found = []
    for kinds in product(("knight", "knave", "spy"), repeat=4):
        ama, bea, cas, dee = kinds
        said = (kinds.count("knight") == 2, bea == cas, dee == "knight", ama == dee)
        honest = all(kind == "spy" or true == (kind == "knight") for kind, true in zip(kinds, said, strict=True))
        if kinds.count("spy") == 1 and honest:
            found.append(", ".join(kinds))
    return only(iter(found))


def letter_and_number() -> str:
    codes = {"P1", "P3", "P5", "Q2", "Q6", "R4", "R6", "S1", "S2", "S3", "T1", "T5"}
    for speaker, knows in ((0, False), (1, False), (0, False), (1, False), (0, False), (1, True), (0, True)):
        told = [code[speaker] for code in codes]
        codes = {code for code in codes if (told.count(code[speaker]) == 1) == knows}
    return only(iter(codes))


@cache
def mover_wins(a: int, b: int) -> bool:
    moves = [(a - k, b) for k in (1, 3, 4) if k <= a] + [(a, b - k) for k in (1, 3, 4) if k <= b]
    return not moves or any(not mover_wins(*move) for move in moves)


def lost_pairs() -> int:
    return sum(not mover_wins(a, b) for a in range(1, 9) for b in range(a, 9))


def fewest_pours() -> int:
    sizes, pours = (13, 9, 5), 0
    states: set[tuple[int, ...]] = {(13, 0, 0)}
    while not any(6 in state for state in states):
        reached = set()
        for state, (source, target) in product(states, permutations(range(3), 2)):
            amount = min(state[source], sizes[target] - state[target])
            change = {source: -amount, target: amount}
            reached.add(tuple(held + change.get(jug, 0) for jug, held in enumerate(state)))
        states, pours = states | reached, pours + 1
    return pours


def next_number() -> int:
    row = [4, 7, 10, 13]
    return row[-1] + only(b - a for a, b in pairwise(row))


def youngest_of_three() -> str:
    return only(order[-1] for at, order in orders("Marta", "Rui", "Sofia") if at["Marta"] < at["Rui"] < at["Sofia"])


def end_of_the_queue() -> str:
    return only(
        order[-1]
        for at, order in orders("小明", "小红", "小刚", "小丽")
        if at["小红"] == at["小明"] + 1 and at["小丽"] == 1 and at["小刚"] != 4
    )


def day_of_khalid() -> str:
    days = ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء"]
    return only(
        days[at["خالد"] - 1]
        for at, _ in orders("سلمى", "خالد", "نور", "عمر")
        if at["خالد"] == at["سلمى"] + 1 and at["نور"] in (2, 3) and at["عمر"] < at["سلمى"]
    )


ANSWERS: dict[str, Callable[[], Any]] = {
    "shortest_of_three": shortest,
    "tiga_hari_lagi": lambda: HARI[HARI.index("Rabu") + 3],
    "vaccinated_cat": lambda: must(lambda cat, shot: cat and (shot or not cat), lambda cat, shot: shot, 2),
    "naechste_zahl": next_number,
    "box_in_box": lambda: {"red": "blue", "blue": "green"}.get("green") == "red",
    "four_in_a_row": four_in_a_row,
    "blue_keys": lambda: must(lambda blue, opens: opens and (opens or not blue), lambda blue, opens: blue, 2),
    "three_days_ago": three_days_ago,
    "parentesco": relation_of_lucia,
    "walk_in_the_field": distance_walked,
    "third_islander": third_islander,
    "fuenf_laeufer": fifth_race,
    "jadwal_bicara": last_talk,
    "unless_and_only_if": lambda: must(
        lambda door, light, alarm: (door or not alarm) and (light or door) and not light and not alarm,
        lambda door, light, alarm: door,
        3,
    ),
    "chaussettes": socks,
    "four_houses": fish_keeper,
    "at_least_k": knaves,
    "lantern_bridge": crossing_time,
    "four_cards": cards_to_turn,
    "five_offices": five_offices,
    "one_spy": one_spy,
    "letter_and_number": letter_and_number,
    "last_stone_loses": lost_pairs,
    "three_jugs": fewest_pours,
    "quem_e_mais_novo": youngest_of_three,
    "paidui": end_of_the_queue,
    "kitne_saal": lambda: 20 - 5 + 3,
    "mawaid": day_of_khalid,
}


@each_row("test_id", ANSWERS)
def test_the_gold_is_the_only_answer(test_id: str) -> None:
    expected = TESTS[test_id]["expected"]
    gold = expected["options"][expected["value"]] if expected["type"] == "choice" else expected["value"]
    assert ANSWERS[test_id]() == gold


def test_every_gold_is_solved() -> None:
    assert set(ANSWERS) == set(TESTS)


@each_row("test_id", [test_id for test_id in TESTS if TESTS[test_id]["expected"]["type"] == "choice"])
def test_options_stand_in_the_prompt(test_id: str) -> None:
    expected = TESTS[test_id]["expected"]
    assert len(set(expected["options"].values())) == len(expected["options"])
    for letter, text in expected["options"].items():
        assert f"\n{letter}) {text}" in TESTS[test_id]["prompt"]
