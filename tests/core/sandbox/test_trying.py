"""What is said of a sandbox after four programs were run in it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from modex.core.sandbox import trying
from modex.core.sandbox.python import Ran, close_python
from modex.core.sandbox.trying import TriedSandbox, try_sandbox
from tests.rows import each_row

ALL = ("reading a file of this machine", "a connection to this machine", "starting a process")


class Loose:
    """A sandbox that is none: what is run in it is done here."""

    def __init__(self, refused: str = "") -> None:
        self.refused = refused

    def run(self, code: str, inputs: Mapping[str, Any] | None = None) -> Ran:
        del inputs
        if self.refused and self.refused in code:
            return Ran(error="refused", error_type="PermissionError")
        if "create_connection" in code:
            port = int(code.split(", ")[1].rstrip(")"))
            socket.create_connection(("127.0.0.1", port), 2).close()
            return Ran(error="it says that it was refused")
        return Ran(6)


def _put(monkeypatch: pytest.MonkeyPatch, box: Any) -> None:
    @contextlib.contextmanager
    def interpreter(*_: Any) -> Iterator[Any]:
        yield box

    monkeypatch.setattr(trying, "interpreter", interpreter)
    monkeypatch.setattr(trying, "unavailable", lambda _: None)


def test_what_a_sandbox_lets_through_is_named_whatever_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    _put(monkeypatch, Loose())
    tried = try_sandbox("monty")
    assert (tried.held, tried.let_through, tried.is_sound) == ((), ALL, False)
    assert str(tried).startswith("lets programs do what they must not: reading a file of this machine, ")
    _put(monkeypatch, Loose("fork"))
    assert try_sandbox("monty").let_through == ALL[:2]


@each_row(
    ("ran", "said"),
    [
        (Ran(7), "a harmless program gave 7; read what it says, then install it again"),
        (Ran(error="no memory"), "a harmless program gave no memory; read what it says, then install it again"),
    ],
)
def test_a_harmless_program_that_fails_is_a_fault(ran: Ran, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def run(self, *_: Any) -> Ran:
            return ran

    _put(monkeypatch, Broken())
    assert (str(try_sandbox("monty")), try_sandbox("monty").is_sound) == (said, False)


def test_one_that_is_not_here_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "unavailable", lambda _: "it is not here; install it")
    assert try_sandbox("bubblewrap") == TriedSandbox("bubblewrap", "it is not here; install it")


@pytest.mark.process
@pytest.mark.parametrize("name", ["monty", "bubblewrap"])
def test_the_sandboxes_hold(name: Any, request: pytest.FixtureRequest) -> None:
    if name == "bubblewrap":
        request.getfixturevalue("boxes")
    assert try_sandbox(name) == TriedSandbox(name, None, ALL)
    close_python()
