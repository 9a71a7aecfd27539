"""What the epochs of a run say: pass@k, pass^k, and the tests that pass only sometimes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from core.statistics.epochs import Repeated, Tries, repeated
from core.store.exact import decode_text
from core.store.reader import Reader
from core.store.rows import RunRow
from core.store.summary import outcomes


@dataclass(frozen=True, slots=True)
class TestTries:
    """One test and how often it passed."""

    __test__ = False

    source: str
    domain: str
    level: int
    test_id: str
    tries: Tries

    @property
    def name(self) -> str:
        """`domain/level/test`."""
        return f"{self.domain}/{self.level}/{self.test_id}"


@dataclass(frozen=True, slots=True)
class Epochs:
    """The epochs of a run: all tests together, and the flaky ones, the most undecided first."""

    epochs: int
    together: Repeated
    flaky: tuple[TestTries, ...]

    def as_dict(self) -> dict[str, Any]:
        """For scripts: `{"epochs", "tests", "tries", "pass_at_k", "pass_hat_k", "n", "flaky"}`."""
        together = self.together
        return {
            "epochs": self.epochs,
            "tests": together.tests,
            "tries": together.tries,
            "pass_at_k": {str(k): value for k, value in together.pass_at.items()},
            "pass_hat_k": {str(k): value for k, value in together.pass_hat.items()},
            "n": {str(k): value for k, value in together.n.items()},
            "flaky": [
                {"test": one.name, "source": one.source, "passed": one.tries.passed, "scored": one.tries.total}
                for one in self.flaky
            ],
        }


def epochs_of(reader: Reader, run: RunRow) -> Epochs | None:
    """What the run's epochs say; None where each test is asked once."""
    count = run.config.get("epochs")
    if not isinstance(count, int) or count < 2:
        return None
    tests = list(_tests(reader, run.id))
    flaky = sorted(
        (one for one in tests if one.tries.flaky),
        key=lambda one: (abs(one.tries.passed / one.tries.total - 0.5), one.name),
    )
    return Epochs(count, repeated(one.tries for one in tests), tuple(flaky))


def _tests(reader: Reader, run_id: int) -> Iterator[TestTries]:
    for key, samples in groupby(outcomes(reader.database, run_id), key=itemgetter(0, 1, 2, 3)):
        passed = [sample.status == "passed" for sample in samples if sample.status in ("passed", "failed")]
        source, domain, level, test_id = key
        yield TestTries(source, domain, level, decode_text(test_id), Tries(sum(passed), len(passed)))


def rates(found: Epochs) -> list[str]:
    """pass@k and pass^k of one try and of all, as percentages."""
    together = found.together
    tops = sorted({1, found.epochs} & set(together.pass_at))
    at = [f"pass@{k} {100 * together.pass_at[k]:.1f} %" for k in tops]
    return at + [f"pass^{k} {100 * together.pass_hat[k]:.1f} %" for k in tops if k > 1]


def epoch_lines(found: Epochs, most: int = 10) -> list[str]:
    """In words: the rates by k as percentages, and the flaky tests, the first `most` named."""
    lines = [f"{found.epochs} epochs: {', '.join(rates(found))} (n {found.together.tests})"]
    if found.flaky:
        names = ", ".join(f"{one.name} {one.tries.passed}/{one.tries.total}" for one in found.flaky[:most])
        more = f" and {len(found.flaky) - most} more" if len(found.flaky) > most else ""
        lines.append(f"{len(found.flaky)} flaky: {names}{more}")
    else:
        lines.append("no test is flaky")
    return lines
