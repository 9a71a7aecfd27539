"""One run's stages: preprocess → rollout → judge → stat, each committed as it is reached."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from core.errors import CUT_OFF, ErrorType, ModelCallError, StoreError
from core.pipeline import stages
from core.pipeline.fingerprints import judge_fingerprint, rollout_fingerprint
from core.pipeline.plugins import code_digest
from core.pipeline.preparation import samples_of
from core.pipeline.processers.factory import PROCESSER_FACTORY
from core.pipeline.services import Services
from core.pipeline.stat import stat
from core.runconfig import Stage
from core.store.manager import Chosen, DBDataManager, Plan
from core.store.sample import ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
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
                prepared = stages.preprocess_one(sample)
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
        chosen: Chosen | None = None,
        progress: Callable[[int], None] = lambda _: None,
        wait: Callable[[StoreError], bool] = lambda _: False,
    ) -> Plan:
        """Store the samples of `tests` and find which have work to do; `wait` decides whether a full disk is waited for.

        `judging` leaves rollouts alone: `changed` judges what has no verdict or is judged otherwise now, `all` everything.
        `chosen` leaves all other samples alone.
        """
        work: tuple[str, ...] = ("rollout", "judge")
        if judging:
            work = ("judge",)
        elif self.services.config.until == "rollout":
            work = ("rollout",)
        return self.manager.plan(
            self.run_id,
            self.samples(tests),
            rejudge=judging == "all",
            only=CUT_OFF if self.services.config.more_tokens and judging is None and chosen is None else None,
            chosen=chosen,
            stages=work,
            progress=progress,
            wait=wait,
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
        processer = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id)
        digest = judge_fingerprint(sample, self.services, processer.judged_by(sample))
        kind = type(processer)
        if code_digest(kind) is None and not kind.judges_itself():
            return digest
        own = f"{digest}/{kind.__qualname__}/{code_digest(kind)}"
        return hashlib.blake2b(own.encode(), digest_size=16).hexdigest()

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
            to_judge = sample.status != "error" and until != "rollout"
            at_once = to_judge and not self._asks_while_judging(sample)
            if at_once:
                self.judge_one(sample)
            elif to_judge:
                sample.status = "running"
            spent = Spent(sample.prompt_tokens, sample.completion_tokens, sample.cost_usd)
            writer.save(sample, _ALL_FIELDS, before=before, spent=spent).result()
            if at_once or not to_judge:
                return None
            before = "running"
        keep_earlier = sample.stage == "judged"
        fatal = self.judge_one(sample)
        if fatal is None:
            spent = Spent(sample.judge_prompt_tokens, sample.judge_completion_tokens, sample.judge_cost_usd)
            writer.save(sample, _JUDGE_FIELDS, before=before, spent=spent, keep_earlier=keep_earlier).result()
        return fatal

    def rollout_one(self, sample: EvaluationSample) -> ModelCallError | None:
        """Ask the model under test about one sample; see `stages.roll_out_one`."""
        return stages.roll_out_one(sample, self.services)

    def judge_one(self, sample: EvaluationSample) -> ModelCallError | None:
        """Score one sample whose rollout is stored; see `stages.judge_one`."""
        return stages.judge_one(sample, self.services, self.judge_fingerprint(sample))

    def _asks_while_judging(self, sample: EvaluationSample) -> bool:
        processer = PROCESSER_FACTORY.get(sample.source, sample.evaluator_id)
        if processer.judges_itself():
            return True
        evaluator_id = processer.judged_by(sample)
        return self.services.extracts(sample, evaluator_id) or self.services.is_judged(sample, evaluator_id)

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
