"""Exceptions with other arguments than one text, as the sandbox's Python can make them."""

from __future__ import annotations

from modex.core.sandbox.python import python_session
from modex.core.sandbox.raised import with_texts
from tests.rows import each_row


@each_row(
    ("code", "made"),
    [
        ("raise ValueError(3)", "raise ValueError(str(3))"),
        ("raise ValueError(a, 'ü', b)", "raise ValueError(str((a, 'ü', b)))"),
        ("ä = 1; raise ValueError(ä)", "ä = 1; raise ValueError(str(ä))"),
        ("raise ValueError('x')", "raise ValueError('x')"),
        ("raise ValueError(f'{x}')", "raise ValueError(f'{x}')"),
        ("raise ValueError()", "raise ValueError()"),
        ("raise ValueError", "raise ValueError"),
        ("raise ValueError(*x)", "raise ValueError(*x)"),
        ("raise ValueError(x for x in y)", "raise ValueError(x for x in y)"),
        ("raise ValueError(\n    1,\n    2,\n)", "raise ValueError(\n    str((1,\n    2)),\n)"),
        ("raise ValueError((1))", "raise ValueError((str(1)))"),
        ("raise KeyError(ValueError(1))", "raise KeyError(str(ValueError(str(1))))"),
        ("except_(StopIteration(5))", "except_(StopIteration(str(5)))"),
        (
            "class ValueError(Exception): pass\nraise ValueError(3)",
            "class ValueError(Exception): pass\nraise ValueError(3)",
        ),
        ("print('ValueError(3)')", "print('ValueError(3)')"),
        ("int(3)", "int(3)"),
        ("raise ValueError(3", "raise ValueError(3"),
    ],
)
def test_the_arguments_of_an_exception_become_its_text(code: str, made: str) -> None:
    assert with_texts(code) == made


@each_row(
    ("code", "kind", "said"),
    [
        ("raise ValueError(3)", "ValueError", "ValueError: 3"),
        ("raise TypeError('a', 1)", "TypeError", "TypeError: ('a', 1)"),
        ("raise IndexError(None)", "IndexError", "IndexError: None"),
        ("raise OSError(2, 'x')", "OSError", "OSError: (2, 'x')"),
        ("try:\n    raise ValueError(3)\nexcept ValueError as e:\n    raise KeyError(str(e) + '!')", "KeyError", "3!"),
    ],
)
def test_an_exception_with_any_arguments_is_what_it_is(code: str, kind: str, said: str) -> None:
    with python_session(2) as session:
        ran = session.run(code)
    assert ran.error_type == kind
    assert said in (ran.error or "")
