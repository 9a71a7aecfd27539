"""Every case of the corpus gets the verdict that somebody says is right."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.trust.constructed import answers
from tests.trust.corpus import judged, shown, written_cases

WRITTEN = list(written_cases())


def test_every_case_has_an_id_of_its_own() -> None:
    assert [name for name, count in Counter(case.id for case in WRITTEN).items() if count > 1] == []


@pytest.mark.parametrize("family", sorted({case.family for case in WRITTEN}))
def test_written_cases_get_their_verdict(family: str) -> None:
    assert [shown(case) for case in WRITTEN if case.family == family and judged(case) != case.verdict] == []


def test_constructed_answers_get_their_verdict_in_every_family() -> None:
    found = [(case, judged(case)) for case in answers.cases(480)]
    assert len(found) > 3000
    for family in {case.family for case, _ in found}:
        own = [(case, verdict) for case, verdict in found if case.family == family]
        wrong = [shown(case) for case, verdict in own if verdict != case.verdict]
        assert len(wrong) <= len(own) / 100, wrong[:10]
