"""Constructed formulas: changed ones never pass, and other ways of writing the same do."""

from __future__ import annotations

from tests.trust.constructed import doubles, mathematics
from tests.trust.corpus import judged, shown


def test_no_mutated_formula_passes_and_equivalent_ones_do() -> None:
    found = [(case, judged(case)) for case in mathematics.cases(300)]
    assert [shown(case) for case, verdict in found if verdict == "pass" != case.verdict] == []
    equal = [(case, verdict) for case, verdict in found if case.verdict == "pass"]
    missed = [shown(case) for case, verdict in equal if verdict != "pass"]
    assert len(missed) <= len(equal) / 100, missed[:10]


def test_a_double_in_full_is_its_closed_form_and_nothing_else_is() -> None:
    found = [(case, judged(case)) for case in doubles.cases(80)]
    assert [shown(case) for case, verdict in found if verdict != case.verdict] == []
