"""What a test may say of its sandbox, and what is said where it cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.sandbox.workspace.spec import (
    WORKSPACE_LIMITS,
    Check,
    WorkLimits,
    checks_of,
    has_workspace,
    part_of,
    path_fault,
    sandbox_fault,
)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"packages": ["numpy==2.3"], "limits": {"seconds": 60, "memory_mb": 8192}},
        {"solution": "def f(): pass"},
        {"files": {}},
        {"files": {"a/b.py": "x"}, "needs": ["git", "g++"], "checks": ["true"], "tests": {"t.py": ""}},
        {"workspace": "given/mend", "tests": "given/hidden", "solution": {"folder": "given/solved"}},
        {
            "checks": [{"run": "x", "stdin": "", "prints": "", "exit": 255}],
            "solution": {"files": {"a": ""}, "run": "make"},
        },
        {"files": {"a": ""}, "limits": dict(WORKSPACE_LIMITS)},
        {"files": {"a": ""}, "places": ["/app", "/data/in", "/data2"]},
        {"files": {"a": ""}, "places": []},
        {"files": {"a": ""}, "places": [f"/p{n}" for n in range(20)]},
    ],
)
def test_what_holds(value: dict[str, Any]) -> None:
    assert sandbox_fault(value) is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "not null"),
        ([], "not a list"),
        (True, "not true"),
        (3, "not the number 3"),
        ("", "not an empty text"),
        ("x", "not the text 'x'"),
        ({"digest": {}}, "does not know 'digest'"),
        ({"places": "/app"}, "must list places of its folder"),
        ({"places": ["/app", 3]}, "must list places of its folder"),
        ({"places": [f"/p{n}" for n in range(21)]}, "at most 20"),
        ({"places": ["app"]}, '"app" must be absolute, with plain steps'),
        ({"places": ["/"]}, '"/" must be absolute, with plain steps'),
        ({"places": ["/app/"]}, '"/app/" must be absolute, with plain steps'),
        ({"places": ["/app/../etc"]}, "must be absolute, with plain steps"),
        ({"places": ["/app", "/etc/x"]}, '"/etc/x" is the system\'s'),
        ({"places": ["/tmp"]}, '"/tmp" is the system\'s'),
        ({"places": ["/app", "/app/data"]}, "has a place within another one"),
        ({"places": ["/app/data", "/app"]}, "has a place within another one"),
        ({"places": ["/app", "/app"]}, "has a place twice"),
        ({"file": {}}, "known are checks, files, limits, needs, packages, places, solution, tests, workspace"),
        ({"packages": "numpy"}, "list its packages, not the text 'numpy'"),
        ({"packages": ["numpy", 3]}, "must name packages"),
        ({"limits": []}, "seconds above 0 and at most 60"),
        ({"limits": {"seconds": 61}}, "seconds above 0 and at most 60"),
        ({"limits": {"memory_mb": True}}, "memory_mb above 0"),
        (
            {"limits": {"calls": 3}},
            "does not know the limit 'calls'; known are seconds, memory_mb; the others are those of a",
        ),
        ({"limits": {"colour": 3}}, "does not know the limit 'colour'; known are seconds, memory_mb"),
        ({"files": {}, "limits": {"seconds": 601}}, "at most 600"),
        ({"files": {}, "limits": {"calls": 201}}, "calls above 0 and at most 200"),
        ({"files": {}, "limits": {"calls": 2.5}}, "a whole number as its limit calls"),
        ({"files": {}, "limits": {"processes": 0.5}}, "a whole number as its limit processes"),
        ({"files": {}, "limits": {"x": 1}}, "does not know the limit 'x'"),
        ({"needs": "git"}, "must list the programs"),
        ({"needs": ["git; rm"]}, "must list the programs"),
        ({"files": ["a"]}, "must have files such as"),
        ({"files": {"a": 1}}, "must have files such as"),
        ({"files": {"../a": ""}}, '"../a" must have plain steps'),
        ({"files": {"/a": ""}}, '"/a" is absolute'),
        ({"files": {"": ""}}, '"" is no name of a file'),
        ({"files": {"a": "", "a/b": ""}}, "has 'a' among its files as a file and as a folder"),
        ({"files": {f"f{n}": "" for n in range(2001)}}, "at most 2,000 files"),
        ({"workspace": ""}, "name a folder or a git bundle"),
        ({"workspace": {}}, "name a folder or a git bundle"),
        ({"tests": 3}, "name a folder of the suite"),
        ({"tests": {"a//b": ""}}, "among its tests"),
        ({"checks": "true"}, "must list its checks"),
        ({"checks": ["true"] * 101}, "at most 100"),
        ({"checks": [" "]}, "number 1 has no command"),
        ({"checks": ["a", {"prints": "x"}]}, "number 2 has no command"),
        ({"checks": [{"run": "a", "print": "x"}]}, "number 1 with 'print'"),
        ({"checks": [{"run": "a", "prints": 3}]}, "whose stdin or prints is no text"),
        ({"checks": [{"run": "a", "stdin": 3}]}, "whose stdin or prints is no text"),
        ({"checks": [{"run": "a", "exit": 256}]}, "whose exit is no whole number"),
        ({"checks": [{"run": "a", "exit": True}]}, "whose exit is no whole number"),
        ({"checks": [{"run": "a", "exit": -1}]}, "whose exit is no whole number"),
        ({"solution": {}}, "must have a solution as text"),
        ({"solution": {"patch": ""}}, "must have a solution as text"),
        ({"solution": {"run": ""}}, "texts as its solution's folder and command"),
        ({"solution": {"folder": 3}}, "texts as its solution's folder and command"),
        ({"solution": {"files": {"..": ""}}}, "solution's files"),
    ],
)
def test_what_does_not_is_said(value: Any, words: str) -> None:
    assert words in (sandbox_fault(value) or "")


def test_a_test_without_a_folder_and_checks_has_no_workspace() -> None:
    assert [
        has_workspace(one) for one in ({}, {"packages": ["x"], "limits": {}, "needs": ["git"], "solution": ""})
    ] == [False] * 2
    assert all(has_workspace({key: {}}) for key in ("files", "workspace", "checks"))


def test_checks_are_commands_or_objects() -> None:
    full = {"run": "x", "stdin": "1", "prints": "2", "exit": 3}
    assert checks_of({"checks": ["make", full]}) == (Check("make"), Check("x", "1", 3, "2"))
    assert checks_of({}) == ()


def test_limits_have_defaults() -> None:
    assert WorkLimits.of({}) == WorkLimits(60.0, 2048.0, 16.0, 64, 40, 64.0)
    given = {"seconds": 1, "memory_mb": 2, "output_kb": 3, "processes": 4, "calls": 5, "size_mb": 6}
    assert WorkLimits.of({"limits": given}) == WorkLimits(1.0, 2.0, 3.0, 4, 5, 6.0)


@pytest.mark.parametrize(
    ("path", "sound"),
    [("a", True), ("a/b c/ü", True), ("a" * 1000, True), ("a" * 1001, False), ("a\0", False), ("a/", False), ("./a", False),
     ("a/..", False), ("a\nb", True)],
)  # fmt: skip
def test_paths(path: str, sound: bool) -> None:
    assert (path_fault(path) is None) == sound


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/app", ""),
        ("/app/a/b", "a/b"),
        ("/data", ".at/data"),
        ("/data/x", ".at/data/x"),
        ("/application", None),
        ("/database", None),
        ("a", None),
        ("/", None),
    ],
)
def test_what_is_at_a_place_is_a_part_of_the_folder(path: str, part: str | None) -> None:
    assert part_of(("/app", "/data"), path) == part
    assert part_of((), path) is None


def test_places_are_among_the_limits_that_a_folder_has() -> None:
    assert WorkLimits.of({"places": ["/app", "/data"]}).places == ("/app", "/data")
    assert WorkLimits.of({}).places == ()
