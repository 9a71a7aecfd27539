from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.config.filters import MISSING
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.definitions import Location, TestCase
from modex.core.suite.filters import dotted, parse_filter, unknown_filter
from tests.rows import each_row


def make(**more: Any) -> TestCase:
    fields: dict[str, Any] = {
        "source": "suite",
        "domain": "math",
        "level": 3,
        "test_id": "sum_1",
        "prompt": "2+2?",
        "expected": 4,
        "evaluator_id": "two_pass",
        "location": Location("a.json"),
    }
    return TestCase(**{**fields, **more})


META = {
    "category": "DeFi",
    "a": {"b": 7, "c": None},
    "tags": ["x", "y"],
    "date": "2026-03-01",
    "flag": True,
    "subject name": "law",
}


@each_row(
    ("text", "matches"),
    [
        ("level=3", True),
        ("level=2..4", True),
        ("level=4..", False),
        ("level=..3", True),
        ("level>=3", True),
        ("level<3", False),
        ("level==3.0", True),
        ("domain=MATH", True),
        ("domain!=math", False),
        ("id~sum", True),
        ("category=defi", True),
        ("a.b>=7", True),
        ("a.b>7", False),
        ("a.b=7.0", True),
        ("a.c=null", True),
        ("a.z=1", False),
        ("a.z!=1", True),
        ("tags=x", True),
        ("tags!=x", False),
        ("tags=z", False),
        ("date>=2026-02-01", True),
        ("date<2026-02-01", False),
        ("date>5", False),
        ("flag=true", True),
        ("subject name = law", True),
        ("id='sum_1'", True),
        ("prompt~2+2", True),
        ("expected=4", True),
        ("missing~x", False),
    ],
)
def test_conditions(text: str, matches: bool) -> None:
    assert parse_filter(text).matches(make(metadata=META)) is matches


def test_a_category_that_became_the_domain_is_still_a_category() -> None:
    assert parse_filter("category=math").matches(make())


def test_a_column_that_is_no_metadata_is_found_in_the_row() -> None:
    assert parse_filter("topic=x").matches(make(), {"topic": "x"})


@each_row("text", ["", "level", "=3", "level>", "><"])
def test_what_is_no_condition_is_refused_with_the_ways_to_write_one(text: str) -> None:
    with pytest.raises(ConfigurationError, match="filter"):
        parse_filter(text)


@given(st.text())
def test_any_text_is_a_filter_or_a_configuration_error(text: str) -> None:
    try:
        condition = parse_filter(text)
    except ConfigurationError:
        return
    condition.matches(make(metadata=META))


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(-50, 50))
def test_a_range_holds_its_ends(value: int, low: int, high: int) -> None:
    assert parse_filter(f"v={low}..{high}").matches(make(metadata={"v": value})) is (low <= value <= high)


def test_dotted_paths_reach_into_objects_and_lists() -> None:
    data = {"a": [{"b": 1}], "x.y": 2}
    assert dotted(data, "a.0.b") == 1
    assert dotted(data, "x.y") == 2
    assert dotted(data, "a.1.b") is MISSING
    assert dotted(data, "a.b") is MISSING


@each_row(
    ("text", "matches"),
    [
        ("text:2+2", True),
        ("text:SUM", True),
        ("text:nothing,2+2", True),
        ("text:2+2,nothing", True),
        ("text:nothing,none", False),
        ("text:addition", True),
    ],
)
def test_a_text_is_found_where_one_of_the_words_stands_in_what_a_test_says(text: str, matches: bool) -> None:
    assert parse_filter(text).matches(make(name="Addition")) is matches


@each_row(
    ("field", "own", "found"),
    [
        ("evaluator", {}, "two_pass"),
        ("evaluator", {"evaluator": "mine"}, "mine"),
        ("test", {"test": "mine"}, "mine"),
        ("text", {"text": "mine"}, "mine"),
        ("evaluator_id", {"evaluator_id": "mine"}, "two_pass"),
        ("level", {"level": 9}, 3),
        ("domain", {"domain": "other"}, "math"),
        ("category", {}, "math"),
        ("category", {"category": "mine"}, "mine"),
        ("topic", {"topic": "mine"}, "mine"),
    ],
)
def test_short_names_give_way_to_a_tests_own_metadata_and_the_others_do_not(
    field: str, own: dict[str, Any], found: object
) -> None:
    filter_ = parse_filter(f"{field}=x")
    assert filter_.find(make(metadata=own)) == found
    row = {field: "row"} if own else {}
    assert filter_.find(make(metadata=own), row) == found


def test_a_row_gives_what_metadata_lacks_and_a_category_before_the_domain_does() -> None:
    assert parse_filter("category=x").find(make(), {"category": "row"}) == "row"
    assert parse_filter("category=x").find(make(), {}) == "math"
    assert parse_filter("topic=x").find(make(), {}) is MISSING
    assert parse_filter("topic=x").find(make()) is MISSING


def test_a_path_does_not_reach_into_texts() -> None:
    assert dotted("text", "t") is MISSING
    assert dotted("text", "0") is MISSING
    assert dotted(["t"], "t") is MISSING
    assert dotted({"a": ["b"]}, "a.b") is MISSING
    assert dotted({"a": {"0": 1}}, "a.0") == 1


@each_row(
    ("field", "said"),
    [
        ("level", None), ("category", None), ("timeout_ms", None), ("score", "about results"), ("attempts", "about results"),
        ("levle", "did you mean level"), ("colour", "finds nothing"),
    ],
)  # fmt: skip
def test_a_filter_by_what_tests_do_not_have_says_what_it_is_about(field: str, said: str | None) -> None:
    found = unknown_filter(parse_filter(f"{field}=1"))
    assert found is None if said is None else found is not None and said in found
