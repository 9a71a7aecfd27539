"""How often decisions are wrong, and what they cost: the gate, several runs of one test, races."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from benchmarks.statistics.comparing import LARGEST, alike, paired_runs
from benchmarks.statistics.simulation import SEED, Promise, repeated
from core.reports.ablation import Ablation, Contrasts, Off
from core.reports.difference import PairedScores
from core.reports.pairs import Match, Side, TestRow
from core.reports.race import RaceState
from core.statistics.gating import Answer, rule
from core.statistics.moments import Moments
from core.statistics.paired import paired_difference
from core.statistics.racing import ALPHA, LOOKS, look_at, peek_at
from core.statistics.tries import Required

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
        decision = peek_at(gained, lost) if peek else standing.decision
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
                sides[name] = Side((float(passed),), ("passed" if passed else "failed",))
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


def ablated(draw: random.Random, gain: float, tests: int = 120) -> Ablation:
    """Two layers over five levels, of which the domain's changes the chance of a pass by `gain`."""
    found = Contrasts(("domain", "level"))
    for number in range(tests):
        common = draw.random()
        sides: dict[Off, TestRow] = {}
        for off in OFFS:
            luck = common if draw.random() < 0.6 else draw.random()
            passed = luck < 0.5 + (gain if "domain" not in off else 0.0)
            sides[off] = TestRow(Side((float(passed),), ("passed" if passed else "failed",)), number, 1.0, None)
        found.add(("s", "d", number % 5 + 1, str(number)), sides, frozenset({"domain", "level"}))
    return found.settled()


def ablations(times: int) -> list[Promise]:
    """What an ablation promises: no effects of layers that have none, and those that are there."""

    def claims(draw: random.Random) -> bool:
        return any(one.told for one in ablated(draw, 0.0).effects)

    def finds(draw: random.Random) -> bool:
        return ablated(draw, 0.2).effects[0].told

    return [
        Promise(
            "ablation of two layers that do nothing: any effect", repeated("ablation", times, claims), high=LARGEST
        ),
        Promise("ablation: a layer of 20 points is found", repeated("ablation 20", times, finds), 0.8),
    ]


def k_of_n(times: int) -> list[Promise]:
    """Stopping early at k of n: the verdict of all n."""
    required = Required(8, 10)
    found = []
    for rate in (0.5, 0.8, 0.95):
        name = (
            f"8 of 10 at a rate of {rate:g}: the verdict of all ten, after {required.expected_tries(rate):.1f} tries on"
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
