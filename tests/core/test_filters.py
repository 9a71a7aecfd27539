"""What a person types into a filter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigurationError
from core.filters import Condition, Query, parse_query, read_filters

FIELDS = ("status", "level", "score", "model", "domain")


def test_conditions_and_words_are_told_apart() -> None:
    query = parse_query("model:gpt status:failed,error  two words score<0.5", FIELDS)
    assert (query.values("model"), query.values("status")) == (("gpt",), ("failed", "error"))
    assert query.without("model", "status") == (Condition("score", "<", "0.5"),)
    assert query.text == "two words"


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("scor<0.5", "no field 'scor'; did you mean score?"),
        ("colour:red", "no field 'colour'; there are domain, level, model, score, status"),
        ("level>=2", ""),
        ("https://x", ""),
        ('"colour:red"', ""),
    ],
)
def test_an_unknown_field_is_named_and_searched_as_a_word(typed: str, problem: str) -> None:
    query = parse_query(typed, FIELDS)
    assert query.problem == problem
    assert bool(query.text) == (typed != "level>=2")


@pytest.mark.parametrize("typed", ["score<", "status:", "level>=", "domain="])
def test_what_is_not_finished_yet_filters_nothing(typed: str) -> None:
    assert parse_query(typed, FIELDS) == Query() or parse_query(typed, FIELDS).conditions[0].value == ""


def test_quotes_keep_spaces_and_an_open_quote_is_no_error() -> None:
    assert parse_query('model:"a b"', FIELDS).values("model") == ("a b",)
    assert parse_query("it's", ()).text == "it's"


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ('model:"a, b"', ("a, b",)),
        ("model:'a,b',c", ("a,b", "c")),
        ('model:c,"a,b"', ("c", "a,b")),
        ('model="a,b"', ("a,b",)),
        ("model:a,b", ("a", "b")),
        ("model:it's,that's", ("it's", "that's")),
        ("model:a,,b,", ("a", "b")),
    ],
)
def test_a_comma_in_quotes_belongs_to_the_value(typed: str, values: tuple[str, ...]) -> None:
    assert parse_query(typed, FIELDS).values("model") == values


def test_all_of_it_must_hold() -> None:
    query = parse_query("level=2..4 score<0.5 status:failed,error sum", FIELDS)
    fits = {"level": 3, "score": 0.2, "status": "error"}
    assert query.holds(fits, "a SUM of two")
    assert not query.holds(fits, "a product")
    for name, value in (("level", 5), ("score", 0.5), ("status", "passed")):
        assert not query.holds({**fits, name: value}, "sum")
    assert not query.holds({"level": 3, "status": "error"}, "sum")


@given(st.text())
def test_nothing_typed_is_an_error(typed: str) -> None:
    parse_query(typed, FIELDS)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("score<", "'score<' has no value"),
        ("model:", "'model:' has no value"),
        ("score<x", "'score<x' compares with no number or date"),
        ("a score>=high", "'score>=high' compares with no number or date"),
    ],
)
def test_on_the_command_line_a_condition_that_cannot_be_met_is_a_mistake(typed: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        read_filters([typed], {"score", "model", "started"})


@pytest.mark.parametrize("typed", ["score<.7", "score>-1", "started>=2026-01-31", "model~x score<=1", "why?", "a: b"])
def test_what_can_be_met_is_none(typed: str) -> None:
    assert read_filters([typed], {"score", "model", "started"})
