from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.store.manager import DBDataManager
from tests.core.store.stores import CONFIG


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    """Write access to an empty store."""
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


@pytest.fixture
def run_id(manager: DBDataManager) -> int:
    """A new run without samples."""
    return manager.create_run("e", CONFIG)
