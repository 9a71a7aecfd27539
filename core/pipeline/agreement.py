"""How far several LLM judges agreed: κ over the samples that all of them judged, each judge told apart by its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from modex.core.evaluators.judging.kappa import cohens_kappa, fleiss_kappa
from modex.core.store.manager import DBDataManager
from modex.core.store.summary import verdicts_with
from modex.core.verdict import Part, Votes, Weighted, parts_of


def judge_agreement(manager: DBDataManager, run_id: int, source: str) -> dict[str, Any] | None:
    """`{"judges", "panel", "n", "unanimous", "kappa", "statistic"}` of the largest panel of judges that judged together.

    None where at most one judge gave verdicts. A sample that one judge of the panel gave no verdict on is left out.
    """
    ratings: list[dict[str, float]] = []
    for _, details in verdicts_with(manager.database, run_id, source, Votes.kind):
        ratings += [by_judge(votes) for votes in votes_in(parts_of(details))]
    return agreement(ratings)


def agreement(ratings: Iterable[dict[str, float]]) -> dict[str, Any] | None:
    """See `judge_agreement`; each item maps its judges to their scores."""
    items = list(ratings)
    panels = Counter(frozenset(item) for item in items)
    if not panels:
        return None
    together: frozenset[str] = max(panels, key=lambda judges: (len(judges), panels[judges], sorted(judges)))
    panel = sorted(together)
    if len(panel) < 2:
        return None
    complete = [[item[judge] for judge in panel] for item in items if set(panel) <= set(item)]
    columns = list(zip(*complete, strict=True))
    return {
        "judges": len(panel),
        "panel": panel,
        "n": len(complete),
        "unanimous": sum(len(set(item)) == 1 for item in complete) / len(complete),
        "kappa": cohens_kappa(columns[0], columns[1]) if len(panel) == 2 else fleiss_kappa(complete),
        "statistic": "Cohen's κ" if len(panel) == 2 else "Fleiss' κ",
    }


def by_judge(votes: Votes) -> dict[str, float]:
    """The scores by judge; a model that was asked twice is two judges."""
    seen: Counter[str] = Counter()
    found: dict[str, float] = {}
    for vote in votes.votes:
        seen[vote.model] += 1
        name = vote.model if seen[vote.model] == 1 else f"{vote.model} #{seen[vote.model]}"
        if vote.score is not None:
            found[name] = vote.score
    return found


def votes_in(parts: Iterable[Part]) -> Iterator[Votes]:
    """The judges' votes, those within a verdict of several evaluators too."""
    for part in parts:
        if isinstance(part, Votes):
            yield part
        elif isinstance(part, Weighted):
            for item in part.items:
                yield from votes_in(item.parts)
