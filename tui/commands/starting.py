"""Starting runs: from flags and settings to a configuration, then in a runner process or in the foreground."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from core.engine.control import launch_runner, prepare_run
from core.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from core.safety import redact
from core.settings import Settings
from tui.commands.watching import exit_code, say

if TYPE_CHECKING:
    from core.pipeline.assembly import CheckedTests
    from core.pipeline.benchmark import Judging


@dataclass(frozen=True, slots=True)
class Start:
    """One run that is wanted."""

    config: RunConfig
    exp_id: str | None = None


def configuration(model: str, options: Mapping[str, Any], settings: Settings) -> RunConfig:
    """The configuration of a run of `model`: flags before settings before defaults.

    Raises:
        ConfigurationError: a level or an address cannot be read.
    """
    from core.suite.selection import parse_levels

    def given(name: str, setting: Any, default: Any = None) -> Any:
        value = options.get(name)
        return value if value is not None and value != () else setting if setting is not None else default

    judge_base = given("judge_api_base", settings.judge_api_base)
    judges = options.get("judge_models") or tuple(settings.judge_model)
    extractor = given("extractor_model", settings.extractor_model)
    api_base = given("api_base", settings.api_base)
    return RunConfig(
        model=ModelSpec(
            model=model,
            api_base=api_base,
            temperature=options.get("temperature"),
            max_tokens=options.get("max_tokens"),
            seed=options.get("seed"),
            reasoning_effort=options.get("reasoning_effort"),
            input_price=_per_token(options.get("input_price")),
            output_price=_per_token(options.get("output_price")),
        ),
        selection=Selection(
            suite=_absolute(given("suite", settings.suite)),
            domains=tuple(options.get("domains") or ()),
            levels=parse_levels(*options.get("levels", ())),
            tests=tuple(options.get("tests") or ()),
            datasets=tuple(_dataset(path, options) for path in options.get("datasets") or ()),
            filters=tuple(options.get("filters") or ()),
            limit=options.get("limit"),
            sample=options.get("sample"),
            sample_seed=options.get("seed") or 0,
            skip_invalid=bool(options.get("skip_invalid")),
            allow_plugins=bool(options.get("allow_plugins")),
        ),
        extractor=ModelSpec(model=extractor, api_base=api_base if extractor == model else None) if extractor else None,
        judges=tuple(ModelSpec(model=name, api_base=judge_base) for name in judges),
        evaluator=options.get("evaluator"),
        rollout=options.get("rollout"),
        epochs=options.get("epochs") or 1,
        concurrency=given("concurrency", settings.concurrency, 16),
        timeout_s=given("timeout", settings.timeout, 300.0),
        max_cost_usd=given("max_cost", settings.max_cost),
        max_outage_s=given("max_outage", None, 1800.0),
        until=options.get("until") or "stat",
    )


def _per_token(per_million: float | None) -> float | None:
    return None if per_million is None else per_million / 1e6


def _absolute(path: str | None) -> str | None:
    """Runners start elsewhere, so paths are stored whole."""
    return str(Path(path).expanduser().absolute()) if path else None


def _dataset(path: str, options: Mapping[str, Any]) -> DatasetSpec:
    fields = ("question_field", "answer_field", "level_field", "category_field", "id_field")
    return DatasetSpec(path=str(_absolute(path)), **{name: options.get(name) for name in fields})


def start_runners(database: Path, wanted: Sequence[Start], *, wait: bool) -> list[str]:
    """Check, store and launch the runs, each in a process of its own; their names.

    `wait` until each runner holds its run; without it a screen shows them starting.

    Raises:
        ModexError: a run cannot be started; the ones before it go on.
    """
    from core.pipeline.preflight import preflight

    for start in wanted:
        for note in preflight(start.config):
            say(note)
    names = []
    for start in wanted:
        prepared = prepare_run(database, start.config, start.exp_id)
        launch_runner(database, prepared.exp_id, wait=wait)
        names.append(prepared.exp_id)
    return names


def run_here(database: Path, wanted: Sequence[Start], *, as_json: bool, fail_under: float | None) -> int:
    """Run one after the other in this process, with plain progress, and several side by side at the end; the worst exit code."""
    ended = [_run_one(database, start, as_json=as_json, fail_under=fail_under) for start in wanted]
    if len(ended) > 1 and not as_json:
        _side_by_side(database, [exp_id for exp_id, _ in ended])
    codes = [code for _, code in ended]
    return 130 if 130 in codes else max(codes)


def _run_one(database: Path, start: Start, *, as_json: bool, fail_under: float | None) -> tuple[str, int]:
    from core.pipeline.preflight import checked_run, notes

    checked = checked_run(start.config)
    for note in notes(checked):
        say(note)
    name = prepare_run(database, start.config, start.exp_id).exp_id
    return name, work_here(database, name, as_json=as_json, fail_under=fail_under, checked=checked)


def _side_by_side(database: Path, names: Sequence[str]) -> None:
    from core.store.reader import Reader
    from tui.plain.runs_table import runs_table

    reader = Reader(database)
    try:
        with _lost_terminal_is_fine():
            click.echo("\n" + runs_table([reader.run(name) for name in names]))
    finally:
        reader.close()


def work_here(
    database: Path,
    exp_id: str,
    *,
    as_json: bool,
    fail_under: float | None = None,
    judging: Judging | None = None,
    only_stat: bool = False,
    checked: CheckedTests | None = None,
) -> int:
    """Work on a stored run in this process and print its totals; the exit code. `checked`: see `Session`."""
    import json

    from core.engine.runner import guard_output, stopping_on_signals
    from core.engine.session import Session
    from core.store.reader import Reader
    from tui.plain.progress import Progress
    from tui.plain.summary import summary_json, summary_text
    from tui.terminal import demo_note

    guard_output()
    said: list[str] = []
    progress: Progress | None = None

    def narrate(text: str) -> None:
        said.append(text)
        if progress is not None:
            progress.say(text)

    session = Session(database, exp_id, narrate=narrate, checked=checked)
    try:
        say(f"{exp_id}: {session.config.model.model}{demo_note(session.config.model.model)}")
        with stopping_on_signals(session) as signals:
            progress = Progress(database, session.run_row.id, since=session.run_row.seq)
            with progress:
                outcome = session.run(judging=judging, only_stat=only_stat)
    finally:
        session.close()
    reader = Reader(database)
    try:
        row = reader.run(exp_id)
        with _lost_terminal_is_fine():
            if as_json:
                click.echo(redact(json.dumps(summary_json(reader, row), ensure_ascii=True)))
            else:
                click.echo(summary_text(reader, row))
    finally:
        reader.close()
    if outcome.reason:
        say(f"{exp_id}: {outcome.status}: {outcome.reason}")
    if signals:
        _leave_at_once()
    return exit_code(row.status, row.error_tests, row.overall_score, fail_under)


def _leave_at_once() -> NoReturn:
    """End after a signal: no further run begins, and Python's own tidying (seconds where litellm is loaded) is left out.

    All that is ours is closed by then; children that are left see their pipes end.
    """
    from core.engine.runner import INTERRUPTED

    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED)


@contextlib.contextmanager
def _lost_terminal_is_fine() -> Iterator[None]:
    """A terminal that went away does not change the exit code; a closed pipe on stdout does."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError:
        return
