"""Real processes at the price of a fork: one that has modex imported makes a child for each piece of work, and says how it ended.

A child does what a runner does (`prepare_run`, `at_work`, `Session.run`), may be killed by a real SIGKILL at an operation that is
named beforehand, and is over before `Forks.work` returns.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.cli import keyword_tests, write_suite
from tests.pace import stretched

ROOT = Path(__file__).resolve().parents[2]
HANGS_S = 40.0
"""What no piece of work takes on a quiet machine, however it is disturbed."""
FAILED = 70
"""The exit code of a child whose work raised what is no `ModexError`."""
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a piece of work ended."""

    code: int
    """Of the process; negative for a signal."""
    status: str | None
    """How its session ended; None where it came to no end of its own."""
    at: str | None
    """Where it was disturbed; None where it was not."""
    counts: dict[str, int]
    """Its operations by kind, as far as it said."""
    error: str
    """What it raised, with its trace."""
    held: bool = False
    """Whether a process that it left behind had to be ended."""
    first: dict[str, int] = field(default_factory=dict)
    """Its operations before the first question."""
    last: dict[str, int] = field(default_factory=dict)
    """Its operations up to the last answer, where it came to an end of its own."""
    hits: list[tuple[str, int, str, bool]] = field(default_factory=list)
    """The points at which it was disturbed, where they were, and whether they were among those before the first question."""


