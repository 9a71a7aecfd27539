"""The scripted model asked in this process: no network, and no litellm, whose import would take longer than a whole run."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

from core.errors import ConfigurationError, ErrorType, ModelCallError
from core.llm import faults
from core.llm.assembly import Assembly
from core.llm.demo.replies import Faults, completion, dice_for, latency_s
from core.llm.faults import Provider
from core.llm.gate import Interrupted
from core.llm.reply import Reply, read_reply
from core.llm.request import CallRequest
from core.llm.stream import cut_reply
from core.llm.underway import UnderWay

_LOOK_S = 0.05
"""How often at least a call that waits looks whether it is still wanted, in seconds."""


class DemoTransport:
    """Asks the scripted model `model`; it answers whole, after its latency."""

    def __init__(
        self, model: str, who: Provider, stop: threading.Event, under_way: UnderWay, played: Faults | None = None
    ) -> None:
        """`played` are the faults that the clients of one run share."""
        self._model = model
        self._who = who
        self._stop = stop
        self._under_way = under_way
        self._faults = played or Faults()

    def prepare_early(self) -> None:
        """Nothing takes long here."""

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:  # noqa: ARG002
        """See `Transport.send`."""
        started = time.monotonic()
        self._under_way.wait()
        dice = dice_for(self._model, request.messages, request.cue)
        try:
            latency = latency_s(dice)
        except ConfigurationError as error:
            raise ModelCallError(f"{self._who.model}: {error}", ErrorType.BAD_REQUEST, fatal=True) from None
        self._sleep(started + min(latency, request.seconds))
        if latency > request.seconds:
            if request.cut_by_time:
                return cut_reply(self._who, Assembly(started), "time_limit", f"after {request.seconds:g} s", request)
            raise faults.timed_out(self._who, request.timeout_s, None)
        if (fault := self._faults.next(dice)) is not None:
            raise faults.from_status(self._who, *fault)
        return read_reply(self._who, completion(self._model, request.messages, request.tools, request.cue, dice))

    def _sleep(self, until: float) -> None:
        while True:
            if self._stop.is_set() or self._under_way.cancelled():
                raise Interrupted
            left = until - time.monotonic()
            if left <= 0:
                return
            self._stop.wait(min(left, _LOOK_S))
