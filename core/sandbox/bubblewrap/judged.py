"""A test's own code against a model's, each in a box of its own: what judges is out of reach of what is judged.

What passes between the two goes through here as it is, so that a deadline holds for both. The box that judges runs no answer's
code, only that of tests, each in a process of its own; so it is kept for the next.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from modex.core.sandbox.bubblewrap.box import Box, BoxEnded, BoxLimits, BoxView
from modex.core.sandbox.bubblewrap.seccomp import seccomp_filter
from modex.core.sandbox.bubblewrap.session import SLACK_S, SLOWER, BoxedSession, ran_of, ran_of_end
from modex.core.sandbox.bubblewrap.values import packed
from modex.core.sandbox.python import Ran

JUDGED_ENDED = "JudgedEnded"
"""The error type where the model's interpreter ended while its code was judged; the text says how."""
_END_S = 2.0


class JudgingBox:
    """Where code of tests runs. For one thread at a time."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.fit = True
        """Whether it may be used again."""

    def code(
        self,
        session: BoxedSession,
        code: str,
        names: Mapping[str, str] | None = None,
        seconds: float = 2.0,
        *,
        gathered: str = "",
        given: Mapping[str, Any] | None = None,
    ) -> Ran:
        """Run `code` beside the names that the answer of `session` defines, and `names` (each another's name there).

        `seconds` of processor time for both together. An assertion that fails says what stood on its two sides. `gathered`
        hands the names over as one dict of that name; `given` are further variables.

        Raises:
            BoxError: no box can be started.
        """
        end = time.monotonic() + seconds * SLOWER + SLACK_S
        try:
            known = session.box.ask({"do": "names"}, SLACK_S)["value"]["dict"]
        except (BoxEnded, KeyError, TypeError):
            return Ran(error="the interpreter ended before it was judged", error_type=JUDGED_ENDED)
        handed = [[name, form] for name, form in known if isinstance(name, str) and not name.startswith("__")]
        handed += [[new, form] for new, old in (names or {}).items() for name, form in known if name == old]
        if gathered:
            handed = [[gathered, {"dict": handed}]]
        handed += [[name, packed(value)] for name, value in (given or {}).items()]
        message = {"do": "run", "code": code, "inputs": {"dict": handed}, "seconds": seconds}
        return self._result(message, end, session.box, seconds)

    def run(self, code: str, inputs: Mapping[str, Any], seconds: float) -> Ran:
        """Run `code` by itself; its last expression's value, or its error.

        Raises:
            BoxError: no box can be started.
        """
        end = time.monotonic() + seconds * SLOWER + SLACK_S
        message = {"do": "run", "code": code, "inputs": packed(dict(inputs)), "seconds": seconds}
        return self._result(message, end, None, seconds)

    def _result(self, message: dict[str, Any], end: float, judged: Box | None, seconds: float) -> Ran:
        fit, self.fit = self.fit, False
        assert fit
        try:
            rules = seccomp_filter(processes=False) or b""
            self._box.ask({"do": "fork", "rules": rules.hex()}, max(SLACK_S, end - time.monotonic()))
            self._box.send(message, end)
            ran = self._relayed(judged, end, seconds) if judged is not None else ran_of(self._receive(end))
            self._box.ask({"do": "end"}, _END_S)
        except BoxEnded as ended:
            return ran_of_end(ended)
        self.fit = ran.error_type != JUDGED_ENDED
        return ran

    def _relayed(self, judged: Box, end: float, seconds: float) -> Ran:
        """Pass messages on until the judging side has its result: each question is answered before what stands around it is."""
        asked = 0
        judging = self._box
        here, there = judging, judged
        while True:
            try:
                message = self._receive(end) if here is judging else here.receive(end)
                asking = "do" in message
                if asking and here is judged and message["do"] != "op":  # what is judged may ask for nothing else
                    return Ran(error="the code wrote what is no reply", error_type=JUDGED_ENDED)
                if not asking and here is judging and asked == 0:
                    return ran_of(message)
                asked += 1 if asking else -1
                there.send({**message, "seconds": seconds} if asking and there is judged else message, end)
            except BoxEnded as ended:
                if here is judged or not judged.alive:
                    how = ran_of_end(ended)
                    over = how.error_type == "TimeoutError"
                    return Ran(error=how.error, error_type="TimeoutError" if over else JUDGED_ENDED)
                raise
            here, there = there, here

    def _receive(self, end: float) -> dict[str, Any]:
        """The next message of the judging side.

        Raises:
            BoxEnded: the process there ended, or nothing came.
        """
        message = self._box.receive(end)
        if "ended" in message:
            code = int(message["ended"])
            raise BoxEnded(128 - code if code < 0 else code)
        return message


class _Kept:
    """Judging boxes that wait for their next use, by what they show.

    They are started by a thread that lives as long as this process: a box ends with the thread that started it.
    """

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._waiting: dict[tuple[BoxLimits, BoxView], list[Box]] = {}
        self._starter = ThreadPoolExecutor(1, "judging-boxes")

    @property
    def ours(self) -> bool:
        """Whether this is the process that they belong to, and no fork of it."""
        return self._pid == os.getpid()

    def take(self, limits: BoxLimits, view: BoxView) -> Box:
        """One that shows this, else a new one."""
        with self._lock:
            waiting = self._waiting.get((limits, view), [])
            while waiting:
                if (box := waiting.pop()).alive:
                    return box
                box.close()
        return self._starter.submit(Box, limits, view, guarded=True).result()

    def give(self, limits: BoxLimits, view: BoxView, box: Box) -> None:
        """Keep it for the next, as many as there are cores."""
        with self._lock:
            if sum(map(len, self._waiting.values())) < max(2, os.cpu_count() or 1):
                self._waiting.setdefault((limits, view), []).append(box)
                return
        box.close()

    def close(self) -> None:
        """End them all."""
        with self._lock:
            boxes = [box for waiting in self._waiting.values() for box in waiting]
            self._waiting.clear()
        for box in boxes:
            box.close()


_kept: _Kept | None = None
_making = threading.Lock()


def end_kept() -> None:
    """End the boxes that wait for their next use; the next judgement starts new ones."""
    if _kept is not None and _kept.ours:
        _kept.close()


@contextlib.contextmanager
def judging(memory_bytes: int | None = None, view: BoxView | None = None) -> Iterator[JudgingBox]:
    """A judge, of its own as long as it is used.

    Raises:
        BoxError: no box can be started.
    """
    global _kept  # noqa: PLW0603
    with _making:
        if _kept is None or not _kept.ours:
            _kept = _Kept()
            atexit.register(_kept.close)
        kept = _kept
    limits, shown = BoxLimits(memory_bytes=memory_bytes or BoxLimits().memory_bytes, processes=True), view or BoxView()
    box = kept.take(limits, shown)
    judge = JudgingBox(box)
    try:
        yield judge
    finally:
        if judge.fit:
            kept.give(limits, shown, box)
        else:
            box.close()


def judge_code(session: BoxedSession, code: str, names: dict[str, str] | None = None, seconds: float = 2.0) -> Ran:
    """`JudgingBox.code` once.

    Raises:
        BoxError: no box can be started.
    """
    with judging() as judge:
        return judge.code(session, code, names, seconds)
