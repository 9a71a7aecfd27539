"""How likely a model finds texts: what `/completions` says of a prompt's tokens, or of the alternatives to the next one.

Two ways are known. Where a server gives the log-probabilities of a prompt (`echo` with `logprobs`), the continuation of a context
is summed, as lm-eval does by its `local-completions`. Where it ignores `echo` and gives the alternatives to the next token alone,
the letters of options are compared. Texts are sent as they are, without a chat template.
https://github.com/EleutherAI/lm-evaluation-harness/tree/main/lm_eval/models (`parse_logprobs`)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.config.options import LikelihoodWay

_PROBED = ("2 + 2 = 4", "The sky is blue")
_GENERATED = 1
"""Tokens that are asked for behind the texts: not every server takes 0."""
_ALTERNATIVES = 200
"""Alternatives to the next token that letters are looked for in."""
_SAME_EACH_TIME: Mapping[str, Any] = {"temperature": 0, "seed": 1234, "max_tokens": _GENERATED}


class UnreadableError(ValueError):
    """An answer without the log-probabilities that were asked for; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Sum:
    """How likely a continuation is."""

    logprob: float
    """The sum of its tokens' natural logarithms."""
    tokens: int


def probe() -> dict[str, Any]:
    """The fields of the one call that finds out which way a server can; two texts at once, as options are asked."""
    return {"prompt": [*_PROBED], "echo": True, "logprobs": 1, **_SAME_EACH_TIME}


def way_of(data: Any) -> LikelihoodWay | None:
    """Which way a server can that answered `probe` so; None where it can neither."""
    try:
        found = [_of_tokens(choice) for choice in _choices(data, len(_PROBED))]
        # A server that ignores `echo` tells of the token that it wrote alone, which is one.
        if all(len(one) > _GENERATED + 1 and all(map(_is_number, one[1:])) for one in found):
            return "continuation"
    except UnreadableError:
        pass
    try:
        return "letter" if all(map(_alternatives, _choices(data, len(_PROBED)))) else None
    except UnreadableError:
        return None


def split(context: str, continuation: str) -> tuple[str, str]:
    """Both with the blanks at the context's end in front of the continuation, where tokens have them."""
    bare = context.rstrip()
    return bare, context[len(bare) :] + continuation


def of_texts(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The fields of a call that asks how likely these contexts and their continuations are, each as `split` has it."""
    return {"prompt": _texts(pairs), "echo": True, "logprobs": 1, **_SAME_EACH_TIME}


def _texts(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Each context once, and each with its continuation: how many tokens a context has is told by its own."""
    return [*dict.fromkeys(context for context, _ in pairs), *(f"{context}{rest}" for context, rest in pairs)]


def sums_of(data: Any, pairs: Sequence[tuple[str, str]]) -> tuple[Sum, ...]:
    """How likely each continuation is, from the answer to `of_texts`.

    Raises:
        UnreadableError: it does not hold a number for each token.
    """
    contexts = list(dict.fromkeys(context for context, _ in pairs))
    found = [_of_tokens(choice) for choice in _choices(data, len(contexts) + len(pairs))]
    lengths = {context: len(tokens) - _GENERATED for context, tokens in zip(contexts, found, strict=False)}
    sums: list[Sum] = []
    for (context, rest), tokens in zip(pairs, found[len(contexts) :], strict=True):
        own = tokens[lengths[context] : -_GENERATED]
        if not own or not all(map(_is_number, own)):
            raise UnreadableError(f"no log-probability for each token of {rest[:40]!r}")
        sums.append(Sum(math.fsum(own), len(own)))
    return tuple(sums)


def of_next(context: str) -> dict[str, Any]:
    """The fields of a call that asks for the alternatives to the token behind `context`."""
    return {"prompt": context, "logprobs": _ALTERNATIVES, **_SAME_EACH_TIME}


def letters_of(data: Any, letters: Sequence[str]) -> tuple[float | None, ...]:
    """The log-probability of each letter as the next token, from the answer to `of_next`; None where it is not told.

    A letter is a token with or without a blank before it; the more likely of the two counts.

    Raises:
        UnreadableError: the answer holds no alternatives, or none of the letters among them.
    """
    found: dict[str, float] = {}
    for token, logprob in _alternatives(_choices(data, 1)[0]):
        name = token.strip()
        if name in letters:
            found[name] = max(logprob, found.get(name, logprob))
    if not found:
        raise UnreadableError(f"none of {', '.join(letters)} is among the alternatives to the next token")
    return tuple(found.get(letter) for letter in letters)


def _choices(data: Any, number: int) -> list[Mapping[str, Any]]:
    given = data.get("choices") if isinstance(data, Mapping) else None
    found = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    if len(found) != number:
        raise UnreadableError(f"{len(found)} answers to {number} texts")
    return (
        sorted(found, key=lambda one: one["index"])
        if all(isinstance(one.get("index"), int) for one in found)
        else found
    )


def _of_tokens(choice: Mapping[str, Any]) -> list[Any]:
    """`token_logprobs`: a number for each token of the prompt but the first, and for what was written behind it."""
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("token_logprobs") if isinstance(logprobs, Mapping) else None
    if not isinstance(tokens, list):
        raise UnreadableError("no `token_logprobs`")
    return tokens


def _alternatives(choice: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The alternatives to the first token that was written, in the older form (`top_logprobs`) or the newer one (`content`)."""
    logprobs = choice.get("logprobs")
    logprobs = logprobs if isinstance(logprobs, Mapping) else {}
    content, older = logprobs.get("content"), logprobs.get("top_logprobs")
    found: list[tuple[Any, Any]] = []
    if isinstance(content, list) and content and isinstance(content[0], Mapping):
        listed = content[0].get("top_logprobs")
        rows = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
        found = [(one.get("token"), one.get("logprob")) for one in rows]
    elif isinstance(older, list) and older and isinstance(older[0], Mapping):
        found = list(older[0].items())
    told = [(token, float(value)) for token, value in found if isinstance(token, str) and _is_number(value)]
    if not told:
        raise UnreadableError("no alternatives to the next token")
    return told


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
