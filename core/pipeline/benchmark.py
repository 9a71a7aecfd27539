"""One run's stages: preprocess → rollout → judge → stat, each committed as it is reached; what becomes of a failure."""

from __future__ import annotations

import hashlib
import socket
import traceback
from collections.abc import Callable, Iterable, Iterator
from threading import local
from typing import Any, Literal

from modex.core.config.options import Stage
from modex.core.evaluators.base import BaseEvaluator
from modex.core.evaluators.flags import verdict_flags
from modex.core.foundation.errors import (
    MAY_NEED_TOKENS,
    MODEL_MAY_CAUSE,
    ErrorType,
    JudgeError,
    ModelCallError,
    ModexError,
    StoreError,
    while_judging,
)
from modex.core.llm.gate import Interrupted
from modex.core.llm.types import Usage
from modex.core.pipeline.fingerprints import judge_fingerprint, judge_identity, rollout_fingerprint
from modex.core.pipeline.lacking import lacking_in
from modex.core.pipeline.long_answers import LONG
from modex.core.pipeline.machine import host_limits
from modex.core.pipeline.plugins import code_digest
from modex.core.pipeline.preparation import MESSAGE_LIMIT, WORLD, preprocess_one, samples_of, suite_handlers
from modex.core.pipeline.processers.base import BaseProcesser, check_result
from modex.core.pipeline.processers.factory import PROCESSER_FACTORY
from modex.core.pipeline.rollout.agent_option import is_asked
from modex.core.pipeline.rollout.answers import answer_of, answers_of
from modex.core.pipeline.rollout.asking import Asking
from modex.core.pipeline.rollout.journal import keep_journal, stored_journal
from modex.core.pipeline.rollout.modes import roll_out
from modex.core.pipeline.rollout.workspaces import workspace_missing
from modex.core.pipeline.run_context import RunContext
from modex.core.pipeline.stat import stat
from modex.core.safety import redact
from modex.core.sandbox.workspace.spec import has_workspace
from modex.core.statistics.k_of_n import Required
from modex.core.store.clock import now
from modex.core.store.exact import encode_json
from modex.core.store.manager import ChosenSamples, DBDataManager, Plan
from modex.core.store.sample import ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample, without_verdict
from modex.core.store.writer import Spent, StageWriter
from modex.core.suite.datasets.golds import NEED_GOLD
from modex.core.suite.definitions import TestCase

Judging = Literal["changed", "all"]
_ALL_FIELDS = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))
_SO_FAR = ("transcript", "workspace")
"""What is stored of a sample in a workspace while it is asked."""
_JUDGE_FIELDS = tuple(dict.fromkeys(("evaluator_id", *VERDICT_FIELDS)))


class _Here(local):
    """What belongs to the sample that the current thread moves."""

    writer: StageWriter | None = None
    counted: Spent = Spent()
    """What the run's totals hold of it already."""


