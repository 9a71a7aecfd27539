"""Litellm's exceptions → the same typed errors that the direct path raises.

Litellm folds what happened into its own classes (a reset connection and a page of HTML both arrive as a 500), so the
chain of causes is read instead: it still holds the provider's own answer, or the reason why there was none.
"""

from __future__ import annotations

import ast
import json

from modex.core.foundation.errors import ErrorType, ModelCallError, ModexError
from modex.core.llm import faults
from modex.core.llm.faults import Provider
from modex.core.llm.faults.broken import Broken, causes, permanent

_BROKEN = {"APIConnectionError", "TransportError", "ConnectError", "ReadError", "WriteError", "RemoteProtocolError"}
_LATE = {"Timeout", "APITimeoutError", "TimeoutException", "ReadTimeout", "ConnectTimeout", "PoolTimeout"}


def from_exception(who: Provider, error: Exception, timeout_s: float) -> ModelCallError:
    """The typed error behind whatever litellm raised; `timeout_s` is the deadline that was given."""
    chain = list(causes(error))
    answered = next((found for cause in chain if (found := _provider_answer(cause)) is not None), None)
    if answered is not None:
        return faults.from_status(who, *answered)
    broken = permanent(chain)
    if broken is not None:
        return faults.connection_failed(who, broken)
    event = next((cause for cause in chain if _is_error_event(cause)), None)
    if event is not None:
        return faults.from_error_body(who, getattr(event, "body", None) or {"message": _words(event)})
    failed = [said for cause in chain if (said := _failed_response(cause)) is not None]
    if failed:
        return faults.from_error_body(who, failed[0])
    names = {kind.__name__ for cause in chain for kind in type(cause).__mro__}
    root = chain[-1]
    if isinstance(root, ModexError):
        return ModelCallError(f"{who.model}: {root}", ErrorType.BAD_REQUEST, fatal=True)
    if names & _LATE or isinstance(root, TimeoutError):
        return faults.timed_out(who, timeout_s)
    if "JSONDecodeError" in names:
        return faults.not_json(who, "")
    for cause in chain:
        words = _words(cause)
        if "Empty or invalid response from LLM endpoint" in words:
            return faults.not_json(who, _received(words))
    if names & _BROKEN - {"APIConnectionError"} or isinstance(root, ConnectionError) or _is_client_error(root):
        return faults.connection_failed(who, Broken(_words(root)))
    status = _status(chain)
    words = _words(root)
    if type(root) is Exception and status is not None:
        return faults.from_error_body(who, {"message": words, "code": status})
    if status is not None and status != 200 and not (status == 500 and isinstance(root, _OUR_FAULTS)):
        return faults.from_status(who, status, json.dumps({"error": {"message": words}}), _headers(chain))
    return ModelCallError(f"{who.model}: {faults.kept(words)}", ErrorType.BAD_REQUEST)


_OUR_FAULTS = (ValueError, TypeError, KeyError, AttributeError, ImportError)
"""What litellm wraps as a 500 although no provider was asked: asking again changes nothing."""


def _provider_answer(cause: BaseException) -> tuple[int, str, dict[str, str]] | None:
    """Status, body and headers of a real HTTP answer; litellm's own classes carry made-up ones."""
    if type(cause).__name__ != "HTTPStatusError":
        return None
    response = getattr(cause, "response", None)
    status = getattr(response, "status_code", None)
    if not isinstance(status, int):
        return None
    try:
        body = str(getattr(response, "text", ""))
    except Exception:
        body = _words(cause)
    headers = {str(k).lower(): str(v) for k, v in dict(getattr(response, "headers", {})).items()}
    return status, body, headers


def _is_error_event(cause: BaseException) -> bool:
    """Whether this is what OpenAI's client makes of an error that came as an event of a stream."""
    return type(cause).__name__ == "APIError" and type(cause).__module__.partition(".")[0] == "openai"


def _failed_response(cause: BaseException) -> object:
    """The error of a response by the Responses API that failed within a 200, which litellm raises in Python's spelling."""
    _, found, said = str(cause).partition("Error in response: ")
    if not found or not isinstance(cause, ValueError):
        return None
    try:
        return ast.literal_eval(said)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {"message": said}


def _headers(chain: list[BaseException]) -> dict[str, str]:
    """The headers that any of the exceptions carries."""
    for cause in chain:
        for name in ("litellm_response_headers", "headers"):
            headers = getattr(cause, name, None)
            if headers:
                return {str(key).lower(): str(value) for key, value in dict(headers).items()}
    return {}


def _status(chain: list[BaseException]) -> int | None:
    """The innermost status code, else the outermost that is a number."""
    for cause in reversed(chain):
        status = getattr(cause, "status_code", None)
        if isinstance(status, int | str) and str(status).isdigit():
            return int(status)
    return None


def _words(cause: BaseException) -> str:
    """The message, without litellm's prefixes and the traceback that it appends for custom providers."""
    message = getattr(cause, "message", None)
    text = message if isinstance(message, str) and message else str(cause) or type(cause).__name__
    text = text.split("\nTraceback (most recent call last):")[0]
    while text.startswith("litellm.") and ": " in text:
        text = text.split(": ", 1)[1]
    return text


def _received(words: str) -> str:
    start = words.find("Received: '")
    return words[start + len("Received: '") :] if start >= 0 else ""


def _is_client_error(root: BaseException) -> bool:
    return any(kind.__name__ in {"ClientError", "gaierror"} for kind in type(root).__mro__)
