from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modex.core.pipeline.likelihood_rates import likelihood_rates
from modex.core.store.sample import SampleStatus
from modex.core.verdict import Likelihood, LikelihoodOption, details_of
from tests.tui.stores import StoreMaker, sample

OPTIONS = (LikelihoodOption("A", "x", -1.0, 1, True), LikelihoodOption("B", "y", -2.0, 1))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def run_of(store: StoreMaker, *verdicts: tuple[SampleStatus, Likelihood | None]) -> int:
    samples = [
        replace(sample("d", 1, n, status, details={} if one is None else details_of((one,), {})), source="arc")
        for n, (status, one) in enumerate(verdicts)
    ]
    return store.run("e", samples=samples)


def test_each_figure_counts_its_own_choice_over_the_scored_answers(store: StoreMaker) -> None:
    run_id = run_of(
        store,
        ("passed", Likelihood(OPTIONS, "continuation", "A", "A", "B")),
        ("passed", Likelihood(OPTIONS, "continuation", "A", "B", "B")),
        ("failed", Likelihood(OPTIONS, "continuation", "B", "A", "A")),
        ("failed", Likelihood(OPTIONS, "continuation", "B", "A", "B")),
        ("error", Likelihood(OPTIONS, "continuation", "A", "A", "A")),
        ("passed", None),
    )
    assert likelihood_rates(store.manager, run_id, "arc") == {
        "way": "continuation", "n": 4, "acc": 0.5, "acc_norm": 0.75, "acc_bytes": 0.25,
    }  # fmt: skip


def test_letters_have_one_figure(store: StoreMaker) -> None:
    run_id = run_of(store, ("passed", Likelihood(OPTIONS, "letter", "A")))
    assert likelihood_rates(store.manager, run_id, "arc") == {
        "way": "letter", "n": 1, "acc": 1.0, "acc_norm": None, "acc_bytes": None,
    }  # fmt: skip


def test_without_such_verdicts_there_is_no_figure(store: StoreMaker) -> None:
    assert likelihood_rates(store.manager, run_of(store, ("passed", None)), "arc") is None
