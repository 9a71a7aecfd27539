"""Starting a run from a screen: everything that may be slow or refuse, in one function for a thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.engine.control import Prepared
    from core.runconfig import RunConfig


def start_run(database: Path, config: RunConfig) -> Prepared:
    """Check, store and launch a run.

    Raises:
        ModexError: the suite, the selection, a key or the store does not allow it; nothing was asked.
    """
    from core.engine.control import launch_runner, prepare_run
    from core.pipeline.preflight import preflight

    preflight(config)
    prepared = prepare_run(database, config)
    launch_runner(database, prepared.exp_id)
    return prepared
