"""What a person on this machine agreed to, kept as digests: what somebody else wrote does not act here unasked.

A small file for each thing, named by a digest of its words and of the bytes of the files that a command names.
"""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from modex.core.config.entries.keys import REFERENCE
from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.atomic_write import PRIVATE, write_whole

KEPT_HERE = "MODEX_AGREED"
"""Variable by which processes that this one starts hear what was agreed to, where it could not be kept on the disk."""


@dataclass(frozen=True, slots=True)
class Reach:
    """One thing that a run does outside its database."""

    says: str
    """What it is, as a person reads it."""
    digest: str


def keep(reaches: Iterable[Reach]) -> None:
    """Keep that these were agreed to."""
    for one in reaches:
        if is_kept(one):
            continue
        try:
            folder = _folder()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(folder / one.digest, one.says + "\n", mode=PRIVATE)
        except OSError:  # a home that is full or read-only
            keep_for_now(one.digest)


def is_kept(one: Reach) -> bool:
    """Whether this was agreed to."""
    return is_kept_for_now(one.digest) or (_folder() / one.digest).is_file()


def keep_for_now(digest: str) -> None:
    """Keep a digest for this process and those that it starts."""
    os.environ[KEPT_HERE] = f"{os.environ.get(KEPT_HERE, '')} {digest}".strip()


def is_kept_for_now(digest: str) -> bool:
    """Whether this process, or one that started it, kept the digest."""
    return digest in os.environ.get(KEPT_HERE, "").split()


def _folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("modex", appauthor=False) / "agreed"


def reaches_of(spec: ModelSpec) -> Iterator[Reach]:
    """What asking this model does beyond a provider's own address and key: a command, an address elsewhere, keys sent along."""
    if spec.serve is not None and spec.serve.command is not None:
        where = f" in {spec.serve.folder}" if spec.serve.folder else ""
        yield reach(f"starts the command {spec.serve.command!r}{where}")
    origin = origin_of(spec.api_base) if spec.api_base else ""
    if origin:
        yield address(origin)
    named = [spec.api_key_env] if spec.api_key_env else []
    for value in spec.headers.values():
        named += REFERENCE.findall(value)
    for name in dict.fromkeys(named):
        yield reach(f"sends what {name} holds to {origin or spec.api_base or spec.model}")


def address(origin: str) -> Reach:
    """That a model is asked there."""
    return reach(f"asks a model at {origin}")


def origin_of(address: str) -> str:
    """Scheme, host and port of an address; empty for this machine, and for what is none."""
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_loopback:
            return ""
    shown = f"[{host}]" if ":" in host else host
    return "" if host in ("", "localhost") else f"{parts.scheme}://{shown}{'' if port is None else f':{port}'}"


def reach(says: str, *more: bytes) -> Reach:
    """What is said, with the bytes that it depends on."""
    digest = hashlib.blake2b(says.encode("utf-8", "surrogatepass"), digest_size=16)
    for part in more:
        digest.update(part)
    return Reach(says, digest.hexdigest())
