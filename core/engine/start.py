"""Starting a run: named, checked, stored under its lock, and given to a runner. The one module that screens and commands call.

What works on it here, without a runner, is `modex.core.engine.work`.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.config.entries.naming import label_of, named_lines
from modex.core.config.options import Reading
from modex.core.config.runconfig import ModelSpec, RunConfig, at_known_addresses
from modex.core.engine.control import EXP_ID, refuse_as_option, restore_run
from modex.core.engine.executors.address import cluster_of
from modex.core.engine.served import with_servers
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.foundation.exit_codes import ExitCode
from modex.core.foundation.interrupts import raise_lost_interrupt
from modex.core.foundation.processes import PROGRAM
from modex.core.store.location import runner_log
from modex.core.store.lock import RunLock, holder_pid
from modex.core.store.manager import ChosenSamples, DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.suite.definitions import skip_words
from modex.core.suite.offered import LEFT_OUT

if TYPE_CHECKING:
    from modex.core.pipeline.assembly import CheckedTests
    from modex.core.pipeline.benchmark import Judging

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LAUNCH_TIMEOUT_S = 20.0
_NAMED = 20
"""Tests that a note names before it only counts them."""


@dataclass(frozen=True, slots=True)
class Start:
    """One run that is wanted."""

    config: RunConfig
    exp_id: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that is in the store and can be launched."""

    exp_id: str
    run_id: int
    known: bool
    """Whether it was there already and is continued."""
    lock: RunLock
    """The right to work on it, to be handed to who does; given free where nothing refers to it any more."""


def start_runners(
    database: Path, wanted: Sequence[Start], *, wait: bool, tell: Callable[[str], None] = lambda _: None
) -> list[Prepared]:
    """Check all, then store and launch each. `tell` hears what a person should know before.

    `wait` until each runner holds its run; without it a screen shows them starting.

    Raises:
        ModexError: the suite, the selection, a key or the store does not allow one of them, or a runner did not start;
            those launched go on.
    """
    ready: list[tuple[Start, CheckedTests]] = []
    checked: CheckedTests | None = None
    for each in wanted:
        before = checked
        start, checked = checked_start(database, each, tell, before)
        if before is None or checked.selected is not before.selected:
            for note in notes(checked):
                tell(note)
        ready.append((start, checked))
    started, launched = [], []
    for start, checked in ready:
        prepared = prepare_run(database, start.config, start.exp_id)
        _hand_on(database, prepared.run_id, checked)
        launched.append(_launch(database, prepared.exp_id, lock=prepared.lock))
        started.append(prepared)
    for runner in launched if wait else ():
        runner.wait()
    return started


def new_exp_id(model: str, moment: datetime | None = None) -> str:
    """A readable name for a run: the model's last part and the time."""
    short = _UNSAFE.sub("-", model.rsplit("/", 1)[-1]).strip("-.") or "run"
    return f"{short}-{(moment or datetime.now()).strftime('%m%d-%H%M')}"


def named(exp_id: str | None, model: str, count: int) -> str | None:
    """The name of one of `count` runs that are started together: `<exp_id>@<model>` where there are several."""
    return exp_id if count == 1 else f"{exp_id or new_exp_id('compare')}@{label_of(model)}"


def checked_run(
    config: RunConfig, tell: Callable[[str], None] | None = None, before: CheckedTests | None = None
) -> CheckedTests:
    """What `config` asks, read and checked: the suite's mistakes, an empty selection, a missing key, before the first call.

    `tell` hears how far it is. Tests that were checked `before` for another model, all else alike, are not read again.

    Raises:
        SuiteError: the suite has mistakes and they are not to be skipped.
        ConfigurationError: nothing is selected, or a key is missing.
    """
    from modex.core.pipeline.assembly import (  # 0.1 s, which a screen that starts nothing does not pay
        checked_tests,
        key_problems,
    )

    cluster_of(config)
    if before is not None and before.config == config.model_copy(update={"model": before.config.model}):
        checked = replace(before, config=config)
    else:
        checked = checked_tests(config, tell)
    if config.until != "preprocess" and (problems := key_problems(config, checked.needs)):
        raise ConfigurationError("\n".join(problems))
    raise_lost_interrupt()
    return checked


