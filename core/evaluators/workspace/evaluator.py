"""`workspace`: what a model left in its folder, by hidden commands, contents of files, or a judge who reads the diff."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.evaluators.base import BaseEvaluator, EvaluationResult, JudgeContext
from modex.core.evaluators.judging.judge import judged, rating_question
from modex.core.evaluators.judging.scale import BINARY, Scale
from modex.core.evaluators.workspace.contents import content_faults, content_wrong
from modex.core.evaluators.workspace.copies import checked, judged_copy
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable
from modex.core.sandbox.environments import PackagesError, environment
from modex.core.sandbox.workspace.difference import FolderDifference, difference
from modex.core.sandbox.workspace.spec import WorkLimits, checks_of, has_workspace
from modex.core.sandbox.workspace.tree import Tree, changed, unpacked, with_folders
from modex.core.store.sample import EvaluationSample
from modex.core.suite.checking import CheckNote
from modex.core.suite.definitions import EvaluatorConfig, TestCase
from modex.core.suite.files import FileFaultError
from modex.core.suite.templates import MAX_FENCED, MAX_QUESTION, new_delimiter, render, shortened
from modex.core.suite.workspaces import beginning_of, hidden_files
from modex.core.verdict import Workspace, WorkspaceCheck

_KEYS = ("files", "judge", "credit")
_CREDITS = ("all", "checks")
_RATED = Scale(binary=True)
_IMPORTS = re.compile(r"\b(?:python[\d.]*|node|ruby|perl)\b")


class WorkspaceEvaluator(BaseEvaluator):
    """Scores 1 where every check holds, else 0; with `"credit": "checks"` the share of those that hold.

    Nothing that the model left decides by itself: checks run in copies, what they must print is compared outside of them, and
    the diff is made of bytes.
    """

    def check(self, test: TestCase, config: EvaluatorConfig, suite_root: Path | None) -> Iterable[str]:
        """What is wrong with the test's workspace and `expected`."""
        del config, suite_root
        if not has_workspace(test.sandbox):
            yield 'the test has no workspace; give it one, "sandbox": {"files": {"main.py": "…"}, "checks": ["python3 main.py"]}'
            return
        yield from expected_faults(test.expected)
        if isinstance(test.sandbox.get("solution"), str):
            yield 'the solution of a workspace is what becomes of its folder: {"files": {…}}, {"folder": "…"}, {"run": "command"}'
        expected = test.expected if isinstance(test.expected, Mapping) else {}
        checks = checks_of(test.sandbox)
        if not checks and not expected.get("files") and not expected.get("judge"):
            yield "nothing judges what is left; give `sandbox.checks`, or `expected` with files or judge"
        for number, one in enumerate(checks, 1):
            if one.prints is None and one.exit == 0 and _IMPORTS.search(one.run):
                yield CheckNote(
                    f"check {number} holds by its exit code alone, which code of the model that runs in the same process can fake"
                    " by ending it; let it print a last word that `prints` asks for"
                )

    def needs_judge(self, expected: Any, config: EvaluatorConfig) -> bool:
        """Where the criteria for one are given."""
        del config
        return isinstance(expected, Mapping) and bool(expected.get("judge"))

    def evaluate(self, sample: EvaluationSample, context: JudgeContext) -> EvaluationResult:
        """Check what was left, and ask the judge only where nothing else fails.

        Raises:
            JudgeError: the workspace was not kept, its files have changed, or no sandbox is here.
            ModelCallError: a judge could not be asked.
        """
        sandbox = sample.definition.sandbox
        if (fault := next(iter(expected_faults(sample.expected)), None)) is not None:
            raise JudgeError(fault, ErrorType.EVALUATOR_ERROR)
        if not has_workspace(sandbox):
            raise JudgeError("the test has no workspace; give it one as its `sandbox`", ErrorType.EVALUATOR_ERROR)
        if (reason := bubblewrap_unavailable()) is not None:
            raise JudgeError(reason, ErrorType.SANDBOX_UNAVAILABLE)
        try:
            return _Judgement(sample, context).result()
        except (BoxError, PackagesError) as error:
            raise JudgeError(str(error), ErrorType.SANDBOX_UNAVAILABLE) from error
        except FileFaultError as fault_of_file:
            raise JudgeError(f"the test's files: {fault_of_file.message}", ErrorType.EVALUATOR_ERROR) from fault_of_file


