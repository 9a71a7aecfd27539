from __future__ import annotations

import json
from pathlib import Path

import pytest

from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.served import programs
from modex.core.llm.served.programs import find_program, words_of
from modex.core.llm.served.wish import Wish

_WISH = Wish("small", "/models/small.gguf", "abc", context=2048, slots=4, threads=3)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    server = tmp_path / "llama-server"
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return server


@pytest.fixture
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "WHEEL", "no_such_wheel")


def test_the_server_on_path_comes_first(on_path: Path) -> None:
    assert find_program().path == str(on_path)
    assert words_of(_WISH, 8123) == [
        str(on_path), "-m", "/models/small.gguf", "--host", "127.0.0.1", "--port", "8123", "--alias", "small", "--jinja",
        "-c", "8192", "-np", "4", "-t", "3",
    ]  # fmt: skip


def test_layers_and_a_template_are_said_where_they_are_wanted(on_path: Path) -> None:
    wish = Wish("a", "/a.gguf", context=10, slots=1, threads=1, gpu_layers="all", template="chatml")
    assert words_of(wish, 1)[-4:] == ["-ngl", "999", "--chat-template", "chatml"]
    assert words_of(Wish("a", "/a.gguf", context=1, slots=1, threads=1, gpu_layers=7), 1)[-2:] == ["-ngl", "7"]


def test_the_wheel_is_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "WHEEL", "pytest")  # any that is installed
    assert find_program().name.startswith("pytest ")
    words = words_of(_WISH, 8123)
    assert words[-2] == "modex.core.llm.served.host"
    assert json.loads(words[-1]) == {
        "file": "/models/small.gguf", "name": "small", "context": 8192, "slots": 4, "threads": 3, "template": "", "port": 8123
    }  # fmt: skip


@pytest.mark.usefixtures("nothing_here")
def test_without_either_the_command_that_installs_one_is_said() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install 'modex\[local\]'"):
        find_program()


def test_a_command_is_filled_in_word_by_word() -> None:
    wish = Wish("a", command="~/bin/serve --model 'my model' --port={port} -c {context} {slots}", context=512, slots=2)
    assert words_of(wish, 81) == [
        str(Path("~/bin/serve").expanduser()), "--model", "my model", "--port=81", "-c", "512", "2"
    ]  # fmt: skip


@pytest.mark.parametrize(("command", "said"), [("serve", r"\{port\}"), ("serve '{port}", "quotes"), ("", r"\{port\}")])
def test_a_command_that_cannot_be_meant_is_refused(command: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        words_of(Wish("a", command=command), 1)
