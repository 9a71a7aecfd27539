"""`code_tests`: the function of a response is run against hidden cases, in an interpreter without host access.

HumanEval's counting: https://arxiv.org/abs/2107.03374.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.code.cases import Case, CaseError, Expectation, problems_of, read_expected, same_value
from modex.core.evaluators.code.extraction import find_function
from modex.core.evaluators.provider_errors import answer_of
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.python import MAX_CODE_CHARS, PythonSession, python_session, python_unavailable
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.verdict import Cases, FailedCase

MAX_SHOWN = 300
_MOST_FAILURES = 5
_NO_FEATURE = ("NotImplementedError", "ModuleNotFoundError")


class CodeTestsEvaluator(BaseEvaluator):
    """Scores 1 where every case holds, else 0 (as pass@k counts): a function that is mostly right is wrong.

    Cases run one after the other in one interpreter, so that what a call leaves behind is seen by the next. The sandbox's
    Python has no generators (`yield`), no class inheritance, no `del` and only a part of the standard library: prompts
    say so, and an answer that uses them fails with that reason.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del config, suite_root
        return problems_of(test.expected)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the function and run it against the cases.

        Raises:
            JudgeError: `expected` cannot be used, or no sandbox is here.
        """
        del context
        try:
            expected = read_expected(sample.expected)
        except CaseError as error:
            raise JudgeError(str(error), ErrorType.EVALUATOR_ERROR) from error
        code = find_function(answer_of(sample), expected.function)
        if code is None:
            return _failed(expected, f"the response defines no function called {expected.function}", None)
        if len(code) > MAX_CODE_CHARS:
            return _failed(expected, f"the code has more than {MAX_CODE_CHARS:,} characters", None)
        if missing := python_unavailable():
            raise JudgeError(missing, ErrorType.EVALUATOR_ERROR)
        with python_session(expected.seconds) as interpreter:
            return _run(code, expected, interpreter)


def _run(code: str, expected: Expectation, interpreter: PythonSession) -> EvaluationResult:
    loaded = interpreter.run(code)
    if loaded.error is not None:
        said = loaded.error.strip().splitlines()[-1][:MAX_SHOWN]
        lacking = loaded.error_type in _NO_FEATURE
        why = f"the sandbox's Python does not have it: {said}" if lacking else f"the code does not load: {said}"
        return _failed(expected, why, code)
    failures: list[FailedCase] = []
    right = 0
    for case in expected.cases:
        failure, ended = _try(case, expected.function, interpreter)
        if failure is None:
            right += 1
        else:
            failures.append(failure)
        if ended:
            break
    if right == len(expected.cases):
        part = Cases(expected.function, right, right)
        return EvaluationResult(1.0, extracted_answer=code, parts=(part,))
    return _failed(
        expected, f"{failures[0].call} gave {failures[0].got}, expected {failures[0].expected}", code, right, failures
    )


def _try(case: Case, function: str, interpreter: PythonSession) -> tuple[FailedCase | None, bool]:
    """What failed, and whether the interpreter is of no more use."""
    if case.check is not None:
        ran = interpreter.run(case.check)
        call, wanted = case.check, "True"
        got = ran.value
    else:
        call = _call(case, function)
        wanted = f"{case.raises} to be raised" if case.raises else _shown(case.returns)
        ran = interpreter.run(
            "__result = " + function + "(*__args, **__kwargs)\n(__result, __args)",
            {"__args": [*case.args], "__kwargs": dict(case.kwargs)},
        )
        got, after = ran.value if ran.error is None and isinstance(ran.value, tuple) else (None, None)
    if ran.error is not None:
        if case.raises is not None and ran.error_type == case.raises:
            return None, False
        words = (
            "no result in time" if ran.error_type in ("TimeoutError", "Ended") else f"an error: {_last_line(ran.error)}"
        )
        return FailedCase(call, wanted, words), ran.error_type in ("TimeoutError", "Ended", "MemoryError")
    if case.raises is not None:
        return FailedCase(call, wanted, _shown(got)), False
    if case.check is not None:
        return (None if got is True else FailedCase(call, wanted, _shown(got))), False
    if not same_value(got, case.returns):
        return FailedCase(call, wanted, _shown(got)), False
    if case.unchanged and not same_value(after, list(case.args)):
        return FailedCase(call, "its arguments to stay as they are", f"changed arguments {_shown(after)}"), False
    return None, False


def _failed(
    expected: Expectation, why: str, code: str | None, right: int = 0, failures: Iterable[FailedCase] = ()
) -> EvaluationResult:
    part = Cases(expected.function, right, len(expected.cases), tuple(failures)[:_MOST_FAILURES], why)
    return EvaluationResult(0.0, extracted_answer=code, parts=(part,))


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
    return error.strip().splitlines()[-1][:MAX_SHOWN]
