"""What plain output and exports say of a part, and what they leave out."""

from __future__ import annotations

from typing import Any

from modex.core.verdict import (
    Call,
    CallOutcome,
    Calls,
    Cases,
    Compared,
    Extra,
    Extracted,
    FailedCase,
    Instance,
    Keywords,
    Part,
    Result,
    Rows,
    Rubric,
    RubricItem,
    Vote,
    Votes,
    Weighted,
    WeightedPart,
    lines_of,
)
from modex.core.verdict.lines import call_facts, cell, keyword_facts, number, rating, split_facts
from tests.rows import each_row

_EQUAL = Instance(1, True, expected=Result((), ((1,),), 1), got=Result((), ((1,),), 1))
_OFF = Instance(2, False, expected=Result((), ((1,),), 1), got=Result((), (), 0), why="a row is missing")


def _said(part: Part) -> list[tuple[str, str]]:
    return [(line.label, line.text) for line in lines_of([part])]


@each_row(
    ("part", "lines"),
    [
        (Compared(), [("expected", "nothing"), ("got", "no answer")]),
        (Compared("a", "b"), [("expected", "a"), ("got", "b")]),
        (
            Compared(4, 5, "numeric", "apart", (3, 2), 0.5, 1, 25.0, {"unit": "m"}),
            [("expected", "4"), ("also right", "3, 2"), ("got", "5"), ("off by", "1 (25 %)"), ("type", "numeric"),
             ("tolerance", "0.5"), ("why", "apart"), ("details", "unit m")],
        ),
        (Compared(4, 5, tolerance=0, difference=0), [("expected", "4"), ("got", "5")]),
        (Compared(4, 5, difference=1.0), [("expected", "4"), ("got", "5"), ("off by", "1")]),
        (Extracted("by_rules"), [("extraction", "by rules")]),
        (Extracted("found", (3, 7), "json", "box"), [("extraction", "found, box, characters 3 to 7")]),
        (Extracted("found", (), "json"), [("extraction", "found, json")]),
        (Extracted("by_rules", offered="Rome"), [("extraction", "by rules"), ("not in it", "Rome")]),
        (
            Extracted("by_rules", offered="Rome", fault="unreadable"),
            [("extraction", "by rules"), ("pass 2", "the reply of PASS 2 could not be read; the rules read the response")],
        ),
        (Rows("q"), [("query", "q")]),
        (
            Rows("q", "g", (_EQUAL,), {"a": True, "b": False}, "few rows", "right"),
            [("query", "q"), ("gold query", "g"), ("parts", "a there, b missing"), ("expected", "1 row\n1"), ("got", "1 row\n1"),
             ("weak", "few rows"), ("why", "right")],
        ),
        (
            Rows("q", None, (_EQUAL, _OFF)),
            [("query", "q"), ("instances", "2, 1 of them wrong; this is number 2"), ("expected", "1 row\n1"),
             ("got", "0 rows"), ("differs", "a row is missing")],
        ),
        (
            Rows("q", None, (_OFF,), why="here a row is missing"),
            [("query", "q"), ("expected", "1 row\n1"), ("got", "0 rows"), ("why", "here a row is missing")],
        ),
        (Rows("q", None, (Instance(),)), [("query", "q")]),
        (
            Calls((CallOutcome("f", {"a": 1}, True, got=Call("g", None, "broken"), wrong={"": "no object", "a": "2"}),)),
            [("wrong", "f: no object"), ("wrong", "f: a: 2"), ("expected", "f(a=1)  (optional)  ✗"),
             ("got", "g()  (broken)"), ("details", "calls made 0, names 1, arguments 1")],
        ),
        (
            Calls((CallOutcome("f"),), (Call("x", "{"),), (Call("y", "1"),), why="wrong"),
            [("expected", "f()  ✗"), ("got", "not called"), ("extra", "x({)"), ("retried", "y(1)"),
             ("details", "calls made 0, names 1, arguments 1"), ("why", "wrong")],
        ),
        (
            Calls((CallOutcome("f", "x", right=True, got=Call("f", "y"), wrong={"a": "b"}),), made=1),
            [("expected", "f(x)"), ("details", "calls made 1, names 1, arguments 1")],
        ),
        (
            Keywords(("a", "b"), ("c",), ("d",), ("c",), ("e",), {"relevance": 0.5}, {"relevance": 1}, why="w", facts={"n": 2}),
            [("matched", "a, b"), ("missing", "c"), ("denied", "e"), ("forbidden", "d"), ("details", "relevance 0.5"),
             ("why", "w"), ("details", "n 2")],
        ),
        (Keywords(), []),
        (Rubric((RubricItem("", "kind", 1, 2), RubricItem("b", "true", 3, 3, True, "yes"))),
         [("points", "4 of 5"), ("item", "✗ 1/2  kind"), ("b", "✓ 3/3  true"), ("", "yes")]),
        (Rubric((RubricItem("a", "rude", -1, -1, True), RubricItem("b", "nil", 0, 0)), "w"),
         [("points", "-1 of 0"), ("a", "✓ -1/-1  rude"), ("b", "✗ 0/0  nil"), ("why", "w")]),
        (Cases("f", 1, 2, (FailedCase("f(1)", "2", "3"),), "w"),
         [("cases", "1 of 2 hold"), ("call", "f(1)"), ("expected", "2"), ("got", "3"), ("why", "w")]),
        (Cases("f", 2, 2), [("cases", "2 of 2 hold")]),
        (Votes((Vote("m", 1.0, 4),), (0, 5)), [("judge", "4 of 5  m: gave no reason")]),
        (
            Votes((Vote("m", 1.0, None, "good", True),), (0, 1), "gold", 0.5, "the_median", ("n: silent",)),
            [("expected", "gold"), ("judge", "?  m (asked twice): good"), ("no verdict", "n: silent"),
             ("agreement", "50 %, settled by the median")],
        ),
        (
            Weighted((WeightedPart("match", 2, None, "", (Compared(1, 2),)), WeightedPart("regex", 1.5, 0.25, "none fits"))),
            [("match", "–  weight 2"), ("expected", "1"), ("got", "2"), ("regex", "0.25  weight 1.5  none fits")],
        ),
        (Extra({"a_b": 1}), [("details", "a b 1")]),
        (Extra({"list_of": [1], "empty": ""}, "a_title"), [("a title", ""), ("list of", "[1]")]),
    ],
)  # fmt: skip
def test_a_part_says_what_it_holds_and_nothing_of_what_it_lacks(part: Part, lines: list[tuple[str, str]]) -> None:
    assert _said(part) == lines