@dataclass(slots=True)
class Forks:
    """The process that makes the others; a context manager."""

    home: Path
    variables: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Forks:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        environment = {
            **kept,
            "HOME": str(self.home),
            **{f"XDG_{name}_HOME": str(self.home / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")},
            "PYTHONPATH": str(ROOT),
            "MODEX_RETRY_WAIT": "0.01",
            **self.variables,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.whole.forks"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=self.home,
        )  # fmt: skip
        suite = write_suite(self.home / "warm", keyword_tests(1))
        model = {"model": "openai/none", "api_base": "http://127.0.0.1:1/v1"}
        self.work("check", config={"model": model, "selection": {"suite": str(suite)}})
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def work(self, kind: str, **job: Any) -> Ended:
        """Have one piece of work done by a new process, and wait until it is over."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"kind": kind, **job}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the process that makes the others is gone"
        return Ended(**json.loads(line))


# the process that makes the others


def main() -> None:
    """Make a child for each line of standard input, one after the other, and say on standard output how it ended."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    _import(_forked({"kind": "modules"})[1])
    for line in sys.stdin:
        job = json.loads(line)
        if job["kind"] == "check":
            _checked(job)
            ended: dict[str, Any] = asdict(Ended(0, None, None, {}, ""))
        else:
            ended, modules = _forked(job)
            _import(modules)
        answers.write(json.dumps(ended) + "\n")
        answers.flush()


def _checked(job: dict[str, Any]) -> None:
    """Check a run's tests here, so that what a process reads once is read in all children; no thread is left."""
    from modex.core.config.runconfig import RunConfig
    from modex.core.engine.start import checked_run

    checked_run(RunConfig.model_validate(job["config"]))
    assert threading.active_count() == 1, threading.enumerate()


def _import(modules: Iterable[str]) -> None:
    """What one child had to import, so that the next ones find it."""
    for name in modules:
        if name not in sys.modules and name.partition(".")[0] not in ("tests", "__mp_main__"):
            with contextlib.suppress(Exception):  # a plugin, which has its name from modex alone
                __import__(name)


def _forked(job: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """How a child ended, and what it imported."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        _child(job, writing)
    os.close(writing)
    said, hung = _read(reading, child)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # What it started lives in its session, unless that was left: nothing of one child meets the next.
    held = False
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
        held = True
    lines = [json.loads(line) for line in said.decode().splitlines() if line.startswith("{")]
    told: dict[str, Any] = {}
    for one in lines:
        told |= one
    hits = [one["hit"] for one in lines if "hit" in one]
    error = told.get("error", "")
    if hung:
        error = f"it hung\n{said.decode(errors='replace')}"
    ended = {
        "code": code,
        "status": told.get("status"),
        "at": told.get("at"),
        "counts": told.get("counts", {}),
        "error": error,
        "held": held,
        "first": told.get("first", {}),
        "last": told.get("last", {}),
        "hits": hits,
    }
    return ended, told.get("modules", [])


def _read(descriptor: int, child: int) -> tuple[bytes, bool]:
    """All that the child says until it is over; and whether it had to be ended."""
    said, begun, hung = b"", time.monotonic(), False
    os.set_blocking(descriptor, False)
    while True:
        waited = time.monotonic() - begun
        if waited > HANGS_S and waited > stretched(HANGS_S) and not hung:
            hung = True
            os.kill(child, signal.SIGUSR1)  # its threads say where they stand
            time.sleep(0.5)
            os.kill(child, signal.SIGKILL)
        if not select.select([descriptor], [], [], 0.5)[0]:
            with contextlib.suppress(ChildProcessError):
                if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                    break  # what it started may have the pipe still
            continue
        with contextlib.suppress(BlockingIOError):
            part = os.read(descriptor, 1 << 16)
            if not part:
                break
            said += part
    os.close(descriptor)
    return said, hung


# the child

_write = os.write
"""As it is before operations are counted."""


def _child(job: dict[str, Any], report: int) -> None:
    """Do the work, say how it ended, and end without the parent's own clean-up."""
    os.set_inheritable(report, False)
    faulthandler.register(signal.SIGUSR1, file=report, all_threads=True)

    def tell(name: str, value: object) -> None:
        _write(report, (json.dumps({name: value}) + "\n").encode())

    code, before = FAILED, set(sys.modules)
    try:
        if job["kind"] == "modules":
            _import_work()
            code = 0
        else:
            code = _worked(job, tell)
    except BaseException as error:
        tell("error", "".join(traceback.format_exception(error)))
    finally:
        with contextlib.suppress(BaseException):
            tell("modules", sorted(set(sys.modules) - before))
        os._exit(code)


def _worked(job: dict[str, Any], tell: Callable[[str, object], None]) -> int:
    from modex.core.foundation.errors import ModexError
    from tests.whole.trap import Trap, arm

    given = job.get("at") or []
    points = given if isinstance(given, list) else [given]
    before = job.get("before")
    trap = Trap(_points(points, job), tell, before=None if before is None else _points(before, job))
    if points or before or job.get("counted"):
        arm(trap)
    try:
        tell("status", _WORK[job["kind"]](job))
    except ModexError as error:
        tell("status", "refused")
        tell("error", f"{type(error).__name__}: {error}")
        return error.exit_code
    finally:
        tell("counts", dict(trap.counts))
        tell("first", dict(trap.first or {}))
        tell("last", dict(trap.last))
    return 0


def _points(given: list[dict[str, Any]], job: dict[str, Any]) -> list[tuple[str, int, Any]]:
    acts = {act: make(job) for act, make in _ACTS.items()}
    return [(at["on"], at["number"], acts.get(at["act"], at["act"])) for at in given]


def _import_work() -> None:
    for name in ("core.engine.start", "core.engine.work", "core.imports.storing", "core.imports.lm_eval", "tui.start.racing",
                 "core.reports.race_words", "core.suite.sampling"):  # fmt: skip
        __import__(f"modex.{name}")


def _run(job: dict[str, Any]) -> str:
    """A run begun or gone on with; see `modex run --headless`."""
    from modex.core.config.runconfig import RunConfig
    from modex.core.engine.start import Start, checked_start, prepare_run
    from modex.core.engine.work import at_work

    database = Path(job["database"])
    config = RunConfig.model_validate(job["config"])
    start, checked = checked_start(database, Start(config, job["exp_id"]), lambda _: None)
    prepared = prepare_run(database, start.config, job["exp_id"])
    with at_work(database, prepared.exp_id, narrate=lambda _: None, checked=checked, lock=prepared.lock) as (
        session,
        _,
    ):
        return session.run().status


def _judge(job: dict[str, Any]) -> str:
    """What is stored judged again; see `modex judge`."""
    from modex.core.engine.start import rejudge
    from modex.core.engine.work import at_work

    database = Path(job["database"])
    prepared = rejudge(database, job["exp_id"])
    with at_work(database, prepared.exp_id, narrate=lambda _: None, lock=prepared.lock) as (session, _):
        return session.run(judging="all" if job.get("all") else "changed").status


def _race(job: dict[str, Any]) -> str:
    """A race begun or gone on with; see `modex race --headless`."""
    from modex.core.config.runconfig import RunConfig
    from modex.tui.features.race.start import prepare_race, work_on

    database = Path(job["database"])
    configs = [RunConfig.model_validate(one) for one in job["configs"]]
    race = prepare_race(
        database, configs, exp_id=job["exp_id"], against=None, peek=bool(job.get("peek")), tell=lambda _: None
    )
    return str(int(work_on(database, race, lambda _: None).code))


def _imported(job: dict[str, Any]) -> str:
    """A log of lm-evaluation-harness as a run; see `modex import lm-eval`."""
    from modex.core.edge.imports.lm_eval import read_lm_eval
    from modex.core.edge.imports.storing import store_run
    from modex.core.store.manager import DBDataManager

    manager = DBDataManager(Path(job["database"]))
    try:
        return ", ".join(store_run(manager, run).what for run in read_lm_eval(Path(job["path"]), None, 1.0))
    finally:
        manager.close()


def _launched(job: dict[str, Any]) -> str:
    """A run given to a runner of its own, which goes on; its process id. See `modex run --detach`."""
    from modex.core.config.runconfig import RunConfig
    from modex.core.engine.start import Start, checked_start, launch_runner, prepare_run

    database = Path(job["database"])
    start, _ = checked_start(database, Start(RunConfig.model_validate(job["config"]), job["exp_id"]), lambda _: None)
    prepared = prepare_run(database, start.config, job["exp_id"])
    return str(launch_runner(database, prepared.exp_id, lock=prepared.lock))


_WORK: dict[str, Callable[[dict[str, Any]], str]] = {
    "run": _run,
    "judge": _judge,
    "race": _race,
    "import": _imported,
    "launch": _launched,
}


def _interrupt(_job: dict[str, Any]) -> Callable[[str], None]:
    return lambda _where: os.kill(os.getpid(), signal.SIGINT)


def _pause(job: dict[str, Any]) -> Callable[[str], None]:
    """A viewer's `p`, and a moment later `p` again, by a connection of its own."""

    def act(_where: str) -> None:
        threading.Thread(target=said, daemon=True).start()

    def said() -> None:
        from modex.core.engine.commands import send_command
        from modex.core.store.reader import Reader

        database = Path(job["database"])
        with contextlib.suppress(Exception):  # the run was not stored yet, or is over
            reader = Reader(database)
            run_id = reader.run(job["exp_id"]).id
            reader.close()
            send_command(database, run_id, "pause")
            time.sleep(0.3)
            send_command(database, run_id, "resume")

    return act


_ACTS: dict[str, Callable[[dict[str, Any]], Callable[[str], None]]] = {"interrupt": _interrupt, "pause": _pause}

if __name__ == "__main__":
    main()
