"""What is said of a suite's files: mistakes, and keys that nobody knows, each once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.suite.definitions import Suite
from modex.core.suite.report import Source, reason
from modex.core.suite.state import Loading
from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions/d/level_1"


def test_a_key_that_nobody_knows_is_noted_once_with_how_often_it_stands_elsewhere(load: Load) -> None:
    suite = load(
        {
            f"{D}/a.json": case("a", colour_of_it="red", zzz=1),
            f"{D}/b.json": case("b", zzz=2),
            f"{D}/c.json": case("c", zzz=3),
        }
    )
    assert suite.problems == []
    assert [str(note) for note in suite.notes if "unknown" in str(note)] == [
        f"{D}/a.json:6: unknown test key 'colour_of_it' is kept as metadata",
        f"{D}/a.json:7: unknown test key 'zzz' is kept as metadata (and 2 more)",
    ]
    assert [test.metadata for test in sorted(suite.tests, key=lambda test: test.test_id)] == [
        {"colour_of_it": "red", "zzz": 1}, {"zzz": 2}, {"zzz": 3},
    ]  # fmt: skip


def test_three_mistakes_are_told_as_the_reason_and_the_others_counted() -> None:
    problems = [Problem("f", number, "odd") for number in range(1, 6)]
    assert reason(problems[:3]) == "f:1: odd; f:2: odd; f:3: odd"
    assert reason(problems[:4]) == "f:1: odd; f:2: odd; f:3: odd; and 1 more"
    assert reason(problems) == "f:1: odd; f:2: odd; f:3: odd; and 2 more"


def test_what_was_translated_is_told_with_its_line(tmp_path: Path) -> None:
    loading = Loading(Suite(tmp_path), "", frozenset(), True)
    text = '{\n "a": [\n 1]}'
    said: Any = SimpleNamespace(forms=("as ours",), notes=("a note",), unusable="lost", data={"b": 1})
    for source, at, line in (
        (Source("p", text), (), 1),
        (Source("p", text), ("a", 0), 3),
        (Source("p", text, 7), (), 7),
    ):
        loading.suite.translated.clear()
        assert loading.say(source, at, said) == {"b": 1}  # type: ignore[arg-type]
        assert [(one.line, one.form, one.note) for one in loading.suite.translated] == [
            (line, "as ours", ""), (line, "", "a note"), (line, "", "lost"),
        ]  # fmt: skip
    assert loading.spoken["p"] == [(0, {"b": 1}), (0, {"b": 1}), (7, {"b": 1})]


def test_the_line_of_a_key_is_found_whether_it_stands_once_or_often() -> None:
    source = Source("p", '{\n "a": {"x": 1},\n "b": {\n  "x": 2}\n}')
    assert [source.line_of(at) for at in (("a",), ("b",), ("a", "x"), ("b", "x"), ())] == [2, 3, 2, 4, 1]
    assert Source("p", "{}", 5).line_of(("a",)) == 5
    listed = Source("p", '{\n "0": 1,\n "a": [\n  1\n]}')
    assert [listed.line_of(at) for at in (("a", 0), ("a",), ("0",))] == [4, 3, 2]
