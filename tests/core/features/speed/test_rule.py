"""A speed test's lines: no wider than the screen, named, and with what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from modex.core.features.speed.rule import Point, compared_lines, points_of, speed_lines
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.rows import each_row


def point(at_once: int, *, prompt: str = "8192 tokens in", errors: int = 0, error: str | None = None) -> Point:
    return Point(
        prompt=prompt, at_once=at_once, calls=2048, errors=errors, tokens_per_s=12_345.6 * at_once, each_per_s=1234.5,
        first_ms=123_456, first_p95_ms=999_999, estimated=True, error=error,
    )  # fmt: skip


@each_row("width", [80, 100, 200])
@each_row("prompt", ["8 tokens in", "1000000 tokens in"])
def test_the_table_is_no_wider_than_the_screen(width: int, prompt: str) -> None:
    lines = list(speed_lines([point(1, prompt=prompt), point(8, prompt=prompt)], width=width))
    assert max(map(len, lines)) <= width
    bars = [line.count("█") for line in lines]
    assert 0 < bars[1] < bars[2] <= 24


def test_a_short_name_stands_below_its_heading() -> None:
    head, row, *_ = speed_lines([point(1, prompt="8")])
    assert head.startswith("prompt at once")
    assert row.startswith("     8       1")


def test_a_screen_is_eighty_columns_wide_where_nothing_is_said() -> None:
    points = [point(1, prompt="100000 tokens in")]
    assert list(speed_lines(points)) == list(speed_lines(points, width=80)) != list(speed_lines(points, width=81))
    assert list(speed_lines(points)) != list(speed_lines(points, width=79))


def test_bars_are_drawn_with_what_the_terminal_has() -> None:
    assert "=" in list(speed_lines([point(1)], full="="))[1]


def test_calls_without_an_answer_stand_below_their_point_with_the_reason() -> None:
    _, first, below, second, *_ = speed_lines([point(1, errors=3, error="429: slow\ndown"), point(2)])
    assert first.split()[-1].startswith("█")
    assert below.strip() == "3 of 2048 calls have no answer: 429: slow⏎down"
    assert "█" in second


def compared(first: Sequence[Point], second: Sequence[Point]) -> list[str]:
    return list(compared_lines(("one", "another run"), first, second))


def test_a_comparison_says_which_is_which_and_fits() -> None:
    lines = compared([point(1), point(4)], [point(4)])
    assert lines[0] == "one → another run"
    assert "1.00 ×" in lines[2]
    assert len(lines) == 3
    assert max(map(len, lines)) <= 80


def test_two_tests_without_a_load_in_common_are_told_how_to_have_one() -> None:
    assert "--concurrency" in compared([point(1)], [point(2)])[-1]


def call(second: int, **fields: Any) -> EvaluationSample:
    """A call that began so many seconds after the hour and took two."""
    given = {"domain": "8 tokens in", "cluster": "2", "stage": "judged", "status": "passed", "completion_tokens": 100,
             "started_at": f"2026-11-01T10:00:{second:02}Z",
             "completed_at": f"2026-11-01T10:00:{second + 2:02}Z", **fields}  # fmt: skip
    return EvaluationSample(**given)


def read(*samples: EvaluationSample) -> list[Point]:
    reader: Any = SimpleNamespace(samples=lambda _: samples)
    return points_of(reader, RunRow(1))


def test_calls_of_one_load_are_one_point_in_the_order_in_which_loads_were_asked() -> None:
    points = read(
        call(0), call(1, cluster="1"), call(3), call(0, domain="longer"), call(0, cluster=None), call(0, cluster="x"),
        call(0, stage="init", status="pending"), call(0, stage="init", status="error"),
    )  # fmt: skip
    assert [(one.prompt, one.at_once, one.calls, one.errors) for one in points] == [
        ("8 tokens in", 2, 3, 1), ("8 tokens in", 1, 1, 0), ("longer", 2, 1, 0)
    ]  # fmt: skip
    assert points[0].tokens_per_s == 40.0


@each_row(
    ("samples", "told"),
    [
        ([call(0, completion_tokens=7), call(9, status="error", completion_tokens=50, error_message="a")],
         {"tokens_per_s": 3.5, "errors": 1, "error": "a"}),
        ([call(0, status="error", error_message=one) for one in ("a", "b", "b", "")],
         {"calls": 4, "errors": 4, "error": "b", "tokens_per_s": None, "first_ms": None}),
        ([call(0, started_at=None)], {"tokens_per_s": None}),
        ([call(0, completed_at=None)], {"tokens_per_s": None}),
        ([call(0, completed_at="2026-11-01T10:00:00Z")], {"tokens_per_s": None}),
        ([call(0, completion_tokens=0)], {"tokens_per_s": None}),
        ([call(0)], {"each_per_s": None, "first_ms": None, "first_p95_ms": None, "estimated": False, "error": None}),
        ([call(0, ttft_ms=number, output_tokens_per_s=number) for number in (30.0, 10.0, 20.0)],
         {"each_per_s": 20.0, "first_ms": 20.0, "first_p95_ms": 30.0}),
        ([call(0, ttft_ms=number) for number in range(20, 0, -1)], {"first_ms": 11, "first_p95_ms": 19}),
        ([call(0, ttft_ms=number) for number in range(21)], {"first_ms": 10, "first_p95_ms": 19}),
        ([call(0), call(1, flags=["speed_estimated"])], {"estimated": True}),
        ([call(0, flags=["usage_missing"])], {"estimated": True}),
        ([call(0), call(1, status="error", flags=["usage_missing"])], {"estimated": False}),
    ],
)  # fmt: skip
def test_a_point_is_made_of_the_calls_that_were_answered(samples: list[EvaluationSample], told: dict[str, Any]) -> None:
    (found,) = read(*samples)
    assert {name: getattr(found, name) for name in told} == told


_POINT = Point("8 tokens in", 2, 4, 0, 40.0, 20.0, 500.0, 1500.0, False)


def test_a_line_holds_a_points_figures_and_a_bar_by_what_is_the_most() -> None:
    head, first, second, third = speed_lines(
        [_POINT, replace(_POINT, at_once=4, tokens_per_s=160.0, estimated=False),
         Point("", 1, 1, 0, None, None, None, None, False)],
        width=200, full="=",
    )  # fmt: skip
    assert head.split() == ["prompt", "at", "once", "calls", "first", "token", "p95", "tok/s", "each", "in", "all"]
    assert first.split() == ["8", "tokens", "in", "2", "4", "0.50", "s", "1.50", "s", "20.0", "40.0", "=" * 6]
    assert second.split()[-2:] == ["160", "=" * 24]
    assert third.split() == ["1", "1", "–", "–", "–", "–"]
    narrow = list(speed_lines([_POINT], width=20, full="="))
    assert narrow[1].endswith(" ====")


def test_tokens_that_were_counted_by_events_are_marked() -> None:
    _, row, why = speed_lines([replace(_POINT, estimated=True)], full="=")
    assert ("~20.0" in row, "~40.0" in row, why.startswith("~ the server counted no tokens")) == (True, True, True)


def test_a_comparison_tells_how_many_times_as_fast_where_both_are_known() -> None:
    faster = replace(_POINT, tokens_per_s=100.0, first_ms=250.0)
    assert compared([_POINT], [faster])[2].split() == [
        "8", "tokens", "in", "2", "0.50", "s", "→", "0.25", "s", "40.0", "→", "100", "2.50", "×"
    ]  # fmt: skip
    for one, two in ((None, 40.0), (40.0, None), (0.0, 40.0)):
        found = compared([replace(_POINT, tokens_per_s=one)], [replace(_POINT, tokens_per_s=two)])
        assert "×" not in found[2]
