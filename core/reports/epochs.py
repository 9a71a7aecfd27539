"""What the epochs of a run say: pass@k, pass^k, and the tests that pass only sometimes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from modex.core.foundation.errors import MODEL_MAY_CAUSE
from modex.core.statistics.epochs import Repeated, ScoredEpochs, repeated
from modex.core.statistics.k_of_n import Required
from modex.core.store.exact import decode_text
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.summary import outcomes
from modex.core.store.tallies import most_epochs

_EVERY_K = 8
"""Epochs up to which each k has a rate in words, beyond it powers of two and the last; scripts and exports have all."""


@dataclass(frozen=True, slots=True)
class TestEpochs:
    """One test and how often it passed."""

    __test__ = False

    source: str
    domain: str
    level: int
    test_id: str
    scored: ScoredEpochs
    required: Required | None = None
    """How many of how many epochs must pass; None where they are averaged."""
    open: int = 0
    """Further epochs, without a verdict for a reason that the model can cause."""

    @property
    def verdict(self) -> bool | None:
        """Whether so many epochs pass; None where that is not certain yet, or not asked."""
        if self.required is None:
            return None
        return self.required.verdict(self.scored.passed, self.scored.total - self.scored.passed)

    @property
    def key(self) -> tuple[str, str, int, str]:
        """(source, domain, level, test_id)"""
        return (self.source, self.domain, self.level, self.test_id)

    @property
    def name(self) -> str:
        """`domain/level/test`."""
        return f"{self.domain}/{self.level}/{self.test_id}"


@dataclass(frozen=True, slots=True)
class Epochs:
    """The epochs of a run: all tests together, and the flaky ones, the most undecided first."""

    epochs: int
    together: Repeated
    flaky: tuple[TestEpochs, ...]
    required: tuple[TestEpochs, ...] = ()
    """The tests with k of n, in the order of their names; they stop early, so no rate by k is computed of them."""
    open: int = 0
    """Epochs without a verdict for a reason that the model can cause."""
    ends: tuple[Repeated, Repeated] | None = None
    """All tests together with those epochs all failed, and all passed; None where there are none."""

    @property
    def missed(self) -> list[TestEpochs]:
        """Tests of which too few epochs passed."""
        return [one for one in self.required if one.verdict is False]

    def as_dict(self) -> dict[str, Any]:
        """For scripts: `{"epochs", "tests", "tries", "pass_at_k", "pass_hat_k", "n", "flaky"}`."""
        together = self.together
        return {
            "epochs": self.epochs,
            "tests": together.tests,
            "tries": together.epochs,
            "pass_at_k": {str(k): value for k, value in together.pass_at.items()},
            "pass_hat_k": {str(k): value for k, value in together.pass_hat.items()},
            "n": {str(k): value for k, value in together.n.items()},
            "without_verdict": self.open,
            **{
                name: {
                    "pass_at_k": {str(k): value for k, value in end.pass_at.items()},
                    "pass_hat_k": {str(k): value for k, value in end.pass_hat.items()},
                }
                for name, end in zip(("if_all_wrong", "if_all_right"), self.ends or (), strict=False)
            },
            "required": [
                {
                    "test": one.name,
                    "source": one.source,
                    "required": str(one.required),
                    "passed": one.scored.passed,
                    "scored": one.scored.total,
                    "verdict": {True: "passed", False: "failed", None: "undecided"}[one.verdict],
                }
                for one in self.required
            ],
            "flaky": [
                {"test": one.name, "source": one.source, "passed": one.scored.passed, "scored": one.scored.total}
                for one in self.flaky
            ],
        }


def epochs_of(reader: Reader, run: RunRow) -> Epochs | None:
    """What the run's epochs say; None where each test is asked once."""
    stored = run.config.get("epochs")
    count = max(stored if isinstance(stored, int) else 1, most_epochs(reader, run.id))
    if count < 2:
        return None
    every = list(_tests(reader, run.id))
    tests = [one for one in every if one.required is None]
    flaky = sorted(
        (one for one in tests if one.scored.flaky),
        key=lambda one: (abs(one.scored.passed / one.scored.total - 0.5), one.name),
    )
    required = sorted((one for one in every if one.required is not None), key=lambda one: one.name)
    together, open_ = repeated(one.scored for one in tests), sum(one.open for one in tests)
    ends = (
        repeated(ScoredEpochs(one.scored.passed, one.scored.total + one.open) for one in tests),
        repeated(ScoredEpochs(one.scored.passed + one.open, one.scored.total + one.open) for one in tests),
    )
    return Epochs(count, together, tuple(flaky), tuple(required), open_, ends if open_ else None)


