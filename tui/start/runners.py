"""Starting runs, each in a runner process of its own: what `modex run` and the form of a new run call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.engine.control import Prepared, launch_runner, prepare_run
from core.runconfig import RunConfig


@dataclass(frozen=True, slots=True)
class Start:
    """One run that is wanted."""

    config: RunConfig
    exp_id: str | None = None


def start_runners(
    database: Path, wanted: Sequence[Start], *, wait: bool, tell: Callable[[str], None] = lambda _: None
) -> list[Prepared]:
    """Check all, then store and launch each. `tell` hears what a person should know before.

    `wait` until each runner holds its run; without it a screen shows them starting.

    Raises:
        ModexError: the suite, the selection, a key or the store does not allow one of them; those launched before it go on.
    """
    from core.pipeline.preflight import preflight

    for start in wanted:
        for note in preflight(start.config):
            tell(note)
    started = []
    for start in wanted:
        prepared = prepare_run(database, start.config, start.exp_id)
        launch_runner(database, prepared.exp_id, wait=wait, lock=prepared.lock)
        started.append(prepared)
    return started


def named(exp_id: str | None, model: str, count: int) -> str | None:
    """The name of one of `count` runs that are started together: `<exp_id>@<model>` where there are several."""
    if count == 1:
        return exp_id
    from core.engine.control import new_exp_id

    return f"{exp_id or new_exp_id('compare')}@{model}"
