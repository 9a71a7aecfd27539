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

from modex.core.features.review.files import FileFormat, Imported, bring_in, drawn, exported, format_of, written
from modex.core.features.review.query import MOST_OF_A_NOTE, HumanVerdict, reviews, say, verdict_in
from modex.core.foundation.errors import ConfigurationError
from tests.rows import each_row
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


def said(store: StoreMaker) -> dict[tuple[int, str], HumanVerdict]:
    return {(row.result_id, row.author): verdict_in(row) for row in reviews(store.manager.reader)}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_taken_out_comes_back_as_it_was(store: StoreMaker, kind: FileFormat, tmp_path: Path) -> None:
    reader = store.manager.reader
    say(
        reader, reader.sample(1), "ann", HumanVerdict("failed", label="=SUM(1)", note='he said "42", then\t-1\rno more')
    )
    say(reader, reader.sample(2), "bob", HumanVerdict(unsure=True))
    say(reader, reader.sample(3), "ann", HumanVerdict(label="'quoted'", note="'=1"))
    say(reader, reader.sample(3), "bob", HumanVerdict(note="'\u200b@SUM(1)"))
    before = said(store)
    dates = [row.created_at for row in reviews(reader)]
    path = write(tmp_path / f"r.{kind}", exported(reviews(reader)), kind)
    assert bring_in(reader, path, kind).unchanged == 4
    for number, author in before:
        say(reader, reader.sample(number), author, HumanVerdict())
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
    assert said(store) == {(1, "ann"): HumanVerdict("failed"), (2, "ann"): HumanVerdict("passed", label="wrong gold")}


def test_a_review_of_an_answer_that_changed_since_is_not_taken_for_one_of_what_stands(
    store: StoreMaker, tmp_path: Path
) -> None:
    reader = store.manager.reader
    say(reader, reader.sample(2), "ann", HumanVerdict("failed"))
    path = write(tmp_path / "r.jsonl", exported(reviews(reader)), "jsonl")
    say(reader, reader.sample(2), "ann", HumanVerdict())
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


@each_row(
    ("path", "given", "kind"),
    [
        ("a.csv", None, "csv"),
        ("a.CSV", None, "csv"),
        ("a.txt", None, "jsonl"),
        ("a.csv", "jsonl", "jsonl"),
        ("a", "csv", "csv"),
    ],
)
def test_the_format_is_the_one_asked_for_or_that_of_the_name(path: str, given: FileFormat | None, kind: str) -> None:
    assert format_of(Path(path), given) == kind


@each_row(
    ("records", "text"),
    [
        ([], "run,source,domain,level,test_id,epoch,author,verdict,own_verdict,label,note,answer_digest,stale,created_at,status,"
         "score\n"),
        ([{"a": None, "b": 1.5}, {"b": ["é"], "a": True}], 'a,b\n,1.5\nTrue,"[""é""]"\n'),
        ([{"a": "=1", "b": "'=1"}, {"a": "x"}], "a,b\n'=1,''=1\nx,\n"),
    ],
)  # fmt: skip
def test_records_as_csv(records: list[dict[str, Any]], text: str) -> None:
    assert "".join(written(records, "csv")) == text


def test_records_as_lines_of_json() -> None:
    assert "".join(written([{"a": "é"}, {"b": None}], "jsonl")) == '{"a": "\\u00e9"}\n{"b": null}\n'


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"verdict": "Agree "}, HumanVerdict("failed")),
        ({"verdict": "disagree"}, HumanVerdict("passed")),
        ({"verdict": "agree", "own_verdict": "passed"}, HumanVerdict("passed")),
        ({"own_verdict": " FAILED"}, HumanVerdict("failed")),
        ({"verdict": "unsure", "label": "x"}, HumanVerdict(unsure=True, label="x")),
        ({"verdict": "unsure", "own_verdict": "passed"}, HumanVerdict("passed")),
        ({"note": " a\n b "}, HumanVerdict(note="a b")),
        ({"note": "x" * 5000}, HumanVerdict(note="x" * MOST_OF_A_NOTE)),
        (
            {"label": "x", "level": "1", "epoch": 1, "domain": "math", "source": "suite", "run": "r"},
            HumanVerdict(label="x"),
        ),
        ({"label": "x", "level": "", "epoch": ""}, HumanVerdict(label="x")),
        ({}, None),
        ({"verdict": "unsure"}, HumanVerdict(unsure=True)),
    ],
)
def test_what_a_record_says_is_stored(
    store: StoreMaker, tmp_path: Path, record: dict[str, Any], said: HumanVerdict | None
) -> None:
    reader = store.manager.reader
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"test_id": "math_1_2", **record}))
    found = bring_in(reader, path, "jsonl", run=reader.run("r"), author="ann")
    assert found == Imported(stored=said is not None, empty=said is None)
    assert [verdict_in(row) for row in reviews(reader)] == ([] if said is None else [said])
    if said is not None:
        assert bring_in(reader, path, "jsonl", run=reader.run("r"), author="ann") == Imported(unchanged=1)


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ({"own_verdict": "yes"}, "own_verdict must be passed, failed or empty, not 'yes'"),
        ({"label": "x", "epoch": "two"}, "level and epoch must be whole numbers"),
        ({"label": "x", "epoch": 2}, "no such sample"),
        ({"label": "x", "level": 2}, "no such sample"),
        ({"label": "x", "domain": "sql"}, "no such sample"),
        ({"label": "x", "source": "other"}, "no such sample"),
        ({"label": "x", "test_id": ""}, "no test_id is given"),
        ({"label": "x", "test_id": 3}, "no test_id is given"),
        ({"label": "x", "run": 3}, "no run is named"),
    ],
)
def test_a_record_of_another_sample_is_named(
    store: StoreMaker, tmp_path: Path, record: dict[str, Any], fault: str
) -> None:
    reader = store.manager.reader
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"test_id": "math_1_2", **record}))
    found = bring_in(reader, path, "jsonl", run=reader.run("r"), author="ann")
    assert (found.stored, len(found.problems)) == (0, 1)
    assert fault in found.problems[0]


def test_the_author_and_the_run_of_a_record_go_before_those_that_are_given(store: StoreMaker, tmp_path: Path) -> None:
    store.run("s", samples=[sample("math", 1, 2, "failed")])
    reader = store.manager.reader
    path = tmp_path / "r.jsonl"
    rows = [{"author": " bob ", "run": "s"}, {"author": ""}, {}]
    path.write_text(
        "".join(json.dumps({"test_id": "math_1_2", "label": f"l{n}", **row}) + "\n" for n, row in enumerate(rows))
    )
    assert bring_in(reader, path, "jsonl", run=reader.run("r"), author="ann").stored == 3
    assert {(row.exp_id, row.author, row.label) for row in reviews(reader)} >= {("s", "bob", "l0"), ("r", "ann", "l2")}
    assert bring_in(reader, path, "jsonl").problems[0].endswith("no run is named; give its name as `run`")


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("csv", "", ":1: the first line must name the columns, test_id among them"),
        ("csv", "a,b\n1,2\n", ":1: the first line must name the columns"),
        ("jsonl", "{}\n[1]\n", ":2: each line must be an object"),
        ("jsonl", "\n{", ":2: this is no JSON"),
    ],
)
def test_a_file_of_another_form_is_refused_with_the_line(
    store: StoreMaker, tmp_path: Path, kind: FileFormat, text: str, fault: str
) -> None:
    path = tmp_path / "r"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=fault):
        bring_in(store.manager.reader, path, kind, run=store.manager.reader.run("r"))
