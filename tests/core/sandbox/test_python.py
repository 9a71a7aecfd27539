"""Within which limits a model's Python runs, and what is told of how it ended."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pydantic_monty
import pytest

from modex.core.sandbox import python
from modex.core.sandbox.python import PythonSession, Ran, close_python, python_session


class Pool:
    """An interpreters' pool that only remembers what is asked of it."""

    made: list[Pool]

    def __init__(self, **settings: Any) -> None:
        self.settings, self.open = settings, 0
        self.limits: dict[str, Any] = {}
        Pool.made.append(self)

    def __enter__(self) -> Pool:
        self.open += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.open -= 1

    @contextlib.contextmanager
    def checkout(self, *, limits: dict[str, Any]) -> Iterator[str]:
        self.limits = limits
        yield "session"


@pytest.mark.parametrize(("cores", "most"), [(None, 4), (1, 4), (4, 4), (16, 16)])
def test_interpreters_are_few_and_bounded_and_new_ones_are_made_after_closing(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, most: int
) -> None:
    close_python()
    Pool.made = []
    monkeypatch.setattr(pydantic_monty, "Monty", Pool)
    monkeypatch.setattr(python.os, "cpu_count", lambda: cores)  # type: ignore[attr-defined]
    for _ in range(2):
        with python_session(1.5) as session:
            assert isinstance(session, PythonSession)
    (pool,) = Pool.made
    assert pool.settings == {"min_processes": 0, "max_processes": most, "request_timeout": 30.0}
    assert pool.limits == {
        "max_feed_duration_secs": 1.5, "max_memory": 32 * 1024 * 1024, "max_recursion_depth": 500, "max_suspensions": 1000,
        "max_total_sleep_secs": 1.0,
    }  # fmt: skip
    assert pool.open == 1
    close_python()
    close_python()
    assert pool.open == 0
    with python_session(1.5):
        assert len(Pool.made) == 2
    close_python()


class Collected:
    """What was printed, as the library collects it."""

    def __init__(self, *, max_bytes: int) -> None:
        self.max_bytes, self.output = max_bytes, "printed"


@pytest.mark.parametrize(
    ("inputs", "answer", "ran"),
    [
        ({"x": 1}, 5, Ran(5, "printed")), ({}, None, Ran(None, "printed")), (None, "", Ran("", "printed")),
        (None, ValueError("y"), None), (None, MemoryError("m"), Ran(None, "printed", "MemoryError: m", "MemoryError")),
        (None, RecursionError("z" * 600), Ran(None, "printed", f"RecursionError: {'z' * 484}", "RecursionError")),
        (None, TimeoutError("t"), Ran(None, "printed", "TimeoutError: t", "TimeoutError")),
        (None, UnicodeError("u"), Ran(None, "printed", "UnicodeError: u", "UnicodeError")),
    ],
)  # fmt: skip
def test_what_code_does_is_told_with_what_it_printed(
    monkeypatch: pytest.MonkeyPatch, inputs: dict[str, Any] | None, answer: Any, ran: Ran | None
) -> None:
    asked: list[Any] = []

    class Session:
        def feed_run(self, code: str, **settings: Any) -> Any:
            asked.append((code, settings))
            if isinstance(answer, Exception):
                raise answer
            return answer

    interrupts: list[str] = []
    monkeypatch.setattr(pydantic_monty, "CollectString", Collected)
    monkeypatch.setattr(python, "raise_lost_interrupt", lambda: interrupts.append("looked"))
    session = PythonSession(Session())  # type: ignore[arg-type]
    if ran is None:
        with pytest.raises(type(answer)):
            session.run("code", inputs)
    else:
        assert session.run("code", inputs) == ran
    ((code, settings),) = asked
    printed = settings.pop("print_callback")
    assert (code, settings, printed.max_bytes) == ("code", {"inputs": inputs or None, "skip_type_check": True}, 65_536)
    assert interrupts == ["looked"]


class ToldError(Exception):
    """An error of the code, as the library tells it."""

    def __init__(self, shown: str) -> None:
        super().__init__("plain")
        self._shown = shown

    def display(self) -> str:
        return self._shown

    def exception(self) -> Exception:
        return KeyError("inner")


def test_the_end_of_a_traceback_is_told() -> None:
    assert (python._end_of(ToldError("x" * 2000)), python._end_of(ValueError("plain"))) == ("x" * 2000, "plain")
    assert python._end_of(ToldError("x" + "y" * 2000)) == "…" + "y" * 2000
    assert (python._kind(ToldError("")), python._kind(ValueError())) == ("KeyError", "ValueError")


def test_a_library_that_never_ends_its_interpreters_holds_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    held, entered = threading.Event(), threading.Event()

    class Pool:
        def __exit__(self, *_: object) -> None:
            entered.set()
            held.wait()

    close_python()
    monkeypatch.setattr(python, "_END_SECONDS", 0.01)
    monkeypatch.setattr(python, "_pool", Pool())
    close_python()
    assert entered.wait(60)
    assert python._pool is None
    held.set()
