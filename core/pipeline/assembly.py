"""Putting a run together: suite, datasets, plugins, models and tools become the context of one benchmark."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from modex.core.config.entries.places import entries
from modex.core.config.entries.reading import mistakes_in
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.evaluators.registry import (
    default_configs,
    evaluator_ids,
    get_evaluator,
    may_need,
    needs_extractor,
    needs_judge,
)
from modex.core.foundation.errors import ConfigurationError, ModexError, Problem
from modex.core.llm.client import open_client
from modex.core.llm.gate import GateListener, GateState
from modex.core.llm.keys import missing_key_problem
from modex.core.llm.naming import unknown_name_problem
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import Limits
from modex.core.llm.routing import route
from modex.core.llm.types import ModelClient
from modex.core.pipeline.agreed import refuse_unknown
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.pipeline.benchmarks import find_benchmark
from modex.core.pipeline.fingerprints import user_spec
from modex.core.pipeline.likelihoods import likelihood_problem
from modex.core.pipeline.plugin_modules import digest_of_module
from modex.core.pipeline.plugins import is_allowed, load_bundled_plugins, load_plugins, old_imports_of
from modex.core.pipeline.preparation import prompt_of, suite_handlers
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY
from modex.core.pipeline.progress import ProgressCount
from modex.core.pipeline.rollout.agent_option import command_of, file_of, is_asked
from modex.core.pipeline.rollout.answers import answers_of
from modex.core.pipeline.run_context import Progress, RunContext
from modex.core.pipeline.suite_files import evaluator_configs, load_suite_only
from modex.core.store.connection import Database
from modex.core.store.database import open_database
from modex.core.store.manager import DBDataManager
from modex.core.suite.checking import ExpectedCheck
from modex.core.suite.definitions import EvaluatorConfig, McpServer, Suite, TestCase, ToolDefinition, is_played
from modex.core.suite.likelihood import EVALUATOR, is_comparable
from modex.core.suite.plan import SelectedTests
from modex.core.suite.suggest import did_you_mean
from modex.core.suite.templates import Templates
from modex.core.tools.base import ToolExecutor
from modex.core.tools.cassettes import Recorder, Replayer
from modex.core.tools.executor import SuiteToolExecutor

_WITHOUT = "; or leave out what needs a judge: --no-judge"
DEFAULT_JUDGE = "gemini/gemini-2.5-flash"


class _Checks(Mapping[str, ExpectedCheck]):
    """Each evaluator's own check, found when a test needs it: an evaluator nobody names is never imported."""

    def __init__(self, configs: dict[str, EvaluatorConfig]) -> None:
        self._configs = configs

    def __getitem__(self, evaluator_id: str) -> ExpectedCheck:
        return get_evaluator(self._configs[evaluator_id]).check

    def __iter__(self) -> Iterator[str]:
        return iter(self._configs)

    def __len__(self) -> int:
        return len(self._configs)


def checks(suite: Suite) -> Mapping[str, ExpectedCheck]:
    """Each evaluator's own check of a test's `expected`, by evaluator id."""
    return _Checks(evaluator_configs(suite))


def open_suite(path: str | None, *, allow_plugins: bool, tests: bool = True, read: Suite | None = None) -> Suite:
    """Load the suite (None: the bundled one) and, where allowed, its plugins; the bundled ones in any case.

    `read` is the suite where it was read a moment ago, without its plugins.

    Raises:
        ConfigurationError: no suite there, or a plugin fails.
    """
    suite = read or load_suite_only(path, tests=tests)
    known = evaluator_ids()
    load_bundled_plugins()
    load_plugins(suite.root, allow=allow_plugins, servers=servers_of(suite))
    if evaluator_ids() != known:
        suite = load_suite_only(path, tests=tests)  # its tests may name evaluators that the plugins define
    suite.notes = sorted({*suite.notes, *(Problem(*told) for told in old_imports_of(suite.root))})
    return suite


def _old_names(suite: Suite) -> list[str]:
    """One line for all plugins that import modex by a name that it no longer has."""
    found = old_imports_of(suite.root)
    return [f"{path}:{line}: {said}" + _and_more(len(found) - 1) for path, line, said in found[:1]]


def _and_more(number: int) -> str:
    return f" ({number} more: modex check --notes)" if number else ""


