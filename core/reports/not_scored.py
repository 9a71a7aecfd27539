"""How many samples of a run are not scored, and whose fault that is: in words, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modex.core.foundation.parties import Party
from modex.core.store.parties import PartyCount, count_parties
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

_MOST = 3
_SELF_SAID = frozenset({"judge_error", "tool_unavailable", "error"})
"""Kinds of error that say no more than their party."""


def not_scored_of(reader: Reader, run: RunRow) -> list[PartyCount]:
    """The run's errors by whose they are; empty where there are none.

    Raises:
        StoreError: the store cannot be read.
    """
    return count_parties(reader, run.id) if run.error_tests else []


def not_scored_words(found: Sequence[PartyCount]) -> str:
    """`3 not scored: 2 server (weather: exit 3), 1 judge`; empty where all are scored."""
    if not found:
        return ""
    return f"{sum(one.number for one in found):,} not scored: {', '.join(map(party_words, found))}"


def party_words(one: PartyCount) -> str:
    """`2 server (weather: exit 3)`."""
    told = sum(one.details.values())
    rest = {name: count for name, count in one.kinds.items() if name not in _SELF_SAID or one.party is Party.MODEL}
    if "tool_unavailable" in one.kinds and one.party is Party.SERVER and told:
        rest = {**one.details, **rest}
    return f"{one.number:,} {one.party}" + (f" ({_listed(rest)})" if rest else "")


def _listed(counts: Mapping[str, int]) -> str:
    """The first of them; each with its number where there are several."""
    if len(counts) == 1:
        return next(iter(counts))
    shown = [f"{count:,} {name}" for name, count in list(counts.items())[:_MOST]]
    return ", ".join([*shown, *(["…"] if len(counts) > _MOST else [])])


def not_scored_json(found: Sequence[PartyCount]) -> dict[str, Any]:
    """For `--json` and exports: by party how many, of which kinds, and what servers did."""
    return {
        str(one.party): {"number": one.number, "kinds": one.kinds, **({"details": one.details} if one.details else {})}
        for one in found
    }
