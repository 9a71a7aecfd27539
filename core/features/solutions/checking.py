"""Each test that carries a solution, judged twice as a run judges: solved, which must pass, and left alone, which must not."""

from __future__ import annotations

import copy
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from modex.core.config.runconfig import RunConfig
from modex.core.features.solutions.carried import Solution, nothing_of, solution_of
from modex.core.foundation.errors import ErrorType
from modex.core.llm.gate import Interrupted, Unheard
from modex.core.pipeline.assembly import Assembly, CheckedTests, Needs, assemble, open_suite, select_tests
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.environments import PackagesError, environment
from modex.core.sandbox.workspace.box import ShellRan, TooMuchError, WorkBox
from modex.core.sandbox.workspace.spec import WorkLimits
from modex.core.sandbox.workspace.tree import Tree, changes, packed, tree_of, with_folders
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Suite
from modex.core.suite.files import FileFaultError
from modex.core.suite.workspaces import beginning_of, read_folder

What = Literal["solution", "nothing"]
_EVERY_S = 5.0
_SHOWN = 300
_NOT_HERE = (ErrorType.SANDBOX_UNAVAILABLE, ErrorType.TOOL_UNAVAILABLE, ErrorType.INVALID_TEST)


@dataclass(frozen=True, slots=True)
class WrongTest:
    """What is wrong with a test: its solution does not pass, or doing nothing does."""

    what: What
    why: str

    def __str__(self) -> str:
        if self.what == "solution":
            return f"its own solution does not pass ({self.why}); mend the solution, or what judges it"
        return f"doing nothing passes ({self.why}); let a check ask for what is to be done"


@dataclass(frozen=True, slots=True)
class TriedTest:
    """A test whose solution was tried."""

    test: str
    """`domain/level/id`."""
    path: str
    line: int
    wrong: tuple[WrongTest, ...] = ()
    not_tried: str = ""
    """Why it cannot be judged here; empty where it was."""


@dataclass(slots=True)
class SolutionCheck:
    """What came of all tests."""

    suite: Suite
    total: int = 0
    """Tests looked at."""
    without: int = 0
    """Those that carry no solution."""
    by_judge: int = 0
    """Those with a solution about which an LLM judge decides, which nobody asks here."""
    tried: list[TriedTest] = field(default_factory=list)
    """In the order of the suite."""

    @property
    def wrong(self) -> list[TriedTest]:
        """Those whose solution fails, or that pass by nothing."""
        return [one for one in self.tried if one.wrong]

    @property
    def not_tried(self) -> list[TriedTest]:
        """Those that cannot be judged here."""
        return [one for one in self.tried if one.not_tried]

    @property
    def right(self) -> int:
        """How many tests are as they should be."""
        return sum(not one.wrong and not one.not_tried for one in self.tried)


def check_solutions(
    config: RunConfig,
    *,
    narrate: Callable[[str], None] = lambda _: None,
    found: Callable[[TriedTest], None] = lambda _: None,
    threads: int = 1,
) -> SolutionCheck:
    """Try the solutions of the tests that `config` selects; no model is asked, and nothing is stored.

    Tests of domains that are off are tried too, where the selection names none. `found` is told each test once it was tried, in
    the order of the suite; `narrate` how far it is.

    Raises:
        SuiteError: the suite has mistakes.
        ConfigurationError: the selection takes no test, or names what is not there.
    """
    selection = config.selection
    suite = open_suite(selection.suite, allow_plugins=selection.allow_plugins, tests=selection.takes_suite)
    if selection.takes_suite and not selection.domains and not selection.tests:
        named = {test.domain for test in suite.tests} | {one.domain for one in suite.datasets}
        config = config.model_copy(update={"selection": selection.model_copy(update={"domains": tuple(sorted(named))})})
    stop = threading.Event()
    with _assembled(config, suite, narrate, stop) as assembly:
        work = _Work(assembly.benchmark, SolutionCheck(suite), stop)
        try:
            for one in work.each(assembly, threads, narrate):
                found(one)
        finally:
            stop.set()
        return work.result


@contextmanager
def _assembled(
    config: RunConfig, suite: Suite, narrate: Callable[[str], None], stop: threading.Event
) -> Iterator[Assembly]:
    """A benchmark that judges and asks nobody; what it could store goes to a file that is nobody's."""
    selected = select_tests(suite, config)
    config = config.model_copy(update={"until": "preprocess"})
    with tempfile.TemporaryDirectory() as folder, closing(DBDataManager(Path(folder, "unused.db"))) as manager:
        assembly = assemble(
            config,
            manager,
            0,
            narrate=narrate,
            on_phase=lambda _sample, _phase: None,
            listener=Unheard(),
            stop=stop,
            judging_only=True,
            checked=CheckedTests(config, suite, selected, Needs()),
        )
        try:
            yield assembly
        finally:
            assembly.close()


