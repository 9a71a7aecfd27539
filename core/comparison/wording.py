"""A difference in words, the same wherever it stands: commands, screens, exports, the gate."""

from __future__ import annotations

from modex.core.comparison.difference import Difference
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.statistics.intervals import Interval
from modex.core.statistics.units import LEAST_UNITS

WEIGHTED_SCORE = (
    "Weighted Score: the mean score of every domain's levels, a level counting as often as its number says"
    " (level 5 five times as much as level 1), out of 100."
)
"""What the number is, in the sentence that stands where a person first meets it."""


WHAT_IS_OPEN = (
    "every test without a verdict leaves a difference open, whatever its error (network too);"
    " a run's own score is left open only by errors that the model can cause"
)
"""Which errors bound what: a pair of tests lacks its difference for any of them, a run's score is of the model alone."""


def bounded(low: float, high: float) -> str:
    """`40.0 to 100.0`, from scores of 0 to 1: all that lacks a verdict wrong, and all of it right."""
    return f"{100 * low:.1f} to {100 * high:.1f}"


def shown_score(score: float | None, ends: tuple[float, float] | None) -> str:
    """`71.4`, or `40.0 to 100.0` where samples without a verdict leave it between these; a dash where there is neither."""
    return bounded(*ends) if ends is not None else "–" if score is None else f"{100 * score:.1f}"


def unsettled_words(number: int | None, bounds: tuple[float, float] | None) -> str:
    """`12 without a verdict leave it between 40.0 and 100.0`; empty where nothing bounds a run's score."""
    if not number or bounds is None:
        return ""
    leave = "leaves" if number == 1 else "leave"
    return f"{number:,} without a verdict {leave} it between {100 * bounds[0]:.1f} and {100 * bounds[1]:.1f}"


def number_of(count: int, word: str) -> str:
    """`1 test`, `1,200 tests`."""
    return f"1 {word}" if count == 1 else f"{count:,} {word}s"


def those(count: int, word: str) -> str:
    """What follows `the`: `test` for one, `1,200 tests` for more."""
    return word if count == 1 else f"{count:,} {word}s"


def percent(share: float) -> str:
    """A share of 0 to 1 in words: `25 %`; `<1 %` and `>99 %` where rounding would say none or all."""
    if 0 < share < 0.01:
        return "<1 %"
    if 0.99 < share < 1:
        return ">99 %"
    return f"{100 * share:.0f} %"


def points(difference: float) -> str:
    """`+2.6 points`, from a difference of −1 to 1."""
    return f"{100 * difference:+.1f} points"


def between(interval: Interval | None) -> str:
    """The level and both ends, in points: `-1.2 to +6.4`."""
    if interval is None:
        return "one pair: no interval"
    return f"{LEVEL_TEXT}: {100 * interval[0]:+.1f} to {100 * interval[1]:+.1f}"


def change(first: float, second: float) -> str:
    """`71.4 → 74.0`, from scores of 0 to 1."""
    return f"{100 * first:.1f} → {100 * second:.1f}"


def p_value(value: float | None) -> str:
    """Three places, or `<0.001`."""
    return "–" if value is None else f"{value:.3f}" if value >= 0.001 else "<0.001"


def headline(found: Difference) -> str:
    """The difference of the Weighted Scores with its interval and p, and what answers without a verdict leave open of it."""
    words = bounds_words(found)
    return (
        f"Weighted Score {change(found.first_score, found.second_score)}: {points(found.difference)},"
        f" {between(found.interval)}, p {p_value(found.p_value)} (n {found.n}){f'; {words}' if words else ''}"
    )


def verdict(found: Difference) -> str:
    """What may be said of the second run, in a sentence."""
    if found.decision:
        return f"the second is {found.decision}"
    if found.too_few:
        return f"not decided: {too_few_words(found)}"
    low, high = found.bounds
    crossing = found.interval is not None and not found.interval[0] <= 0 <= found.interval[1] and low < high
    if crossing:
        return "not decided: the answers without a verdict could turn it"
    shown = would_show(found)
    return f"not decided; {shown} (80 % power)" if shown else "not decided"


def too_few_words(found: Difference) -> str:
    """Why nothing is decided: `too few: 3 tests with a verdict in both, and fewer than 5 decide nothing`."""
    of = "tests with a verdict in both"
    if found.clusters:
        of = f"independent clusters or tests in {found.n:,} tests with a verdict in both"
    return f"too few: {found.units} {of}, and fewer than {LEAST_UNITS} decide nothing"


def passes_test_words(found: Difference) -> str:
    """The test of passes and failures by its name: `exact McNemar p 0.012`."""
    if found.clusters:
        return f"exact permutation of {found.clusters:,} clusters p {p_value(found.mcnemar_p)}"
    return f"exact McNemar p {p_value(found.mcnemar_p)}"


def would_show(found: Difference) -> str:
    """Which true difference this many pairs would have shown; scores differ by 100 points at most."""
    if not found.detectable:
        return ""
    pairs = number_of(found.n, "pair")
    if found.detectable > 1:
        return f"{pairs} would hardly have shown any difference"
    return f"{pairs} would have shown a difference of {100 * found.detectable:.1f} points"


def unscored_words(number: int) -> str:
    """`3 tests lack a verdict on one side`."""
    return f"{number_of(number, 'test')} {'lacks' if number == 1 else 'lack'} a verdict on one side"


def open_difference(found: Difference) -> str:
    """`+9.4 to +25.6`: between which differences answers without a verdict leave the truth; empty where all have one."""
    low, high = found.bounds
    return "" if low >= high else f"{100 * low:+.1f} to {100 * high:+.1f}"


def bounds_words(found: Difference) -> str:
    """Between which differences answers without a verdict leave the truth; empty where all have one."""
    low, high = found.bounds
    if low >= high:
        return ""
    return f"answers without a verdict leave the difference between {100 * low:+.1f} and {100 * high:+.1f} points"


def other_questions_words(other: int, twice: int) -> str:
    """Which tests are not paired, by what they ask; empty where all are."""
    said = []
    if other:
        ids = "1 id stands" if other == 1 else f"{other:,} ids stand"
        said.append(f"{ids} for another question in each run: not paired by id")
    if twice:
        questions = "1 question is" if twice == 1 else f"{twice:,} questions are"
        said.append(f"{questions} asked by several tests of a run: not paired by the words")
    return "; ".join(said)


def nothing_shared_words(other: int, twice: int) -> str:
    """That two runs share no scored test, and why where their questions say it."""
    unpaired = other_questions_words(other, twice)
    return f"the runs share no scored test{f': {unpaired}' if unpaired else ''}"


def sentence(words: str) -> str:
    """Words as a sentence: with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."


def by_question_words(number: int, second: str) -> str:
    """How many tests were paired by the words of their question; empty where none was. `second`: the second run's name."""
    if not number:
        return ""
    tests = "1 test has another id" if number == 1 else f"{number:,} tests have other ids"
    return f"{tests} in {second}: paired by the words of their question"


def other_rules_words(number: int | None) -> str:
    """`2 tests were judged by another gold or evaluator in each run`; empty where none was. None: nobody looked."""
    if number is None:
        return "so many tests that nobody looked whether both runs judged them by the same golds and evaluators"
    if not number:
        return ""
    tests = "1 test was" if number == 1 else f"{number:,} tests were"
    return f"{tests} judged by another gold or evaluator in each run"
