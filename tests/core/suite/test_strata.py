"""Samples in which each value of a column has its share: what holds of every division, and what is said of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modex.core.suite.definitions import Location, TestCase
from modex.core.suite.sampling import take_sample
from modex.core.suite.strata import NONE, Strata, shares, take_shares

SIZES = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=3), st.integers(0, 60), min_size=1, max_size=12)


def made(number: int, kind: Any, **more: Any) -> TestCase:
    return TestCase("suite", "d", 1 + number % 3, f"t{number}", "p", "e", "keyword", Location("f.json"),
                    metadata={"kind": kind, **more})  # fmt: skip


def by_kind(kinds: list[Any]) -> list[TestCase]:
    return [made(number, kind) for number, kind in enumerate(kinds)]


def taken(tests: list[TestCase], size: int, seed: int = 0, column: str = "kind") -> list[TestCase]:
    return list(take_shares(lambda: tests, size, seed, Strata(column).of))


@given(SIZES, st.integers(0, 5))
def test_each_share_is_the_exact_one_up_or_down_and_none_falls_in_a_larger_sample(
    sizes: dict[str, int], seed: int
) -> None:
    total = sum(sizes.values())
    before = dict.fromkeys(sizes, 0)
    for size in range(total + 1):
        found = shares(sizes, size, seed)
        assert sum(found.values()) == size
        for name, number in sizes.items():
            exact = size * number
            assert exact // total <= found[name] <= -(-exact // total) if total else found[name] == 0
            assert before[name] <= found[name] <= number
        before = found
    assert shares(sizes, total + 3, seed) == sizes


@given(st.lists(st.sampled_from(["a", "b", "c", None, 3]), max_size=40), st.integers(0, 45), st.integers(0, 3))
@settings(max_examples=150)
def test_a_larger_sample_contains_a_smaller_one_and_both_keep_the_order(kinds: list[Any], size: int, seed: int) -> None:
    tests = by_kind(kinds)
    less, more = taken(tests, size, seed), taken(tests, size + 1, seed)
    places = [tests.index(test) for test in more]
    assert places == sorted(places)
    assert [test for test in more if test in less] == less
    assert len(less) == min(size, len(tests))
    counted = Counter(Strata("kind").of(test) for test in less)
    assert counted == +Counter(shares(Counter(Strata("kind").of(test) for test in tests), size, seed))


def test_shares_of_known_divisions() -> None:
    # of 10 the largest remainders give c 2, and of 11 only 1
    assert [shares({"a": 6, "b": 6, "c": 2}, size)["c"] for size in range(15)] == [0] * 5 + [1] * 7 + [2] * 3
    assert shares({"a": 90, "b": 9, "c": 1}, 10) == {"a": 9, "b": 1, "c": 0}
    assert shares({"a": 0, "b": 4}, 3) == {"a": 0, "b": 3}
    assert shares({}, 3) == {}
    assert shares({"a": 5}, 0) == {"a": 0}


def test_the_seed_decides_between_strata_of_one_size() -> None:
    sizes = dict.fromkeys("abcdef", 4)
    firsts = {next(name for name, number in shares(sizes, 1, seed).items() if number) for seed in range(40)}
    assert len(firsts) == len(sizes)
    assert shares(sizes, 7, 5) == shares(dict(reversed(sizes.items())), 7, 5)


def test_within_a_stratum_the_seed_takes_those_that_it_takes_of_the_stratum_alone() -> None:
    tests = by_kind(["a", "b"] * 20)
    for seed in (0, 4):
        found = [test for test in taken(tests, 12, seed) if test.metadata["kind"] == "a"]
        assert found == take_sample([test for test in tests if test.metadata["kind"] == "a"], 6, seed)
    assert taken(tests, 12, 0) != taken(tests, 12, 4)
    assert taken([], 3) == []


def test_a_draw_of_a_large_file_stops_at_the_last_test_that_it_takes() -> None:
    read: list[int] = []

    def tests() -> Any:
        for number in range(1000):
            read.append(number)
            yield made(number, "a" if number < 990 else "b")

    found = list(take_shares(tests, 1, 0, Strata("kind").of))
    assert read[1000:] == list(range(int(found[0].test_id[1:]) + 1))


@pytest.mark.parametrize(
    ("column", "stratum"),
    [
        ("kind", "x"),
        ("level", "1"),
        ("domain", "d"),
        ("category", "d"),
        ("subject", "d"),
        ("more.deep", "7"),
        ("gone", NONE),
    ],
)
def test_the_stratum_of_a_test(column: str, stratum: str) -> None:
    assert Strata(column, {"subject": "category"}).of(made(0, "x", more={"deep": 7})) == stratum


def test_nothing_and_an_empty_text_are_one_stratum_and_no_is_another() -> None:
    assert [Strata("kind").of(made(0, value)) for value in (None, "", False, 0)] == [NONE, NONE, "False", "0"]


def counted(kinds: list[Any], column: str = "kind") -> Strata:
    strata = Strata(column, {"subject": "category"})
    assert len(list(strata.counting(by_kind(kinds)))) == len(kinds)
    return strata


def test_a_column_that_no_test_has_is_told_with_those_that_there_are() -> None:
    assert counted(["a", None]).unknown_column() is None
    assert counted([]).unknown_column() is None
    assert counted(["a"], "subject").unknown_column() is None
    assert counted(["a"], "kint").unknown_column() == (
        "--stratify: no test has anything in a column 'kint'; did you mean 'kind'?;"
        " there are domain, kind, level, source, subject"
    )
    assert "no test has anything in a column 'kind'" in str(counted([None, ""]).unknown_column())


def test_words_name_the_shares_the_largest_first() -> None:
    strata = counted(["b"] * 4 + ["a"] * 4 + ["c"] * 8)
    assert strata.words(4, 0) == ["4 of 16 tests, by kind (c: 2, a: 1, b: 1)"]
    assert strata.words(99, 0) == ["16 of 16 tests, by kind (c: 8, a: 4, b: 4)"]


def test_words_tell_values_that_have_no_test_and_cut_a_long_list() -> None:
    strata = counted([f"{number:02}" for number in range(25) for _ in range(2)])
    (first, second) = strata.words(24, 0)
    assert first.count(": 1") == 20
    assert first.endswith(", and 4 more)")
    assert second == "1 of 25 values of kind have no test among 24"
    assert "x" * 60 + ": 1" in counted(["x" * 70] * 2).words(1, 0)[0]


def test_a_column_with_nearly_as_many_values_as_tests_is_told() -> None:
    words = (
        "2 of 5 tests, by kind, which has 3 values: hardly two tests of any, so that its shares mean little;"
        " name a column of few values"
    )
    assert counted(["a", "a", "b", "b", "c"]).words(2, 0) == [words]
    assert "mean little" not in counted(["a", "a", "b", "b", "c", "c"]).words(2, 0)[0]
    assert counted(["a"]).words(1, 0) == ["1 of 1 tests, by kind (a: 1)"]