def test_what_stands_within_another_is_one_deeper() -> None:
    inner = Weighted((WeightedPart("a", parts=(Cases("f", 0, 1, (FailedCase("f()", "1", "2"),)),)),))
    depths = [(line.label, line.depth) for line in lines_of([Weighted((WeightedPart("b", parts=(inner,)),))])]
    assert depths == [("b", 0), ("a", 1), ("cases", 2), ("call", 2), ("expected", 3), ("got", 3)]
    assert [line.depth for line in lines_of([Rubric((RubricItem(reason="why"),))])] == [0, 0, 1]


@each_row(
    ("result", "text"),
    [
        (Result((), ((1,),), 1), "1 row\n1"),
        (Result(("a", "b"), ((1, None), ("x\ny", True)), 2), "2 rows\na | b\n1 | NULL\nx⏎y | true"),
        (Result(("", ""), ((1, 2),), 1), "1 row\n1 | 2"),
        (
            Result((), tuple((n,) for n in range(11)), 11),
            "\n".join(["11 rows, the first 10 shown", *map(str, range(10))]),
        ),
        (Result((), ((1,),), 12), "12 rows, the first 1 shown\n1"),
        (Result((), (), 0), "0 rows"),
    ],
)
def test_rows_say_how_many_there_are_and_show_the_first(result: Result, text: str) -> None:
    assert ("got", text) in _said(Rows("q", None, (Instance(1, False, got=result),)))


@each_row(
    ("part", "more"),
    [
        (Calls(), {}),
        (Calls(order="wrong"), {"order": "wrong"}),
        (Calls(order_wanted="strict"), {"order": "right"}),
        (Calls(extra_calls=2), {"extra calls": 2}),
        (Calls(extra_calls=2, allowed_extras=1), {"extra calls": 2, "allowed": 1}),
        (Calls(allowed_extras=1), {}),
        (Calls(score=0.0), {"calls alone": 0.0}),
    ],
)
def test_figures_of_calls_are_told_where_they_say_something(part: Calls, more: dict[str, Any]) -> None:
    assert call_facts(part) == {"calls made": 0, "names": 1.0, "arguments": 1.0, **more}


def test_a_language_is_told_where_one_was_asked_for() -> None:
    assert keyword_facts(Keywords(shares={"fluency": 1.0}, detected="id")) == {"fluency": 1.0}
    assert keyword_facts(Keywords(language="en", detected="id")) == {"language": "id", "asked for": "en"}
    assert keyword_facts(Keywords(language="en")) == {"language": "unknown", "asked for": "en"}


@each_row(
    ("value", "scale", "text"),
    [
        (3, (0, 5), "3 of 5"), (3.5, (1, 10), "3.5 of 10"), (0.25, (0, 1), "0.25"), (3, (), "3"), (3, (0, 5, 6), "3"),
        (None, (0, 5), "?"), (0, (0, 2), "0 of 2"),
    ],
)  # fmt: skip
def test_a_rating_is_told_with_the_top_of_its_scale(value: float | None, scale: tuple[float, ...], text: str) -> None:
    assert rating(value, scale) == text


@each_row(
    ("value", "short"),
    [
        ("x" * 23, True), ("x" * 24, False), ("a\nb", False), (1, True), (1.5, True), (True, True), (0, True), ([1], False),
        ({"a": 1}, False),
    ],
)  # fmt: skip
def test_short_facts_share_a_line(value: Any, short: bool) -> None:
    assert split_facts({"n": value}) == (({"n": value}, {}) if short else ({}, {"n": value}))


def test_a_reason_has_its_own_line_and_empty_facts_none() -> None:
    assert split_facts({"why": "so", "none": None, "text": "", "list": [], "object": {}, "tuple": ()}) == (
        {},
        {"why": "so"},
    )


@each_row(("value", "text"), [(True, "yes"), (False, "no"), (2, "2"), (1 / 3, "0.333333"), (2.0, "2"), ("x", "x")])
def test_a_number_is_told_to_six_places_that_count(value: Any, text: str) -> None:
    assert number(value) == text


def test_a_value_of_a_row_stands_on_one_line() -> None:
    assert [cell(value) for value in (None, "é\nx", 1.5, ["é"])] == ["NULL", "é⏎x", "1.5", '["é"]']
