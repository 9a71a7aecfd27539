"""What labels and probes say of judges, and how that stands beside the judges of a run."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.features.certify import rule as certifying
from modex.core.features.certify.query import CertificateRow
from modex.core.features.certify.rule import (
    Certified,
    Judged,
    _is_draw,
    certified,
    certified_lines,
    corrected_briefly,
    corrected_lines,
    judged,
    judging_json,
    standings,
    to_try,
)
from modex.core.features.review.agreement import Agreement
from modex.core.statistics.corrected import Corrected
from modex.core.statistics.judging import Probes, Share
from modex.core.store.rows import RunRow
from tests.rows import each_row

RUN = RunRow(1, exp_id="r", judged_by={"judge": {"models": ["m"], "model": "M", "prompt": "P"}})
FIXED = Corrected(0.5, (0.4, 0.6), 0.75, 30, 90, 1.0)
READER: Any = SimpleNamespace(database=None)


def _certificate(model: str = "M", prompt: str = "P", **found: Any) -> CertificateRow:
    return CertificateRow(1, 1, "judge", model, prompt, found, "2026-11-01T10:00:00Z", "labels")


@each_row(
    ("corrected", "open_", "ends"),
    [(None, 3, None), (FIXED, 0, None), (FIXED, 10, (0.45, 0.55)), (FIXED, 1, (45 / 91, 46 / 91))],
)
def test_answers_without_a_verdict_bound_the_corrected_rate(
    corrected: Corrected | None, open_: int, ends: tuple[float, float] | None
) -> None:
    assert Judged(RUN, "judge", Agreement(), corrected, True, open=open_).ends == ends


@pytest.mark.parametrize(
    ("known", "words", "holds"),
    [
        ([], "judge: its judge has no certificate; `modex certify EXP` makes one from labels", False),
        ([_certificate()], "judge: certificate of 2026-11-01 on labels of labels", True),
        ([_certificate(faults=["a", "b"])], "judge: certificate of 2026-11-01 on labels of labels; faults: a; b", True),
        ([_certificate("X"), _certificate()], "judge: certificate of 2026-11-01 on labels of labels", True),
        ([_certificate("X")],
         "judge: the certificate of 2026-11-01 on labels of labels is stale: another judge model or other settings;"
         " certify again",
         False),
        ([_certificate(prompt="X"), _certificate("X", "Y")],
         "judge: the certificate of 2026-11-01 on labels of labels is stale: another judge prompt; certify again", False),
        ([_certificate("X", "Y")],
         "judge: the certificate of 2026-11-01 on labels of labels is stale: another judge model or other settings and another"
         " judge prompt; certify again", False),
    ],
)  # fmt: skip
def test_a_certificate_holds_for_the_model_and_the_prompt_that_it_was_made_of(
    known: list[CertificateRow], words: str, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certifying, "certificates", lambda *_: known)
    (standing,) = standings(READER, RUN)
    assert (standing.words, standing.holds) == (words, holds)


_RIGHT, _WRONG, _EMPTY = Share(9, 10), Share(5, 10), Share(0, 0)


def test_a_certificate_says_in_words_what_was_found() -> None:
    found = Certified(
        "judge", ("m", "n"), Agreement(9, 5, 5, 1), _RIGHT, _WRONG, Probes(_EMPTY, _EMPTY, _RIGHT), ("ann",)
    )
    assert [line.strip() for line in certified_lines(found)] == [
        "judge, judged by m, n: 20 labels by ann",
        "agrees with people on 70.0 % of 20 (95 %: 48.1 to 86.0), κ 0.40; a constant answer would on 50.0 %, κ 0",
        "passes right answers (sensitivity): 90.0 % of 10 (95 %: 59.6 to 99.5)",
        "fails wrong answers (specificity): 50.0 % of 10 (95 %: 22.2 to 77.8)",
        "passes a wrong answer that says it is right: 90.0 % of 10 (95 %: 59.6 to 99.5)",
        "fault: constant: it passes right and wrong answers alike",
        "fault: obeys the answers: a wrong one passes by saying that it is right",
    ]
    nothing = Certified("judge", (), Agreement(), _EMPTY, _EMPTY, drawn=False)
    assert [line.strip() for line in certified_lines(nothing)] == [
        "judge, judged by an unnamed judge: 0 labels by nobody",
        "the labelled answers are no random draw: `modex review EXP --order random` draws one",
    ]
    one_sided = Certified("judge", (), Agreement(3), Share(3, 3), _EMPTY)
    assert "κ –;" in certified_lines(one_sided)[1]


def test_scripts_get_shares_with_rates_and_intervals() -> None:
    found = Certified("judge", ("m",), Agreement(9, 5, 5, 1), _RIGHT, _WRONG, authors=("ann",), drawn=False)
    said = found.as_json()
    assert (said["labels"], said["agreed"], said["agreed_by_constant"], said["random_draw"]) == (20, 14, 10, False)
    assert said["sensitivity"] == {"number": 9, "of": 10, "rate": 0.9, "interval": _RIGHT.interval}
    assert said["flips"] == {"number": 0, "of": 0, "rate": None, "interval": None}
    whole = certified(Judged(RUN, "judge", Agreement(9, 5, 5, 1), None, False, ("ann",)), Probes())
    assert (whole, whole.faults) == (found, found.faults)


@pytest.mark.parametrize(
    ("one", "known", "lines", "brief"),
    [
        (Judged(RUN, "judge", Agreement(), None, True), [], [], []),
        (Judged(RUN, "judge", Agreement(), None, False), [],
         ["judge: labels are no random draw, so the judged pass rate is not corrected"], []),
        (Judged(RUN, "judge", Agreement(), FIXED, True, open=1), [],
         ["judge: pass rate 75.0 as judged, 50.0 corrected by 30 labels (95 %: 40.0 to 60.0, n 90); 1 answer without a verdict"
          " leaves it between 49.5 and 50.5"],
         ["judge pass rate 75.0 as judged, 50.0 corrected (40.0 to 60.0, 30 labels); 1 answer without a verdict leaves it between"
          " 49.5 and 50.5"]),
        (Judged(RUN, "judge", Agreement(), FIXED, True), [_certificate()],
         ["judge: pass rate 75.0 as judged, 50.0 corrected by 30 labels (95 %: 40.0 to 60.0, n 90)",
          "judge: certificate of 2026-11-01 on labels of labels"],
         ["judge pass rate 75.0 as judged, 50.0 corrected (40.0 to 60.0, 30 labels), certificate holds"]),
        (Judged(RUN, "judge", Agreement(), None, True), [_certificate("X")], None, ["judge certificate stale"]),
        (Judged(RUN, "judge", Agreement(), None, True), [_certificate(faults=["a", "b"])], None,
         ["judge certificate faults: a, b"]),
        (Judged(RUN, "judge", Agreement(), FIXED, True, open=2000), [], None,
         ["judge pass rate 75.0 as judged, 50.0 corrected (40.0 to 60.0, 30 labels); 2,000 answers without a verdict leave it"
          " between 2.2 and 97.8"]),
    ],
)  # fmt: skip
def test_a_judged_rate_stands_beside_the_corrected_one_and_the_certificate(
    one: Judged,
    known: list[CertificateRow],
    lines: list[str] | None,
    brief: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(certifying, "certificates", lambda *_: known)
    monkeypatch.setattr(certifying, "judged", lambda *_: [one])
    if lines is not None:
        assert corrected_lines(READER, RUN) == lines
    assert corrected_briefly(READER, RUN) == brief
    (said,) = judging_json(READER, RUN)
    assert (said["corrected"] is None, said["without_verdict"], said["corrected_bounds"]) == (
        one.corrected is None, one.open, one.ends,
    )  # fmt: skip
    assert (said["certified"], said["random_draw"]) == (
        any("holds" in line or "faults" in line for line in brief),
        one.drawn,
    )


def _head(id_: int, status: str, evaluator: str = "judge") -> Any:
    return SimpleNamespace(
        id=id_, status=status, evaluator_id=evaluator, source="s", domain="d", level=1, test_id=str(id_)
    )


def _review(id_: int, own: str | None, status: str, author: str = "ann", **fields: Any) -> Any:
    row = {
        "result_id": id_,
        "own_verdict": own,
        "status": status,
        "author": author,
        "stale": False,
        "evaluator_id": "judge",
    }
    return SimpleNamespace(**{**row, **fields})


def _reads(monkeypatch: pytest.MonkeyPatch, heads: Sequence[Any], rows: Sequence[Any]) -> Any:
    monkeypatch.setattr(certifying, "reviews", lambda *_: rows)
    monkeypatch.setattr(certifying, "clusters_by_test", lambda *_: {})
    monkeypatch.setattr(certifying, "open_judgements", lambda *_: 7)
    return SimpleNamespace(database=None, heads=lambda *_, **__: iter(heads))


@pytest.mark.parametrize(("labelled", "drawn"), [(range(0, 80, 2), True), (range(40), False)])
def test_a_rate_is_corrected_where_the_labelled_answers_may_be_a_random_draw(
    labelled: range, drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = {id_: "passed" if id_ < 60 else "failed" for id_ in range(80)}
    heads = [_head(id_, status[id_]) for id_ in status] + [_head(99, "passed", "other")]
    rows = [_review(id_, "passed" if id_ % 4 else "failed", status[id_]) for id_ in labelled]
    rows += [
        _review(1, "passed", "passed", "bob", evaluator_id="other"), _review(3, "failed", "passed", "cid", stale=True),
        _review(5, None, "passed", "dan"), _review(0, "passed", "passed", "eve"), _review(0, "passed", "passed", "fay"),
    ]  # fmt: skip
    reader = _reads(monkeypatch, heads, rows)
    (found,) = judged(reader, RunRow(1, exp_id="r", judged_by=RUN.judged_by, error_tests=1))
    assert (found.drawn, found.corrected is not None, found.open, found.evaluator_id) == (drawn, drawn, 7, "judge")
    assert found.authors == ("ann", "eve", "fay")
    assert found.agreement.number == 40
    if found.corrected is not None:
        assert (found.corrected.labels, found.corrected.answers, found.corrected.judged) == (40, 80, 0.75)
    (whole,) = judged(reader, RUN)
    assert whole.open == 0
    assert judged(reader, RunRow(1, exp_id="r")) == []


def test_what_a_judge_is_tried_on_is_drawn_by_seed_and_claims_are_made_of_wrong_answers_that_it_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heads = [_head(id_, "failed" if id_ % 2 else "passed") for id_ in range(20)]
    rows = [_review(id_, "failed" if id_ < 10 else "passed", head.status) for id_, head in enumerate(heads)]
    reader = _reads(monkeypatch, heads, rows)
    one = Judged(RUN, "judge", Agreement(), None, True)
    again, claims = to_try(reader, one, 7, 3, seed=1)
    assert (len(set(again)), len(claims), set(claims) <= {1, 3, 5, 7, 9}) == (7, 3, True)
    assert to_try(reader, one, 7, 3, seed=1) == (again, claims) != to_try(reader, one, 7, 3, seed=2)
    again, claims = to_try(reader, one, 100, 100, seed=1)
    assert (sorted(again), sorted(claims)) == (list(range(20)), [1, 3, 5, 7, 9])


@each_row(
    ("labelled", "others", "draw"),
    [
        ([], [1.0], True),
        ([1.0], [], True),
        ([1.0, 1.0], [1.0], True),
        ([0.0], [0.0, 0.0], True),
        ([1.0] * 12, [1.0] * 6 + [0.0] * 6, True),
        ([1.0] * 12, [0.0] * 12, False),
        ([0.0] * 12, [1.0] * 12, False),
        ([1.0] * 6 + [0.0] * 6, [1.0] * 60 + [0.0] * 40, True),
    ],
)
def test_labels_are_no_draw_where_the_judge_passes_them_far_more_or_less_often_than_the_rest(
    labelled: list[float], others: list[float], draw: bool
) -> None:
    assert _is_draw(labelled, others) is draw
