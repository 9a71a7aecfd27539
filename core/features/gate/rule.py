"""`modex gate`: whether a run is not worse than another by more than a margin, and what it would take to tell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import quoteattr

from modex.core.comparison.difference import Difference, difference_json
from modex.core.comparison.pairs import TestKey
from modex.core.comparison.questions import Questions, questions_json
from modex.core.comparison.wording import between, other_questions_words, too_few_words
from modex.core.features.compare.compare import compare
from modex.core.foundation.exit_codes import ExitCode
from modex.core.reports.epochs import TestEpochs, epochs_of
from modex.core.statistics.gating import Ruling, fresh_tests, more_tests, rule
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

DEFAULT_MARGIN = 0.03


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What the gate says of the run `second` against `first`, and why."""

    first: RunRow
    second: RunRow
    difference: Difference | None
    ruling: Ruling
    quarantined: Sequence[TestKey]
    """Tests left out because they were named as flaky."""
    only_first: int
    """Tests that the second run lacks."""
    missed: tuple[TestEpochs, ...] = ()
    """Tests of the second run with k of n of which too few epochs passed: named, while the ruling is on all tests together."""
    required: int = 0
    """Tests of the second run with k of n."""
    other_rules: int | None = None
    """Tests that each run judged by another gold or evaluator; None where nobody looked."""
    without_verdict: tuple[int, int] = (0, 0)
    """Tests of both runs that lack a verdict, or that of an epoch, in each run: errors, cut-off answers, what is not done yet."""
    questions: Questions = field(default_factory=Questions)
    """How tests went together by what they ask: other ids, other questions."""

    @property
    def exit_code(self) -> ExitCode:
        """As a pipeline hears it."""
        codes = {"pass": ExitCode.FINISHED, "fail": ExitCode.MISSED, "undecided": ExitCode.UNDECIDED}
        return codes[self.ruling.answer]

    @property
    def words(self) -> str:
        """The ruling in a sentence."""
        points = f"{100 * self.ruling.margin:g} points"
        if self.ruling.answer == "pass":
            return f"not worse by more than {points}"
        if self.ruling.answer == "fail":
            return f"worse by more than {points}"
        return f"cannot tell yet whether it is worse by more than {points}"

    @property
    def lacking(self) -> str:
        """`9 tests of lossy lack a verdict`; empty where none does."""
        runs = zip(self.without_verdict, (self.first, self.second), strict=True)
        lines = [f"{number:,} test{'' if number == 1 else 's'} of {run.exp_id}" for number, run in runs if number]
        verb = "lacks" if self.without_verdict in ((0, 1), (1, 0)) else "lack"
        return f"{' and '.join(lines)} {verb} a verdict" if lines else ""

    @property
    def takes(self) -> str:
        """What it would take to tell; empty where it is told."""
        found, ruling = self.difference, self.ruling
        if ruling.answer != "undecided":
            return ""
        if found is None or found.interval is None:
            unpaired = other_questions_words(self.questions.otherwise, self.questions.twice)
            why = f" ({unpaired})" if unpaired else ""
            return f"the runs share fewer than two tests with a verdict{why}; run both over the same tests"
        if ruling.too_few:
            return f"{too_few_words(found)}: run both over more tests"
        if ruling.blocked:
            return "answers without a verdict could turn it: `modex resume` asks them again"
        tests = fresh_tests(ruling, found.n)
        if tests is None or tests > 1_000_000:
            return (
                "the difference stands so near the margin that no number of tests would tell; choose another --margin"
            )
        return (
            f"two new runs over about {tests:,} tests like these {found.n:,} would tell, if the difference is what it seems;"
            " ruling again on these with more added would err more often than it says"
        )

    @property
    def held_to(self) -> str:
        """Between what the true difference lies, tests that were not drawn considered; empty without two pairs."""
        found = self.ruling.interval
        return f"the gate rules on {between(found)}: whole tests may turn that were not drawn" if found else ""


def gate(
    reader: Reader, first: RunRow, second: RunRow, margin: float, quarantine: Collection[str] = frozenset()
) -> GateVerdict:
    """Rule on the tests that both runs have; `quarantine` names tests by id or domain/level/id that do not count."""
    compared = compare(reader, first, second, tools=False, noise=False, without=quarantine)
    paired = compared.settled.paired()
    ruling = Ruling("undecided", margin) if paired is None else rule(*paired, margin, compared.settled.jump_of_tests)
    epochs = epochs_of(reader, second)
    asked = [one for one in epochs.required if one.key not in compared.left_out] if epochs is not None else []
    one, other = compared.without_verdict
    return GateVerdict(
        first,
        second,
        compared.overall,
        ruling,
        compared.left_out,
        len(compared.only_first),
        tuple(one for one in asked if one.verdict is False),
        len(asked),
        None if compared.other_rules is None else len(compared.other_rules),
        (one.lacking, other.lacking),
        compared.questions,
    )


def gate_json(found: GateVerdict) -> dict[str, Any]:
    """A ruling as scripts get it."""
    return {
        "first": found.first.exp_id,
        "second": found.second.exp_id,
        "answer": found.ruling.answer,
        "exit_code": int(found.exit_code),
        "margin": found.ruling.margin,
        "words": found.words,
        "takes": found.takes,
        "interval": found.ruling.interval,
        "too_few": found.ruling.too_few,
        "fresh_tests": fresh_tests(found.ruling, found.difference.n) if found.difference else None,
        "more_tests": more_tests(found.ruling, found.difference.n) if found.difference else None,
        "difference": difference_json(found.difference),
        "quarantined": ["/".join(map(str, key[1:])) for key in found.quarantined],
        "only_first": found.only_first,
        "other_rules": found.other_rules,
        **questions_json(found.questions),
        "without_verdict": {"first": found.without_verdict[0], "second": found.without_verdict[1]},
        "k_of_n": {
            "tests": found.required,
            "missed": [
                {
                    "test": one.name,
                    "required": str(one.required),
                    "passed": one.scored.passed,
                    "scored": one.scored.total,
                }
                for one in found.missed
            ],
        },
    }


def gate_junit(found: GateVerdict, lines: list[str]) -> str:
    """One JUnit case: passed, failed, or skipped where the gate cannot tell."""
    body = {
        "pass": "",
        "fail": f"<failure message={quoteattr(found.words)}/>",
        "undecided": f"<skipped message={quoteattr(f'{found.words}: {found.takes}')}/>",
    }[found.ruling.answer]
    counts = {"pass": (0, 0), "fail": (1, 0), "undecided": (0, 1)}[found.ruling.answer]
    words = "\n".join(lines).replace("]]>", "]]]]><![CDATA[>")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="modex gate" tests="1" failures="{counts[0]}"'
        f' skipped="{counts[1]}">\n<testcase classname="gate" name='
        f"{quoteattr(f'{found.second.exp_id} against {found.first.exp_id}')}>{body}<system-out><![CDATA[{words}]]></system-out>"
        "</testcase>\n</testsuite>"
    )


def gate_markdown(found: GateVerdict, lines: list[str]) -> str:
    """A summary for a pull request's page."""
    mark = {"pass": "passed", "fail": "failed", "undecided": "cannot tell yet"}[found.ruling.answer]
    body = "\n".join(lines).replace("```", "ˋˋˋ")
    return f"### modex gate: {mark}\n\n```text\n{body}\n```"