def checked_start(
    database: Path, start: Start, tell: Callable[[str], None], before: CheckedTests | None = None
) -> tuple[Start, CheckedTests]:
    """`checked_run`, and where a budget is to be planned for, the sample chosen: what to store and what it asks.

    Raises:
        SuiteError: the suite has mistakes and they are not to be skipped.
        ConfigurationError: nothing is selected, a key is missing, or the budget cannot be planned for.
    """
    start, checked = _checked_start(database, start, tell, before)
    served = with_servers(start.config, checked.needs.longest, tell)
    if served == start.config:
        return start, checked
    return replace(start, config=served), replace(checked, config=served)


def _checked_start(
    database: Path, start: Start, tell: Callable[[str], None], before: CheckedTests | None
) -> tuple[Start, CheckedTests]:
    start = _keeping_form(database, start, tell)
    for line in named_lines(start.config):
        tell(line)
    allow_here(start.config)
    checked = checked_run(start.config, tell, before or _checked_before(database, start))
    if start.config.selection.form and not checked.unchanged and checked.selected.without_gold:
        # The form follows from the gold: a gold that comes later must not have the question asked again.
        start = _without_form(start)
        checked = checked_run(start.config)
    if not start.config.selection.is_planned:
        return start, checked
    from modex.core.engine.budget import with_sample

    start = replace(start, config=with_sample(database, start.exp_id, checked, tell))
    return start, checked_run(start.config)


def allow_here(config: RunConfig) -> None:
    """Keep that somebody on this machine asked for what a run of this configuration starts, writes and asks."""
    from modex.core.pipeline.agreed import agree  # as in `checked_run`

    agree(config)


def allow_stored(config: RunConfig) -> None:
    """Keep that a stored run may do here what its configuration says, and its suite run its plugins and servers.

    Raises:
        ConfigurationError: the suite is not there, or a plugin fails.
    """
    from modex.core.pipeline.assembly import open_suite

    allow_here(config)
    open_suite(config.selection.suite, allow_plugins=True, tests=config.selection.takes_suite)


def _keeping_form(database: Path, start: Start, tell: Callable[[str], None]) -> Start:
    """The start of a known run that was begun without a form of answer goes on without it: no answer is asked for again."""
    if not start.config.selection.form or start.exp_id is None or not database.exists():
        return start
    known = _find_run(database, start.exp_id)
    if known is None:
        return start
    selection = known.config.get("selection")
    if not isinstance(selection, dict) or selection.get("form") is True:
        return start
    if start.config.selection.datasets:
        tell(f"{known.exp_id}: begun without a form of answer, and goes on without it")
    return _without_form(start)


def _without_form(start: Start) -> Start:
    own = start.config.selection.model_copy(update={"form": False})
    return replace(start, config=start.config.model_copy(update={"selection": own}))


def _find_run(database: Path, exp_id: str) -> RunRow | None:
    try:
        with contextlib.closing(Reader(database)) as reader:
            return reader.find_run(exp_id)
    except StoreError:  # another start makes the file at this moment; whoever writes to it says what is wrong
        return None


def _checked_before(database: Path, start: Start) -> CheckedTests | None:
    """What was found when the run of this name was last planned, where all that its plan was made of is the same."""
    if start.exp_id is None or not database.exists():
        return None
    known = _find_run(database, start.exp_id)
    if known is None or not known.plan:
        return None
    from modex.core.pipeline.unchanged import (
        still_checked,  # as below: a screen that starts nothing does not pay for it
    )

    return still_checked(start.config, database, known.plan)


def _hand_on(database: Path, run_id: int, checked: CheckedTests) -> None:
    """Spare the runner of a long run the reading of all tests that was just done here."""
    from modex.core.pipeline.unchanged import kept_check

    if not checked.unchanged and (found := kept_check(checked, database)):
        with contextlib.closing(DBDataManager(database)) as manager:
            manager.update_run(run_id, plan=found)


