"""A dry run of rules: the suite as it is now judges stored answers in memory, and says which verdicts would flip.

What a model was asked while judging (PASS 2, judges) and is asked again word for word is answered from what is stored. What
must be asked anew is asked only within a budget; without one it is counted and left. Nothing is stored before `store`.
"""

from __future__ import annotations

import copy
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from modex.core.config.options import Reading
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.evaluators.code.lacked import lacked
from modex.core.foundation.errors import ModexError
from modex.core.llm.gate import Unheard
from modex.core.llm.types import Completion, Message, ModelClient
from modex.core.pipeline.assembly import Assembly, assemble
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.pipeline.likelihoods import check_reading
from modex.core.pipeline.stat import stat
from modex.core.store.database import open_database
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow, SampleHead
from modex.core.store.sample import ASKED_FIELDS, RESET_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.writer import Spent, Writer

_PAGE = 200
_FENCE = re.compile(r"\bDATA-[0-9a-f]{16}\b")
_PLANNED = tuple(
    name for name in ASKED_FIELDS if name not in ("rollout_fingerprint", "judge_fingerprint", *RESET_FIELDS)
)
"""What a changed suite says of a sample, beside its fingerprints."""
_STORED = tuple(dict.fromkeys((*_PLANNED, *VERDICT_FIELDS)))


