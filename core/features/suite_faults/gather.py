"""Each test as every stored run answered it, in the form in which it was asked last."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from modex.core.comparison.pairs import TestKey
from modex.core.features.review.query import reviews
from modex.core.features.suite_faults.query import Answered, answered, judged_again, system_prompts, votes_by_sample
from modex.core.pipeline.agreement import by_judge, votes_in
from modex.core.reports.counted import counted
from modex.core.statistics.items import Items
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import PASS_SCORE
from modex.core.verdict import parts_of

MOST_OF_A_PROMPT = 20_000
"""Characters of a prompt that are compared with other tests' and looked through for the gold."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass(slots=True)
class Went:
    """How a model did on a test, over its runs."""

    scores: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    """What it answered where that did not pass, in one form for all ways of writing it."""

    @property
    def score(self) -> float:
        """The average."""
        return sum(self.scores) / len(self.scores)

    @property
    def wrong(self) -> str | None:
        """What it answers most often, where it does not pass; None where it passes or says nothing that can be compared."""
        return self.answers.most_common(1)[0][0] if self.score < PASS_SCORE and self.answers else None


@dataclass(slots=True)
class ExaminedTest:
    """One test."""

    key: TestKey
    sample_id: int
    """Its sample in the newest run that has it."""
    prompt: str
    expected: Any
    cluster: str | None
    system: str = ""
    models: dict[str, Went] = field(default_factory=dict)
    """Those with a verdict."""
    errors: Counter[str] = field(default_factory=Counter)
    """Samples without a verdict, by why."""
    split: int = 0
    """Answers on which several judges, or one asked several times, did not say the same."""
    voted: int = 0
    """Answers that several votes were given on."""
    flipped: int = 0
    """Verdicts that went the other way when the very same judge judged again."""
    again: int = 0
    differs: int = 0
    """People's verdicts that are not the one that stands."""
    said: int = 0

    @property
    def name(self) -> str:
        """`domain/level/id`."""
        return "/".join(map(str, self.key[1:]))

    @property
    def scores(self) -> dict[str, float]:
        """By model."""
        return {model: went.score for model, went in self.models.items()}


@dataclass(frozen=True, slots=True)
class GatheredSuite:
    """The tests of a suite with what is known of each."""

    items: list[ExaminedTest]
    """In the order of the newest runs."""
    runs: int
    models: tuple[str, ...]
    otherwise: int
    """Answers to an older form of a test, whose question or gold is another one since; they are left out."""

    def matrix(self) -> Items[TestKey]:
        """Tests × models."""
        return Items({item.key: item.scores for item in self.items if item.models})


def gather(reader: Reader, runs: Sequence[RunRow], progress: Callable[[int], None] = lambda _: None) -> GatheredSuite:
    """Read `runs`, the newest first; `progress` is told how many samples more were read, now and then."""
    found: dict[tuple[str, str, int, str], ExaminedTest] = {}
    forms: dict[tuple[str, str, int, str], int] = {}
    by_sample: dict[int, ExaminedTest] = {}
    models: dict[str, None] = {}
    otherwise = 0
    for run in runs:
        models.setdefault(run.model)
        for row in counted(answered(reader, run.id), progress):
            stored, form = (row.source, row.domain, row.level, row.test_id), hash((row.prompt, row.expected))
            if stored not in found:
                found[stored], forms[stored] = _item(row), form
            elif forms[stored] != form:
                otherwise += 1
                continue
            by_sample[row.id] = found[stored]
            _take(found[stored], run.model, row)
    run_ids = [run.id for run in runs]
    _judging(reader, runs, by_sample)
    for review in reviews(reader, run_ids):
        if not review.stale and (agrees := review.agrees_now) is not None and review.result_id in by_sample:
            by_sample[review.result_id].said += 1
            by_sample[review.result_id].differs += not agrees
    items = list(found.values())
    systems = system_prompts(reader, [item.sample_id for item in items])
    for item in items:
        item.system = systems.get(item.sample_id, "")[:MOST_OF_A_PROMPT]
    return GatheredSuite(items, len(runs), tuple(models), otherwise)


def _item(row: Answered) -> ExaminedTest:
    try:
        expected = None if row.expected is None else json.loads(row.expected)
    except (ValueError, RecursionError):
        expected = None
    key = row.source, row.domain, row.level, decode_text(row.test_id)
    cluster = None if row.cluster is None else decode_text(str(row.cluster))
    return ExaminedTest(key, row.id, decode_text(str(row.prompt))[:MOST_OF_A_PROMPT], expected, cluster)


def _take(item: ExaminedTest, model: str, row: Answered) -> None:
    if row.status not in ("passed", "failed") or row.score is None:
        if row.status == "error":
            item.errors[row.error_type or "error"] += 1
        return
    went = item.models.setdefault(model, Went())
    went.scores.append(row.score)
    if row.status == "failed" and row.answer is not None and (answer := one_form(decode_text(row.answer))):
        went.answers[answer] += 1


def one_form(answer: str) -> str:
    """An answer in one form for all ways of writing it: case, spaces, signs around it, zeros behind a point."""
    text = " ".join(answer.casefold().split()).strip(" .,;:!?\"'`*$()[]{}")
    plain = text.replace(",", "")
    return f"{float(plain):.10g}" if _NUMBER.fullmatch(plain) else text


def _judging(reader: Reader, runs: Sequence[RunRow], by_sample: dict[int, ExaminedTest]) -> None:
    for run in runs:
        if run.judged_by:
            for sample_id, details in votes_by_sample(reader, run.id):
                votes = [by_judge(one).values() for one in votes_in(parts_of(details))]
                if (item := by_sample.get(sample_id)) is not None and any(len(one) > 1 for one in votes):
                    item.voted += 1
                    item.split += any(len({score >= PASS_SCORE for score in one}) > 1 for one in votes)
    for sample_id, flipped in judged_again(reader, [run.id for run in runs]):
        if (item := by_sample.get(sample_id)) is not None:
            item.again += 1
            item.flipped += flipped
