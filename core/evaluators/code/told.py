"""How what is found of an answer's code becomes its verdict, and how values and errors are told in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.cases import Case
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.verdict import Cases, FailedCase

MAX_SHOWN = 300


@dataclass(frozen=True, slots=True)
class CodeVerdict:
    """How what is found of an answer becomes its verdict."""

    what: str
    """The function, or the language of the program."""
    code: str | None
    total: int
    sandbox: str = ""
    shares: bool = False
    """Whether the score is the share of the cases that hold, and not all or nothing."""
    seconds: float | None = None
    memory_mb: float | None = None
    most_failures: int = 5

    def measured(self, seconds: float, memory_mb: float) -> CodeVerdict:
        """With what the case that took the most took."""
        return replace(self, seconds=round(seconds, 3), memory_mb=round(memory_mb, 1))

    def counting(self, total: int) -> CodeVerdict:
        """Of so many cases."""
        return replace(self, total=total)

    def passed(self) -> EvaluationResult:
        """Everything held."""
        return EvaluationResult(1.0, extracted_answer=self.code, parts=(self._part(self.total),))

    def failed(self, why: str, right: int = 0, failures: Iterable[FailedCase] = ()) -> EvaluationResult:
        """`right` held; the first failures are kept."""
        part = self._part(right, tuple(failures)[: self.most_failures], why)
        score = right / self.total if self.shares and self.total else 0.0
        return EvaluationResult(score, extracted_answer=self.code, parts=(part,))

    def _part(self, right: int, failures: tuple[FailedCase, ...] = (), why: str = "") -> Cases:
        return Cases(self.what, right, self.total, failures, why, self.sandbox, self.seconds, self.memory_mb)


def refuse(sandbox: str, lacks: str) -> NoReturn:
    """Say what the sandbox does not have.

    Raises:
        JudgeError: always.
    """
    advice = "take --sandbox bubblewrap, then judge again" if sandbox == "monty" else "it says nothing of the answer"
    if sandbox != "monty" and lacks.startswith("module "):
        advice = f'name it in the test, "sandbox": {{"packages": ["{lacks.removeprefix("module ")}"]}}, if its answers may use it'
    raise JudgeError(f"the sandbox {sandbox} does not have {lacks}; {advice}", ErrorType.UNSUPPORTED_CODE)


def call_of(case: Case, function: str) -> str:
    """How the call of a case is written."""
    parts = [*map(shown, case.args), *(f"{name}={shown(value)}" for name, value in case.kwargs.items())]
    made = f"{function}({', '.join(parts)})"
    if not case.calls:
        return made
    text = f"{made}: " + ", ".join(f"{name}({', '.join(map(shown, args))})" for name, args in case.calls)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def shown(value: Any) -> str:
    """A value as it is written, cut."""
    try:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):
        text = f"<{type(value).__name__}>"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def last_line(error: str) -> str:
    """The last line of a traceback, cut."""
    return (error.strip().splitlines() or ["an error without words"])[-1][:MAX_SHOWN]
