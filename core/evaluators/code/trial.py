"""One answer in one interpreter: it is loaded, then tried case by case."""

from __future__ import annotations

import ast
from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.cases import Case, Expectation, same_value
from modex.core.evaluators.code.pytest_file import RUN, PytestExpectation
from modex.core.evaluators.code.told import CodeVerdict, call_of, last_line, refuse, shown
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.bubblewrap.judged import JUDGED_ENDED, JudgingBox
from modex.core.sandbox.bubblewrap.session import BoxedSession
from modex.core.sandbox.interpreters import Interpreter
from modex.core.sandbox.lacks import lacking
from modex.core.sandbox.python import Ran
from modex.core.verdict import FailedCase

_OVER = ("TimeoutError", "Ended", "MemoryError", JUDGED_ENDED)
"""Errors after which an interpreter is of no more use."""
_CANDIDATE = "candidate"
_MADE = (
    "__made = {name}(*__args, **__kwargs)\n"
    "__result = [getattr(__made, __method)(*__given) for __method, *__given in __calls]\n"
    "(__result, __args)"
)


class Trial:
    """The code of a verdict in an interpreter."""

    def __init__(self, verdict: CodeVerdict, session: Interpreter, judge: JudgingBox | None) -> None:
        """`judge` runs the test's own code out of the answer's reach; None where the sandbox has none."""
        self._verdict, self._session, self._judge = verdict, session, judge
        self._code = verdict.code or ""

    def result(self, expected: Expectation) -> EvaluationResult:
        """Load it and try every case, then the test.

        Raises:
            JudgeError: the sandbox lacks what the code needs.
        """
        if (failed := self._loaded()) is not None:
            return failed
        failures: list[FailedCase] = []
        right = 0
        for case in expected.cases:
            failure, over = self._try(case, expected)
            if failure is None:
                right += 1
            else:
                failures.append(failure)
            if over:
                break
        else:
            if expected.test is not None:
                failure = self._tested(expected.test, expected)
                right += failure is None
                failures += [failure] if failure is not None else []
        if not failures:
            return self._verdict.passed()
        first = failures[0]
        return self._verdict.failed(f"{first.call} gave {first.got}, expected {first.expected}", right, failures)

    def pytest(self, expected: PytestExpectation) -> EvaluationResult:
        """Load it and run a file of tests against it.

        Raises:
            JudgeError: the sandbox lacks what the code needs, or the file has no test that could be run.
        """
        if (failed := self._loaded()) is not None:
            return failed
        assert self._judge is not None
        assert isinstance(self._session, BoxedSession)
        given = {"__source": expected.source, "__module": expected.module}
        ran = self._known(
            self._judge.code(self._session, RUN, None, expected.seconds, gathered="__handed", given=given)
        )
        if ran.error is not None:
            said = _over(ran, expected.seconds) if ran.error_type in _OVER else last_line(ran.error)
            return self._verdict.failed(f"the tests: {said}", 0, [FailedCase("the tests", "them to hold", said)])
        told = [tuple(map(str, one)) for one in ran.value if isinstance(one, list) and len(one) == 3]
        kept = [one for one in told if one[1] != "skipped"]
        if not kept:
            raise JudgeError("the file has no test that is run; see expected.pytest", ErrorType.EVALUATOR_ERROR)
        failures = [FailedCase(name, "it to hold", _said(said)) for name, outcome, said in kept if outcome != "passed"]
        for failure in failures:
            self._known(Ran(error=failure.got, error_type=failure.got.partition(":")[0]))
        total = self._verdict.counting(len(kept))
        if not failures:
            return total.passed()
        first = failures[0]
        return total.failed(f"{first.call}: {first.got}", len(kept) - len(failures), failures)

    def _loaded(self) -> EvaluationResult | None:
        """The verdict where the code does not even load."""
        loaded = self._known(self._session.run(self._code))
        if loaded.error is not None:
            return self._verdict.failed(f"the code does not load: {last_line(loaded.error)}")
        return None

    def _try(self, case: Case, expected: Expectation) -> tuple[FailedCase | None, bool]:
        """What failed, and whether the interpreter is of no more use."""
        seconds = expected.seconds
        if case.check is not None:
            ran = self._known(self._judged(case.check, expected))
            return _failure(case, case.check, ran, ran.value, seconds), ran.error_type in _OVER
        call = call_of(case, expected.function)
        given = {"__args": [*case.args], "__kwargs": dict(case.kwargs)}
        if case.calls:
            given["__calls"] = [[name, *args] for name, args in case.calls]
        code = _MADE if case.calls else "__result = {name}(*__args, **__kwargs)\n(__result, __args)"
        ran = self._known(self._session.run(code.format(name=expected.function), given))
        got, after = ran.value if isinstance(ran.value, tuple) and len(ran.value) == 2 else (None, None)
        failure = _failure(case, call, ran, got, seconds)
        if failure is None and case.unchanged and case.raises is None and not same_value(after, list(case.args)):
            failure = FailedCase(call, "its arguments to stay as they are", f"changed arguments {shown(after)}")
        return failure, ran.error_type in _OVER

    def _tested(self, test: str, expected: Expectation) -> FailedCase | None:
        """How the test's own code fails; None where it holds."""
        code = f"{test}\n\ncheck({_CANDIDATE})\n" if _defines_check(test) else test
        ran = self._known(self._judged(code, expected))
        if ran.error is None:
            return None
        if ran.compared is not None:
            call, wanted, got = ran.compared
            return FailedCase(call, wanted, got)
        if ran.error_type in _OVER:
            return FailedCase("the test", "it to hold", _over(ran, expected.seconds))
        return FailedCase("the test", "it to hold", last_line(ran.error))

    def _judged(self, code: str, expected: Expectation) -> Ran:
        """`code` of the test beside the answer's names: out of its reach where that can be."""
        if self._judge is not None and isinstance(self._session, BoxedSession):
            return self._judge.code(self._session, code, {_CANDIDATE: expected.function}, expected.seconds)
        return self._session.run(code)

    def _known(self, ran: Ran) -> Ran:
        """`ran`, where it says something of the code.

        Raises:
            JudgeError: it says what the sandbox lacks.
        """
        if ran.error is not None:
            lacks = lacking(ran, self._code, partial=self._verdict.sandbox == "monty")
            if lacks is not None:
                refuse(self._verdict.sandbox, lacks)
        return ran