def servers_of(suite: Suite) -> list[McpServer]:
    """The servers that the suite's tools would be asked at, each once."""
    return list(dict.fromkeys(tool.server for tool in suite.tools.values() if tool.server is not None))


def select_tests(
    suite: Suite,
    config: RunConfig,
    look: Callable[[TestCase], None] = lambda _: None,
    *,
    unanswered: bool = False,
) -> SelectedTests:
    """The tests that the configuration selects, with every mistake found; `look` is shown each of them.

    `unanswered` takes those too that a file of answers has no answer to.

    Raises:
        SuiteError: the suite or a dataset has mistakes, and they are not to be skipped.
        ConfigurationError: something that was asked for is not there.
    """
    tests = open_tests(suite, config, unanswered=unanswered)
    tests.check(look)
    return tests


def open_tests(suite: Suite, config: RunConfig, *, unanswered: bool = False) -> SelectedTests:
    """The tests that the configuration selects, of the datasets only the first rows read; `unanswered` as in `select_tests`.

    Raises:
        SuiteError: a template gives no test.
        ConfigurationError: something that was asked for is not there.
    """
    known = evaluator_configs(suite)
    if config.evaluator is not None and config.evaluator not in known:
        hint = did_you_mean(config.evaluator, known) or f"; there are {', '.join(known)}"
        raise ConfigurationError(f"--evaluator: there is no evaluator '{config.evaluator}'{hint}")
    return SelectedTests(
        suite,
        config.selection,
        evaluator=config.evaluator,
        rollout=config.rollout,
        checks=checks(suite),
        defaults=default_configs(),
        unwanted=_unwanted(config.model_copy(update={"agent": None}) if unanswered else config, known),
        golds_needed=config.until in ("judge", "stat"),
        answered=file_of(config.agent),
        judge_named=bool(config.judges),
        likelihood=config.reading == "loglikelihood",
    )


def _unwanted(config: RunConfig, known: dict[str, EvaluatorConfig]) -> Callable[[TestCase], bool] | None:
    """What is left out by --no-judge, or since nobody answered it."""
    if config.reading == "loglikelihood":
        return lambda test: test.invalid is None and not is_comparable(test)
    answers = answers_of(config)
    if answers is None:
        return (lambda test: is_judged(test, known)) if config.selection.no_judge else None
    no_judge = config.selection.no_judge

    def unwanted(test: TestCase) -> bool:
        found = answers.find(test.domain, test.level, test.test_id, prompt_of(test))
        return found is None or (no_judge and is_judged(test, known))

    return unwanted


def is_judged(test: TestCase, evaluators: dict[str, EvaluatorConfig]) -> bool:
    """Whether an LLM judge decides about the test."""
    if test.invalid is not None or test.evaluator_id not in evaluators:
        return False  # not checked yet: the check says what is wrong with it
    evaluator = judging_of(test, evaluators)
    return evaluator is not None and needs_judge(test.expected, evaluator, evaluators)


def judge_specs(config: RunConfig) -> tuple[ModelSpec, ...]:
    """The judges of a run: those named, else the default one; a demo run is judged by the demo judge."""
    if config.judges:
        return config.judges
    return (ModelSpec(model="demo/judge" if is_demo(config.model) else DEFAULT_JUDGE),)


def without_judge(config: RunConfig, needs: Needs | None = None) -> str | None:
    """Why the default judge, which nobody named, cannot be asked, where that leaves its tests without a verdict and no more.

    A run all of whose tests need it is refused, and so is one with `--strict`, and judging alone (`needs` tells what is asked).
    """
    if config.judges or config.has_keys_elsewhere or config.selection.strict:
        return None
    if needs is not None and not (needs.judge and needs.unjudged):
        return None
    return next(filter(None, (missing_key_problem(spec, "--judge-model") for spec in judge_specs(config))), None)


def is_demo(spec: ModelSpec) -> bool:
    """Whether the model is the scripted one."""
    return spec.model.partition("/")[0] == "demo"


