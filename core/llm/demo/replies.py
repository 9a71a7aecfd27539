"""What the scripted model sends back, after how long, and which calls it fails first: as a chat completion, on any path."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.demo.ability import VARIANTS, Dice
from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.script import Scripted, play, variant_of
from modex.core.llm.types import Message

LATENCY_VARIABLE = "MODEX_DEMO_LATENCY"
_CHARACTERS_PER_TOKEN = 4


def dice_for(model: str, messages: list[Message], cue: Cue | None) -> Dice:
    """The numbers of one call."""
    return Dice(variant_of(model), _call_key(cue, messages))


class Faults:
    """The first attempts that fail, so that the retries of a run have something to do. Any thread may ask."""

    def __init__(self) -> None:
        self._failed: set[str] = set()
        self._lock = threading.Lock()

    def next(self, dice: Dice) -> tuple[int, str, dict[str, str]] | None:
        """Status, words and headers of the fault that this attempt meets, or None."""
        able = VARIANTS[dice.variant]
        chance = dice.roll("fault")
        if chance >= able.rate_limited + able.unavailable:
            return None
        with self._lock:
            if dice.key in self._failed:
                return None
            self._failed.add(dice.key)
        if chance < able.rate_limited:
            return 429, "scripted rate limit", {"retry-after-ms": "100"}
        return 503, "scripted outage of a moment", {}


def refusal(messages: list[Message]) -> str | None:
    """What the scripted model says to attachments, which it takes none of; None where there are none."""
    if any(isinstance(message.get("content"), list) for message in messages):
        return "the scripted demo model does not support attachments: it reads no image and no file"
    return None


def latency_s(dice: Dice) -> float:
    """Seconds that a call takes: `MODEX_DEMO_LATENCY`, else 0.02–0.15 by the dice.

    Raises:
        ConfigurationError: the variable is no number of seconds.
    """
    text = os.environ.get(LATENCY_VARIABLE, "").strip()
    if not text:
        return 0.02 + 0.13 * dice.roll("latency")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 600:
        raise ConfigurationError(f"{LATENCY_VARIABLE}={text!r}: give the latency in seconds, from 0 to 600")
    return seconds


def _call_key(cue: Cue | None, messages: list[Message]) -> str:
    if cue is None:
        return json.dumps(messages, default=str)
    return f"{cue.key} {cue.role} {cue.context.get('phase', '')} {len(messages)}"


def completion(model: str, messages: list[Message], tools: Any, cue: Cue | None, dice: Dice) -> dict[str, Any]:
    """The answer to `messages` as a chat completion in JSON."""
    scripted = play(dice.variant, messages, tools, cue)
    return _response(scripted, dice, model, messages, tools)


def _response(scripted: Scripted, dice: Dice, model: str, messages: list[Message], tools: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": scripted.content or None}
    if scripted.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{int(dice.roll('id') * 2**40):010x}_{number}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for number, call in enumerate(scripted.calls, start=1)
        ]
    asked = sum(len(str(m.get("content") or "")) for m in messages) + (len(json.dumps(tools)) if tools else 0)
    said = len(scripted.content) + sum(len(json.dumps(call.arguments)) for call in scripted.calls)
    thought = len(scripted.content.split("</think>")[0]) if scripted.content.startswith("<think>") else 0
    prompt, written = asked // _CHARACTERS_PER_TOKEN + 1, said // _CHARACTERS_PER_TOKEN + 1
    return {
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": scripted.finish_reason}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": written,
            "total_tokens": prompt + written,
            "completion_tokens_details": {"reasoning_tokens": thought // _CHARACTERS_PER_TOKEN},
        },
    }
