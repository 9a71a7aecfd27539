from __future__ import annotations

from modex.core.pipeline.progress import ProgressCount


def test_what_takes_long_is_counted_now_and_then() -> None:
    said: list[str] = []
    moment = [0.0]
    progress = ProgressCount("checking: {} tests so far", said.append, lambda: moment[0])
    for seconds in (0.5, 1.9, 2.0, 3.0, 4.5):
        moment[0] = seconds
        progress.now(round(seconds * 1000))
    assert said == ["checking: 2,000 tests so far", "checking: 4,500 tests so far"]


def test_what_is_done_at_once_says_nothing() -> None:
    said: list[str] = []
    progress = ProgressCount("{}", said.append, lambda: 0.0)
    for _ in range(5000):
        progress.one_more()
    assert (said, progress.count) == ([], 5000)


def test_single_steps_are_counted_together() -> None:
    said: list[str] = []
    moment = [0.0]
    progress = ProgressCount("{}", said.append, lambda: moment[0])
    for _ in range(2500):
        progress.one_more()
        moment[0] += 0.01
    assert said == ["1,000", "2,000"]
