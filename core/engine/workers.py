"""Worker threads that take samples from a feed, as many at once as the concurrency allows at the moment."""

from __future__ import annotations

import threading
import time
from array import array
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from modex.core.engine.needed import Needed
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample

_PAGE = 128


class SampleFeed:
    """Loads the planned samples a page ahead of the workers, on a thread with its own connection."""

    def __init__(self, manager: DBDataManager, ids: array[int], needed: Needed | None = None) -> None:
        """`needed` holds back the epochs of a test that may turn out not to be needed."""
        self._needed = needed
        self._manager = manager
        self._ids = ids
        # Two pages at most: whole samples are loaded, and a slow model would else have the plan in memory.
        self._ready: deque[EvaluationSample] = deque()
        self._wanted = threading.Event()
        """Set where the next page is to be loaded."""
        self._came = threading.Condition()
        self._loaded = 0
        self._all_loaded = False
        self._failure: Exception | None = None
        self._ended = threading.Event()
        self._closed = False
        self._freed = threading.Event()
        self._thread = threading.Thread(target=self._load, name="feed", daemon=True)
        self._thread.start()

    @property
    def left(self) -> int:
        """How many samples nobody has taken yet."""
        return len(self._ids) - self._loaded + len(self._ready)

    def take(self, timeout_s: float) -> EvaluationSample | None:
        """The next sample; None where there is none (any more, or within `timeout_s`); see `ended`.

        Raises:
            Exception: the store could not be read; it is every worker's.
        """
        if self._needed is not None and (freed := self._needed.freed()) is not None:
            return freed
        all_loaded, sample = (
            self._all_loaded,
            self._next(),
        )  # in this order, or the last page could come between the two
        if sample is None and not all_loaded:
            with self._came:
                self._came.wait_for(lambda: self._ready or self._all_loaded, timeout_s)
            all_loaded, sample = self._all_loaded, self._next()
        if sample is not None:
            return sample if self._needed is None or self._needed.admits(sample) else None
        if not all_loaded:
            return None
        self._ended.set()
        if self._needed is not None and self._needed.holds:
            self._freed.wait(timeout_s)
            self._freed.clear()
        if self._failure is not None:
            raise self._failure
        return None

    def _next(self) -> EvaluationSample | None:
        """The next sample that is loaded; None where none is."""
        # No lock: each step is one for the interpreter, and every worker comes here for each sample.
        try:
            sample = self._ready.popleft()
        except IndexError:
            return None
        if len(self._ready) <= _PAGE and not self._wanted.is_set():
            self._wanted.set()
        return sample

    @property
    def ended(self) -> bool:
        """Whether every sample was taken."""
        held = self._needed is not None and not self._closed and self._needed.holds
        return self._ended.is_set() and not held

    def done(self, sample: EvaluationSample) -> None:
        """Say how a taken sample ended: others of its test may be waiting for that."""
        if self._needed is not None:
            self._needed.ended(sample)
            self._freed.set()

    def spared(self, sample: EvaluationSample) -> str:
        """Why a taken sample need not be asked; empty where it is to be."""
        return self._needed.spared(sample) if self._needed is not None else ""

    def close(self) -> None:
        """Stop loading."""
        self._closed = True
        self._ended.set()
        self._wanted.set()

    def _load(self) -> None:
        try:
            for start in range(0, len(self._ids), _PAGE):
                page = self._manager.load(self._ids[start : start + _PAGE])
                while len(self._ready) > _PAGE and not self._ended.is_set():
                    self._wanted.clear()
                    if len(self._ready) > _PAGE:
                        self._wanted.wait(0.5)
                if self._ended.is_set():
                    break
                self._loaded += len(page)
                self._ready.extend(page)
                with self._came:
                    self._came.notify_all()
        except Exception as error:
            self._failure = error
        finally:
            with self._came:
                self._all_loaded = True
                self._came.notify_all()
            self._manager.close()  # its connection belongs to this thread


@dataclass(slots=True)
class Activity:
    """What one worker is doing now."""

    sample: EvaluationSample
    phase: str
    since: float
    """Monotonic seconds."""
    thread: int = 0
    """The worker's thread, by which its calls are known."""


