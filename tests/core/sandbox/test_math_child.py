"""What the child behind mathematics may have."""

from __future__ import annotations

from modex.core.sandbox import math_child
from modex.core.sandbox.child import Confinement


def test_mathematics_may_have_two_gigabytes() -> None:
    assert Confinement(memory_bytes=2 * 1024 * 1024 * 1024) == math_child._CONFINEMENT
