"""What a person types into a filter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.config.filters import MISSING, Condition, Query, parse_condition, parse_query, read_filters
from modex.core.foundation.errors import ConfigurationError
from tests.rows import each_row

FIELDS = ("status", "level", "score", "model", "domain")


def test_conditions_and_words_are_told_apart() -> None:
    query = parse_query("model:gpt status:failed,error  two words score<0.5", FIELDS)
    assert (query.values("model"), query.values("status")) == (("gpt",), ("failed", "error"))
    assert query.without("model", "status") == (Condition("score", "<", "0.5"),)
    assert query.text == "two words"


@each_row(
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


@each_row("typed", ["score<", "status:", "level>=", "domain="])
def test_what_is_not_finished_yet_filters_nothing(typed: str) -> None:
    assert parse_query(typed, FIELDS) == Query() or parse_query(typed, FIELDS).conditions[0].value == ""


def test_quotes_keep_spaces_and_an_open_quote_is_no_error() -> None:
    assert parse_query('model:"a b"', FIELDS).values("model") == ("a b",)
    assert parse_query("it's", ()).text == "it's"


@each_row(
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


@pytest.mark.parametrize(
    ("typed", "condition"),
    [
        ('model=""', Condition("model", "=", "")),
        ("model!='a b'", Condition("model", "!=", "a b")),
        ("model=\"a'", Condition("model", "=", "\"a'")),
        ('model="', Condition("model", "=", '"')),
        ("level==2..4", Condition("level", "range", "2..4", 2.0, 4.0)),
        ("level=..4", Condition("level", "range", "..4", None, 4.0)),
        ("level=2..", Condition("level", "range", "2..", 2.0, None)),
        ("level=..", Condition("level", "=", "..")),
        ("level!=2..4", Condition("level", "!=", "2..4")),
        ("model~", Condition("model", "~", "")),
    ],
)
def test_one_condition_is_read(typed: str, condition: Condition) -> None:
    assert parse_condition(typed) == condition


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


@each_row(
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


@each_row("typed", ["score<.7", "score>-1", "started>=2026-01-31", "model~x score<=1", "why?", "a: b"])
def test_what_can_be_met_is_none(typed: str) -> None:
    assert read_filters([typed], {"score", "model", "started"})


@each_row(
    ("typed", "fits", "does_not"),
    [
        ("n=3", [3, 3.0, "3", "3.0", [1, 3]], [4, None, True, "x", [], MISSING]),
        ("n==3", [3], [2]),
        ("n!=3", [4, None, MISSING, [1, 2], []], [3, [1, 3], "3.0"]),
        ("n=null", [None, "NULL"], [0, ""]),
        ("n=true", [True, "True"], [1, False]),
        ("n=false", [False], [0, True]),
        ("n=Ab", ["aB"], ["abc"]),
        ("n~b", ["aBc", ["x", "b"]], ["ac", MISSING, []]),
        ("n~1", [3.14, 10], [2]),
        ("n>3", [3.1, "4", [1, 5]], [3, 2, None, True, "x", MISSING]),
        ("n>=3", [3, 4], [2.9]),
        ("n<3", [2.9, -1], [3, "x"]),
        ("n<=3", [3, 2], [3.1]),
        ("n>2024-05", ["2024-06", "2025"], ["2024-05", "2024-04", 3000]),
        ("n<=b", ["a", "b"], ["c", 1]),
        ("n=2..4", [2, 3, 4, "3"], [1.9, 4.1, "x", None, MISSING]),
        ("n=2..", [2, 99], [1]),
        ("n=..4", [-5, 4], [5]),
        ("n=-2..-1", [-2, -1.5], [0]),
        ("n=..", [".."], [1]),
        ("n=2..x", ["2..x"], [2]),
        ("n:a,B", ["A", "b", ["x", "b"]], ["c", MISSING, "a,b"]),
        ('n:"a,b",3', ["a,b", 3], ["a", "b"]),
        ('n="3"', [3, "3"], ["33"]),
        ("n='2..4'", ["2..4"], [3]),
        ('n!="x y"', ["z", MISSING], ["x y"]),
        ("n=", [""], ["a"]),
        ("n>1e3", [1001], [1000]),
    ],
)
def test_a_condition_holds_for_what_it_says(typed: str, fits: list[Any], does_not: list[Any]) -> None:
    condition = parse_condition(typed)
    assert [value for value in fits if not condition.holds(value)] == []
    assert [value for value in does_not if condition.holds(value)] == []


@each_row("typed", ["", "x", "=3", "n>", "n<=", "n: ", "n://x", "n:"])
def test_what_is_no_condition_is_refused(typed: str) -> None:
    with pytest.raises(ConfigurationError, match="filter"):
        parse_condition(typed)


def test_a_condition_tells_its_number_its_ends_and_its_alternatives() -> None:
    assert parse_condition("n=2..4") == Condition("n", "range", "2..4", 2.0, 4.0)
    assert parse_condition("n>2..4") == Condition("n", ">", "2..4")
    assert parse_condition("n!=2..4") == Condition("n", "!=", "2..4")
    assert parse_condition("n=2..") == Condition("n", "range", "2..", 2.0, None)
    assert parse_condition("a b >= 3 ") == Condition("a b", ">=", "3")
    assert (parse_condition("n=3").number, parse_condition("n=x").number) == (3.0, None)
    assert parse_condition("n=a,b").alternatives == ("a,b",)
    assert parse_condition("n:a, 'b' ,").alternatives == ("a", "b")


def test_a_query_knows_what_it_is_about() -> None:
    query = parse_query("LEVEL=2 model:a,b model=c score<1 free", FIELDS)
    assert query.names("level")
    assert not query.names("domain")
    assert query.values("model") == ("a", "b", "c")
    assert query.values("score") == ()
    assert [one.field for one in query.without("model", "score")] == ["level", "score"]
    assert bool(query)
    assert bool(Query(text="x"))
    assert bool(Query(query.conditions))
    assert not Query(problem="x")


@each_row(
    ("typed", "text", "conditions"),
    [
        ("level>", "", 0),
        ("level>=", "", 0),
        ("colour>", "colour>", 0),
        ('"level=2"', "level=2", 0),
        ("'a b' c", "a b c", 0),
        ("level=2", "", 1),
        ("Level=2 x=3", "x=3", 1),
    ],
)
def test_what_is_typed_is_a_condition_or_a_word(typed: str, text: str, conditions: int) -> None:
    query = parse_query(typed, FIELDS)
    assert (query.text, len(query.conditions)) == (text, conditions)


@each_row(
    ("typed", "said"),
    [
        ("level>", "has no value"),
        ("level>=x", "compares with no number or date"),
        ("level<.5", None),
        ("level>-1", None),
        ("level>2024-05-01", None),
        ("level=x", None),
        ("colour=1", "no field 'colour'"),
        ("word", None),
    ],
)
def test_filters_of_the_command_line_say_what_is_wrong(typed: str, said: str | None) -> None:
    if said is None:
        read_filters([typed], FIELDS)
    else:
        with pytest.raises(ConfigurationError, match=said):
            read_filters([typed], FIELDS)
