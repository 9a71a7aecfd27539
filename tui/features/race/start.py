"""A race from its first test to its decision: checked and stored, then worked on here, or by a process of its own.

`python -m modex.tui.features.race.start --db FILE --race NAME --lock N` is that process: no terminal, and nothing of a screen.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modex.core.config.entries.naming import label_of, named_lines
from modex.core.config.options import NOT_OF_A_RACE, Values
from modex.core.config.runconfig import RunConfig
from modex.core.engine.control import refuse_as_option
from modex.core.engine.served import kept_servers, with_servers
from modex.core.engine.start import allow_here, allow_stored, check_name, checked_run, new_exp_id, notes, spawn
from modex.core.engine.work import guard_output, say
from modex.core.features.race.runs import Contender, ask_up_to
from modex.core.features.race.weights import same_weights
from modex.core.foundation.errors import ConfigurationError, ModexError, StoreError
from modex.core.foundation.exit_codes import ExitCode
from modex.core.safety import as_words
from modex.core.store.lock import RunLock, holder_pid, is_held
from modex.core.store.manager import DBDataManager
from modex.core.store.races import (
    RaceRow,
    RaceStatus,
    begin_race,
    end_race,
    find_race,
    race_by_id,
    stop_is_wanted,
    store_look,
    want_stop,
)
from modex.core.store.reader import Reader

if TYPE_CHECKING:
    from modex.core.features.race.rule import RaceState
    from modex.core.suite.sampling import DrawOrder

_OF_THE_SCREEN = ("headless", "detach", "no_mouse")
_LAUNCH_TIMEOUT_S = 20.0
_STOP_TIMEOUT_S = 15.0
STOPPED = "stopped; `modex resume NAME` or the same command goes on with it"


@dataclass(frozen=True, slots=True)
class PreparedRace:
    """A race that is in the store, and the right to work on it."""

    exp_id: str
    race_id: int
    tests: int
    lock: RunLock
    weights: tuple[str, ...] = ()
    """Of each two models of the same weights, how they differ, in a sentence."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How the work on a race ended."""

    code: ExitCode
    last: dict[str, Any] | None
    """The last look, as it is stored; None where none came."""


def race_configs(given: Values, models: Sequence[str], usual: Collection[str] = ()) -> list[RunConfig]:
    """What each of `models` is asked and how, from the options of a run; `usual` are those that only the settings say.

    Raises:
        ConfigurationError: an option is wrong, or no race has it.
    """
    from modex.core.config.configuration import configuration

    if given.get("limit"):
        raise ConfigurationError("--limit takes the first tests; a race draws them: say --sample instead")
    whole = {name: value for name, value in given.items() if name not in (*NOT_OF_A_RACE, *_OF_THE_SCREEN)}
    whole["model"] = list(models)
    return [configuration(model, whole, usual) for model in models]


def prepare_race(
    database: Path,
    configs: Sequence[RunConfig],
    *,
    exp_id: str | None,
    against: str | None,
    peek: bool,
    tell: Callable[[str], None],
) -> PreparedRace:
    """Check and store a race of these models, and of the stored run `against` where one is named.

    Raises:
        ModexError: the suite, the selection, a key or the store does not allow it, or somebody works on it.
    """
    check_name(exp_id)
    refuse_as_option(exp_id or "")
    for place, config in enumerate(configs := list(configs)):
        for line in named_lines(config):
            tell(line)
        allow_here(config)
        checked = checked_run(config)
        configs[place] = with_servers(config, checked.needs.longest, tell)
    weights = same_weights([config.model for config in configs])
    for line in weights:
        tell(line)
    for note in notes(checked):
        tell(note)
    with closing(DBDataManager(database)) as manager:
        name = exp_id or _free_name(manager.reader)
        if manager.reader.find_run(name) is not None:
            raise ConfigurationError(f"--exp-id {name}: a run is called so; give the race another name")
        contenders: list[dict[str, Any]] = [
            {"exp_id": f"{name}@{label}", "model": label, "config": config.model_dump(mode="json")}
            for label, config in zip(_labels(configs), configs, strict=True)
        ]
        if against is not None:
            stored = manager.reader.run(against)
            contenders.insert(0, {"exp_id": stored.exp_id, "model": stored.model, "config": None})
        race: dict[str, Any] = {"contenders": contenders, "tests": sum(1 for _ in checked.selected), "peek": peek}
        race_id, lock = begin_race(manager.reader, name, race)
        return PreparedRace(name, race_id, race["tests"], lock, tuple(weights))


