"""The `details` column: what is written of a verdict, and what is read of it whoever wrote it."""

from __future__ import annotations

from typing import Any

from modex.core.verdict import (
    Call,
    CallOutcome,
    Calls,
    Compared,
    Extra,
    Extracted,
    Part,
    Rows,
    Votes,
    Weighted,
    WeightedPart,
    details_of,
    find,
    found_parts,
    part_as_json,
    part_from_json,
    parts_of,
    reason_in,
)
from tests.rows import each_row

_PART = Compared("a", "b")
_WRITTEN = {"kind": "compared", "expected": "a", "got": "b"}


class _Own(Extra):
    """A part of an evaluator that is none of ours."""


@each_row(
    ("parts", "details", "reason", "stored"),
    [
        ([], {}, "", {}),
        ([], {"a": 1}, "", {"a": 1}),
        ([_PART], {"a": 1}, "why", {"a": 1, "parts": [_WRITTEN], "reason": "why"}),
        ([_PART], {}, "", {"parts": [_WRITTEN]}),
        ([], {}, "why", {"reason": "why"}),
    ],
)
def test_parts_and_a_reason_stand_beside_what_an_evaluator_filled_in(
    parts: list[Part], details: dict[str, Any], reason: str, stored: dict[str, Any]
) -> None:
    given = dict(details)
    assert details_of(parts, details, reason) == stored
    assert details == given


@each_row(
    ("details", "parts"),
    [
        (None, ()),
        ({}, ()),
        ({"parts": [_WRITTEN]}, (_PART,)),
        ({"parts": [_WRITTEN], "reason": "r", "exchanges": [1]}, (_PART,)),
        ({"parts": [_WRITTEN], "reason": "r", "a": 1}, (_PART, Extra({"a": 1}))),
        ({"parts": []}, (Extra({"parts": []}),)),
        ({"parts": ["kinds of things"], "reason": "r"}, (Extra({"parts": ["kinds of things"]}),)),
        ({"parts": [_WRITTEN, {}]}, (Extra({"parts": [_WRITTEN, {}]}),)),
        ({"reason": "r", "exchanges": [1]}, ()),
        (
            {"matched": ["Paris"], "missing": [], "got": None},
            (Extra({"matched": ["Paris"], "missing": [], "got": None}),),
        ),
        ({"parts": {"kind": 1}}, (Extra({"parts": {"kind": 1}}),)),
    ],
)
def test_details_are_read_by_parts_where_each_has_a_kind_and_are_facts_otherwise(
    details: dict[str, Any] | None, parts: tuple[Part, ...]
) -> None:
    assert parts_of(details) == parts


@each_row(
    ("parts", "details", "reason"),
    [
        ((), {}, ""),
        ((), {"got": "a"}, "r"),
        ((_PART,), {}, "r"),
        ((_PART,), {"a": 1, "reason": "x", "exchanges": [1]}, "r"),
        ((_PART, _Own({"b": 2}, "own")), {"a": 1}, ""),
    ],
)
def test_the_parts_of_a_new_verdict_are_those_that_will_be_read_of_it(
    parts: tuple[Part, ...], details: dict[str, Any], reason: str
) -> None:
    found = found_parts(parts, details, reason)
    assert found == parts_of(details_of(parts, details, reason))
    assert isinstance(found, tuple)


@each_row(
    ("details", "reason"),
    [
        (None, ""),
        ({}, ""),
        ({"reason": "stored", "parts": [_WRITTEN]}, "stored"),
        ({"reason": "", "parts": [_WRITTEN]}, "expected a, got b"),
        ({"reason": 3, "parts": [_WRITTEN]}, "expected a, got b"),
        ({"parts": [_WRITTEN]}, "expected a, got b"),
    ],
)
def test_a_stored_reason_goes_before_what_the_parts_say(details: dict[str, Any] | None, reason: str) -> None:
    assert reason_in(details, passed=False) == reason


