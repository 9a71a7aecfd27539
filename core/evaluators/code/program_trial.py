"""One program against its cases: each is run with its input, and what it prints is compared where it cannot reach."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.code.calls import asked_of, called, harness
from modex.core.evaluators.code.cases import Case, Expectation, same_value
from modex.core.evaluators.code.outputs import difference
from modex.core.evaluators.code.programs import ProgramCase, ProgramExpectation
from modex.core.evaluators.code.told import MAX_SHOWN, CodeVerdict, call_of, last_line, refuse, shown
from modex.core.sandbox.bubblewrap.judged import JudgingBox
from modex.core.sandbox.bubblewrap.programs import ProgramBox, ProgramRan, lacked_by
from modex.core.sandbox.languages import Toolchain
from modex.core.verdict import FailedCase

_MB = 1024 * 1024
_CHECKER_S = 10.0
Compare = Callable[[ProgramRan], tuple[str, str] | None]
"""What of a run that ended well is wrong: what was expected, and what came; None where nothing is."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One run: how it is called in the verdict, its input and limits, what it should come to."""

    call: str
    given: str
    expected: str
    seconds: float
    memory_mb: float
    compare: Compare


class ProgramTrial:
    """The code of a verdict in a box for programs."""

    def __init__(self, verdict: CodeVerdict, box: ProgramBox, chain: Toolchain) -> None:
        self._verdict, self._box, self._chain = verdict, box, chain
        self._seconds, self._memory = 0.0, 0

    def cases(self, expected: ProgramExpectation, judge: JudgingBox | None) -> EvaluationResult:
        """Try each case; `judge` runs the checker, where there is one."""
        rows = [
            _Row(
                f"case {number}, input {shown(case.given)}" if case.given else f"case {number}",
                case.given,
                _wanted(case),
                case.seconds,
                case.memory_mb,
                _comparing(expected, case, judge),
            )
            for number, case in enumerate(expected.cases, 1)
        ]
        return self._tried(
            "\n".join(part for part in (expected.before, self._verdict.code or "", expected.after) if part), rows
        )

    def calls(self, expected: Expectation) -> EvaluationResult:
        """Call the answer's function for each case."""
        rows = [
            _Row(
                call_of(case, expected.function),
                asked_of(case),
                f"{case.raises} to be raised" if case.raises else shown(case.returns),
                expected.seconds,
                expected.memory_mb,
                _returning(case),
            )
            for case in expected.cases
        ]
        return self._tried(f"{self._verdict.code or ''}\n{harness(expected.language, expected.function)}", rows)

    def _tried(self, code: str, rows: list[_Row]) -> EvaluationResult:
        compiled = self._box.load(code)
        if compiled is not None and not compiled.well:
            self._known(compiled)
            return self._verdict.failed(f"the program does not compile: {_complaint(compiled)}")
        right, failures = 0, list[FailedCase]()
        for row in rows:
            ran = self._box.run(row.given, row.seconds, int(row.memory_mb * _MB))
            self._seconds, self._memory = max(self._seconds, ran.seconds), max(self._memory, ran.memory_bytes)
            failure = self._failure(ran, row)
            right += failure is None
            failures += [failure] if failure is not None else []
            # For a share of the score every case counts; else a program that is out of time will be so again.
            if not self._verdict.shares and (len(failures) >= self._verdict.most_failures or ran.over == "seconds"):
                break
        verdict = self._verdict.measured(self._seconds, self._memory / _MB)
        if not failures:
            return verdict.passed()
        first = failures[0]
        return verdict.failed(f"{first.call}: {first.got}, expected {first.expected}", right, failures)

    def _failure(self, ran: ProgramRan, row: _Row) -> FailedCase | None:
        if not ran.well:
            self._known(ran)
            return FailedCase(row.call, row.expected, _ended(ran, row.seconds, row.memory_mb))
        wrong = row.compare(ran)
        return None if wrong is None else FailedCase(row.call, wrong[0], wrong[1])

    def _known(self, ran: ProgramRan) -> None:
        """Go on where the program itself is at fault.

        Raises:
            JudgeError: it needs what is not installed.
        """
        if not ran.over and (name := lacked_by(self._chain, ran)) is not None:
            refuse(self._verdict.sandbox, name)


