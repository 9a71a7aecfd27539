"""What a provider's failure means: status and body → a typed error with one line that says what to do.

Both paths end here, so that a fault has one meaning whichever way the model was asked.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from core.errors import ErrorType, ModelCallError
from core.safety import clean_line, redact

MESSAGE_LIMIT = 300
"""Characters of a provider's own words that are kept."""
OPTIONAL_PARAMETERS = (
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "reasoning_effort",
    "response_format",
)
"""What a request can do without, where a model refuses it."""

_CONTEXT = re.compile(
    r"context[_ ](length|window|size)|maximum context|max(imum)?[_ ]?(model|prompt|input)[_ ]?(len|length|tokens)"
    r"|prompt is too long|too many (input )?tokens|input (is )?too long|exceed\w* (the )?(available )?context"
    r"|reduce the length|input token count|longer than the (maximum )?model",
    re.IGNORECASE,
)
_FILTER = re.compile(
    r"content[_ ]?(filter|management policy|policy)|responsible_?ai|flagged|safety system|moderation", re.IGNORECASE
)
_QUOTA = re.compile(
    r"insufficient[_ ](quota|balance|credits?|funds)|exceeded your current quota|billing|out of credits|payment required",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model[_ ]not[_ ]found|not a valid model|unknown model|invalid model|model\b.{0,120}\b(does not exist|not found|not exist)"
    r"|no such model|llm provider not provided",
    re.IGNORECASE | re.DOTALL,
)
_BAD_KEY = re.compile(
    r"api[_ ]?key (not valid|invalid|expired)|invalid[_ ]api[_ ]?key|incorrect api key", re.IGNORECASE
)
_REFUSED = re.compile(
    r"unsupported|not supported|do(es)?(n['’]t| not) support|unknown (parameter|field)|unrecognized|not permitted"
    r"|extra (inputs|fields)|not allowed|only the default",
    re.IGNORECASE,
)


class RefusedParameterError(ModelCallError):
    """The model takes no such parameter (or value); the same request without it may do."""

    def __init__(self, message: str, parameter: str, *, instead: str | None, status: int | None) -> None:
        self.parameter = parameter
        self.instead = instead
        super().__init__(message, ErrorType.BAD_REQUEST, status=status)


@dataclass(frozen=True, slots=True)
class Provider:
    """Whom an error is about: names for its message, and the variable its key is read from."""

    model: str
    key_variable: str | None = None
    base: str | None = None


def from_status(who: Provider, status: int, body: str, headers: Mapping[str, str]) -> ModelCallError:
    """The error behind an HTTP answer that is not 200; `headers` by lower-case name."""
    said = provider_words(body)
    code = said.code
    hint = f"{code} {said.kind} {said.message}"
    if status in {400, 403, 413, 422, 500} and (special := _special(who, status, said, hint)) is not None:
        return special
    if status == 401:
        return _fatal(who, ErrorType.AUTHENTICATION, status, "the key was refused", said, advice=_key_advice(who))
    if status == 402 or (status == 429 and _QUOTA.search(hint)):
        return _fatal(
            who, ErrorType.QUOTA, status, "the account is out of quota", said, advice="check its plan and billing"
        )
    if status == 403:
        return _fatal(who, ErrorType.PERMISSION, status, "access denied", said, advice=_key_advice(who))
    if status == 404:
        advice = "check the model's name" + (
            f" and the address {redact(who.base)} (does it end in /v1?)" if who.base else ""
        )
        return _fatal(who, ErrorType.MODEL_NOT_FOUND, status, "no such model", said, advice=advice)
    if status == 429:
        wait = retry_after(headers)
        return _error(who, ErrorType.RATE_LIMIT, status, "rate limited", said, retry=True, wait=wait)
    if status == 408:
        return _error(who, ErrorType.TIMEOUT, status, "timed out at the provider", said, retry=True)
    if status >= 500 or status in {409, 425}:
        wait = retry_after(headers)
        return _error(who, ErrorType.SERVER_ERROR, status, "the provider failed", said, retry=True, wait=wait)
    if 300 <= status < 400:
        target = redact(headers.get("location", "another address"))
        advice = f"the address redirects to {clean_line(target, 120)}: give the final one as --api-base"
        return _fatal(who, ErrorType.BAD_REQUEST, status, "redirected", said, advice=advice)
    return _error(who, ErrorType.BAD_REQUEST, status, "request refused", said)


def _special(who: Provider, status: int, said: Words, hint: str) -> ModelCallError | None:
    """What the words say and the status does not; None where they say nothing more."""
    if said.code == "context_length_exceeded" or _CONTEXT.search(hint):
        return _error(
            who, ErrorType.CONTEXT_WINDOW, status, "the prompt is longer than the model's context window", said
        )
    if status == 500:
        return None
    if said.code == "content_filter" or _FILTER.search(hint):
        return content_filter(who, said.message, status)
    if _BAD_KEY.search(hint):
        return _fatal(who, ErrorType.AUTHENTICATION, status, "the key was refused", said, advice=_key_advice(who))
    if status == 403:
        return None
    refused = _refused_parameter(said)
    if refused is not None:
        instead = (
            "max_completion_tokens" if refused == "max_tokens" and "max_completion_tokens" in said.message else None
        )
        return RefusedParameterError(
            _line(who, status, f"no {refused} here", said), refused, instead=instead, status=status
        )
    if said.code == "model_not_found" or _NO_MODEL.search(hint):
        return _fatal(who, ErrorType.MODEL_NOT_FOUND, status, "no such model", said, advice="check the model's name")
    return None


