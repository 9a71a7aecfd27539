"""Every case of the corpus gets the verdict that somebody says is right."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.trust.constructed import answers
from tests.trust.corpus import judged, judged_with_grounds, shown, written_cases
from tests.trust.readings import as_kept, kept, read, texts

WRITTEN = list(written_cases())
TEXTS = list(texts())


def test_every_case_has_an_id_of_its_own() -> None:
    assert [name for name, count in Counter(case.id for case in WRITTEN).items() if count > 1] == []


@pytest.mark.parametrize("family", sorted({case.family for case in WRITTEN}))
def test_written_cases_get_their_verdict_on_the_grounds_that_are_kept(family: str) -> None:
    found = [(case, *judged_with_grounds(case)) for case in WRITTEN if case.family == family]
    assert [shown(case) for case, verdict, _ in found if verdict != case.verdict] == []
    grounds = {case.id: as_kept(grounds) for case, _, grounds in found if grounds}
    assert grounds == {
        case.id: line["grounds"] for case, _, _ in found if "grounds" in (line := kept().get(case.id, {}))
    }


@pytest.mark.parametrize("family", sorted({case.family for case, _, _ in TEXTS}))
def test_every_reader_finds_in_a_text_what_is_kept(family: str) -> None:
    own = [one for one in TEXTS if one[0].family == family]
    found = {case.id: as_kept(read(case, text, prompt)) for case, text, prompt in own}
    assert found == {case.id: kept().get(case.id, {}).get("read", {}) for case, _, _ in own}


def test_constructed_answers_get_their_verdict_in_every_family() -> None:
    found = [(case, judged(case)) for case in answers.cases(480)]
    assert len(found) > 3000
    for family in {case.family for case, _ in found}:
        own = [(case, verdict) for case, verdict in found if case.family == family]
        wrong = [shown(case) for case, verdict in own if verdict != case.verdict]
        assert len(wrong) <= len(own) / 100, wrong[:10]
