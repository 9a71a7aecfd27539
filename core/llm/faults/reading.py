"""What a provider's failure means: status, code and words → a typed error with one line that says what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm import quirks
from modex.core.llm.faults.broken import Broken
from modex.core.llm.faults.finish import Ending
from modex.core.llm.faults.parameters import NO_STREAM, Refusal, refusal_of
from modex.core.llm.faults.table import NO_ATTACHMENTS, NO_TOOLS, Meaning, meaning_by_name, meaning_by_words
from modex.core.llm.faults.words import ProviderWords, kept, provider_words, retry_after, words_of
from modex.core.safety import clean_line, redact

(_RESPONSES,) = quirks.rows("responses only")
_STANDS_STILL_S = 10.0
"""Seconds without a piece after which a stream stands still; slow models on a busy machine take seconds for one."""
_ABOUT_CONTENT = frozenset({400, 415, 422, 500, 501, *map(int, quirks.names("status of refused attachments"))})
"""With what status an image or a file is refused."""
_NEVER: dict[int, str] = {
    405: "no chat there", 410: "nothing there any more", 426: "another protocol is wanted there", 501: "no chat there",
    505: "another version of HTTP is wanted there", 506: "the server is set up wrongly", 508: "the server asks itself",
    510: "the server wants an extension of HTTP",
}  # fmt: skip
"""What waiting changes nothing about, unless a failed server says how long to wait (RFC 9110, RFC 2295, RFC 5842, RFC 2774)."""
_PLAIN_PAGE = quirks.names("speaks TLS")


class RefusedParameterError(ModelCallError):
    """The model takes no such parameter; the same request without it may do."""

    def __init__(self, message: str, parameter: str, *, instead: str | None, status: int | None) -> None:
        self.parameter = parameter
        self.instead = instead
        super().__init__(message, ErrorType.BAD_REQUEST, status=status)


class NoToolsError(ModelCallError):
    """The model, or its server, knows no tools: it can be asked by the text protocol."""

    def __init__(self, message: str, status: int | None) -> None:
        super().__init__(message, ErrorType.BAD_REQUEST, status=status)


class NoAttachmentsError(ModelCallError):
    """The model, or its server, takes no image or file; asking again changes nothing, and other tests may do."""

    def __init__(self, message: str, status: int | None) -> None:
        super().__init__(message, ErrorType.ATTACHMENT_REFUSED, status=status)


class TimedOutError(ModelCallError):
    """The deadline passed; `began` where something of the answer had come: the call did not wait in a queue."""

    def __init__(self, message: str, *, began: bool, again: bool) -> None:
        self.began = began
        super().__init__(message, ErrorType.TIMEOUT, retryable=again)


@dataclass(frozen=True, slots=True)
class StreamProgress:
    """How far a streamed answer had come when its time was up."""

    pieces: int
    first_s: float
    quiet_s: float
    """Seconds since the last piece."""

    @property
    def writing(self) -> bool:
        """Whether more of it was still coming."""
        return self.pieces > 0 and self.quiet_s < _STANDS_STILL_S


@dataclass(frozen=True, slots=True)
class Provider:
    """Whom an error is about: names for its message, and the variable its key is read from."""

    model: str
    key_variable: str | None = None
    base: str | None = None


def from_status(who: Provider, status: int, body: str, headers: Mapping[str, str]) -> ModelCallError:
    """The error behind an HTTP answer that is not 200; `headers` by lower-case name."""
    return _read(who, status, provider_words(body), headers)


def from_error_body(who: Provider, error: Any) -> ModelCallError:
    """The error that came with status 200; a status or a code inside that names a known failure keeps its meaning."""
    words = words_of(error)
    found: ModelCallError | None
    if NO_ATTACHMENTS.search(words.message):
        return no_attachments(who, words, 200)
    if re.fullmatch(r"[45][0-9]{2}", words.code):
        found = _read(who, int(words.code), words, {})
    else:
        found = _by_meaning(who, 200, words, meaning_by_name(words.names) or meaning_by_words(words.message), None)
    passing = {ErrorType.SERVER_ERROR, ErrorType.BAD_REQUEST} if found is None or found.status not in _NEVER else set()
    if found is None or isinstance(found, RefusedParameterError | NoToolsError) or found.error_type in passing:
        return _error(who, ErrorType.ERROR_BODY, 200, "an error instead of an answer", words, retry=True)
    return found


def _read(who: Provider, status: int, words: ProviderWords, headers: Mapping[str, str]) -> ModelCallError:
    wait = retry_after(headers)
    wait = wait if wait is not None else words.wait_s
    meaning = meaning_by_name(words.names)
    if meaning in {None, "overload", "rate"} and status != 429:
        meaning = meaning_by_words(words.message) or meaning
    elif meaning is None or (meaning == "rate" and wait is None):
        meaning = "quota" if meaning_by_words(words.message) == "quota" else meaning
    if status in _ABOUT_CONTENT and NO_ATTACHMENTS.search(words.message):
        return no_attachments(who, words, status)
    if status in {400, 404, 422, 500, 501} and (special := _about_the_request(who, status, words, meaning)) is not None:
        return special
    if status in _NEVER and (wait is None or status < 500) and meaning in {None, "overload"}:
        return _fatal(who, ErrorType.BAD_REQUEST, status, _NEVER[status], words, _address_advice(who, words))
    if status == 511:
        advice = "log in to it in a browser, then ask again"
        return _fatal(who, ErrorType.CONNECTION, status, "this network wants a login", words, advice)
    found = _by_meaning(who, status, words, meaning, wait)
    return found if found is not None else _by_status(who, status, words, headers, wait)


def _about_the_request(
    who: Provider, status: int, words: ProviderWords, meaning: Meaning | None
) -> ModelCallError | None:
    """What is wrong with the request's own fields; None where it is something else."""
    if NO_TOOLS.search(words.message):
        return NoToolsError(_line(who, status, "no tools here", words), status)
    if NO_STREAM.search(words.message):
        return no_stream(who, words.message, status)
    if meaning not in {None, "overload"} or status not in {400, 422}:
        return None
    refusal = refusal_of(words)
    if refusal is None:
        return None
    if refusal.what == "value":
        advice = f"give another {_option(refusal)}"
        return _fatal(who, ErrorType.BAD_REQUEST, status, f"the value of {refusal.parameter} is refused", words, advice)
    line = _line(who, status, f"no {refusal.parameter} here", words)
    return RefusedParameterError(line, refusal.parameter, instead=refusal.instead, status=status)


