"""Whether code is code at all: it is parsed where it would run, and none of it is executed."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

_WAIT_S = 2.0


@lru_cache(maxsize=512)
def syntax_fault(language: str, code: str) -> str | None:
    """What is wrong with the form of `code` (`python`, `javascript`), with its line where that is known; None where nothing is.

    A language that this machine cannot run is not looked at.
    """
    return _in_javascript(code) if language == "javascript" else _in_python(code)


def _in_python(code: str) -> str | None:
    """The sandbox's Python is newer than the oldest that modex runs on: it is asked before anything is called a mistake."""
    from modex.core.sandbox.python import python_session, python_unavailable

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        words, line = error.msg, error.lineno
    except (ValueError, RecursionError, MemoryError) as error:
        words, line = str(error) or type(error).__name__, None
    else:
        return None
    if python_unavailable() is None:
        with python_session(_WAIT_S) as interpreter:
            # What is not reached is parsed all the same.
            if interpreter.run(f"return\n{code}").error_type != "SyntaxError":
                return None
    return f"{words} (line {line} of the code)" if line else words


def _in_javascript(code: str) -> str | None:
    from modex.core.sandbox.javascript import javascript_unavailable, run_javascript

    if javascript_unavailable() is not None:
        return None
    said = run_javascript(f"throw 0;\n{code}", {}).error or ""
    kind, _, words = said.partition(": ")
    return words if kind == "SyntaxError" else None
