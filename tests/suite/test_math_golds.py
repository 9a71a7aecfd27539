"""Every mathematics gold is recomputed here, mostly by enumeration, without the method a solver would use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

import pytest

from tests.rows import each_row
from tests.suite.golds import golds_by_hand

TESTS = golds_by_hand("math")


def digit_sum_ten() -> int:
    return sum(sum(map(int, str(number))) == 10 for number in range(1, 2027))


def letters_and_envelopes() -> int:
    right = ([place for place, letter in enumerate(order) if place == letter] for order in permutations(range(6)))
    return sum(len(places) == 2 and 0 not in places for places in right)


def committee() -> int:
    people = "WWWWWWWMMMMM"
    chosen = ([people[index] for index in pick] for pick in combinations(range(12), 4))
    return sum(group.count("W") >= 2 and group.count("M") >= 1 for group in chosen)


@cache
def draws_to_red(red: int, blue: int) -> Fraction:
    if blue == 0:
        return Fraction(1)
    return 1 + Fraction(blue, red + blue) * draws_to_red(red, blue - 1)


def monthly_rate() -> float:
    """The rate that pays off the loan, by bisection over the debt itself, in hundredths."""
    low, high = Decimal(0), Decimal(12000)
    for _ in range(80):
        rate = (low + high) / 2
        debt = Decimal(12000)
        for _ in range(24):
            debt = debt * Decimal("1.005") - rate
        low, high = (rate, high) if debt > 0 else (low, rate)
    return float(low.quantize(Decimal("0.01"), ROUND_HALF_UP))


def integral() -> float:
    """Simpson's rule for x·e^(2x) on [0, 1]."""
    steps = 2000
    weights = [1, *[4, 2] * (steps // 2 - 1), 4, 1]
    return sum(w * (i / steps) * math.exp(2 * i / steps) for i, w in enumerate(weights)) / (3 * steps)


@cache
def lattice_paths(x: int, y: int) -> int:
    if x < 0 or y < 0 or (x, y) == (4, 4) or y == x + 3:
        return 0
    return 1 if (x, y) == (0, 0) else lattice_paths(x - 1, y) + lattice_paths(x, y - 1)


def bracelets() -> int:
    """The smallest image under the 24 symmetries names a bracelet, so the different names are counted."""
    names = set()
    for reds in combinations(range(12), 4):
        free = [place for place in range(12) if place not in reds]
        for greens in combinations(free, 4):
            beads = "".join("r" if i in reds else "g" if i in greens else "w" for i in range(12))
            if beads in names:
                continue
            rounds = [line * 2 for line in (beads, beads[::-1])]
            names.add(min(line[turn : turn + 12] for line in rounds for turn in range(12)))
    return len(names)


@cache
def tilings(free: frozenset[tuple[int, int]]) -> int:
    """Ways to cover the free cells with dominoes: the first cell's partner is to its right or below it."""
    if not free:
        return 1
    row, column = first = min(free)
    partners = {(row, column + 1), (row + 1, column)} & free
    return sum(tilings(free - {first, partner}) for partner in partners)


def holed_board() -> int:
    return tilings(frozenset((r, c) for r in range(6) for c in range(6) if not {r, c} <= {2, 3}))


def biased_pattern() -> Fraction:
    """Expected tosses by value iteration over how much of HTHT the last tosses match; exact after rounding to 1/4."""
    after = {0: (1, 0), 1: (1, 2), 2: (3, 0), 3: (1, 4)}
    expected = [0.0] * 5
    for _ in range(3000):
        expected = [1 + 2 / 3 * expected[after[s][0]] + 1 / 3 * expected[after[s][1]] for s in range(4)] + [0.0]
    return Fraction(expected[0]).limit_denominator(100)


def pairs_mod_65() -> int:
    squares = [a * a for a in range(1, 1001)]
    counts = [sum(square % 65 == residue for square in squares) for residue in range(65)]
    return sum(counts[r] * counts[-r % 65] for r in range(65))


def far_apart_neighbours() -> int:
    return sum(all(abs(a - b) >= 3 for a, b in pairwise(p)) for p in permutations(range(1, 9)))


def mixture() -> float:
    """The only amount, in tenths of a litre, that gives 40 %."""
    return next(x / 10 for x in range(1, 1000) if (12 * 25 + x / 10 * 70) == 40 * (12 + x / 10))


def pump_hours() -> int:
    """Twenty-four pump-hours of water, hour by hour."""
    left, hours = 24, 0
    while left > 0:
        left -= 3 if hours < 2 else 2
        hours += 1
    return hours


def minutes() -> float:
    form = "%H:%M"
    return (datetime.strptime("15:20", form) - datetime.strptime("14:35", form)).total_seconds() / 60


NUMBERS: dict[str, Callable[[], Any]] = {
    "bottles_in_crates": lambda: sum([24] * 6),
    "kembalian": lambda: 50_000 - 18_500,
    "zugminuten": minutes,
    "plain_equation": lambda: next(x for x in range(100) if 3 * x + 7 == 31),
    "vasos_iguales": lambda: 2.5 / 10,
    "discount_chain": lambda: 240 * 75 * 90 / 10_000,
    "suhu_rata": lambda: (274 + 281 + 269 + 292) / 40,
    "prix_ttc": lambda: float(Decimal("84.00") * Decimal("1.055")),
    "two_lamps": lambda: next(s for s in range(1, 1000) if s % 18 == s % 24 == 0),
    "mixture": mixture,
    "pumpe_faellt_aus": pump_hours,
    "bunga_majemuk": lambda: 25_000_000 * 104**3 // 100**3,
    "committee": committee,
    "digit_sum_ten": digit_sum_ten,
    "letters_and_envelopes": letters_and_envelopes,
    "last_three_digits": lambda: 7**2026 % 1000,
    "cuota_mensual": monthly_rate,
    "guarded_lattice_paths": lambda: lattice_paths(8, 8),
    "bracelets": bracelets,
    "holed_board": holed_board,
    "pairs_mod_65": pairs_mod_65,
    "far_apart_neighbours": far_apart_neighbours,
}

EXPRESSIONS: dict[str, tuple[str, float, Callable[[], Any]]] = {
    "tank_fraction": (r"\frac{5}{12}", 5 / 12, lambda: (1 - Fraction(3, 8)) * (1 - Fraction(1, 3))),
    "exact_root": (
        r"\frac{3+\sqrt{19}}{2}",
        (3 + math.sqrt(19)) / 2,
        lambda: max((6 + sign * math.sqrt(36 + 40)) / 4 for sign in (-1, 1)),
    ),
    "first_red_ball": (r"\frac{11}{5}", 11 / 5, lambda: draws_to_red(4, 6)),
    "integral_by_parts": (r"\frac{e^2+1}{4}", (math.e**2 + 1) / 4, integral),
    "biased_pattern": (r"\frac{99}{4}", 99 / 4, biased_pattern),
}


@each_row("test_id", NUMBERS)
def test_the_number_is_what_a_computation_gives(test_id: str) -> None:
    expected = TESTS[test_id]["expected"]
    assert expected["type"] == "numeric"
    assert expected["value"] == pytest.approx(NUMBERS[test_id](), abs=1e-9)


@each_row("test_id", EXPRESSIONS)
def test_the_expression_has_the_computed_value(test_id: str) -> None:
    text, value, compute = EXPRESSIONS[test_id]
    expected = dict(TESTS[test_id]["expected"])
    asked = expected.pop("form", None)
    assert expected == {"type": "math", "value": text}
    assert (asked is not None) == bool(
        re.search(r"lowest terms|\bexact (?:positive|fraction|value)|\bexakten Wert", TESTS[test_id]["prompt"])
    )
    assert value == pytest.approx(float(compute()), rel=1e-9)


def test_every_gold_is_recomputed() -> None:
    assert {*NUMBERS, *EXPRESSIONS} == set(TESTS)