def _labels(configs: Sequence[RunConfig]) -> list[str]:
    """What each model is called in its run's name; files of one name in two folders are told apart by a number."""
    found: list[str] = []
    for config in configs:
        wanted = label = label_of(config.model.said)
        number = 2
        while label in found:
            label, number = f"{wanted}-{number}", number + 1
        found.append(label)
    return found


def start_race(
    database: Path,
    given: Values,
    models: Sequence[str],
    tell: Callable[[str], None],
    usual: Collection[str] = (),
) -> str:
    """Check and store a race of `models` with the options `given`, and start the process that works on it; its name.

    Raises:
        ModexError: an option, the suite, the selection, a key or the store does not allow it, or it could not begin.
    """
    configs = race_configs(given, models, usual)
    race = prepare_race(database, configs, exp_id=given.get("exp_id"), against=None, peek=False, tell=tell)
    launch_race(database, race)
    return race.exp_id


def _free_name(reader: Reader) -> str:
    wanted = name = new_exp_id("race")
    number = 2
    while find_race(reader, name) is not None or reader.find_run(name) is not None:
        name, number = f"{wanted}-{number}", number + 1
    return name


def prepare_again(database: Path, exp_id: str, *, allow: bool = False) -> PreparedRace:
    """Take a stored race to go on with it; `allow`: see `modex.core.engine.start.allow_stored`.

    Raises:
        RunBusyError: somebody works on it.
        StoreError: no such race, it is decided, or the database cannot be written.
    """
    with closing(DBDataManager(database)) as manager:
        row = find_race(manager.reader, exp_id)
        if row is None:
            raise StoreError(f"no race named {exp_id!r} in {database}; `modex runs` lists them")
        if row.status == "completed":
            raise StoreError(f"{exp_id}: the race is over; `modex show {as_words(exp_id)}` says what it decided")
        for one in row.contenders if allow else ():
            if one["config"]:
                allow_stored(RunConfig.model_validate(one["config"]))
        race_id, lock = begin_race(manager.reader, exp_id, row.config)
        return PreparedRace(exp_id, race_id, row.tests, lock)


def work_on(database: Path, race: PreparedRace, narrate: Callable[[str], None]) -> Ended:
    """Ask and look until the race is over or stopped; each look is stored when it is over, and narrated.

    Raises:
        ModexError: a run cannot be begun; the race is then aborted, with the reason.
    """
    manager = DBDataManager(database)
    status: RaceStatus = "aborted"
    reason: str | None = "it ended without a word; the log beside the database may know why"
    try:
        try:
            status, reason, ended = _worked(manager.reader, database, race, narrate)
        except ModexError as error:
            reason = str(error)
            raise
        except KeyboardInterrupt:
            status, reason = "stopped", STOPPED.replace("NAME", as_words(race.exp_id))
            return Ended(ExitCode.INTERRUPTED, None)
        finally:
            end_race(manager.reader, race.race_id, status, reason)
        return ended
    finally:
        race.lock.release()
        manager.close()


def _worked(
    reader: Reader, database: Path, race: PreparedRace, narrate: Callable[[str], None]
) -> tuple[RaceStatus, str | None, Ended]:
    from modex.core.features.race.rule import RaceState
    from modex.core.suite.sampling import in_draw_order

    row = race_by_id(reader, race.race_id)
    contenders = [
        Contender(one["exp_id"], RunConfig.model_validate(one["config"]).as_stored() if one["config"] else None)
        for one in row.contenders
    ]
    config = next(one.config for one in contenders if one.config is not None)
    order = in_draw_order(checked_run(config).selected, config.selection.sample_seed)
    stored = {one.exp_id for one in contenders if one.config is None}
    names, peek = [one.exp_id for one in contenders], bool(row.config.get("peek"))
    state = RaceState(names, len(order.keys), peek, stored, order.ends)

    def stop_wanted() -> bool:
        # A reader of its own: the thread that listens would leave its connection open.
        with closing(Reader(database)) as asking:
            return stop_is_wanted(asking, race.race_id)

    with kept_servers([one.config.model for one in contenders if one.config is not None]):
        return _looks(reader, database, race, state, contenders, order, stop_wanted, narrate)


