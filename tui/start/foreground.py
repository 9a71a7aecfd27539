"""Working on runs in this process, with plain progress: `--headless`, pipes, `modex judge`, `modex stat`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modex.core.engine.start import Start, checked_start, notes, prepare_run
from modex.core.foundation import exit_codes
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.interrupts import leave_at_once
from modex.core.safety import without_secrets
from modex.tui.plain.narration import say, tell_missed

if TYPE_CHECKING:
    from modex.core.pipeline.assembly import CheckedTests
    from modex.core.pipeline.benchmark import Judging
    from modex.core.store.lock import RunLock
    from modex.core.store.manager import ChosenSamples


def run_here(
    database: Path,
    wanted: Sequence[Start],
    *,
    as_json: bool,
    fail_under: exit_codes.Floor | None,
    junit: Path | None = None,
) -> int:
    """Run one after the other in this process, with plain progress, and several side by side at the end; the worst exit code.

    Each run that ended is written to `junit` as JUnit XML, whatever came of it; of several runs, to a file with the run's
    name in it.

    Raises:
        ConfigurationError: `junit` cannot be written, which is found out before anything is asked.
    """
    files = [_junit_file(database, junit, start, several=len(wanted) > 1) for start in wanted]
    ended = []
    for start, file in zip(wanted, files, strict=True):
        exp_id, code = _run_one(database, start, as_json=as_json, fail_under=fail_under)
        ended.append((exp_id, code))
        if file is not None:
            _write_junit(database, exp_id, file)
    if len(ended) > 1 and not as_json:
        _side_by_side(database, [exp_id for exp_id, _ in ended])
    return exit_codes.worst([code for _, code in ended])


def _run_one(database: Path, start: Start, *, as_json: bool, fail_under: exit_codes.Floor | None) -> tuple[str, int]:
    start, checked = checked_start(database, start, say)
    for note in notes(checked):
        say(note)
    run = prepare_run(database, start.config, start.exp_id)
    code = work_here(database, run.exp_id, as_json=as_json, fail_under=fail_under, checked=checked, lock=run.lock)
    return run.exp_id, code


def _junit_file(database: Path, junit: Path | None, start: Start, *, several: bool) -> Path | None:
    if junit is None:
        return None
    if not junit.parent.is_dir():
        raise ConfigurationError(f"{junit}: there is no folder {junit.parent}; make it, or name another file")
    if several:
        junit = junit.with_name(f"{junit.stem}-{start.exp_id}{junit.suffix}".replace("/", "-"))
    from modex.core.features.export.writing import refuse_database

    refuse_database(junit, database)
    return junit


def _write_junit(database: Path, exp_id: str, file: Path) -> None:
    from modex.core.features.export.writing import write_export
    from modex.core.reports.formats import FORMATS
    from modex.core.store.reader import Reader
    from modex.core.store.selecting import SampleQuery

    with contextlib.closing(Reader(database)) as reader:
        write_export(file, FORMATS["junit"].load()(reader, reader.run(exp_id), SampleQuery()), database=database)
    say(f"{exp_id}: {file}")


def _side_by_side(database: Path, names: Sequence[str]) -> None:
    from modex.core.store.parties import parties_by_run
    from modex.core.store.reader import Reader
    from modex.tui.plain.runs_table import runs_table

    with contextlib.closing(Reader(database)) as reader, _lost_terminal_is_fine():
        runs = [reader.run(name) for name in names]
        faults = parties_by_run(reader, [run.id for run in runs if run.error_tests])
        click.echo("\n" + runs_table(runs, faults=faults))


def work_here(
    database: Path,
    exp_id: str,
    *,
    as_json: bool,
    fail_under: exit_codes.Floor | None = None,
    judging: Judging | None = None,
    only_stat: bool = False,
    chosen: ChosenSamples | None = None,
    checked: CheckedTests | None = None,
    lock: RunLock | None = None,
) -> int:
    """Work on a stored run in this process and print its totals; the exit code. `checked` and `lock`: see `Session`."""
    import json

    from modex.core.engine.work import at_work, guard_output
    from modex.core.store.reader import Reader
    from modex.tui.plain.progress import Progress
    from modex.tui.terminal.abilities import demo_note

    guard_output()
    lines: list[str] = []
    progress: Progress | None = None

    def narrate(text: str) -> None:
        lines.append(text)
        if progress is not None:
            progress.say(text)

    with at_work(database, exp_id, narrate=narrate, checked=checked, lock=lock) as (session, signals):
        say(f"{exp_id}: {session.config.model.model}{demo_note(session.config.model.model)}")
        progress = Progress(
            database, session.run_row.id, since=session.run_row.seq, planned=lambda: session.planned_seq
        )
        with progress:
            outcome = session.run(judging=judging, only_stat=only_stat, chosen=chosen)
    if only_stat and signals:  # the scores are those that stood before, and who interrupts does not wait to read them
        say(f"{exp_id}: {outcome.reason or outcome.status}")
        leave_at_once()
    if not database.exists():  # moved or removed meanwhile: there is nothing to sum up, and the session said so
        return exit_codes.of_run(outcome.status, 0, None)
    from modex.tui.plain.summary import (
        summary_json,
        summary_text,
    )  # here: what is imported before the run delays its first request

    with contextlib.closing(Reader(database)) as reader:
        row = reader.run(exp_id)
        lacking = reader.lacking(row)
        with _lost_terminal_is_fine():
            if as_json:
                click.echo(without_secrets(json.dumps(summary_json(reader, row), ensure_ascii=True)))
            elif not session.went_back:  # nothing of it is new
                click.echo(summary_text(reader, row))
    if outcome.reason:
        say(f"{exp_id}: {outcome.status}: {outcome.reason}")
    if not session.went_back:
        tell_missed(row, fail_under)
        if outcome.status == "completed" and not as_json:
            from modex.tui.plain.next_step import say_next_of

            say_next_of(row, database)
    if signals:
        leave_at_once()
    return exit_codes.of_run(
        row.status if only_stat else outcome.status,
        row.error_tests + lacking,
        row.overall_score,
        fail_under,
        least=row.least_score,
    )


@contextlib.contextmanager
def _lost_terminal_is_fine() -> Iterator[None]:
    """A terminal that went away does not change the exit code; a closed pipe on stdout does."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError:
        return