def notes(checked: CheckedTests) -> list[str]:
    """The problems that were skipped and what --no-judge leaves out, each in a sentence."""
    selected = checked.selected
    lines = _read_otherwise(checked)
    if selected.skips and not checked.config.selection.skip_invalid:
        names = [skip_words(test, why) for test, why in selected.skips]
        lines += [f"skipped: {name}" for name in names[:_NAMED]]
        lines += [f"skipped: {len(names) - _NAMED} more"] if len(names) > _NAMED else []
    lines += [f"skipped: {problem}" for problem in selected.problems]
    if left_out := checked.selected.left_out:
        tests = "1 test" if len(left_out) == 1 else f"{len(left_out)} tests"
        more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        if checked.config.agent is not None and checked.config.agent.startswith("answers:"):
            lines.append(f"{tests} without an answer (or, with --no-judge, judged) left out")
        elif checked.config.reading == "loglikelihood":
            named = f"{', '.join(left_out[:_NAMED])}{more}"
            lines.append(f"--reading loglikelihood leaves out {tests} without options to compare: {named}")
        else:
            lines.append(f"--no-judge leaves out {tests}: {', '.join(left_out[:_NAMED])}{more}")
    return lines


def _read_otherwise(checked: CheckedTests) -> list[str]:
    """Of another system's suite: how many tests are asked, the others by reason, and what is judged otherwise than there."""
    suite, selected = checked.suite, checked.selected
    if suite.dialect is None or not checked.config.selection.takes_suite:
        return []
    total, left = checked.needs.count, len(selected.skips)
    lines = [f"written for {suite.dialect}: {total} tests, {total - left} asked" + (f", {left} not" if left else "")]
    whys = Counter(reason.partition("; ")[0] for _, reason in selected.skips)
    lines += [f"  not asked: {count} × {why}" for why, count in whys.most_common(_NAMED)]
    flagged = Counter(name for test in suite.tests if not test.invalid for name in test.metadata.get(LEFT_OUT, ()))
    lines += [f"  offered without '{name}', which is not here: {count} tests" for name, count in flagged.items()]
    return [*lines, *(f"  otherwise than there: {words}" for words in suite.otherwise)]


def check_name(exp_id: str | None) -> None:
    """Whether a run or a race can have this name.

    Raises:
        ConfigurationError: it cannot.
    """
    if exp_id is not None and not EXP_ID.fullmatch(exp_id):
        raise ConfigurationError(
            f"--exp-id {exp_id!r}: a name has up to 200 printable characters, no slash or space in front; choose another"
        )


def prepare_run(database: Path, config: RunConfig, exp_id: str | None = None, *, kind: str = "evaluation") -> Prepared:
    """Store a new run, of a `kind` that says what it is for, or the new configuration of a known one.

    Raises:
        ConfigurationError: `exp_id` cannot be a name, or not a new one.
        RunBusyError: somebody works on it.
        StoreError: the database cannot be written.
    """
    check_name(exp_id)
    config = with_servers(config)
    if _SURROGATE.search(config.model.model):
        raise ConfigurationError(f"--model {config.model.model!r}: these bytes are no text; write its name in UTF-8")
    with contextlib.closing(DBDataManager(database)) as manager:
        # Again where another start took the name between the look and the insert, whose unique key decides.
        while True:
            name = exp_id or _free_name(manager, new_exp_id(label_of(config.model.said)))
            known = manager.reader.find_run(name)
            if known is not None:
                return _continued(manager, known, config)
            if exp_id is not None:
                refuse_as_option(exp_id)
            if (created := manager.create_held_run(name, config, kind)) is not None:
                run_id, lock = created
                return Prepared(name, run_id, known=False, lock=lock)


def _continued(manager: DBDataManager, known: RunRow, config: RunConfig) -> Prepared:
    """Decided under the lock: a later start changes nothing of a run that an earlier one has."""
    lock = RunLock(manager.path, known.id, known.exp_id)
    if not _asks_the_same(known, config.model):
        raise ConfigurationError(
            f"{known.exp_id}: this run asks {known.model}, not {config.model.model}; leave --exp-id out for a new run"
        )
    manager.begin(known.id, config)
    return Prepared(known.exp_id, known.id, known=True, lock=lock)