def _looks(
    reader: Reader,
    database: Path,
    race: PreparedRace,
    state: RaceState,
    contenders: Sequence[Contender],
    order: DrawOrder,
    stop_wanted: Callable[[], bool],
    narrate: Callable[[str], None],
) -> tuple[RaceStatus, str | None, Ended]:
    """Ask and look, look by look, until it is over or a stop is wanted."""
    look: dict[str, Any] | None = None
    while state.ending is None:
        tests = state.tests_at(state.look + 1)
        for contender in contenders:
            if contender.exp_id not in state.still_in:
                continue
            wanted = stop_wanted()
            outcome = None if wanted else ask_up_to(database, contender, tests, stop_wanted)
            if outcome is not None and outcome.status not in ("completed", "stopped"):
                reason = f"{contender.exp_id}: {outcome.reason}"
                narrate(f"{race.exp_id}: aborted: {reason}")
                return "aborted", reason, Ended(ExitCode.ABORTED, look)
            if wanted or (outcome is not None and outcome.status == "stopped"):
                reason = STOPPED.replace("NAME", as_words(race.exp_id))
                narrate(f"{race.exp_id}: {reason}")
                return "stopped", reason, Ended(ExitCode.INTERRUPTED, look)
        before = state.asked
        look = _looked(reader, state, frozenset(order.keys[:tests]))
        store_look(reader, race.race_id, look)
        if tests == before and state.ending is None:
            continue  # of fewer questions than looks: the same answers, by another boundary
        narrate(f"look {state.look} of {look['looks']}, {tests:,} tests: {look['standing']}")
    return "completed", None, Ended(ExitCode.FINISHED, look)


def _looked(reader: Reader, state: RaceState, keys: frozenset[tuple[str, str, int, str]]) -> dict[str, Any]:
    """Look at the answers to `keys`, decide what that decides, and give it as it is stored."""
    from modex.core.features.race.caveats import caveats
    from modex.core.features.race.rule import pairs_of
    from modex.core.features.race.speeds import models_json
    from modex.core.features.race.words import race_json, saved_by, standing_words

    state.advance(*pairs_of(reader, [reader.run(name) for name in state.still_in], keys))
    asked = [reader.run(name) for name in state.contenders if name not in state.stored]
    look = {**race_json(state, saved_by(reader, state, asked)), "standing": standing_words(state)}
    if state.ending is not None:
        runs = [reader.run(name) for name in state.contenders]
        look["models"] = models_json(reader, runs, state.scores)
        look["caveats"] = caveats(reader, runs, state.asked)
    return look


def stop_race(database: Path, race: RaceRow, *, wait: bool) -> bool:
    """Ask whoever works on a race to stop; whether it did, where this is to `wait` for it.

    Raises:
        StoreError: nobody works on it, or the database cannot be written.
    """
    if not race.alive:
        raise StoreError(
            f"{race.exp_id} is {race.state}: there is nothing to stop; `modex show {as_words(race.exp_id)}` says how it stands"
        )
    with closing(DBDataManager(database)) as manager:
        want_stop(manager.reader, race.id)
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    while wait and time.monotonic() < deadline:
        if not is_held(database, race.id, "race"):
            return True
        time.sleep(0.05)
    return False


# by a process of its own


def launch_race(database: Path, race: PreparedRace) -> int:
    """Start the process that works on a race, and wait until it has it; its process id.

    Raises:
        StoreError: it could not begin.
    """
    process, log = spawn(database, "modex.tui.features.race.start", [f"--race={race.exp_id}"], race.lock)
    race.lock.hand_over()
    threading.Thread(target=process.wait, name="reaper", daemon=True).start()
    deadline = time.monotonic() + _LAUNCH_TIMEOUT_S
    while time.monotonic() < deadline:
        if holder_pid(database, race.race_id, "race") == process.pid or process.poll() == 0:
            return process.pid
        if process.poll() is not None:
            break
        time.sleep(0.02)
    with closing(DBDataManager(database)) as manager:
        row: RaceRow = race_by_id(manager.reader, race.race_id)
    raise StoreError(f"{race.exp_id}: {row.reason or 'the race could not begin'}; see {log}")


def main(arguments: list[str] | None = None) -> int:
    """Work on the named race until it is over or told to stop; the exit code."""
    parser = argparse.ArgumentParser(prog="modex race runner")
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--race", required=True)
    parser.add_argument("--lock", type=int, required=True, help="the open file of the race's lock")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the terminal may be closed while the suite is still read
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # between two blocks as amid one: stopped in order
    guard_output()
    with closing(DBDataManager(options.db)) as manager:
        row = find_race(manager.reader, options.race)
    if row is None:
        say(f"{options.race}: no such race")
        return ExitCode.MISTAKE
    lock = RunLock(options.db, row.id, row.exp_id, descriptor=options.lock, kind="race")
    try:
        return work_on(options.db, PreparedRace(row.exp_id, row.id, row.tests, lock), say).code
    except ModexError as error:
        say(f"{options.race}: {error}")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