def _by_meaning(
    who: Provider, status: int, words: ProviderWords, meaning: Meaning | None, wait: float | None
) -> ModelCallError | None:
    """The error that the provider's own names or words stand for, where its status leaves them room."""
    if meaning == "quota" and status in {200, 400, 402, 403, 422, 429, 500}:
        return _fatal(who, ErrorType.QUOTA, status, "the account is out of quota", words, "check its plan and billing")
    if meaning == "context" and status not in {401, 403, 404, 429}:
        return context_window(who, words, status)
    if meaning == "filter" and status in {200, 400, 403, 422}:
        return content_filter(who, words.message, status)
    if meaning == "key" and status in {200, 400, 403}:
        return _fatal(who, ErrorType.AUTHENTICATION, status, "the key was refused", words, _key_advice(who))
    if meaning == "model" and status in {200, 400, 403, 404, 422, 429, 500, 503}:
        return _fatal(who, ErrorType.MODEL_NOT_FOUND, status, "no such model", words, _model_advice(who, words))
    if meaning == "permission" and status in {200, 400, 403}:
        return _fatal(who, ErrorType.PERMISSION, status, "access denied", words, _key_advice(who))
    if meaning == "rate" and status in {200, 400, 403, 429, 500, 503}:
        return _error(who, ErrorType.RATE_LIMIT, status, "rate limited", words, retry=True, wait=wait)
    return None