def from_error_body(who: Provider, error: Any) -> ModelCallError:
    """The error that came with status 200; a code inside that names a known failure keeps its meaning."""
    said = _words(error)
    code = said.code
    if code in {"400", "401", "402", "403", "404", "429"}:
        found = from_status(who, int(code), json.dumps({"error": error}), {})
        if not isinstance(found, RefusedParameterError):
            return found
    hint = f"{code} {said.kind} {said.message}"
    if _CONTEXT.search(hint):
        return _error(who, ErrorType.CONTEXT_WINDOW, 200, "the prompt is longer than the model's context window", said)
    return _error(who, ErrorType.ERROR_BODY, 200, "an error instead of an answer", said, retry=True)


def content_filter(who: Provider, words: str = "", status: int | None = None) -> ModelCallError:
    """The provider's filter took the prompt or the answer away; asking again changes nothing."""
    return _error(who, ErrorType.CONTENT_FILTER, status, "stopped by the provider's content filter", Words(words))


def invalid_response(who: Provider, why: str, excerpt: str = "") -> ModelCallError:
    """An answer with status 200 that is no chat completion."""
    return _error(who, ErrorType.INVALID_RESPONSE, 200, why, Words(excerpt), retry=True)


def not_json(who: Provider, body: str) -> ModelCallError:
    """An answer with status 200 that is no JSON: a web page, or a body that ends too early."""
    page = body.lstrip()[:200].lower().startswith(("<!doctype", "<html"))
    return invalid_response(
        who, "a web page instead of an answer" if page else "an answer that is not JSON", provider_words(body).message
    )


def too_large(who: Provider) -> ModelCallError:
    """The answer is larger than anything a model writes."""
    return ModelCallError(f"{who.model}: the answer is larger than 64 MiB", ErrorType.INVALID_RESPONSE, status=200)


def empty_choices(who: Provider) -> ModelCallError:
    """An answer with status 200 and no choice in it."""
    return _error(who, ErrorType.EMPTY_CHOICES, 200, "an answer without choices", Words(""), retry=True)


def timed_out(who: Provider, seconds: float) -> ModelCallError:
    """The total deadline of the call passed."""
    return ModelCallError(
        f"{who.model}: no complete answer within {seconds:g} s (raise --timeout if the model needs longer)",
        ErrorType.TIMEOUT,
        retryable=True,
    )


def connection_failed(who: Provider, why: str) -> ModelCallError:
    """The connection could not be made, or broke."""
    where = f" to {redact(who.base)}" if who.base else ""
    return ModelCallError(
        f"{who.model}: no connection{where}: {kept(why)}",
        ErrorType.CONNECTION,
        retryable=True,
    )


def kept(words: str) -> str:
    """A provider's own words as they may be kept: redacted, on one line, bounded."""
    return clean_line(redact(words[: 40 * MESSAGE_LIMIT]), MESSAGE_LIMIT)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The provider's wish in seconds from now, from `retry-after-ms` or `retry-after` (seconds or an HTTP date)."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
            return float(value) * scale
        if value:
            try:
                moment = parsedate_to_datetime(value).timestamp()
            except (ValueError, OverflowError):
                continue
            return max(0.0, moment - (time.time() if now is None else now))
    return None


@dataclass(frozen=True, slots=True)
class Words:
    """What a provider said of its error."""

    message: str
    code: str = ""
    kind: str = ""
    parameter: str = ""


def provider_words(body: str) -> Words:
    """Read an error body: OpenAI's form, FastAPI's `detail`, or any text (markup is left out)."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        text = re.sub(r"<(style|script)\b.*?</\1>|<[^>]{0,500}>", " ", body[:20_000], flags=re.DOTALL | re.IGNORECASE)
        return Words(" ".join(text.split()))
    if isinstance(data, list) and data:
        data = data[0]
    if isinstance(data, dict):
        return _words(data.get("error") or data.get("detail") or data.get("message") or data)
    return _words(data)


def _words(error: Any) -> Words:
    if not isinstance(error, dict):
        return Words(error if isinstance(error, str) else json.dumps(error))
    message = error.get("message") or error.get("detail") or error.get("error") or error
    metadata = error.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("raw"), str):
        message = f"{message}: {metadata['raw']}"
    return Words(
        message if isinstance(message, str) else json.dumps(message),
        str(error.get("code") or ""),
        str(error.get("type") or error.get("status") or ""),
        str(error.get("param") or ""),
    )


def _refused_parameter(said: Words) -> str | None:
    """The optional parameter that the words refuse, or None."""
    if said.code not in {"unsupported_value", "unsupported_parameter"} and not _REFUSED.search(said.message):
        return None
    if said.parameter in OPTIONAL_PARAMETERS:
        return said.parameter
    return next((name for name in OPTIONAL_PARAMETERS if re.search(rf"\b{name}\b", said.message)), None)


def _key_advice(who: Provider) -> str:
    return f"check the key in {who.key_variable}" if who.key_variable else "check the key and what it may use"


def _line(who: Provider, status: int | None, what: str, said: Words, advice: str = "") -> str:
    number = f" ({status})" if status not in {None, 200} else ""
    words = kept(said.message)
    parts = [f"{who.model}: {what}{number}", *([words] if words else [])]
    return ": ".join(parts) + (f" ({advice})" if advice else "")


def _error(
    who: Provider,
    error_type: ErrorType,
    status: int | None,
    what: str,
    said: Words,
    *,
    retry: bool = False,
    wait: float | None = None,
) -> ModelCallError:
    line = _line(who, status, what, said)
    return ModelCallError(line, error_type, retryable=retry, retry_after=wait, status=status)


def _fatal(
    who: Provider,
    error_type: ErrorType,
    status: int,
    what: str,
    said: Words,
    *,
    advice: str,
) -> ModelCallError:
    return ModelCallError(_line(who, status, what, said, advice), error_type, fatal=True, status=status)
