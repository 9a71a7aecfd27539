"""What a run may start, write and ask on this machine because somebody typed it here: its agent, its addresses, its folder.

A database can come from anywhere, and what is stored in it would start a program, or send a key and the questions to where
its maker wished. Whoever starts a run by name or in the form has read what it does; that is kept, a small file for each thing,
named by a digest of its words and of the bytes of the files that a command names. A stored run goes on only with what is kept.
Plugins and servers of a suite are agreed to in `modex.core.pipeline.plugins`, likewise by their bytes.
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

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.config.settings import load_settings
from modex.core.foundation.atomic_write import PRIVATE, write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.rollout.agent_option import command_words, file_of
from modex.core.suite.runnable import bytes_named

KEPT_HERE = "MODEX_AGREED"
"""Variable by which processes that this one starts hear what was agreed to, where it could not be kept on the disk."""
_OWN_ADDRESS = ("_BASE", "_URL", "_HOST", "_ENDPOINT")


@dataclass(frozen=True, slots=True)
class Reach:
    """One thing that a run does outside its database."""

    says: str
    """What it is, as a person reads it."""
    digest: str


def agree(config: RunConfig) -> None:
    """Keep that a run with this configuration was started by somebody here."""
    keep([*_ways_out(config), *_addresses(_models(config))])


def refuse_unknown(config: RunConfig, asked: Iterable[ModelSpec], *, judging_only: bool) -> None:
    """Refuse what nobody here agreed to, before it happens; `asked` are the models that will be asked.

    Raises:
        ConfigurationError: there is such a thing; the message names each, and how to agree.
    """
    wanted = [*([] if judging_only else _ways_out(config)), *_cluster(config), *_addresses(asked)]
    own: set[str] | None = None
    unknown = []
    for one in dict.fromkeys(wanted):
        if is_kept(one):
            continue
        own = _own_addresses() if own is None else own
        if one.digest not in own:
            unknown.append(one.says)
    if unknown:
        raise ConfigurationError(
            f"this stored run {'; it '.join(unknown)}; nobody said so on this machine, or a file of the command changed since: "
            "look at it, then allow it with --allow-plugins (`modex resume EXP --allow-plugins`)"
        )


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


def _ways_out(config: RunConfig) -> list[Reach]:
    """The agent, the cluster and the folder of recordings."""
    found = _cluster(config)
    if config.agent is not None and file_of(config.agent) is None:
        words = command_words(config.agent)
        where = f" in {config.agent_folder}" if config.agent_folder else ""
        found.append(
            _reach(f"starts the command {config.agent!r}{where}", *bytes_named(words, config.agent_folder or "."))
        )
    if config.record:
        found.append(_reach(f"writes recordings to {config.record!r}"))
    return found


def _cluster(config: RunConfig) -> list[Reach]:
    if config.cluster is None or config.cluster.startswith("local") or not _origin(config.cluster):
        return []
    return [_reach(f"is moved by the cluster at {config.cluster}")]


def _models(config: RunConfig) -> Iterator[ModelSpec]:
    yield from (config.model, *config.judges)
    yield from (spec for spec in (config.extractor, config.user) if spec is not None)


def _addresses(models: Iterable[ModelSpec]) -> list[Reach]:
    """Where the models are, but for this machine itself."""
    origins = dict.fromkeys(_origin(spec.api_base) for spec in models if spec.api_base)
    return [_address(origin) for origin in origins if origin]


def _address(origin: str) -> Reach:
    return _reach(f"asks a model at {origin}")


def _origin(address: str) -> str:
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


def _own_addresses() -> set[str]:
    """The digests of the addresses that stand in the environment and in the settings: whoever wrote them there agrees."""
    stated = [value for name, value in os.environ.items() if name.endswith(_OWN_ADDRESS)]
    with contextlib.suppress(ConfigurationError):
        stated += [str(value) for name, value in load_settings().run.items() if name.endswith("api_base")]
    return {_address(origin).digest for origin in map(_origin, stated) if origin}


def _reach(says: str, *more: bytes) -> Reach:
    digest = hashlib.blake2b(says.encode("utf-8", "surrogatepass"), digest_size=16)
    for part in more:
        digest.update(part)
    return Reach(says, digest.hexdigest())
