"""When an answer was written, by when each of its pieces came."""

from __future__ import annotations

import pytest

from modex.core.llm import timing as module
from modex.core.llm.timing import Timing, timing_of
from tests.rows import each_row


@each_row(
    ("thinking", "texts", "calls", "words", "told"),
    [  # first, thinking, writing, pieces
        ([], [], [], [], None),
        ([], [2.0], [], ["a"], (1.0, None, 0.0, 1)),
        ([], [2.0, 3.5], [], ["a", "b"], (1.0, None, 1.5, 2)),
        ([1.5, 2.0], [3.0, 4.0], [], ["a", "b"], (0.5, 1.5, 2.5, 4)),
        ([1.5], [], [2.5], [], (0.5, 1.0, 1.0, 2)),
        ([1.5, 2.5], [], [], [], (0.5, 1.0, 1.0, 2)),
        ([1.5], [4.0], [2.0], ["a"], (0.5, 0.5, 2.5, 3)),
        ([3.0], [2.0], [], ["a"], (1.0, 0.0, 1.0, 2)),
        ([], [], [2.0, 3.0], [], (1.0, None, 1.0, 2)),
        ([], [2.0, 3.0, 5.0, 6.0], [], ["<think>", "hm</think>", "four", "."], (1.0, 3.0, 4.0, 4)),
        ([], [2.0, 3.0, 5.0], [], ["<think>hm</think>fo", "ur", "."], (1.0, 0.0, 3.0, 3)),
        ([], [2.0, 3.0], [], ["<think>", "hm</think>"], (1.0, 1.0, 1.0, 2)),
        ([], [2.0, 3.0], [], ["a <b", ">"], (1.0, None, 1.0, 2)),
    ],
    ids=range(13),
)
def test_first_token_thinking_and_writing_follow_from_the_moments(
    thinking: list[float],
    texts: list[float],
    calls: list[float],
    words: list[str],
    told: tuple[float | None, ...] | None,
) -> None:
    found = timing_of(1.0, thinking, texts, calls, words)
    assert (found and (found.first_s, found.thinking_s, found.writing_s, found.pieces)) == told


def test_time_in_which_the_process_slept_is_no_time_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "lost_s", lambda begin, end: {(1.0, 2.0): 0.25, (2.0, 4.0): 0.5}[begin, end])
    found = timing_of(1.0, [], [2.0, 4.0], [], ["a", "b"])
    assert found is not None
    assert (found.first_s, found.writing_s) == (0.75, 1.5)


@each_row(("pieces", "seconds", "tells"), [(2, 0.005, True), (1, 0.005, False), (2, 0.0049, False)])
def test_a_speed_is_told_of_what_was_seen_being_written(pieces: int, seconds: float, tells: bool) -> None:
    assert Timing(0.1, None, seconds, pieces).tells_speed is tells
