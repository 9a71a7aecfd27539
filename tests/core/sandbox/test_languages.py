"""The table of languages, and what of it this machine has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.sandbox.languages import LANGUAGES, ROOT, TOOL, LanguageMissingError, toolchain


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    toolchain.cache_clear()
    yield
    toolchain.cache_clear()


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_row_says_how_it_is_run_and_what_to_install(name: str) -> None:
    language = LANGUAGES[name]
    assert language.name == name
    assert name in language.tags or name == "go"
    assert language.file in " ".join((*language.run, *language.compiles))
    assert language.install or not language.tools
    assert not language.root or language.within


def test_python_is_this_one() -> None:
    chain = toolchain("python")
    assert chain.command(chain.language.run)[0] == chain.tool
    assert chain.version().startswith("Python 3.")


def test_a_language_that_is_not_here_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(LanguageMissingError, match=r"go needs go, which is not here; apt-get install golang-go"):
        toolchain("go")
    with pytest.raises(LanguageMissingError, match="javascript needs node or nodejs"):
        toolchain("javascript")


def _tool(folder: Path, name: str, root: str) -> Path:
    place = folder / "bin" / name
    place.parent.mkdir(parents=True)
    place.write_text(f'#!/bin/sh\n[ "$2" = GOROOT ] && echo {root} || echo {name} version 9\n')
    place.chmod(0o755)
    return place


def test_a_tool_outside_of_usr_is_shown_with_the_folder_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = _tool(tmp_path / "go", "go", str(tmp_path / "go"))
    monkeypatch.setenv("PATH", f"{place.parent}{os.pathsep}/bin")
    chain = toolchain("go")
    assert (chain.tool, chain.shows, chain.root) == (str(place), (str(tmp_path / "go"),), str(tmp_path / "go"))
    assert chain.environment["GOROOT"] == str(tmp_path / "go")
    assert chain.command((TOOL, ROOT, "main.go")) == [str(place), str(tmp_path / "go"), "main.go"]
    assert chain.version() == "go version 9"


def test_a_tool_whose_folder_is_not_known_or_the_home_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = _tool(tmp_path / "home", "go", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{place.parent}{os.pathsep}/bin")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(LanguageMissingError):
        toolchain("go")
    place.rename(place.with_name("rustc"))
    with pytest.raises(LanguageMissingError):
        toolchain("rust")


def test_of_a_tool_that_is_one_file_nothing_else_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = _tool(tmp_path / "own", "node", "")
    monkeypatch.setenv("PATH", str(place.parent))
    assert toolchain("javascript").shows == (str(place),)
