from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.rows import BadRow, Row, iter_rows


def rows(tmp_path: Path, name: str, content: str | bytes) -> list[Row | BadRow]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(iter_rows(path))


def data(found: list[Row | BadRow]) -> list[dict[str, Any]]:
    return [row.data for row in found if isinstance(row, Row)]


@pytest.mark.parametrize(
    "content",
    [
        [{"q": 1}, {"q": 2}],
        {"data": [{"q": 1}, {"q": 2}]},
        {"rows": [{"row_idx": 0, "row": {"q": 1}}, {"row": {"q": 2}}]},
        {"version": 1, "examples": [{"q": 1}, {"q": 2}]},
    ],
)
def test_json_is_a_list_or_holds_one(tmp_path: Path, content: Any) -> None:
    assert data(rows(tmp_path, "d.json", json.dumps(content))) == [{"q": 1}, {"q": 2}]


def test_json_of_another_shape_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="a list of objects"):
        rows(tmp_path, "d.json", '{"a": 1}')


def test_jsonl_names_each_bad_line_and_goes_on(tmp_path: Path) -> None:
    content = b'\xef\xbb\xbf{"q": 1}\n\n[1]\n{"q": \n{"q": NaN}\n{"q": 1, "q": 2}\n\xff\n{"q": 6}'
    found = rows(tmp_path, "d.jsonl", content)
    assert data(found) == [{"q": 1}, {"q": 6}]
    assert [row.line for row in found] == [1, 3, 4, 5, 6, 7, 8]
    assert all(isinstance(row, BadRow) for row in found[1:-1])


def test_a_deep_or_endless_jsonl_line_is_one_bad_row(tmp_path: Path) -> None:
    content = b'{"q": ' + b"[" * 100_000 + b"\n" + b"x" * (33 * 1024 * 1024) + b'\n{"q": 1}\n'
    found = rows(tmp_path, "d.jsonl", content)
    assert [(row.line, isinstance(row, Row)) for row in found] == [(1, False), (2, False), (3, True)]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_csv_finds_its_delimiter(tmp_path: Path, mark: str) -> None:
    content = (
        "\ufeff"
        + mark.join(["question", "answer"])
        + "\r\n"
        + mark.join(['"a ""b""\nc"', "1"])
        + "\r\n"
        + mark.join(["d", "2"])
    )
    found = rows(tmp_path, "d.csv", content)
    assert data(found) == [{"question": 'a "b"\nc', "answer": "1"}, {"question": "d", "answer": "2"}]
    assert [row.line for row in found] == [2, 4]


def test_csv_takes_fields_larger_than_its_usual_limit(tmp_path: Path) -> None:
    assert len(data(rows(tmp_path, "d.csv", "q,a\n" + "x" * 1_000_000 + ",1\n"))[0]["q"]) == 1_000_000


@pytest.mark.parametrize(
    ("content", "line", "part"),
    [
        ("q,a\n1\n2,3", 2, "1 columns where the header has 2"),
        ('q,a\n1,"2\n', 2, "not valid CSV"),
        ("q,a\n1,2\n1,2,3\n", 3, "3 columns"),
    ],
)
def test_csv_rows_with_problems_are_named(tmp_path: Path, content: str, line: int, part: str) -> None:
    bad = [row for row in rows(tmp_path, "d.csv", content) if isinstance(row, BadRow)]
    assert [(row.line, part in row.message) for row in bad] == [(line, True)]


def test_a_column_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"d\.csv:1: the column 'q' is there twice"):
        rows(tmp_path, "d.csv", "q,q\n1,2")


def test_tsv_is_tab_separated(tmp_path: Path) -> None:
    assert data(rows(tmp_path, "d.tsv", "q\ta,b\n1\t2")) == [{"q": "1", "a,b": "2"}]


def test_parquet_is_read_in_batches(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"q": [f"q{number}" for number in range(3000)], "a": list(range(3000))})
    parquet.write_table(table, tmp_path / "d.parquet")
    found = list(iter_rows(tmp_path / "d.parquet"))
    assert len(found) == 3000
    assert found[-1] == Row(3000, {"q": "q2999", "a": 2999})


def test_a_file_that_is_no_parquet_says_so(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(ConfigurationError, match="not readable Parquet"):
        rows(tmp_path, "d.parquet", "nonsense")


@pytest.mark.parametrize("name", ["d.txt", "d", "d.xlsx"])
def test_other_kinds_of_file_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"a dataset is a \.jsonl"):
        rows(tmp_path, name, "x")


def test_missing_files_folders_and_pipes_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.csv").mkdir()
    for name in ("missing.jsonl", "folder.csv", "pipe.jsonl"):
        with pytest.raises(ConfigurationError, match=r"no such file|not a regular file"):
            list(iter_rows(tmp_path / name))


@given(st.lists(st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=10), min_size=1), max_size=5))
def test_what_is_written_as_jsonl_is_read(
    tmp_path_factory: pytest.TempPathFactory, items: list[dict[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "d.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    assert data(list(iter_rows(path))) == items


@given(st.binary(max_size=200), st.sampled_from(["d.jsonl", "d.json", "d.csv", "d.tsv"]))
def test_any_bytes_are_rows_bad_rows_or_a_configuration_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("rows") / name
    path.write_bytes(content)
    with suppress(ConfigurationError):
        list(iter_rows(path))


def test_our_own_csv_loses_its_guard_and_a_foreign_one_keeps_its_apostrophes(tmp_path: Path) -> None:
    ours = "source,domain,level,test_id,epoch,name,status,score,evaluator_id,response\ns,d,1,t,1,d/1/t,passed,1.0,match,'=11\n"
    assert data(rows(tmp_path, "ours.csv", ours))[0]["response"] == "=11"
    assert data(rows(tmp_path, "other.csv", "id,response\nt,'=11\n"))[0]["response"] == "'=11"


def test_items_of_json_that_are_no_objects_are_bad_rows_and_a_wrapped_one_is_unwrapped(tmp_path: Path) -> None:
    found = rows(tmp_path, "d.json", json.dumps([{"q": 1}, 3, {"row": {"q": 2}}, {"row": 3}]))
    assert [row.data if isinstance(row, Row) else row.line for row in found] == [{"q": 1}, 2, {"q": 2}, {"row": 3}]


def test_of_a_table_that_is_not_utf_8_the_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"d\.csv:3: .*UTF-8"):
        rows(tmp_path, "d.csv", b"q\nfine\n\xff\n")
