"""What each test of a suite on the screen makes a run ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modex.tui.reading.suite import SuiteView

if TYPE_CHECKING:
    from modex.core.pipeline.estimate import Need


def needs(view: SuiteView) -> list[Need]:
    """What each listed test asks, in the order of `view.leaves`; imports evaluators, so call it in a thread."""
    from modex.core.pipeline.estimate import need_of

    return [need_of(leaf.test, view.evaluators) for leaf in view.leaves]
