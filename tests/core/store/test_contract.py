"""What users' scripts rely on: tables, columns, the unique key, the file's mode and journal."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from playhouse.schema_diff import diff_models

from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import SAMPLE_FIELDS
from modex.core.store.tables import TABLES

CONTRACT = {
    "evaluation_runs": "id exp_id model status config started_at completed_at overall_score total_tests passed_tests"
    " failed_tests error_tests prompt_tokens completion_tokens cost_usd duration_ms",
    "individual_test_results": "id run_id source domain level test_id epoch stage status error_type error_message"
    " system_prompt prompt_layers prompt expected response reasoning transcript extracted_answer pass2_used score details"
    " evaluator_id prompt_tokens completion_tokens cost_usd duration_ms rollout_fingerprint judge_fingerprint started_at"
    " completed_at",
    "level_scores": "run_id domain level average_score weight total_tests passed_tests ci_low ci_high",
    "test_results": "run_id domain level score status total_tests passed_tests failed_tests error_tests total_tokens"
    " cost_usd duration_ms",
}


@pytest.fixture
def file(manager: DBDataManager) -> Iterator[sqlite3.Connection]:
    """The database as another program opens it."""
    connection = sqlite3.connect(f"file:{manager.path}?mode=ro", uri=True)
    yield connection
    connection.close()


@pytest.mark.parametrize("table", CONTRACT)
def test_every_documented_column_is_there(file: sqlite3.Connection, table: str) -> None:
    found = {row[1] for row in file.execute(f"PRAGMA table_info({table})")}
    assert set(CONTRACT[table].split()) <= found


def test_a_sample_is_unique_in_its_run(file: sqlite3.Connection) -> None:
    unique = [row[1] for row in file.execute("PRAGMA index_list(individual_test_results)") if row[2]]
    columns = [[row[2] for row in file.execute(f"PRAGMA index_info({name})")] for name in unique]
    assert ["run_id", "source", "domain", "level", "test_id", "epoch"] in columns


def test_a_runs_name_is_unique(file: sqlite3.Connection) -> None:
    unique = [row[1] for row in file.execute("PRAGMA index_list(evaluation_runs)") if row[2]]
    assert ["exp_id"] in [[row[2] for row in file.execute(f"PRAGMA index_info({name})")] for name in unique]


def test_every_field_of_a_sample_is_a_column(file: sqlite3.Connection) -> None:
    columns = {row[1] for row in file.execute("PRAGMA table_info(individual_test_results)")}
    assert set(SAMPLE_FIELDS) == columns


def test_a_new_database_has_the_models_schema(manager: DBDataManager) -> None:
    with manager.database.bind_ctx(TABLES):
        assert str(diff_models(manager.database, list(TABLES))) == ""


def test_the_file_is_the_owners_alone(manager: DBDataManager) -> None:
    assert stat.S_IMODE(manager.path.stat().st_mode) == 0o600


def test_the_journal_is_a_write_ahead_log_and_every_commit_is_synced(
    file: sqlite3.Connection, manager: DBDataManager
) -> None:
    assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert manager.database.rows("PRAGMA synchronous") == [(2,)]


def test_what_stands_beside_the_file_is_the_owners_alone_too(manager: DBDataManager, run_id: int) -> None:
    for beside in manager.path.parent.glob("modex.db-*"):
        assert stat.S_IMODE(beside.stat().st_mode) == 0o600


def test_opening_again_changes_nothing(manager: DBDataManager) -> None:
    sql = "SELECT name, sql FROM sqlite_master ORDER BY name"
    before = manager.database.rows(sql)
    again = open_database(Path(manager.path))
    assert again.rows(sql) == before
    again.close()
