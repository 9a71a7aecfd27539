"""The question before a run that has ended is worked on again, wherever it is asked: calls cost money."""

from __future__ import annotations

from modex.core.store.rows import RunRow
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.start.costs import resume_plan


def ask_to_go_on(run: RunRow) -> AskScreen:
    """Says what will be asked, and gives back nothing where nobody wants that."""
    return AskScreen(
        f"Go on with {run.exp_id}?",
        [Answer("r", "resume", resume_plan(run))],
        f"It asks {run.model} again; what is done stays as it is.",
    )
