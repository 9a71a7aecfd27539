"""Runs as a person handles them: prepare, launch, resume, judge again, delete. What the command line and the screens call."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.engine.commands import send_command
from core.errors import ConfigurationError, StoreError
from core.exit_codes import ExitCode
from core.runconfig import ModelSpec, RunConfig
from core.store.location import runner_log
from core.store.lock import RunLock, holder_pid, is_held
from core.store.manager import Chosen, DBDataManager
from core.store.rows import RunRow

if TYPE_CHECKING:
    from core.pipeline.benchmark import Judging

__all__ = ["delete_run", "launch_runner", "prepare_run", "rejudge", "send_command", "stop_and_wait"]

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_EXP_ID = re.compile(r"[^\s/\\\x00-\x1f\ud800-\udfff][^\x00-\x1f\\\ud800-\udfff]{0,199}")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LAUNCH_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that is in the store and can be launched."""

    exp_id: str
    run_id: int
    known: bool
    """Whether it was there already and is continued."""
    lock: RunLock
    """The right to work on it, to be handed to who does; given free where nothing refers to it any more."""


def new_exp_id(model: str, moment: datetime | None = None) -> str:
    """A readable name for a run: the model's last part and the time."""
    short = _UNSAFE.sub("-", model.rsplit("/", 1)[-1]).strip("-.") or "run"
    return f"{short}-{(moment or datetime.now()).strftime('%m%d-%H%M')}"


def prepare_run(database: Path, config: RunConfig, exp_id: str | None = None) -> Prepared:
    """Store a new run, or the new configuration of a known one.

    Raises:
        ConfigurationError: `exp_id` cannot be a name.
        RunBusyError: somebody works on it.
        StoreError: the database cannot be written.
    """
    if exp_id is not None and not _EXP_ID.fullmatch(exp_id):
        raise ConfigurationError(f"--exp-id {exp_id!r}: up to 200 printable characters, no slash or space in front")
    if _SURROGATE.search(config.model.model):
        raise ConfigurationError(f"--model {config.model.model!r}: these bytes are no text")
    manager = DBDataManager(database)
    try:
        while True:
            name = exp_id or _free_name(manager, new_exp_id(config.model.model))
            known = manager.reader.find_run(name)
            if known is not None:
                return _continued(manager, known, config)
            if (created := manager.create_held_run(name, config)) is not None:
                run_id, lock = created
                return Prepared(name, run_id, known=False, lock=lock)
    finally:
        manager.close()


def _continued(manager: DBDataManager, known: RunRow, config: RunConfig) -> Prepared:
    """Decided under the lock: a later start changes nothing of a run that an earlier one has."""
    lock = RunLock(manager.path, known.id, known.exp_id)
    if known.model != config.model.model:
        raise ConfigurationError(
            f"{known.exp_id}: this run asks {known.model}, not {config.model.model}; leave --exp-id out for a new run"
        )
    manager.begin(known.id, config)
    return Prepared(known.exp_id, known.id, known=True, lock=lock)


def _free_name(manager: DBDataManager, wanted: str) -> str:
    name, number = wanted, 2
    while manager.reader.find_run(name) is not None:
        name, number = f"{wanted}-{number}", number + 1
    return name


def launch_runner(
    database: Path,
    exp_id: str,
    *,
    judging: Judging | None = None,
    chosen: Chosen | None = None,
    wait: bool = True,
    lock: RunLock | None = None,
) -> int:
    """Start the runner process of a stored run and, unless told otherwise, wait until it holds the run; its process id.

    `chosen` are samples to do again, and nothing else. The runner has a session of its own and no terminal: whoever
    started it may go away. It is given the `lock` with which the run was prepared; without one the run is taken here.

    Raises:
        StoreError: it could not take the run.
        RunBusyError: somebody works on it already.
    """
    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp_id)
        if lock is None:
            lock = RunLock(database, run.id, run.exp_id)
            manager.begin(run.id)
        before = manager.reader.run_by_id(run.id)
        manager.update_run(run.id, status="running", reason=None)
    finally:
        manager.close()
    log = runner_log(database)
    said = log.stat().st_size if log.exists() else 0
    try:
        process, log = _spawn(database, run.exp_id, judging, chosen, lock)
    except BaseException:
        restore_run(database, run.id)
        raise
    lock.hand_over()
    threading.Thread(target=process.wait, name="reaper", daemon=True).start()  # a screen that stays leaves no zombie
    if not wait:
        return process.pid
    deadline = time.monotonic() + _LAUNCH_TIMEOUT_S
    while time.monotonic() < deadline:
        if holder_pid(database, run.id) == process.pid:
            return process.pid
        if process.poll() is not None:
            if process.returncode != ExitCode.MISTAKE and _moved(database, run.id, before.seq + 1):
                return process.pid
            raise StoreError(_last_words(log, said, exp_id) or f"{exp_id}: the runner could not start; see {log}")
        time.sleep(0.02)
    raise StoreError(f"{exp_id}: the runner did not take the run within {_LAUNCH_TIMEOUT_S:.0f} s; see {log}")


