from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.config.configuration import parse_levels
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.definitions import TestCase
from modex.core.suite.filters import parse_filter
from modex.core.suite.sampling import take_sample
from modex.core.suite.selection import Selector, select
from tests.core.suite.test_filters import make
from tests.rows import each_row

TESTS = [
    make(domain=domain, level=level, test_id=f"t{number}")
    for domain in ("math", "sql")
    for level in range(1, 6)
    for number in range(4)
]


def ids(tests: list[TestCase]) -> list[str]:
    return [f"{test.domain}/{test.level}/{test.test_id}" for test in tests]


@each_row(
    ("spec", "levels"),
    [("3", (3,)), ("2-4", (2, 3, 4)), ("1,3-5", (1, 3, 4, 5)), (" 2 .. 3 ", (2, 3)), ("5,5,1", (1, 5))],
)
def test_levels_are_numbers_and_ranges(spec: str, levels: tuple[int, ...]) -> None:
    assert parse_levels(spec) == levels


@each_row("spec", ["0", "6", "4-2", "1-9", "", "a", "1-", "1,,2"])
def test_other_levels_are_refused(spec: str) -> None:
    with pytest.raises(ConfigurationError, match="level"):
        parse_levels(spec)


def test_domains_and_levels_narrow_together() -> None:
    assert len(select(TESTS, domains=["sql"], levels=[1, 2])) == 8


def test_a_test_is_named_by_id_or_by_its_place() -> None:
    assert len(select(TESTS, test_ids=["t1"])) == 10
    assert ids(select(TESTS, test_ids=["sql/3/t1"])) == ["sql/3/t1"]


@each_row(
    ("domains", "tests", "part"),
    [
        (["maths"], [], "did you mean 'math'"),
        ([], ["t11"], "there is no test 't11'"),
        ([], ["math/9/t1"], "there is no test 'math/9/t1'"),
        (["math"], ["sql/1/t9"], "there is no test"),
    ],
)
def test_what_is_not_there_is_named(domains: list[str], tests: list[str], part: str) -> None:
    with pytest.raises(ConfigurationError, match=part):
        select(TESTS, domains=domains, test_ids=tests)


def test_disabled_domains_and_tests_run_only_by_name() -> None:
    hidden = [replace(TESTS[0], disabled_by="domain"), replace(TESTS[1], disabled_by="test")]
    assert select(hidden) == []
    assert ids(select(hidden, domains=["math"])) == ["math/1/t0"]
    assert ids(select(hidden, test_ids=["t0", "math/1/t1"])) == ["math/1/t0", "math/1/t1"]


def test_a_dataset_source_is_a_domain_name_too() -> None:
    assert select([make(source="qa", domain="law", test_id="1")], domains=["qa"])


def test_a_limit_takes_the_first_after_filters() -> None:
    assert ids(select(TESTS, filters=["level>=5"], limit=2)) == ["math/5/t0", "math/5/t1"]


@given(st.integers(0, 50), st.integers(0, 50), st.integers())
def test_a_larger_sample_contains_a_smaller_one(small: int, more: int, seed: int) -> None:
    first, second = take_sample(TESTS, small, seed), take_sample(TESTS, small + more, seed)
    assert len(first) == min(small, len(TESTS))
    assert set(ids(first)) <= set(ids(second))
    assert ids(second) == [name for name in ids(TESTS) if name in set(ids(second))]


def test_a_sample_depends_on_its_seed() -> None:
    assert select(TESTS, sample=10, seed=1) == select(TESTS, sample=10, seed=1)
    assert select(TESTS, sample=10, seed=1) != select(TESTS, sample=10, seed=2)


def test_every_test_is_about_as_likely_to_be_sampled() -> None:
    counts = dict.fromkeys(ids(TESTS), 0)
    for seed in range(400):
        for name in ids(select(TESTS, sample=10, seed=seed)):
            counts[name] += 1
    assert min(counts.values()) > 60
    assert max(counts.values()) < 140


TAKEN = {
    "a domain": (Selector(exclude_domains=["sql"]), 20),
    "levels": (Selector(exclude_levels=[1, 2]), 24),
    "a test by id": (Selector(exclude_tests=["t1"]), 30),
    "a test by its place": (Selector(exclude_tests=["sql/3/t1"]), 39),
    "what is named elsewhere": (Selector(domains=["sql"], exclude_domains=["sql"]), 0),
    "what somebody does not want": (Selector(levels=[1], unwanted=lambda test: test.domain == "sql"), 4),
}


