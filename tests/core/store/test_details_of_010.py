"""Details of version 0.1.0, keys beside each other, read as parts."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from modex.core.store.database import open_database
from modex.core.store.details_of_010 import parts_of_keys, with_parts
from modex.core.store.exact import decode_json, encode_json
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
    lines_of,
    parts_of,
)
from tests.fixtures.old_databases import unpack
from tests.rows import each_row

_SIMPLE: list[tuple[dict[str, Any], tuple[Part, ...]]] = [
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
    ]  # fmt: skip


@each_row(("details", "parts"), _SIMPLE)
def test_keys_are_read_as_parts_and_what_none_knows_stays(details: dict[str, Any], parts: tuple[Part, ...]) -> None:
    assert parts_of_keys(details) == parts


_WHOLE: list[tuple[dict[str, Any], tuple[Part, ...]]] = [
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
    ]  # fmt: skip


@each_row(("details", "parts"), _WHOLE)
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


@pytest.mark.parametrize(
    "details",
    [
        {"expected_calls": 3, "judges": "none", "parts": {"a": 1}, "query": None, "matched": "x", "missing": "y"},
        {"expected_calls": [{"wrong": 3, "got": 5, "score": "x"}, 7], "extras": ["a"], "answer": {"got": None}},
        {"judges": [{"model": 3, "score": "x", "reason": 4}, None], "scale": ["a", "b"]},
        {"query": "q", "instances": [{"expected_rows": 3, "got_count": "x"}, 1], "parts": {"a": "b"}},
        {"parts": [{"evaluator": None, "details": 3, "weight": "x"}, 4]},
        {"matched": [1], "missing": [None], "language": {}, "weights": {"a": "b"}},
        {"extraction": "found", "extraction_span": "here", "got": {"a": 1}},
    ],
)
def test_odd_keys_never_fail(details: dict[str, Any]) -> None:
    assert list(lines_of(parts_of(with_parts(details))))


def test_what_is_stored_instead_reads_as_the_keys_did() -> None:
    for details, parts in (*_SIMPLE, *_WHOLE):
        assert parts_of(decode_json(encode_json(with_parts(details)))) == parts, details


def test_what_stands_beside_the_parts_stays_beside_them() -> None:
    exchanges = [{"role": "judge", "answer": "5"}]
    stored = with_parts({"got": "a", "expected": "b", "exchanges": exchanges, "reason": "its own"})
    part = {"kind": "compared", "expected": "b", "got": "a"}
    assert stored == {"exchanges": exchanges, "reason": "its own", "parts": [part]}
    assert with_parts({"exchanges": exchanges}) == {"exchanges": exchanges}


def test_a_hybrid_is_read_with_the_parts_of_our_evaluators_and_those_of_plugins_as_they_are() -> None:
    inner = {"matched": ["rest"], "missing": [], "forbidden": [], "relevance": 1.0, "why": "a sum"}
    of_plugin = {"matched": ["Paris"], "missing": []}
    given = [
        {"evaluator": "keyword", "weight": 2, "score": 1.0, "details": inner},
        {"evaluator": "cities", "weight": 1, "score": 0.0, "details": of_plugin},
        {"evaluator": "silent", "weight": 1, "score": 0.0, "details": {}},
    ]
    assert parts_of_keys({"parts": given, "why": "w"}) == (
        Weighted(
            (
                WeightedPart(
                    "keyword", 2, 1.0, "a sum", (Keywords(("rest",), shares={"relevance": 1.0}, why="a sum"),)
                ),
                WeightedPart("cities", 1, 0.0, "", (Extra(of_plugin),)),
                WeightedPart("silent", 1, 0.0),
            ),
            why="w",
        ),
    )


# whose rows

_KEYS = '{"got":"a","expected":"b"}'
_PARTS = '{"parts":[{"kind":"compared","expected":"b","got":"a"}]}'
_ROWS: tuple[tuple[str, bool], ...] = (
    ("", True),
    ("evaluator_id = 'facts_and_tone'", True),
    ("evaluator_id = 'cities'", False),
    ("evaluator_id = 'rubric'", False),  # built in since, then free for plugins
    ("judge_fingerprint = 'imported'", False),
    ("details = 'no JSON'", False),
    ("details = '[1]'", False),
)
"""What is set in a row of 0.1.0, and whether its keys are known."""


def _older(tmp_path: Path, *changes: str) -> tuple[Path, list[int]]:
    """A file of 0.1.0 with a row, here and among the earlier verdicts, for each of `_ROWS`; the rows' ids."""
    path = unpack("finished", tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        ids = [row[0] for row in connection.execute("SELECT result_id FROM earlier_verdicts ORDER BY id")]
        ids = ids[: len(_ROWS)]
        for id_, (change, _) in zip(ids, _ROWS, strict=True):
            for table, key in (("individual_test_results", "id"), ("earlier_verdicts", "result_id")):
                values = ", ".join(filter(None, (f"details = '{_KEYS}'" if "details" not in change else "", change)))
                connection.execute(f"UPDATE {table} SET {values} WHERE {key} = {id_}")
        for change in changes:
            connection.execute(change)
    return path, ids


def _details(path: Path, ids: list[int], *, migrate: bool) -> list[tuple[str, str]]:
    """The details of the rows and of their earlier verdicts."""
    database = open_database(path, read_only=not migrate)
    one = "SELECT details FROM individual_test_results WHERE id = ?"
    earlier = "SELECT details FROM earlier_verdicts WHERE result_id = ? ORDER BY id"
    found = [(database.rows(one, [id_])[0][0], database.rows(earlier, [id_])[0][0]) for id_ in ids]
    database.close()
    return found


@pytest.mark.parametrize("migrate", [False, True], ids=["read as it is", "brought up to date"])
def test_details_of_our_evaluators_are_rewritten_and_no_others(migrate: bool, tmp_path: Path) -> None:
    path, ids = _older(tmp_path)
    found = _details(path, ids, migrate=migrate)
    for (change, known), (now, earlier) in zip(_ROWS, found, strict=True):
        assert (now == _PARTS, earlier == _PARTS) == (known, known), change
    if not migrate:
        assert _details(path, ids, migrate=True) == found


@pytest.mark.parametrize("migrate", [False, True], ids=["read as it is", "brought up to date"])
def test_an_evaluator_of_the_bundled_suite_is_known_where_that_suite_was_asked(migrate: bool, tmp_path: Path) -> None:
    path, ids = _older(
        tmp_path, """UPDATE evaluation_runs SET config = replace(config, '"suite":null', '"suite":"/own"')"""
    )
    (built_in, bundled, *_) = _details(path, ids, migrate=migrate)
    assert built_in == (_PARTS, _PARTS)
    assert bundled == (_KEYS, _KEYS)


@pytest.mark.parametrize("migrate", [False, True], ids=["read as it is", "brought up to date"])
def test_what_was_judged_since_there_are_parts_is_left_as_it_is(migrate: bool, tmp_path: Path) -> None:
    path = unpack("first_020", tmp_path)  # it had `FIRST_WITH_PARTS` before its first verdict
    with closing(sqlite3.connect(path)) as connection, connection:
        ids = [row[0] for row in connection.execute("SELECT DISTINCT result_id FROM earlier_verdicts ORDER BY 1")][:2]
        for table in ("individual_test_results", "earlier_verdicts"):
            connection.execute(f"UPDATE {table} SET details = ?", [_KEYS])
        old = "2000-01-01T00:00:00.000Z"
        connection.execute("UPDATE evaluation_runs SET started_at = ?", [old])
        connection.execute("UPDATE individual_test_results SET completed_at = ? WHERE id = ?", [old, ids[0]])
        connection.execute("UPDATE earlier_verdicts SET completed_at = ? WHERE result_id = ?", [old, ids[1]])
    assert _details(path, ids, migrate=migrate) == [(_PARTS, _KEYS), (_KEYS, _PARTS)]