def _asks_the_same(known: RunRow, model: ModelSpec) -> bool:
    """Whether a run goes on with the model that it began with: by its name, or weights of the same content by another."""
    digest = (known.config.get("model") or {}).get("gguf_digest")
    return known.model == model.model or (digest is not None and digest == model.gguf_digest)


def _free_name(manager: DBDataManager, wanted: str) -> str:
    name, number = wanted, 2
    while manager.reader.find_run(name) is not None:
        name, number = f"{wanted}-{number}", number + 1
    return name


def rejudge(
    database: Path,
    exp_id: str,
    judges: tuple[ModelSpec, ...] = (),
    extractor: ModelSpec | None = None,
    *,
    reading: Reading | None = None,
    allow: bool = False,
    narrate: Callable[[str], None] = lambda _: None,
) -> Prepared:
    """Prepare a run to be judged again on its stored rollouts, by other judges where given; `allow`: see `allow_stored`.

    `reading` says whose verdict counts where a benchmark has a rule of its own; None leaves it as the run has it.

    Judges without an address are asked where the run's judges of the same provider are, and `narrate` is told so.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such run, or the database cannot be written.
    """
    changes: dict[str, object] = {"until": "stat"}
    if judges:
        changes["judges"] = judges_of(database, exp_id, judges, narrate)
    if extractor is not None:
        changes["extractor"] = extractor
    if reading is not None:
        from modex.core.pipeline.likelihoods import check_reading

        with contextlib.closing(DBDataManager(database)) as manager:
            known = manager.configuration(manager.reader.run(exp_id).id).reading
        check_reading(exp_id, known, reading)
        changes["reading"] = reading
    return change_configuration(database, exp_id, allow=allow, **changes)


def judges_of(
    database: Path, exp_id: str, judges: tuple[ModelSpec, ...], narrate: Callable[[str], None]
) -> tuple[ModelSpec, ...]:
    """`judges` with the addresses of a run's own judges (`at_known_addresses`); `narrate` is told which it gave.

    Raises:
        StoreError: no such run, or it cannot be read.
    """
    if not judges:
        return ()
    with contextlib.closing(DBDataManager(database)) as manager:
        known = manager.configuration(manager.reader.run(exp_id).id).judges
    found = at_known_addresses(judges, known)
    for before, after in zip(judges, found, strict=True):
        if after.api_base and before.api_base is None:
            narrate(
                f"{after.model} is asked at {after.api_base}, as the run's judge was; --judge-api-base names another"
            )
    return found


def change_configuration(database: Path, exp_id: str, *, allow: bool = False, **changes: object) -> Prepared:
    """Prepare a stored run to go on with some fields of its configuration changed, by somebody here; `allow`: see `allow_stored`.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such run, or the database cannot be written.
        ConfigurationError: it cannot be moved by that cluster.
    """
    with contextlib.closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp_id)
        changed = manager.configuration(run.id).model_copy(update=changes)
        cluster_of(changed)
        allow_here(RunConfig.model_validate({"model": {"model": "demo"}, **changes}))
        if allow:
            allow_stored(changed)
        lock = RunLock(database, run.id, run.exp_id)
        manager.begin(run.id, changed)
        return Prepared(run.exp_id, run.id, known=True, lock=lock)


def launch_runner(
    database: Path,
    exp_id: str,
    *,
    judging: Judging | None = None,
    chosen: ChosenSamples | None = None,
    lock: RunLock | None = None,
) -> int:
    """Start the runner process of a stored run, wait until it holds the run, and give its process id.

    `chosen` are samples to do again, and nothing else. The runner has a session of its own and no terminal: whoever
    started it may go away. It is given the `lock` with which the run was prepared; without one the run is taken here.

    Raises:
        StoreError: it could not take the run.
        RunBusyError: somebody works on it already.
    """
    return _launch(database, exp_id, judging=judging, chosen=chosen, lock=lock).wait()


