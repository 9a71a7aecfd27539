"""The one sink filter for secrets: keys, tokens and URL passwords are replaced before anything is kept or shown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from core.safety.clean import INVISIBLE
from core.safety.credentials import VARIABLE, passwords
from core.safety.environment import FromEnvironment

MASK = "[redacted]"

_PREFIXES = (
    "sk", "pk", "rk", "xai", "gsk", "hf", "ghp", "gho", "glpat", "AIza", "ya29", "AKIA", "ASIA", "r8", "tvly", "nvapi",
    "pplx", "fw", "csk", "dop",
)  # fmt: skip
_AFTER_PREFIX = r"(?=[A-Za-z0-9._*-]{6})"


@cache
def _before_keys() -> tuple[re.Pattern[str], ...]:
    """One of them finds a place exactly where `_PREFIXED[0]` matches, ten times as fast: each begins at one rare character."""
    last = "".join(sorted({name[-1] for name in _PREFIXES}))
    by_length = [
        "|".join(name for name in _PREFIXES if len(name) == length) for length in sorted({*map(len, _PREFIXES)})
    ]
    return tuple(
        re.compile(
            f"{mark}(?<=[{last}]{mark}){_AFTER_PREFIX}(?:"
            + "|".join(rf"(?<=\b(?:{names}){mark})" for names in by_length)
            + ")"
        )
        for mark in "-_"
    )


@cache
def _before_fields() -> tuple[re.Pattern[str], ...]:
    """One of them matches wherever `_QUERY` does."""
    return tuple(re.compile(rf"(?i){mark}{_SECRET_FIELD}") for mark in (r"\?", "&"))


_PREFIXED = [
    re.compile(rf"\b({'|'.join(_PREFIXES)})[-_][A-Za-z0-9._*-]{{6,}}"),
    re.compile(r"\b(AIza[0-9A-Za-z_-]{20,}|AKIA[0-9A-Z]{12,}|ASIA[0-9A-Z]{12,}|hf_[A-Za-z0-9]{8,}|ya29\.[\w-]{8,})"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
]
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/=*-]{6,})")
_USERINFO = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)([^/\s@\"'<>]+)@")
_SECRET_FIELD = "(?:api[-_]?key|key|token|access_token|auth|sig|signature|password|secret)="
_QUERY = re.compile(rf"(?i)([?&]{_SECRET_FIELD})([^&\s\"'#<>]+)")
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


@cache
def _compiled(*expressions: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, expressions))


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is replaced, and what is looked for first, which makes redacting ordinary text ten times faster.

    Wherever the pattern can match, one of `places` matches in the text as written or case folded. Each begins with one rare
    character, as such a place is found several times as fast as a word.
    """

    pattern: re.Pattern[str]
    replacement: str
    places: Callable[[], tuple[re.Pattern[str], ...]]
    """Compiled when they are first wanted, which a screen that opens does not wait for."""
    folded: bool = False

    def may_match(self, text: str, folded: str) -> bool:
        """Whether the pattern has to be tried."""
        looked = folded if self.folded else text
        return any(place.search(looked) for place in self.places())


_RULES = (
    _Rule(_PREFIXED[0], MASK, _before_keys),
    # What begins with `hf_` is gone by then.
    _Rule(_PREFIXED[1], MASK, partial(_compiled, r"A(?=Iza|KIA|SIA)", r"9(?=\.)(?<=ya29)")),
    _Rule(_PREFIXED[2], MASK, partial(_compiled, r"J(?<=eyJ)")),
    _Rule(_BEARER, rf"\1\2{MASK}", partial(_compiled, r"b(?=earer|asic)"), folded=True),
    _Rule(_USERINFO, rf"\1{MASK}@", partial(_compiled, r"/(?=/)(?<=:/)")),
    _Rule(_QUERY, rf"\1{MASK}", _before_fields),
    _Rule(
        _HEADER,
        rf"\1{MASK}",
        partial(
            _compiled,
            r"k(?=ey)(?:(?<=api[-_]k)|(?<=secretk)|(?<=secret[-_]k))",
            r"k(?=en)(?<=access[-_]tok)",
            r"z(?=ation)(?<=authoriz)",
        ),
        folded=True,
    ),
)


def _read_secrets() -> list[str]:
    """The values of variables whose names say that they are secret, longest first."""
    values = {
        value
        for name, value in os.environ.items()
        if len(value) >= 8 and name != VARIABLE and _SECRET_NAME.search(name) and not _HARMLESS_NAME.search(name)
    }
    return sorted(values | passwords(), key=len, reverse=True)


_environment_secrets = FromEnvironment(_read_secrets)


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
    for rule in _RULES:
        if rule.may_match(text, folded):
            text = rule.pattern.sub(rule.replacement, text)
    return text