class Activities:
    """What each worker is doing, by the sample that it has: workers change it while others look."""

    def __init__(self) -> None:
        self._active: dict[int | None, Activity] = {}

    def now(self) -> list[Activity]:
        """What is being worked on now, oldest first."""
        snapshot = self._active.copy()  # one step for the interpreter: workers change it meanwhile
        return sorted(snapshot.values(), key=lambda activity: activity.since)

    def begin(self, sample: EvaluationSample) -> None:
        """Note that the calling thread has taken `sample`."""
        self._active[sample.id] = Activity(sample, "waiting", time.monotonic(), threading.get_ident())

    def phase(self, sample: EvaluationSample, phase: str) -> None:
        """Note the phase that `sample` enters, where it is being worked on."""
        if (activity := self._active.get(sample.id)) is not None:
            activity.phase = phase

    def end(self, sample: EvaluationSample) -> None:
        """Note that nobody works on `sample` any more."""
        self._active.pop(sample.id, None)


class Workers:
    """The threads. `work` moves one sample; what it raises ends the pool and is kept in `failure`."""

    def __init__(
        self,
        feed: SampleFeed,
        work: Callable[[EvaluationSample], bool],
        concurrency: int,
        activities: Activities | None = None,
    ) -> None:
        """`work` returns whether to go on taking samples; `activities` is where what they do is noted."""
        self._feed = feed
        self._work = work
        self._limit = concurrency
        self._paused = False
        self._stopping = False
        self._condition = threading.Condition()
        self._threads: dict[int, threading.Thread] = {}
        self._activities = activities if activities is not None else Activities()
        self.failure: BaseException | None = None
        self.finished = threading.Event()

    def start(self) -> None:
        """Start as many threads as the concurrency says."""
        self.set_concurrency(self._limit)

    @property
    def concurrency(self) -> int:
        """How many samples may be worked on at once."""
        return self._limit

    @property
    def activities(self) -> list[Activity]:
        """What is being worked on now, oldest first."""
        return self._activities.now()

    def set_concurrency(self, limit: int) -> None:
        """Change how many samples are worked on at once, or to as many as there can be threads; those in work are finished.

        Raises:
            RuntimeError: not one thread can be started.
        """
        with self._condition:
            self._limit = max(1, limit)
            if not self._stopping and not self.finished.is_set():
                for index in range(self._limit):
                    if index not in self._threads:
                        thread = threading.Thread(target=self._loop, args=(index,), name=f"worker-{index}", daemon=True)
                        try:
                            thread.start()
                        except RuntimeError:  # the machine, or the user's limit, allows no more of them
                            if not self._threads:
                                raise
                            self._limit = max(self._threads) + 1
                            break
                        self._threads[index] = thread
            self._condition.notify_all()

    def pause(self) -> None:
        """Take no further sample until `resume`."""
        with self._condition:
            self._paused = True

    def resume(self) -> None:
        """Take samples again."""
        with self._condition:
            self._paused = False
            self._condition.notify_all()

    @property
    def paused(self) -> bool:
        """Whether no sample is being taken."""
        return self._paused

    def stop(self) -> None:
        """Take no further sample, for good."""
        # Not from a signal handler: the thread it interrupts may hold this condition (see `Stopping.ask`).
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        self._feed.close()

    def _may_take(self, index: int) -> bool:
        """Wait while paused or above the limit; False where this thread should end."""
        with self._condition:
            while not self._stopping:
                # The highest numbers end, so that a later growth starts exactly those that are missing.
                if index >= self._limit:
                    return False
                if not self._paused:
                    return True
                self._condition.wait(timeout=1.0)
        return False

    def _loop(self, index: int) -> None:
        try:
            while self._may_take(index):
                sample = self._feed.take(timeout_s=0.5)
                if sample is None:
                    if self._feed.ended:
                        break
                    continue
                self._activities.begin(sample)
                try:
                    go_on = self._work(sample)
                finally:
                    self._activities.end(sample)
                if not go_on:
                    self.stop()
        except BaseException as error:
            # The first one is the cause; what the others fail with is often only its consequence.
            if self.failure is None:
                self.failure = error
            self.stop()
        finally:
            # Under the condition, or two last threads could each see the other and neither would say "finished".
            with self._condition:
                self._threads.pop(index, None)
                if not self._threads and (self._stopping or self._feed.ended):
                    self.finished.set()