def _by_status(
    who: Provider, status: int, wording: ProviderWords, headers: Mapping[str, str], wait: float | None
) -> ModelCallError:
    """The error that the status alone stands for."""
    if status == 401:
        return _fatal(who, ErrorType.AUTHENTICATION, status, "the key was refused", wording, _key_advice(who))
    if status == 402 and wait is None:
        return _fatal(
            who, ErrorType.QUOTA, status, "the account is out of quota", wording, "check its plan and billing"
        )
    if status == 403:
        return _fatal(who, ErrorType.PERMISSION, status, "access denied", wording, _key_advice(who))
    if status == 404:
        return _fatal(who, ErrorType.MODEL_NOT_FOUND, status, "nothing there", wording, _address_advice(who, wording))
    if status == 407:
        advice = "give its user and password in HTTP_PROXY or HTTPS_PROXY, as http://user:password@host:port"
        return _fatal(who, ErrorType.CONNECTION, status, "the proxy wants a user and a password", wording, advice)
    if status in {402, 429}:
        return _error(who, ErrorType.RATE_LIMIT, status, "rate limited", wording, retry=True, wait=wait)
    if status == 408:
        return _error(who, ErrorType.TIMEOUT, status, "timed out at the provider", wording, retry=True)
    if status >= 500 or status in {409, 425}:
        return _error(who, ErrorType.SERVER_ERROR, status, "the provider failed", wording, retry=True, wait=wait)
    if 300 <= status < 400:
        target = redact(headers.get("location", "another address"))
        advice = f"the address redirects to {clean_line(target, 120)}: give the final one as --api-base"
        return _fatal(who, ErrorType.BAD_REQUEST, status, "redirected", wording, advice)
    if any(words in wording.message.lower() for words in _PLAIN_PAGE):
        return _fatal(
            who, ErrorType.CONNECTION, status, "the server speaks TLS", wording, "write https:// in --api-base"
        )
    return _error(who, ErrorType.BAD_REQUEST, status, "request refused", wording)


def stopped_by(
    who: Provider, finish_reason: str, ending: Ending | None, error: Any = None, words: str = ""
) -> ModelCallError:
    """The error behind an answer with status 200 whose `finish_reason` says that it is none; `error` is the choice's own."""
    if error:
        return from_error_body(who, error)
    if ending == "filter":
        return content_filter(who, words)
    if ending == "context":
        return context_window(who, ProviderWords(words), 200)
    if ending == "failed":
        return _error(
            who,
            ErrorType.ERROR_BODY,
            200,
            f"the provider broke off ({finish_reason})",
            ProviderWords(words),
            retry=True,
        )
    line = (
        f"{who.model}: stopped for a reason that modex does not know: finish_reason {clean_line(finish_reason, 60)!r}"
    )
    return ModelCallError(line, ErrorType.INVALID_RESPONSE, status=200)


def context_window(who: Provider, words: ProviderWords, status: int | None) -> ModelCallError:
    """Prompt and answer do not fit the model; asking again changes nothing."""
    advice = "the test needs a model with a larger window, or a smaller --max-tokens where that is counted in"
    line = _line(who, status, "the prompt is longer than the model's context window", words, advice)
    return ModelCallError(line, ErrorType.CONTEXT_WINDOW, status=status)


def no_attachments(who: Provider, words: ProviderWords, status: int | None) -> NoAttachmentsError:
    """The model takes no image or file."""
    advice = "take a model that reads such files, or leave these tests out"
    return NoAttachmentsError(_line(who, status, "the attachments are refused", words, advice), status)


def content_filter(who: Provider, words: str = "", status: int | None = None) -> ModelCallError:
    """The provider's filter took the prompt or the answer away; asking again changes nothing."""
    return _error(
        who, ErrorType.CONTENT_FILTER, status, "stopped by the provider's content filter", ProviderWords(words)
    )


def invalid_response(who: Provider, why: str, excerpt: str = "") -> ModelCallError:
    """An answer with status 200 that is no chat completion."""
    return _error(who, ErrorType.INVALID_RESPONSE, 200, why, ProviderWords(excerpt), retry=True)


def not_json(who: Provider, body: str) -> ModelCallError:
    """An answer with status 200 that is no JSON: a web page, or a body that ends too early."""
    page = body.lstrip()[:9].lower().startswith(("<!doctype", "<html"))
    return invalid_response(
        who, "a web page instead of an answer" if page else "an answer that is not JSON", provider_words(body).message
    )


