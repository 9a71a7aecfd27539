"""The runner process: one run, no terminal. `python -m modex.core.engine.runner --db FILE --exp-id ID`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import get_args

from modex.core.engine.runner_log import rotate
from modex.core.engine.work import at_work, guard_output, say
from modex.core.foundation import exit_codes
from modex.core.foundation.errors import ModexError
from modex.core.store.location import runner_log
from modex.core.store.lock import RunLock
from modex.core.store.manager import ChosenSamples, Redo
from modex.core.store.reader import Reader

_LAST_RESORT_S = 1.5


def main(arguments: list[str] | None = None) -> int:
    """Work on the named run until it is done or told to stop; the exit code."""
    parser = argparse.ArgumentParser(prog="modex runner")
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--exp-id", required=True)
    parser.add_argument("--lock", type=int, help="the open file of the run's lock, as the starter holds it")
    parser.add_argument("--judging", choices=("changed", "all"))
    parser.add_argument("--only", help="ids of samples, with commas: these are done again and nothing else")
    parser.add_argument("--redo", choices=get_args(Redo), default="changed")
    options = parser.parse_args(arguments)
    # Before anything else: the terminal may be closed while the suite is still read.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    guard_output()
    try:
        lock = _handed_over(options)
        with at_work(options.db, options.exp_id, narrate=_narrating(options.db), lock=lock) as (session, _):
            outcome = session.run(judging=options.judging, chosen=_chosen(options))
    except ModexError as error:
        say(f"{options.exp_id}: {error}")
        return error.exit_code
    return exit_codes.of_run(outcome.status, 0, None)


def _narrating(database: Path) -> Callable[[str], None]:
    """Say to the log, which a runner that lives for days keeps short."""
    log = runner_log(database)

    def narrate(text: str) -> None:
        rotate(log)
        say(text)

    return narrate


def _chosen(options: argparse.Namespace) -> ChosenSamples | None:
    return ChosenSamples(frozenset(map(int, options.only.split(","))), options.redo) if options.only else None


def _handed_over(options: argparse.Namespace) -> RunLock | None:
    """The lock that the starter handed over."""
    if options.lock is None:
        return None
    with closing(Reader(options.db)) as reader:
        run = reader.run(options.exp_id)
    return RunLock(options.db, run.id, run.exp_id, descriptor=options.lock)


if __name__ == "__main__":
    sys.exit(main())
