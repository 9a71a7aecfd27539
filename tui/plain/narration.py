"""What the command line tells a person while it works: on stderr, cleaned and without keys."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from modex.core.foundation.exit_codes import ExitCode, Floor, missed
from modex.core.safety import clean_line, redact

if TYPE_CHECKING:
    from modex.core.store.rows import RunRow


def say(text: str) -> None:
    """Narrate on stderr, cleaned and without keys."""
    with contextlib.suppress(OSError):  # nobody reads it any more: no reason to end a run
        for line in text.splitlines():
            sys.stderr.write(clean_line(redact(line)) + "\n")
        sys.stderr.flush()


def tell_missed(run: RunRow, floor: Floor | None) -> None:
    """Say where a run's score stays below `--fail-under`, and by which of its scores."""
    from modex.core.comparison.wording import unsettled_words
    from modex.tui.look import format as fmt

    if floor is None or not missed(run.overall_score, floor, least=run.least_score):
        return
    score = "no score" if run.overall_score is None else f"Weighted Score {fmt.hundred(run.overall_score, 1)}"
    open_ = unsettled_words(run.unsettled, run.bounds) if floor.by == "least" else ""
    under = f"{run.exp_id}: {score}{f' ({open_})' if open_ else ''}, below --fail-under {fmt.hundred(floor.score, 1)}"
    advice = "; --fail-by score looks at those with a verdict" if open_ else ""
    say(f"{under}{advice}: exit code {ExitCode.MISSED}")
