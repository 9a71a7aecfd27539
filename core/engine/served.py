"""Models that this program serves, as a run needs them: what nobody said of their servers is filled in before it is stored."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import ConfigurationError, ModexError

if TYPE_CHECKING:
    from modex.core.llm.pool import ClientPool
    from modex.core.pipeline.assembly import Role

_BYTES_A_TOKEN = 3
"""Fewer than most texts have, so that what is needed is rather overestimated."""
_ANSWER_TOKENS = 1024
"""Of an answer where no limit is given."""


def with_servers(config: RunConfig, longest: int = 0, tell: Callable[[str], None] | None = None) -> RunConfig:
    """`config` with everything said that decides which servers its models get; `tell` hears of each.

    `longest` are the bytes of the longest prompt: PASS 2 and a judge are shown it with the answer.

    Raises:
        ConfigurationError: a file or a program is not there, or does not fit into memory.
    """
    specs = [config.model, config.extractor, config.user, *config.judges]
    if not any(spec is not None and spec.is_served for spec in specs):
        return config
    if config.has_keys_elsewhere:
        raise ConfigurationError(
            "--cluster: its workers cannot reach a server that modex starts here: give the model's address with --api-base, or"
            " leave --cluster out"
        )
    from modex.core.llm.served.filling import filled, notes  # reads files: who serves nothing does not pay for it

    needed = longest // _BYTES_A_TOKEN + 2 * (config.model.max_tokens or _ANSWER_TOKENS) if longest else 0

    def fill(spec: ModelSpec | None) -> ModelSpec | None:
        return spec and filled(spec, needed=needed, concurrency=config.concurrency)

    found = config.model_copy(
        update={
            "model": fill(config.model),
            "extractor": fill(config.extractor),
            "user": fill(config.user),
            "judges": tuple(spec for judge in config.judges if (spec := fill(judge)) is not None),
        }
    )
    served = [spec for spec in (found.model, found.extractor, found.user, *found.judges) if spec and spec.is_served]
    for line in dict.fromkeys(line for spec in served for line in notes(spec)) if tell is not None else ():
        assert tell is not None
        tell(line)
    return found


@contextlib.contextmanager
def kept_servers(specs: Sequence[ModelSpec]) -> Iterator[None]:
    """Keep the servers of models that are asked by turns, so that none is started anew at each; where not all of them fit into
    memory together, each is there for its turn alone."""
    served = [spec for spec in specs if spec.is_served]
    if not served:
        yield
        return
    from modex.core.llm.served.filling import fit_together
    from modex.core.llm.served.leases import ServerLeases

    leases = ServerLeases()
    try:
        for spec in served if fit_together(served) else ():
            leases.of(spec)
        yield
    finally:
        leases.close()


def begin_servers(pool: ClientPool, asked: tuple[Role, ...]) -> None:
    """Have the servers of the models that will be asked started, and hold them until the pool is closed."""
    for role in asked:
        if role.spec.is_served:
            pool.leases.of(role.spec)


def serving_of(pool: ClientPool) -> list[dict[str, Any]]:
    """How the models of a run were served; empty where none was, or it cannot be said any more."""
    try:
        return pool.leases.facts()
    except ModexError:  # the file is gone: the run has its answers all the same
        return []