def _wanted(case: ProgramCase) -> str:
    return shown(case.outputs[0]) if case.outputs else "a right output"


def _comparing(expected: ProgramExpectation, case: ProgramCase, judge: JudgingBox | None) -> Compare:
    def compare(ran: ProgramRan) -> tuple[str, str] | None:
        if judge is not None and expected.checker is not None:
            said = _checked(judge, expected.checker, case, ran.out)
            return None if said is None else (_wanted(case), said)
        found = [difference(ran.out, output, expected.tolerance) for output in case.outputs]
        if None in found:
            return None
        return _wanted(case), f"{shown(ran.out)} ({found[0]})" if ran.out.strip() else "no output"

    return compare


def _checked(judge: JudgingBox, checker: str, case: ProgramCase, out: str) -> str | None:
    """What the test's own checker says against an output; None where it is right."""
    given: dict[str, Any] = {"__given": case.given, "__out": out, "__expected": case.outputs[0] if case.outputs else ""}
    ran = judge.run(f"{checker}\n\ncheck(__given, __out, __expected)\n", given, _CHECKER_S)
    if ran.error is not None:
        return f"{shown(out)}; the checker ended with {last_line(ran.error)}"
    if ran.value is True:
        return None
    return f"{shown(out)} ({ran.value[:MAX_SHOWN]})" if isinstance(ran.value, str) and ran.value else shown(out)


def _returning(case: Case) -> Compare:
    def compare(ran: ProgramRan) -> tuple[str, str] | None:
        wanted = f"{case.raises} to be raised" if case.raises else shown(case.returns)
        found = called(ran.out)
        if found is None:
            return wanted, "no result: the program ended before"
        if case.raises is not None:
            return None if case.raises in found.kinds else (wanted, found.error or shown(found.value))
        if found.error:
            return wanted, f"an error: {found.error[:MAX_SHOWN]}"
        if not same_value(found.value, case.returns):
            return wanted, shown(found.value)
        if case.unchanged and not same_value(found.args, list(case.args)):
            return "its arguments to stay as they are", f"changed arguments {shown(found.args)}"
        return None

    return compare


def _ended(ran: ProgramRan, seconds: float, memory_mb: float) -> str:
    """How a program ended that did not end well."""
    if ran.over == "seconds":
        return f"no result in {seconds:g} s"
    if ran.over == "memory":
        return f"more than {memory_mb:g} MB of memory"
    if ran.over:
        return f"too much {ran.over}" if ran.over == "output" else f"too many {ran.over}"
    said = last_line(ran.err) if ran.err.strip() else ""
    how = _signal(-ran.code) if ran.code < 0 else f"exit code {ran.code}"
    return f"an error: {said} ({how})" if said else f"an error: {how}"


def _signal(number: int) -> str:
    names = {signal.SIGSEGV: "segmentation fault", signal.SIGABRT: "aborted", signal.SIGFPE: "division by zero",
             signal.SIGKILL: "killed", signal.SIGSYS: "a call of the system that no sandbox allows"}  # fmt: skip
    return names.get(signal.Signals(number), f"signal {number}") if number in {*signal.Signals} else f"signal {number}"


def _complaint(ran: ProgramRan) -> str:
    """The first line of a compiler that says what is wrong."""
    if ran.over:
        return f"the compiler took too much ({ran.over})"
    lines = [line.strip() for line in ran.err.splitlines() if line.strip()]
    return (next((line for line in lines if "error" in line.lower()), "") or (lines or ["it said nothing"])[0])[
        :MAX_SHOWN
    ]
