"""Mock answers that are computed: a few lines of Python or JavaScript that read the call's arguments."""

from __future__ import annotations

import json
import re
from typing import Any

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.sandbox.python import Ran
from modex.core.tools.base import ToolResult

LANGUAGES = ("python", "javascript")
"""Keys of a mock's entry that hold code, which stands in place of `response` and `error`."""
TIMEOUT_S = 2.0
_PYTHON_HEAD = "import json\nimport math\nimport re\nfrom datetime import datetime, timedelta\nresult = None\n"
_OWN_FAULTS = re.compile(
    r"(?:SyntaxError|NameError|UnboundLocalError|ImportError|ModuleNotFoundError|TimeoutError|MemoryError|RecursionError"
    r"|NotImplementedError|PermissionError|FileNotFoundError|OSError|ReferenceError)\b"
    r"|AttributeError: module '|RuntimeError: .{0,200}is not supported|RangeError: Maximum call stack"
)
"""How an error begins that no arguments bring about, in either language."""
_RAISED = re.compile(r"(?m)^[ \t]{0,200}raise\b[^\n]{0,2000}\n(?:[ \t]{0,200}~[~ \t]{0,2000}\n)?\w[^\n]{0,2000}\s*\Z")
"""The end of a traceback of an exception that the code raises itself: that is how the tool answers."""


def language_of(entry: dict[str, Any]) -> str | None:
    """The language of an entry's code; None where it answers with a value."""
    return next((name for name in LANGUAGES if entry.get(name) is not None), None)


def unavailable(mock: Any) -> str | None:
    """Why this machine cannot run the code of a mock, or None."""
    entries = mock if isinstance(mock, list) else []
    languages = {language_of(entry) for entry in entries if isinstance(entry, dict)}
    if "javascript" in languages:
        from modex.core.sandbox.javascript import javascript_unavailable

        if problem := javascript_unavailable():
            return problem
    if "python" in languages:
        from modex.core.sandbox.python import python_unavailable

        return python_unavailable()
    return None


def answer_by_code(
    language: str, code: str, arguments: dict[str, Any], state: dict[str, Any] | None = None
) -> ToolResult:
    """What the code answers: what it printed, else `result` (Python), else the value of its last expression.

    It finds the arguments in `args`, and as JSON text in `ARGS`; what other mocks remember in `state`.
    An error that the arguments may bring about, and one that the code raises on purpose, is a tool error that names it.

    Raises:
        ModelCallError: the code itself is broken (it does not parse, names what is not there, does not end), which is no
            fault of the model (`tool_unavailable`).
    """
    inputs = {"args": arguments, "state": state or {}, "ARGS": json.dumps(arguments, ensure_ascii=False)}
    ran = _run(language, code, inputs)
    if ran.error is not None:
        said = ran.error.strip().splitlines()[-1] if ran.error.strip() else "it failed"
        if _is_broken(ran, said):
            raise ModelCallError(said, ErrorType.TOOL_UNAVAILABLE)
        return ToolResult(json.dumps({"error": f"the mock failed: {said}"}, ensure_ascii=False), is_error=True)
    if ran.printed.strip():
        return ToolResult(ran.printed.strip())
    if ran.value is None:
        return ToolResult(json.dumps({"error": "the mock failed: it gave no answer"}), is_error=True)
    return ToolResult(
        ran.value if isinstance(ran.value, str) else json.dumps(ran.value, ensure_ascii=False, default=str)
    )


def _is_broken(ran: Ran, said: str) -> bool:
    """Whether no arguments would have kept the code from failing so."""
    if ran.error_type in ("Ended", "TooLong"):
        return True
    return _OWN_FAULTS.match(said) is not None and not _RAISED.search(ran.error or "")


def _run(language: str, code: str, inputs: dict[str, Any]) -> Ran:
    if language == "javascript":
        from modex.core.sandbox.javascript import run_javascript

        return run_javascript(code, inputs)
    from modex.core.sandbox.python import python_session

    with python_session(TIMEOUT_S) as interpreter:
        ran = interpreter.run(_PYTHON_HEAD + code, inputs)
        if ran.error is not None or ran.printed.strip():
            return ran
        set_ = interpreter.run("result")
    return set_ if set_.value is not None else ran