@dataclass(slots=True)
class Needs:
    """Which models a selection of tests will really ask."""

    extractor: bool = False
    judge: bool = False
    first_judged: str = ""
    """A test that needs the judge, for the message."""
    unjudged: bool = field(default=False, compare=False)
    """Whether a test needs no judge."""
    judged_by: dict[str, str] = field(default_factory=dict)
    """The processer's class by source, for datasets that have none of their own."""
    count: int = 0
    conversations: int = 0
    """Tests whose user a model plays."""
    without_tools: int = 0
    """Agentic tests that are offered no tool."""
    in_world: int = 0
    """Agentic tests that name no tool and are offered those of the bundled, invented world."""
    beside: bool = False
    """Whether a test has files, tools or a user: what is planned of it depends on more than its suite and datasets say."""
    unsent: int = 0
    """Tests with a file that is not sent to models."""
    first_unsent: str = ""
    longest: int = 0
    """Bytes of the longest prompt with its layers; what a served model must have room for."""
    by_likelihood: int = 0
    """Tests whose options are compared by likelihood."""

    def words(self) -> list[str]:
        """What a person should know of tools, users and files before it starts."""
        lines = []
        if self.unsent:
            ends = "1 test names a file" if self.unsent == 1 else f"{self.unsent} tests name files"
            lines.append(
                f"{ends} that no model is sent: not asked, an error each, never a score ({self.first_unsent}); "
                "the others are asked (--agent gives files of any kind to an agent of yours)"
            )
        if self.without_tools:
            lines.append(
                f"{self.without_tools} agentic tests are offered no tool: they are asked as `reasoning` (--tool names tools)"
            )
        if self.in_world:
            lines.append(
                f"{self.in_world} agentic tests name no tool and are offered those of an invented, frozen market, and told so "
                "(--tool live_web_search --tool live_url_content reach the real web)"
            )
        return lines


class _Finder:
    """Finds what the tests need, one shown after the other."""

    def __init__(self, suite: Suite, evaluators: dict[str, EvaluatorConfig]) -> None:
        self.needs = Needs()
        self.failure: ModexError | None = None
        """The first that kept it from finding out; to be raised once the suite's own mistakes were named."""
        self._own = suite_handlers(suite.tools)
        self._evaluators = evaluators
        self._seen: set[str] = set()
        self._judging: dict[tuple[str, str], EvaluatorConfig | None] = {}
        """By source and evaluator who judges, where a model may be asked; None where nobody does, or nobody is asked."""

    def look(self, test: TestCase) -> None:
        """Count a test."""
        self.needs.count += 1
        if test.invalid or self.failure is not None:
            return
        try:
            self._look(test)
        except ModexError as error:
            self.failure = error

    def _look(self, test: TestCase) -> None:
        needs, evaluators = self.needs, self._evaluators
        needs.conversations += is_played(test.simulated_user)
        needs.by_likelihood += test.evaluator_id == EVALUATOR
        needs.longest = max(needs.longest, length_of(test))
        needs.beside = needs.beside or bool(
            test.attachments or test.tools or test.simulated_user or test.rollout == "agentic"
        )
        if test.rollout == "agentic" and not test.tools:
            needs.without_tools += not self._own
            needs.in_world += any(tool.handler and tool.handler.startswith("world:") for tool in self._own)
        if unsent := next((one.unsent for one in test.attachments if one.unsent), ""):
            needs.unsent += 1
            needs.first_unsent = needs.first_unsent or f"{test.domain}/{test.level}/{test.test_id}: {unsent}"
        if test.source not in self._seen:
            self._seen.add(test.source)
            if test.source != "suite" and PROCESSER_FACTORY.is_default(test.source):
                needs.judged_by[test.source] = type(PROCESSER_FACTORY.get(test.source, test.evaluator_id)).__name__
        if test.lacks_gold or (needs.extractor and needs.judge and needs.unjudged):
            return
        key = (test.source, test.evaluator_id)
        if key not in self._judging:
            found = judging_of(test, evaluators)
            asks = found is not None and (may_need("needs_judge", found) or may_need("needs_extractor", found))
            self._judging[key] = found if asks else None
        if (evaluator := self._judging[key]) is None:
            needs.unjudged = True
            return  # one that is not there is named by the check
        needs.extractor = needs.extractor or needs_extractor(test.expected, evaluator, evaluators)
        if needs.judge and needs.unjudged:
            return
        if not needs_judge(test.expected, evaluator, evaluators):
            needs.unjudged = True
        elif not needs.judge:
            needs.judge, needs.first_judged = True, f"{test.domain}/{test.level}/{test.test_id}"


