from __future__ import annotations

import json
from typing import Any

from modex import ToolSession
from plugins.crypto_world import HANDLERS


def ask(tool: str, **arguments: Any) -> dict[str, Any]:
    """The tool's answer, which must not be an error."""
    result = HANDLERS[tool](arguments, ToolSession())
    assert not result.is_error, result.content
    answer: dict[str, Any] = json.loads(result.content)
    return answer


def refusal(tool: str, **arguments: Any) -> str:
    """The message of the tool's error."""
    result = HANDLERS[tool](arguments, ToolSession())
    assert result.is_error, result.content
    return str(json.loads(result.content)["error"])