def _failure(case: Case, call: str, ran: Ran, got: Any, seconds: float) -> FailedCase | None:
    """How a case fails whose call went as `ran` says and gave `got`; None where it holds."""
    wanted = "True" if case.check is not None else f"{case.raises} to be raised" if case.raises else shown(case.returns)
    if ran.error is not None:
        if case.raises is not None and case.raises in (ran.error_type, *ran.error_bases):
            return None
        said = _over(ran, seconds) if ran.error_type in _OVER else f"an error: {last_line(ran.error)}"
        return FailedCase(call, wanted, said)
    if case.raises is not None:
        return FailedCase(call, wanted, shown(got))
    held = got is True if case.check is not None else same_value(got, case.returns)
    return None if held else FailedCase(call, wanted, shown(got))


def _over(ran: Ran, seconds: float) -> str:
    """How a call ended that gave no result."""
    if ran.error_type == "MemoryError":
        return f"an error: {last_line(ran.error or '')}"
    return (
        f"no result in time ({seconds:g} s)"
        if ran.error_type == "TimeoutError"
        else f"no result: {last_line(ran.error or '')}"
    )


def _said(text: str) -> str:
    """What a test of pytest's says, in a line: of what it compared, or the last of a traceback."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return "it failed"
    first = lines[0]
    more = next((line for line in lines[1:] if line.startswith("+")), "")
    if len(lines) > 1 and not more and "Error" in lines[-1]:
        first = lines[-1].removeprefix("E ").strip()
    return last_line(f"{first} {more.removeprefix('+').strip()}".strip())


def _defines_check(test: str) -> bool:
    """Whether the test is a function `check(candidate)` that nobody calls."""
    body = ast.parse(test).body
    defines = any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in body)
    calls = (one for node in body if not isinstance(node, ast.FunctionDef) for one in ast.walk(node))
    return defines and not any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "check" for one in calls
    )
