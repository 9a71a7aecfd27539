"""`modex doctor`: what is wrong with this machine, or with the tests of a suite, and what to do about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from modex.core.safety import as_words
from modex.tui.commands.options import complete_runs, database_of, db_option, json_option, print_json


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at."""

    name: str
    good: bool
    words: str


@click.command()
@click.argument("exps", nargs=-1, metavar="[EXP]...", shell_complete=complete_runs)
@db_option
@click.option(
    "--suite",
    is_flag=True,
    help="Look at the tests instead, by all stored runs (or EXP...): wrong golds, tests that tell nothing, asked twice.",
)
@click.option(
    "--reading",
    is_flag=True,
    help="Read the answers of all stored runs (or EXP...) strictly, by what they assert, and by whether they contain the gold.",
)
@click.option("--all", "everything", is_flag=True, help="With --suite: every finding, not the first 20 of each kind.")
@click.option(
    "--migrate", is_flag=True, help="First bring a database of an older modex up to date, with a backup beside it."
)
@click.option(
    "--bundle",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what a bug report needs to this ZIP file; no key, prompt or answer is in it.",
)
@click.option(
    "--content",
    is_flag=True,
    help="With --bundle: failed samples with prompts and answers too. With --suite --json: answers and golds, as untrusted.",
)
@json_option
@click.pass_context
def doctor(
    ctx: click.Context, exps: tuple[str, ...], db: Path | None, suite: bool, reading: bool, everything: bool, migrate: bool,
    bundle: Path | None, content: bool, as_json: bool,
) -> None:  # fmt: skip
    """Look at Python, database, settings, suite, sandboxes and terminal; exit 1 where something is wrong.

    With --suite: what the stored runs say of the tests that they asked. With --reading: how answers are read, with the
    agreement with people's labels where there are any. Findings are to be read, not errors: exit 0.
    """
    if content and bundle is None and not (suite and as_json):
        raise click.UsageError("--content says what --bundle FILE or --suite --json holds; give one of them")
    if suite and reading:
        raise click.UsageError("--suite and --reading are two reports; ask for one of them")
    if everything and not suite:
        raise click.UsageError("--all belongs to --suite; add it")
    if exps and not (suite or reading):
        raise click.UsageError("EXP... belongs to --suite or --reading; add one of them")
    from modex.core.safety import clean_line, redact
    from modex.tui.terminal.abilities import glyphs_for

    if migrate:
        _migrate(_database(ctx, db))
    if suite:
        _tests(_database(ctx, db), exps, most=None if everything else 20, as_json=as_json, content=content)
        return
    if reading:
        _readings(_database(ctx, db), exps, as_json=as_json)
        return

    found = list(_findings(ctx, db))
    stated = [{"name": item.name, "good": item.good, "words": item.words} for item in found]
    if bundle is not None:
        _bundle(bundle, stated, _database(ctx, db), content=content)
    if as_json:
        print_json(stated)
    else:
        glyphs = glyphs_for(sys.stdout)
        for item in found:
            mark = glyphs.passed if item.good else glyphs.error
            click.echo(f"{mark} {item.name:<12} {clean_line(redact(item.words))}")
    ctx.exit(0 if all(item.good for item in found) else 1)


def _tests(database: Path, exps: tuple[str, ...], *, most: int | None, as_json: bool, content: bool) -> None:
    """What the runs say of their tests, suite by suite."""
    from modex.core.features.suite_faults.examine import examine, suites_with_runs
    from modex.core.store.reader import Reader
    from modex.tui.features.suite_faults.words import fault_lines
    from modex.tui.plain.counting import Counting

    with closing(Reader(database)) as reader:
        named = {reader.run(exp).id for exp in exps}
        with reader.as_of_now():
            suites = {
                suite: runs
                for suite, every in suites_with_runs(reader).items()
                if (runs := [run for run in every if not named or run.id in named])
            }
            samples = sum(run.total_tests for runs in suites.values() for run in runs)
            with Counting(samples, "samples") as counting:
                found = [examine(reader, suite, runs, counting.step) for suite, runs in suites.items()]
    if as_json:
        print_json([one.as_json(content=content) for one in found])
        return
    for number, one in enumerate(found):
        if number:
            click.echo()
        for line in fault_lines(one, most=most):
            click.echo(line)
    if not found:
        click.echo("no run is stored yet: `modex run` makes one")


def _readings(database: Path, exps: tuple[str, ...], *, as_json: bool) -> None:
    """How each reading takes the answers of the runs."""
    from modex.core.features.doctor.readings import reading_table, readings_of
    from modex.core.store.reader import Reader
    from modex.tui.plain.counting import Counting

    with closing(Reader(database)) as reader, reader.as_of_now():
        runs = [reader.run(exp) for exp in exps] or [run for run in reader.runs() if run.kind != "speed"]
        with Counting(sum(run.total_tests for run in runs), "samples") as counting:
            found = [readings_of(reader, run, counting.step) for run in runs]
    if as_json:
        print_json([one.as_dict() for one in found])
        return
    for line in reading_table(found) if found else ("no run is stored yet: `modex run` makes one",):
        click.echo(line)


def _bundle(out: Path, findings: list[dict[str, object]], database: Path, *, content: bool) -> None:
    from modex.core.features.doctor.bundle import write_bundle

    names = write_bundle(out, findings, database, content=content)
    holds = "with prompts and answers: read it before you send it" if content else "without prompts and answers"
    click.echo(f"{out}: {len(names)} files, {holds}", err=True)


