"""How many turns of the tool loop a sample may take."""

from __future__ import annotations

from modex.core.sandbox.workspace.spec import WorkLimits, has_workspace
from modex.core.store.definition import Definition


def most_turns(definition: Definition, configured: int) -> int:
    """The run's number (`configured`), and no fewer than the test needs; in a workspace as many as it may make calls."""
    if has_workspace(definition.sandbox):
        return WorkLimits.of(definition.sandbox).calls
    return max(configured, definition.max_iterations or 0)
