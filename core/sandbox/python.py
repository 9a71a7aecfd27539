"""Python that a model wrote, run by an interpreter without host access by construction (pydantic-monty).

The interpreters are processes of their own, started when first needed, shared by every thread and ended with this one.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modex.core.foundation.interrupts import raise_lost_interrupt
from modex.core.sandbox.raised import with_texts

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontySession

MAX_CODE_CHARS = 50_000
_WALL_SECONDS = 30.0
_END_SECONDS = 5.0
_PRINTED_BYTES = 64 * 1024
_MEMORY_BYTES = 32 * 1024 * 1024
_CRASHED = "the code took too long or used too much; its interpreter was ended"
_pool: Monty | None = None
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Ran:
    """What one piece of code did: the value of its last expression and what it printed, or its error."""

    value: Any = None
    printed: str = ""
    error: str | None = None
    """The end of its traceback, or None."""
    error_type: str | None = None
    """The exception's class by name; `Ended` where the interpreter had to be ended."""
    error_bases: tuple[str, ...] = ()
    """The classes that it is made of, by name, where that is known."""
    compared: tuple[str, str, str] | None = None
    """Of an assertion that failed: what was called, what it should have given, what it gave."""


class PythonSession:
    """One interpreter: what a piece of code defines is there for the next."""

    def __init__(self, session: MontySession) -> None:
        self._session = session

    def run(self, code: str, inputs: Mapping[str, Any] | None = None) -> Ran:
        """Run `code` with the variables `inputs`; never raises for what the code does."""
        from pydantic_monty import CollectString, MontyCrashedError, MontyError

        printed = CollectString(max_bytes=_PRINTED_BYTES)
        try:
            value = self._session.feed_run(
                with_texts(code), inputs=dict(inputs) if inputs else None, print_callback=printed, skip_type_check=True
            )
        except MontyCrashedError:
            return Ran(printed=printed.output, error=_CRASHED, error_type="Ended")
        except MontyError as failure:
            return Ran(printed=printed.output, error=_end_of(failure), error_type=_kind(failure))
        except (UnicodeError, TimeoutError, RecursionError, MemoryError) as failure:
            name = type(failure).__name__
            return Ran(printed=printed.output, error=f"{name}: {failure}"[:500], error_type=name)
        finally:
            raise_lost_interrupt()
        return Ran(value, printed.output)


def python_unavailable() -> str | None:
    """Why code cannot be run here, or None."""
    try:
        import pydantic_monty  # noqa: F401
        from pydantic_monty._binary import find_monty_binary

        find_monty_binary()
    except (ImportError, OSError) as error:
        return f"running Python needs pydantic-monty, which cannot be loaded ({error}); install modex again"
    return None


@contextlib.contextmanager
def python_session(seconds: float) -> Iterator[PythonSession]:
    """An interpreter of its own: no files, network, environment or processes; `seconds` for each piece of code, 32 MB."""
    limits = {
        "max_feed_duration_secs": seconds,
        "max_memory": _MEMORY_BYTES,
        "max_recursion_depth": 500,
        "max_suspensions": 1000,
        "max_total_sleep_secs": 1.0,
    }
    with _interpreters().checkout(limits=limits) as session:  # type: ignore[arg-type]
        yield PythonSession(session)


def close_python() -> None:
    """End the interpreters; the next session starts new ones."""
    global _pool
    with _lock:
        pool, _pool = _pool, None
    if pool is None:
        return
    ending = threading.Thread(target=pool.__exit__, args=(None, None, None), name="end-python", daemon=True)
    try:
        ending.start()
    except RuntimeError:  # Python 3.12 starts no thread any more once it ends
        pool.__exit__(None, None, None)
    else:
        # The library waits for its own runtime without end where that has failed; the interpreters end with their pipes.
        ending.join(_END_SECONDS)
    atexit.unregister(close_python)


def _interpreters() -> Monty:
    global _pool  # noqa: PLW0603
    with _lock:
        if _pool is None:
            from pydantic_monty import Monty

            pool = Monty(min_processes=0, max_processes=max(4, os.cpu_count() or 1), request_timeout=_WALL_SECONDS)
            pool.__enter__()
            atexit.register(close_python)
            _pool = pool
        return _pool


def _end_of(failure: Any) -> str:
    """The traceback's end: its first lines can be a thousand recursions."""
    shown = failure.display() if hasattr(failure, "display") else str(failure)
    return shown if len(shown) <= 2000 else f"…{shown[-2000:]}"


def _kind(failure: Any) -> str:
    inner = failure.exception() if hasattr(failure, "exception") else failure
    return type(inner).__name__