def too_large(who: Provider) -> ModelCallError:
    """The answer is larger than anything a model writes."""
    return ModelCallError(f"{who.model}: the answer is larger than 64 MiB", ErrorType.INVALID_RESPONSE, status=200)


def empty_choices(who: Provider) -> ModelCallError:
    """An answer with status 200 and no choice in it."""
    return _error(who, ErrorType.EMPTY_CHOICES, 200, "an answer without choices", ProviderWords(""), retry=True)


def no_stream(who: Provider, why: str, status: int | None = 200) -> RefusedParameterError:
    """The endpoint does not stream: the same request may be answered whole."""
    return RefusedParameterError(
        _line(who, status, "no stream here", ProviderWords(why)), "stream", instead=None, status=status
    )


def broken_stream(who: Provider, why: str) -> ModelCallError:
    """A stream that ended, or lost its form, before the answer was whole; what came of it is no answer."""
    return _error(who, ErrorType.INVALID_RESPONSE, 200, f"the stream broke off: {why}", ProviderWords(""), retry=True)


def timed_out(who: Provider, seconds: float, progress: StreamProgress | None = None) -> ModelCallError:
    """The total deadline of the call passed; `progress` says how far a streamed answer had come.

    An answer that is still being written needs more time than it has, and would again: it is not tried again. One that
    stood still is, and so is one of which nothing was seen.
    """
    far = "no complete answer"
    if progress is not None and progress.pieces:
        still = "was still being written" if progress.writing else f"had stood still for {progress.quiet_s:.0f} s"
        far = f"the answer {still} ({progress.pieces} pieces, the first after {progress.first_s:.1f} s): not whole"
    return TimedOutError(
        f"{who.model}: {far} within {seconds:g} s (raise --timeout if the model needs longer)",
        began=progress is not None and progress.pieces > 0,
        again=progress is None or not progress.writing,
    )


def connection_failed(who: Provider, broken: Broken) -> ModelCallError:
    """The connection could not be made, or broke; for good where there is advice."""
    where = f" to {redact(who.base)}" if who.base else ""
    advice = f" ({broken.advice})" if broken.advice else ""
    permanent = broken.advice is not None
    line = f"{who.model}: no connection{where}: {kept(broken.why)}{advice}"
    return ModelCallError(line, ErrorType.CONNECTION, retryable=not permanent, fatal=permanent)


def _key_advice(who: Provider) -> str:
    return f"check the key in {who.key_variable}" if who.key_variable else "check the key and what it may use"


def _model_advice(who: Provider, words: ProviderWords) -> str:
    if _responses_only(words):
        return _RESPONSES.note
    service = quirks.BY_PREFIX.get(who.model.partition("/")[0])
    return (service.unknown_model if service is not None else "") or "check the model's name"


def _responses_only(words: ProviderWords) -> bool:
    return any(name in words.message for name in _RESPONSES.names)


def _address_advice(who: Provider, words: ProviderWords) -> str:
    if who.base is None or _responses_only(words):
        return _model_advice(who, words)
    return f"check the model's name and the address {redact(who.base)} (does it end in /v1?)"


def _option(refusal: Refusal) -> str:
    return "--" + refusal.parameter.replace("_", "-")


def _line(who: Provider, status: int | None, what: str, wording: ProviderWords, advice: str = "") -> str:
    number = f" ({status})" if status not in {None, 200} else ""
    words = kept(wording.message)
    parts = [f"{who.model}: {what}{number}", *([words] if words else [])]
    return ": ".join(parts) + (f" ({advice})" if advice else "")


def _error(
    who: Provider,
    error_type: ErrorType,
    status: int | None,
    what: str,
    words: ProviderWords,
    *,
    retry: bool = False,
    wait: float | None = None,
) -> ModelCallError:
    line = _line(who, status, what, words)
    return ModelCallError(line, error_type, retryable=retry, retry_after=wait, status=status)


def _fatal(  # noqa: PLR0917
    who: Provider, error_type: ErrorType, status: int, what: str, words: ProviderWords, advice: str
) -> ModelCallError:
    return ModelCallError(_line(who, status, what, words, advice), error_type, fatal=True, status=status)
