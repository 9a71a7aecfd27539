"""How often decisions are wrong, and what they cost: the gate, several runs of one test, races."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from benchmarks.statistics.comparing import LARGEST, alike, clusters, document, paired_runs
from benchmarks.statistics.simulation import SEED, Promise, repeated
from modex.core.comparison.difference import PairedScores
from modex.core.comparison.pairs import Match, RunSide, TestRow
from modex.core.features.ablate.rule import Ablation, Contrasts, Off
from modex.core.features.race.rule import RaceState
from modex.core.statistics.discordant import Discordant
from modex.core.statistics.distributions import ALPHA
from modex.core.statistics.gating import Answer, rule
from modex.core.statistics.k_of_n import Required
from modex.core.statistics.moments import Moments
from modex.core.statistics.paired import paired_difference
from modex.core.statistics.racing import LOOKS, look_at, peek_at

RACE_TESTS = 1300
"""As many as a public test set of grade-school questions has."""


def gate_says(draw: random.Random, answer: Answer, gain: float, margin: float, tests: int) -> bool:
    """Whether the gate gives this answer on two runs over 9 × 5 cells."""
    paired = paired_runs(draw, alike(tests), gain=gain).settled().paired()
    return paired is not None and rule(*paired, margin).answer == answer


def gates(times: int) -> list[Promise]:
    """The gate's errors."""
    found = []
    cases: tuple[tuple[str, Answer, float, float], ...] = (
        ("gate: fails two runs of one model, no margin", "fail", 0.0, 0.0),
        ("gate: fails two runs of one model, margin 3", "fail", 0.0, 0.03),
        ("gate: passes a model 5 points worse, margin 3", "pass", -0.05, 0.03),
    )
    for name, answer, gain, margin in cases:
        share = repeated(name, times, partial(gate_says, answer=answer, gain=gain, margin=margin, tests=4))
        found.append(Promise(name, share, high=0.05))
    return found


MARGIN_HIGH = 0.03
"""How often the gate may pass a model that is worse by the margin itself; 2.5 % are promised."""
_HARDLY = 1e-7
"""The chance of an outcome that is not worth ruling on."""
MARGINS = tuple(
    (tests, margin, rate)
    for tests in (20, 67, 100, 198, 400, 1000)
    for margin in (0.01, 0.02, 0.03, 0.05)
    for rate in (1.0, 0.99, 0.97, 0.95, 0.90)
    if rate - margin > 0.85 and (tests in (100, 198) or rate in (1.0, 0.95))
)
"""Tests, the margin, and the first run's rate; the second's is lower by the margin."""


def counted_rule(found: Counter[float], margin: float) -> Answer:
    """The gate's answer on one cell of differences, by how many pairs differ by so much."""
    scores = PairedScores()
    for difference, number in found.items():
        first, second = max(0.0, -difference), max(0.0, difference)
        scores.add(Match(("s", "d", 1, ""), sided(first), sided(second), 0), number)
    settled = scores.settled()
    paired = settled.paired()
    assert paired is not None
    return rule(*paired, margin, settled.jump_of_tests).answer


def sided(score: float) -> RunSide:
    """A test with this score in one run."""
    return RunSide((score,), ("passed" if score >= 0.5 else "failed",))


def passes_at_the_margin(tests: int, margin: float, rate: float) -> float:
    """How often the gate passes a second run that is worse by the margin: of all that may be gained and lost, counted out.

    Two of five answers depend on luck of their own.
    """
    gained = 0.4 * (1 - rate) * (rate - margin)
    chances = gained + margin, gained, 1 - 2 * gained - margin
    share = 0.0
    for lost in range(tests + 1):
        for won in range(tests + 1 - lost if gained else 1):
            counts = lost, won, tests - lost - won
            logs = math.lgamma(tests + 1)
            for number, chance in zip(counts, chances, strict=True):
                logs += (number * math.log(chance) if number else 0.0) - math.lgamma(number + 1)
            if (found := math.exp(logs)) < _HARDLY:
                continue
            differences = Counter({-1.0: lost, 1.0: won, 0.0: counts[2]})
            share += found * (counted_rule(+differences, margin) == "pass")
    return share


def levels_at_the_margin(draw: random.Random, tests: int, margin: float) -> bool:
    """The same where all that is lost is lost at the level that weighs most, of five with as many tests each."""
    scores = PairedScores()
    for number in range(5 * tests):
        lost = number % 5 == 4 and draw.random() < margin * 3
        scores.add(Match(("s", "d", number % 5 + 1, str(number)), sided(1.0), sided(float(not lost)), number))
    paired = scores.settled().paired()
    return paired is not None and rule(*paired, margin).answer == "pass"


def clusters_at_the_margin(draw: random.Random, of: int, rate: float, margin: float) -> bool:
    """The same with clusters of five tests over five levels."""
    settled = clusters(draw, of, 5, levels=5, rate=rate, worse=margin).settled()
    paired = settled.paired()
    return paired is not None and rule(*paired, margin, settled.jump_of_tests).answer == "pass"


