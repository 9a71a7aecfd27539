"""User and password of an address: taken out of it before anything stores it, kept in the process's environment.

`http://user:password@host/v1` becomes `http://host/v1`. The runner process inherits the environment, so a run goes on
without its file ever holding the password; a later resume finds it where the user's own variables give the address.
"""

from __future__ import annotations

import json
import os
from urllib.parse import unquote, urlsplit, urlunsplit

from modex.core.safety.environment import FromEnvironment

VARIABLE = "MODEX_URL_CREDENTIALS"
_ADDRESSES = ("_API_BASE", "_BASE_URL")


def without_credentials(url: str) -> str:
    """`url` without user and password, which are kept for `credentials_of`; unchanged where it has none."""
    try:
        parts = urlsplit(url)
        userinfo, at, host = parts.netloc.rpartition("@")
    except ValueError:
        return url
    if not at:
        return url
    os.environ[VARIABLE] = json.dumps({**_kept(), f"{parts.scheme}://{host}": userinfo})
    return urlunsplit(parts._replace(netloc=host))


def credentials_of(url: str | None) -> tuple[str, str] | None:
    """User and password for `url`: its own, those kept for its origin, or those of a variable that names its origin."""
    userinfo = _userinfo(url or "")
    if userinfo is None:
        return None
    user, _, password = userinfo.partition(":")
    return unquote(user), unquote(password)


def with_credentials(url: str) -> str:
    """`url` with the user and password that belong to it, for a client that wants them there."""
    userinfo = _userinfo(url)
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{userinfo}@{parts.netloc.rpartition('@')[2]}")) if userinfo else url


def passwords() -> set[str]:
    """Every password that is kept here or stands in a variable that gives an address, as written and as meant."""
    written = {userinfo.partition(":")[2] for userinfo in userinfos()}
    return {password for text in written for password in (text, unquote(text)) if len(password) >= 4}


def userinfos() -> list[str]:
    """Every `user:password` that is kept here or stands in a variable that gives an address, as written."""
    return [*_kept().values(), *_in_variables().values()]


def _userinfo(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    own, at, host = parts.netloc.rpartition("@")
    origin = f"{parts.scheme}://{host}"
    return own if at else _kept().get(origin) or _in_variables().get(origin)


def _kept() -> dict[str, str]:
    try:
        found = json.loads(os.environ.get(VARIABLE, "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _read_addresses() -> dict[str, str]:
    """Origin → user and password of the addresses in `MODEX_API_BASE`, `OPENAI_BASE_URL` and their like."""
    found = {}
    for name, value in os.environ.items():
        if name.endswith(_ADDRESSES) and "@" in value:
            try:
                parts = urlsplit(value.strip())
            except ValueError:
                continue
            userinfo, at, host = parts.netloc.rpartition("@")
            if at:
                found[f"{parts.scheme}://{host}"] = userinfo
    return found


_in_variables = FromEnvironment(_read_addresses)
"""Kept, as reading them took a quarter of what a call costs."""
