"""What the stages of one run share: models, templates, evaluator configurations, tools. Built once, read by all threads."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from modex.core.config.runconfig import RunConfig
from modex.core.evaluators.base import BaseEvaluator, JudgeContext
from modex.core.evaluators.registry import Need, get_evaluator, may_need, needs_extractor, needs_judge
from modex.core.llm.gate import Interrupted
from modex.core.llm.types import ModelClient
from modex.core.pipeline.long_answers import LONG, AbandonedError, LongAnswers
from modex.core.pipeline.scripted import as_judge
from modex.core.sandbox.workspace.spec import WorkLimits, has_workspace
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import EvaluatorConfig, ToolDefinition
from modex.core.suite.templates import Templates
from modex.core.tools.base import ToolExecutor

Progress = Callable[[EvaluationSample, str], None]
"""Told the phase a sample enters (`pass 1`, `tool loop 2/5`, `pass 2`, …)."""


@dataclass(slots=True)
class RunContext:
    """The shared parts of a run."""

    config: RunConfig
    templates: Templates
    evaluators: Mapping[str, EvaluatorConfig]
    """Every evaluator by id: the built-in ones and the suite's own files."""
    tools: Mapping[str, ToolDefinition]
    """The suite's tools by id."""
    executor: ToolExecutor
    client: ModelClient
    extractor: ModelClient
    judges: tuple[ModelClient, ...]
    user: ModelClient | None = None
    """Plays the users of conversations."""
    suite_root: Path | None = None
    benchmark_digest: str | None = None
    """The digest of the plugin that defines the run's benchmark class."""
    progress: Progress = lambda _sample, _phase: None
    stop: threading.Event = field(default_factory=threading.Event)
    text_protocol: set[str] = field(default_factory=set)
    """Models that were found to have no native tool calling."""
    native_tools: set[str] = field(default_factory=set)
    """Models that took tools natively: what they refuse later has another cause."""
    without_images: set[str] = field(default_factory=set)
    """Models that refused the images of tools: they get what the tools said of them in words."""
    note: Callable[[str], None] = lambda _words: None
    """Told what a reader of the scores should know of the whole run."""
    count: Callable[[str], None] = lambda _words: None
    """Told what holds of single samples: said once, with how many they were at the end."""
    tell: Callable[[str], None] = lambda _words: None
    """Told what takes long and is done once, as it begins and ends."""
    long_answers: LongAnswers = field(default_factory=LongAnswers)
    """Whose turn it is to read one."""
    _digests: dict[str, str] = field(default_factory=dict)
    _found: dict[str, BaseEvaluator] = field(default_factory=dict)
    _kept: dict[str, str] = field(default_factory=dict, init=False)
    _asks: dict[tuple[str, str], bool] = field(default_factory=dict, init=False)

    def find_evaluator(self, config: EvaluatorConfig) -> BaseEvaluator:
        """The evaluator behind `config`; every sample asks for it, so what was found is kept.

        Raises:
            ConfigurationError: nobody defines it.
        """
        found = self._found.get(config.id)
        if found is None:
            found = self._found[config.id] = get_evaluator(config)
        return found

    def found(self) -> tuple[BaseEvaluator, ...]:
        """Every evaluator that a sample asked for so far."""
        return tuple(self._found.values())

    def digest_of_templates(self, prefix: str) -> str:
        """One digest of all templates of a kind (`pass2/`, `judge/`): an evaluator may use any of them."""
        digest = self._digests.get(prefix)
        if digest is None:
            texts = [
                f"{name}\0{self.templates.text(name)}" for name in self.templates.names() if name.startswith(prefix)
            ]
            digest = self._digests[prefix] = hashlib.blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()
        return digest

    def kept(self, name: str, make: Callable[[], str]) -> str:
        """A text that is the same for every sample of the run, made once; `name` says which."""
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = make()
        return found

    def tools_of(self, sample: EvaluationSample) -> tuple[ToolDefinition, ...]:
        """The tools the sample's test offers: the suite's by id, those embedded in the test, those of its workspace."""
        worked_in = has_workspace(sample.definition.sandbox) if sample.definition.sandbox else False
        if not sample.definition.tool_ids and not sample.definition.tools and not worked_in:
            return ()
        offered = [self.tools[id_] for id_ in sample.definition.tool_ids if id_ in self.tools]
        offered += [tool_from_dict(document) for document in sample.definition.tools]
        if worked_in:
            from modex.core.tools.shell_tools import workspace_tools

            names = {tool.name for tool in offered}
            offered += [
                tool for tool in workspace_tools(WorkLimits.of(sample.definition.sandbox)) if tool.name not in names
            ]
        return tuple(offered)

    def users_tools_of(self, sample: EvaluationSample) -> tuple[ToolDefinition, ...]:
        """The tools that the sample's simulated user may call."""
        ids = sample.definition.simulated_user.get("tool_ids") or ()
        return tuple(self.tools[id_] for id_ in ids if id_ in self.tools)

    def judge_context(self, sample: EvaluationSample, evaluator: EvaluatorConfig) -> JudgeContext:
        """A fresh judging for one judgement of `sample`."""
        return JudgeContext(
            config=evaluator,
            template=self.templates.text,
            extractor=self.extractor,
            judges=self.judges,
            tools={tool.name: tool for tool in self.tools_of(sample)},
            suite_root=self.suite_root,
            configs=self.evaluators,
            repeats=self.config.judge_repeats,
            settle=self.config.judge_settle,
            sandbox=self.config.sandbox,
            tell=self.tell,
            doing=lambda phase: self.progress(sample, phase),
            sample=sample,
            around=as_judge,
        )

    @contextlib.contextmanager
    def reading(self, sample: EvaluationSample, evaluator: BaseEvaluator, judging: JudgeContext) -> Iterator[None]:
        """Held while `evaluator` reads the sample's answer: a turn where that is long and rules of this program read it here.

        Raises:
            Interrupted: the run is stopping.
        """
        if len(sample.response or "") < LONG or not _reads_here(evaluator):
            yield
            return
        with self.long_answers.turn(self.stop) as waiting:
            judging.waiting = waiting
            yield

    @contextlib.contextmanager
    def looking(self, sample: EvaluationSample) -> Iterator[None]:
        """Held while this program looks through an answer that is judged already: a turn where that is long.

        Raises:
            Interrupted: the run is stopping, or waits no longer.
        """
        try:
            with self.long_answers.turn(self.stop) if len(sample.response or "") >= LONG else contextlib.nullcontext():
                yield
        except AbandonedError:
            raise Interrupted from None

    def extracts(self, sample: EvaluationSample, evaluator_id: str) -> bool:
        """Whether judging `sample` by this evaluator may make a PASS 2 call."""
        evaluator = self.evaluators[evaluator_id]
        return self._may_ask("needs_extractor", evaluator) and needs_extractor(
            sample.expected, evaluator, self.evaluators
        )

    def is_judged(self, sample: EvaluationSample, evaluator_id: str) -> bool:
        """Whether judging `sample` by this evaluator asks an LLM judge."""
        evaluator = self.evaluators[evaluator_id]
        return self._may_ask("needs_judge", evaluator) and needs_judge(sample.expected, evaluator, self.evaluators)

    def _may_ask(self, what: Need, evaluator: EvaluatorConfig) -> bool:
        """Whether the evaluator ever asks a model; of most no sample needs to be looked at."""
        key = (what, evaluator.id)
        found = self._asks.get(key)
        if found is None:
            found = self._asks[key] = may_need(what, evaluator)
        return found


def tool_to_dict(tool: ToolDefinition) -> dict[str, object]:
    """An embedded tool as stored with its sample."""
    return {
        "id": tool.id,
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "mock": tool.mock,
        "handler": tool.handler,
        "category": tool.category,
        "read_only": tool.read_only,
        "claims": tool.claims,
        "path": tool.location.path,
        "line": tool.location.line,
    }


def tool_from_dict(document: Mapping[str, object]) -> ToolDefinition:
    """Undo `tool_to_dict`."""
    from modex.core.suite.definitions import Location

    values = dict(document)
    location = Location(str(values.pop("path")), int(str(values.pop("line"))))
    return ToolDefinition(location=location, **values)  # type: ignore[arg-type]


def _reads_here(evaluator: BaseEvaluator) -> bool:
    """Whether it is one of ours that spends its time in this process: those of code and SQL wait for children."""
    place = type(evaluator).__module__
    return place.startswith("modex.core.evaluators.") and not place.startswith(
        ("modex.core.evaluators.code.", "modex.core.evaluators.sql.")
    )
