"""The code workspace: a model's Python, run by an interpreter that has no host access by construction (pydantic-monty)."""

from __future__ import annotations

import atexit
import json
import threading
from typing import TYPE_CHECKING, Any

from core.tools.base import ToolResult, ToolSession

if TYPE_CHECKING:
    from pydantic_monty import Monty, ResourceLimits

MAX_CODE_CHARS = 50_000
MAX_OUTPUT_CHARS = 16_000
MAX_RESULT_CHARS = 4_000
SECONDS = 5.0
_WALL_SECONDS = 30.0
_PRINTED_BYTES = 64 * 1024
_LIMITS: ResourceLimits = {
    "max_feed_duration_secs": SECONDS,
    "max_memory": 32 * 1024 * 1024,
    "max_recursion_depth": 500,
    "max_suspensions": 1000,
    "max_total_sleep_secs": 1.0,
}
_pool: Monty | None = None
_lock = threading.Lock()


def workspace_unavailable() -> str | None:
    """Why code cannot be run here, or None."""
    try:
        import pydantic_monty  # noqa: F401
    except (ImportError, OSError) as error:
        return f"the code workspace needs pydantic-monty, which cannot be loaded ({error}); install modex again"
    return None


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
    return _run(code)


def _run(code: str) -> ToolResult:
    from pydantic_monty import CollectString, MontyCrashedError, MontyError

    printed = CollectString(max_bytes=_PRINTED_BYTES)
    try:
        with _workers().checkout(limits=_LIMITS) as worker:
            value = worker.feed_run(code, print_callback=printed)
    except MontyCrashedError:
        error = "the code took too long or used too much; its interpreter was ended"
    except MontyError as failure:
        error = _said(failure)
    except (UnicodeError, TimeoutError, RecursionError, MemoryError) as failure:
        error = f"{type(failure).__name__}: {failure}"[:500]
    else:
        result = "" if value is None else _shortened(_shown(value), MAX_RESULT_CHARS)
        return _answer({"stdout": _shortened(printed.output, MAX_OUTPUT_CHARS), "result": result})
    return _answer({"stdout": _shortened(printed.output, MAX_OUTPUT_CHARS), "error": error}, is_error=True)


def _said(failure: Any) -> str:
    """The traceback's end: its first lines can be a thousand recursions."""
    shown = failure.display() if hasattr(failure, "display") else str(failure)
    return shown if len(shown) <= 2000 else f"…{shown[-2000:]}"


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError) as error:  # an int of many digits, a deep list
        return f"<{type(value).__name__} that cannot be shown: {error}>"


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n[… {len(text) - limit:,} characters left out]"


def _answer(content: dict[str, str], *, is_error: bool = False) -> ToolResult:
    return ToolResult(json.dumps(content, ensure_ascii=False), is_error=is_error)


def _workers() -> Monty:
    """The interpreters of this process, started when first needed and ended at exit."""
    global _pool  # noqa: PLW0603
    with _lock:
        if _pool is None:
            from pydantic_monty import Monty

            pool = Monty(min_processes=0, max_processes=4, request_timeout=_WALL_SECONDS)
            pool.__enter__()
            atexit.register(close_workspace)
            _pool = pool
        return _pool


def close_workspace() -> None:
    """End the interpreters; the next call starts new ones."""
    global _pool
    with _lock:
        pool, _pool = _pool, None
    if pool is not None:
        pool.__exit__(None, None, None)
        atexit.unregister(close_workspace)
