"""What the command line tells a person while it works: on stderr, cleaned and without keys."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from core.exit_codes import ExitCode, missed
from core.safety import clean_line, redact

if TYPE_CHECKING:
    from core.store.rows import RunRow


def say(text: str) -> None:
    """Narrate on stderr, cleaned and without keys."""
    with contextlib.suppress(OSError):  # nobody reads it any more: no reason to end a run
        for line in text.splitlines():
            sys.stderr.write(clean_line(redact(line)) + "\n")
        sys.stderr.flush()


def tell_missed(run: RunRow, fail_under: float | None) -> None:
    """Say where a run's score stays below `--fail-under`; both from 0 to 1."""
    from tui.look import format as fmt

    if fail_under is not None and missed(run.overall_score, fail_under):
        score = "no score" if run.overall_score is None else f"Weighted Score {fmt.hundred(run.overall_score, 1)}"
        say(f"{run.exp_id}: {score}, below --fail-under {fmt.hundred(fail_under, 1)}: exit code {ExitCode.MISSED}")
