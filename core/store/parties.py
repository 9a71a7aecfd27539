"""The samples without a fair verdict, counted by whose fault that is (`modex.core.foundation.parties`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from peewee import fn

from modex.core.foundation.parties import Party, detail_of
from modex.core.store.exact import decode_text
from modex.core.store.party_column import party
from modex.core.store.reader import Reader
from modex.core.store.tables import IndividualTestResult as Result
from modex.core.store.words import plain_errors

_MOST_DETAILS = 500
_LONGEST = 400


class PartyCount(NamedTuple):
    """Errors of one party."""

    party: Party
    number: int
    kinds: dict[str, int]
    """By kind of error, the most frequent first."""
    details: dict[str, int]
    """What MCP servers did, in words, the most frequent first; a part of them where there are many."""


def count_parties(reader: Reader, run_id: int) -> list[PartyCount]:
    """The run's errors by party, the most frequent first."""
    kind, number = fn.coalesce(Result.error_type, "error"), fn.count(Result.id)
    whose = party()
    error = (Result.run == run_id) & (Result.status == "error")
    said = fn.substr(Result.error_message, 1, _LONGEST)
    counts = Result.select(whose, kind, number).where(error).group_by(whose, kind).order_by(number.desc(), kind)
    told = Result.select(said, number).where(error, whose == str(Party.SERVER)).group_by(said).order_by(number.desc())
    with plain_errors(reader.path):
        rows = [(Party(one), str(name), int(count)) for one, name, count in reader.database.fetch(counts)]
        if not rows:
            return []
        messages = (
            [] if not any(row[0] is Party.SERVER for row in rows) else reader.database.fetch(told.limit(_MOST_DETAILS))
        )
    details: dict[str, int] = {}
    for message, count in messages:
        if message is not None and (words := detail_of(decode_text(str(message)))):
            details[words] = details.get(words, 0) + int(count)
    found = []
    for member in Party:
        kinds = {name: count for one, name, count in rows if one is member}
        if kinds:
            mine = sorted(details.items(), key=lambda item: -item[1]) if member is Party.SERVER else ()
            found.append(PartyCount(member, sum(kinds.values()), kinds, dict(mine)))
    return sorted(found, key=lambda one: -one.number)


def parties_by_run(reader: Reader, run_ids: Collection[int]) -> dict[int, list[Party]]:
    """For each of these runs that has errors, whose they are, the most frequent first."""
    whose = party()
    query = (
        Result.select(Result.run, whose, fn.count(Result.id))
        .where(Result.run.in_(list(run_ids)), Result.status == "error")
        .group_by(Result.run, whose)
    )
    counts: dict[int, dict[Party, int]] = {}
    with plain_errors(reader.path):
        for run_id, name, number in reader.database.fetch(query) if run_ids else ():
            counts.setdefault(run_id, {})[Party(name)] = int(number)
    return {
        run_id: sorted((one for one in Party if one in own), key=lambda one: -own[one])
        for run_id, own in counts.items()
    }
