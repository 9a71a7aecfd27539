"""What a judgement costs: an unknown price stays unknown, whatever is known after it."""

from __future__ import annotations

import pytest

from modex.core.evaluators.hybrid import evaluate_within
from modex.core.evaluators.registry import get_evaluator
from tests.core.evaluators.conftest import ScriptedClient, context, sample
from tests.rows import each_row


@each_row(
    ("costs", "total"), [((0.001, 0.002), 0.003), ((None, 0.002), None), ((0.001, None), None), ((0.0, 0.0), 0.0)]
)
def test_costs_add_up_unless_one_is_unknown(costs: tuple[float | None, ...], total: float | None) -> None:
    judging = context("llm_judge")
    for cost in costs:
        judging.ask("judge", ScriptedClient("x", cost_usd=cost), [{"role": "user", "content": "?"}])
    assert judging.cost_usd == (None if total is None else pytest.approx(total))


@each_row(("before", "part", "total"), [(0.5, 0.001, 0.501), (None, 0.001, None), (0.5, None, None)])
def test_the_costs_of_a_part_are_added_the_same_way(
    before: float | None, part: float | None, total: float | None
) -> None:
    judge = ScriptedClient('{"reason": "r", "score": 1}', cost_usd=part)
    outer = context("llm_judge", judges=(judge,))
    outer.cost_usd = before
    evaluate_within(get_evaluator(outer.config), outer.config, sample("Paris", "Paris"), outer)
    assert outer.cost_usd == (None if total is None else pytest.approx(total))
