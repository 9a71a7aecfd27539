"""What a run's simulated users did: how often they were at fault, the score with and without that, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.statistics.intervals import score_interval, wilson
from modex.core.statistics.moments import Gathered
from modex.core.statistics.weighted import weighted_score
from modex.core.store.conversations import conversations
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.summary import outcomes, score_of, weight_of

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scored:
    """A Weighted Score over some conversations."""

    samples: int
    """Those that have a score."""
    score: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Conversations:
    """The conversations of a run that came to an end."""

    number: int
    models: tuple[str, ...]
    """Who played the users."""
    turns: int
    faults: dict[str, int]
    """Users certainly at fault, by kind."""
    at_fault: int
    """Users certainly at fault."""
    interval: Interval | None
    """Wilson's, of the share at fault."""
    every: Scored
    without: Scored
    """Without the conversations whose user was at fault."""
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """Of the users alone; None where a price is unknown."""
    likely: dict[str, int] = field(default_factory=dict)
    """Users that are likely at fault, by kind."""
    without_likely: Scored | None = None
    """Without those too; None where there are none."""

    def as_dict(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "conversations": self.number,
            "users_played_by": list(self.models),
            "turns": self.turns,
            "user_at_fault": self.at_fault,
            "user_at_fault_share": self.at_fault / self.number,
            "user_at_fault_interval": list(self.interval) if self.interval else None,
            "user_faults": self.faults,
            "score": self.every.score,
            "score_interval": list(self.every.interval) if self.every.interval else None,
            "score_without_user_faults": self.without.score,
            "score_without_user_faults_interval": list(self.without.interval) if self.without.interval else None,
            "n_without_user_faults": self.without.samples,
            "user_faults_likely": self.likely,
            "score_without_likely_user_faults": self.without_likely.score if self.without_likely else None,
            "n_without_likely_user_faults": self.without_likely.samples if self.without_likely else None,
            "user_prompt_tokens": self.prompt_tokens,
            "user_completion_tokens": self.completion_tokens,
            "user_cost_usd": self.cost_usd,
        }


def conversations_of(reader: Reader, run: RunRow) -> Conversations | None:
    """What there is to say of the run's conversations; None where it has none."""
    found = [one for one in conversations(reader, run.id) if one.status in ("passed", "failed")]
    if not found:
        return None
    users = [one.user for one in found]
    costs = [user.cost_usd for user in users]
    at_fault = {one.position for one in found if one.user.certainly_at_fault}
    likely = {one.position for one in found if one.user.fault} - at_fault
    every = {one.position for one in found}
    return Conversations(
        number=len(found),
        models=tuple(dict.fromkeys(user.model for user in users)),
        turns=sum(user.turns for user in users),
        faults=dict(Counter(user.fault for user in users if user.certainly_at_fault).most_common()),
        at_fault=len(at_fault),
        interval=wilson(len(at_fault), len(found)),
        every=_scored(reader, run.id, every),
        without=_scored(reader, run.id, every - at_fault),
        prompt_tokens=sum(user.prompt_tokens for user in users),
        completion_tokens=sum(user.completion_tokens for user in users),
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        likely=dict(Counter(one.user.fault for one in found if one.position in likely).most_common()),
        without_likely=_scored(reader, run.id, every - at_fault - likely) if likely else None,
    )


def _scored(reader: Reader, run_id: int, positions: Collection[int]) -> Scored:
    """The Weighted Score over these samples alone, as `stat` makes it of a whole run."""
    gathered = Gathered()
    number = 0
    taken = (one for one in outcomes(reader.database, run_id) if one.position in positions)
    for _, epochs in groupby(taken, key=itemgetter(0, 1, 2, 3)):
        samples = list(epochs)
        score = score_of(samples)
        if score is None:
            continue
        test = samples[0]
        number += len(samples)
        shares = None if test.cluster is None else (test.source, test.cluster)
        gathered.add((test.domain, test.level), score, weight_of(samples), shares)
    cells, shared = gathered.settled()
    overall = weighted_score({key: moments.score for key, moments in cells.items()})
    return Scored(number, overall, score_interval(cells, shared) if cells else None)


def conversation_lines(found: Conversations) -> list[str]:
    """In words: how many, who played the users, how often they were at fault, both scores, the users' cost."""
    cost = "cost unknown" if found.cost_usd is None else f"${found.cost_usd:.2f}"
    lines = [
        f"{found.number} conversations, {found.turns / found.number:.1f} turns each; users played by"
        f" {', '.join(found.models)}: {found.prompt_tokens:,} + {found.completion_tokens:,} tokens, {cost} beside the model's"
    ]
    low, high = found.interval or (0.0, 1.0)
    line = (
        f"the user was at fault in {found.at_fault} ({100 * found.at_fault / found.number:.1f} %, {LEVEL_TEXT}:"
        f" {100 * low:.1f}–{100 * high:.1f})"
    )
    if found.at_fault:
        line += f": {_kinds(found.faults)}; score with these {_score_words(found.every)}, without {_score_words(found.without)}"
    lines.append(line)
    if found.without_likely is not None:
        lines.append(
            f"likely at fault in {sum(found.likely.values())} more: {_kinds(found.likely)};"
            f" score without these too {_score_words(found.without_likely)}"
        )
    return lines


def _kinds(faults: Mapping[str, int]) -> str:
    return ", ".join(f"{kind.replace('_', ' ')} {number}" for kind, number in faults.items())


def _score_words(scored: Scored) -> str:
    if scored.score is None:
        return "– (n 0)"
    spread = f" ±{50 * (scored.interval[1] - scored.interval[0]):.1f}" if scored.interval else ""
    return f"{100 * scored.score:.1f}{spread} (n {scored.samples})"
