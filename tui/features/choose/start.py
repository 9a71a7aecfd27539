"""What comes before a race of `modex choose`: the file, the models, what can be decided, and the first calls of each model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from modex.core.config.options import BY_NAME, Values, says
from modex.core.config.runconfig import RunConfig
from modex.core.engine.start import checked_run
from modex.core.features.choose.showing import Asked, Showing, showing
from modex.core.features.choose.trying import CALLS, FirstCalls, tried, tried_words
from modex.core.features.race.runs import Contender, ask_up_to
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.exit_codes import ExitCode
from modex.core.safety import as_words
from modex.core.store.manager import DBDataManager
from modex.core.store.races import end_race, race_by_id
from modex.core.store.reader import Reader
from modex.core.suite.sampling import in_draw_order
from modex.tui.features.race.start import STOPPED, PreparedRace

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_OF_NO_QUESTION = frozenset(
    {"exp_id", "headless", "detach", "no_mouse", "concurrency", "processes", "timeout", "max_cost", "dataset", "suite"}
)
"""Options that change neither what is asked nor of whom: with others of these the same race
goes on. Files count by their place."""


@dataclass(frozen=True, slots=True)
class ToChoose:
    """What is to be chosen by: models, questions, and what these can decide."""

    configs: list[RunConfig]
    read: list[str]
    """How the file was read: its columns, the gold answers, the form of answer."""
    showing: Showing


@dataclass(frozen=True, slots=True)
class FirstRound:
    """The first calls of every model."""

    tried: list[FirstCalls]
    code: ExitCode
    """`FINISHED` where all answer and a race can begin."""


def split_words(words: Sequence[str], said: Values) -> tuple[list[str], dict[str, Any]]:
    """The models and the option that says where the questions are, from words of which the last is a file or a suite's folder;
    it may be left out where the options `said` have a dataset or a suite.

    Raises:
        ConfigurationError: there is no such file.
    """
    last = Path(words[-1]).expanduser() if words else None
    if last is not None and last.is_dir():
        return list(words[:-1]), {"suite": str(last)}
    if last is not None and last.is_file() and last.suffix.lower() != ".gguf":
        return list(words[:-1]), {"dataset": (*said.get("dataset", ()), str(last))}
    if said.get("dataset") or said.get("suite"):
        return list(words), {}
    what = f"{words[-1]!r} is not there" if words else "none is named"
    raise ConfigurationError(
        f"the last word is the file of questions (CSV, JSONL, JSON, Parquet) or a suite's folder, and {what};"
        " write `modex choose MODEL MODEL FILE`"
    )


def refuse_twice(models: Sequence[str], configs: Sequence[RunConfig]) -> None:
    """Refuse a model that is named twice, also by two names.

    Raises:
        ConfigurationError: what is the same.
    """
    seen: dict[str, str] = {}
    for name, config in zip(models, configs, strict=True):
        asked = config.model.model_copy(update={"entry": None}).model_dump_json()
        if asked in seen:
            other = seen[asked]
            same = f"{name} is named twice" if other == name else f"{other} and {name} are the same model, asked alike"
            raise ConfigurationError(
                f"{same}: there is nothing to choose; two servers of one model get a name each by `modex models add`"
            )
        seen[asked] = name


def asked_question(configs: list[RunConfig], tell: Callable[[str], None]) -> ToChoose:
    """Read and check what is asked, and find what it can decide; no model is asked.

    Raises:
        ModexError: the file, the selection or a key does not allow it.
    """
    checked = checked_run(configs[0], tell)
    for config in configs[1:]:
        checked_run(config, None, checked)
    seed = configs[0].selection.sample_seed
    found = {(test.source, test.domain, test.level, test.test_id): Asked.of(test) for test in checked.selected}
    order = in_draw_order(checked.selected, seed)
    return ToChoose(configs, checked.selected.guesses, showing([found[key] for key in order.keys], len(configs)))


def away_words(configs: Sequence[RunConfig]) -> list[str]:
    """Of each model whose server nobody reaches, why: before another one is asked in vain."""
    from modex.core.llm.trying import away

    found = away([config.model for config in configs])
    return [f"{config.model.said} does not answer: {why}" for config, why in zip(configs, found, strict=True) if why]


def choose_name(models: Sequence[str], given: Values) -> str:
    """The name of the race where nobody gave one: the same command gets the same, and goes on with it."""
    files = [*(given.get("dataset") or ()), *([given["suite"]] if given.get("suite") else ())]
    stem = Path(files[0]).stem if files else "bundled"
    told = [
        (name, str(given[name]))
        for name in sorted(BY_NAME.keys() & given.keys() - _OF_NO_QUESTION)
        if says(name, given[name])
    ]
    where = [str(Path(one).expanduser().absolute()) for one in files]
    digest = blake2b(repr((list(models), where, told)).encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()
    return f"choose-{_UNSAFE.sub('-', stem[:40]).strip('-.') or 'questions'}-{digest}"


def first_calls(database: Path, race: PreparedRace, questions: int, tell: Callable[[str], None]) -> FirstRound:
    """Ask every model its first questions, which the race does not ask again; each is told about as it is known.

    Where one does not answer, or it is interrupted, the race is given back as aborted or stopped.

    Raises:
        ModexError: a run cannot be begun; the race is then aborted, with the reason.
    """
    ended: tuple[str, str] | None = ("aborted", "it ended while the first questions were asked")
    try:
        trial, ended = _first_calls(database, race, questions, tell)
        return trial
    except KeyboardInterrupt:
        ended = "stopped", STOPPED.replace("NAME", as_words(race.exp_id))
        return FirstRound([], ExitCode.INTERRUPTED)
    finally:
        if ended is not None:
            status, reason = ended
            with closing(DBDataManager(database)) as manager:
                end_race(manager.reader, race.race_id, "stopped" if status == "stopped" else "aborted", reason)
            race.lock.release()


def _first_calls(
    database: Path, race: PreparedRace, questions: int, tell: Callable[[str], None]
) -> tuple[FirstRound, tuple[str, str] | None]:
    with closing(Reader(database)) as reader:
        contenders = race_by_id(reader, race.race_id).contenders
        found: list[FirstCalls] = []
        for one in contenders:
            config = RunConfig.model_validate(one["config"]).as_stored()
            # Who is away now is said now: nobody waits half an hour for a server that was never started.
            outcome = ask_up_to(
                database,
                Contender(one["exp_id"], config.model_copy(update={"max_outage_s": 0.0})),
                min(CALLS, questions),
            )
            if outcome is not None and outcome.status == "stopped":
                reason = STOPPED.replace("NAME", as_words(race.exp_id))
                return FirstRound(found, ExitCode.INTERRUPTED), ("stopped", reason)
            found.append(tried(reader, reader.run(one["exp_id"]), one["model"]))
            if outcome is not None and outcome.status != "completed":
                reason = f"{one['model']} does not answer: {outcome.reason}"
                tell(reason)
                return FirstRound(found, ExitCode.ABORTED), ("aborted", reason)
            tell(tried_words(found[-1], questions))
        silent = [each for each in found if not each.answers]
        if silent:
            return FirstRound(found, ExitCode.ABORTED), ("aborted", tried_words(silent[0], questions))
        return FirstRound(found, ExitCode.FINISHED), None
