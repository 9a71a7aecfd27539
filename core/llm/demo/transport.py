"""The scripted model asked in this process: no network, and no litellm, whose import would take longer than a whole run."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping
from typing import Any

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm import faults
from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.demo.cues import current_cue
from modex.core.llm.demo.replies import Faults, completion, dice_for, latency_s, refusal
from modex.core.llm.faults import Provider
from modex.core.llm.gate import Interrupted
from modex.core.llm.reply import Reply, read_reply
from modex.core.llm.request import CallRequest
from modex.core.llm.stream import cut_reply, progress_of, whole_reply
from modex.core.llm.underway import UnderWay

_LOOK_S = 0.05
"""How often at least a call that waits looks whether it is still wanted, in seconds."""
_THINKS = 0.2
"""The part of the latency before the first word."""
_WORD = re.compile(r"\s*\S+\s*$|\s*\S+")


class DemoTransport:
    """Asks the scripted model `model`; its answer is written over its latency where a stream is asked for."""

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

    def send(self, request: CallRequest, refused: Mapping[str, str | None]) -> Reply:
        """See `Transport.send`."""
        started = time.monotonic()
        self._under_way.clear()
        cue = current_cue()
        dice = dice_for(self._model, request.messages, cue)
        try:
            latency = latency_s(dice)
        except ConfigurationError as error:
            raise ModelCallError(f"{self._who.model}: {error}", ErrorType.BAD_REQUEST, fatal=True) from None
        if (files := refusal(request.messages)) is not None:
            raise faults.from_status(self._who, 400, files, {})
        fault = self._faults.next(dice) if latency <= request.seconds else None
        answer = StreamAssembly(started)
        data = None if fault else completion(self._model, request.messages, request.tools, cue, dice)
        streamed = data is not None and latency > 0 and request.stream and "stream" not in refused
        if streamed and data is not None:
            self._under_way.begin(answer)
            self._write(answer, data, started, latency, request.seconds)
        else:
            self._sleep(started + min(latency, request.seconds))
        if latency > request.seconds:
            if request.cut_by_time:
                return cut_reply(self._who, answer, "time_limit", f"after {request.seconds:g} s", request)
            raise faults.timed_out(
                self._who, request.timeout_s, progress_of(answer, time.monotonic()) if streamed else None
            )
        if data is None:
            assert fault is not None
            raise faults.from_status(self._who, *fault)
        return whole_reply(self._who, answer) if streamed else read_reply(self._who, data)

    def _write(
        self, answer: StreamAssembly, data: dict[str, Any], started: float, latency: float, seconds: float
    ) -> None:
        """Give the answer word by word: the first after a part of the latency, the last at its end; at most for `seconds`."""
        (choice,) = data["choices"]
        message = choice["message"]
        words = _WORD.findall(message.get("content") or "")
        first = started + _THINKS * latency
        pause = (1 - _THINKS) * latency / max(1, len(words))
        for number, word in enumerate(words):
            due = first + number * pause
            if due > started + seconds:
                break
            if due - time.monotonic() > _LOOK_S / 2:  # words that come close together come at once, as over a network
                self._sleep(due)
            answer.add({"model": data["model"], "choices": [{"index": 0, "delta": {"content": word}}]})
        self._sleep(started + min(latency, seconds))
        if latency > seconds:
            return
        calls = [{**call, "index": number} for number, call in enumerate(message.get("tool_calls") or ())]
        delta = {"tool_calls": calls} if calls else {}
        answer.add({"choices": [{"index": 0, "delta": delta, "finish_reason": choice["finish_reason"]}]})
        answer.add({"choices": [], "usage": data["usage"]})

    def _sleep(self, until: float) -> None:
        while True:
            if self._stop.is_set() or self._under_way.cancelled():
                raise Interrupted
            left = until - time.monotonic()
            if left <= 0:
                return
            self._stop.wait(min(left, _LOOK_S))