class BaseBenchmark:
    """Moves the samples of one run through the stages. Subclass it to change how a stage is done.

    `process` may be called from many threads at once, for different samples; everything else from one.
    """

    def __init__(self, manager: DBDataManager, run_id: int, context: RunContext) -> None:
        self.manager = manager
        self.run_id = run_id
        self.context = context
        self.judged: set[str] = set()
        """The evaluators that were found to ask an LLM judge about a sample."""
        self._processers: dict[tuple[str, str], BaseProcesser] = {}
        self._here = _Here()

    @property
    def services(self) -> RunContext:
        """The name of `context` until 0.2.0, for subclasses."""
        return self.context

    def processer_of(self, sample: EvaluationSample) -> BaseProcesser:
        """The processer of the sample's source; every stage asks for it, so what was found is kept."""
        key = (sample.source, sample.evaluator_id)
        found = self._processers.get(key)
        if found is None:
            found = self._processers[key] = PROCESSER_FACTORY.get(*key)
        return found

    def found(self) -> tuple[BaseProcesser | BaseEvaluator, ...]:
        """Every processer and evaluator that a sample asked for so far."""
        return (*self._processers.values(), *self.context.found())

    # preprocess

    def samples(self, tests: Iterable[TestCase]) -> Iterator[EvaluationSample]:
        """The samples of `tests`, prepared by their processers, with fingerprints."""
        context = self.context
        required = Required.read(context.config.require) if context.config.require else None
        own = suite_handlers(context.tools)
        handled = [tool.id for tool in own]
        note = WORLD if any(tool.handler and tool.handler.startswith("world:") for tool in own) else ""
        several = answers_of(context.config) if context.config.epochs > 1 else None
        for test in tests:
            for sample in samples_of(
                test,
                epochs=context.config.epochs,
                required=required,
                suite_tools=context.tools,
                default_tools=handled,
                default_note=note,
            ):
                if sample.status == "skipped":
                    yield sample
                    continue
                prepared = preprocess_one(sample)
                if prepared is None:
                    continue
                if several and prepared.pass_of is None and answer_of(prepared, several) is None:
                    continue  # a test has as many epochs as it has answers
                self._check_tools(prepared)
                if prepared.status != "skipped":
                    prepared.rollout_fingerprint = rollout_fingerprint(prepared, context)
                    prepared.judge_fingerprint = self.judge_fingerprint(prepared)
                yield prepared

    def preprocess(
        self,
        tests: Iterable[TestCase],
        *,
        judging: Judging | None = None,
        chosen: ChosenSamples | None = None,
        unchanged: int | None = None,
        progress: Callable[[int], None] = lambda _: None,
        wait: Callable[[StoreError], bool] = lambda _: False,
    ) -> Plan:
        """Store the samples of `tests` and find which have work to do; `wait` decides whether a full disk is waited for.

        `judging` leaves rollouts alone: `changed` judges what has no verdict or is judged otherwise now, `all` everything.
        `chosen` leaves all other samples alone. `unchanged` says that they are the samples of the last plan, and how many.
        """
        if unchanged is not None and (
            plan := self.manager.plan_unchanged(self.run_id, unchanged, progress=progress, wait=wait)
        ):
            return plan
        work: tuple[str, ...] = ("rollout", "judge")
        stale: frozenset[int] = frozenset()
        if judging:
            work = ("judge",)
            # What failed by the sandbox of then, and not by itself, is judged otherwise now.
            stale = frozenset(lacking_in(self.manager.reader, self.run_id)) if judging == "changed" else stale
        elif self.context.config.until == "rollout":
            work = ("rollout",)
        samples = self.samples(tests)
        if judging is None and chosen is None and self._judges_here():
            samples = self._judgeable(samples)
        return self.manager.plan(
            self.run_id,
            samples,
            rejudge=judging == "all",
            stale=stale,
            only=MAY_NEED_TOKENS if self.context.config.more_tokens and judging is None and chosen is None else None,
            chosen=chosen,
            stages=work,
            progress=progress,
            wait=wait,
        )

    def _check_tools(self, sample: EvaluationSample) -> None:
        """Skip a sample whose tools this machine cannot run, or that an agent cannot be asked."""
        agent = self.context.config.agent
        if sample.definition.simulated_user and agent is not None and not is_asked(agent):
            sample.status = "skipped"
            sample.error_type = ErrorType.TOOL_UNAVAILABLE
            sample.error_message = (
                "a conversation asks turn by turn; an answer that is there already is one of another talk"
            )
            return
        if reason := self._without_workspace(sample):
            sample.status = "skipped"
            sample.error_type = ErrorType.SANDBOX_UNAVAILABLE
            sample.error_message = reason
            return
        for tool in (*self.context.tools_of(sample), *self.context.users_tools_of(sample)):
            if reason := self.context.executor.unavailable(tool):
                sample.status = "skipped"
                sample.error_type = ErrorType.TOOL_UNAVAILABLE
                sample.error_message = f"{tool.name}: {reason}"
                return

    def _judges_here(self) -> bool:
        """Whether what is asked now is judged on this machine."""
        config = self.context.config
        asks = config.agent is None or is_asked(config.agent)  # an answer that is there already is kept in any case
        return asks and config.until in ("judge", "stat") and not config.has_keys_elsewhere

    def _judgeable(self, samples: Iterable[EvaluationSample]) -> Iterator[EvaluationSample]:
        """`samples`, of which those are skipped that nothing here can judge: no model is asked in vain."""
        for sample in samples:
            if sample.status != "skipped" and (reason := self._not_judged_here(sample)) is not None:
                sample.status, sample.error_type = "skipped", ErrorType.SANDBOX_UNAVAILABLE
                sample.error_message = reason
            yield sample

    def _not_judged_here(self, sample: EvaluationSample) -> str | None:
        processer = self.processer_of(sample)
        config = self.context.evaluators.get(processer.judged_by(sample))
        if config is None or processer.judges_itself():
            return None
        evaluator = self.context.find_evaluator(config)
        if type(evaluator).unavailable is BaseEvaluator.unavailable:
            return None
        return evaluator.unavailable(sample, self.context.judge_context(sample, config))

    def _without_workspace(self, sample: EvaluationSample) -> str | None:
        """Why the sample cannot be asked in its workspace here; None where it can, or has none."""
        if not sample.definition.sandbox or not has_workspace(sample.definition.sandbox):
            return None
        agent = self.context.config.agent
        if agent is not None and not is_asked(agent):
            return "what is judged is a folder that was worked in; an answer that is there already comes without one"
        return workspace_missing(sample)

    def judge_fingerprint(self, sample: EvaluationSample) -> str:
        """The digest of how `sample` is judged, the processer's class included."""
        processer = self.processer_of(sample)
        evaluator_id = processer.judged_by(sample)
        digest = judge_fingerprint(sample, self.context, evaluator_id)
        kind = type(processer)
        if evaluator_id not in self.judged and self.context.is_judged(sample, evaluator_id):
            self.judged.add(evaluator_id)
        if code_digest(kind) is None and not kind.judges_itself():
            return digest
        own = f"{digest}/{kind.__qualname__}/{code_digest(kind)}"
        return hashlib.blake2b(own.encode(), digest_size=16).hexdigest()

    def judges(self) -> dict[str, Any]:
        """The LLM judges of the samples planned so far, by evaluator."""
        return {name: judge_identity(name, self.context) for name in sorted(self.judged)}

    # rollout and judge

    def process(self, sample: EvaluationSample, writer: StageWriter, until: Stage) -> ModelCallError | None:
        """Move one sample as far as `until` says, storing each stage.

        Returns a failure that must end the run; the sample is then stored as it was, to be resumed.
        A rollout is on disk before a judgement asks any model, so a crash while judging never asks again.

        Raises:
            Interrupted: the run is stopping; what was reached is stored.
            StoreError: a stage could not be stored.
        """
        before = sample.status
        if sample.stage == "init":
            self._here.writer = writer
            if fatal := self.rollout_one(sample):
                return fatal
            to_judge = sample.status != "error" and until != "rollout" and not self._waits_for_gold(sample)
            # A long answer takes its time to be read, in which the process may be ended: it is on the disk before.
            at_once = to_judge and len(sample.response or "") < LONG and not self._asks_while_judging(sample)
            if at_once:
                self.judge_one(sample)
            elif to_judge:
                sample.status = "running"
            spent = less(spent_on(sample), self._here.counted)
            writer.save(sample, _ALL_FIELDS, before=before, spent=spent).result()
            if at_once or not to_judge:
                return None
            before = "running"
        keep_earlier = sample.stage == "judged"
        if self._waits_for_gold(sample):
            without_verdict(sample)
            sample.stage, sample.status = "rollout", "pending"
            writer.save(sample, _JUDGE_FIELDS, before=before, keep_earlier=keep_earlier).result()
            return None
        fatal = self.judge_one(sample)
        if fatal is None:
            spent = Spent(sample.judge_prompt_tokens, sample.judge_completion_tokens, sample.judge_cost_usd)
            writer.save(sample, _JUDGE_FIELDS, before=before, spent=spent, keep_earlier=keep_earlier).result()
        return fatal

    def rollout_one(self, sample: EvaluationSample) -> ModelCallError | None:
        """Ask the model under test; the sample is then at stage `rollout`, or has status `error` at stage `init`.

        Returns the failure where it is fatal for the whole run.

        Raises:
            Interrupted: the run is stopping; the sample is as it was, or as it was after its last call in a workspace.
            StoreError: what was done in its workspace could not be stored.
        """
        without_verdict(sample)
        sample.started_at = now()
        sample.host, sample.host_limits = socket.gethostname(), host_limits()
        asking = Asking(sample, self.context, before=sample.transcript, keep=self._keep)
        if sample.workspace is not None and (kept := stored_journal(sample)) is not None:
            asking.noted = sample.workspace
            asking.counted, asking.counted_usd = Usage(**kept["counted"]), kept["counted_usd"]
        self._here.counted = Spent(asking.counted.prompt, asking.counted.completion, asking.counted_usd)
        sample.transcript = asking.rollout.transcript  # as it grows, for who looks over the worker's shoulder
        fatal: ModelCallError | None = None
        try:
            roll_out(asking)
        except (Interrupted, StoreError):
            raise
        except ModelCallError as error:
            fatal = error if error.fatal else None
            _fail(sample, "init", error.error_type, str(error))
        except Exception as error:
            _fail(sample, "init", ErrorType.INTERNAL_ERROR, _described(error))
        else:
            sample.stage, sample.status = "rollout", "pending"
            sample.error_type = sample.error_message = None
        finally:
            asking.keep_workspace()
            asking.release()
        # What the model may have caused is tried from the beginning: from there it would come again.
        if sample.status == "error" and sample.error_type not in MODEL_MAY_CAUSE:
            keep_journal(asking)
        asking.rollout.store_in(sample)
        return fatal

    def _keep(self, sample: EvaluationSample) -> None:
        """Store what a rollout did so far.

        Raises:
            StoreError: it could not be stored.
        """
        if (writer := self._here.writer) is not None:
            writer.save(sample, _SO_FAR, before=sample.status).result()

    def judge_one(self, sample: EvaluationSample) -> ModelCallError | None:
        """Score a sample whose rollout is stored; it is then at stage `judged`, or has status `error` at stage `rollout`.

        Returns the failure where it is fatal for the whole run.

        Raises:
            Interrupted: the run is stopping; the sample is as it was.
        """
        processer = self.processer_of(sample)
        context = self.context
        fingerprint = self.judge_fingerprint(sample)  # of the sample as it was planned: a processer may change it
        context.progress(sample, "judge")
        without_verdict(sample)
        fatal: ModelCallError | None = None
        try:
            result = processer.judge_one(sample, context)
            check_result(result, f"{type(processer).__name__}.judge_one")
            details, reason = result.stored(), result.why
            encode_json(details)  # what cannot be stored is this sample's error, here
            with context.looking(sample):
                flags = verdict_flags(sample, result)
        except Interrupted:
            raise
        except ModelCallError as error:
            fatal = error if error.fatal else None
            kind = while_judging(error)
            whose = "judging: PASS 2: " if error.asked_as == "pass2" else "judging: "
            said = f"{whose}{error}" if kind == error.error_type else f"{whose}{error} ({error.error_type})"
            _fail(sample, "rollout", kind, said)
        except JudgeError as error:
            _fail(sample, "rollout", error.error_type, str(error))
        except ModexError as error:
            _fail(sample, "rollout", ErrorType.EVALUATOR_ERROR, str(error))
        except Exception as error:
            _fail(sample, "rollout", ErrorType.EVALUATOR_ERROR, _described(error))
        else:
            sample.stage, sample.status = "judged", result.status
            sample.score = result.score
            sample.details = details
            sample.reason = _with_user(_with_look(reason, sample), sample) or None
            sample.extracted_answer = result.extracted_answer
            sample.pass2_used = result.pass2_used
            sample.verdict_flags = flags or None
            sample.error_type = sample.error_message = None
            sample.judge_fingerprint = fingerprint
        sample.completed_at = now()
        return fatal

    def fail(self, sample: EvaluationSample, writer: StageWriter, message: str) -> None:
        """Store an error of a sample that cannot be moved: of its judgement where its rollout is stored, else of its rollout.

        Raises:
            StoreError: it could not be stored.
        """
        before, judged, asked = sample.status, sample.stage == "judged", sample.stage != "init"
        without_verdict(sample)
        _fail(sample, "rollout" if asked else "init", ErrorType.INTERNAL_ERROR, message)
        fields = _JUDGE_FIELDS if asked else _ALL_FIELDS
        writer.save(sample, fields, before=before, keep_earlier=judged).result()

    def _waits_for_gold(self, sample: EvaluationSample) -> bool:
        """Whether it is a row without a gold that nobody can judge yet; a suite's own test without one never comes so far."""
        if sample.source == "suite" or sample.expected is not None:
            return False
        processer = self.processer_of(sample)
        return not processer.judges_itself() and processer.judged_by(sample) in NEED_GOLD

    def _asks_while_judging(self, sample: EvaluationSample) -> bool:
        processer = self.processer_of(sample)
        if processer.judges_itself():
            return True
        evaluator_id = processer.judged_by(sample)
        return self.context.extracts(sample, evaluator_id) or self.context.is_judged(sample, evaluator_id)

    # one stage alone

    def rollout(self, plan: Plan, writer: StageWriter) -> None:
        """Ask about every sample that needs it, one after the other, and judge none."""
        for sample in self._planned(plan):
            self.process(sample, writer, "rollout")

    def judge(self, plan: Plan, writer: StageWriter) -> None:
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