def expected_faults(expected: Any) -> Iterator[str]:
    """What is wrong with `expected`, one message each; it may be left out."""
    if expected is None:
        return
    if not isinstance(expected, Mapping) or set(expected) - set(_KEYS):
        yield f"expected of a workspace is left out, or an object of {', '.join(_KEYS)}"
        return
    if "files" in expected:
        yield from content_faults(expected["files"])
    if "judge" in expected and (not isinstance(expected["judge"], str) or not expected["judge"].strip()):
        yield "expected.judge must say by what a judge decides who reads the diff"
    if expected.get("credit", "all") not in _CREDITS:
        yield f"expected.credit must be one of {', '.join(_CREDITS)}"


class _Judgement:
    """One sample's judgement."""

    def __init__(self, sample: EvaluationSample, context: JudgeContext) -> None:
        self._sample, self._context = sample, context
        self._sandbox: dict[str, Any] = sample.definition.sandbox
        self._expected: Mapping[str, Any] = sample.expected if isinstance(sample.expected, Mapping) else {}
        self._shares = self._expected.get("credit") == "checks"

    def result(self) -> EvaluationResult:
        """All checks, then the judge."""
        beginning = with_folders(beginning_of(self._sandbox, self._context.suite_root))
        kept = self._sample.workspace or {}
        left = self._left(beginning, kept)
        diff = difference(beginning, left)
        calls = int(kept.get("calls", 0))
        if too_much := str(kept.get("too_much") or ""):
            words = f"the work folder holds {too_much}"
            return EvaluationResult(0.0, parts=(self._part((), diff, calls, words),))
        checks = [*self._by_commands(beginning, left), *self._by_contents(left)]
        score = sum(one.passed for one in checks) / len(checks) if checks else 1.0
        score = score if self._shares else float(score == 1.0)
        part = self._part(tuple(checks), diff, calls)
        if "judge" not in self._expected or score < 1.0:
            return EvaluationResult(score, parts=(part,))
        asked = self._asked(diff)
        # Everything before held, else nobody was asked: all or nothing is what the judge says.
        score = (len(checks) + asked.score) / (len(checks) + 1) if self._shares else asked.score
        return EvaluationResult(score, parts=(part, *asked.parts), reason=asked.why)

    def _left(self, beginning: Tree, kept: Mapping[str, Any]) -> Tree:
        if not isinstance(state := kept.get("state"), str):
            raise JudgeError(
                "no workspace was kept of this sample: it was not asked here; ask it again", ErrorType.EVALUATOR_ERROR
            )
        try:
            return changed(beginning, unpacked(state))
        except ValueError as error:
            raise JudgeError(f"{error}; ask the sample again", ErrorType.EVALUATOR_ERROR) from None

    def _by_commands(self, beginning: Tree, left: Tree) -> Iterator[WorkspaceCheck]:
        checks = checks_of(self._sandbox)
        if not checks:
            return
        names = self._sandbox.get("packages") or []
        packages = str(environment(names)) if names else ""
        copy = judged_copy(left, beginning, with_folders(hidden_files(self._sandbox, self._context.suite_root)))
        limits = replace(WorkLimits.of(self._sandbox), output_kb=64.0)
        for one in checks:
            yield checked(one, copy, limits, packages)

    def _by_contents(self, left: Tree) -> Iterator[WorkspaceCheck]:
        for path, wanted in (self._expected.get("files") or {}).items():
            wrong = content_wrong(path, wanted, left)
            yield WorkspaceCheck(f"file {path}", wrong is None, why=wrong or "")

    def _asked(self, diff: FolderDifference) -> EvaluationResult:
        """The judges' verdict on the diff."""
        sample, context = self._sample, self._context
        criteria, response = str(self._expected["judge"]), sample.response or ""
        changes = diff.text or "(nothing was changed)"
        if diff.left_out:
            changes = f"{changes}\n({diff.left_out})"
        delimiter = new_delimiter(sample.prompt, criteria, response, changes)
        form = context.template("judge/form_binary").strip()
        message = render(
            context.template("workspaces/judge"), form=form, delimiter=delimiter, prompt=shortened(sample.prompt, MAX_QUESTION),
            expected=shortened(criteria, MAX_QUESTION), diff=shortened(changes, MAX_FENCED),
            response=shortened(response, MAX_FENCED),
        )  # fmt: skip
        question = rating_question(message, form, _RATED, response=f"{response}\n{changes}", delimiter=delimiter)
        return judged(context, question, BINARY, criteria)

    def _part(self, checks: tuple[WorkspaceCheck, ...], diff: FolderDifference, calls: int, why: str = "") -> Workspace:
        wrong = next((one for one in checks if not one.passed), None)
        said = why or (f"{wrong.name}: {wrong.why}" if wrong is not None else "")
        return Workspace(checks, diff.text, diff.left_out, diff.files, calls, said)