def _findings(ctx: click.Context, db: Path | None) -> Iterator[DoctorFinding]:
    yield DoctorFinding(
        "python",
        sys.version_info >= (3, 11),
        f"{sys.version.split()[0]}, at least 3.11 is needed; install a newer one"
        if sys.version_info < (3, 11)
        else sys.version.split()[0],
    )
    yield from _packages()
    yield _settings()
    yield _store(ctx, db)
    yield _suite()
    yield _sql_sandbox()
    yield from _code_sandboxes()
    yield _terminal()


def _packages() -> Iterator[DoctorFinding]:
    from importlib.metadata import PackageNotFoundError, version

    for name in ("litellm", "textual", "peewee"):
        try:
            yield DoctorFinding(name, True, version(name))
        except PackageNotFoundError:
            yield DoctorFinding(name, False, "not installed; install modex again")


def _settings() -> DoctorFinding:
    from modex.core.config.settings import load_settings, settings_path
    from modex.core.foundation.errors import ConfigurationError

    try:
        load_settings()
    except ConfigurationError as error:
        return DoctorFinding("settings", False, str(error))
    path = settings_path()
    return DoctorFinding("settings", True, str(path) if path.exists() else f"none yet ({path})")


def _store(ctx: click.Context, db: Path | None) -> DoctorFinding:
    from modex.core.foundation.errors import ModexError
    from modex.core.store.reader import Reader

    try:
        path = _database(ctx, db)
        if not path.exists():
            return DoctorFinding("database", True, f"none yet ({path})")
        with closing(Reader(path)) as reader:
            state, pending = reader.damage(), reader.lacks
            count = reader.count_runs()
        mode = path.stat().st_mode & 0o777
    except (ModexError, OSError) as error:
        return DoctorFinding("database", False, str(error))
    if state is not None:
        return DoctorFinding(
            "database", False, f"{path}: damaged ({state}); copy it, then `sqlite3 {as_words(str(path))} .recover`"
        )
    if mode & 0o077:
        return DoctorFinding("database", False, f"{path}: others may read it (mode {mode:o}); chmod 600 {path}")
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    words = f"{path}, {count} runs"
    if not writable:
        words += "; read-only: viewing works; to run, make it writable or name another with --db"
    elif pending:
        words += f"; of an older modex (without {', '.join(pending)}), read as it is; --migrate brings it up to date"
    if free := _leftovers(path):
        words += f"; {free}: modex tidy"
    return DoctorFinding("database", writable, words)


def _leftovers(path: Path) -> str:
    """How much room beside and in the database nothing needs."""
    from modex.core.foundation.errors import StoreError
    from modex.core.store.tidy import free_words, leftovers

    try:
        return free_words(leftovers(path))
    except StoreError:
        return ""


def _migrate(path: Path) -> None:
    """Bring the database up to date; opening it for writing says where the backup is."""
    from modex.core.store.database import open_database
    from modex.core.store.schema import look_at

    schema = look_at(path)
    if schema is None or not schema.pending:
        click.echo(f"{path}: nothing to migrate", err=True)
    else:
        open_database(path).close()


def _database(ctx: click.Context, db: Path | None) -> Path:
    """Where it is; wrong settings are another finding, and only what names the database is then asked."""
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.store.location import database_path

    try:
        return database_of(ctx, db)
    except ConfigurationError:
        above = ctx.find_root().params.get("db")
        return database_path(db or above or os.environ.get("MODEX_DB"))


def _suite() -> DoctorFinding:
    from modex.core.foundation.errors import ModexError
    from modex.core.pipeline.assembly import problems_of
    from modex.tui.commands.tests import off_words

    try:
        suite, problems = problems_of(None)
    except ModexError as error:
        return DoctorFinding("suite", False, str(error))
    off = sum(test.disabled_by is not None for test in suite.tests)
    return DoctorFinding(
        "suite",
        not problems,
        f"{len(suite.tests) - off} bundled tests{off_words(off)}, {len(problems)} mistakes"
        + ("; `modex check` names them" if problems else ""),
    )


def _sql_sandbox() -> DoctorFinding:
    from modex.core.sandbox.sql import Fixture, run_sql

    result = run_sql(Fixture(schema="CREATE TABLE t (a); INSERT INTO t VALUES (1);"), "SELECT a FROM t")
    return DoctorFinding(
        "sql sandbox", result.error is None, f"{result.error}; install modex again" if result.error else "works"
    )


def _code_sandboxes() -> Iterator[DoctorFinding]:
    """The sandboxes that run the code of answers, each after one harmless program and three hostile ones; and what it can run."""
    from modex.core.sandbox.interpreters import chosen, unavailable
    from modex.core.sandbox.languages import LANGUAGES, LanguageMissingError, toolchain
    from modex.core.sandbox.names import SandboxName
    from modex.core.sandbox.trying import try_sandbox

    taken = chosen("auto")
    names: tuple[SandboxName, ...] = ("bubblewrap", "monty")
    for name in names:
        tried = try_sandbox(name)
        # One that is not here is no fault where the other is.
        sound = tried.is_sound or (name != taken and tried.fault is not None)
        yield DoctorFinding(
            f"code in {name}", sound, f"{tried}{' (taken)' if name == taken and tried.is_sound else ''}"
        )
    if unavailable("bubblewrap") is None:
        here, missing = list[str](), list[str]()
        for language in LANGUAGES:
            try:
                toolchain(language)
            except LanguageMissingError:
                missing.append(language)
            else:
                here.append(language)
        rest = f"; not here: {', '.join(missing)}" if missing else ""
        yield DoctorFinding("languages", True, f"{', '.join(here)}{rest}")


def _terminal() -> DoctorFinding:
    from modex.tui.terminal.abilities import screen_problem

    term, colour = os.environ.get("TERM", ""), os.environ.get("COLORTERM", "")
    problem = screen_problem()
    return DoctorFinding("terminal", True, problem or f"TERM={term} COLORTERM={colour or '-'}")
