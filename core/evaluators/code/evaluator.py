"""`code_tests`: the code of a response is run against hidden cases, in a sandbox.

HumanEval's counting: https://arxiv.org/abs/2107.03374.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.code.cases import Expectation, read_expected
from modex.core.evaluators.code.extraction import find_function, find_program, find_rest
from modex.core.evaluators.code.forms import form_of, problems_of
from modex.core.evaluators.code.program_trial import ProgramTrial
from modex.core.evaluators.code.programs import read_program
from modex.core.evaluators.code.pytest_file import SECONDS, pytest_shown, read_pytest
from modex.core.evaluators.code.told import CodeVerdict
from modex.core.evaluators.code.trial import Trial
from modex.core.evaluators.provider_errors import answer_of
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.bubblewrap.box import BoxError, BoxView
from modex.core.sandbox.bubblewrap.judged import judging
from modex.core.sandbox.bubblewrap.programs import program_box
from modex.core.sandbox.environments import PackagesError, environment
from modex.core.sandbox.interpreters import chosen, interpreter, real_python_missing, unavailable
from modex.core.sandbox.languages import LANGUAGES, LanguageMissingError, toolchain
from modex.core.sandbox.python import MAX_CODE_CHARS
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, TestCase

_SECONDS, _MEMORY_MB = 2.0, 512.0
_MB = 1024 * 1024


class CodeTestsEvaluator(BaseEvaluator):
    """Scores 1 where every case holds, else 0 (as pass@k counts); with `"credit": "cases"` the share that holds.

    What a sandbox does not have (a package, a language, a part of Python) is an error, and no wrong answer. What answers
    should give is compared, and the code of tests runs, where the answer's code cannot reach.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with `expected`."""
        del config, suite_root
        yield from problems_of(test.expected)
        if isinstance(test.sandbox.get("solution"), dict):
            yield "the solution of a code test is its code as text, as an answer gives it"

    def unavailable(self, sample: EvaluationSample, context: JudgeContext) -> str | None:
        """What the sandboxes, languages and packages here lack for the test; makes its environment where there is none yet."""
        if next(iter(problems_of(sample.expected)), None) is not None:
            return None  # the judgement says so
        try:
            _Judgement(sample, context).need()
        except (BoxError, PackagesError, LanguageMissingError, JudgeError) as error:
            return str(error)
        return None

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Find the code and run it against the cases.

        Raises:
            JudgeError: `expected` cannot be used, no sandbox is here, or it lacks what the code needs.
        """
        problem = next(iter(problems_of(sample.expected)), None)
        if problem is not None:
            raise JudgeError(problem, ErrorType.EVALUATOR_ERROR)
        try:
            return _Judgement(sample, context).result(answer_of(sample))
        except (BoxError, PackagesError, LanguageMissingError) as error:
            raise JudgeError(str(error), ErrorType.SANDBOX_UNAVAILABLE) from error


class _Judgement:
    """One answer's judgement."""

    def __init__(self, sample: EvaluationSample, context: JudgeContext) -> None:
        self._expected: dict[str, Any] = sample.expected
        self._sandbox, self._tell = context.sandbox, context.tell
        self._needed: dict[str, Any] = sample.definition.sandbox
        limits = self._needed.get("limits", {})
        self._seconds = float(limits.get("seconds", _SECONDS))
        self._memory_mb = float(limits.get("memory_mb", _MEMORY_MB))
        self._limits = limits

    def result(self, response: str) -> EvaluationResult:
        """By the form of what is expected."""
        form = self._form()
        if form == "pytest":
            return self._pytest(response)
        if form == "python":
            return self._function(response)
        return self._program(response, function=form == "function")

    def need(self) -> None:
        """Have all there that a judgement needs, whatever the answer.

        Raises:
            BoxError, PackagesError, LanguageMissingError, JudgeError: something cannot be had here.
        """
        form = self._form()
        self._need(real=form != "python" or self._needs_cpython())
        if form == "pytest":
            _pytest_here()
        elif form != "python":
            toolchain(self._expected.get("language", "python"))
        self._packages()

    def _form(self) -> Literal["pytest", "python", "program", "function"]:
        """The form of the test; `python` for functions of Python, `function` for those of other languages."""
        form = form_of(self._expected)
        return "python" if form == "function" and self._expected.get("language", "python") == "python" else form

    def _needs_cpython(self) -> bool:
        """Whether a test of a function needs Python itself."""
        return self._expected.get("test") is not None or bool(self._needed.get("packages"))

    def _function(self, response: str) -> EvaluationResult:
        expected = read_expected(self._expected, self._seconds, self._memory_mb)
        verdict = self._verdict(
            expected.function, _code_of(response, expected), len(expected.cases) + (expected.test is not None)
        )
        if verdict.code is None:
            return verdict.failed(f"the response defines no function called {expected.function}")
        if (failed := _too_long(verdict)) is not None:
            return failed
        self._need(real=self._needs_cpython())
        packages = self._packages()
        judged = expected.test is not None or any(case.check is not None for case in expected.cases)
        with ExitStack() as stack:
            session = stack.enter_context(
                interpreter(self._sandbox, expected.seconds, memory_mb=expected.memory_mb, packages=packages)
            )
            judge = None
            if judged and verdict.sandbox == "bubblewrap":
                judge = stack.enter_context(judging(int(expected.memory_mb * _MB), BoxView(packages=packages)))
            return Trial(verdict, session, judge).result(expected)

    def _pytest(self, response: str) -> EvaluationResult:
        expected = read_pytest(self._expected, float(self._limits.get("seconds", SECONDS)), self._memory_mb)
        code = find_program(response, LANGUAGES["python"].tags)
        verdict = self._verdict(expected.module, code, 1)
        if code is None:
            return verdict.failed("the response has no code")
        if (failed := _too_long(verdict)) is not None:
            return failed
        self._need(real=True)
        shown, packages = _pytest_here(), self._packages()
        whole = replace(verdict, code=f"{expected.before}\n{code}") if expected.before else verdict
        with (
            interpreter(self._sandbox, expected.seconds, memory_mb=expected.memory_mb, packages=packages) as session,
            judging(int(expected.memory_mb * _MB), BoxView(shows_at=shown, packages=packages)) as judge,
        ):
            return Trial(whole, session, judge).pytest(expected)

    def _program(self, response: str, *, function: bool) -> EvaluationResult:
        language = LANGUAGES[self._expected.get("language", "python")]
        whole = not (self._expected.get("after") or self._expected.get("before") or function)
        code = find_program(response, language.tags, language.is_code if whole else None)
        what = self._expected["function"] if function else language.name
        verdict = self._verdict(what, code, len(self._expected["cases"]))
        if code is None:
            return verdict.failed(f"the response has no program in {language.name}")
        if (failed := _too_long(verdict)) is not None:
            return failed
        self._need(real=True)
        chain, packages = toolchain(language.name), self._packages()
        with ExitStack() as stack:
            trial = ProgramTrial(verdict, stack.enter_context(program_box(chain, packages)), chain)
            if function:
                return trial.calls(read_expected(self._expected, self._seconds, self._memory_mb))
            expected = read_program(self._expected, self._seconds, self._memory_mb)
            judge = stack.enter_context(judging()) if expected.checker is not None else None
            return trial.cases(expected, judge)

    def _verdict(self, what: str, code: str | None, total: int) -> CodeVerdict:
        return CodeVerdict(what, code, total, chosen(self._sandbox), self._expected.get("credit") == "cases")

    def _packages(self) -> str:
        """The folder of the packages that the test names; empty for none."""
        packages = self._needed.get("packages", [])
        return str(environment(packages, self._tell)) if packages else ""

    def _need(self, *, real: bool) -> None:
        missing = real_python_missing(self._sandbox) if real else unavailable(self._sandbox)
        if missing is not None:
            raise JudgeError(missing, ErrorType.SANDBOX_UNAVAILABLE)


def _pytest_here() -> tuple[tuple[str, str], ...]:
    """What a sandbox is shown of pytest.

    Raises:
        JudgeError: it is not installed.
    """
    shown = pytest_shown()
    if shown is None:
        raise JudgeError("tests of pytest's need it here; pip install 'modex[sandbox]'", ErrorType.SANDBOX_UNAVAILABLE)
    return shown


def _too_long(verdict: CodeVerdict) -> EvaluationResult | None:
    if verdict.code is not None and len(verdict.code) > MAX_CODE_CHARS:
        return verdict.failed(f"the code has more than {MAX_CODE_CHARS:,} characters")
    return None


def _code_of(response: str, expected: Expectation) -> str | None:
    """The code that is run: what the question gave, and the function of the answer."""
    found = find_function(response, expected.function)
    if found is None:
        return find_rest(response, expected.before)
    return f"{expected.before.rstrip()}\n\n{found}" if expected.before.strip() else found
