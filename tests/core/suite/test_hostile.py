"""Suite files as an attack: named errors, in bounded time, and nothing read that is not the suite's."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.definitions import Suite
from modex.core.suite.loading import load_suite
from tests.core.suite.conftest import Write, case
from tests.pace import stretched

Load = Callable[[dict[str, Any]], Suite]
D = "test_definitions"
FILE = f"{D}/d/level_1/a.json"


def messages(suite: Suite) -> list[str]:
    return [problem.message for problem in suite.problems]


@pytest.mark.parametrize("depth", [2_000, 200_000])
@pytest.mark.parametrize("unit", [("[", "]"), ('{"a":', "}")])
def test_deep_nesting_is_named(load: Load, depth: int, unit: tuple[str, str]) -> None:
    opened, closed = unit
    suite = load({FILE: '{"id": "a", "prompt": "x", "expected": ' + opened * depth + "1" + closed * depth + "}"})
    (message,) = messages(suite)
    assert message.endswith("too deeply to be a definition; make it flatter")


def test_a_huge_file_is_refused_without_being_read_whole(load: Load, write: Write) -> None:
    root = write({FILE: case()})
    with (root / D / "d/level_1/huge.json").open("wb") as file:
        file.truncate(40 * 1024 * 1024 * 1024)
    suite = load_suite(root)
    assert messages(suite) == ["is larger than 32 MiB; split it, or make it a dataset"]
    assert [test.invalid is None for test in suite.tests] == [True, False]


def test_a_pipe_among_the_tests_never_blocks(write: Write) -> None:
    root = write({FILE: case()})
    os.mkfifo(root / D / "d/level_1/pipe.json")
    started = time.monotonic()
    assert messages(load_suite(root)) == ["is not a regular file; put one in its place"]
    assert time.monotonic() - started < 5


def test_a_link_out_of_the_suite_is_not_followed(write: Write, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text(json.dumps(case("secret", prompt="TOP SECRET")))
    (tmp_path / "outside").mkdir()
    root = write({FILE: case()})
    (root / D / "d/level_1/b.json").symlink_to(tmp_path / "secret.json")
    (root / D / "linked").symlink_to(tmp_path / "outside")
    (root / D / "d/level_1/dangling.json").symlink_to(tmp_path / "nowhere")
    suite = load_suite(root)
    assert [problem.path for problem in suite.problems] == [
        f"{D}/d/level_1/b.json",
        f"{D}/d/level_1/dangling.json",
        f"{D}/linked",
    ]
    assert all("link" in message for message in messages(suite))
    assert [test.test_id for test in suite.tests] == ["sum"]


def test_a_link_within_the_suite_is_followed(write: Write) -> None:
    root = write({FILE: case(), "shared.json": case("shared")})
    (root / D / "d/level_1/b.json").symlink_to(root / "shared.json")
    suite = load_suite(root)
    assert [test.test_id for test in suite.tests] == ["sum", "shared"]


def test_a_link_to_a_parent_folder_does_not_loop(write: Write) -> None:
    root = write({FILE: case()})
    (root / D / "loop").symlink_to(root / D)
    assert len(load_suite(root).problems) == 1


@pytest.mark.parametrize(
    "identity", ["../x", "a/b", "a\\b", "/etc/passwd", "..", ".hidden", "a\nb", "a\x00b", "a\u202eb", "", "x" * 201]
)
def test_ids_that_could_steer_a_path_or_a_terminal_are_refused(load: Load, identity: str) -> None:
    (message,) = messages(load({FILE: case(identity)}))
    assert message.startswith("'id' ")
    assert message.isprintable()


@pytest.mark.parametrize("identity", ["数学", "überprüfung", "क्षेत्र", "a.b:c-d_e", "x" * 200])
def test_ids_in_any_script_are_fine(load: Load, identity: str) -> None:
    assert messages(load({FILE: case(identity)})) == []


@pytest.mark.parametrize(
    "file",
    ["../../../secret.jsonl", "/etc/hostname", "~/x.jsonl", "C:\\x.jsonl", "link.jsonl", "sub", "pipe.jsonl", "a\x00b"],
)
def test_a_dataset_outside_the_suite_or_of_another_kind_is_refused(write: Write, tmp_path: Path, file: str) -> None:
    (tmp_path / "secret.jsonl").write_text("{}")
    root = write({f"{D}/d/dataset.json": {"file": file}, f"{D}/d/sub/x.txt": ""})
    (root / D / "d/link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    os.mkfifo(root / D / "d/pipe.jsonl")
    suite = load_suite(root)
    assert any(message.startswith("'file'") for message in messages(suite))
    assert suite.datasets == []


@pytest.mark.parametrize(
    "pattern",
    ["(" * 5_000 + ")" * 5_000, "a" * 30_000, "(?P<x>a)(?P<", "[[:bad", "a{99999999999999999999}", "*"],
    ids=["nested", "long", "group", "class", "count", "bare"],
)
def test_unusable_patterns_are_named_in_bounded_time(load: Load, pattern: str) -> None:
    started = time.monotonic()
    suite = load({f"{D}/evaluators/e.json": {"id": "e", "type": "regex", "extraction_regex": pattern}, FILE: case()})
    assert time.monotonic() - started < 10
    assert len(messages(suite)) <= 1


def test_a_catastrophic_pattern_costs_nothing_to_load(load: Load) -> None:
    started = time.monotonic()
    suite = load({f"{D}/evaluators/e.json": {"id": "e", "type": "regex", "extraction_regex": "(a+)+$"}, FILE: case()})
    assert suite.problems == []
    assert time.monotonic() - started < stretched(2)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("NaN", "NaN is not JSON"),
        ("-Infinity", "-Infinity is not JSON"),
        ("1e999", "too large"),
        ("1" * 5_000, "4,300 digits"),
        ("// note\n1", "comments are not allowed"),
        ("'x'", "is not valid JSON"),
        ('"a', "is not valid JSON"),
    ],
)
def test_values_that_are_not_json_are_named_on_their_line(load: Load, text: str, part: str) -> None:
    suite = load({FILE: '{"id": "a",\n"note": "NaN Infinity 1e999",\n"prompt": "x",\n"expected": ' + text + "\n}"})
    (problem,) = suite.problems
    assert part in problem.message
    assert problem.line in (0, 4)


def test_a_file_of_another_encoding_says_so(load: Load) -> None:
    suite = load({FILE: json.dumps(case()).encode("utf-16")})
    assert messages(suite) == ["is not UTF-8 text (it looks like UTF-16); save it as UTF-8"]


def test_a_byte_order_mark_is_tolerated(load: Load) -> None:
    assert messages(load({FILE: "\ufeff" + json.dumps(case())})) == []


def test_ten_thousand_duplicate_keys_take_no_time(load: Load) -> None:
    started = time.monotonic()
    suite = load({FILE: "{" + '"id": "a",' * 10_000 + '"prompt": "x", "evaluator_id": "match"}'})
    assert len(suite.problems) == 1
    assert time.monotonic() - started < 5


def test_a_wide_file_of_tools_that_are_not_there_is_reported_in_bounded_time(load: Load) -> None:
    started = time.monotonic()
    suite = load({FILE: case(tool_ids=[f"tool{number}" for number in range(20_000)])})
    (test,) = suite.tests
    assert len(test.metadata["tools_left_out"]) == 20_000
    assert [note.message.count("tool") < 20 for note in suite.notes] == [True]
    assert time.monotonic() - started < 10


def test_markup_and_templates_in_a_suite_stay_text(load: Load) -> None:
    hostile = "[@click=app.quit]x[/] {prompt} {{7*7}} ${HOME} \x1b]0;x\x07"
    suite = load({FILE: case(prompt=hostile, name=hostile)})
    assert suite.problems == []
    assert suite.tests[0].prompt == hostile


def test_plugins_are_not_touched_by_loading(load: Load, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    load({FILE: case(), "plugins/evil.py": f"open({str(marker)!r}, 'w')"})
    assert not marker.exists()