def _spawn(
    database: Path, exp_id: str, judging: Judging | None, chosen: Chosen | None, lock: RunLock
) -> tuple[subprocess.Popen[bytes], Path]:
    log = runner_log(database)
    command = [
        sys.executable,
        "-P",
        "-m",
        "core.engine.runner",
        "--db",
        str(database.absolute()),
        f"--exp-id={exp_id}",
        f"--lock={lock.descriptor}",
    ]
    if judging:
        command += ["--judging", judging]
    if chosen is not None:
        command += ["--only", ",".join(map(str, sorted(chosen.ids))), "--redo", chosen.redo]
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
            env=_environment(),
            pass_fds=[lock.descriptor],
        )
    finally:
        os.close(descriptor)
    return process, log


def _last_words(log: Path, start: int, exp_id: str) -> str:
    """What the runner `exp_id` said last since `start`, where it ended with a mistake of the suite or configuration."""
    with contextlib.suppress(OSError), log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode("utf-8", "replace").splitlines()
        own = [line for line in lines if line.startswith(f"{exp_id}: ")]
        return own[-1] if own else ""
    return ""


def _moved(database: Path, run_id: int, before: int) -> bool:
    """Whether a runner that ended quickly did its work."""
    manager = DBDataManager(database)
    try:
        run = manager.reader.run_by_id(run_id)
        return run.completed_at is not None and run.seq > before
    finally:
        manager.close()


def _environment() -> dict[str, str]:
    """The runner's environment: ours, and this modex first on the path where it runs from a checkout."""
    root = str(Path(__file__).resolve().parents[2])
    path = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{path}" if path else root}


def rejudge(
    database: Path, exp_id: str, judges: tuple[ModelSpec, ...] = (), extractor: ModelSpec | None = None
) -> Prepared:
    """Prepare a run to be judged again on its stored rollouts, by other judges where given.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such run, or the database cannot be written.
    """
    changes: dict[str, object] = {"until": "stat"}
    if judges:
        changes["judges"] = judges
    if extractor is not None:
        changes["extractor"] = extractor
    return change_configuration(database, exp_id, **changes)


def change_configuration(database: Path, exp_id: str, **changes: object) -> Prepared:
    """Prepare a stored run to go on with some fields of its configuration changed.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such run, or the database cannot be written.
    """
    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp_id)
        lock = RunLock(database, run.id, run.exp_id)
        manager.begin(run.id, manager.configuration(run.id).model_copy(update=changes))
        return Prepared(run.exp_id, run.id, known=True, lock=lock)
    finally:
        manager.close()


def rename_run(database: Path, exp_id: str, name: str) -> tuple[str, str]:
    """Give a run another name; the old one and the new one.

    Raises:
        ConfigurationError: `name` cannot be one, or another run has it.
        RunBusyError: somebody works on the run: its runner knows it by its name.
        StoreError: no such run, or the database cannot be written.
    """
    if not _EXP_ID.fullmatch(name):
        raise ConfigurationError(f"{name!r}: up to 200 printable characters, no slash or space in front")
    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp_id)
        with RunLock(database, run.id, run.exp_id):
            if manager.reader.find_run(name) is not None:
                raise ConfigurationError(f"{name}: another run is called so")
            manager.update_run(run.id, exp_id=name)
        return run.exp_id, name
    finally:
        manager.close()


def archive_run(database: Path, exp_id: str, *, archived: bool) -> str:
    """Put a run away, or take it back; its name.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such run, or the database cannot be written.
    """
    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp_id)
        with RunLock(database, run.id, run.exp_id):
            manager.update_run(run.id, archived=archived)
        return run.exp_id
    finally:
        manager.close()


def restore_run(database: Path, run_id: int) -> None:
    """Put back what stood before a start that came to nothing."""
    manager = DBDataManager(database)
    try:
        manager.restore(run_id)
    finally:
        manager.close()


def delete_run(database: Path, run_id: int) -> None:
    """Delete a run and everything of it.

    Raises:
        StoreError: somebody works on it, or the database cannot be written.
    """
    manager = DBDataManager(database)
    try:
        manager.delete_run(run_id)
    finally:
        manager.close()


def stop_and_wait(database: Path, run_id: int, timeout_s: float = 15.0) -> bool:
    """Ask the runner to stop and wait until it let the run go; whether it did."""
    send_command(database, run_id, "stop")
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if not is_held(database, run_id):
            return True
        if (pid := holder_pid(database, run_id)) is not None and _is_suspended(pid):
            raise StoreError(
                f"process {pid}, which works on this run, is suspended and hears nothing: `kill -CONT {pid}` lets it go on "
                f"and stop in order, `kill -KILL {pid}` ends it; what is finished is stored"
            )
        time.sleep(0.05)
    if (pid := holder_pid(database, run_id)) is not None:
        os.kill(pid, signal.SIGTERM)
    return False


def _is_suspended(pid: int) -> bool:
    """Whether a process was stopped by a signal (Ctrl-Z, SIGSTOP, a debugger); False where the system does not tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in ("T", "t")
    except (OSError, IndexError):
        return False
