"""Code that fails for what its sandbox does not have is told from code that is wrong."""

from __future__ import annotations

import pytest

from modex.core.sandbox.lacks import lacking
from modex.core.sandbox.python import Ran
from tests.rows import each_row


def failed(kind: str, words: str) -> Ran:
    return Ran(error=f"Traceback (most recent call last):\n  File x\n{kind}: {words}\n", error_type=kind)


@each_row(
    ("ran", "lacks"),
    [
        (failed("ModuleNotFoundError", "No module named 'numpy'"), "module numpy"),
        (failed("ModuleNotFoundError", "No module named 'scipy.stats'"), "module scipy.stats"),
        (failed("ImportError", "cannot import name 'x' from 'math' (unknown location)"), None),
        (failed("NotImplementedError", "The monty syntax parser does not yet support yield expressions"), None),
        (failed("AttributeError", "'str' object has no attribute 'isidentifier'"), None),
        (failed("NameError", "name 'memoryview' is not defined"), None),
        (failed("ValueError", "No module named 'numpy'"), None),
        (Ran(3), None),
        (Ran(error="", error_type="ModuleNotFoundError"), None),
    ],
)
def test_python_itself_lacks_packages_only(ran: Ran, lacks: str | None) -> None:
    assert lacking(ran, "f()", partial=False) == lacks


@each_row(
    ("ran", "lacks"),
    [
        (failed("ModuleNotFoundError", "No module named 'heapq'"), "module heapq"),
        (failed("NotImplementedError", "yield is not there"), "yield is not there"),
        (failed("NotImplementedError", ""), "a part of Python"),
        (failed("SyntaxError", "del is not there"), "del is not there"),
        (
            failed("ImportError", "cannot import name 'ChainMap' from 'collections' (unknown location)"),
            "collections.ChainMap",
        ),
        (failed("ImportError", "cannot import name 'Nothing' from 'collections' (unknown location)"), None),
        (failed("ImportError", "cannot import name 'x' from 'antigravity' (unknown location)"), None),
        (failed("NameError", "name 'memoryview' is not defined"), "memoryview"),
        (failed("NameError", "name 'reslut' is not defined"), None),
        (failed("AttributeError", "'str' object has no attribute 'isidentifier'"), "str.isidentifier"),
        (failed("AttributeError", "type object 'int' has no attribute 'from_bytes'"), "int.from_bytes"),
        (failed("AttributeError", "'str' object has no attribute 'push'"), None),
        (failed("AttributeError", "module 'math' has no attribute 'cbrt'"), "math.cbrt"),
        (failed("AttributeError", "module 'math' has no attribute 'sine'"), None),
        (failed("AttributeError", "'Own' object has no attribute 'x'"), None),
        (failed("TypeError", "name 'memoryview' is not defined"), None),
    ],
)
def test_a_part_of_python_lacks_more(ran: Ran, lacks: str | None) -> None:
    assert lacking(ran, "f()", partial=True) == lacks


@pytest.mark.parametrize("code", ["raise NotImplementedError", "raise NotImplementedError('later')"])
def test_what_the_code_itself_leaves_open_is_its_own_fault(code: str) -> None:
    assert lacking(failed("NotImplementedError", "later"), code, partial=True) is None


@pytest.mark.parametrize("code", ["def f(:", "x = '\0'", "(" * 5000])
def test_what_is_no_python_is_its_own_fault(code: str) -> None:
    assert lacking(failed("SyntaxError", "invalid syntax"), code, partial=True) is None
