"""Which `suite.json` is read: the one beside the domains, else one beside their folder that has a key of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.core.suite.conftest import case

Load = Callable[[dict[str, Any]], Any]
D = "test_definitions"
_TEST = {f"{D}/d/level_1/a.json": case()}


def _notes(suite: Any) -> list[str]:
    return [str(note) for note in suite.notes if "suite.json" in str(note)]


def test_settings_beside_the_folder_of_the_domains_are_read(load: Load) -> None:
    suite = load({"suite.json": {"dialect": "evonic"}, **_TEST})
    assert (suite.dialect, suite.problems, _notes(suite)) == ("evonic", [], [])


def test_those_beside_the_domains_go_first_and_the_others_are_named(load: Load) -> None:
    suite = load({"suite.json": {"dialect": "evonic"}, f"{D}/suite.json": {"dialect": "modex"}, **_TEST})
    assert suite.dialect is None
    assert _notes(suite) == [f"suite.json: is not read: {D}/suite.json holds the settings; leave one of the two out"]


def test_a_file_of_another_program_is_not_ours_and_is_named(load: Load) -> None:
    for text in ('{"name": "x"}', "no JSON", "\udcff".encode("utf-8", "surrogateescape")):
        suite = load({"suite.json": text, **_TEST})
        assert suite.problems == []
        assert _notes(suite) == ["suite.json: is not read: it has none of dialect, tool_ids_mode, ignore_case"]


def test_a_mistake_in_it_is_told_with_its_line(load: Load) -> None:
    suite = load({"suite.json": '{\n"dialect": "evonik"}', **_TEST})
    (problem,) = suite.problems
    assert (problem.path, problem.line) == ("suite.json", 2)
    broken = load({"suite.json": '{"dialect": ', **_TEST})
    assert [problem.path for problem in broken.problems] == ["suite.json"]


def test_a_suite_that_is_the_folder_of_its_domains_has_one(load: Load, tmp_path: Any) -> None:
    load({f"{D}/suite.json": {"dialect": "evonic"}, **_TEST})
    from modex.core.suite.loading import load_suite

    assert load_suite(tmp_path / "suite" / D).dialect == "evonic"