def less(spent: Spent, counted: Spent) -> Spent:
    """What of `spent` is not counted yet."""
    known = spent.cost_usd is not None and counted.cost_usd is not None
    cost = (spent.cost_usd or 0.0) - (counted.cost_usd or 0.0) if known else spent.cost_usd
    return Spent(spent.prompt_tokens - counted.prompt_tokens, spent.completion_tokens - counted.completion_tokens, cost)


def spent_on(sample: EvaluationSample) -> Spent:
    """What a rollout spent: on the model, and on the one that played its user."""
    user = sample.simulated_user
    if user is None:
        return Spent(sample.prompt_tokens, sample.completion_tokens, sample.cost_usd)
    known = sample.cost_usd is not None and user.cost_usd is not None
    return Spent(
        sample.prompt_tokens + user.prompt_tokens,
        sample.completion_tokens + user.completion_tokens,
        (sample.cost_usd or 0.0) + (user.cost_usd or 0.0) if known else None,
    )


def _with_look(reason: str, sample: EvaluationSample) -> str:
    """The reason of a verdict, with the word that the answer holds what looks like a call: it is not silently "not called"."""
    if sample.status != "failed" or "looks_like_call" not in sample.flags:
        return reason
    words = "the answer holds what looks like a call, and is none"
    return f"{reason}; {words}" if reason else words


def _with_user(reason: str, sample: EvaluationSample) -> str:
    """The reason of a verdict, behind the fault of the user that the model met: a failure is not silently the model's."""
    user = sample.simulated_user
    if user is None or not user.fault or sample.status != "failed":
        return reason
    return f"{user.said}; {reason}" if reason else user.said


def _fail(sample: EvaluationSample, stage: str, kind: ErrorType, message: str) -> None:
    sample.stage = "init" if stage == "init" else "rollout"
    sample.status = "error"
    sample.error_type = str(kind)
    sample.error_message = redact(message)[:MESSAGE_LIMIT]
    sample.completed_at = now()


def _described(error: Exception) -> str:
    """An unexpected exception and where it was raised; no locals, they may hold keys."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = "/".join(frame.filename.replace("\\", "/").split("/")[-3:])
    return f"{type(error).__name__}: {error} ({where}:{frame.lineno}); please report this"
