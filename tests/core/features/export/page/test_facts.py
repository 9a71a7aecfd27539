"""What a page says of a run before its tests."""

from __future__ import annotations

from typing import Any

from modex.core.features.export.page.facts import Reason, _reason, _reasons, facts_of, history
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store
from tests.rows import each_row


def _unhappy(said: str | None, domain: str = "d", **fields: Any) -> EvaluationSample:
    return EvaluationSample(domain=domain, status="failed", error_message=said, **fields)


def _error(said: str | None, kind: str = "timeout", domain: str = "d") -> EvaluationSample:
    return EvaluationSample(domain=domain, status="error", error_type=kind, error_message=said)


@each_row(
    ("sample", "reason"),
    [
        (_unhappy("expected 4,\n5, got 6"), "another answer than the expected one"),
        (_error("expected 4, got 6"), "server: timeout: expected … got …"),
        (_unhappy("it expected 4, got 6"), "it expected … got …"),
        (_unhappy("the call 'x', \"y\",  «z» and 3 lacks “w” 5%"), "the call … and … lacks …"),
        (_unhappy(None), "no reason given"),
        (_error(None), "server: timeout: "),
        (_unhappy("y" * 200), "y" * 120),
    ],
)
def test_values_are_folded_so_that_one_reason_is_told_once(sample: EvaluationSample, reason: str) -> None:
    assert _reason(sample) == reason


def test_reasons_come_by_how_often_with_the_domains_they_are_most_of_and_advice_once() -> None:
    said = [_unhappy(f"other {letter}") for letter in "abcdefg"]
    many = [_error("too many", "rate_limit", domain) for domain in ("x", "y", "y", "z", "z", "z", "w")]
    slower = [_error("slower", "rate_limit"), _error("slower", "rate_limit")]
    found = _reasons([*said, *slower, *many])
    assert [(one.text, one.count) for one in found] == [
        ("server: rate_limit: too many", 7),
        ("server: rate_limit: slower", 2),
        *((f"other {letter}", 1) for letter in "abcdef"),
    ]
    assert found[0].domains == [("z", 3), ("y", 2), ("x", 1)]
    assert found[0].advice
    assert [one.advice for one in found[1:]] == [""] * 7
    assert found[2] == Reason("other a", 1, [("d", 1)])


def test_the_history_is_of_one_model_up_to_this_run_the_oldest_first(manager: DBDataManager, store: Store) -> None:
    runs = [store(name, [scored("1", 1.0)]) for name in "abcde"]
    manager.update_run(runs[1].id, model="openai/test-model-2")
    unscored = store("u", [failing("1", domain="e")])
    manager.update_run(unscored.id, overall_score=None)
    last = store("z", [scored("1", 1.0)])

    def names(run: RunRow) -> list[str]:
        return [one.exp_id for one in history(manager.reader, manager.reader.run_by_id(run.id))]

    assert names(runs[3]) == ["a", "c", "d"]
    assert names(last) == ["a", "c", "d", "e", "z"]
    assert names(runs[1]) == ["b"]


def test_a_level_is_the_mean_of_its_domains_and_counts_what_has_a_score(manager: DBDataManager, store: Store) -> None:
    run = store(
        "e",
        [
            scored("1", 1.0, domain="a", level=2),
            scored("2", 1.0, domain="a", level=2),
            scored("3", 0.0, domain="b", level=2),
            failing("4", domain="b", level=2),
            scored("5", 0.0, domain="b", level=3),
        ],
    )
    facts = facts_of(manager.reader, run)
    assert facts.level(2) == (0.5, 3)
    assert facts.level(3) == (0.0, 1)
    assert facts.level(1)[1] == 0
    assert list(facts.domains) == ["a", "b"]
    assert facts.bounds == facts.open.whole
