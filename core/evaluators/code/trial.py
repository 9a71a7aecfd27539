"""One answer in one interpreter: it is loaded, then tried case by case."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.cases import Case, Expectation, same_value
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.bubblewrap.judged import JUDGED_ENDED, judge_code
from modex.core.sandbox.bubblewrap.session import BoxedSession
from modex.core.sandbox.interpreters import Interpreter
from modex.core.sandbox.lacks import lacking
from modex.core.sandbox.python import Ran
from modex.core.verdict import Cases, FailedCase

MAX_SHOWN = 300
_MOST_FAILURES = 5
_OVER = ("TimeoutError", "Ended", "MemoryError", JUDGED_ENDED)
"""Errors after which an interpreter is of no more use."""
_CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class CodeVerdict:
    """How what is found of an answer becomes its verdict."""

    expected: Expectation
    code: str | None
    sandbox: str = ""

    def passed(self) -> EvaluationResult:
        """Everything held."""
        part = Cases(self.expected.function, self._total, self._total, sandbox=self.sandbox)
        return EvaluationResult(1.0, extracted_answer=self.code, parts=(part,))

    def failed(self, why: str, right: int = 0, failures: Iterable[FailedCase] = ()) -> EvaluationResult:
        """`right` held; the first failures are kept."""
        shown = tuple(failures)[:_MOST_FAILURES]
        part = Cases(self.expected.function, right, self._total, shown, why, self.sandbox)
        return EvaluationResult(0.0, extracted_answer=self.code, parts=(part,))

    @property
    def _total(self) -> int:
        return len(self.expected.cases) + (self.expected.test is not None)


class Trial:
    """The code of a verdict in an interpreter."""

    def __init__(self, verdict: CodeVerdict, session: Interpreter) -> None:
        self._verdict, self._expected, self._session = verdict, verdict.expected, session
        self._code = verdict.code or ""

    def result(self) -> EvaluationResult:
        """Load it and try every case, then the test.

        Raises:
            JudgeError: the sandbox lacks what the code needs.
        """
        loaded = self._known(self._session.run(self._code))
        if loaded.error is not None:
            return self._verdict.failed(f"the code does not load: {_last_line(loaded.error)}")
        failures: list[FailedCase] = []
        right = 0
        for case in self._expected.cases:
            failure, over = self._try(case)
            if failure is None:
                right += 1
            else:
                failures.append(failure)
            if over:
                break
        else:
            if self._expected.test is not None:
                failure = self._tested(self._expected.test)
                right += failure is None
                failures += [failure] if failure is not None else []
        if not failures:
            return self._verdict.passed()
        first = failures[0]
        return self._verdict.failed(f"{first.call} gave {first.got}, expected {first.expected}", right, failures)

    def _try(self, case: Case) -> tuple[FailedCase | None, bool]:
        """What failed, and whether the interpreter is of no more use."""
        if case.check is not None:
            ran = self._known(self._judged(case.check))
            return _failure(case, case.check, "True", ran, ran.value), ran.error_type in _OVER
        call = _call(case, self._expected.function)
        wanted = f"{case.raises} to be raised" if case.raises else _shown(case.returns)
        ran = self._known(
            self._session.run(
                f"__result = {self._expected.function}(*__args, **__kwargs)\n(__result, __args)",
                {"__args": [*case.args], "__kwargs": dict(case.kwargs)},
            )
        )
        got, after = ran.value if isinstance(ran.value, tuple) and len(ran.value) == 2 else (None, None)
        failure = _failure(case, call, wanted, ran, got)
        if failure is None and case.unchanged and case.raises is None and not same_value(after, list(case.args)):
            failure = FailedCase(call, "its arguments to stay as they are", f"changed arguments {_shown(after)}")
        return failure, ran.error_type in _OVER

    def _tested(self, test: str) -> FailedCase | None:
        """How the test's own code fails; None where it holds."""
        code = f"{test}\n\ncheck({_CANDIDATE})\n" if _defines_check(test) else test
        ran = self._known(self._judged(code))
        if ran.error is None:
            return None
        if ran.compared is not None:
            call, wanted, got = ran.compared
            return FailedCase(call, wanted, got)
        if ran.error_type in _OVER:
            return FailedCase("the test", "it to hold", _over(ran))
        return FailedCase("the test", "it to hold", _last_line(ran.error))

    def _judged(self, code: str) -> Ran:
        """`code` of the test beside the answer's names: out of its reach where that can be."""
        if isinstance(self._session, BoxedSession):
            return judge_code(self._session, code, {_CANDIDATE: self._expected.function}, self._expected.seconds)
        return self._session.run(code)

    def _known(self, ran: Ran) -> Ran:
        """`ran`, where it says something of the code.

        Raises:
            JudgeError: it says what the sandbox lacks.
        """
        if ran.error is not None:
            lacks = lacking(ran, self._code, partial=self._verdict.sandbox == "monty")
            if lacks is not None:
                _refuse(self._verdict.sandbox, lacks)
        return ran


def _refuse(sandbox: str, lacks: str) -> NoReturn:
    advice = "take --sandbox bubblewrap, then judge again" if sandbox == "monty" else "it says nothing of the answer"
    raise JudgeError(f"the sandbox {sandbox} does not have {lacks}; {advice}", ErrorType.UNSUPPORTED_CODE)


def _failure(case: Case, call: str, wanted: str, ran: Ran, got: Any) -> FailedCase | None:
    """How a case fails whose call went as `ran` says and gave `got`; None where it holds."""
    if ran.error is not None:
        if case.raises is not None and case.raises in (ran.error_type, *ran.error_bases):
            return None
        return FailedCase(call, wanted, _over(ran) if ran.error_type in _OVER else f"an error: {_last_line(ran.error)}")
    if case.raises is not None:
        return FailedCase(call, wanted, _shown(got))
    held = got is True if case.check is not None else same_value(got, case.returns)
    return None if held else FailedCase(call, wanted, _shown(got))


def _over(ran: Ran) -> str:
    """How a call ended that gave no result."""
    if ran.error_type == "MemoryError":
        return f"an error: {_last_line(ran.error or '')}"
    return "no result in time" if ran.error_type == "TimeoutError" else f"no result: {_last_line(ran.error or '')}"


def _defines_check(test: str) -> bool:
    """Whether the test is a function `check(candidate)` that nobody calls."""
    body = ast.parse(test).body
    defines = any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in body)
    calls = (one for node in body if not isinstance(node, ast.FunctionDef) for one in ast.walk(node))
    return defines and not any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "check" for one in calls
    )


def _call(case: Case, function: str) -> str:
    parts = [*map(_shown, case.args), *(f"{name}={_shown(value)}" for name, value in case.kwargs.items())]
    return f"{function}({', '.join(parts)})"


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):
        text = f"<{type(value).__name__}>"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _last_line(error: str) -> str:
    return (error.strip().splitlines() or ["an error without words"])[-1][:MAX_SHOWN]
