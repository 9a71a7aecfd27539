"""The assertions of all tests, rewritten once before the workers of a session start: each of them would do it for itself.

pytest keeps a rewritten module beside it, but workers that start together read the same files at the same time, and in a fresh
clone none finds what another has not written yet: with four, 14,000 assertions were rewritten four times, half a minute of a
core. `pytest-xdist` has no hook for it, so this calls what pytest calls.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from _pytest.assertion import AssertionState
from _pytest.assertion.rewrite import PYC_TAIL, _read_pyc, _rewrite_test, _write_pyc, assertstate_key


def rewrite_all(config: pytest.Config, places: Sequence[str | Path]) -> None:
    """Rewrite what is not there yet below files and folders, on all cores; returns when it is done."""
    state = config.stash[assertstate_key]
    waiting = list(_waiting(places, state))
    cores = len(os.sched_getaffinity(0))
    made = [_in_fork(waiting[first::cores], config, state) for first in range(min(cores, len(waiting)))]
    for pid in made:
        os.waitpid(pid, 0)


def _waiting(places: Sequence[str | Path], state: AssertionState) -> Iterator[Path]:
    """The test files that were changed since they were rewritten."""
    for place in (Path(str(given).partition("::")[0]).absolute() for given in places):
        for path in sorted(place.rglob("test_*.py")) if place.is_dir() else [place]:
            if path.suffix == ".py" and path.exists() and _read_pyc(path, _kept(path), state.trace) is None:
                yield path


def _kept(path: Path) -> Path:
    return path.parent / "__pycache__" / (path.name[:-3] + PYC_TAIL)


def _in_fork(paths: list[Path], config: pytest.Config, state: AssertionState) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            for path in paths:
                with contextlib.suppress(SyntaxError, OSError):  # told by the worker that wants it
                    source, code = _rewrite_test(path, config)
                    _kept(path).parent.mkdir(exist_ok=True)
                    _write_pyc(state, code, source, _kept(path))
        finally:
            os._exit(0)
    return pid
