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
