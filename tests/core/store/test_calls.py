"""How many calls the stored answers of a run took."""

from __future__ import annotations

from pathlib import Path

from modex.core.store.calls import CallTotals, calls_of
from tests.tui.stores import StoreMaker, sample


def test_an_answer_that_pass_2_read_counts_there_and_not_among_those_that_a_judge_read(tmp_path: Path) -> None:
    kinds = [(1, False, 0), (3, True, 0), (1, True, 50), (1, False, 50), (1, False, 1)]
    samples = [
        sample("d", 1, number, "passed", attempts=attempts, pass2_used=asked, judge_completion_tokens=tokens)
        for number, (attempts, asked, tokens) in enumerate(kinds)
    ]
    store = StoreMaker(tmp_path / "m.db")
    run, empty = store.run("r", samples=samples), store.run("empty")
    store.run("other", samples=samples)
    reader = store.manager.reader
    assert (calls_of(reader, run), calls_of(reader, empty)) == (CallTotals(7, 2, 2), CallTotals(0, 0, 0))
    store.close()
