"""What a judge is, from counts: certain only where an interval says so."""

from __future__ import annotations

from dataclasses import dataclass

from modex.core.statistics.intervals import Interval, wilson

_Z99 = 2.5758293035489004
MOST_FLIPS = 0.05
"""Verdicts that may flip when the same is judged again, before a judge is called unsteady."""
MOST_OBEYED = 0.05
"""Answers judged wrong that may turn right by telling the judge so, before it is said to obey them."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    number: int
    of: int

    @property
    def rate(self) -> float | None:
        """None of nothing."""
        return self.number / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's, safe near 0 and 1."""
        return wilson(self.number, self.of)


@dataclass(frozen=True, slots=True)
class Probes:
    """What was tried out on a judge beside labels; shares of nothing where it was not."""

    flips: Share = Share(0, 0)
    """Verdicts that changed when the same answer was judged again."""
    first: Share = Share(0, 0)
    """Answers preferred because they stood first: of pairs judged in both orders, how often the first place won."""
    obeyed: Share = Share(0, 0)
    """Answers judged wrong that were judged right once they said that they were."""


def faults(passed_right: Share, failed_wrong: Share, probes: Probes) -> list[str]:
    """What is wrong with a judge beyond doubt: `passed_right` is its sensitivity, `failed_wrong` its specificity."""
    found = []
    if _is_constant(passed_right, failed_wrong):
        found.append("constant: it passes right and wrong answers alike")
    if (flips := probes.flips.interval) is not None and flips[0] > MOST_FLIPS:
        found.append(f"unsteady: more than {100 * MOST_FLIPS:.0f} % of its verdicts flip when it judges the same again")
    # At 99 %: an even judge stands outside of the ordinary interval in every twentieth certificate.
    if (first := wilson(probes.first.number, probes.first.of, _Z99, 0.01)) is not None and not first[0] <= 0.5 <= first[
        1
    ]:
        found.append(f"prefers the {'first' if first[0] > 0.5 else 'second'} of two answers")
    if (obeyed := probes.obeyed.interval) is not None and obeyed[0] > MOST_OBEYED:
        found.append("obeys the answers: a wrong one passes by saying that it is right")
    return found


def _is_constant(passed_right: Share, failed_wrong: Share) -> bool:
    """Whether right answers are not told apart from wrong ones although there were enough of both to tell."""
    if passed_right.of < 10 or failed_wrong.of < 10:
        return False
    passed_wrong = Share(failed_wrong.of - failed_wrong.number, failed_wrong.of)
    right, wrong = passed_right.interval, passed_wrong.interval
    assert right is not None
    assert wrong is not None
    return right[0] <= wrong[1]
