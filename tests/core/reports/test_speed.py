"""A speed test's lines: no wider than the screen, named, and with what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.reports.speed import Point, compared_lines, speed_lines


def point(at_once: int, *, prompt: str = "8192 tokens in", errors: int = 0, error: str | None = None) -> Point:
    return Point(
        prompt=prompt, at_once=at_once, calls=2048, errors=errors, tokens_per_s=12_345.6 * at_once, each_per_s=1234.5,
        first_ms=123_456, first_p95_ms=999_999, estimated=True, error=error,
    )  # fmt: skip


@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("prompt", ["8 tokens in", "1000000 tokens in"])
def test_the_table_is_no_wider_than_the_screen(width: int, prompt: str) -> None:
    lines = list(speed_lines([point(1, prompt=prompt), point(8, prompt=prompt)], width=width))
    assert max(map(len, lines)) <= width
    bars = [line.count("█") for line in lines]
    assert 0 < bars[1] < bars[2] <= 24


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
