"""Samples counted by whose fault it is that they have no fair verdict: the query says what `party_of` says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from modex.core.foundation.parties import PARTY_OF, SAID_OF, USER_FAULT, Party, party_of
from modex.core.store.manager import DBDataManager
from modex.core.store.parties import count_parties, parties_by_run
from modex.core.store.sample import ROLLOUT_FIELDS, STATUSES, EvaluationSample
from modex.core.store.selecting import sample_query
from tests.core.store.stores import CONFIG, sample, with_writer

MESSAGES = (None, "odd", *(f"{begin}x) ended (exit code 3)" for begin in SAID_OF))


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


def stored(manager: DBDataManager, items: list[EvaluationSample], name: str = "e") -> int:
    run_id = manager.create_run(name, CONFIG)
    manager.plan(run_id, [sample(str(number)) for number in range(len(items))])
    kept_all = list(manager.reader.samples(run_id))
    for kept, item in zip(kept_all, items, strict=True):
        kept.status, kept.flags = item.status, item.flags
        kept.error_type, kept.error_message = item.error_type, item.error_message
    with_writer(
        manager, run_id, lambda writer: [writer.save(kept, ROLLOUT_FIELDS, before="pending") for kept in kept_all]
    )
    return run_id


def test_a_filter_finds_what_the_table_says(manager: DBDataManager) -> None:
    kinds = [None, "imported_error", *PARTY_OF]
    made = [
        EvaluationSample(status="error", error_type=kind, error_message=said) for kind, said in product(kinds, MESSAGES)
    ]
    made += [EvaluationSample(status=status, flags=[USER_FAULT]) for status in STATUSES if status != "running"]
    made += [EvaluationSample(status="skipped", error_type="tool_unavailable", error_message="x")]
    run_id = stored(manager, made)
    told = {one.test_id: party_of(one) for one in manager.reader.samples(run_id)}
    assert set(told.values()) == {*Party, None}
    for party in Party:
        found = {one.test_id for one in manager.reader.heads(run_id, sample_query(f"fault:{party}"), limit=10_000)}
        assert found == {name for name, whose in told.items() if whose is party}, party


def test_errors_are_counted_by_party_and_kind_with_what_servers_did(manager: DBDataManager) -> None:
    ended = EvaluationSample(
        status="error", error_type="tool_unavailable", error_message="the server python weather.py ended (exit code 3)"
    )
    judge = EvaluationSample(status="error", error_type="judge_error", error_message="no verdict")
    run_id = stored(manager, [judge, ended, ended, EvaluationSample(status="failed", flags=[USER_FAULT])])
    assert [tuple(one) for one in count_parties(manager.reader, run_id)] == [
        (Party.SERVER, 2, {"tool_unavailable": 2}, {"weather: exit 3": 2}),
        (Party.JUDGE, 1, {"judge_error": 1}, {}),
    ]
    other = stored(manager, [EvaluationSample(status="passed")], "other")
    assert parties_by_run(manager.reader, [run_id, other]) == {run_id: [Party.SERVER, Party.JUDGE]}
