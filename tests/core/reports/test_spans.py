from __future__ import annotations

from typing import Any

from modex.core.reports.reading import reading_lines
from modex.core.reports.spans import span_lines
from modex.core.store.rows import RunRow
from tests.rows import each_row


def run(metrics: Any) -> RunRow:
    return RunRow(1, exp_id="e", model="demo/m", metrics=metrics)


def test_the_two_figures_of_a_source_are_one_line() -> None:
    told = run({"mine": {"accuracy": 1}, "drop": {"spans": {"exact": 0.25, "f1": 0.5, "n": 1234}}})
    assert list(span_lines(told)) == ["drop: F1 50.0, exact match 25.0 (of 1,234)"] == reading_lines(told)


@each_row("metrics", [{}, {"a": None}, {"a": {}}, {"a": {"spans": 3}}, {"a": {"spans": {"exact": 1, "f1": 1}}}])
def test_stored_figures_that_are_none_say_nothing(metrics: Any) -> None:
    assert list(span_lines(run(metrics))) == []


@each_row("name", ["exact", "f1", "n"])
def test_each_figure_is_needed(name: str) -> None:
    assert list(span_lines(run({"a": {"spans": {"exact": 1, "f1": 1, "n": 1, name: "x"}}}))) == []
