"""Certificates of judges are kept as they were found, the newest first."""

from __future__ import annotations

import pytest

from modex.core.features.certify.query import certificates, store_certificate
from modex.core.store.clock import now
from modex.core.store.manager import DBDataManager
from tests.core.store.stores import CONFIG


def test_certificates_of_one_evaluator_come_the_newest_first_with_the_run_they_stand_on(manager: DBDataManager) -> None:
    before, reader = now(), manager.reader
    runs = [manager.create_run(name, CONFIG) for name in ("one", "two")]
    for run, evaluator, model in ((runs[0], "match", "a"), (runs[1], "match", "b"), (runs[0], "regex", "c")):
        store_certificate(reader, run, evaluator, (model, f"prompt of {model}"), {"kappa": model})
    found = certificates(reader, "match")
    assert [
        (one.run_id, one.exp_id, one.evaluator_id, one.model_digest, one.prompt_digest, one.found) for one in found
    ] == [
        (runs[1], "two", "match", "b", "prompt of b", {"kappa": "b"}),
        (runs[0], "one", "match", "a", "prompt of a", {"kappa": "a"}),
    ]
    assert found[0].id > found[1].id
    assert before <= found[1].created_at <= found[0].created_at <= now()
    assert certificates(reader, "none") == []


@pytest.mark.parametrize(("stored", "found"), [("null", {}), ("{}", {}), ('{"kappa": 1}', {"kappa": 1})])
def test_a_certificate_that_holds_nothing_reads_as_one_without_figures(
    manager: DBDataManager, stored: str, found: dict[str, object]
) -> None:
    store_certificate(manager.reader, manager.create_run("one", CONFIG), "match", ("a", "p"), {"x": 1})
    manager.database.run("UPDATE certificates SET found = ?", [stored])
    assert [one.found for one in certificates(manager.reader, "match")] == [found]
