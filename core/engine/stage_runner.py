"""What a worker does with one sample: run through its stages, spared, or skipped by hand; what ends the run with it."""

from __future__ import annotations

from modex.core.config.runconfig import RunConfig
from modex.core.engine.executors.executor import Executor
from modex.core.engine.pulse import Pulse
from modex.core.engine.stopping import SessionOutcome, Stopping
from modex.core.engine.workers import SampleFeed
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.gate import Interrupted
from modex.core.llm.underway import UnderWay
from modex.core.safety import redact
from modex.core.store.sample import EvaluationSample
from modex.core.store.writer import Writer

_ABORTS = {
    ErrorType.AUTHENTICATION,
    ErrorType.PERMISSION,
    ErrorType.MODEL_NOT_FOUND,
    ErrorType.QUOTA,
    ErrorType.BAD_REQUEST,
    ErrorType.CONNECTION,
}


class StageRunner:
    """Takes samples through their stages one by one; called by all workers at once."""

    def __init__(
        self,
        config: RunConfig,
        *,
        feed: SampleFeed,
        executor: Executor,
        under_way: UnderWay,
        writer: Writer,
        pulse: Pulse,
        stopping: Stopping,
    ) -> None:
        self._config = config
        self._feed = feed
        self._executor = executor
        self._under_way = under_way
        self._writer = writer
        self._pulse = pulse
        self._stopping = stopping
        # Workers only read the set, and the watching thread only adds: no lock is needed for either.
        self.skip: set[int] = set()
        """The samples that a person skipped."""

    def run(self, sample: EvaluationSample) -> bool:
        """Take one sample through its stages, or note why it is spared; whether to go on."""
        try:
            return self._one(sample, self._feed.spared(sample))
        finally:
            self._feed.done(sample)

    def _one(self, sample: EvaluationSample, spared: str = "") -> bool:
        assert sample.id is not None
        if spared or sample.id in self.skip:
            return self._skipped(sample, spared)
        self._writer.mark_running(sample.id)
        rolled_out = sample.stage == "init"
        try:
            # Blocks on the writer's future: with a full disk every worker stands here, and no new call is made.
            fatal = self._executor.process(sample, self._writer, self._config.until)
        except Interrupted:
            if sample.id in self.skip:
                return self._skipped(sample)
            if not self._under_way.cancelled():
                return False
            # What was to be skipped was finished a moment before, and the thread had gone on to this one.
            self._under_way.forget()
            return self._one(sample)
        finally:
            self._under_way.forget()
        if fatal is not None:
            self._end_by(fatal)
            return False
        self._pulse.count(sample, rolled_out=rolled_out)
        limit = self._config.max_cost_usd
        if limit is not None and self._pulse.spent_usd >= limit:
            self._stopping.outcome = SessionOutcome(
                "aborted", f"the budget of ${limit:g} is spent (${self._pulse.spent_usd:.4f}); raise --max-cost"
            )
            return False
        return True

    def _skipped(self, sample: EvaluationSample, spared: str = "") -> bool:
        before, sample.status = sample.status, "skipped"
        sample.error_message = spared or "skipped by hand; a resume asks it again"
        self._writer.save(sample, ("status", "error_message"), before=before).result()
        return True

    def _end_by(self, failure: ModelCallError) -> None:
        reason = redact(str(failure))
        aborts = failure.error_type in _ABORTS
        # The first failure names the reason; the workers behind it fail with the same.
        self._stopping.outcome = self._stopping.outcome or SessionOutcome("aborted" if aborts else "stopped", reason)
        self._writer.event("error", reason)
