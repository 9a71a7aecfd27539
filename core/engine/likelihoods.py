"""Finding out, once a run, which way its server tells how likely options are: said, and kept with the run's configuration."""

from __future__ import annotations

from collections.abc import Callable

from modex.core.config.runconfig import RunConfig
from modex.core.pipeline.assembly import Assembly
from modex.core.pipeline.likelihoods import WAYS, find_way


def with_way(config: RunConfig, assembly: Assembly, say: Callable[[str], None]) -> RunConfig:
    """`config` with the way that the model's server can, where options are compared and nobody found it out yet; one call.

    Raises:
        ConfigurationError: it can neither way.
        ModelCallError: it cannot be asked.
        Interrupted: the run is stopping.
    """
    if not assembly.checked.needs.by_likelihood or config.until == "preprocess" or config.likelihood_by is not None:
        return config
    way = find_way(assembly.benchmark.context.client)
    say(f"by likelihood: {WAYS[way]}")
    return config.model_copy(update={"likelihood_by": way})
