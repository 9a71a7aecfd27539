from __future__ import annotations

from modex.core.evaluators.instructions.checks import CHECKS
from modex.core.suite.instructions import TYPES


def test_every_type_has_a_check() -> None:
    assert set(CHECKS) == set(TYPES)
    assert len(TYPES) == 25
