"""The one sink filter for secrets: keys, tokens and URL passwords are replaced before anything is kept or shown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from core.safety.clean import INVISIBLE
from core.safety.credentials import VARIABLE, passwords

MASK = "[redacted]"

_PREFIXES = (
    "sk", "pk", "rk", "xai", "gsk", "hf", "ghp", "gho", "glpat", "AIza", "ya29", "AKIA", "ASIA", "r8", "tvly", "nvapi",
    "pplx", "fw", "csk", "dop",
)  # fmt: skip
_AFTER_PREFIX = r"[-_](?=[A-Za-z0-9._*-]{6})"
_HAS_PREFIX = re.compile(
    _AFTER_PREFIX
    + "(?:"
    + "|".join(
        rf"(?<=\b(?:{'|'.join(name for name in _PREFIXES if len(name) == length)})[-_])"
        for length in sorted({len(name) for name in _PREFIXES})
    )
    + ")"
)
"""Finds a place exactly where `_PREFIXED[0]` matches, four times as fast: it begins at the few characters `-` and `_`."""
_PREFIXED = [
    re.compile(rf"\b({'|'.join(_PREFIXES)})[-_][A-Za-z0-9._*-]{{6,}}"),
    re.compile(r"\b(AIza[0-9A-Za-z_-]{20,}|AKIA[0-9A-Z]{12,}|ASIA[0-9A-Z]{12,}|hf_[A-Za-z0-9]{8,}|ya29\.[\w-]{8,})"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
]
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/=*-]{6,})")
_USERINFO = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)([^/\s@\"'<>]+)@")
_QUERY = re.compile(
    r"(?i)([?&](?:api[-_]?key|key|token|access_token|auth|sig|signature|password|secret)=)([^&\s\"'#<>]+)"
)
_HEADER = re.compile(
    r"(?i)([\"']?(?:x-api-key|api[-_]key|authorization|x-goog-api-key|secret[-_]?key|access[-_]token)[\"']?\s*[:=]\s*[\"']?)"
    r"(?!\[redacted)(?!(?:bearer|basic)\b)([^\s\"',;}<>]{6,})"
)
_HIDING = re.compile(INVISIBLE)
_HIDING_BYTES = bytes(code for code in range(128) if _HIDING.match(chr(code)))
_SECRET_NAME = re.compile(r"(?i)(api_?key|secret|token|password|passwd|credential|auth)")
_HARMLESS_NAME = re.compile(
    r"(?i)(max_?tokens|tokenizers_parallelism|_(file|path|dir|url|sock|socket)$|^(ssh_auth_sock|xauthority)$)"
)


_RULES: list[tuple[re.Pattern[str], str, dict[str, tuple[str, ...]], bool]] = [
    (_PREFIXED[0], MASK, {}, True),
    (_PREFIXED[1], MASK, dict.fromkeys(("AIza", "AKIA", "ASIA", "hf_", "ya29."), ()), True),
    (_PREFIXED[2], MASK, {"eyJ": ()}, True),
    (_BEARER, rf"\1\2{MASK}", {"bearer": (), "basic": ()}, False),
    (_USERINFO, rf"\1{MASK}@", {"://": ()}, True),
    (_QUERY, rf"\1{MASK}", {}, True),
    (
        _HEADER,
        rf"\1{MASK}",
        {
            "key": ("api-key", "api_key", "secretkey", "secret-key", "secret_key"),
            "access": ("accesstoken", "access-token", "access_token"),
            "authorization": (),
        },
        False,
    ),
]  # fmt: skip
"""Pattern, replacement, texts of which one stands wherever the pattern can match (with one of those that it leads to, where it
is a common word), and whether it stands as written or case folded: looking for them first makes redacting ordinary text seven
times faster."""


def _environment_secrets() -> list[str]:
    """The values of variables whose names say that they are secret, longest first."""
    values = {
        value
        for name, value in os.environ.items()
        if len(value) >= 8 and name != VARIABLE and _SECRET_NAME.search(name) and not _HARMLESS_NAME.search(name)
    }
    return sorted(values | passwords(), key=len, reverse=True)


def redact(text: str) -> str:
    """Return `text` with keys, bearer tokens, URL passwords and the environment's own secrets masked."""
    return masked_by(_masked, text)


def masked_by(mask: Callable[[str], str], text: str) -> str:
    """`mask` of `text`, and of what a person sees of it.

    A secret with invisible characters in it is one too, as `clean` would show it whole: where dropping them uncovers one,
    that line comes back without them.
    """
    text = mask(text)
    if not _hides(text) or mask(bare := _HIDING.sub("", text)) == bare:
        return text
    return "\n".join(_uncovered(mask, line) for line in text.split("\n"))


def _hides(text: str) -> bool:
    """Whether invisible characters stand in `text`; most large texts are ASCII, of which bytes tell it much faster."""
    if not text.isascii():
        return _HIDING.search(text) is not None
    raw = text.encode("ascii")
    return len(raw.translate(None, _HIDING_BYTES)) != len(raw)


def _uncovered(mask: Callable[[str], str], line: str) -> str:
    bare = _HIDING.sub("", line)
    masked = mask(bare)
    return line if masked == bare else masked


def _masked(text: str) -> str:
    for secret in _environment_secrets():
        if secret in text:
            text = text.replace(secret, MASK)
    # The patterns take a dotless and a dotted capital I for an i, which case folding alone does not.
    folded = text.casefold() if text.isascii() else text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
    for pattern, replacement, marks, as_written in _RULES:
        if pattern is _PREFIXED[0]:
            wanted = _HAS_PREFIX.search(text) is not None
        else:
            wanted = not marks or _stands(text if as_written else folded, marks)
        if wanted:
            text = pattern.sub(replacement, text)
    return text


def _stands(text: str, marks: dict[str, tuple[str, ...]]) -> bool:
    """Whether one of the marks stands in `text`."""
    return any(mark in text and (not more or any(one in text for one in more)) for mark, more in marks.items())
