"""JavaScript that changes the language's own functions ends cleanly: with its value, or with a fault of its own."""

from __future__ import annotations

import pytest

from core.sandbox.javascript import javascript_unavailable, run_javascript

pytestmark = pytest.mark.skipif(
    javascript_unavailable() is not None, reason="the extra for JavaScript is not installed"
)


@pytest.mark.parametrize(
    ("code", "value", "error"),
    [
        ("JSON.stringify = function () { return {} }; 1", 1, None),
        ("JSON.stringify = null; ({a: 1})", {"a": 1}, None),
        ("__written = function () { return 1 }; 3", 3, None),
        (
            "Array.prototype.join = function () { return 5 }; console.log('x'); 2",
            None,
            "its answer cannot be written as JSON",
        ),
        (
            "Object.prototype.toJSON = function () { return undefined }; ({})",
            None,
            "its answer cannot be written as JSON",
        ),
    ],
)
def test_code_that_replaces_what_writes_its_answer_ends_cleanly(code: str, value: object, error: str | None) -> None:
    ran = run_javascript(code, {"args": {}})
    assert (ran.value, ran.error) == (value, error)
