"""Details of simple evaluators and of version 0.1.0, keys beside each other."""

from __future__ import annotations

from typing import Any

from modex.core.verdict import (
    Call,
    CallOutcome,
    Calls,
    Compared,
    Extra,
    Extracted,
    Instance,
    Keywords,
    Part,
    Result,
    Rows,
    Vote,
    Votes,
    Weighted,
    WeightedPart,
)
from modex.core.verdict.keyed import parts_of_keys
from tests.rows import each_row


@each_row(
    ("details", "parts"),
    [
        ({}, ()),
        ({"exchanges": [1], "reason": "r", "empty": [], "none": None, "text": ""}, ()),
        ({"zero": 0, "no": False}, (Extra({"zero": 0, "no": False}),)),
        ({"got": "a", "expected": "b"}, (Compared("b", "a"),)),
        ({"got": None}, (Compared(None, None),)),
        (
            {"got": "5", "expected": "4", "tolerance": 0.5, "difference": 1, "comparison": "numeric", "value": 5},
            (Compared("4", "5", type="numeric", tolerance=0.5, difference=1, facts={"value": 5}),),
        ),
        ({"got": "5", "type": "a", "comparison": "b"}, (Compared(None, "5", type="a"), Extra({"comparison": "b"}))),
        ({"got": "5", "tolerance": True}, (Compared(None, "5"), Extra({"tolerance": True}))),
        ({"got": "5", "tolerance": "x"}, (Compared(None, "5"), Extra({"tolerance": "x"}))),
        (
            {
                "got": "5",
                "extraction": "found",
                "extraction_span": [1, 2],
                "answer_from": "box",
                "extraction_form": "json",
            },
            (Compared(None, "5"), Extracted("found", (1, 2), "json", "box")),
        ),
        (
            {"extraction": "found", "extraction_span": [1, "x"]},
            (Extracted("found"), Extra({"extraction_span": [1, "x"]})),
        ),
        ({"extraction": 3}, (Extra({"extraction": 3}),)),
        ({"query": "q", "gold_query": "g", "parts": {"a": 1}}, (Rows("q", "g", (), {"a": True}),)),
        ({"query": "q", "got": "x"}, (Rows("q", None), Extra({"got": "x"}))),
        ({"matched": ["a"], "missing": ["b"]}, (Keywords(("a",), ("b",)),)),
        ({"matched": ["a"]}, (Extra({"matched": ["a"]}),)),
        ({"matched": ["a"], "missing": "b"}, (Extra({"matched": ["a"], "missing": "b"}),)),
        ({"judges": 3}, (Extra({"judges": 3}),)),
    ],
)
def test_keys_are_read_as_parts_and_what_none_knows_stays(details: dict[str, Any], parts: tuple[Part, ...]) -> None:
    assert parts_of_keys(details) == parts


@each_row(
    ("details", "parts"),
    [
        ({"expected_calls": []}, (Calls(),)),
        (
            {"expected_calls": [3], "calls_made": 2, "extra_calls": 1, "extra_penalty": 0.5, "forbidden_called": ["rm"],
             "order": "wrong", "order_wanted": "strict", "name": 0, "arguments": 0.5, "calls_score": 0.25, "why": "w",
             "answer_score": 0.5, "extras": ["x", {"name": "f", "arguments": 1}, {"args": 2, "arguments": 3, "fault": "broken"}]},
            (Calls((), (Call("x"), Call("f", 1), Call("", 2, "broken")), made=2, extra_calls=1, extra_penalty=0.5,
                   forbidden=("rm",), order="wrong", order_wanted="strict", name_share=0, argument_share=0.5, score=0.25,
                   why="w"),),
        ),
        ({"expected_calls": [], "answer": {"got": "5"}}, (Calls(), Compared(None, "5"))),
        ({"expected_calls": [{"name": "f", "args": {"a": 1}, "optional": 1, "right": 1, "call": 2, "got": {"name": "f"},
                              "score": 0.5, "arguments": 1, "wrong": {"a": 2}}]},
         (Calls((CallOutcome("f", {"a": 1}, True, True, 2, Call("f"), 0.5, 1, {"a": "2"}),)),)),
        ({"expected_calls": [{"call": "x", "score": None, "arguments": "y", "wrong": "z"}]}, (Calls((CallOutcome(),)),)),
        ({"query": "q", "weak_evidence": "few", "why": "w", "instances": [{}]},
         (Rows("q", None, (Instance(),), {}, "few", "w"),)),
        ({"query": "q", "instances": [{
            "instance": 2, "equal": 1, "ordered": 1, "why": "w", "fault": "f", "got_truncated": 1, "expected_columns": ["a", 1],
            "expected_rows": [[1], 2], "expected_count": 3, "got_columns": "x", "got_rows": {}, "got_count": "y"}, "odd"]},
         (Rows("q", None, (Instance(2, True, True, Result(("a", "1"), ((1,), (2,)), 3), Result(), "w", "f", True),)),)),
        ({"query": "q", "instances": [{"instance": "x", "got_count": 0}]}, (Rows("q", None, (Instance(got=Result(count=0)),)),)),
        ({"judges": [{"model": "m", "score": 1, "rating": 5.0, "reason": 3, "repaired": 1}, 4, {"score": "x", "rating": None}],
          "scale": [0, 5], "expected": "g", "agreement": 0.5, "settled_by": "median", "without_verdict": ["n"], "why": "w"},
         (Votes((Vote("m", 1, 5.0, "3", True), Vote()), (0, 5), "g", 0.5, "median", ("n",), "w"),)),
        ({"judges": [], "scale": [0, "x"], "expected": 5}, (Votes(), Extra({"expected": 5}))),
        ({"parts": [{"evaluator": "e", "weight": 0, "score": 0, "details": {"why": "w"}}, "odd", {"weight": "x", "score": "y"}],
          "why": "v"},
         (Weighted((WeightedPart("e", 0, 0, "w", (Extra({"why": "w"}),)), WeightedPart("odd"), WeightedPart()), why="v"),)),
        ({"matched": [], "missing": ["b"], "forbidden": ["c"], "relevance": 0.5, "correctness": 0, "fluency": "x", "why": "w",
          "weights": {"a": 1, "b": "x"}, "language": {"declared": "en", "detected": "id"}, "fluency_parts": {"n": 1}},
         (Keywords((), ("b",), ("c",), shares={"relevance": 0.5, "correctness": 0}, weights={"a": 1}, language="en",
                   detected="id", facts={"n": 1}, why="w"), Extra({"fluency": "x"}))),
    ],
)  # fmt: skip
def test_each_key_of_a_verdict_of_010_is_read_and_an_odd_value_reads_as_if_it_were_not_there(
    details: dict[str, Any], parts: tuple[Part, ...]
) -> None:
    assert parts_of_keys(details) == parts


def test_the_first_kind_that_the_keys_fit_is_read() -> None:
    details = {"judges": [], "query": "q", "expected_calls": [], "got": 1, "parts": [1], "matched": [], "missing": []}
    order: tuple[tuple[str, type], ...] = (
        ("expected_calls", Calls), ("query", Rows), ("judges", Votes), ("parts", Weighted),
        ("matched", Keywords), ("got", Compared),
    )  # fmt: skip
    for key, kind in order:
        assert isinstance(parts_of_keys(details)[0], kind)
        del details[key]