def length_of(test: TestCase) -> int:
    """Bytes of a test's prompt with its layers."""
    turns = [test.prompt] if isinstance(test.prompt, str) else [turn["content"] for turn in test.prompt]
    return sum(len(text.encode("utf-8", "replace")) for text in [*turns, *(layer.text for layer in test.layers)])


def judging_id(test: TestCase) -> str:
    """The evaluator that judges the test: the one of its source's processer, else its own."""
    return PROCESSER_FACTORY.get(test.source, test.evaluator_id).evaluator_id or test.evaluator_id


def judging_of(test: TestCase, evaluators: Mapping[str, EvaluatorConfig]) -> EvaluatorConfig | None:
    """The configuration of the evaluator that judges the test; None where nobody defines it."""
    return evaluators.get(judging_id(test))


class Role(NamedTuple):
    """A model that a run will ask, what for, and the flag that names another one."""

    words: str
    flag: str
    spec: ModelSpec
    instead: str = ""
    """How the command goes on without it."""

    def key_problem(self) -> str | None:
        """What is wrong with its key in this process's environment, and what to do."""
        problem = missing_key_problem(self.spec, self.flag)
        return problem and self.say(problem)

    def say(self, problem: str) -> str:
        """What is wrong, with what the model is for."""
        return self.words + problem + self.instead


def key_problems(config: RunConfig, needs: Needs, *, judging_only: bool = False) -> list[str]:
    """Models that cannot be asked: a bad address, no key, no such demo variant; each said once, before the first call.

    Keys of a run on a cluster are its workers' own, and so is what they say of them.
    """
    if config.agent is not None and not judging_only and file_of(config.agent) is None:
        command_of(config.agent, config.agent_folder)
    no_model = config.agent is not None and config.model.model.startswith("agent/")
    if no_model and config.extractor is None and needs.extractor and config.until in ("judge", "stat"):
        return ["PASS 2 needs a model, which an agent is none: name one with --extractor-model (or --evaluator match)"]
    if no_model and config.user is None and needs.conversations and _asks(config) and not judging_only:
        return ["users of conversations are played by a model, which an agent is none: name one with --user-model"]
    problems: dict[tuple[object, ...], str] = {}
    named = _entries_near(config)
    for role in roles(config, needs, judging_only=judging_only):
        wrong = unknown_name_problem(role.spec, named, role.flag) or route_problem(role.spec)
        problem = role.say(wrong) if wrong else None if config.has_keys_elsewhere else role.key_problem()
        if problem:
            problems.setdefault(role.spec.place, problem)
    return list(problems.values())


def _asks(config: RunConfig) -> bool:
    """Whether tests are asked: answers that are there already are only read."""
    return config.agent is None or is_asked(config.agent)


def _entries_near(config: RunConfig) -> list[str]:
    """The names of the entries that the run could have meant; none where a file has mistakes, which is said where it is read."""
    with contextlib.suppress(ConfigurationError):
        return list(entries(config.selection.suite))
    return []


def roles(config: RunConfig, needs: Needs, *, judging_only: bool = False) -> tuple[Role, ...]:
    """The models that the selected tests will really ask."""
    found: list[Role] = []
    if not judging_only and config.agent is None:
        found.append(Role("", "--model", config.model))
    if needs.conversations and _asks(config) and not judging_only:
        found.append(Role("simulated user: ", "--user-model", user_spec(config)))
    if config.until in ("judge", "stat"):
        if needs.extractor and (config.extractor is not None or not config.model.model.startswith("agent/")):
            found.append(Role("PASS 2: ", "--extractor-model", config.extractor or config.model))
        if needs.judge and (judging_only or without_judge(config, needs) is None):
            words, instead = f"judge (for {needs.first_judged}): ", "" if judging_only else _WITHOUT
            found += [Role(words, "--judge-model", spec, instead) for spec in judge_specs(config)]
    return tuple(found)


def route_problem(spec: ModelSpec) -> str | None:
    """Why a model cannot be asked at all, whatever its key: no address, no such demo variant; None where it can."""
    try:
        route(spec)
    except ConfigurationError as error:
        return str(error)
    return None


