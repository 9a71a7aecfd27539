"""How far a score moved since the run before of the same model."""

from __future__ import annotations

import pytest

from modex.core.features.story import since
from modex.core.features.story.since import change_since
from modex.core.store.manager import DBDataManager
from tests.core.features.compare.test_compare import scored
from tests.core.reports.conftest import Store


def test_a_change_is_told_where_the_run_before_shares_a_test_and_neither_is_too_large(
    manager: DBDataManager, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store("a", [scored("1", 0.0), scored("2", 0.0)])
    second = store("b", [scored("1", 1.0)])
    assert change_since(manager.reader, first) is None
    found = change_since(manager.reader, second)
    assert found is not None
    assert found.overall is not None
    assert (found.first.exp_id, found.second.exp_id, found.overall.difference) == ("a", "b", 1.0)
    for most, told in ((2, True), (1, False), (0, False)):
        monkeypatch.setattr(since, "_COMPARED_UP_TO", most)
        assert (change_since(manager.reader, second) is not None) == told
    monkeypatch.setattr(since, "_COMPARED_UP_TO", 2)
    assert change_since(manager.reader, store("c", [scored("other", 1.0)])) is None
    large = store("d", [scored(name, 1.0) for name in ("1", "other", "x")])
    assert change_since(manager.reader, large) is None
