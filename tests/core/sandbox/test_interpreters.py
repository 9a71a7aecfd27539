"""Which sandbox is taken."""

from __future__ import annotations

import pytest

from modex.core.sandbox import interpreters
from modex.core.sandbox.bubblewrap.session import BoxedSession
from modex.core.sandbox.interpreters import chosen, interpreter, real_python_missing, unavailable
from modex.core.sandbox.python import PythonSession, close_python


def _here(monkeypatch: pytest.MonkeyPatch, reason: str | None) -> None:
    monkeypatch.setattr(interpreters, "bubblewrap_unavailable", lambda: reason)


def test_namespaces_come_first_where_they_work(monkeypatch: pytest.MonkeyPatch) -> None:
    _here(monkeypatch, None)
    assert chosen("auto") == "bubblewrap"
    assert real_python_missing("auto") is None
    _here(monkeypatch, "none here")
    assert chosen("auto") == "monty"
    assert unavailable("auto") is None
    assert real_python_missing("auto") == "it needs Python itself, and none here"


def test_a_sandbox_that_is_named_is_the_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _here(monkeypatch, "none here")
    assert (chosen("bubblewrap"), unavailable("bubblewrap")) == ("bubblewrap", "none here")
    assert real_python_missing("bubblewrap") == "it needs Python itself, and none here"
    _here(monkeypatch, None)
    assert (chosen("monty"), unavailable("monty")) == ("monty", None)
    said = real_python_missing("monty")
    assert said is not None
    assert said.startswith("it needs Python itself, and the sandbox `monty` has a part of it; install bubblewrap")
    monkeypatch.setattr(interpreters, "python_unavailable", lambda: "no monty")
    assert unavailable("monty") == "no monty"
    assert unavailable("bubblewrap") is None


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_each_runs_code() -> None:
    with interpreter("bubblewrap", 2) as boxed:
        assert isinstance(boxed, BoxedSession)
        assert boxed.run("x + 1", {"x": 2}).value == 3
    with interpreter("monty", 2) as small:
        assert isinstance(small, PythonSession)
        assert small.run("x + 1", {"x": 2}).value == 3
    close_python()
