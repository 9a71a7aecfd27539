"""Runs as a person handles them: prepare, launch, resume, judge again, delete. What the command line and the screens call."""

from __future__ import annotations

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
from core.errors import ConfigurationError, RunBusyError, StoreError
from core.runconfig import ModelSpec, RunConfig
from core.store.clock import now
from core.store.lock import holder, holder_pid, is_held
from core.store.manager import DBDataManager

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
        name = exp_id or _free_name(manager, new_exp_id(config.model.model))
        known = manager.reader.find_run(name)
        if known is None:
            return Prepared(name, manager.create_run(name, config), known=False)
        if known.alive:
            raise RunBusyError(
                f"{name}: {holder(database, known.id)} is working on this run; watch it with `modex attach {name}`"
            )
        if known.model != config.model.model:
            raise ConfigurationError(
                f"{name}: this run asks {known.model}, not {config.model.model}; leave --exp-id out for a new run"
            )
        manager.set_configuration(known.id, config)
        return Prepared(name, known.id, known=True)
    finally:
        manager.close()


def _free_name(manager: DBDataManager, wanted: str) -> str:
    name, number = wanted, 2
    while manager.reader.find_run(name) is not None:
        name, number = f"{wanted}-{number}", number + 1
    return name


def launch_runner(database: Path, exp_id: str, *, judging: Judging | None = None, wait: bool = True) -> int:
    """Start the runner process of a stored run and, unless told otherwise, wait until it holds the run; its process id.

    The runner has a session of its own and no terminal: whoever started it may go away.

    Raises:
        StoreError: it could not take the run.
        RunBusyError: somebody works on it already.
    """
    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp_id)
        if is_held(database, run.id):
            raise RunBusyError(f"{exp_id}: {holder(database, run.id)} is working on this run")
        before = run.seq
        manager.update_run(run.id, status="running", reason=None, live={"starting": now()})
    finally:
        manager.close()
    log = database.with_name(database.name + ".runner.log")
    command = [
        sys.executable,
        "-P",
        "-m",
        "core.engine.runner",
        "--db",
        str(database.absolute()),
        f"--exp-id={run.exp_id}",
    ]
    if judging:
        command += ["--judging", judging]
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
            env=_environment(),
            close_fds=True,
        )
    finally:
        os.close(descriptor)
    threading.Thread(target=process.wait, name="reaper", daemon=True).start()  # a screen that stays leaves no zombie
    if not wait:
        return process.pid
    deadline = time.monotonic() + _LAUNCH_TIMEOUT_S
    while time.monotonic() < deadline:
        if holder_pid(database, run.id) == process.pid:
            return process.pid
        if process.poll() is not None:
            if _moved(database, run.id, before):
                return process.pid
            raise StoreError(f"{exp_id}: the runner could not start; see {log}")
        time.sleep(0.02)
    raise StoreError(f"{exp_id}: the runner did not take the run within {_LAUNCH_TIMEOUT_S:.0f} s; see {log}")


def _moved(database: Path, run_id: int, before: int) -> bool:
    """Whether a runner that ended quickly did its work."""
    manager = DBDataManager(database)
    try:
        run = manager.reader.run_by_id(run_id)
        return run.completed_at is not None and run.seq > before + 1
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
    manager = DBDataManager(database)
    try:
        run = manager.reader.run(exp_id)
        if run.alive:
            raise RunBusyError(f"{run.exp_id}: {holder(database, run.id)} is working on this run")
        config = manager.configuration(run.id)
        changes: dict[str, object] = {"until": "stat"}
        if judges:
            changes["judges"] = judges
        if extractor is not None:
            changes["extractor"] = extractor
        manager.set_configuration(run.id, config.model_copy(update=changes))
        return Prepared(run.exp_id, run.id, known=True)
    finally:
        manager.close()


def change_configuration(database: Path, run_id: int, **changes: object) -> None:
    """Change fields of a stored run's configuration.

    Raises:
        StoreError: no such run, or the database cannot be written.
    """
    manager = DBDataManager(database)
    try:
        manager.set_configuration(run_id, manager.configuration(run_id).model_copy(update=changes))
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
    pid = holder_pid(database, run_id)
    send_command(database, run_id, "stop")
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if not is_held(database, run_id):
            return True
        time.sleep(0.05)
    if pid is not None:
        os.kill(pid, signal.SIGTERM)
    return False
