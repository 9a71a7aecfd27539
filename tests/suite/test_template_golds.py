"""Golds that templates compute, found again another way: by trying all cases, or by reading the clues of the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

import pytest

from modex.core.suite.definitions import TestCase
from modex.core.suite.variants import varied
from tests.suite.golds import bundled


def dominoes_and_squares(prompt: str) -> Any:
    columns = int(re.search(r"(\d+) columns", prompt)[1])  # type: ignore[index]
    singles = int(re.search(r"exactly (\d+) single", prompt)[1])  # type: ignore[index]

    @cache
    def ways(free: frozenset[tuple[int, int]], left: int) -> int:
        if not free:
            return int(left == 0)
        row, column = first = min(free)
        rest = free - {first}
        partners = {(row + 1, column), (row, column + 1)} & rest
        return (ways(rest, left - 1) if left else 0) + sum(ways(rest - {one}, left) for one in partners)

    return ways(frozenset((column, row) for column in range(columns) for row in range(4)), singles)


def sparse_subsets(prompt: str) -> Any:
    largest = int(re.search(r"…, (\d+)\}", prompt)[1])  # type: ignore[index]
    gap, divisor = map(int, re.search(r"mindestens (\d+).*durch (\d+)", prompt).groups())  # type: ignore[union-attr]

    def sums(least: int, total: int) -> int:
        found = int(total % divisor == 0)
        return found + sum(sums(one + gap, total + one) for one in range(least, largest + 1))

    return sums(1, 0)


def hits_exactly(prompt: str) -> Any:
    chances = {int(step): Fraction(chance) for step, chance in re.findall(r"(\d) with probability (\d/\d)", prompt)}
    target = int(re.search(r"shows (\d+)", prompt)[1])  # type: ignore[index]

    @cache
    def reaches(at: int) -> Fraction:
        if at >= target:
            return Fraction(at == target)
        return sum((chance * reaches(at + step) for step, chance in chances.items()), Fraction(0))

    return str(reaches(0))


def zigzag_numbers(prompt: str) -> Any:
    size = int(re.search(r"de (\d) cifras", prompt)[1])  # type: ignore[index]
    up = "segunda cifra es mayor" in prompt

    def alternates(number: int) -> bool:
        return all((a < b) == (up == (place % 2 == 0)) and a != b for place, (a, b) in enumerate(pairwise(str(number))))

    return sum(alternates(number) for number in range(10 ** (size - 1), 10**size))


def two_jugs(prompt: str) -> Any:
    small, large, wanted = (int(found) for found in re.findall(r"(\d+) Liter", prompt))
    layer, steps = {(0, 0)}, 0
    while not any(wanted in state for state in layer):
        reached = set()
        for x, y in layer:
            reached |= {(small, y), (x, large), (0, y), (x, 0)}
            reached |= {(max(0, x + y - large), min(large, x + y)), (min(small, x + y), max(0, x + y - small))}
        layer, steps = reached, steps + 1
    return steps


def six_switches(prompt: str) -> Any:
    forms: list[tuple[str, Callable[..., bool]]] = [
        (r"If (\w) is on, then (\w) is off", lambda a, b: not (a and b)),
        (r"Exactly one of (\w), (\w) and (\w) is on", lambda a, b, c: a + b + c == 1),
        (r"(\w) is on only if (\w) or (\w) is on", lambda a, b, c: b or c or not a),
        (r"(\w) and (\w) are not both off", lambda a, b: a or b),
        (r"Unless (\w) is on, (\w) and (\w) are in the same", lambda a, b, c: a or b == c),
    ]
    rules = [(found.groups(), rule) for form, rule in forms for found in re.finditer(form, prompt)]
    assert len(rules) == 5
    settings = (dict(zip("ABCDEF", positions, strict=True)) for positions in product([False, True], repeat=6))
    return sum(all(rule(*(setting[name] for name in names)) for names, rule in rules) for setting in settings)


def round_table(prompt: str) -> Any:
    people = re.search(r"Enam orang, ([^.]*?), duduk", prompt)[1].split(", ")  # type: ignore[index]
    forms: list[tuple[str, Callable[[int, int], bool]]] = [
        (r"(\w+) duduk tepat di sebelah kiri (\w+)", lambda a, b: b == a % 6 + 1),
        (r"(\w+) tidak duduk di sebelah (\w+)", lambda a, b: abs(a - b) not in (1, 5)),
        (r"antara (\w+) dan (\w+) pada", lambda a, b: abs(a - b) in (2, 4)),
        (r"(\w+) tidak duduk di seberang (\w+)", lambda a, b: abs(a - b) != 3),
    ]
    clues = [(found[1], found[2], rule) for form, rule in forms for found in re.finditer(form, prompt)]
    assert len(clues) == prompt.count("\n- ")
    who = re.search(r"seberang (\w+)\? Jawab", prompt)[1]  # type: ignore[index]
    found = set()
    for order in permutations(people):
        seat = {name: number for number, name in enumerate(order, 1)}
        if all(rule(seat[a], seat[b]) for a, b, rule in clues):
            found.add(next(name for name in people if abs(seat[name] - seat[who]) == 3))
    (only,) = found
    return only


COMPUTED: dict[str, Callable[[str], Any]] = {
    one.__name__: one
    for one in (
        dominoes_and_squares, sparse_subsets, hits_exactly, zigzag_numbers, two_jugs, six_switches, round_table,
    )
}  # fmt: skip


@pytest.fixture(scope="module", params=(0, 1, 2))
def variant(request: pytest.FixtureRequest) -> dict[str, TestCase]:
    made = varied(bundled(), request.param, lambda test: test.test_id in COMPUTED)
    return {test.test_id: test for test in made.tests if test.test_id in COMPUTED}


@pytest.mark.long
@pytest.mark.parametrize("test_id", COMPUTED)
def test_the_template_computes_what_trying_all_cases_finds(variant: dict[str, TestCase], test_id: str) -> None:
    test = variant[test_id]
    assert isinstance(test.prompt, str)
    assert test.expected["value"] == COMPUTED[test_id](test.prompt)
