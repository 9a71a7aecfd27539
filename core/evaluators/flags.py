"""What is worth finding again of a verdict, as flags that are stored with it: `flag:` filters by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modex.core.answers.containment import holds_gold, sought_gold
from modex.core.evaluators.base import EvaluationResult
from modex.core.store.sample import PASS_SCORE, EvaluationSample
from modex.core.verdict import Extracted, Official, Part, Votes, Weighted, find

GOLD_IN_ANSWER = "gold_in_answer"
"""A failed answer in which the gold stands."""
PASS2 = "pass2_"
"""What the flags of answers begin with whose PASS 2 was no use; the fault of `Extracted` follows."""


OFFICIAL_DIFFERS = "official_differs"
"""A verdict that the benchmark's own rule decides otherwise."""
JUDGE_MISSING = "judge_missing"
"""A verdict of several judges of which one said nothing that could be read; it could turn nothing."""


def verdict_flags(sample: EvaluationSample, result: EvaluationResult) -> list[str]:
    """The flags of a verdict; whether the gold stands in the response depends on these two alone, on no evaluator."""
    found = [PASS2 + fault for fault in dict.fromkeys(_faults(result.found))]
    if result.status == "failed" and sample.response:
        gold = sought_gold(sample.expected, sample.prompt)
        if gold is not None and holds_gold(sample.response, gold):
            found.insert(0, GOLD_IN_ANSWER)
    if any(isinstance(part, Votes) and part.without_verdict for part in result.found):
        found.append(JUDGE_MISSING)
    official = find(result.found, Official)
    if official is not None and official.right != (
        (result.score if official.ours is None else official.ours) >= PASS_SCORE
    ):
        found.append(OFFICIAL_DIFFERS)
    return found


def _faults(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Extracted) and part.fault:
            yield part.fault
        elif isinstance(part, Weighted):
            for item in part.items:
                yield from _faults(item.parts)
