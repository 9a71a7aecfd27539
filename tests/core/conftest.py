"""Fixtures of single folders that tests of features need too."""

from tests.core.engine.conftest import bench
from tests.core.evaluators.conftest import two_pass
from tests.core.reports.conftest import manager, store
from tests.core.sandbox.conftest import boxes
from tests.core.store.conftest import run_id

__all__ = ["bench", "boxes", "manager", "run_id", "store", "two_pass"]
