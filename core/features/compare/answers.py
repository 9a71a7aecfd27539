"""Answers at temperature 0 that differ between two runs of the same weights: what serving them otherwise changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modex.core.comparison.pairs import Pair, TestKey, matches
from modex.core.safety import as_words, clean_line
from modex.core.store.exact import decode_text
from modex.core.store.pairing import answered_otherwise
from modex.core.store.reader import Reader
from modex.core.store.readers import WORTH
from modex.core.store.rows import RunRow

_NAMED = 10
"""Tests that are named before they are only counted."""


def other_answers(reader: Reader, first: RunRow, second: RunRow) -> list[TestKey] | None:
    """The tests that both runs asked in the same words and got other answers to, by their first epochs.

    None where nothing of it follows from how they were served: of other weights, at another temperature than 0, of large runs.

    Raises:
        StoreError: the store cannot be read.
    """
    if max(first.total_tests, second.total_tests) > WORTH or not _same_weights(first, second):
        return None
    if any(_model(run).get("temperature") != 0 for run in (first, second)):
        return None
    found = answered_otherwise(reader, first.id, second.id)
    return [(source, domain, level, decode_text(test)) for source, domain, level, test in found]


def other_pairs(reader: Reader, first: RunRow, second: RunRow) -> list[Pair] | None:
    """The tests of `other_answers` as pairs, so that both answers of one can be laid side by side; None as there.

    Raises:
        StoreError: the store cannot be read.
    """
    keys = other_answers(reader, first, second)
    if keys is None:
        return None
    wanted = set(keys)
    return [
        Pair(one.key, one.first, one.second, one.other)
        for one in matches(reader, first, second)
        if one.key in wanted and one.first is not None and one.second is not None
    ]


def _model(run: RunRow) -> Mapping[str, Any]:
    found = run.config.get("model")
    return found if isinstance(found, dict) else {}


def _same_weights(first: RunRow, second: RunRow) -> bool:
    """By the digest of what modex serves, else by the model's name."""
    one, other = (_model(run).get("gguf_digest") for run in (first, second))
    return one == other if one or other else first.model == second.model


def other_answers_words(found: list[TestKey] | None, first: RunRow, second: RunRow) -> list[str]:
    """How many differ and which, and how two of them are opened; empty where nothing is to be said."""
    if found is None:
        return []
    of = f"answers at temperature 0, of the same weights: {len(found):,} of {min(first.total_tests, second.total_tests):,} differ"
    if not found:
        return [of]
    named = ", ".join(clean_line("/".join(map(str, key[1:])), 80) for key in found[:_NAMED])
    more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
    wanted = "/".join(map(str, found[0][1:]))
    shown = " and ".join(f"`modex show {as_words(run.exp_id)} --test {as_words(wanted)}`" for run in (first, second))
    return [f"{of}: {named}{more}", f"  one of them: {shown}"]
