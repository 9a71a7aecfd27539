"""Agreement with the labelled corpus by family, beside math-verify's own verdict and a last-number regex.

python -m benchmarks.trust [--quick]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from benchmarks.tables import Table
from tests.trust.constructed import answers, doubles, mathematics
from tests.trust.corpus import Case, Verdict, judged, written_cases

_NUMBER = re.compile(r"-?[$0-9.,]{2,}|-?[0-9]+")
_SAMPLE = 150
"""Cases of a family that the other scorers see: math-verify takes seconds over some."""
_ANSWERS = frozenset(["compare", "match", "two_pass"])


def measure(*, quick: bool) -> list[Table]:
    cases = [*written_cases(), *mathematics.cases(500 if quick else 5000), *answers.cases(800 if quick else 4000)]
    cases += doubles.cases(100 if quick else 750)
    verdicts = {case.id: judged(case) for case in cases}
    rows = []
    for family in [*sorted({case.family for case in cases}), "all"]:
        own = [case for case in cases if family in (case.family, "all")]
        rows.append(
            [family, str(len(own)), *_agreement(own, verdicts), _rate(own, _math_verify), _rate(own, _last_number)]
        )
    header = [
        "family",
        "cases",
        "agreement",
        "wrongly passed",
        "wrongly failed",
        "math-verify alone",
        "last number (regex)",
    ]
    return [Table("Verdicts that agree with the labelled corpus", header, rows)]


def _agreement(cases: list[Case], verdicts: Mapping[str, Verdict]) -> list[str]:
    found = [(case.verdict, verdicts[case.id]) for case in cases]
    agreed = sum(label == verdict for label, verdict in found)
    false_passes = sum(verdict == "pass" and label != "pass" for label, verdict in found)
    false_fails = sum(verdict != "pass" and label == "pass" for label, verdict in found)
    return [_percent(agreed, len(cases)), str(false_passes), str(false_fails)]


def _rate(cases: Iterable[Case], scorer: Callable[[str, str], bool]) -> str:
    """The agreement of a scorer that knows only texts, over the cases whose gold and answer are texts or numbers."""
    asked = [(case, pair) for case in cases if (pair := _texts(case)) is not None]
    asked = Random(1).sample(asked, min(_SAMPLE, len(asked)))
    if not asked:
        return "–"
    return _percent(sum(scorer(*pair) == (case.verdict == "pass") for case, pair in asked), len(asked))


def _texts(case: Case) -> tuple[str, str] | None:
    if case.evaluator not in _ANSWERS:
        return None
    gold: Any = case.expected.get("value") if isinstance(case.expected, dict) else case.expected
    answer = case.answer.get("response") if isinstance(case.answer, dict) else case.answer
    if isinstance(gold, list | dict | None) or not isinstance(answer, str):
        return None
    return str(gold), answer


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _math_verify(gold: str, answer: str) -> bool:
    from math_verify import parse, verify

    try:
        return bool(verify(parse(f"${gold}$", parsing_timeout=1), parse(answer, parsing_timeout=1), timeout_seconds=1))
    except Exception:
        return False


def _last_number(gold: str, answer: str) -> bool:
    """As harnesses do it: the last number of each, without `$` and commas."""
    numbers = [_NUMBER.findall(text) for text in (gold, answer)]
    return all(numbers) and len({found[-1].replace("$", "").replace(",", "").rstrip(".") for found in numbers}) == 1


if __name__ == "__main__":
    for table in measure(quick="--quick" in sys.argv):
        print(table.markdown(), end="\n\n")