@dataclass(slots=True)
class Assembly:
    """A benchmark ready to run, and what it must give back at the end."""

    benchmark: BaseBenchmark
    selected: SelectedTests
    pool: ClientPool
    executor: SuiteToolExecutor
    database: Path
    checked: CheckedTests
    asked: tuple[Role, ...] = ()
    """The models that will be asked."""

    def tests(self) -> Iterator[TestCase]:
        """The tests in planning order."""
        return iter(self.selected)

    def gates(self) -> list[GateState]:
        """The gates of all models asked so far."""
        return self.pool.snapshot()

    def writer_database(self) -> Database:
        """A database of the writer's own."""
        return open_database(self.database)

    def feed_manager(self) -> DBDataManager:
        """A manager of the feed's own."""
        return DBDataManager(self.database)

    def end_calls(self) -> None:
        """End the calls in flight, refuse new ones, and read no long answer further; their callers get `Interrupted`."""
        self.pool.abort()
        self.benchmark.context.long_answers.abandon()

    def close(self) -> None:
        """Close the models' connections and end the tools' servers."""
        self.pool.close()
        self.executor.close()


@dataclass(frozen=True, slots=True)
class CheckedTests:
    """What a configuration asks, read and checked."""

    config: RunConfig
    suite: Suite
    selected: SelectedTests
    needs: Needs
    unchanged: str = ""
    """The digest of what the run's last plan was made of, where it is still the same and no dataset was read for that."""


def checked_tests(config: RunConfig, tell: Callable[[str], None] | None = None) -> CheckedTests:
    """Read the suite and the datasets of `config` and find every mistake in what it selects; `tell` hears how far it is.

    Raises:
        SuiteError: there are mistakes, and they are not to be skipped.
        ConfigurationError: nothing is selected.
    """
    selection = config.selection
    suite = open_suite(selection.suite, allow_plugins=selection.allow_plugins, tests=selection.takes_suite)
    finder, progress = _Finder(suite, evaluator_configs(suite)), ProgressCount("checking: {} tests so far", tell)

    def look(test: TestCase) -> None:
        finder.look(test)
        progress.one_more()

    selected = select_tests(suite, config, look)
    if finder.failure is not None:
        raise finder.failure
    return CheckedTests(config, suite, selected, finder.needs)


def assemble(
    config: RunConfig,
    manager: DBDataManager,
    run_id: int,
    *,
    narrate: Callable[[str], None],
    on_phase: Progress,
    listener: GateListener,
    stop: threading.Event,
    count: Callable[[str], None] = lambda _words: None,
    tell: Callable[[str], None] = lambda _words: None,
    judging_only: bool = False,
    checked: CheckedTests | None = None,
) -> Assembly:
    """Build everything a session needs, and refuse before the first call what cannot work.

    `checked` are the tests where this process has read them already, for the same configuration.

    Raises:
        SuiteError: the suite has mistakes.
        ConfigurationError: the selection, a model's address, a missing key or a recording.
    """
    if checked is None or checked.config != config:
        checked = checked_tests(config, narrate)
    suite, selected, needs = checked.suite, checked.selected, checked.needs
    if needs.by_likelihood and not judging_only and (problem := likelihood_problem(config)):
        raise ConfigurationError(problem)
    evaluators = evaluator_configs(suite)
    for line in (*_old_names(suite), *selected.guesses):
        narrate(line)
    for line in needs.words() if config.agent is None else ():
        narrate(line)
    if config.until in ("judge", "stat") and not judging_only and (lost := without_judge(config, needs)) is not None:
        narrate(
            f"no judge for {needs.first_judged} and others that need one: asked, and left without a verdict ({lost}); "
            "`modex judge` judges them then"
        )
    if needs.conversations and _asks(config) and not judging_only:
        narrate(_who_plays(config, needs.conversations))
    for source, processer in needs.judged_by.items():
        narrate(f"{source}: no processer of its own, so {processer} judges it")
    if config.until != "preprocess" and (problems := key_problems(config, needs, judging_only=judging_only)):
        raise ConfigurationError("\n".join(problems))
    asked = roles(config, needs, judging_only=judging_only)
    if config.until != "preprocess":
        refuse_unknown(config, [role.spec for role in asked], judging_only=judging_only)
    pool = ClientPool(
        concurrency=config.concurrency,
        timeout_s=config.timeout_s,
        max_outage_s=config.max_outage_s,
        listener=listener,
        stop=stop,
        stream=config.stream,
        limits=Limits(config.runaway, config.max_seconds),
    )
    parts = SuiteParts(suite.root, evaluators, suite.tools, Templates(suite.root), plays=bool(needs.conversations))
    executor = SuiteToolExecutor(
        stop=stop,
        recorder=Recorder(Path(config.record).expanduser()) if config.record else None,
        replayer=Replayer(Path(config.replay).expanduser()) if config.replay else None,
    )
    context = context_of(
        config,
        parts,
        pool,
        executor,
        progress=on_phase,
        stop=stop,
        note=listener.on_note,
        count=count,
        tell=tell,
        asks=config.until != "preprocess" and not judging_only and config.moves_here,
    )
    benchmark = find_benchmark(config.benchmark)(manager, run_id, context)
    return Assembly(benchmark, selected, pool, executor, manager.path, checked, asked)


