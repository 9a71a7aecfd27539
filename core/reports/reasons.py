"""Why tests failed, in the verdicts' own words: sample by sample, also for verdicts stored before a reason was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from modex.core.store.reader import Reader
from modex.core.store.rows import SampleHead


def with_reasons(reader: Reader, heads: Sequence[SampleHead]) -> list[SampleHead]:
    """`heads`, those of failed tests with the reason their stored verdict gives where no sentence was stored with it."""
    lacking = [head.id for head in heads if head.status == "failed" and head.reason is None]
    if not lacking:
        return list(heads)
    from modex.core.verdict import reason_in  # a first frame shows no verdict, and these take long to import

    details = reader.details_by_id(lacking)
    fields = {id_: reason_in(found, passed=False) for id_, found in details.items()}
    return [replace(head, reason=fields[head.id]) if fields.get(head.id) else head for head in heads]