def fractions_at_the_margin(draw: random.Random, tests: int, margin: float) -> bool:
    """The same with fractions that hardly differ, and a few tests that are lost as a whole."""
    found: Counter[float] = Counter()
    for _ in range(tests):
        found[-1.0 if draw.random() < margin else draw.choice((-0.05, 0.05))] += 1
    return counted_rule(found, margin) == "pass"


def margins(times: int) -> list[Promise]:
    """How often the gate passes what is worse by the margin itself."""
    found = []
    for tests, margin, rate in MARGINS:
        name = f"gate at the margin {100 * margin:g}, n = {tests}, {rate:.0%} right before: passes"
        found.append(Promise(name, passes_at_the_margin(tests, margin, rate), high=MARGIN_HIGH))
    others: list[tuple[str, Callable[[random.Random], bool]]] = [
        ("n = 100, all lost at level 5 of 5", partial(levels_at_the_margin, tests=20, margin=0.05)),
        ("n = 500, all lost at level 5 of 5", partial(levels_at_the_margin, tests=100, margin=0.02)),
        ("n = 100, fractions of ±5 points and whole losses", partial(fractions_at_the_margin, tests=100, margin=0.02)),
    ]
    for of, rate, margin in ((20, 1.0, 0.1), (40, 0.95, 0.05), (100, 1.0, 0.03), (100, 0.9, 0.05), (200, 0.95, 0.03)):
        case = partial(clusters_at_the_margin, of=of, rate=rate, margin=margin)
        others.append(
            (f"{of} clusters × 5 tests over 5 levels, {rate:.0%} right before, margin {100 * margin:g}", case)
        )
    for name, passes in others:
        draws = times if "clusters" not in name else min(times, 1500)
        found.append(Promise(f"gate at the margin, {name}: passes", repeated(name, draws, passes), high=MARGIN_HIGH))
    return found


def clustered_race(draw: random.Random, *, peek: bool, of: int = 20, tests: int = 10) -> bool:
    """Whether a race of two equals over clusters, looked at when clusters are whole, is decided."""
    ends = [tests * number for number in range(1, of + 1)]
    state = RaceState(["a", "b"], of * tests, peek, ends=ends)
    paired, asked = PairedScores(), 0
    while state.ending is None:
        while asked < state.tests_at(state.look + 1):
            for match in document(draw, str(asked), tests, levels=2):
                paired.add(match)
            asked += tests
        state.advance({("a", "b"): paired.settled()}, {})
    return bool(state.dropped)


@dataclass(frozen=True, slots=True)
class Raced:
    """How one simulated race of two models went."""

    decision: str
    tests: int
    held: bool
    """Whether the bound after stopping holds the true difference."""
    fixed: bool
    """Whether all tests, asked and looked at once, would have decided."""


def raced(draw: random.Random, gain: float, tests: int = RACE_TESTS, *, peek: bool = False) -> Raced:
    """Two models, the second `gain` better, over levels 1 to 5; two of five answers depend on luck of their own."""
    cells = {("d", level): Moments(level) for level in range(1, 6)}
    gained = lost = asked = 0
    ended: Raced | None = None
    for look in range(1, LOOKS + 1):
        while asked < tests * look // LOOKS:
            asked += 1
            luck = draw.random()
            other = luck if draw.random() < 0.6 else draw.random()
            first, second = luck < 0.6, other < 0.6 + gain
            gained += second and not first
            lost += first and not second
            cells["d", asked % 5 + 1].add(float(second) - float(first))
        found = paired_difference(cells)
        if found is None or ended is not None:
            continue
        standing = look_at(found, found, found, look)
        decision = peek_at(Discordant(gained, lost)) if peek else standing.decision
        if decision != "open" or look == LOOKS:
            held = standing.bound[0] <= gain <= standing.bound[1]
            ended = Raced(decision, asked, held, fixed=False)
    assert ended is not None
    assert found is not None
    return replace(ended, fixed=found.p_value < ALPHA)


def field_of_equals(draw: random.Random, models: int, tests: int = 200) -> bool:
    """Whether a race of equal models drops any."""
    names = [str(number) for number in range(models)]
    scores = {(one, other): PairedScores() for one, other in combinations(names, 2)}
    state = RaceState(names, tests)
    asked = 0
    while state.ending is None:
        for number in range(asked, state.tests_at(state.look + 1)):
            common = draw.random()
            sides = {}
            for name in names:
                passed = (common if draw.random() < 0.6 else draw.random()) < 0.6
                sides[name] = RunSide((float(passed),), ("passed" if passed else "failed",))
            for (one, other), paired in scores.items():
                paired.add(Match(("s", "d", number % 5 + 1, str(number)), sides[one], sides[other], number))
        asked = state.tests_at(state.look + 1)
        settled = {names: paired.settled() for names, paired in scores.items()}
        shown = {one: pair.difference() for (one, other), pair in settled.items()}
        last = settled[names[0], names[-1]].difference()
        means = {name: found.first_score for name, found in shown.items() if found}
        if last is not None:
            means[names[-1]] = last.second_score
        state.advance(settled, means)
        if state.dropped:
            return True
    return False