@dataclass(slots=True)
class _Work:
    """One check under way."""

    benchmark: BaseBenchmark
    result: SolutionCheck
    stop: threading.Event

    def each(self, assembly: Assembly, threads: int, narrate: Callable[[str], None]) -> Iterator[TriedTest]:
        """Every test that carries a solution, tried."""
        todo = list(self._todo(assembly))
        told = time.monotonic() + _EVERY_S
        pool = ThreadPoolExecutor(threads, thread_name_prefix="solutions")
        try:
            for one in pool.map(self._tried, todo):
                self.result.tried.append(one)
                yield one
                if time.monotonic() >= told and len(self.result.tried) < len(todo):
                    narrate(f"{len(self.result.tried):,} of {len(todo):,} solutions tried")
                    told = time.monotonic() + _EVERY_S
        finally:
            self.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)

    def _todo(self, assembly: Assembly) -> Iterator[tuple[EvaluationSample, Solution, Solution]]:
        for test in assembly.tests():
            self.result.total += 1
            if (solution := solution_of(test)) is None:
                self.result.without += 1
                continue
            for sample in self.benchmark.samples([test]):
                if self._is_judged(sample):
                    self.result.by_judge += 1
                elif sample.epoch == 1:
                    yield sample, solution, nothing_of(test)

    def _is_judged(self, sample: EvaluationSample) -> bool:
        context, evaluator_id = self.benchmark.context, self.benchmark.processer_of(sample).judged_by(sample)
        if sample.status == "skipped" or evaluator_id not in context.evaluators:
            return False
        return context.is_judged(sample, evaluator_id) or context.extracts(sample, evaluator_id)

    def _tried(self, todo: tuple[EvaluationSample, Solution, Solution]) -> TriedTest:
        sample, solution, nothing = todo
        definition = sample.definition
        name = f"{sample.domain}/{sample.level}/{sample.test_id}"
        place = (name, definition.file, definition.line)
        if sample.status == "skipped":
            return TriedTest(*place, not_tried=sample.error_message or "it is skipped")
        wrong = list[WrongTest]()
        for what, given in (("solution", solution), ("nothing", nothing)):
            try:
                judged = self._judged(sample, given)
            except FileFaultError as fault:
                wrong.append(WrongTest("solution", fault.message))
                continue
            except _UnsolvedError as error:
                wrong.append(WrongTest("solution", str(error)))
                continue
            except (BoxError, PackagesError) as error:
                return TriedTest(*place, not_tried=str(error))
            if judged.status == "error" and judged.error_type in _NOT_HERE:
                return TriedTest(*place, not_tried=judged.error_message or str(judged.error_type))
            why = (judged.error_message if judged.status == "error" else judged.why) or judged.status
            if what == "solution" and judged.status != "passed":
                wrong.append(WrongTest("solution", why[:_SHOWN]))
            if what == "nothing" and judged.status == "passed":
                wrong.append(WrongTest("nothing", why[:_SHOWN]))
        return TriedTest(*place, wrong=tuple(wrong))

    def _judged(self, planned: EvaluationSample, solution: Solution) -> EvaluationSample:
        """The sample as a run would judge it that had answered so.

        Raises:
            BoxError, PackagesError, FileFaultError, _UnsolvedError: the folder cannot be solved.
            Interrupted: it was stopped.
        """
        if self.stop.is_set():
            raise Interrupted
        sample = copy.copy(planned)
        sample.response, sample.stage, sample.status = solution.answer, "rollout", "running"
        if solution.folder is not None:
            sample.workspace = self._left(planned, solution.folder)
        self.benchmark.judge_one(sample)
        return sample

    def _left(self, sample: EvaluationSample, solution: Mapping[str, Any]) -> dict[str, Any]:
        """What is kept of the folder once it is solved, as of a sample's."""
        sandbox, root = sample.definition.sandbox, self.benchmark.context.suite_root
        beginning = with_folders(beginning_of(sandbox, root))
        if not solution:
            return _kept(beginning, beginning)
        names = sandbox.get("packages") or []
        box = WorkBox(
            beginning, WorkLimits.of(sandbox), str(environment(names)) if names else "", given_up=self.stop.is_set
        )
        try:
            laid = tree_of(solution.get("files") or {})
            if "folder" in solution and root is not None:
                laid = {**read_folder(root, str(solution["folder"])), **laid}
            box.lay(laid)
            if "run" in solution:
                ran = box.shell(str(solution["run"]))
                if self.stop.is_set():
                    raise Interrupted
                if ran.lost or ran.over or ran.code:
                    raise _UnsolvedError("its command", _ended(ran))
            return _kept(beginning, box.keep())
        except (TooMuchError, ValueError) as error:
            raise _UnsolvedError("it leaves too much", str(error)) from error
        except OSError as error:
            raise _UnsolvedError("its files", error.strerror or str(error)) from error
        finally:
            box.close()


class _UnsolvedError(Exception):
    """A solution that cannot be carried out: what of it, and why."""

    def __str__(self) -> str:
        return ": ".join(map(str, self.args))


def _kept(beginning: Tree, left: Tree) -> dict[str, Any]:
    """What the store would keep of a folder.

    Raises:
        ValueError: it is too much.
    """
    return {"calls": 0, "state": packed(changes(beginning, left))}


def _ended(ran: ShellRan) -> str:
    """How a solution's command ended that did not end well."""
    how = "it ended the sandbox" if ran.lost else f"too much: {ran.over}" if ran.over else f"exit code {ran.code}"
    said = ran.out.strip().splitlines()
    return f"{how}, {said[-1][:_SHOWN]}" if said else how
