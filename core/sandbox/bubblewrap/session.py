"""Python that a model wrote, run by CPython itself within namespaces; what it gives back is read here, where it cannot reach."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.sandbox.bubblewrap.box import Box, BoxEnded, BoxLimits, BoxView
from modex.core.sandbox.bubblewrap.values import Opaque, packed, unpacked
from modex.core.sandbox.python import Ran

SLACK_S = 5.0
SLOWER = 5.0
"""How many times the seconds of processor time may pass on a machine that others use, or in a sleep."""
_SIGNALS: Mapping[int, tuple[str, str]] = {
    128 + 27: ("TimeoutError", "no result in time"),
    128 + 24: ("TimeoutError", "no result in time"),
    128 + 25: ("Ended", "the code wrote a file that is too large"),
    128 + 31: ("Ended", "the code made a call of the system that no sandbox allows"),
    128 + 11: ("Ended", "the interpreter crashed (segmentation fault)"),
    128 + 9: ("Ended", "the interpreter was killed: it used too much memory"),
}


class BoxedSession:
    """One interpreter in a box: what a piece of code defines is there for the next."""

    def __init__(self, box: Box, seconds: float) -> None:
        self.box, self._seconds = box, seconds

    def run(self, code: str, inputs: Mapping[str, Any] | None = None) -> Ran:
        """Run `code` with the variables `inputs`; never raises for what the code does."""
        message = {"do": "run", "code": code, "inputs": packed(dict(inputs or {})), "seconds": self._seconds}
        try:
            return ran_of(self.box.ask(message, self._seconds * SLOWER + SLACK_S))
        except BoxEnded as ended:
            return ran_of_end(ended)


@contextlib.contextmanager
def boxed_session(
    seconds: float, limits: BoxLimits | None = None, view: BoxView | None = None
) -> Iterator[BoxedSession]:
    """An interpreter of its own; `seconds` of processor time for each piece of code.

    Raises:
        BoxError: no box can be started.
    """
    with Box(limits or BoxLimits(), view) as box:
        yield BoxedSession(box, seconds)


def ran_of(reply: Mapping[str, Any]) -> Ran:
    """What a reply says; of what is none, that it is none: code can write to our pipe."""
    printed = str(reply.get("printed", ""))
    if "error" in reply:
        return _failed(reply, printed)
    try:
        return Ran(unpacked(reply["value"], _kept), printed)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return Ran(printed=printed, error="the code gave back what is no value", error_type="Ended")


def _failed(reply: Mapping[str, Any], printed: str) -> Ran:
    bases, compared = reply.get("bases"), reply.get("compared")
    return Ran(
        printed=printed,
        error=str(reply["error"]),
        error_type=str(reply.get("type", "Error")),
        error_bases=tuple(map(str, bases)) if isinstance(bases, list) else (),
        compared=(str(compared[0]), str(compared[1]), str(compared[2]))
        if isinstance(compared, list) and len(compared) == 3
        else None,
    )


def ran_of_end(ended: BoxEnded) -> Ran:
    """How an interpreter ended that gave no reply."""
    if ended.code is None:
        return Ran(error="no result in time", error_type="TimeoutError")
    kind, words = _SIGNALS.get(ended.code, ("Ended", f"the code ended its interpreter (exit code {ended.code})"))
    return Ran(error=words, error_type=kind)


def _kept(form: dict[str, Any]) -> Any:
    """What stayed inside, as what it is called."""
    ((name, body),) = form.items()
    if name in ("mine", "exception"):
        return Opaque(str(body[1]), str(body[-1]))
    raise ValueError(name)
