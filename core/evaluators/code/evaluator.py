"""`code_tests`: the function of a response is run against hidden cases, in a sandbox.

HumanEval's counting: https://arxiv.org/abs/2107.03374.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.code.cases import CaseError, Expectation, problems_of, read_expected
from modex.core.evaluators.code.extraction import find_function, find_rest
from modex.core.evaluators.code.trial import CodeVerdict, Trial
from modex.core.evaluators.provider_errors import answer_of
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.interpreters import chosen, interpreter, real_python_missing, unavailable
from modex.core.sandbox.python import MAX_CODE_CHARS
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase


class CodeTestsEvaluator(BaseEvaluator):
    """Scores 1 where every case holds, else 0 (as pass@k counts): a function that is mostly right is wrong.

    Cases run one after the other in one interpreter, so that what a call leaves behind is seen by the next. What the sandbox
    does not have (a package, a part of Python) is an error `unsupported_code`, and no wrong answer. Values are compared, and
    the code of tests runs, where the answer's code cannot reach.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del config, suite_root
        return problems_of(test.expected)

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the function and run it against the cases.

        Raises:
            JudgeError: `expected` cannot be used, no sandbox is here, or it lacks what the code needs.
        """
        try:
            expected = read_expected(sample.expected)
        except CaseError as error:
            raise JudgeError(str(error), ErrorType.EVALUATOR_ERROR) from error
        code = _code_of(answer_of(sample), expected)
        if code is None:
            return CodeVerdict(expected, None).failed(f"the response defines no function called {expected.function}")
        if len(code) > MAX_CODE_CHARS:
            return CodeVerdict(expected, code).failed(f"the code has more than {MAX_CODE_CHARS:,} characters")
        missing = real_python_missing(context.sandbox) if expected.test is not None else unavailable(context.sandbox)
        if missing is not None:
            raise JudgeError(missing, ErrorType.SANDBOX_UNAVAILABLE)
        try:
            with interpreter(context.sandbox, expected.seconds) as session:
                return Trial(CodeVerdict(expected, code, chosen(context.sandbox)), session).result()
        except BoxError as error:
            raise JudgeError(str(error), ErrorType.SANDBOX_UNAVAILABLE) from error


def _code_of(response: str, expected: Expectation) -> str | None:
    """The code that is run: what the question gave, and the function of the answer."""
    found = find_function(response, expected.function)
    if found is None:
        return find_rest(response, expected.before)
    return f"{expected.before.rstrip()}\n\n{found}" if expected.before.strip() else found
