"""The secrets that this process knows by their values, taken out of what a model, a tool or a person wrote, and nothing else.

A text that only looks as if it held a key (`basic arithmetic`, `sk-learn`, `pk_customer_id`) is a text: it comes back as it is.
Where a message or a header is shown, `modex.core.safety.redact` looks for the forms of foreign keys too.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote

from modex.core.safety.clean import INVISIBLE
from modex.core.safety.credentials import VARIABLE, passwords, userinfos
from modex.core.safety.environment import FromEnvironment

MASK = "[redacted]"
KEY_VARIABLES = "MODEX_KEY_VARIABLES"
"""Variable that holds the names of others, with commas between them, which are keys whatever they are called."""
FLAG = "redacted"
"""The flag of a sample of which a known secret was masked before it was stored."""
_SHORTEST = 8
_SHORT = 3
"""A key of fewer characters is none that anybody keeps secret."""
_SURE = 20
"""A value of this many characters is no word of a language."""
_SECRET_NAME = re.compile(
    r"(?i)(api_?key|access_?key|secret|token|password|passwd|credential|auth(?!ors?(_|$))|(^|_)key$)"
)
_HARMLESS_NAME = re.compile(
    r"(?i)(max_?tokens|tokenizers_parallelism|_(file|path|dir|url|sock|socket)$|^(ssh_auth_sock|xauthority)$)"
)
_HIDING = re.compile(INVISIBLE)
_ESCAPE = r"\\u(?:00ad|061c|180e|200[b-f]|202[a-e]|206[0-9a-f]|fe0[0-9a-f]|feff)"
_ESCAPED = re.compile(_ESCAPE, re.IGNORECASE)
"""An invisible character as JSON in ASCII writes it."""
_HIDING_BYTES = bytes(code for code in range(128) if _HIDING.match(chr(code)))


class _Known(NamedTuple):
    every: tuple[str, ...]
    """Each value, longest first."""
    sure: tuple[str, ...]
    """Those that can be nothing but secrets, as written and as JSON and HTML write them, longest first."""
    short: tuple[str, ...]
    """Keys that are too short to be looked for in any text, longest first."""


def keep_key_variable(name: str) -> None:
    """From now on the value of this variable is a secret, here and in processes that this one starts."""
    known = _key_variables()
    if name not in known and not _SECRET_NAME.search(name):
        os.environ[KEY_VARIABLES] = ",".join([*known, name])


def _key_variables() -> list[str]:
    return [name for name in os.environ.get(KEY_VARIABLES, "").split(",") if name]


def _read() -> _Known:
    told = _key_variables()
    values = {
        value
        for name, value in os.environ.items()
        if len(value) >= _SHORT
        and name not in (VARIABLE, KEY_VARIABLES)
        and (name in told or (_SECRET_NAME.search(name) and not _HARMLESS_NAME.search(name)))
    }
    named = {value for value in values if len(value) >= _SHORTEST}
    basic = {base64.b64encode(unquote(one).encode()).decode() for one in userinfos() if ":" in one}
    every = named | passwords() | {one for one in basic if len(one) >= _SHORTEST}
    sure = {form for one in every if _is_no_word(one) for form in (one, json.dumps(one)[1:-1], html.escape(one))}
    return _Known(_longest_first(every), _longest_first(sure), _longest_first(values - named))


def _longest_first(values: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(values, key=lambda one: (-len(one), one)))


def _is_no_word(value: str) -> bool:
    """Whether a value is a secret and no placeholder: `lm-studio` and `10000000` stand in answers for what they say."""
    if len(value) >= _SURE:
        return True
    if len(value) < _SHORTEST or value.isdigit():
        return False
    return any(one.isdigit() for one in value) or (
        value != value.lower() and value != value.upper() and " " not in value
    )


_known = FromEnvironment(_read)


def secret_values() -> tuple[str, ...]:
    """The keys and passwords in the environment and in addresses, longest first; placeholders among them."""
    return _known().every


@lru_cache(maxsize=1)
def _short_ones(values: tuple[str, ...]) -> re.Pattern[str] | None:
    """Short keys where they stand alone and are no word, or behind the name of their scheme."""
    if not values:
        return None
    any_of = "|".join(map(re.escape, values))
    alone = [re.escape(one) for one in values if _is_mixed(one)]
    either = rf"|(?<![\w-])(?:{'|'.join(alone)})(?![\w-])" if alone else ""
    return re.compile(rf"(?i:(?<=bearer )|(?<=basic ))(?:{any_of})(?![\w-]){either}")


def _is_mixed(value: str) -> bool:
    """Whether it has digits among letters, or a capital behind a small one: what words of messages have not."""
    has_both = any(one.isdigit() for one in value) and any(one.isalpha() for one in value)
    return has_both or re.search(r"[a-z][A-Z]", value) is not None


def without_short_keys(text: str) -> str:
    """A message with keys of the environment masked that are too short to be taken out of every text."""
    pattern = _short_ones(_known().short)
    return text if pattern is None else pattern.sub(MASK, text)


def stored_secrets() -> tuple[str, ...]:
    """Those that can be nothing but secrets, in each form that files write them in, longest first."""
    return _known().sure


def without_secrets(text: str) -> str:
    """`text` with the values of `stored_secrets` masked, also where invisible characters stand in one; all else as it is."""
    return masked(text, stored_secrets())


def masked(text: str, secrets: Collection[str]) -> str:
    """`text` with each of `secrets` masked, with the invisible characters in it."""
    for secret in secrets:
        if secret in text:
            text = text.replace(secret, MASK)
    if not secrets or not (hides(text) or _ESCAPED.search(text)):
        return text
    bare = _ESCAPED.sub("", _HIDING.sub("", text))
    for secret in secrets:
        if secret in bare:
            text = _split(secret).sub(MASK, text)
    return text


def without_secrets_in(value: Any, secrets: Collection[str] | None = None) -> Any:
    """A JSON value with `secrets` (else those of `stored_secrets`) masked in every text of it; the same object where none is."""
    secrets = stored_secrets() if secrets is None else secrets
    return _value(value, secrets, 0) if secrets else value


_DEEPEST = 200
"""What is nested deeper is looked at as JSON, and kept as that text where a secret stands in it."""


def _value(value: Any, secrets: Collection[str], depth: int) -> Any:
    if type(value) is str:
        return masked(value, secrets)
    if isinstance(value, dict | list | tuple) and depth >= _DEEPEST:
        text = json.dumps(value, ensure_ascii=False, default=str)
        return value if (found := masked(text, secrets)) == text else found
    if isinstance(value, dict):
        changed = {_value(key, secrets, depth + 1): _value(item, secrets, depth + 1) for key, item in value.items()}
        same = all(old is new and value[old] is changed[new] for old, new in zip(value, changed, strict=False)) and len(
            changed
        ) == len(value)
        return value if same else changed
    if isinstance(value, list | tuple):
        items = [_value(item, secrets, depth + 1) for item in value]
        return value if all(old is new for old, new in zip(value, items, strict=True)) else items
    return value


def hides(text: str) -> bool:
    """Whether invisible characters stand in `text`; most large texts are ASCII, of which bytes tell it much faster."""
    if not text.isascii():
        return _HIDING.search(text) is not None
    raw = text.encode("ascii")
    return len(raw.translate(None, _HIDING_BYTES)) != len(raw)


@lru_cache(maxsize=256)
def _split(secret: str) -> re.Pattern[str]:
    """The secret with any invisible characters between its own."""
    return re.compile(f"(?:{INVISIBLE}|{_ESCAPE})*".join(map(re.escape, secret)))
