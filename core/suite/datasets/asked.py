"""What a stored conversation asked: its turns up to the answer, without what the answer took on its way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

ROLES = {"developer": "system", "function": "tool", "human": "user", "gpt": "assistant", "model": "assistant"}
"""Roles by other names: OpenAI's newer and older ones, ShareGPT's, Gemini's."""


def role_of(message: Mapping[str, Any]) -> str | None:
    """A message's role in our words; None where it has none."""
    role = message.get("role", message.get("from"))
    return ROLES.get(role, role) if isinstance(role, str) else None


def asked_in(value: Any) -> list[dict[str, Any]] | None:
    """The turns that a conversation, or its JSON as a text, put before the assistant answered last; None of anything else.

    They end with the last user's turn that was answered. Calls of tools and their results are the answer's.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if not isinstance(value, list) or not all(isinstance(one, dict) and role_of(one) for one in value):
        return None
    roles = [role_of(one) for one in value]
    answered = max((place for place, role in enumerate(roles) if role == "assistant"), default=len(roles))
    end = max((place for place, role in enumerate(roles[:answered]) if role == "user"), default=None)
    if end is None:
        return None
    turns = [
        {"role": role, "content": one.get("content", one.get("value"))}
        for role, one in zip(roles[: end + 1], value, strict=False)
        if role in ("system", "user", "assistant")
    ]
    return [turn for turn in turns if turn["content"]]


def last_asked(turns: list[dict[str, Any]]) -> str:
    """The words of the last turn; empty where it has none."""
    content = turns[-1]["content"] if turns else ""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""
