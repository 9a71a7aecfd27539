"""Values of other tools' logs, whatever stands there."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.imports.records import (
    ForeignRun,
    ForeignSample,
    label,
    level_in,
    moment,
    read_file,
    read_object,
    score_in,
    table,
    whole,
)
from modex.core.foundation.errors import ConfigurationError
from tests.rows import each_row


@each_row(
    ("value", "name"),
    [
        ("a b", "a b"), ("  a\n", "a"), (7, "7"), (0, "0"), (1.5, "1.5"), ("", "else"), ("  ", "else"), (None, "else"),
        (True, "else"), (["a"], "else"), ("a\tb\nc", "a_b_c"), ("/etc/x", "etc/x"), ("a/../b", "else"), ("..", "else"),
        ("a..b", "a..b"), ("x" * 200, "x" * 200), ("x" * 201, "x" * 200),
    ],
)  # fmt: skip
def test_a_name_is_one_printable_line_that_is_no_path(value: Any, name: str) -> None:
    assert label(value, "else") == name


@each_row(
    ("value", "score"),
    [
        (True, 1.0), (False, 0.0), ("C", 1.0), ("P", 0.5), ("I", 0.0), ("N", 0.0), ("2.5", 0.5), ("x", None), (0, 0.0),
        (5, 1.0), (5.01, None), (-0.01, None), (math.nan, None), (math.inf, None), ("nan", None), (None, None), ([1], None),
    ],
)  # fmt: skip
def test_a_score_is_read_as_a_share_of_the_highest(value: Any, score: float | None) -> None:
    assert score_in(value, 5.0) == score


@each_row(
    ("value", "text"),
    [
        (1.5, "1970-01-01T00:00:01.500Z"), (0, "1970-01-01T00:00:00.000Z"), ("2026-11-01T10:00:00", "2026-11-01T10:00:00.000Z"),
        ("2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00.000Z"), ("", None), ("soon", None), (True, None), (None, None),
        (1e30, None), (math.nan, None), ([1], None),
    ],
)  # fmt: skip
def test_a_moment_is_read_from_seconds_or_iso_8601(value: Any, text: str | None) -> None:
    assert moment(value) == text


@each_row(
    ("value", "count"),
    [(1, 1), (1.6, 2), (0.2, 0), (0, 0), (-3, 0), (True, 0), ("3", 0), (None, 0), (math.nan, 0), (math.inf, 0)],
)
def test_a_count_is_nothing_where_none_stands_there(value: Any, count: int) -> None:
    assert whole(value) == count


@each_row(("value", "level"), [(3, 3), ("3", 3), (None, 1), (True, 1), ([2], 1), ("?", 1)])
def test_a_level_is_one_where_none_is_said(value: Any, level: int) -> None:
    assert level_in(value) == level


def test_what_is_no_object_is_an_empty_one() -> None:
    assert [table(value) for value in ({"a": 1}, None, [1], "a")] == [{"a": 1}, {}, {}, {}]


@each_row(
    ("text", "fault"),
    [
        ("{", "this is no JSON"),
        ("[" * 100_000, "x: (this is no JSON|nests deeper)"),
        ("[1]", "this is no JSON object"),
        ('{"a": ' + "[" * 300 + "]" * 300 + "}", "nests deeper than 300 levels"),
    ],
)
def test_what_is_no_object_of_json_is_refused_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(ConfigurationError, match=fault):
        read_object(text, "x")


def test_an_object_of_json_is_read_from_text_bytes_and_a_file(tmp_path: Path) -> None:
    nested = '{"a": ' + "[" * 299 + "]" * 299 + "}"
    assert read_object(b'{"a": 1}', "x") == {"a": 1}
    assert list(read_object(nested, "x")) == ["a"]
    path = tmp_path / "log.json"
    path.write_text('{"a": 1}')
    assert read_file(path) == {"a": 1}
    with pytest.raises(ConfigurationError, match=r"gone\.json"):
        read_file(tmp_path / "gone.json")


def test_of_what_a_log_does_not_say_one_epoch_the_first_level_and_no_figure_is_taken() -> None:
    sample = ForeignSample("a", "q")
    assert (sample.epoch, sample.level, sample.weight, sample.score) == (1, 1, 1.0, None)
    assert (sample.prompt_tokens, sample.completion_tokens, sample.reasoning_tokens, sample.cached_tokens) == (
        0,
        0,
        0,
        0,
    )
    assert (sample.duration_ms, sample.cost_usd) == (0, None)
    run = ForeignRun("tool", Path("x"), "r", "t", "m", "s", lambda: iter(()))
    assert (run.duration_ms, run.finished) == (0, True)