@dataclass(frozen=True, slots=True)
class _Launched:
    """A runner on its way."""

    database: Path
    run: RunRow
    """As it was before."""
    process: subprocess.Popen[bytes]
    log: Path
    log_bytes: int
    """How many bytes the log had before."""

    def wait(self) -> int:
        """Wait until it holds its run; its process id.

        Raises:
            StoreError: it could not take the run.
        """
        run, process = self.run, self.process
        deadline = time.monotonic() + _LAUNCH_TIMEOUT_S
        while time.monotonic() < deadline:
            if holder_pid(self.database, run.id) == process.pid:
                return process.pid
            if process.poll() is not None:
                # A run of few tests may be over between two looks; what it wrote tells that from a runner that fell over.
                if process.returncode != ExitCode.MISTAKE and _moved(self.database, run.id, run.seq + 1):
                    return process.pid
                words = _last_words(self.log, self.log_bytes, run.exp_id)
                raise StoreError(words or f"{run.exp_id}: the runner could not start; read {self.log}")
            time.sleep(0.02)
        raise StoreError(
            f"{run.exp_id}: the runner did not take the run within {_LAUNCH_TIMEOUT_S:.0f} s; read {self.log}"
        )


def _launch(
    database: Path,
    exp_id: str,
    *,
    judging: Judging | None = None,
    chosen: ChosenSamples | None = None,
    lock: RunLock | None = None,
) -> _Launched:
    with contextlib.closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp_id)
        judged = judging is not None or (chosen is not None and chosen.redo == "judge")
        try:
            _refuse_unknown(manager.configuration(run.id), judging=judged)
        except ConfigurationError:
            manager.restore(run.id)
            raise
        if lock is None:
            lock = RunLock(database, run.id, run.exp_id)
            manager.begin(run.id)
        before = manager.reader.run_by_id(run.id)
        manager.update_run(run.id, status="running", reason=None)
    log = runner_log(database)
    said = log.stat().st_size if log.exists() else 0
    try:
        process, log = _spawn(database, run.exp_id, judging, chosen, lock)
    except BaseException:  # an interrupt too: the row must not say "running" with nobody at work
        restore_run(database, run.id)
        raise
    # Only now: until the runner has the open file, the lock is ours alone, and nobody can come between.
    lock.hand_over()
    threading.Thread(target=process.wait, name="reaper", daemon=True).start()  # a screen that stays leaves no zombie
    return _Launched(database, before, process, log, said)


def _refuse_unknown(config: RunConfig, *, judging: bool) -> None:
    """Say here, where a person hears it, what the runner would refuse of a stored run."""
    from modex.core.pipeline.agreed import refuse_unknown

    if config.until != "preprocess":
        refuse_unknown(config, () if judging or config.agent else (config.model,), judging_only=judging)


def _spawn(
    database: Path, exp_id: str, judging: Judging | None, chosen: ChosenSamples | None, lock: RunLock
) -> tuple[subprocess.Popen[bytes], Path]:
    arguments = [f"--exp-id={exp_id}"]
    if judging:
        arguments += ["--judging", judging]
    if chosen is not None:
        arguments += ["--only", ",".join(map(str, sorted(chosen.ids))), "--redo", chosen.redo]
    return spawn(database, "modex.core.engine.runner", arguments, lock)


def spawn(database: Path, module: str, arguments: Sequence[str], lock: RunLock) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a `module` of ours as a process without a terminal, in a session of its own, with an open `lock`; its log too."""
    log = runner_log(database)
    command = [
        sys.executable,
        "-P",  # a `core/` in the user's folder is not ours
        "-m",
        module,
        "--db",
        str(database.absolute()),
        f"--lock={lock.descriptor}",
        *arguments,
    ]
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,  # a terminal that closes, and its Ctrl-C, reach nobody in another session
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
    with contextlib.closing(DBDataManager(database)) as manager:
        run = manager.reader.run_by_id(run_id)
        return run.completed_at is not None and run.seq > before


def _environment() -> dict[str, str]:
    """The runner's environment: ours, and this modex first on the path where it runs from a checkout."""
    path = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{PROGRAM}{os.pathsep}{path}" if path else PROGRAM}