def scored_epochs(reader: Reader, run: RunRow) -> dict[tuple[str, str, int, str], ScoredEpochs]:
    """How often each test passed, by source, domain, level and id; nothing where each is asked once."""
    count = run.config.get("epochs")
    if not isinstance(count, int) or count < 2:
        return {}
    return {(one.source, one.domain, one.level, one.test_id): one.scored for one in _tests(reader, run.id)}


def _tests(reader: Reader, run_id: int) -> Iterator[TestEpochs]:
    for key, found in groupby(outcomes(reader.database, run_id), key=itemgetter(0, 1, 2, 3)):
        samples = list(found)
        passed = [sample.status == "passed" for sample in samples if sample.status in ("passed", "failed")]
        source, domain, level, test_id = key
        scored = ScoredEpochs(sum(passed), len(passed))
        open_ = sum(sample.status == "error" and sample.error_type in MODEL_MAY_CAUSE for sample in samples)
        yield TestEpochs(source, domain, level, decode_text(test_id), scored, samples[0].required, open_)


def rates(found: Epochs, *, few: bool = False) -> list[str]:
    """pass@k and pass^k of every k, as percentages; both ends where epochs lack a verdict.

    Of more than eight epochs, and with `few`, not of each k: with `few` those of one epoch and of all.
    """
    low, high = found.ends or (found.together, found.together)
    last = max(low.pass_at, default=0)
    tops = [k for k in low.pass_at if k in (1, last) or not (few or (last > _EVERY_K and k & (k - 1)))]

    def shown(name: str, k: int, one: float, other: float) -> str:
        share = f"{100 * one:.1f} %" if one == other else f"{100 * one:.1f} to {100 * other:.1f} %"
        return f"{name}{k} {share}" + (f" (n {low.n[k]})" if low.n[k] != low.tests else "")

    at = [shown("pass@", k, low.pass_at[k], high.pass_at[k]) for k in tops]
    return at + [shown("pass^", k, low.pass_hat[k], high.pass_hat[k]) for k in tops if k > 1]


def _required(found: Epochs, most: int) -> list[str]:
    """How many tests with k of n hold, and those that do not by name."""
    if not found.required:
        return []
    verdicts = [one.verdict for one in found.required]
    asked = sum(one.scored.total for one in found.required)
    planned = sum(one.required.of for one in found.required if one.required)
    open_ = f", {verdicts.count(None)} undecided" if None in verdicts else ""
    head = (
        f"k of n: {verdicts.count(True)} of {len(verdicts)} tests hold{open_}; {asked} of {planned} tries were needed"
    )
    names = ", ".join(
        f"{one.name} {one.scored.passed}/{one.scored.total} where {one.required} must pass"
        for one in found.missed[:most]
    )
    more = f" and {len(found.missed) - most} more" if len(found.missed) > most else ""
    return [head, *([f"too few: {names}{more}"] if names else [])]


def epoch_lines(found: Epochs, most: int = 10) -> list[str]:
    """In words: the rates by k as percentages, and the flaky tests, the first `most` named."""
    lines = _required(found, most)
    if not found.together.tests and lines:
        return lines
    tries = "try" if found.open == 1 else "tries"
    open_ = f", {found.open:,} {tries} without a verdict" if found.open else ""
    lines += [
        f"{found.epochs} epochs: {', '.join(rates(found))} (n {(found.ends or (found.together,))[0].tests}{open_})"
    ]
    if found.flaky:
        names = ", ".join(f"{one.name} {one.scored.passed}/{one.scored.total}" for one in found.flaky[:most])
        more = f" and {len(found.flaky) - most} more" if len(found.flaky) > most else ""
        lines.append(f"{len(found.flaky)} flaky: {names}{more}")
    else:
        lines.append("no test is flaky")
    return lines
