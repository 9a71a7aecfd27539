from __future__ import annotations

from typing import Any

from modex.core.reports.reasons import with_reasons
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared, details_of
from tests.core.reports.conftest import Store
from tests.core.store.stores import sample


def _said(manager: DBDataManager, run: int) -> dict[str, str | None]:
    return {head.test_id: head.reason for head in with_reasons(manager.reader, manager.reader.heads(run))}


def _failed(test_id: str, **fields: Any) -> EvaluationSample:
    return sample(test_id, stage="judged", status="failed", score=0.0, **fields)


def test_a_verdict_stored_without_a_sentence_says_what_its_details_say(manager: DBDataManager, store: Store) -> None:
    old = details_of([Compared("15", "12.5", "numeric")], {})
    run = store("r", [_failed("old", details=old), _failed("new", details=old, reason="its own"), _failed("silent")])
    assert _said(manager, run.id) == {"old": "expected 15, got 12.5", "new": "its own", "silent": None}


def test_passed_tests_are_left_alone(manager: DBDataManager, store: Store) -> None:
    passed = sample("p", stage="judged", status="passed", score=1.0, details=details_of([Compared("15", "15")], {}))
    run = store("r", [passed])
    assert _said(manager, run.id) == {"p": None}
