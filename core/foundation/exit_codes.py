"""How a command ended, as its exit code: the one list that commands, the runner and the page on the command line read.

130 is 128 and SIGINT's number: https://www.gnu.org/software/bash/manual/html_node/Exit-Status.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal


class ExitCode(IntEnum):
    """What scripts may rely on; `meaning` is what the documentation says."""

    FINISHED = 0
    MISSED = 1
    MISTAKE = 2
    ABORTED = 3
    UNDECIDED = 4
    INTERRUPTED = 130
    CLOSED_PIPE = 141

    @property
    def meaning(self) -> str:
        """In a sentence."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.FINISHED: "finished",
    ExitCode.MISSED: "finished with errors or skips, or below `--fail-under`, or stopped before the end; `grep` found nothing",
    ExitCode.MISTAKE: "a mistake in the command, the suite or the configuration; nothing was asked",
    ExitCode.ABORTED: "aborted: the key was refused, the model does not exist, or the budget is spent",
    ExitCode.UNDECIDED: "a gate, or `choose`, cannot tell yet",
    ExitCode.INTERRUPTED: "interrupted by Ctrl-C; the same command continues the run",
    ExitCode.CLOSED_PIPE: "whoever read the output stopped reading",
}


@dataclass(frozen=True, slots=True)
class Floor:
    """What `--fail-under` asks for: a score from 0 to 1, and which of a run's scores must reach it."""

    score: float
    by: Literal["least", "score"] = "least"
    """`least`: with every answer without a verdict wrong; `score`: of those that have one."""

    def looked_at(self, score: float | None, least: float | None) -> float | None:
        """Which of the two counts."""
        return least if self.by == "least" else score


def of_run(
    status: str, errors: int, score: float | None, floor: Floor | None = None, *, least: float | None = None
) -> ExitCode:
    """How a run that is over ended; `score` from 0 to 1, `least` as it is at least (`score` where nothing bounds it)."""
    if status == "aborted":
        return ExitCode.ABORTED
    if status == "error":
        return ExitCode.MISTAKE
    low = missed(score, floor, least=least)
    return ExitCode.MISSED if errors or low or status != "completed" else ExitCode.FINISHED


def missed(score: float | None, floor: Floor | None, *, least: float | None = None) -> bool:
    """Whether a score stays below what was asked; no score does."""
    if floor is None:
        return False
    reached = floor.looked_at(score, score if least is None else least)
    return score is None or reached is None or reached < floor.score


def worst(codes: list[int]) -> int:
    """Of several runs, the one that a person must hear of first; an interruption before all."""
    return ExitCode.INTERRUPTED if ExitCode.INTERRUPTED in codes else max(codes)
