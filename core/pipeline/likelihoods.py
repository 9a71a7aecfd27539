"""Which runs compare options by likelihood, and which way their model's server can: found out by one call, and kept."""

from __future__ import annotations

from modex.core.config.options import LikelihoodWay, Reading
from modex.core.config.runconfig import RunConfig
from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.llm.likelihood import probe, way_of
from modex.core.llm.routing import route
from modex.core.llm.types import ContinuingClient, ModelClient

WAYS: dict[LikelihoodWay, str] = {
    "continuation": "the server tells the log-probabilities of a prompt: each option's text is scored, by sum and by length",
    "letter": "the server tells the alternatives to the next token alone: options are compared by their letters",
}
_WHO = "vLLM and other servers with `/v1/completions` can, and llama.cpp's, which modex starts for a .gguf file"


def likelihood_problem(config: RunConfig) -> str | None:
    """Why a run cannot compare options by likelihood, seen without a call; None where it may."""
    if config.agent is not None:
        return "--agent: an agent answers, and tells no log-probabilities; leave out --reading loglikelihood"
    if config.until != "preprocess" and route(config.model).path not in ("direct", "served"):
        return (
            f"{config.model.model}: options are compared by log-probabilities, which its provider is not asked for; {_WHO}: "
            "name such a server by --api-base"
        )
    return None


def check_reading(exp_id: str, known: Reading, wanted: Reading) -> None:
    """Whether a run can be judged by another reading than the one that it has.

    Raises:
        ConfigurationError: it asked for the likelihood of options, or is to be judged by that, and the other is not.
    """
    if known != wanted and "loglikelihood" in (known, wanted):
        did = "the likelihood of options" if known == "loglikelihood" else "answers"
        raise ConfigurationError(
            f"--reading {wanted}: {exp_id} asked for {did}, which cannot be judged so; "
            f"start a new run: `modex run --reading {wanted}`"
        )


def find_way(client: ModelClient) -> LikelihoodWay:
    """Which way the model's server can; one call.

    Raises:
        ConfigurationError: it can neither.
        ModelCallError: it cannot be asked.
        Interrupted: the run is stopping.
    """
    if not isinstance(client, ContinuingClient):
        raise ConfigurationError(f"{client.model} tells no log-probabilities; {_WHO}")
    try:
        found = way_of(client.go_on(probe()).data)
    except ModelCallError as error:
        if error.error_type not in _REFUSALS:
            raise
        raise ConfigurationError(
            f"{client.model}: its server has no `/completions` that tells log-probabilities ({error}); {_WHO}"
        ) from None
    if found is None:
        raise ConfigurationError(
            f"{client.model}: its server answers `/completions` without log-probabilities, of the prompt and of the next token "
            f"alike; {_WHO}"
        )
    return found


_REFUSALS = frozenset(
    {ErrorType.BAD_REQUEST, ErrorType.MODEL_NOT_FOUND, ErrorType.INVALID_RESPONSE, ErrorType.ERROR_BODY}
)
"""What a server answers that has no such address, or not with these fields."""
