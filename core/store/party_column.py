"""Whose fault it is that a sample has no fair verdict, for queries: `modex.core.foundation.parties.party_of` in SQL."""

from __future__ import annotations

from typing import Any

import peewee as pw
from peewee import fn

from modex.core.foundation.parties import OF_ITSELF, PARTY_OF, SAID_OF, USER_FAULT, Party
from modex.core.store.tables import IndividualTestResult as Result


def _of_error() -> Any:
    kind, message = fn.coalesce(Result.error_type, ""), fn.coalesce(Result.error_message, "")
    said = [
        (kind.not_in(tuple(OF_ITSELF)) & (fn.substr(message, 1, len(begin)) == begin), str(party))
        for begin, party in SAID_OF.items()
    ]
    named = [
        (kind.in_([one for one, whose in PARTY_OF.items() if whose is party]), str(party))
        for party in Party
        if party in PARTY_OF.values()
    ]
    return pw.Case(None, [*said, *named], str(Party.ENVIRONMENT))


def party() -> Any:
    """`party_of` for queries; NULL where nobody is at fault."""
    failed = (Result.status == "failed") & (fn.instr(Result.flags, f'"{USER_FAULT}"') > 0)
    named = (Result.status == "error") | ((Result.status == "skipped") & Result.error_type.is_null(False))
    return pw.Case(None, [(failed, str(Party.USER)), (named, _of_error())])
