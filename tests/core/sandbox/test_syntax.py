"""Code that does not parse is found without a line of it being run."""

from __future__ import annotations

import pytest

from modex.core.sandbox.javascript import javascript_unavailable
from modex.core.sandbox.syntax import syntax_fault
from tests.rows import each_row


@each_row(
    ("code", "fault"),
    [
        ("result = 1", None),
        ("return 3", None),  # the sandbox's Python takes it, and so does the mock
        ("result = f'{'a'}'", None),  # as of Python 3.12, whatever runs modex
        ("while True:\n    pass", None),  # nothing is run
        ("result = '\\d'", None),
        ("x = 1\ndef f(:\n  pass", "invalid syntax (line 2 of the code)"),
        ("a\x00b", "source code string cannot contain null bytes"),
    ],
)
def test_python_that_does_not_parse_is_named_with_its_line(code: str, fault: str | None) -> None:
    assert syntax_fault("python", code) == fault


@pytest.mark.skipif(javascript_unavailable() is not None, reason="the extra for JavaScript is not installed")
@each_row(
    ("code", "fault"),
    [
        ("var a = {b: 1}; a", None),
        ("while (true) {}", None),
        ("undefinedName", None),
        ("var a = {;", "invalid property name"),
        ("return 3", "return not in a function"),
    ],
)
def test_javascript_that_does_not_parse_is_named(code: str, fault: str | None) -> None:
    assert syntax_fault("javascript", code) == fault


def test_a_language_that_is_not_here_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.sandbox.javascript.javascript_unavailable", lambda: "no")
    assert syntax_fault("javascript", "var not_here = {;") is None
    monkeypatch.setattr("modex.core.sandbox.python.python_unavailable", lambda: "no")
    assert syntax_fault("python", "not here (") == "'(' was never closed (line 1 of the code)"
