"""The scripted model as a litellm provider, `demo/litellm`: the same answers by the way of providers that need litellm."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from litellm import CustomLLM, ModelResponse
from litellm.llms.custom_llm import CustomLLMError

from modex.core.llm.demo.cues import current_cue
from modex.core.llm.demo.replies import Faults, completion, dice_for, latency_s, refusal
from modex.core.llm.types import Message


class DemoError(CustomLLMError):  # type: ignore[misc]  # litellm is not followed
    """A fault that the scripted model plays; carries headers as a provider's would."""

    def __init__(self, status_code: int, message: str, headers: Mapping[str, str]) -> None:
        super().__init__(status_code=status_code, message=message)
        self.headers = dict(headers)


class DemoProvider(CustomLLM):  # type: ignore[misc]  # litellm is not followed
    """Plays `modex.core.llm.demo.script`."""

    def __init__(self) -> None:
        super().__init__()
        self._faults = Faults()

    async def acompletion(self, *_: Any, **given: Any) -> ModelResponse:
        """Litellm's entry: answer, after a while."""
        options = given.get("optional_params") or {}
        cue = current_cue()
        messages: list[Message] = given["messages"]
        dice = dice_for(given["model"], messages, cue)
        await asyncio.sleep(latency_s(dice))
        if (refused := refusal(messages)) is not None:
            raise DemoError(400, refused, {})
        if (fault := self._faults.next(dice)) is not None:
            raise DemoError(*fault)
        return ModelResponse(**completion(given["model"], messages, options.get("tools"), cue, dice))
