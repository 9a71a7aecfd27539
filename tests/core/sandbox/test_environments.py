"""Environments of packages, made of wheels that lie here: no index is asked."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from modex.core.sandbox import environments
from modex.core.sandbox.environments import PackagesError, environment, environments_folder, versions

pytestmark = pytest.mark.process
SAID = list[str]


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one wheel, where installers look instead of an index."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    info = "tiny_sums-1.2.dist-info"
    with zipfile.ZipFile(folder / "tiny_sums-1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_sums.py", "def total(values): return sum(values)\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-sums\nVersion: 1.2\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("MODEX_CACHE", str(tmp_path / "cache"))
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.setenv(name, str(folder))
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(environments, "_failed", {})
    return folder


@pytest.mark.long
def test_a_set_is_made_once_told_and_found_again(wheels: Path) -> None:
    said = SAID()
    place = environment(["tiny-sums == 1.2"], said.append)
    assert said == ["making an environment with tiny-sums==1.2: this is done once", "made: tiny-sums 1.2"]
    assert (place / "tiny_sums.py").is_file()
    assert versions(place) == {"tiny-sums": "1.2"}
    assert environment(["tiny-sums==1.2", "tiny-sums==1.2"], said.append) == place
    assert len(said) == 2
    assert place.parent == environments_folder()
    assert environment(["tiny-sums"], said.append) != place


@pytest.mark.long
def test_what_there_is_not_is_said_and_not_tried_again(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = SAID()
    for _ in range(2):
        with pytest.raises(
            PackagesError, match=r"tiny-sums==9 cannot be installed, there is no such package or version"
        ) as caught:
            environment(["tiny-sums==9"], said.append)
        assert "check the name and version in the test's `packages`" in str(caught.value)
    assert len(said) == 1
    assert [path.suffix for path in environments_folder().iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("complaint", "why"),
    [
        (
            "WARNING: Retrying … Failed to establish a new connection\nERROR: No matching distribution found for x",
            "the package index is not reached",
        ),
        ("error: Failed to fetch\n  Caused by: dns error", "the package index is not reached"),
        ("error: No solution found when resolving dependencies", "there is no such package or version as a wheel"),
        ("/usr/bin/python3: No module named venv", "neither uv nor venv"),
        ("ERROR: odd", "the installer failed"),
    ],
)
def test_how_an_installer_fails_is_told(
    wheels: Path, monkeypatch: pytest.MonkeyPatch, complaint: str, why: str
) -> None:
    def run(*_: Any, **__: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", complaint)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(PackagesError, match=why):
        environment(["x"])


def test_a_cache_that_cannot_be_written_is_named(wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MODEX_CACHE", str(tmp_path / "file"))
    with pytest.raises(PackagesError, match="cannot be written"):
        environment(["tiny-sums"])


@pytest.mark.long
def test_a_test_has_its_packages_and_no_other_answer_has_them(wheels: Path, boxes: None) -> None:
    from modex.core.foundation.errors import JudgeError
    from tests.core.evaluators.code.test_program_trial import judged

    code = "from tiny_sums import total\ndef f(x): return total(x)"
    cases = {"function": "f", "cases": [{"args": [[1, 2]], "returns": 3}, {"check": "f([1]) == 1"}]}
    test = "import tiny_sums\ndef check(candidate):\n    assert candidate([1, 2]) == tiny_sums.total([1, 2])"
    assert judged(code, cases, packages=["tiny-sums==1.2"]).score == 1.0
    assert judged(code, {"function": "f", "test": test}, packages=["tiny-sums==1.2"]).score == 1.0
    program = {"cases": [{"input": "1 2", "output": "3"}]}
    assert (
        judged(
            "from tiny_sums import total\nprint(total(map(int, input().split())))", program, packages=["tiny-sums"]
        ).score
        == 1
    )
    with pytest.raises(JudgeError, match=r'"packages": \["tiny_sums"\]'):
        judged(code, cases)
    with pytest.raises(JudgeError, match="no such package"):
        judged(code, cases, packages=["tiny-sums==9"])
