"""What a box is handed in of ours: compiled code that says nothing of this machine, and little of the library."""

from __future__ import annotations

import marshal
import sys
from pathlib import Path
from types import CodeType

import pytest

from modex.core.sandbox.bubblewrap.loading import handed_in
from modex.core.sandbox.bubblewrap.session import boxed_session
from tests.rows import each_row

FOLDER = "modex.core.sandbox.bubblewrap"


@each_row(
    ("serving", "guarded", "names"),
    [
        ("inside", False, ["pipe", "values", "remote", "inside"]),
        ("inside", True, ["pipe", "values", "asserting", "remote", "inside"]),
        ("running", False, ["pipe", "running"]),
    ],
)
def test_a_box_is_handed_what_it_serves_with(serving: str, guarded: bool, names: list[str]) -> None:
    text = handed_in(serving, guarded=guarded)
    body = text[4:]
    assert int.from_bytes(text[:4], "big") == len(body)
    modules = marshal.loads(body)
    assert [name for name, _ in modules] == [f"{FOLDER}.{name}" for name in names]
    assert [code.co_filename for _, code in modules] == [f"/modex/{name}.py" for name in names]
    assert str(Path.cwd()).encode() not in text


def test_what_is_handed_in_is_made_once() -> None:
    assert handed_in("inside", guarded=False) is handed_in("inside", guarded=False)
    assert isinstance(marshal.loads(handed_in("running", guarded=False)[4:])[0][1], CodeType)


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_an_interpreter_starts_with_little_of_the_library() -> None:
    with boxed_session(5) as session:
        loaded = set(session.run("import sys\nsorted(sys.modules)").value)
    assert f"{FOLDER}.inside" in loaded
    assert not loaded & {"json", "re", "typing", "enum", "collections", "functools", "struct", "os", "signal"}
    assert not {name for name in loaded if name.startswith("modex")} - {
        f"{FOLDER}.{name}" for name in ("pipe", "values", "remote", "inside")
    }
    assert sys.implementation.name == "cpython"
