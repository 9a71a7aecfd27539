"""How a command ended, as its exit code: the one list that commands, the runner and the page on the command line read."""

from __future__ import annotations

from enum import IntEnum


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
    ExitCode.MISSED: "finished with errors, or below `--fail-under`, or stopped before the end; `grep` found nothing",
    ExitCode.MISTAKE: "a mistake in the command, the suite or the configuration; nothing was asked",
    ExitCode.ABORTED: "aborted: the key was refused, the model does not exist, or the budget is spent",
    ExitCode.UNDECIDED: "a gate cannot tell yet",
    ExitCode.INTERRUPTED: "interrupted by Ctrl-C; the same command continues the run",
    ExitCode.CLOSED_PIPE: "whoever read the output stopped reading",
}


def of_run(status: str, errors: int, score: float | None, fail_under: float | None = None) -> ExitCode:
    """How a run that is over ended; `fail_under` and `score` from 0 to 1."""
    if status == "aborted":
        return ExitCode.ABORTED
    if status == "error":
        return ExitCode.MISTAKE
    return ExitCode.MISSED if errors or missed(score, fail_under) or status != "completed" else ExitCode.FINISHED


def missed(score: float | None, fail_under: float | None) -> bool:
    """Whether a score stays below what was asked; no score does."""
    return fail_under is not None and (score is None or score < fail_under)


def worst(codes: list[int]) -> int:
    """Of several runs, the one that a person must hear of first; an interruption before all."""
    return ExitCode.INTERRUPTED if ExitCode.INTERRUPTED in codes else max(codes)
