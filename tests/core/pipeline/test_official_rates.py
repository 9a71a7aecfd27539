from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modex.core.pipeline.official_rates import official_rates
from modex.core.store.sample import SampleStatus
from modex.core.verdict import Official, details_of
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def run_of(store: StoreMaker, source: str, *verdicts: tuple[SampleStatus, Official | None]) -> int:
    samples = [
        replace(sample("d", 1, n, status, details={} if one is None else details_of((one,), {})), source=source)
        for n, (status, one) in enumerate(verdicts)
    ]
    return store.run("e", samples=samples)


def test_right_answers_are_counted_by_the_rule_and_by_us(store: StoreMaker) -> None:
    run_id = run_of(
        store,
        "gsm8k",
        ("passed", Official("R", "18", True)),
        ("passed", Official("R", "8", False)),
        ("failed", Official("R", None, False)),
        ("failed", Official("R", "8", False, ours=1.0)),
        ("failed", Official("R", "8", False, ours=0.69)),
        ("error", Official("R", "18", True)),
        ("passed", None),
    )
    found = {"rule": "R", "scored": 5, "right": 1, "ours": 3, "differ": 2, "unread": 1}
    assert official_rates(store.manager, run_id, "gsm8k") == found


@pytest.mark.parametrize("source", ["suite", "own"])
def test_a_source_without_a_rule_has_no_such_figures(store: StoreMaker, source: str) -> None:
    run_id = run_of(store, source, ("passed", Official("R", "18", True)))
    assert official_rates(store.manager, run_id, source) is None


def test_nor_has_one_whose_answers_were_judged_before_there_was_a_rule(store: StoreMaker) -> None:
    run_id = run_of(store, "gsm8k", ("passed", None))
    assert official_rates(store.manager, run_id, "gsm8k") is None