@dataclass(frozen=True, slots=True)
class SuiteParts:
    """What the stages need of a suite."""

    root: Path
    evaluators: Mapping[str, EvaluatorConfig]
    tools: Mapping[str, ToolDefinition]
    templates: Templates
    plays: bool = False
    """Whether a model plays users of its conversations."""


def context_of(
    config: RunConfig,
    parts: SuiteParts,
    pool: ClientPool,
    executor: ToolExecutor,
    *,
    progress: Progress,
    stop: threading.Event,
    note: Callable[[str], None],
    asks: bool,
    count: Callable[[str], None] = lambda _words: None,
    tell: Callable[[str], None] = lambda _words: None,
) -> RunContext:
    """The context of a run whose suite was read and whose plugins have run.

    `asks` says whether this process is about to ask the model under test.

    Raises:
        ConfigurationError: a model's address, or a benchmark's name.
    """
    client = open_client(_asked(config), pool=pool)
    if asks and config.agent is None:
        client.prepare_early()
    return RunContext(
        config=config,
        templates=parts.templates,
        evaluators=parts.evaluators,
        tools=parts.tools,
        executor=executor,
        client=client,
        extractor=open_client(config.extractor or _without_effort(config.model), pool=pool),
        judges=_judges(config, pool),
        user=open_client(user_spec(config), pool=pool) if parts.plays else None,
        suite_root=parts.root,
        benchmark_digest=digest_of_module(find_benchmark(config.benchmark).__module__),
        progress=progress,
        stop=stop,
        note=note,
        count=count,
        tell=tell,
    )


def _who_plays(config: RunConfig, number: int) -> str:
    """Who plays the users, and what to name so that all models meet the same ones."""
    spec = user_spec(config)
    words = f"{number} conversation{'' if number == 1 else 's'} with a user played by {spec.model}"
    if spec is config.model:
        return f"{words}, the model under test itself; for models that are compared name one with --user-model"
    return words


def _asked(config: RunConfig) -> ModelSpec:
    """The model as it is asked: with more tokens than its answers' fingerprint names, where a resume gave more."""
    if config.more_tokens is None:
        return config.model
    return config.model.model_copy(update={"max_tokens": config.more_tokens})


def _without_effort(model: ModelSpec) -> ModelSpec:
    """The model under test as it extracts: copying an answer takes no thinking, and thinking takes no temperature 0."""
    return model.model_copy(update={"reasoning_effort": None, "stop": ()})


def _judges(config: RunConfig, pool: ClientPool) -> tuple[ModelClient, ...]:
    if without_judge(config) is not None:
        return ()
    return tuple(open_client(spec, pool=pool) for spec in judge_specs(config))


def problems_of(path: str | None) -> tuple[Suite, list[Problem]]:
    """A suite with everything that is wrong with it, evaluators' checks and its `models.toml` included; for `modex check`.

    Its plugins run only where they were allowed before; else the evaluators they define are unknown.

    Raises:
        ConfigurationError: there is no suite at `path`, or a plugin fails.
    """
    suite = load_suite_only(path)
    if is_allowed(suite.root, servers_of(suite)):
        suite = open_suite(path, allow_plugins=False, read=suite)
    config = RunConfig(model=ModelSpec(model="demo"))
    selected = SelectedTests(suite, config.selection, checks=checks(suite), defaults=default_configs())
    with contextlib.suppress(ModexError):
        selected.check()
    suite.notes = sorted({*suite.notes, *selected.unsent})
    if suite.dialect is not None:
        suite.lacks, suite.excused, suite.problems = sorted({*suite.lacks, *suite.problems}), suite.problems, []
    return suite, sorted({*suite.problems, *selected.problems, *mistakes_in(suite.root)})
