"""What a provider said of its error, found in the shapes that error bodies have."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from modex.core.foundation.lazy_regex import deferred
from modex.core.llm import quirks
from modex.core.safety import clean_line, redact

MESSAGE_LIMIT = 300
"""Characters of a provider's own words that are kept."""
_NUMBER = r"(\d{1,7}(?:\.\d{1,9})?)"
_WAIT_WORDS = deferred(
    rf"(?:try again|retry|retry after|wait)(?: in| after| for)?:? {_NUMBER} ?"
    r"(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b",
    re.IGNORECASE,
)
_LONG_WAIT = deferred(
    r"(?:try again|retry) (?:in|after) (?:(\d{1,3})h)?(?:(\d{1,3})m)?(?:(\d{1,5}(?:\.\d{1,9})?)s)", re.I
)
_DURATION = deferred(rf"{_NUMBER}s")
_WAIT_HEADERS = (*((name, 0.001) for name in quirks.names("wait header, milliseconds")), ("retry-after", 1.0))
"""What says how long to wait, and its unit in seconds; the finer one first."""
_PLACES = quirks.names("error's place")
_OUTSIDE = quirks.names("error's names outside")
_INSIDE = quirks.names("error's names inside")
_WORDS_BEHIND = quirks.names("error's words behind")
_CODE_BEHIND = quirks.names("error's code behind")
(_WAIT_IN_DETAILS,) = quirks.names("wait in details")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True, slots=True)
class ProviderWords:
    """What a provider said: its sentence, and the names it gives the error."""

    message: str
    code: str = ""
    kind: str = ""
    parameter: str = ""
    names: frozenset[str] = field(default_factory=frozenset)
    """Every code, type, status and reason in the body, in lower case."""
    wait_s: float | None = None
    """How long it asks to wait, where the body says so."""


def kept(words: str) -> str:
    """A provider's own words as they may be kept: redacted, on one line, bounded."""
    return clean_line(redact(words[: 40 * MESSAGE_LIMIT]), MESSAGE_LIMIT)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The provider's wish in seconds from now, from `retry-after` (seconds or an HTTP date) or a finer header.

    `Retry-After`: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3.
    """
    for name, scale in _WAIT_HEADERS:
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


def provider_words(body: str) -> ProviderWords:
    """Read an error body: any form that the table knows, or any text (markup is left out)."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        text = re.sub(r"<(style|script)\b.*?</\1>|<[^>]{0,500}>", " ", body[:20_000], flags=re.DOTALL | re.IGNORECASE)
        plain = " ".join(text.split())
        return ProviderWords(plain, wait_s=_wait_in_words(plain))
    if isinstance(data, list) and data:
        data = data[0]
    if isinstance(data, dict):
        inner = next((data[name] for name in _PLACES if data.get(name)), data)
        words = words_of(inner)
        outer = {str(data[key]).lower() for key in _OUTSIDE if isinstance(data.get(key), str)}
        own = {data["error"].lower()} if isinstance(data.get("error"), str) else set()
        message = words.message
        if own and isinstance(data.get("message"), str) and data["message"] not in message:
            message = f"{message}: {data['message']}"
        return ProviderWords(message, words.code, words.kind, words.parameter, words.names | outer | own, words.wait_s)
    return words_of(data)


def words_of(error: Any) -> ProviderWords:
    """Read the error itself: an object with code, type and message, a list of findings, or a text."""
    if isinstance(error, list) and error and isinstance(error[0], dict) and "msg" in error[0]:
        return _validation(error)
    if not isinstance(error, dict):
        text = error if isinstance(error, str) else json.dumps(error)
        nested = _nested(text)
        return nested if nested is not None else ProviderWords(text, wait_s=_wait_in_words(text))
    message = error.get("message") or error.get("detail") or error.get("error") or error
    if isinstance(raw := _behind(error, _WORDS_BEHIND), str):
        message = f"{message}: {raw}"
    text = message if isinstance(message, str) else json.dumps(message)
    names = {str(error[key]).lower() for key in _INSIDE if error.get(key)}
    if code := _behind(error, _CODE_BEHIND):
        names.add(str(code).lower())
    wait = _wait_in_words(text)
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict):
            if detail.get("reason"):
                names.add(str(detail["reason"]).lower())
            found = _DURATION.fullmatch(str(detail.get(_WAIT_IN_DETAILS, "")))
            wait = max(float(found[1]), wait or 0.0) if found else wait
    nested = _nested(text)
    if nested is not None:
        names |= nested.names
        wait = max((seconds for seconds in (wait, nested.wait_s) if seconds is not None), default=None)
    return ProviderWords(
        text,
        str(error.get("code") or ""),
        str(error.get("type") or error.get("status") or ""),
        str(error.get("param") or ""),
        frozenset(names),
        wait,
    )


def _behind(error: dict[str, Any], path: tuple[str, ...]) -> Any:
    """What stands in `error` at the end of `path`; None where nothing does."""
    value: Any = error
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _validation(findings: list[dict[str, Any]]) -> ProviderWords:
    """What a validator behind the server finds: where, and what."""
    words = "; ".join(f"{'.'.join(map(str, one.get('loc', ())))}: {one['msg']}" for one in findings if "msg" in one)
    place = findings[0].get("loc") or ("",)
    kind = str(findings[0].get("type") or "")
    return ProviderWords(words, "", kind, str(place[-1]), frozenset({kind.lower()}))


def _nested(text: str) -> ProviderWords | None:
    """The error inside an error's message: layers between put the provider's whole body there."""
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end or len(text) > 20_000:
        return None
    try:
        data = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(data.get("error"), dict):
        return None
    return words_of(data["error"])


def _wait_in_words(text: str) -> float | None:
    """Seconds from "try again in 7.66s", "Please retry in 7.5s", "try again in 1m26.4s", "retry after 20 seconds"."""
    long = _LONG_WAIT.search(text[:5000])
    if long is not None:
        return 3600.0 * float(long[1] or 0) + 60.0 * float(long[2] or 0) + float(long[3])
    found = _WAIT_WORDS.search(text[:5000])
    if found is None:
        return None
    unit = found[2].lower()
    scale = _UNITS["ms" if unit.startswith(("ms", "mil")) else unit[0]]
    return float(found[1]) * scale
