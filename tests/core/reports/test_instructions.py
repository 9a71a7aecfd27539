from __future__ import annotations

from typing import Any

from modex.core.reports.instructions import instruction_lines
from modex.core.reports.reading import reading_lines
from modex.core.store.rows import RunRow
from tests.rows import each_row

RATE = {"rate": 0.25, "passed": 1, "n": 4}
BOTH = {"strict": RATE, "loose": {"rate": 0.5, "passed": 2, "n": 4}}
WHOLE = {"by_prompt": BOTH, "by_instruction": {"strict": {**RATE, "n": 1234}, "loose": RATE}}


def run(metrics: Any) -> RunRow:
    return RunRow(1, exp_id="e", model="demo/m", metrics=metrics)


def test_the_four_figures_of_a_source_are_one_line() -> None:
    (line,) = instruction_lines(run({"mine": {"accuracy": RATE}, "ifeval": {"instructions": WHOLE}}))
    assert line == (
        "ifeval: instructions followed: by prompt 25.0 strict, 50.0 loose (of 4); "
        "by instruction 25.0 strict, 25.0 loose (of 1,234)"
    )
    assert reading_lines(run({"ifeval": {"instructions": WHOLE}})) == [line]


@each_row(
    "metrics",
    [
        {},
        {"a": None},
        {"a": {}},
        {"a": {"instructions": 3}},
        {"a": {"instructions": {}}},
        {"a": {"instructions": {"by_prompt": 3}}},
        {"a": {"instructions": {"by_prompt": {"strict": RATE}}}},
        {"a": {"instructions": {"by_prompt": {**BOTH, "loose": {"rate": "x", "n": 4}}}}},
        {"a": {"instructions": {"by_prompt": {**BOTH, "strict": {"rate": 1, "n": True}}}}},
    ],
)
def test_stored_figures_that_are_none_say_nothing(metrics: Any) -> None:
    assert list(instruction_lines(run(metrics))) == []


def test_what_can_be_read_of_the_figures_is_told() -> None:
    (line,) = instruction_lines(run({"a": {"instructions": {"by_prompt": BOTH, "by_instruction": None}}}))
    assert line == "a: instructions followed: by prompt 25.0 strict, 50.0 loose (of 4)"
