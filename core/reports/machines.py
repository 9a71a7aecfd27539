"""On which machines a run's samples were asked, in words: said only where there were several, or limits on one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modex.core.reports.served import other_serving
from modex.core.safety import clean_line
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample

NO_LIMITS = "no limits"


def told_hosts(run: RunRow) -> list[dict[str, Any]]:
    """The run's machines where a reader should know of them: several, or one that bounds its worker."""
    found = [one for one in run.hosts if isinstance(one, dict) and one.get("host")]
    return found if len(found) > 1 or any(one.get("limits") for one in found) else []


def hosts_words(run: RunRow) -> tuple[str, ...]:
    """`node1 (2 of 16 cores, 4.0 GB) 120`, the number in samples, for each machine; none where there is nothing to tell."""
    return tuple(f"{_named(str(one['host']), one.get('limits'))} {one.get('samples', '')}" for one in told_hosts(run))


def hosts_line(run: RunRow) -> str | None:
    """`asked on node1 (2 of 16 cores, 4.0 GB) 120, node2 80`; None where there is nothing to tell."""
    told = hosts_words(run)
    return f"asked on {', '.join(told)}" if told else None


def host_fact(run: RunRow, sample: EvaluationSample) -> str | None:
    """`on node1 (2 of 16 cores)`: where one of the run's samples was asked; None where there is nothing to tell."""
    if not sample.host or not (sample.host_limits or told_hosts(run)):
        return None
    return f"on {_named(sample.host, sample.host_limits)}"


def limits_words(run: RunRow) -> str | None:
    """The limits under which a run's samples were asked, each once; None where that is not known."""
    found = [str(one.get("limits") or NO_LIMITS) for one in run.hosts if isinstance(one, dict)]
    return " or ".join(clean_line(words, 80) for words in sorted(set(found))) or None


def other_limits(runs: Sequence[RunRow]) -> str | None:
    """Says where runs that stand beside each other ran under other limits, or were served otherwise: either can move a score."""
    return "; ".join(filter(None, (_other_limits(runs), other_serving(runs)))) or None


def _other_limits(runs: Sequence[RunRow]) -> str | None:
    known = [(run.exp_id, words) for run in runs if (words := limits_words(run)) is not None]
    if len({words for _, words in known}) < 2:
        return None
    return "under other limits: " + "; ".join(f"{clean_line(name, 60)} {words}" for name, words in known)


def _named(host: str, limits: object) -> str:
    return clean_line(host, 60) + (f" ({clean_line(str(limits), 80)})" if limits else "")
