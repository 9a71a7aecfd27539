"""One run's stages: preprocess → rollout → judge → stat, each committed as it is reached."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from core.errors import ErrorType, ModelCallError
from core.pipeline import stages
from core.pipeline.fingerprints import judge_fingerprint, rollout_fingerprint
from core.pipeline.plugins import code_digest
from core.pipeline.preparation import samples_of
from core.pipeline.processers.factory import PROCESSER_FACTORY
from core.pipeline.services import Services
from core.pipeline.stat import stat
from core.runconfig import Stage
from core.store.manager import DBDataManager, Plan
from core.store.rows import ROLLOUT_FIELDS, VERDICT_FIELDS
from core.store.sample import EvaluationSample
from core.store.writer import Spent, Writer
from core.suite.definitions import TestCase

Judging = Literal["changed", "all"]
_ALL_FIELDS = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))
_JUDGE_FIELDS = tuple(dict.fromkeys(("evaluator_id", *VERDICT_FIELDS)))


class BaseBenchmark:
    """Moves the samples of one run through the stages. Subclass it to change how a stage is done.

    `process` may be called from many threads at once, for different samples; everything else from one.
    """

    def __init__(self, manager: DBDataManager, run_id: int, services: Services) -> None:
        self.manager = manager
        self.run_id = run_id
        self.services = services

    # preprocess

    def samples(self, tests: Iterable[TestCase]) -> Iterator[EvaluationSample]:
        """The samples of `tests`, prepared by their processers, with fingerprints."""
        services = self.services
        handled = [tool.id for tool in services.tools.values() if tool.handler]
        for test in tests:
            for sample in samples_of(
                test, epochs=services.config.epochs, suite_tools=services.tools, default_tools=handled
            ):
                if sample.status == "skipped":
                    yield sample
                    continue
                prepared = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id).preprocess_one(sample)
                if prepared is None:
                    continue
                self._check_tools(prepared)
                if prepared.status != "skipped":
                    prepared.rollout_fingerprint = rollout_fingerprint(prepared, services)
                    prepared.judge_fingerprint = self.judge_fingerprint(prepared)
                yield prepared

    def preprocess(
        self,
        tests: Iterable[TestCase],
        *,
        judging: Judging | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> Plan:
        """Store the samples of `tests` and find which have work to do.

        `judging` leaves rollouts alone: `changed` judges what has no verdict or is judged otherwise now, `all` everything.
        """
        work: tuple[str, ...] = ("rollout", "judge")
        if judging:
            work = ("judge",)
        elif self.services.config.until == "rollout":
            work = ("rollout",)
        return self.manager.plan(
            self.run_id, self.samples(tests), rejudge=judging == "all", stages=work, progress=progress
        )

    def _check_tools(self, sample: EvaluationSample) -> None:
        """Skip a sample whose tools this machine cannot run."""
        for tool in self.services.tools_of(sample):
            if reason := self.services.executor.unavailable(tool):
                sample.status = "skipped"
                sample.error_type = ErrorType.TOOL_UNAVAILABLE
                sample.error_message = f"{tool.name}: {reason}"
                return

    def judge_fingerprint(self, sample: EvaluationSample) -> str:
        """The digest of how `sample` is judged, the processer's class included."""
        processer = type(PROCESSER_FACTORY.get(sample.source, sample.evaluator_id))
        judged = _as_judged(sample, getattr(processer, "evaluator_id", None))
        digest = judge_fingerprint(judged, self.services)
        if processer.__module__.startswith("core."):
            return digest
        return hashlib.blake2b(
            f"{digest}/{processer.__qualname__}/{code_digest(processer)}".encode(), digest_size=16
        ).hexdigest()

    # rollout and judge

    def process(self, sample: EvaluationSample, writer: Writer, until: Stage) -> ModelCallError | None:
        """Move one sample as far as `until` says, storing each stage.

        Returns a failure that must end the run; the sample is then stored as it was, to be resumed.
        A rollout is on disk before a judgement asks any model, so a crash while judging never asks again.

        Raises:
            Interrupted: the run is stopping; what was reached is stored.
            StoreError: a stage could not be stored.
        """
        before = sample.status
        if sample.stage == "init":
            if fatal := self.rollout_one(sample):
                return fatal
            spent = Spent(sample.prompt_tokens, sample.completion_tokens, sample.cost_usd)
            if sample.status == "error" or until == "rollout":
                writer.save(sample, _ALL_FIELDS, before=before, spent=spent).result()
                return None
            if not self._asks_while_judging(sample):
                self.judge_one(sample)
                writer.save(sample, _ALL_FIELDS, before=before, spent=spent).result()
                return None
            sample.status = "running"
            writer.save(sample, _ALL_FIELDS, before=before, spent=spent).result()
            before = "running"
        keep_earlier = sample.stage == "judged"
        if fatal := self.judge_one(sample):
            return fatal
        spent = Spent(sample.judge_prompt_tokens, sample.judge_completion_tokens, sample.judge_cost_usd)
        writer.save(sample, _JUDGE_FIELDS, before=before, spent=spent, keep_earlier=keep_earlier).result()
        return None

    def rollout_one(self, sample: EvaluationSample) -> ModelCallError | None:
        """Ask the model under test about one sample; see `stages.roll_out_one`."""
        return stages.roll_out_one(sample, self.services)

    def judge_one(self, sample: EvaluationSample) -> ModelCallError | None:
        """Score one sample whose rollout is stored; see `stages.judge_one`."""
        return stages.judge_one(sample, self.services, self.judge_fingerprint(sample))

    def _asks_while_judging(self, sample: EvaluationSample) -> bool:
        processer = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id)
        if not type(processer).__module__.startswith("core."):
            return True
        judged = _as_judged(sample, getattr(processer, "evaluator_id", None))
        return self.services.extracts(judged) or self.services.is_judged(judged)

    # one stage alone

    def rollout(self, plan: Plan, writer: Writer) -> None:
        """Ask about every sample that needs it, one after the other, and judge none."""
        for sample in self._planned(plan):
            self.process(sample, writer, "rollout")

    def judge(self, plan: Plan, writer: Writer) -> None:
        """Judge every stored rollout that needs it, one after the other."""
        for sample in self._planned(plan):
            if sample.stage != "init":
                self.process(sample, writer, "judge")

    def stat(self) -> float | None:
        """Compute and store scores, intervals and metrics; the overall Weighted Score."""
        return stat(self.manager, self.run_id)

    def _planned(self, plan: Plan) -> Iterator[EvaluationSample]:
        for start in range(0, len(plan.to_do), 200):
            yield from self.manager.load(plan.to_do[start : start + 200])


def _as_judged(sample: EvaluationSample, evaluator: str | None) -> EvaluationSample:
    """The sample under the evaluator that its processer insists on."""
    if evaluator is None or evaluator == sample.evaluator_id:
        return sample
    return dataclasses.replace(sample, evaluator_id=evaluator)