class _NotAskedError(ModexError):
    """A model would have to be asked, and there is no budget left for it."""


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict as it is shown beside another."""

    status: str
    score: float | None
    answer: str | None
    why: str

    @classmethod
    def of(cls, sample: EvaluationSample) -> ShownVerdict:
        """That of a sample."""
        error = sample.error_message if sample.status == "error" else None
        return cls(sample.status, sample.score, sample.extracted_answer, error or sample.why)


@dataclass(frozen=True, slots=True)
class ChangedVerdict:
    """A sample whose verdict would be another one."""

    sample: EvaluationSample
    """With the verdict that it would have."""
    before: ShownVerdict

    @property
    def after(self) -> ShownVerdict:
        """The verdict that it would have."""
        return ShownVerdict.of(self.sample)

    @property
    def flips(self) -> bool:
        """Whether it would pass instead of fail, or the other way round, or gain or lose its verdict."""
        return self.before.status != self.after.status


@dataclass(slots=True)
class DryRun:
    """What the rules as they are now would make of a run."""

    run: RunRow
    changes: list[ChangedVerdict] = field(default_factory=list)
    """Flips first, then other scores or answers; each in the order of the run."""
    judged: int = 0
    """Answers that were judged."""
    unchanged: int = 0
    """Answers that are judged as before, so that no rule about them has changed."""
    not_asked: int = 0
    """Answers for which a model would have to be asked."""
    asked_otherwise: int = 0
    """Samples that are asked otherwise now: their answers are to another question."""
    spent_usd: float = 0.0
    stopped: bool = False

    @property
    def flips(self) -> list[ChangedVerdict]:
        """Those that would pass instead of fail, or the other way round."""
        return [change for change in self.changes if change.flips]


@dataclass(slots=True)
class Budget:
    """What may be spent on models; shared by threads."""

    most_usd: float
    spent_usd: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def left(self) -> bool:
        """Whether anything may be spent yet."""
        return self.spent_usd < self.most_usd

    def spend(self, usd: float | None) -> None:
        """Take note of what a call cost; one without a known price counts for nothing."""
        with self._lock:
            self.spent_usd += usd or 0.0


class _Remembering:
    """A model that answers what it was asked before from what is stored, and else only within the budget."""

    def __init__(self, client: ModelClient, exchanges: Sequence[dict[str, Any]], budget: Budget) -> None:
        self._client = client
        self._exchanges = [one for one in exchanges if one.get("model") == client.model]
        self._budget = budget

    @property
    def model(self) -> str:
        """The model's name."""
        return self._client.model

    def complete(
        self,
        messages: list[Message],
        *,
        tools: list[dict[str, Any]] | None = None,
        response_format: dict[str, Any] | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        """The stored answer to the same messages, each once; else the model's.

        Raises:
            ModelCallError: the model could not be asked.
        """
        for place, exchange in enumerate(self._exchanges):
            if _unfenced(exchange.get("messages")) == _unfenced(messages):
                del self._exchanges[place]
                return Completion(str(exchange.get("answer") or ""), reasoning=exchange.get("reasoning"))
        if not self._budget.left:
            raise _NotAskedError("no budget to ask a model; raise it")
        completion = self._client.complete(
            messages,
            tools=tools,
            response_format=response_format,
            temperature=temperature,
            max_tokens=max_tokens,
            timeout_s=timeout_s,
        )
        self._budget.spend(completion.cost_usd)
        return completion


def _unfenced(messages: object) -> list[tuple[object, str]]:
    """Messages without the signs that fence data off in them, which are drawn anew for each call."""
    found = messages if isinstance(messages, list) else []
    return [(one.get("role"), _FENCE.sub("DATA", str(one.get("content")))) for one in found if isinstance(one, dict)]


def try_rules(
    database: Path,
    exp_id: str,
    *,
    judges: tuple[ModelSpec, ...] = (),
    extractor: ModelSpec | None = None,
    reading: Reading | None = None,
    everything: bool = False,
    query: SampleQuery | None = None,
    budget_usd: float = 0.0,
    narrate: Callable[[str], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> DryRun:
    """Judge the stored answers of a run in memory by the suite as it is now; nothing is stored.

    `everything` judges also what no changed rule is about; `query` restricts which samples are tried.

    Raises:
        SuiteError: the suite has mistakes.
        ConfigurationError: the selection, a model's address or a missing key.
        StoreError: no such run, or it cannot be read.
    """
    stop = stop or threading.Event()
    with closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp_id)
        changes: dict[str, object] = {"until": "stat"}
        changes |= {"judges": judges} if judges else {}
        changes |= {"extractor": extractor} if extractor is not None else {}
        changes |= {"reading": reading} if reading is not None else {}
        if reading is not None:
            check_reading(exp_id, manager.configuration(run.id).reading, reading)
        # Without a budget no model is asked, so that a key that is missing keeps nobody from trying.
        config = manager.configuration(run.id).as_stored().model_copy(update=changes)
        assembly = _assembled(config, manager, run.id, narrate, stop, asks=budget_usd > 0)
        work = _Work(assembly.benchmark, manager.reader, DryRun(run), Budget(budget_usd), stop, everything)
        try:
            return work.do(assembly, query or SampleQuery())
        finally:
            assembly.close()


def _assembled(
    config: RunConfig,
    manager: DBDataManager,
    run_id: int,
    narrate: Callable[[str], None],
    stop: threading.Event,
    *,
    asks: bool,
) -> Assembly:
    return assemble(
        config if asks else config.model_copy(update={"until": "preprocess"}),
        manager,
        run_id,
        narrate=narrate,
        on_phase=lambda _sample, _phase: None,
        listener=_Listener(narrate),
        stop=stop,
        judging_only=True,
    )


@dataclass(frozen=True, slots=True)
class _Listener(Unheard):
    """Says what a provider lets wait for; calls that are tried again and their number are nobody's concern here."""

    say: Callable[[str], None]

    def on_hold(self, model: str, seconds: float, why: str) -> None:
        """The provider asked every caller to wait."""
        self.say(f"{model}: asked to wait {seconds:.1f} s: {why}")

    def on_outage(self, model: str, since: float, why: str) -> None:
        """The provider is down."""
        del since
        self.say(f"{model} does not answer: {why}")

    def on_recovered(self, model: str) -> None:
        """It is there again."""
        self.say(f"{model} answers again")

    def on_note(self, words: str) -> None:
        """Something to know."""
        self.say(words)


@dataclass(slots=True)
class _Work:
    """One dry run under way."""

    benchmark: BaseBenchmark
    reader: Reader
    result: DryRun
    budget: Budget
    stop: threading.Event
    everything: bool

    def do(self, assembly: Assembly, query: SampleQuery) -> DryRun:
        """Plan each test as it is now, and judge the answers that are stored to the same question."""
        result = self.result
        wanted = {self._key(head): head.id for head in self._heads(query)}
        page: list[tuple[EvaluationSample, int]] = []
        for planned in self.benchmark.samples(assembly.tests()):
            if self.stop.is_set():
                result.stopped = True
                break
            if planned.status != "skipped" and (id_ := wanted.get(planned.key)) is not None:
                page.append((planned, id_))
                if len(page) >= _PAGE:
                    self._settle(page)
                    page.clear()
        self._settle(page)
        result.spent_usd = self.budget.spent_usd
        result.changes.sort(key=lambda change: (not change.flips, change.sample.position))
        return result

    @staticmethod
    def _key(head: SampleHead) -> tuple[str, str, int, str, int]:
        return head.source, head.domain, head.level, head.test_id, head.epoch

    def _heads(self, query: SampleQuery) -> Iterator[SampleHead]:
        start = 0
        while heads := self.reader.heads(self.result.run.id, query, limit=2000, offset=start):
            yield from heads
            start += len(heads)

    def _settle(self, page: Sequence[tuple[EvaluationSample, int]]) -> None:
        stored = {sample.id: sample for sample in self.reader.samples_by_id([id_ for _, id_ in page])}
        todo = [(planned, stored[id_]) for planned, id_ in page if id_ in stored and self._wants(planned, stored[id_])]
        # Threads only where a model may be asked: arithmetic is no faster on them.
        if self.budget.most_usd > 0 and len(todo) > 1:
            with ThreadPoolExecutor(self.benchmark.context.config.at_once) as pool:
                results = list(pool.map(self._judge, todo))
        else:
            results = [self._judge(pair) for pair in todo]
        for (_, before), judged in zip(todo, results, strict=True):
            self._compare(before, judged)

    def _wants(self, planned: EvaluationSample, stored: EvaluationSample) -> bool:
        """Whether there is an answer to the same question that another rule is about now."""
        if stored.stage == "init" or stored.response is None:
            return False
        if stored.rollout_fingerprint != planned.rollout_fingerprint:
            self.result.asked_otherwise += 1
            return False
        same = stored.judge_fingerprint == planned.judge_fingerprint and lacked(stored) is None
        if stored.stage == "judged" and same and not self.everything:
            self.result.unchanged += 1
            return False
        return True

    def _judge(self, pair: tuple[EvaluationSample, EvaluationSample]) -> EvaluationSample | None:
        return None if self.stop.is_set() else _judged(self.benchmark, *pair, self.budget)

    def _compare(self, stored: EvaluationSample, judged: EvaluationSample | None) -> None:
        if judged is None:
            self.result.not_asked += 1
            return
        self.result.judged += 1
        before, after = ShownVerdict.of(stored), ShownVerdict.of(judged)
        if (before.status, before.score, before.answer) != (after.status, after.score, after.answer):
            self.result.changes.append(ChangedVerdict(judged, before))


def _judged(
    benchmark: BaseBenchmark, planned: EvaluationSample, stored: EvaluationSample, budget: Budget
) -> EvaluationSample | None:
    """The stored sample as the rules of `planned` judge it; None where a model would have to be asked."""
    sample = copy.copy(stored)
    for name in _PLANNED:
        setattr(sample, name, getattr(planned, name))
    found = stored.details.get("exchanges")
    exchanges = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    context = benchmark.context
    asked = _Asked()
    extractor = asked.watch(_Remembering(context.extractor, exchanges, budget))
    judges = tuple(asked.watch(_Remembering(judge, exchanges, budget)) for judge in context.judges)
    alone = BaseBenchmark(benchmark.manager, benchmark.run_id, replace(context, extractor=extractor, judges=judges))
    alone.judge_one(sample)
    return None if asked.refused else sample


class _Asked:
    """Whether a model was wanted and not asked: the stages make an error of the sample of it, as of any other."""

    def __init__(self) -> None:
        self.refused = False

    def watch(self, client: _Remembering) -> ModelClient:
        """The client, with what it refuses noted."""
        complete = client.complete

        def watched(messages: list[Message], **options: Any) -> Completion:
            try:
                return complete(messages, **options)
            except _NotAskedError:
                self.refused = True
                raise

        client.complete = watched  # type: ignore[method-assign]
        return client


def store(database: Path, result: DryRun) -> int:
    """Store the verdicts of a dry run as they were shown, in place of those that stand, which are kept; how many.

    A sample that was asked or judged otherwise meanwhile is left as it is.

    Raises:
        RunBusyError: somebody works on the run.
        StoreError: it cannot be written.
    """
    run = result.run
    with RunLock(database, run.id, run.exp_id), closing(DBDataManager(database)) as manager:
        heads = {head.id: head for head in manager.reader.heads_by_id([one.sample.id or 0 for one in result.changes])}
        writer = Writer(open_database(database), run.id)
        stored = 0
        try:
            for change in result.changes:
                sample = change.sample
                head = heads.get(sample.id or 0)
                if head is None or head.seq != sample.seq:
                    continue
                spent = Spent(sample.judge_prompt_tokens, sample.judge_completion_tokens, sample.judge_cost_usd)
                kept = head.stage == "judged"
                writer.save(sample, _STORED, before=head.status, spent=spent, keep_earlier=kept)
                stored += 1
            writer.flush()
        finally:
            writer.close()
        manager.recount(run.id)
        stat(manager, run.id)
        return stored
