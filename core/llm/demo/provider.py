"""The scripted model as a litellm provider: `demo` and `demo/<variant>`, with tokens, latency, and faults at times."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Mapping
from typing import Any

from litellm import CustomLLM, ModelResponse
from litellm.llms.custom_llm import CustomLLMError

from core.errors import ConfigurationError
from core.llm.demo.ability import VARIANTS, Dice
from core.llm.demo.script import Scripted, play, variant_of
from core.llm.types import Cue, Message

LATENCY_VARIABLE = "MODEX_DEMO_LATENCY"
_CHARACTERS_PER_TOKEN = 4


class DemoError(CustomLLMError):  # type: ignore[misc]  # litellm is not followed
    """A fault that the scripted model plays; carries headers as a provider's would."""

    def __init__(self, status_code: int, message: str, headers: Mapping[str, str]) -> None:
        super().__init__(status_code=status_code, message=message)
        self.headers = dict(headers)


class DemoProvider(CustomLLM):  # type: ignore[misc]  # litellm is not followed
    """Plays `core.llm.demo.script`; keeps only which calls it has already failed once."""

    def __init__(self) -> None:
        super().__init__()
        self._failed: set[str] = set()
        self._lock = threading.Lock()

    async def acompletion(self, *_: Any, **given: Any) -> ModelResponse:
        """Litellm's entry: answer, after a while."""
        options = given.get("optional_params") or {}
        cue = options.get("modex_cue")
        messages: list[Message] = given["messages"]
        variant = variant_of(given["model"])
        dice = Dice(variant, _call_key(cue, messages))
        await asyncio.sleep(latency_s(dice))
        self._fail_at_times(variant, dice)
        scripted = play(variant, messages, options.get("tools"), cue if isinstance(cue, Cue) else None)
        return _response(scripted, dice, given["model"], messages, options.get("tools"))

    def _fail_at_times(self, variant: str, dice: Dice) -> None:
        """Fail the first attempt of some calls, so that the retries of a run have something to do."""
        able = VARIANTS[variant]
        chance = dice.roll("fault")
        if chance >= able.rate_limited + able.unavailable:
            return
        with self._lock:
            if dice.key in self._failed:
                return
            self._failed.add(dice.key)
        if chance < able.rate_limited:
            raise DemoError(429, "scripted rate limit", {"retry-after-ms": "100"})
        raise DemoError(503, "scripted outage of a moment", {})


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


def _call_key(cue: Any, messages: list[Message]) -> str:
    if not isinstance(cue, Cue):
        return json.dumps(messages, default=str)
    return f"{cue.key} {cue.role} {cue.context.get('phase', '')} {len(messages)}"


def _response(scripted: Scripted, dice: Dice, model: str, messages: list[Message], tools: Any) -> ModelResponse:
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
    prompt, completion = asked // _CHARACTERS_PER_TOKEN + 1, said // _CHARACTERS_PER_TOKEN + 1
    return ModelResponse(
        model=model,
        choices=[{"index": 0, "message": message, "finish_reason": scripted.finish_reason}],
        usage={
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "completion_tokens_details": {"reasoning_tokens": thought // _CHARACTERS_PER_TOKEN},
        },
    )
