"""One definition of what is stored: a field of the row's class is a column, its codec, and what a stage writes."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import peewee as pw
import pytest

from modex.core.store.columns import (
    Asked,
    DamagedValueError,
    Decoder,
    Encoder,
    Exact,
    Json,
    Judged,
    Time,
    WritingStage,
    columns_of,
)
from modex.core.store.definition import Definition
from modex.core.store.sample import ASKED_FIELDS, ROLLOUT_FIELDS, SAMPLE_COLUMNS, VERDICT_FIELDS
from modex.core.store.tables import TABLES, IndividualTestResult, _field_of
from tests.rows import each_row

ROOT = Path(__file__).parents[3]
ONE_LINE_MORE = """
import modex.core.store.sample as module
from pathlib import Path
source = Path(module.__file__).read_text()
line = "    pass_of: Planned[int | None] = None\\n"
assert source.count(line) == 1
new = compile(source.replace(line, line + "    mood: Judged[Exact | None] = None\\n"), module.__file__, "exec")
exec(new, module.__dict__)
module.EvaluationSample.__module__ = "modex.core.store.sample"
import sys
from modex.core.store import migrations
import peewee as pw
@migrations.migration
def m0999_mood(database):
    migrations.add_column(database, "individual_test_results", "mood", pw.TextField(null=True))
from tests.core.store.stores import *
from modex.core.store.reader import Reader
path = Path(sys.argv[1])
reader = Reader(path)
old = reader.runs()[0]
assert {sample.mood for sample in reader.samples(old.id)} == {None}
reader.close()
manager = DBDataManager(path)
run = manager.create_run("new", CONFIG)
manager.plan(run, [sample("a")])
store_finished(manager, run, mood="glad\\x00")
(found,) = manager.reader.samples(run)
assert found.mood == "glad\\x00", found
assert "mood" in module.VERDICT_FIELDS
print("stored")
"""


@pytest.mark.process
def test_one_line_and_a_migration_add_a_column_to_new_and_old_files(tmp_path: Path) -> None:
    from tests.fixtures.old_databases import unpack

    path = unpack("finished", tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", ONE_LINE_MORE, str(path)], check=False, capture_output=True, text=True, cwd=ROOT
    )
    assert ended.stdout == "stored\n", ended.stderr


@dataclass
class Row:
    text: Asked[Exact | None] = None
    number: int = 0
    share: float = 0.0
    right: bool = False
    things: Json[list[dict[str, Any]]] = field(default_factory=list)
    any: Judged[Json[Any]] = None
    at: Time | None = None
    mood: Literal["good", "bad"] = "good"
    place: Json[Definition] = field(default_factory=Definition)


COLUMNS = columns_of(Row)


@each_row(
    ("name", "value"),
    [
        ("text", "a\x00\ud800"),
        ("text", None),
        ("number", 3),
        ("share", 1),
        ("right", True),
        ("things", [{"a": "\ud800"}]),
        ("any", 7),
        ("any", None),
        ("at", "2026-01-01T00:00:00.000Z"),
    ],
)
def test_a_value_comes_back_as_it_was(name: str, value: object) -> None:
    column = COLUMNS[name]
    assert column.decode(column.encode(value)) == value
    field_: Any = _field_of(column)
    assert field_.python_value(field_.db_value(value)) == value


@each_row("names", [("text",), ("number",), ("text", "number"), ("number", "things", "text")])
def test_many_are_encoded_as_each_by_itself(names: tuple[str, ...]) -> None:
    values: dict[str, list[Any]] = {"text": ["a\0", None, "b"], "number": [1, 2, 3], "things": [[], [{"a": 1}], None]}
    items = [SimpleNamespace(**{name: values[name][at] for name in names}) for at in range(3)]
    encoder = Encoder([COLUMNS[name] for name in names])
    each = [[COLUMNS[name].encode(values[name][at]) for name in names] for at in range(3)]
    assert [encoder.encode(item) for item in items] == each
    assert [list(column) for column in encoder.encode_all(items)] == [
        list(column) for column in zip(*each, strict=True)
    ]
    assert encoder.encode_all([]) == []


@each_row(
    ("name", "stored"),
    [
        ("text", 3),
        ("text", b"x"),
        ("number", None),
        ("number", "three"),
        ("number", 1.5),
        ("share", "much"),
        ("right", "yes"),
        ("things", "{"),
        ("things", "{}"),
        ("things", '["a"]'),
        ("things", "[" * 100_000),
        ("at", "yesterday"),
    ],
)
def test_a_value_that_does_not_belong_there_is_named_with_its_column(name: str, stored: object) -> None:
    with pytest.raises(DamagedValueError, match=f"`{name}`"):
        COLUMNS[name].decode(stored)


_READ = [*({"text": "a"}, {"text": "\ufdd0modex-escaped:\\u0000"}, {"at": "2026-01-01T00:00:00.000Z"}, {"at": "never"}),
         *({"things": found} for found in ("[]", ' [{"a": 1}] ', '["a"]', "{}", "{", "", "[" * 100_000, "[] []", "NaN")),
         *({"any": found} for found in ("null", "7", '"\\ud800"', "[1", "{}")),
         {"right": 1}, {"right": 2}, {"number": 2.0}, {"number": 2.5}, {"mood": "odd"}, {"mood": "good"}, {"place": "{}"},
         {"place": '{"file": "a", "line": 3}'}, {"place": '{"file": 3}'}, {"place": "[]"}, {"place": "{"}]  # fmt: skip


@each_row("changed", _READ, ids=lambda changed: str(changed)[:40])
def test_the_second_row_of_a_form_is_read_as_the_first(changed: dict[str, object]) -> None:
    sound = {"text": "b", "number": 1, "share": 0.5, "right": 0, "things": "[]", "any": "1", "at": "2026-01-02T00:00:00.000Z",
             "mood": "good", "place": "{}"}  # fmt: skip
    known, row = Decoder(COLUMNS.values()), [*{**sound, **changed}.values()]
    for kept in (sound, {**sound, "number": 1.0}):
        assert known.decode([*kept.values()])[1] is None
    assert known.decode(row) == Decoder(COLUMNS.values()).decode(row)
    assert known.decode(row) == known.decode(row)


def test_each_field_says_who_writes_it() -> None:
    assert COLUMNS["text"].writers == {WritingStage.ROLLOUT}
    assert COLUMNS["any"].writers == {WritingStage.JUDGE}
    assert set(ROLLOUT_FIELDS) & set(VERDICT_FIELDS) == {"stage", "status", "error_type", "error_message"}
    assert {"prompt", "expected", "cluster"} <= set(ASKED_FIELDS)
    unwritten = {name for name, column in SAMPLE_COLUMNS.items() if not column.writers}
    assert unwritten == {"run_id", "source", "domain", "level", "test_id", "epoch", "id", "seq", "position"}


def test_ids_and_names_are_held_alike_by_every_query() -> None:
    for name, column in SAMPLE_COLUMNS.items():
        peewee_field = IndividualTestResult._meta.columns[name]
        if name not in ("id", "run_id") and column.kind is str:
            assert peewee_field.db_value("a\x00") == column.encode("a\x00"), name


SQL = re.compile(r"\b(SELECT\b.+\bFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA |CREATE TABLE|ALTER TABLE)\b")
NOT_OURS = (
    "core/store/",
    "core/sandbox/",
    "core/evaluators/sql/",
    "core/llm/demo/",
    "core/suite/editing/patterns.py",
    "core/edge/imports/evonic.py",
    "core/edge/imports/youtu.py",
)


def test_sql_stands_in_the_store_only() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("core", "tui")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(NOT_OURS)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if SQL.search(line) and "run_sql(" not in line
    ]
    assert found == []


def test_the_passing_score_stands_once() -> None:
    found = [
        str(path.relative_to(ROOT))
        for folder in ("core/store", "core/pipeline", "core/engine", "core/reports")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if re.search(r"(>=|<|>|<=|==)\s*0\.7\b|PASS_SCORE = 0\.7", path.read_text())
    ]
    assert found == ["core/store/sample.py"]


def test_every_table_of_a_run_is_deleted_with_it() -> None:
    from modex.core.store.tables import OF_A_RUN

    of_runs = {table for table in TABLES if any(isinstance(f, pw.ForeignKeyField) for f in table._meta.sorted_fields)}
    assert set(OF_A_RUN) == of_runs
