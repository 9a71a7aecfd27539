"""The golds of the carrier's questions say what plain Python computes from the same tables, for several seeds of each."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.suite.definitions import TestCase
from modex.core.suite.variants import varied
from tests.suite.carrier import QUESTIONS, Answer, read_tables
from tests.suite.golds import bundled
from tests.suite.test_sql_golds import answers

SEEDS = (0, 1, 2)


@pytest.fixture(scope="module", params=SEEDS)
def variant(request: pytest.FixtureRequest) -> dict[str, TestCase]:
    made = varied(bundled(), request.param, lambda test: test.test_id in QUESTIONS)
    return {test.test_id: test for test in made.tests if test.test_id in QUESTIONS}


def comparable(rows: Answer) -> list[tuple[Any, ...]]:
    """Rows in one order, whole numbers and decimals alike."""
    plain = [tuple(round(float(cell), 3) if isinstance(cell, int | float) else cell for cell in row) for row in rows]
    return sorted(plain, key=repr)


@pytest.mark.parametrize("test_id", QUESTIONS)
def test_the_gold_says_what_python_computes(variant: dict[str, TestCase], test_id: str) -> None:
    test = variant[test_id]
    found = answers({"expected": test.expected}, test.expected["query"])
    for seed, rows in zip(test.expected["seeds"], found, strict=True):
        tables = read_tables(test.expected["schema"], seed)
        assert comparable(rows) == comparable(QUESTIONS[test_id](tables, **test.metadata["parameters"]))


@pytest.mark.long
@pytest.mark.parametrize("test_id", QUESTIONS)
def test_near_misses_of_every_variant_are_told_apart(variant: dict[str, TestCase], test_id: str) -> None:
    test = variant[test_id]
    gold = answers({"expected": test.expected}, test.expected["query"])
    assert len(test.metadata["wrong_queries"]) >= 7
    for query in test.metadata["wrong_queries"]:
        assert answers({"expected": test.expected}, query) != gold, query


def test_seeds_ask_other_questions() -> None:
    suite = bundled()
    made = [varied(suite, seed, lambda test: test.test_id in QUESTIONS) for seed in range(4)]
    for test_id in QUESTIONS:
        queries = {test.expected["query"] for one in made for test in one.tests if test.test_id == test_id}
        assert len(queries) >= 2, test_id


def test_every_question_over_the_carriers_tables_is_computed_here() -> None:
    asked = {test.test_id for test in bundled().tests if "parameters" in test.metadata}
    assert asked == set(QUESTIONS)
