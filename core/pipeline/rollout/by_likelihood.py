"""Rollouts that ask how likely each option is: one call a test, whose log-probabilities are kept with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.likelihood import UnreadableError, letters_of, of_next, of_texts, split, sums_of
from modex.core.llm.types import Continued, ContinuingClient
from modex.core.pipeline.rollout.asking import Asking
from modex.core.suite.likelihood import LikelihoodForm, likelihood_faults

PHASE = "likelihood"


def roll_out_by_likelihood(asking: Asking) -> None:
    """Ask for the log-probabilities of the sample's options; the name of the likeliest is the response.

    The answer's entry of the transcript holds `options`: `{"name", "text", "logprob", "tokens", "length", "bytes"}` each, and
    `way`. A letter that the server does not tell of has no `logprob`: it is less likely than those it tells of.

    Raises:
        ModelCallError: the call failed, or its answer has no such numbers.
    """
    sample, context = asking.sample, asking.context
    if fault := next(likelihood_faults(sample.definition.likelihood), None):
        raise ModelCallError(f"the test cannot be asked: {fault}", ErrorType.INVALID_TEST, attempts=0)
    form = LikelihoodForm.of(sample.definition.likelihood)
    letter = context.config.likelihood_by == "letter"
    context.progress(sample, PHASE)
    try:
        found = _by_letter(asking, form) if letter else _by_text(asking, form)
    except UnreadableError as error:
        raise ModelCallError(
            f"the server's answer cannot be compared: {error}", ErrorType.INVALID_RESPONSE, attempts=1
        ) from None
    listed = [
        {
            "name": name,
            "text": text,
            "logprob": logprob,
            "tokens": tokens,
            "length": len(measured),
            "bytes": len(measured.encode("utf-8", "replace")),
        }
        for (name, text), measured, (logprob, tokens) in zip(form.options.items(), form.measured, found, strict=True)
    ]
    told = [(logprob, name) for name, (logprob, _) in zip(form.options, found, strict=True) if logprob is not None]
    best = max(told, key=lambda one: one[0])[1]  # the first of several, as lm-eval takes it
    entry = asking.rollout.transcript[-1]
    entry |= {"content": best, "options": listed, "way": "letter" if letter else "continuation"}
    asking.rollout.response = best


def _by_text(asking: Asking, form: LikelihoodForm) -> Sequence[tuple[float | None, int]]:
    pairs = [split(_below_prompt(asking, context), rest) for context, rest in form.pairs]
    shared = pairs[0][0] if len({context for context, _ in pairs}) == 1 else "\n---\n".join(one for one, _ in pairs)
    data = _ask(asking, shared, of_texts(pairs))
    return [(one.logprob, one.tokens) for one in sums_of(data, pairs)]


def _by_letter(asking: Asking, form: LikelihoodForm) -> Sequence[tuple[float | None, int]]:
    found = form.letters(asking.sample.prompt)
    if found is None:
        raise ModelCallError(
            "this server tells the next token alone, and the options have no letters: ask a server that tells the "
            "log-probabilities of a prompt",
            ErrorType.BAD_REQUEST,
            attempts=0,
        )
    context, letters = _below_prompt(asking, found[0]), found[1]
    return [(one, 1) for one in letters_of(_ask(asking, context, of_next(context)), letters)]


def _below_prompt(asking: Asking, context: str) -> str:
    """The text below the system prompt, where the test has one."""
    system = asking.sample.system_prompt
    return f"{system}\n\n{context}" if system else context


def _ask(asking: Asking, context: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """One call, recorded before its answer is read."""
    client, rollout = asking.context.client, asking.rollout
    if not isinstance(client, ContinuingClient):
        raise ModelCallError(
            f"{client.model} tells no log-probabilities", ErrorType.BAD_REQUEST, fatal=True, attempts=0
        )
    rollout.sent([{"role": "user", "content": context}], PHASE)
    timeout_ms = asking.sample.definition.timeout_ms
    try:
        found: Continued = client.go_on(fields, timeout_s=timeout_ms / 1000 if timeout_ms else None)
    except ModelCallError as error:
        rollout.attempts += error.attempts
        rollout.spent(error.usage, error.cost_usd)
        raise
    rollout.spent(found.usage, found.cost_usd)
    rollout.duration_ms += found.duration_ms
    rollout.attempts += found.attempts
    rollout.finish_reason = "stop"
    rollout.transcript.append(
        {
            "role": "assistant",
            "content": "",
            "phase": PHASE,
            "iteration": 0,
            "usage": found.usage.as_dict(),
            "duration_ms": found.duration_ms,
            "finish_reason": "stop",
            "attempts": found.attempts,
        }
    )
    return found.data
