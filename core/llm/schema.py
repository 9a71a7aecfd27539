"""Answers in a form that the provider itself enforces: a JSON schema, sent where the model is known to take one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.llm.prices import price_entry

_ENFORCING = {"openai", "azure", "gemini", "vertex_ai-language-models", "xai", "groq"}
"""Providers whose schemas bind the answer and leave the thinking alone. Through litellm, Claude gets a schema as a forced tool,
which excludes thinking, and servers of one's own often read it as a grammar for the thinking too."""


def json_answer(name: str, **fields: Mapping[str, Any]) -> dict[str, Any]:
    """The `response_format` of an object with exactly these fields, each a JSON schema, in this order."""
    schema = {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def may_send(response_format: Mapping[str, Any] | None, model: str) -> bool:
    """Whether `model` is known to answer in a schema (one that refuses all the same is asked again without); anything that is
    no schema may be sent."""
    if response_format is None or response_format.get("type") != "json_schema":
        return True
    entry = price_entry(model) or {}
    return bool(entry.get("supports_response_schema")) and entry.get("litellm_provider") in _ENFORCING
