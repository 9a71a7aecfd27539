"""JavaScript that changes the language's own functions ends cleanly: with its value, or with a fault of its own."""

from __future__ import annotations

import pytest

from modex.core.sandbox.javascript import MAX_CODE_CHARS, javascript_unavailable, run_javascript
from modex.core.sandbox.python import Ran
from modex.core.sandbox.worker import ChildReply
from tests.rows import each_row

pytestmark = pytest.mark.skipif(
    javascript_unavailable() is not None, reason="the extra for JavaScript is not installed"
)


@each_row(
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


@each_row(
    ("code", "answer"),
    [
        ("args.x + 1", {"value": "3", "printed": ""}),
        ("undefined", {"value": "null", "printed": ""}),
        ("null", {"value": "null", "printed": ""}),
        (
            "console.log('a', 1, {b: 2}); console.error('no'); console.info('c'); 's'",
            {"value": '"s"', "printed": 'a 1 {"b":2}\nc'},
        ),
        ("process.stdout.write('a\\n'); process.stdout.write('b'); 0", {"value": "0", "printed": "a\nb"}),
        ("console.log(new Array(65537).join('x')); 1", {"value": "1", "printed": "x" * 65_536}),
        ("console.log(new Array(65538).join('x')); 1", {"value": "1", "printed": ""}),
        (
            "console.log('ab'); console.log(new Array(65535).join('x')); 1",
            {"value": "1", "printed": "ab\n" + "x" * 65_534},
        ),
        ("console.log('ab'); console.log(new Array(65536).join('x')); 1", {"value": "1", "printed": "ab"}),
        ("typeof require + typeof dukpy", {"value": '"undefinedobject"', "printed": ""}),
    ],
)
def test_the_child_tells_the_last_value_as_json_and_what_was_printed(code: str, answer: dict[str, str]) -> None:
    from modex.core.sandbox.javascript_child import run

    assert run({"code": code, "inputs": {"args": {"x": 2}}}) == answer


def test_the_child_tells_the_first_line_of_an_error_cut_where_it_is_long() -> None:
    from modex.core.sandbox.javascript_child import run

    assert "ReferenceError" in run({"code": "nothing", "inputs": {}})["error"]
    said = run({"code": "throw new Error(new Array(700).join('x') + '\\nmore')", "inputs": {}})["error"]
    assert (len(said), "more" in said) == (500, False)


@pytest.mark.parametrize(
    ("reply", "ran"),
    [
        (ChildReply("ok", {"value": '{"a": 1}', "printed": "p"}), Ran({"a": 1}, "p")),
        (ChildReply("ok", {"value": None, "printed": ""}), Ran()),
        (ChildReply("ok", {"error": "e"}), Ran(error="e", error_type="Error")),
        (ChildReply("ok", {"failed": "f"}), Ran(error="f", error_type="Error")),
        (
            ChildReply("timeout"),
            Ran(error="the code took more than 2 s or 512 MB; its interpreter was ended", error_type="Ended"),
        ),
    ],
)
def test_what_became_of_a_child_is_what_the_code_did(
    monkeypatch: pytest.MonkeyPatch, reply: ChildReply, ran: Ran
) -> None:
    asked: list[object] = []

    class Pool:
        def ask(self, request: dict[str, object], **limits: float) -> ChildReply:
            asked.append((request, limits))
            return reply

    monkeypatch.setattr("modex.core.sandbox.javascript.shared_pool", lambda module, *, site: Pool() if site else None)
    assert run_javascript("x" * MAX_CODE_CHARS, {"args": 1}) == ran
    assert asked == [({"code": "x" * MAX_CODE_CHARS, "inputs": {"args": 1}}, {"wall_s": 10.0, "cpu_s": 2.0})]
    long = run_javascript("x" * (MAX_CODE_CHARS + 1), {})
    assert (long.error, long.error_type, len(asked)) == ("the code has more than 50,000 characters", "TooLong", 1)
