"""Bringing an older file up to date: small functions that look at the file as it is, in one transaction each.

A new column is one field of the table's row (`core/store/sample.py`, `core/store/rows.py`) and one `add_column` here; a
new table is a model in `core/store/tables.py` and one `add_table`. Both do nothing where the file has it already, so a
migration may be interrupted and begun again. Nothing here drops what an older version stored, and only `m0014` rewrites some.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import peewee as pw

from modex.core.store.clock import now
from modex.core.store.tables import TABLES, Certificate, ExactText, JsonText, Race, Review

if TYPE_CHECKING:
    from modex.core.store.connection import Database

Migration = Callable[["Database"], None]
HISTORY = "schema_migrations"
"""The table that names the migrations that a file has had."""
MIGRATIONS: list[Migration] = []
"""In the order in which they are done."""


def migration(function: Migration) -> Migration:
    """Register a migration; its name is stored in the file without the leading `m`."""
    MIGRATIONS.append(function)
    return function


@migration
def m0001_initial(database: Database) -> None:
    """The schema of 0.1.0; there is none before it."""
    del database


@migration
def m0002_reviews_timing_and_kinds(database: Database) -> None:
    """What people say of samples, how fast an answer came and where, why a verdict is as it is, kinds of runs."""
    for name in ("host", "cluster", "reason"):
        add_column(database, "individual_test_results", name, pw.TextField(null=True))
    for name in ("ttft_ms", "output_tokens_per_s"):
        add_column(database, "individual_test_results", name, pw.DoubleField(null=True))
    add_column(database, "individual_test_results", "thinking_ms", pw.IntegerField(null=True))
    add_column(database, "evaluation_runs", "kind", pw.TextField(default="evaluation"))
    add_column(database, "evaluation_runs", "note", pw.TextField(null=True))
    add_column(database, "evaluation_runs", "archived", pw.BooleanField(default=False))
    add_table(database, Review)
    database.run(
        'CREATE INDEX IF NOT EXISTS "individual_test_results_run_id_cluster" ON "individual_test_results"'
        ' ("run_id", "cluster")'
    )


@migration
def m0003_what_a_review_was_of(database: Database) -> None:
    """Which answer a person looked at, and what it is in their eyes."""
    for name in ("answer_digest", "own_verdict"):
        add_column(database, "reviews", name, pw.TextField(null=True))


@migration
def m0004_k_of_n(database: Database) -> None:
    """How many of how many tries a test must pass, with an index that says at once whether a run has such tests."""
    for name in ("pass_needed", "pass_of"):
        add_column(database, "individual_test_results", name, pw.BigIntegerField(null=True))
    database.run(
        'CREATE INDEX IF NOT EXISTS "individual_test_results_run_id_pass_of" ON "individual_test_results"'
        ' ("run_id", "pass_of") WHERE ("pass_of" IS NOT NULL)'
    )


@migration
def m0005_certificates(database: Database) -> None:
    """Which judges judged a run, and what judges were found to be worth."""
    add_column(database, "evaluation_runs", "judged_by", JsonText(default=dict))
    add_table(database, Certificate)


@migration
def m0006_conversations(database: Database) -> None:
    """What mocks knew at the end, who played the user and at what cost, with an index that finds conversations at once."""
    add_column(database, "individual_test_results", "tool_state", JsonText(null=True))
    add_column(database, "individual_test_results", "simulated_user", JsonText(null=True))
    database.run(
        'CREATE INDEX IF NOT EXISTS "individual_test_results_run_id_simulated_user" ON "individual_test_results"'
        ' ("run_id", "position") WHERE ("simulated_user" IS NOT NULL)'
    )


@migration
def m0007_races(database: Database) -> None:
    """Races of models, look by look."""
    add_table(database, Race)


@migration
def m0008_pace(database: Database) -> None:
    """How fast a run's answers came, as `stat` found it."""
    add_column(database, "evaluation_runs", "pace", JsonText(default=dict))


@migration
def m0009_host_limits(database: Database) -> None:
    """What bounded the workers where samples were asked, and a run's machines, as `stat` found them."""
    add_column(database, "individual_test_results", "host_limits", pw.TextField(null=True))
    add_column(database, "evaluation_runs", "hosts", JsonText(default=list))


@migration
def m0010_plan(database: Database) -> None:
    """What a run's last plan was made of, so that a resume can tell that nothing changed."""
    add_column(database, "evaluation_runs", "plan", JsonText(default=dict))


@migration
def m0011_verdict_flags(database: Database) -> None:
    """What is worth finding again of a verdict."""
    add_column(database, "individual_test_results", "verdict_flags", JsonText(null=True))


