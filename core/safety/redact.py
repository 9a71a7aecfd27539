"""The filter of messages and headers: keys, tokens and URL passwords are masked, those of others by their forms.

What a model, a tool or a person wrote is no message: `modex.core.safety.known` masks known values in it, and nothing by its form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from modex.core.safety.clean import INVISIBLE
from modex.core.safety.known import MASK, hides, masked, secret_values, without_short_keys

_PREFIXES = (
    "sk", "pk", "rk", "xai", "gsk", "hf", "ghp", "gho", "glpat", "AIza", "ya29", "AKIA", "ASIA", "r8", "tvly", "nvapi",
    "pplx", "fw", "csk", "dop",
)  # fmt: skip
_KEY_BODY = r"(?:(?=[A-Za-z._-]{0,200}[0-9*])[A-Za-z0-9._*-]{16,}|[A-Za-z0-9._-]{0,60}\*{3}[A-Za-z0-9._*-]*)"
"""As long as a key, with a digit in it (`sk-learn` and `pk_customer_id` are none), or starred out, as providers echo it."""


@cache
def _before_keys() -> tuple[re.Pattern[str], ...]:
    """One of them finds a place exactly where `_PREFIXED[0]` matches, ten times as fast: each begins at one rare character."""
    last = "".join(sorted({name[-1] for name in _PREFIXES}))
    by_length = [
        "|".join(name for name in _PREFIXES if len(name) == length) for length in sorted({*map(len, _PREFIXES)})
    ]
    return tuple(
        re.compile(
            f"{mark}(?<=[{last}]{mark})(?={_KEY_BODY})(?:"
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
    re.compile(rf"\b({'|'.join(_PREFIXES)})[-_]{_KEY_BODY}"),
    re.compile(r"\b(AIza[0-9A-Za-z_-]{20,}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|hf_[A-Za-z0-9]{30,}|ya29\.[\w-]{20,})"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
]
_BEARER = re.compile(  # a digit, padding or a capital inside: `basic arithmetic` is no token
    r"\b((?i:bearer|basic))(\s+)((?=[A-Za-z0-9._~+/=*-]{0,200}?(?:[0-9=*]|[a-z][A-Z]))[A-Za-z0-9._~+/=*-]{8,})"
)
_USERINFO = re.compile(r"(?i)\b([a-z][a-z0-9+.-]{0,30}://)([^/\s@\"'<>]+)@")
_SECRET_FIELD = "(?:api[-_]?key|key|token|access_token|auth|sig|signature|password|secret)="
_QUERY = re.compile(rf"(?i)([?&]{_SECRET_FIELD})([^&\s\"'#<>]+)")
_HEADER = re.compile(
    r"(?i)([\"']?(?:x-api-key|api[-_]key|authorization|x-goog-api-key|secret[-_]?key|access[-_]token)[\"']?\s*[:=]\s*[\"']?)"
    r"(?!\[redacted)(?!(?:bearer|basic)\b)([^\s\"',;}<>]{6,})"
)
_HIDING = re.compile(INVISIBLE)


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
    _Rule(
        _PREFIXED[1],
        MASK,
        partial(_compiled, r"A(?=Iza|KIA|SIA)", r"_(?=[A-Za-z0-9]{30})(?<=hf_)", r"9(?=\.)(?<=ya29)"),
    ),
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


def redact(text: str) -> str:
    """Return `text` with keys, bearer tokens, URL passwords and the environment's own secrets masked.

    A secret with invisible characters in it is one too, as `clean` would show it whole: where dropping them uncovers one of
    which only the form is known, that line comes back without them.
    """
    text = _by_form(without_short_keys(masked(text, secret_values())))
    if not hides(text) or _by_form(bare := _HIDING.sub("", text)) == bare:
        return text
    return "\n".join(_uncovered(line) for line in text.split("\n"))


def _uncovered(line: str) -> str:
    bare = _HIDING.sub("", line)
    found = _by_form(bare)
    return line if found == bare else found


def _by_form(text: str) -> str:
    # The patterns take a dotless and a dotted capital I for an i, which case folding alone does not.
    folded = text.casefold() if text.isascii() else text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
    for rule in _RULES:
        if rule.may_match(text, folded):
            text = rule.pattern.sub(rule.replacement, text)
    return text