@each_row("what", TAKEN)
def test_excluded_tests_are_left_out(what: str) -> None:
    selector, count = TAKEN[what]
    assert sum(selector.takes(test) for test in TESTS) == count
    assert selector.missing() is None


def test_what_is_not_wanted_is_named() -> None:
    selector = Selector(test_ids=["t1"], levels=[1], unwanted=lambda test: test.domain == "sql")
    assert [selector.takes(test) for test in TESTS].count(True) == 1
    assert list(selector.left_out) == ["sql/1/t1"]


@pytest.mark.parametrize(
    ("selector", "part"),
    [
        (Selector(exclude_domains=["sqll"]), "no domain 'sqll'; did you mean 'sql'"),
        (Selector(exclude_tests=["math/1/t9"]), "no test 'math/1/t9'"),
    ],
)
def test_an_exclusion_that_excludes_nothing_is_a_mistake(selector: Selector, part: str) -> None:
    for test in TESTS:
        selector.takes(test)
    assert part in (selector.missing() or "")


@each_row(
    ("text", "part"),
    [
        ("levl>=3", "no field 'levl'; did you mean level?"),
        ("score<0.5", "about results"),
        ("evaluator:two_pass", None),
        ("colour!=red", None),
    ],
)
def test_a_filter_by_what_no_test_has_is_named(text: str, part: str | None) -> None:
    selector = Selector(filters=[parse_filter(text)])
    for test in TESTS:
        selector.takes(test)
    missing = selector.missing()
    assert missing is None if part is None else missing is not None and part in missing


def test_a_test_that_is_not_there_is_named_beside_one_that_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [make(test_id="addition"), make(test_id="multiplication")]
    with pytest.raises(ConfigurationError, match="did you mean 'addition'"):
        select(tests, test_ids=["additon"])
    monkeypatch.setattr("modex.core.suite.selection._KEPT_NAMES", 0)  # more tests than names are kept of
    with pytest.raises(ConfigurationError, match="`modex tests` lists them"):
        select(tests, test_ids=["additon"])


def test_a_sample_that_names_no_seed_is_that_of_seed_0() -> None:
    assert select(TESTS, sample=10) == select(TESTS, sample=10, seed=0) != select(TESTS, sample=10, seed=1)


def test_what_is_not_wanted_is_left_out_where_nothing_else_is_asked_for() -> None:
    selector = Selector(unwanted=lambda test: test.domain == "sql")
    assert sum(map(selector.takes, TESTS)) == 20
    assert len(selector.left_out) == 20


def test_several_domains_are_taken_together_and_one_that_is_missing_is_told_with_those_that_are_there() -> None:
    assert len(select(TESTS, domains=["math", "sql"])) == 40
    with pytest.raises(ConfigurationError, match=r"no domain 'zebra'.*math.*sql"):
        select(TESTS, domains=["math", "zebra"])


def test_a_filter_by_metadata_that_some_test_has_finds_nothing_without_being_a_mistake() -> None:
    tests = [*TESTS, make(test_id="m", metadata={"colour": "red"})]
    assert ids(select(tests, filters=["colour=red"])) == ["math/3/m"]
    assert select(tests, filters=["colour=blue"]) == []
    with pytest.raises(ConfigurationError, match="finds nothing"):
        select(TESTS, filters=["colour=blue"])


@each_row(
    ("asked", "taken"),
    [
        ({"levels": [1]}, []), ({"filters": ["level=1"]}, []), ({"domains": ["sql", "math"], "levels": [1]}, ["d"]),
        ({"test_ids": ["d", "t"]}, ["d", "t"]), ({"domains": ["sql"]}, []),
    ],
)  # fmt: skip
def test_what_is_disabled_is_taken_by_name_alone_whatever_else_is_asked(
    asked: dict[str, Any], taken: list[str]
) -> None:
    hidden = [
        make(test_id="d", level=1, disabled_by="domain"), make(test_id="t", level=1, disabled_by="test"),
    ]  # fmt: skip
    assert [test.test_id for test in select(hidden, **asked, known_domains=["sql"])] == taken


def test_a_limit_cuts_what_was_named_after_all_of_it_was_looked_for() -> None:
    assert ids(select(TESTS, domains=["sql"], limit=1)) == ["sql/1/t0"]
    assert ids(select(TESTS, test_ids=["t1", "math/1/t0"], limit=1)) == ["math/1/t0"]
    with pytest.raises(ConfigurationError, match="no test 'zz'"):
        select(TESTS, test_ids=["t0", "zz"], limit=1)
    assert len(select(TESTS, sample=30, limit=7)) == 7
