"""Files that are named from outside are read by one bounded reader: no pipe hangs it, no device fills memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects import promptfoo
from modex.core.edge.imports import archives, lm_eval, records
from modex.core.features.review import files as labelled
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline import plugins
from modex.core.suite import labels
from modex.core.suite.editing import changes
from modex.tui.features.gate import command as gate
from modex.tui.features.review import propose_command as proposing

Reader = Callable[[Path], Any]
READERS: dict[str, Reader] = {
    "log of one object": records.read_file,
    "log of lines": lambda path: list(lm_eval._rows(path)),
    "archive": archives.Archive,
    "labels of people, csv": lambda path: list(labelled._records(path, "csv")),
    "labels of people, jsonl": lambda path: list(labelled._records(path, "jsonl")),
    "promptfoo's configuration": lambda path: promptfoo._text_of(path, path),
    "proposals": lambda path: proposing.confirm_file(path.parent / "runs.db", "e", path, "me"),
    "quarantine": lambda path: list(gate._named((f"@{path}",))),
    "plugin": lambda path: plugins._read(path, path.parent),
    "known labels": labels.load_labels,
    "file of the suite": lambda path: changes.read_file(path.parent, path.name),
}


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_a_device_and_a_folder_are_refused(name: str, tmp_path: Path) -> None:
    pipe, device, folder = tmp_path / "pipe.json", tmp_path / "device.json", tmp_path / "folder.json"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    folder.mkdir()
    for path in (pipe, device, folder):
        with pytest.raises(ConfigurationError):
            READERS[name](path)


@pytest.mark.parametrize(
    ("name", "depths"),
    [
        ("log of one object", (400, 100_000)),
        ("log of lines", (400, 100_000)),
        ("labels of people, jsonl", (100_000,)),
        ("known labels", (400, 100_000)),
    ],
)
def test_deep_json_is_a_plain_message(name: str, depths: tuple[int, ...], tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    for depth in depths:
        path.write_text('{"a":' * depth + "1" + "}" * depth)
        with pytest.raises(ConfigurationError):
            READERS[name](path)


def test_a_line_and_a_file_without_end_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lm_eval, "MAX_LINE_BYTES", 1000)
    monkeypatch.setattr(records, "MAX_FILE_BYTES", 1000)
    path = tmp_path / "long.json"
    path.write_text('{"a": "' + "x" * 2000 + '"}')
    with pytest.raises(ConfigurationError, match="line 1 is longer"):
        list(lm_eval._rows(path))
    with pytest.raises(ConfigurationError, match="larger than"):
        records.read_file(path)
