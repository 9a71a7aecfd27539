"""A speed is that of writing: tokens after the first over the time from the first to the last, where there was such a time."""

from __future__ import annotations

from modex.core.llm.timing import SHORTEST_S, Timing
from modex.core.llm.types import Completion, Usage
from modex.core.pipeline.rollout.speed import Speed
from tests.rows import each_row


def speed_of(*timings: Timing, tokens: int = 101) -> Speed:
    speed = Speed()
    for timing in timings:
        speed.count(Completion(text="x", usage=Usage(completion=tokens)), timing)
    return speed


def written(seconds: float, pieces: int = 50) -> Timing:
    return Timing(first_s=0.2, thinking_s=None, writing_s=seconds, pieces=pieces)


def test_tokens_behind_the_first_over_the_time_of_writing() -> None:
    assert speed_of(written(2.0)).tokens_per_s == 50.0
    assert speed_of(written(2.0), written(3.0)).tokens_per_s == 40.0


@each_row("timing", [written(0.0001), written(SHORTEST_S / 2), written(2.0, pieces=1)])
def test_a_stream_that_arrives_at_once_has_no_speed(timing: Timing) -> None:
    alone = speed_of(timing)
    assert (alone.tokens_per_s, alone.ttft_ms) == (None, 200.0)
    assert speed_of(timing, written(2.0)).tokens_per_s == 50.0


def test_thinking_that_nobody_saw_was_written_before_the_first_token() -> None:
    usage = Usage(completion=101, reasoning=50)
    for thinking_s, per_s in ((None, 25.0), (1.0, 50.0)):
        speed = Speed()
        speed.count(Completion(text="x", usage=usage), Timing(0.2, thinking_s, 2.0, 30))
        assert (speed.tokens_per_s, speed.estimated) == (per_s, False)


@each_row(
    ("completion", "pieces", "per_s", "estimated"),
    [
        (Completion(text="x", usage=Usage(completion=0)), 11, 5.0, True),
        (Completion(text="x", usage=Usage(completion=1)), 11, None, False),
        (Completion(text="x", usage=Usage(completion=101), flags=("usage_missing",)), 11, 5.0, True),
        (Completion(text="x", usage=Usage(completion=5, reasoning=5)), 11, 5.0, True),
    ],
)
def test_where_no_tokens_were_counted_the_events_of_the_stream_are(
    completion: Completion, pieces: int, per_s: float | None, estimated: bool
) -> None:
    speed = Speed()
    speed.count(completion, written(2.0, pieces))
    assert (speed.tokens_per_s, speed.estimated, speed.thinking_ms) == (per_s, estimated, None)


def test_thinking_is_added_up_and_the_first_token_is_that_of_the_first_call() -> None:
    speed = speed_of(Timing(0.5, 1.25, 2.0, 9), Timing(0.75, 0.5, 2.0, 9), written(2.0))
    assert (speed.ttft_ms, speed.thinking_ms) == (500.0, 1750)
