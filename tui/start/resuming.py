"""Whether a stored run can go on, and why not."""

from __future__ import annotations

from modex.core.store.rows import RunRow


def can_go_on(run: RunRow) -> bool:
    """Whether a new runner would find something to do."""
    ended_early = run.state in ("interrupted", "stopped", "aborted", "error")
    return not run.going and (ended_early or run.error_tests > 0)


def resume_refusal(run: RunRow) -> str:
    """Why `run` cannot be resumed."""
    return "the run is going on already" if run.going else "nothing to resume: every test is done, none with an error"
