"""LiveCodeBench's tests are read out of their texts, and nothing that a pickle asks for is run."""

from __future__ import annotations

import base64
import json
import os
import pickle
import zlib
from pathlib import Path
from typing import Any

import pytest

from modex.core.evaluators.code.evaluator import CodeTestsEvaluator
from modex.core.suite.datasets import contests
from modex.core.suite.datasets.contests import cases_in, livecodebench, unpickled_text
from modex.core.suite.definitions import EvaluatorConfig, Location, TestCase
from tests.rows import each_row

CASE = {"input": "1 2\n", "output": "3\n", "testtype": "stdin"}
ROW: dict[str, Any] = {
    "question_content": "Add. ", "platform": "atcoder", "question_id": "a", "starter_code": "", "difficulty": "easy",
    "public_test_cases": json.dumps([CASE]), "private_test_cases": "[]", "metadata": "{}",
}  # fmt: skip


def packed(value: Any, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value, protocol))).decode()


class Hostile:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_text_is_read_in_every_protocol(protocol: int) -> None:
    for text in ("[]", "ä" * 300, "x" * 70_000, ""):
        assert unpickled_text(packed(text, protocol)) == text


@each_row("value", [3, ["[]"], {"a": "b"}, ("[]", "[]"), b"[]", None])
def test_a_pickle_of_anything_else_is_refused(value: Any) -> None:
    assert unpickled_text(packed(value)) is None


def test_what_a_pickle_asks_to_run_is_not_run(tmp_path: Path) -> None:
    made = str(tmp_path / "made")
    assert unpickled_text(packed(Hostile(made))) is None
    assert cases_in(packed([Hostile(made)])) is None
    assert not Path(made).exists()


@each_row(
    "text",
    [
        "no base64!",
        base64.b64encode(b"no zlib").decode(),
        base64.b64encode(zlib.compress(b"no pickle")).decode(),
        base64.b64encode(zlib.compress(b"")).decode(),
        base64.b64encode(zlib.compress(pickle.dumps("text")[:-1])).decode(),
    ],
)
def test_what_is_no_packed_text_is_none(text: str) -> None:
    assert unpickled_text(text) is None


def test_a_text_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contests, "_MOST_BYTES", 1000)
    assert unpickled_text(packed("x" * 2000)) is None
    assert unpickled_text(packed("x" * 900)) == "x" * 900


@each_row(
    ("text", "number"),
    [
        (json.dumps([CASE, CASE]), 2),
        (packed(json.dumps([CASE])), 1),
        ([CASE], 1),
        ("[]", 0),
        ("{}", None),
        ("[3]", None),
        ('[{"input": 1, "output": "2"}]', None),
        ('[{"input": "1"}]', None),
        (packed("no json"), None),
        (None, None),
        ("", None),
    ],
)
def test_tests_are_read_as_json_or_unpacked(text: Any, number: int | None) -> None:
    found = cases_in(text)
    assert (None if found is None else len(found)) == number


def test_a_program_is_asked_for_and_run() -> None:
    row = livecodebench({**ROW, "private_test_cases": packed(json.dumps([{**CASE, "input": "5 5\n"}]))})
    assert row["question"] == f"Add.\n\n{contests._TO_RUN}"
    assert row["answer"]["cases"] == [{"input": "1 2\n", "output": "3\n"}, {"input": "5 5\n", "output": "3\n"}]
    assert (row["answer"]["language"], row["answer"]["seconds"]) == ("python", 6)
    assert set(row) == {"question", "answer", "platform", "question_id", "difficulty"}
    assert problems(row["answer"]) == []


def test_a_method_is_called_with_a_value_a_line() -> None:
    cases = json.dumps([{"input": '[1, 2]\n"a"', "output": "[2.5, null]"}])
    starter = "class Solution:\n    def f(self, xs, s):\n        "
    row = livecodebench({**ROW, "starter_code": starter, "public_test_cases": cases, "metadata": '{"func_name": "f"}'})
    assert row["answer"]["function"] == "Solution"
    assert row["answer"]["cases"] == [{"args": [], "calls": [["f", [1, 2], "a"]], "returns": [[2.5, None]]}]
    assert row["question"].endswith("```python\nclass Solution:\n    def f(self, xs, s):\n```")
    assert problems(row["answer"]) == []
    for broken in ({"input": "x", "output": "1"}, {"input": "1", "output": "x"}):
        told = {**ROW, "metadata": {"func_name": "f"}, "public_test_cases": [broken]}
        assert livecodebench(told)["answer"] is None


def test_of_many_tests_the_first_are_kept() -> None:
    row = livecodebench({**ROW, "public_test_cases": [CASE] * 3, "private_test_cases": [{**CASE, "output": "4"}] * 300})
    assert [one["output"] for one in row["answer"]["cases"]] == ["3\n"] * 3 + ["4"] * 197
    assert livecodebench({**ROW, "public_test_cases": []})["answer"] is None


@each_row("name", ["question_content", "public_test_cases", "private_test_cases"])
def test_a_row_that_lacks_what_is_needed_is_left_as_it_is(name: str) -> None:
    row = {**ROW, name: None}
    assert livecodebench(dict(row)) == row


@each_row("metadata", [None, "", "[]", '{"func_name": null}', '{"func_name": ""}', 3])
def test_without_a_name_a_program_is_asked_for(metadata: Any) -> None:
    assert "language" in livecodebench({**ROW, "metadata": metadata})["answer"]


def problems(expected: Any) -> list[str]:
    test = TestCase("suite", "d", 1, "t", "q", expected, "code_tests", Location("t.json"))
    return [str(one) for one in CodeTestsEvaluator().check(test, EvaluatorConfig("code_tests", "c", "builtin"), None)]
