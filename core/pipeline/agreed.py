"""What a run may start, write and ask on this machine because somebody typed it here: its agent, its addresses, its folder.

A database can come from anywhere, and what is stored in it would start a program, or send a key and the questions to where
its maker wished. Whoever starts a run by name or in the form has read what it does; that is kept (`modex.core.config.consent`),
with the bytes of the files that a command names. A stored run goes on only with what is kept.
Plugins and servers of a suite are agreed to in `modex.core.pipeline.plugins`, likewise by their bytes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator

from modex.core.config.consent import Reach, address, is_kept, keep, origin_of, reach, reaches_of
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.config.settings import load_settings
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.rollout.agent_option import command_words, file_of
from modex.core.suite.runnable import bytes_named

_OWN_ADDRESS = ("_BASE", "_URL", "_HOST", "_ENDPOINT")


def agree(config: RunConfig) -> None:
    """Keep that a run with this configuration was started by somebody here."""
    keep([*_ways_out(config), *_of_models(_models(config))])


def refuse_unknown(config: RunConfig, asked: Iterable[ModelSpec], *, judging_only: bool) -> None:
    """Refuse what nobody here agreed to, before it happens; `asked` are the models that will be asked.

    Raises:
        ConfigurationError: there is such a thing; the message names each, and how to agree.
    """
    wanted = [*([] if judging_only else _ways_out(config)), *_cluster(config), *_of_models(asked)]
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


def _ways_out(config: RunConfig) -> list[Reach]:
    """The agent, the cluster and the folder of recordings."""
    found = _cluster(config)
    if config.agent is not None and file_of(config.agent) is None:
        words = command_words(config.agent)
        where = f" in {config.agent_folder}" if config.agent_folder else ""
        found.append(
            reach(f"starts the command {config.agent!r}{where}", *bytes_named(words, config.agent_folder or "."))
        )
    if config.record:
        found.append(reach(f"writes recordings to {config.record!r}"))
    return found


def _cluster(config: RunConfig) -> list[Reach]:
    if config.cluster is None or config.cluster.startswith("local") or not origin_of(config.cluster):
        return []
    return [reach(f"is moved by the cluster at {config.cluster}")]


def _models(config: RunConfig) -> Iterator[ModelSpec]:
    yield from (config.model, *config.judges)
    yield from (spec for spec in (config.extractor, config.user) if spec is not None)


def _of_models(models: Iterable[ModelSpec]) -> list[Reach]:
    """What asking the models does, each thing once."""
    return list(dict.fromkeys(one for spec in models for one in reaches_of(spec)))


def _own_addresses() -> set[str]:
    """The digests of the addresses that stand in the environment and in the settings: whoever wrote them there agrees."""
    stated = [value for name, value in os.environ.items() if name.endswith(_OWN_ADDRESS)]
    with contextlib.suppress(ConfigurationError):
        for name, value in load_settings().run.items():
            if name.endswith("api_base"):
                stated += value if isinstance(value, list) else [str(value)]
    return {address(origin).digest for origin in map(origin_of, stated) if origin}
