"""Worker threads and their feed."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modex.core.engine.workers import Activities, SampleFeed, Workers
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from tests.core.store.stores import CONFIG, sample


@pytest.fixture
def feed_of(tmp_path: Path) -> Iterator[Callable[[int], SampleFeed]]:
    feeds: list[SampleFeed] = []

    def make(count: int) -> SampleFeed:
        manager = DBDataManager(tmp_path / "modex.db")
        run_id = manager.create_run("e", CONFIG)
        ids = manager.plan(run_id, [sample(f"t{number}") for number in range(count)]).to_do
        manager.close()
        feeds.append(SampleFeed(DBDataManager(tmp_path / "modex.db"), ids))
        return feeds[-1]

    yield make
    for feed in feeds:
        feed.close()


def test_each_sample_is_taken_once_in_order(feed_of: Callable[[int], SampleFeed]) -> None:
    feed = feed_of(300)
    taken = []
    while (item := feed.take(5)) is not None:
        taken.append(item.test_id)
    assert taken == [f"t{number}" for number in range(300)]
    assert feed.ended
    assert feed.left == 0
    assert feed.take(0.01) is None


def test_an_unreadable_store_reaches_the_workers(tmp_path: Path) -> None:
    manager = DBDataManager(tmp_path / "modex.db")
    manager.database.run("DROP TABLE individual_test_results")
    feed = SampleFeed(manager, array("q", [1]))
    workers = Workers(feed, lambda _: True, 2)
    workers.start()
    assert workers.finished.wait(10)
    assert "individual_test_results" in str(workers.failure)


def test_every_sample_is_worked_on_once(feed_of: Callable[[int], SampleFeed]) -> None:
    lock, seen = threading.Lock(), []

    def work(item: EvaluationSample) -> bool:
        with lock:
            seen.append(item.test_id)
        return True

    workers = Workers(feed_of(250), work, 8)
    workers.start()
    assert workers.finished.wait(20)
    assert sorted(seen) == sorted(f"t{number}" for number in range(250))
    assert workers.activities == []


def test_work_that_says_so_ends_the_others(feed_of: Callable[[int], SampleFeed]) -> None:
    count = 0

    def work(_: EvaluationSample) -> bool:
        nonlocal count
        count += 1
        return count < 3

    workers = Workers(feed_of(500), work, 1)
    workers.start()
    assert workers.finished.wait(10)
    assert count == 3


def test_an_exception_ends_the_pool_and_is_kept(feed_of: Callable[[int], SampleFeed]) -> None:
    def work(_: EvaluationSample) -> bool:
        raise RuntimeError("broken")

    workers = Workers(feed_of(20), work, 4)
    workers.start()
    assert workers.finished.wait(10)
    assert str(workers.failure) == "broken"


def test_the_first_failure_is_the_one_that_is_kept(feed_of: Callable[[int], SampleFeed]) -> None:
    both = threading.Barrier(2, timeout=10)
    first: list[threading.Thread] = []

    def work(item: EvaluationSample) -> bool:
        if item.test_id == "t0":
            first.append(threading.current_thread())
            both.wait()
            raise RuntimeError("first")
        both.wait()
        first[0].join(10)
        raise RuntimeError("second")

    workers = Workers(feed_of(2), work, 2)
    workers.start()
    assert workers.finished.wait(10)
    assert str(workers.failure) == "first"


def test_activities_name_sample_and_phase_oldest_first(feed_of: Callable[[int], SampleFeed]) -> None:
    go_on, both = threading.Event(), threading.Barrier(3)
    activities = Activities()

    def work(item: EvaluationSample) -> bool:
        activities.phase(item, f"phase of {item.test_id}")
        both.wait(10)
        go_on.wait(10)
        return True

    workers = Workers(feed_of(2), work, 2, activities)
    workers.start()
    both.wait(10)
    found = workers.activities
    assert {activity.phase for activity in found} == {"phase of t0", "phase of t1"}
    assert found[0].since <= found[1].since
    go_on.set()
    assert workers.finished.wait(10)


def test_an_empty_plan_is_finished_at_once(feed_of: Callable[[int], SampleFeed]) -> None:
    workers = Workers(feed_of(0), lambda _: True, 3)
    workers.start()
    assert workers.finished.wait(10)


def test_fewer_workers_end_and_more_begin(feed_of: Callable[[int], SampleFeed]) -> None:
    lock = threading.Lock()
    busy = threading.Event()
    six = threading.Barrier(6)
    now = done = beside_others = 0

    def work(_: EvaluationSample) -> bool:
        nonlocal now, done, beside_others
        with lock:
            now += 1
            done += 1
            number = done
            beside_others += 30 < number <= 130 and now > 1
            if number == 30:
                workers.set_concurrency(1)
            if number == 130:
                workers.set_concurrency(6)
        busy.wait(0.001)
        if 130 < number <= 136:
            six.wait(20)  # passes only where six are at work at once
        with lock:
            now -= 1
        return True

    workers = Workers(feed_of(200), work, 4)
    workers.start()
    assert workers.finished.wait(40)
    assert workers.failure is None
    assert done == 200
    # Each of the three others may have been about to take one more, and the first alone may meet what is in flight.
    assert beside_others <= 6
    assert not six.broken
    assert workers.concurrency == 6


def test_the_first_failure_is_the_one_that_is_told(feed_of: Callable[[int], SampleFeed]) -> None:
    both = threading.Barrier(2)
    told = threading.Event()

    def work(_: EvaluationSample) -> bool:
        if both.wait(20) == 0:
            raise ValueError("the cause")
        while workers.failure is None:
            told.wait(0.001)
        raise KeyError("a consequence")

    workers = Workers(feed_of(2), work, 2)
    workers.start()
    assert workers.finished.wait(20)
    assert isinstance(workers.failure, ValueError)


def test_nothing_is_taken_while_paused(feed_of: Callable[[int], SampleFeed]) -> None:
    taken = threading.Event()

    def work(_: EvaluationSample) -> bool:
        taken.set()
        return True

    workers = Workers(feed_of(3), work, 2)
    workers.pause()
    workers.start()
    assert not taken.wait(0.3)
    workers.resume()
    assert workers.finished.wait(20)
    assert taken.is_set()


def test_one_worker_is_the_least(feed_of: Callable[[int], SampleFeed]) -> None:
    workers = Workers(feed_of(3), lambda _: True, 2)
    workers.set_concurrency(0)
    assert workers.concurrency == 1
    assert workers.finished.wait(20)


def test_where_no_more_threads_can_be_started_those_that_are_do_the_work(
    feed_of: Callable[[int], SampleFeed], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def work(item: EvaluationSample) -> bool:
        seen.append(item.test_id)
        return True

    feed, left = feed_of(20), list[None]()
    start = threading.Thread.start

    def limited(thread: threading.Thread) -> None:
        if thread.name.startswith("worker-"):
            if not left:
                raise RuntimeError("can't start new thread")
            left.pop()
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)
    with pytest.raises(RuntimeError, match="new thread"):
        Workers(feed, work, 4).start()
    left += [None, None]
    workers = Workers(feed, work, 4)
    workers.start()
    assert workers.concurrency == 2
    assert workers.finished.wait(20)
    assert sorted(seen) == sorted(f"t{number}" for number in range(20))
