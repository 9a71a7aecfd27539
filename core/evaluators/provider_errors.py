"""A provider's error text that reached us as an answer: never scored."""

from __future__ import annotations

import json
import re

from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample

_PATTERNS = (
    re.compile(r"(?:litellm|openai|anthropic|httpx|requests)\.(?:\w+\.)*\w*(?:Error|Exception|Timeout)\b"),
    re.compile(
        r"(?:error|api error)\s*(?:code)?\s*[:=]?\s*(?:4\d\d|5\d\d)\s*(?:[-:{(]|too many|unauthori|internal|bad gat)",
        re.I,
    ),
    re.compile(r"(?:RateLimit|APIConnection|Authentication|ServiceUnavailable|InternalServer|BadRequest)Error\b"),
    re.compile(r"<!doctype html|<html[\s>]", re.I),
    re.compile(r"HTTP/\d(?:\.\d)? [45]\d\d\b"),
)
_GATEWAY = re.compile(
    r"<title>\s*(?:4\d\d|5\d\d)\b|bad gateway|service unavailable|gateway time-?out|too many requests", re.I
)


def looks_like_provider_error(text: str) -> bool:
    """Whether the whole text is an error message of a provider or a client library rather than an answer about one."""
    head = text.strip()[:4000]
    if head.startswith("{"):
        try:
            document = json.loads(text.strip()) if len(text) < 20_000 else None
        except (ValueError, RecursionError):
            document = None
        if isinstance(document, dict) and set(document) <= {
            "error",
            "type",
            "status",
            "request_id",
            "object",
            "code",
            "message",
        }:
            error = document.get("error")
            return (
                isinstance(error, dict)
                and "message" in error
                and bool({"code", "type", "status", "param"} & set(error))
            )
        return False
    matched = next((pattern for pattern in _PATTERNS if pattern.match(head)), None)
    if matched is None:
        return False
    return _GATEWAY.search(head) is not None if matched is _PATTERNS[3] else True


def answer_of(sample: EvaluationSample) -> str:
    """The response to be judged.

    Raises:
        JudgeError: the response is a provider's error text.
    """
    response = sample.response or ""
    if looks_like_provider_error(response):
        raise JudgeError(
            f"the response is a provider's error message, not an answer: {response.strip()[:120]!r}; "
            "it is not scored, ask the model again",
            ErrorType.ERROR_TEXT,
        )
    return response