def test_the_first_part_of_a_type_is_found() -> None:
    assert find([Extracted("a"), _PART, Compared("c")], Compared) == _PART
    assert find([_PART], Extracted) is None


@each_row(
    ("part", "document"),
    [
        (Calls(), {"kind": "calls"}),
        (Calls(made=True), {"kind": "calls", "made": True}),
        (Calls(score=0.0, expected=(CallOutcome("f", got=Call("f")),)),
         {"kind": "calls", "score": 0.0, "expected": [{"name": "f", "got": {"name": "f"}}]}),
        (Compared(expected=(1, {"a": (2,)})), {"kind": "compared", "expected": [1, {"a": [2]}]}),
        (Weighted((WeightedPart("m", parts=(_PART,)),)),
         {"kind": "weighted", "items": [{"evaluator": "m", "parts": [_WRITTEN]}]}),
        (Extra({1: "a"}), {"kind": "extra", "facts": {"1": "a"}}),  # type: ignore[dict-item]
        (Weighted((WeightedPart("m", 1, 0),)), {"kind": "weighted", "items": [{"evaluator": "m", "weight": 1, "score": 0}]}),
    ],
)  # fmt: skip
def test_a_part_is_written_as_its_kind_and_what_differs_from_the_defaults(part: Part, document: dict[str, Any]) -> None:
    assert part_as_json(part) == document


@each_row(
    ("document", "part"),
    [
        ({}, Extra({})),
        ({"a": 1}, Extra({"a": 1})),
        ({"kind": None, "a": 1}, Extra({"a": 1})),
        ({"kind": "compared", "got": [1]}, Compared(got=[1])),
        ({"kind": "compared", "tolerance": "1 %"}, Compared(tolerance="1 %")),
        ({"kind": "compared", "tolerance": 1}, Compared(tolerance=1)),
        ({"kind": "compared", "tolerance": None}, Compared()),
        ({"kind": "compared", "difference_percent": 3}, Compared(difference_percent=3)),
        ({"kind": "rows", "pieces": {"a": True}, "instances": [{"number": 2}]}, None),
        ({"kind": "rows", "gold_query": None}, Rows()),
    ],
)
def test_a_document_that_fits_is_read_by_its_kind(document: dict[str, Any], part: Part | None) -> None:
    found = part_from_json(document)
    assert found == part if part is not None else isinstance(found, Rows)


@each_row(
    ("kind", "field", "value"),
    [
        ("compared", "tolerance", [1]),
        ("compared", "difference_percent", True),
        ("compared", "difference_percent", "3"),
        ("compared", "why", 3),
        ("compared", "aliases", "abc"),
        ("compared", "facts", [1]),
        ("calls", "made", True),
        ("calls", "made", 1.5),
        ("calls", "made", None),
        ("calls", "no_call", 1),
        ("calls", "forbidden", [1]),
        ("calls", "expected", [{"got": 3}]),
        ("calls", "expected", [{"unknown": 3}]),
        ("calls", "expected", {"name": "f"}),
        ("rows", "pieces", {"a": 1}),
        ("votes", "scale", ["a"]),
        ("nothing", "a", 1),
    ],
)
def test_a_field_that_does_not_fit_makes_the_part_facts_under_its_kind(kind: str, field: str, value: Any) -> None:
    assert part_from_json({"kind": kind, field: value}) == Extra({field: value}, kind)


def test_what_stands_in_a_part_of_several_is_read_even_where_one_is_unknown() -> None:
    document = {"kind": "weighted", "items": [{"parts": [_WRITTEN, {"kind": "song", "notes": 2}, 7]}]}
    assert part_from_json(document) == Weighted(
        (WeightedPart(parts=(_PART, Extra({"notes": 2}, "song"), Extra({"value": 7}))),)
    )


def test_a_list_of_json_is_read_as_a_tuple_where_the_part_holds_one() -> None:
    assert part_from_json({"kind": "votes", "scale": [0, 5]}) == Votes(scale=(0, 5))
