"""The demo model as a litellm provider."""

from __future__ import annotations

from typing import Any

from litellm import CustomLLM


class DemoProvider(CustomLLM):  # type: ignore[misc]  # litellm is not followed
    """Answers `demo/<variant>`."""

    async def acompletion(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError
