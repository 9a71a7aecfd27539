"""Reviews go out as JSONL or CSV and come back as they were, to the samples they are of."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.reports.reviewing.files import FileFormat, bring_in, drawn, exported, written
from core.store.reviews import Said, reviews, said_in, say
from tests.tui.stores import StoreMaker, sample

KINDS: tuple[FileFormat, ...] = ("jsonl", "csv")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    maker.run(
        "r", samples=[sample("math", 1, 1, "passed"), sample("math", 1, 2, "failed"), sample("sql", 2, 3, "failed")]
    )
    yield maker
    maker.close()


def write(path: Path, records: Any, kind: FileFormat) -> Path:
    path.write_bytes("".join(written(records, kind)).encode())
    return path


def said(store: StoreMaker) -> dict[tuple[int, str], Said]:
    return {(row.result_id, row.author): said_in(row) for row in reviews(store.manager.reader)}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_taken_out_comes_back_as_it_was(store: StoreMaker, kind: FileFormat, tmp_path: Path) -> None:
    reader = store.manager.reader
    say(reader, reader.sample(1), "ann", Said("failed", label="=SUM(1)", note='he said "42", then\t-1\rno more'))
    say(reader, reader.sample(2), "bob", Said(unsure=True))
    say(reader, reader.sample(3), "ann", Said(label="'quoted'", note="'=1"))
    say(reader, reader.sample(3), "bob", Said(note="'\u200b@SUM(1)"))
    before = said(store)
    dates = [row.created_at for row in reviews(reader)]
    path = write(tmp_path / f"r.{kind}", exported(reviews(reader)), kind)
    assert bring_in(reader, path, kind).unchanged == 4
    for number, author in before:
        say(reader, reader.sample(number), author, Said())
    assert bring_in(reader, path, kind).stored == 4
    assert said(store) == before
    assert [row.created_at for row in reviews(reader)] == dates


@pytest.mark.parametrize("kind", KINDS)
def test_a_draw_is_filled_in_elsewhere(store: StoreMaker, kind: FileFormat, tmp_path: Path) -> None:
    reader = store.manager.reader
    run = reader.run("r")
    records = list(drawn(run, reader.samples_by_id([1, 2, 3]), "ann"))
    assert all("status" not in record and "score" not in record for record in records)
    records[0]["verdict"], records[1]["own_verdict"], records[1]["label"] = "disagree", "passed", " wrong  gold "
    found = bring_in(reader, write(tmp_path / f"d.{kind}", records, kind), kind, run=run)
    assert (found.stored, found.empty, found.problems) == (2, 1, [])
    assert said(store) == {(1, "ann"): Said("failed"), (2, "ann"): Said("passed", label="wrong gold")}


def test_a_review_of_an_answer_that_changed_since_is_not_taken_for_one_of_what_stands(
    store: StoreMaker, tmp_path: Path
) -> None:
    reader = store.manager.reader
    say(reader, reader.sample(2), "ann", Said("failed"))
    path = write(tmp_path / "r.jsonl", exported(reviews(reader)), "jsonl")
    say(reader, reader.sample(2), "ann", Said())
    store.finish(store.run_id("r"), "math_1_2", "failed", response="Another.")
    assert bring_in(reader, path, "jsonl").changed_since == 1
    assert reviews(reader) == []


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"test_id": "math_1_2", "verdict": "yes"}, "verdict must be agree, disagree, unsure or empty, not 'yes'"),
        ({"test_id": "nope", "verdict": "agree"}, "no such sample"),
        ({"verdict": "agree"}, "no test_id"),
        ({"test_id": "math_1_2", "label": 3}, "label must be a text, not int"),
        ({"test_id": "math_1_2", "level": "x", "label": "a"}, "whole numbers"),
        ({"run": "gone", "test_id": "math_1_2", "label": "a"}, "no run 'gone'"),
    ],
)
def test_a_record_that_fits_nothing_is_named_and_the_rest_comes_in(
    store: StoreMaker, tmp_path: Path, record: dict[str, Any], says: str
) -> None:
    reader = store.manager.reader
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join([json.dumps(record), "", json.dumps({"test_id": "sql_2_3", "label": "ok"})]))
    found = bring_in(reader, path, "jsonl", run=reader.run("r"), author="ann")
    assert found.stored == 1
    (problem,) = found.problems
    assert says in problem
    assert f"{path}:1: " in problem


@example(["\x1e@"])
@example(["\x01\ufeff =1"])
@example(["\r0"])
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1))
def test_csv_that_a_spreadsheet_takes_for_formulas_is_made_harmless_and_read_back(notes: list[str]) -> None:
    text = "".join(written(({"test_id": "t", "note": note} for note in notes), "csv"))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [len(row) for row in rows] == [2] * (len(notes) + 1)
    assert not any(seen(cell)[:1] in ("=", "+", "-", "@") or cell[:1] in ("\t", "\r") for _, cell in rows[1:])


def seen(text: str) -> str:
    """A text from its first character that shows."""
    shown = (char for char in text if unicodedata.category(char) not in ("Cc", "Zs", "Zl", "Zp") and char != "\ufeff")
    first = next(shown, None)
    return "" if first is None else text[text.index(first) :]