@migration
def m0012_bounds(database: Database) -> None:
    """Between which scores samples without a verdict leave a run, as `stat` found it."""
    for name, field in (("unsettled", pw.IntegerField), ("bound_low", pw.FloatField), ("bound_high", pw.FloatField)):
        add_column(database, "evaluation_runs", name, field(null=True))


@migration
def m0013_whole_earlier_verdicts(database: Database) -> None:
    """What an earlier verdict needs to stand again, where judging anew fails."""
    add_column(database, "earlier_verdicts", "reason", ExactText(null=True))
    add_column(database, "earlier_verdicts", "pass2_used", pw.BooleanField(default=False))
    add_column(database, "earlier_verdicts", "verdict_flags", JsonText(null=True))


@migration
def m0014_parts_of_010(database: Database) -> None:
    """Verdicts of 0.1.0 as the parts that later versions store."""
    from modex.core.store import details_of_010 as old  # verdicts take long to import, and few files need them here

    connection: sqlite3.Connection = database.connection()  # type: ignore[no-untyped-call]
    old.add_function(connection)
    moment = applied(database).get(old.FIRST_WITH_PARTS)
    for table in old.TABLES:
        database.run(f'UPDATE "{table}" SET "details" = {old.REWRITTEN} WHERE {old.judged_by_010(moment)}')


@migration
def m0015_served(database: Database) -> None:
    """How the models of a run were served by this program."""
    add_column(database, "evaluation_runs", "served", JsonText(default=list))


@migration
def m0016_workspace(database: Database) -> None:
    """What stood in a test's workspace after the last call."""
    add_column(database, "individual_test_results", "workspace", JsonText(null=True))


# what a migration may use


def columns_of(database: Database, table: str) -> set[str]:
    """The columns that the file's table has now; empty where there is no such table."""
    return {str(row[1]) for row in database.rows(f'PRAGMA table_info("{table}")')}


def add_column(database: Database, table: str, name: str, field: pw.Field[Any]) -> None:
    """Add a column where it is not there yet; stored rows read the field's default, and none is rewritten."""
    if name in columns_of(database, table):
        return
    holder: Any = type("Added", (pw.Model,), {name: field})  # binding gives the field its name
    context: Any = database.get_sql_context()
    definition, _ = context.sql(holder._meta.fields[name].ddl(context)).query()
    if not field.null:
        definition += f" DEFAULT {literal(field)}"
    database.run(f'ALTER TABLE "{table}" ADD COLUMN {definition}')


def add_table(database: Database, model: type[pw.Model]) -> None:
    """Create a table with its indexes where it is not there yet."""
    with database.bind_ctx(TABLES):
        database.create_tables([model], safe=True)


def literal(field: pw.Field[Any]) -> str:
    """A field's default as SQL writes it; NULL where it has none."""
    value = field.default() if callable(field.default) else field.default
    stored: object = field.db_value(value)  # type: ignore[no-untyped-call]
    if stored is None:
        return "NULL"
    if isinstance(stored, bool | int | float):
        return repr(float(stored) if isinstance(stored, float) else int(stored))
    return "'" + str(stored).replace("'", "''") + "'"


# doing them


def name_of(step: Migration) -> str:
    """The name under which a migration is stored."""
    return step.__name__.removeprefix("m")


def known() -> list[str]:
    """The names of all migrations, in order."""
    return [name_of(step) for step in MIGRATIONS]


def create(database: Database) -> None:
    """Give an empty file the tables of today."""
    with database.bind_ctx(TABLES), database.atomic("IMMEDIATE"):
        if database.rows("SELECT 1 FROM sqlite_master WHERE name = ?", [HISTORY]):
            return  # another process was first
        database.create_tables(TABLES)
        database.run(
            f'CREATE TABLE "{HISTORY}" (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(255) NOT NULL UNIQUE,'
            " applied DATETIME NOT NULL)"
        )
        _note(database, known())


def migrate(database: Database) -> None:
    """Do what the file has not had, one transaction each; `prepare` has made the backup."""
    for step in MIGRATIONS:
        with database.atomic("IMMEDIATE"):
            if name_of(step) not in applied(database):
                step(database)
                _note(database, [name_of(step)])


def applied(database: Database) -> dict[str, str]:
    """The migrations that the file has had, and when."""
    return {str(name): str(moment) for name, moment in database.rows(f'SELECT name, applied FROM "{HISTORY}"')}


def _note(database: Database, names: Iterable[str]) -> None:
    for name in names:
        database.run(f'INSERT INTO "{HISTORY}" (name, applied) VALUES (?, ?)', [name, now()])
