"""What may be sent to a model: a key belongs to one host, and is told to no other, whoever wrote it into the conversation."""

from __future__ import annotations

import base64

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.keys import headers_of, key_variables, read_key, references_of
from modex.core.llm.types import Message
from modex.core.safety.credentials import credentials_of
from modex.core.safety.known import secret_values, stored_secrets, without_secrets_in


def foreign_secrets(spec: ModelSpec) -> tuple[str, ...]:
    """The known secrets that are not those with which `spec` is asked, longest first."""
    credentials = credentials_of(spec.api_base)
    own = {read_key(key_variables(spec)) or "", *headers_of(spec).values()}
    own |= {read_key((name,)) or "" for name in references_of(spec)}
    if credentials is not None:
        own |= {credentials[1], base64.b64encode(":".join(credentials).encode()).decode()}
    return tuple(secret for secret in stored_secrets() if secret not in own and secret in secret_values())


def sendable(messages: list[Message], foreign: tuple[str, ...]) -> list[Message]:
    """`messages` without these secrets; the same list where none stands in them."""
    kept: list[Message] = without_secrets_in(messages, foreign) if foreign else messages
    return kept
