"""Tests that need namespaces say so where this machine has none."""

from __future__ import annotations

import pytest

from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable


@pytest.fixture
def boxes() -> None:
    """Bubblewrap works here."""
    if (reason := bubblewrap_unavailable()) is not None:
        pytest.skip(reason)
