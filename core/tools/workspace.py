"""The code workspace: a model's Python as a tool; what it printed and its last value go back."""

from __future__ import annotations

import json
from typing import Any

from modex.core.sandbox.python import MAX_CODE_CHARS, python_session
from modex.core.tools.base import ToolResult, ToolSession

MAX_OUTPUT_CHARS = 16_000
MAX_RESULT_CHARS = 4_000
TIMEOUT_S = 5.0


def code_workspace(arguments: dict[str, Any], session: ToolSession) -> ToolResult:
    """Run `arguments["code"]`: what it printed and the value of its last expression, or its error.

    Each call starts anew. No files, network, environment or processes; 5 s, 32 MB, 64 kB of printing.
    """
    del session
    code = arguments.get("code")
    if not isinstance(code, str) or not code.strip():
        return _answer({"error": "'code' must be a text with Python in it"}, is_error=True)
    if len(code) > MAX_CODE_CHARS:
        return _answer({"error": f"'code' has more than {MAX_CODE_CHARS:,} characters"}, is_error=True)
    with python_session(TIMEOUT_S) as interpreter:
        ran = interpreter.run(code)
    printed = _shortened(ran.printed, MAX_OUTPUT_CHARS)
    if ran.error is not None:
        return _answer({"stdout": printed, "error": ran.error}, is_error=True)
    result = "" if ran.value is None else _shortened(_shown(ran.value), MAX_RESULT_CHARS)
    return _answer({"stdout": printed, "result": result})


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError) as error:  # an int of many digits, a deep list
        return f"<{type(value).__name__} that cannot be shown: {error}>"


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n[… {len(text) - limit:,} characters left out]"


def _answer(content: dict[str, str], *, is_error: bool = False) -> ToolResult:
    return ToolResult(json.dumps(content, ensure_ascii=False), is_error=is_error)
