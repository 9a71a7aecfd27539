"""`modex fetch` as a person calls it: what is printed, where, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modex.core.suite.datasets.fetched import datasets_folder
from modex.core.suite.datasets.homes import HOMES
from modex.tui.features.fetch.names import complete_names
from tests.cli import call
from tests.server.hub import Hub, sha256

ROWS = b'{"problem": "1 + 1", "answer": "2", "level": 1}\n'


@pytest.fixture
def math(served: Hub) -> str:
    return served.repository(HOMES["math_500"].repository).commit({"test.jsonl": ROWS})


def test_the_file_is_printed_and_the_rest_is_narrated(math: str) -> None:
    called = call("fetch", "math-500")
    file = datasets_folder() / "math_500" / math[:12] / "test.jsonl"
    assert (called.code, called.out) == (0, f"{file}\n")
    assert called.err == f"math_500: fetched, HuggingFaceH4/MATH-500 {math[:12]}, 0.0 MB, verified\n"
    assert "math_500: is here, " in call("fetch", "MATH_500").err


def test_json_says_all_of_it(math: str, tmp_path: Path) -> None:
    called = call("fetch", "math-500", "--json", "--out", tmp_path / "rows")
    assert called.data == [
        {
            "name": "math_500",
            "preset": "math_500",
            "repository": "HuggingFaceH4/MATH-500",
            "revision": math,
            "file": str(tmp_path / "rows" / "math_500" / math[:12] / "test.jsonl"),
            "sha256": sha256(ROWS),
            "bytes": len(ROWS),
            "licence": "",
            "was_here": False,
            "note": "",
            "exit_code": 0,
        }
    ]


def test_of_several_the_others_come_where_one_fails(math: str) -> None:
    called = call("fetch", "ifeval", "math-500", "math_500")
    assert called.code == 1
    assert called.out.count("\n") == 1
    assert called.out.endswith("test.jsonl\n")
    assert "datasets/google/IFEval: is not there (404)" in called.err
    data = call("fetch", "ifeval", "math-500", "--json")
    assert [one["exit_code"] for one in data.data] == [1, 0]
    assert "is not there" in data.data[0]["error"]


def test_a_preset_with_several_files_is_fetched_whole(served: Hub) -> None:
    repository = served.repository("Idavidrein/gpqa")
    repository.commit({f"gpqa_{one}.csv": b"Question\nq\n" for one in ("main", "diamond", "extended")})
    called = call("fetch", "gpqa", "--revision", "main")
    assert called.code == 0
    assert called.out.count("\n") == 3
    assert "CC-BY-4.0" in called.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name what to fetch; `modex fetch --list` says what there is"),
        (("mmlupr",), "no benchmark is called 'mmlupr'; did you mean 'mmlu_pro'?"),
        (("qqqqq",), "`modex datasets` lists them"),
        (("xbench",), "get its file from https://github.com/xbench-ai/xbench-evals and name it"),
        (("gsm8k", "mmlu", "--revision", "x"), "--revision is of one repository; name one at a time"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: tuple[str, ...], said: str) -> None:
    called = call("fetch", *words)
    assert called.code == 2
    assert said in called.err


def test_offline_asks_nothing_and_says_where_to_put_the_file(served: Hub) -> None:
    called = call("fetch", "ifeval", "--offline")
    place = datasets_folder() / "ifeval" / "brought"
    assert called.code == 1
    assert called.out == ""
    assert f"put it into {place} and say `modex fetch ifeval --offline`" in called.err
    assert served.asked == []
    place.mkdir(parents=True)
    (place / "ifeval_input_data.jsonl").write_text(json.dumps({"key": 1, "prompt": "p"}) + "\n")
    called = call("fetch", "ifeval", "--offline")
    assert called.code == 0
    assert "which revision that is, nobody can tell" in called.err


def test_the_list_is_that_of_datasets(math: str) -> None:
    call("fetch", "math-500")
    called = call("fetch", "--list")
    assert called.code == 0
    assert called == call("datasets")


def test_names_are_completed() -> None:
    assert complete_names(None, None, "gpqa-d") == ["gpqa_diamond"]  # type: ignore[arg-type]
    assert complete_names(None, None, "MMLU") == ["mmlu", "mmlu_pro", "mmlu_redux"]  # type: ignore[arg-type]