def tried(draw: random.Random, required: Required, rate: float) -> bool:
    """Whether stopping as soon as the verdict is certain gives the verdict of all tries."""
    outcomes = [draw.random() < rate for _ in range(required.of)]
    for number in range(required.of + 1):
        passed = sum(outcomes[:number])
        if (verdict := required.verdict(passed, number - passed)) is not None:
            return verdict == (sum(outcomes) >= required.passes)
    return False


OFFS: tuple[Off, ...] = (frozenset(), frozenset({"domain"}), frozenset({"level"}), frozenset({"domain", "level"}))


def ablated(draw: random.Random, gain: float, tests: int = 120, of: int = 1) -> Ablation:
    """Two layers over five levels, of which the domain's changes the chance of a pass by `gain`.

    Tests stand in clusters `of` so many, each of which likes or dislikes a combination as a whole.
    """
    found = Contrasts(("domain", "level"))
    liked: dict[Off, float] = {}
    for number in range(tests):
        common = draw.random()
        if number % of == 0:
            liked = {off: draw.random() for off in OFFS}
        cluster = ("s", str(number // of)) if of > 1 else None
        sides: dict[Off, TestRow] = {}
        for off in OFFS:
            luck = common if draw.random() < 0.6 else draw.random()
            if of > 1 and draw.random() < 0.8:
                luck = liked[off]
            passed = luck < 0.5 + (gain if "domain" not in off else 0.0)
            sides[off] = TestRow(RunSide((float(passed),), ("passed" if passed else "failed",)), number, 1.0, cluster)
        found.add(("s", "d", number % 5 + 1, str(number)), sides, frozenset({"domain", "level"}))
    return found.settled()


def ablations(times: int) -> list[Promise]:
    """What an ablation promises: no effects of layers that have none, and those that are there."""

    def claims(draw: random.Random) -> bool:
        return any(one.told for one in ablated(draw, 0.0).effects)

    def claims_by_clusters(draw: random.Random) -> bool:
        return any(one.told for one in ablated(draw, 0.0, of=10).effects)

    def finds(draw: random.Random) -> bool:
        return ablated(draw, 0.2).effects[0].told

    return [
        Promise(
            "ablation of two layers that do nothing: any effect", repeated("ablation", times, claims), high=LARGEST
        ),
        Promise(
            "ablation of two layers that do nothing, 12 clusters × 10 tests over 5 levels: any effect",
            repeated("ablation clusters", times, claims_by_clusters),
            high=LARGEST,
        ),
        Promise("ablation: a layer of 20 points is found", repeated("ablation 20", times, finds), 0.8),
    ]


def k_of_n(times: int) -> list[Promise]:
    """Stopping early at k of n: the verdict of all n."""
    required = Required(8, 10)
    found = []
    for rate in (0.5, 0.8, 0.95):
        name = (
            f"8 of 10 at a rate of {rate:g}: the verdict of all ten, after {required.expected_epochs(rate):.1f} tries on"
            f" average (passes in {required.chance(rate):.1%})"
        )
        found.append(Promise(name, repeated(name, times, partial(tried, required=required, rate=rate)), 1.0))
    return found


def races(times: int) -> list[Promise]:
    """What races of two promise: few wrong decisions, the power of all tests at once, bounds that hold after stopping."""
    promises = []
    for peek, name in ((False, "20 looks"), (True, "e-process")):
        share = repeated(f"race {name}", times, partial(race_is_told, peek=peek))
        promises.append(Promise(f"race of two equals, {name}: decided", share, high=LARGEST))
    for peek, name in ((False, "20 looks"), (True, "e-process")):
        for of, tests in ((20, 10), (100, 5)):
            case = f"race of two equals, {of} clusters × {tests} tests, correlation .7, {name}: decided"
            share = repeated(case, max(300, times // 4), partial(clustered_race, peek=peek, of=of, tests=tests))
            promises.append(Promise(case, share, high=LARGEST))
    share = repeated("race of four", max(300, times // 5), partial(field_of_equals, models=4))
    promises.append(Promise("race of four equals: any dropped", share, high=LARGEST))
    for gain in (0.0, 0.05, 0.1, 0.2):
        draw = random.Random(f"{SEED} race {gain}")
        found = [raced(draw, gain) for _ in range(times)]
        power, fixed = (sum(wanted(one) for one in found) / times for wanted in (_right, _fixed))
        saved = 1 - sum(one.tests for one in found) / times / RACE_TESTS
        held = sum(one.held for one in found) / times
        points = f"{100 * gain:g} points"
        promises.append(
            Promise(
                f"race, {points}: the bound after stopping holds ({saved:.0%} of {RACE_TESTS:,} tests saved)",
                held,
                0.93,
            )
        )
        if gain:
            name = f"race, {points}: decided rightly (all tests at once: {fixed:.3f})"
            promises.append(Promise(name, power, round(fixed - 0.02, 3)))
    return promises


def race_is_told(draw: random.Random, *, peek: bool) -> bool:
    """Whether a race of two equals is decided."""
    return raced(draw, 0.0, peek=peek).decision in ("better", "worse")


def _right(one: Raced) -> bool:
    return one.decision == "better"


def _fixed(one: Raced) -> bool:
    return one.fixed
