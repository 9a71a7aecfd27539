"""Stored answers read in three ways beside their verdicts: strict, by what they assert, by whether they contain the gold.

Where people said what an answer is, each reading's agreement with them. No model is asked, and nothing is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from modex.core.answers.comparison import compare
from modex.core.answers.containment import holds_gold, short_gold, sought_gold
from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.free_text import is_free_text, judge_text
from modex.core.answers.kinds import ExpectedAnswer
from modex.core.answers.own import read_own
from modex.core.features.review.query import reviews
from modex.core.foundation.errors import JudgeError
from modex.core.safety import clean_line
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow

READINGS = ("strict", "assertion", "contains", "verdict")
"""`strict`: what the answer marks as final, or its last line, equals the gold. `assertion`: the rules of `match`.
`contains`: the gold stands in it. `verdict`: what is stored."""
_SCORED = SampleQuery(statuses=("passed", "failed"))


@dataclass(frozen=True, slots=True)
class RunReadings:
    """What each reading makes of the answers of one run that have a short gold."""

    exp_id: str
    model: str
    number: int
    passed: dict[str, int]
    """How many answers each reading passes."""
    labelled: int
    """Answers of which people said what they are."""
    agreed: dict[str, int]
    """With how many of these each reading agrees."""
    false_passes: dict[str, int]
    """How many of those that people failed it passes."""

    def as_dict(self) -> dict[str, Any]:
        """For `--json`; shares from 0 to 1, None where there is nothing to divide by."""
        return {
            "exp_id": self.exp_id,
            "model": self.model,
            "answers": self.number,
            "labelled": self.labelled,
            "readings": {
                name: {
                    "passed": self.passed[name],
                    "pass_rate": self.passed[name] / self.number if self.number else None,
                    "agreed": self.agreed[name],
                    "agreement": self.agreed[name] / self.labelled if self.labelled else None,
                    "false_passes": self.false_passes[name],
                }
                for name in READINGS
            },
        }


def readings_of(reader: Reader, run: RunRow, step: Callable[[], None] = lambda: None) -> RunReadings:
    """Read every scored answer of the run that has a short gold; `step` is told of each sample.

    Raises:
        StoreError: the store cannot be read.
    """
    labels = _labels(reader, run.id)
    number = 0
    passed: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    false: Counter[str] = Counter()
    labelled = 0
    for sample in reader.samples(run.id, _SCORED):
        step()
        gold, sought = short_gold(sample.expected), sought_gold(sample.expected, sample.prompt)
        if gold is None or sought is None or not sample.response:
            continue
        found = {
            **_read(sample.response, gold, sample.prompt),
            "contains": holds_gold(sample.response, sought),
            "verdict": sample.status == "passed",
        }
        number += 1
        passed.update(name for name, right in found.items() if right)
        if sample.id in labels:
            labelled += 1
            agreed.update(name for name, right in found.items() if right == labels[sample.id])
            false.update(name for name, right in found.items() if right and not labels[sample.id])
    counts = ({name: counter[name] for name in READINGS} for counter in (passed, agreed, false))
    by_passed, by_agreed, by_false = counts
    return RunReadings(run.exp_id, run.model, number, by_passed, labelled, by_agreed, by_false)


def _read(response: str, gold: ExpectedAnswer, prompt: str) -> dict[str, bool]:
    marked, own = find_final_answer(response), read_own(response, gold, prompt)
    if is_free_text(gold, prompt):
        asserted = judge_text(response, gold, prompt).right
    else:
        asserted = own is not None and _equal(own.text, gold)
    return {
        "strict": marked is not None and _equal(marked.text, gold),
        "assertion": asserted,
    }


def _equal(answer: str, gold: ExpectedAnswer) -> bool:
    try:
        return compare(answer, gold)[0]
    except JudgeError:  # mathematics that does not come to an end
        return False


def _labels(reader: Reader, run_id: int) -> dict[int, bool]:
    """What most people say of each answer as it stands; an answer on which they are even has no label."""
    votes: Counter[int] = Counter()
    for row in reviews(reader, [run_id]):
        if not row.stale and row.own_verdict is not None:
            votes[row.result_id] += 1 if row.own_verdict == "passed" else -1
    return {result: vote > 0 for result, vote in votes.items() if vote}


_AGREES = "  agrees with people"


def reading_table(found: Iterable[RunReadings]) -> Iterator[str]:
    """A line a run: answers, what each reading passes, and where there are labels, its agreement and false passes."""
    runs = list(found)
    width = max(map(len, [_AGREES, *(clean_line(run.exp_id, 40) for run in runs)]))
    yield f"{'run':{width}} {'answers':>8}" + "".join(f"{name:>11}" for name in READINGS)
    for run in runs:
        shares = "".join(f"{_share(run.passed[name], run.number):>11}" for name in READINGS)
        yield f"{clean_line(run.exp_id, 40):{width}} {run.number:>8}{shares}"
        if run.labelled:
            agreed = "".join(f"{_share(run.agreed[name], run.labelled):>11}" for name in READINGS)
            yield f"{_AGREES:{width}} {run.labelled:>8}{agreed}"
            yield f"{'  false passes':{width}} {'':>8}" + "".join(f"{run.false_passes[name]:>11}" for name in READINGS)


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "–"
