from __future__ import annotations

from typing import Any

from modex.core.reports.likelihoods import likelihood_lines
from modex.core.store.manager import DBDataManager
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample


def lines(manager: DBDataManager, store: Store, rates: Any) -> list[str]:
    run_id = store("e", [finished(sample("t"))]).id
    manager.update_run(run_id, metrics={"arc": {"likelihood": rates}, "odd": "no"})
    return list(likelihood_lines(manager.reader.run("e")))


def test_both_figures_and_the_kind_are_said(manager: DBDataManager, store: Store) -> None:
    rates = {"way": "continuation", "n": 1120, "acc": 0.5, "acc_norm": 0.75, "acc_bytes": 0.25}
    assert lines(manager, store, rates) == [
        "arc: acc 50.0, acc_norm 75.0 (of 1,120), by the likelihood of each option's text, as lm-eval's"
    ]


def test_letters_are_said_to_be_another_kind(manager: DBDataManager, store: Store) -> None:
    (line,) = lines(manager, store, {"way": "letter", "n": 4, "acc": 0.5, "acc_norm": None, "acc_bytes": None})
    assert line.startswith("arc: acc 50.0 (of 4), by the likelihood of each option's letter as the next token")


def test_a_stored_figure_that_is_none_is_left_out(manager: DBDataManager, store: Store) -> None:
    for odd in ({}, 3, {"n": "x", "acc": 1.0}, {"n": 3, "acc": "x"}, {"n": 3, "acc": True}):
        assert lines(manager, store, odd) == []
        manager.delete_run(manager.reader.run("e").id)
