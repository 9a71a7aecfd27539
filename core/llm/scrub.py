"""The run's own secrets taken out of what a provider sends back: some servers echo the headers they were given."""

from __future__ import annotations

import base64
from collections.abc import Collection
from dataclasses import replace

from core.llm.keys import key_variables, read_key
from core.llm.reply import Reply
from core.runconfig import ModelSpec
from core.safety.credentials import credentials_of, passwords
from core.safety.redact import MASK, masked_by

_SHORTEST = 8
"""A shorter key is a placeholder or a word, and would blot out what a model says."""


def secrets_of(spec: ModelSpec) -> frozenset[str]:
    """The key and the passwords with which `spec` is asked; looked up once, because the environment does not change in a run."""
    key = read_key(key_variables(spec.model, spec.api_base))
    credentials = credentials_of(spec.api_base)
    basic = base64.b64encode(":".join(credentials).encode()).decode() if credentials else ""
    return frozenset(secret for secret in (key or "", basic, *passwords()) if len(secret) >= _SHORTEST)


def scrubbed(reply: Reply, secrets: Collection[str]) -> Reply:
    """`reply` without these secrets, wherever they stand."""
    if not secrets:
        return reply

    def clear(text: str) -> str:
        return masked_by(without_secrets, text)

    def without_secrets(text: str) -> str:
        for secret in secrets:
            if secret in text:
                text = text.replace(secret, MASK)
        return text

    calls = tuple(
        replace(call, id=clear(call.id), name=clear(call.name), arguments=clear(call.arguments))
        for call in reply.tool_calls
    )
    reasoning = None if reply.reasoning is None else clear(reply.reasoning)
    return replace(
        reply,
        content=clear(reply.content),
        reasoning=reasoning,
        tool_calls=calls,
        finish_reason=clear(reply.finish_reason),
    )
