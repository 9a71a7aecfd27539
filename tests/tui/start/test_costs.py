from __future__ import annotations

import dataclasses

import pytest

from modex.core.store.rows import RunRow
from modex.tui.start.costs import resume_plan
from tests.cli import reading
from tests.tui.stores import StoreMaker, cells


@pytest.fixture
def run(store: StoreMaker) -> RunRow:
    store.run("r", samples=cells("math ●●○\nsql ●○!"), status="stopped")
    with reading(store.path) as reader:
        return reader.run("r")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"passed_tests": 40, "failed_tests": 10, "error_tests": 8, "total_tests": 70, "cost_usd": 0.3},
         "8 errors to retry, 12 tests to ask, about $0.12"),
        ({"passed_tests": 1, "failed_tests": 0, "error_tests": 1, "total_tests": 2, "cost_usd": 0.0},
         "1 error to retry, at an unknown price"),
        ({"passed_tests": 1, "failed_tests": 0, "error_tests": 0, "total_tests": 2, "model": "demo"},
         "1 test to ask, free of charge"),
        ({"passed_tests": 2, "failed_tests": 0, "error_tests": 0, "total_tests": 2, "cost_usd": 1.0}, "what is left"),
    ],
)  # fmt: skip
def test_what_a_resume_will_do_is_said_with_its_price(run: RunRow, changes: dict[str, object], said: str) -> None:
    given = {"skipped_tests": 0, "unpriced_calls": 0, "model": "openai/gpt-5", **changes}
    assert resume_plan(dataclasses.replace(run, **given)) == said  # type: ignore[arg-type]
