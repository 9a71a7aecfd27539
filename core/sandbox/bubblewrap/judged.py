"""A test's own code against a model's, each in a box of its own: what judges is out of reach of what is judged.

What passes between the two goes through here as it is, so that a deadline holds for both.
"""

from __future__ import annotations

import time
from typing import Any

from modex.core.sandbox.bubblewrap.box import Box, BoxEnded, BoxLimits
from modex.core.sandbox.bubblewrap.session import SLACK_S, SLOWER, BoxedSession, ran_of, ran_of_end
from modex.core.sandbox.python import Ran

JUDGED_ENDED = "JudgedEnded"
"""The error type where the model's interpreter ended while its code was judged; the text says how."""


def judge_code(session: BoxedSession, code: str, names: dict[str, str] | None = None, seconds: float = 2.0) -> Ran:
    """Run `code` beside the names that the answer of `session` defines, and `names` (each another's name there).

    `seconds` of processor time for both together. An assertion that fails says what stood on its two sides.

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
    with Box(BoxLimits(), guarded=True) as judging:
        try:
            judging.send({"do": "run", "code": code, "inputs": {"dict": handed}, "seconds": seconds}, end)
            return _relayed(judging, session.box, end, seconds)
        except BoxEnded as ended:
            return ran_of_end(ended)


def _relayed(judging: Box, judged: Box, end: float, seconds: float) -> Ran:
    """Pass messages on until the judging side has its result: each question is answered before what stands around it is."""
    asked = 0
    here, there = judging, judged
    while True:
        try:
            message = here.receive(end)
            asking = "do" in message
            if asking and here is judged and message["do"] != "op":  # what is judged may ask for nothing else
                return Ran(error="the code wrote what is no reply", error_type=JUDGED_ENDED)
            if not asking and here is judging and asked == 0:
                return ran_of(message)
            asked += 1 if asking else -1
            there.send(_timed(message, seconds) if asking and there is judged else message, end)
        except BoxEnded as ended:
            if judging.alive:
                how = ran_of_end(ended)
                return Ran(
                    error=how.error, error_type="TimeoutError" if how.error_type == "TimeoutError" else JUDGED_ENDED
                )
            raise
        here, there = there, here


def _timed(message: dict[str, Any], seconds: float) -> dict[str, Any]:
    return {**message, "seconds": seconds}
