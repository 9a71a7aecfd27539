"""What a run's simulated users did, in words and to scripts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modex.core.reports.conversations import Conversations, Scored, conversation_lines, conversations_of
from modex.core.statistics.intervals import wilson
from modex.core.store.manager import DBDataManager
from modex.core.store.simulated import SimulatedUser
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store
from tests.rows import each_row

_FOUND = Conversations(
    number=8,
    models=("demo/a", "demo/b"),
    turns=20,
    faults={"left_early": 2, "invented": 1},
    at_fault=3,
    interval=(0.125, 0.75),
    every=Scored(8, 0.5, (0.25, 0.75)),
    without=Scored(5, 0.75, (0.7, 0.8)),
    prompt_tokens=12_345,
    completion_tokens=1_234,
    cost_usd=0.125,
)


def test_scripts_get_shares_scores_and_costs_by_name() -> None:
    assert _FOUND.as_dict() == {
        "conversations": 8,
        "users_played_by": ["demo/a", "demo/b"],
        "turns": 20,
        "user_at_fault": 3,
        "user_at_fault_share": 3 / 8,
        "user_at_fault_interval": [0.125, 0.75],
        "user_faults": {"left_early": 2, "invented": 1},
        "score": 0.5,
        "score_interval": [0.25, 0.75],
        "score_without_user_faults": 0.75,
        "score_without_user_faults_interval": [0.7, 0.8],
        "n_without_user_faults": 5,
        "user_prompt_tokens": 12_345,
        "user_completion_tokens": 1_234,
        "user_cost_usd": 0.125,
        "user_faults_likely": {},
        "score_without_likely_user_faults": None,
        "n_without_likely_user_faults": None,
    }
    bare = replace(_FOUND, interval=None, every=Scored(0, None, None), without=Scored(0, None, None)).as_dict()
    assert [name for name, value in bare.items() if value is None] == [
        "user_at_fault_interval", "score", "score_interval", "score_without_user_faults",
        "score_without_user_faults_interval", "score_without_likely_user_faults", "n_without_likely_user_faults",
    ]  # fmt: skip


@each_row(
    ("found", "lines"),
    [
        (
            _FOUND,
            [
                "8 conversations, 2.5 turns each; users played by demo/a, demo/b: 12,345 + 1,234 tokens, $0.12"
                " beside the model's",
                "the user was at fault in 3 (37.5 %, 95 %: 12.5–75.0): left early 2, invented 1;"
                " score with these 50.0 ±25.0 (n 8), without 75.0 ±5.0 (n 5)",
            ],
        ),
        (
            replace(_FOUND, at_fault=0, faults={}, cost_usd=None, interval=None),
            [
                "8 conversations, 2.5 turns each; users played by demo/a, demo/b: 12,345 + 1,234 tokens, cost unknown"
                " beside the model's",
                "the user was at fault in 0 (0.0 %, 95 %: 0.0–100.0)",
            ],
        ),
        (
            replace(_FOUND, every=Scored(1, 1.0, None), without=Scored(0, None, None)),
            [
                "8 conversations, 2.5 turns each; users played by demo/a, demo/b: 12,345 + 1,234 tokens, $0.12"
                " beside the model's",
                "the user was at fault in 3 (37.5 %, 95 %: 12.5–75.0): left early 2, invented 1;"
                " score with these 100.0 (n 1), without – (n 0)",
            ],
        ),
    ],
)
def test_words_tell_faults_and_both_scores_where_there_were_any(found: Conversations, lines: list[str]) -> None:
    assert conversation_lines(found) == lines


def test_only_conversations_with_a_verdict_count_and_scores_are_of_them_alone(
    manager: DBDataManager, store: Store
) -> None:
    def user(fault: str = "", model: str = "demo/a", cost: float | None = 0.25) -> SimulatedUser:
        return SimulatedUser(model, 3, fault=fault, prompt_tokens=5, completion_tokens=2, cost_usd=cost)

    run = store(
        "e",
        [
            scored("1", 1.0, simulated_user=user(), level=2),
            scored("2", 0.0, simulated_user=user("invented", "demo/b")),
            scored("3", 0.0, simulated_user=user("left_early")),
            scored("4", 0.0, simulated_user=user("left_early"), level=2),
            scored("5", 1.0),
            failing("6", simulated_user=user("invented", "demo/c")),
        ],
    )
    found = conversations_of(manager.reader, run)
    assert found is not None
    assert (found.number, found.models, found.turns, found.at_fault) == (4, ("demo/a", "demo/b"), 12, 3)
    assert list(found.faults.items()) == [("left_early", 2), ("invented", 1)]
    assert found.interval == wilson(3, 4)
    assert (found.prompt_tokens, found.completion_tokens, found.cost_usd) == (20, 8, 1.0)
    assert (found.every.samples, found.without.samples, found.without.score) == (4, 1, 1.0)
    assert found.every.score == pytest.approx((1 * 0 + 2 * 0.5) / 3)
    assert found.every.interval is not None
    levels = store("l", [scored("1", float(level), level=level + 1, simulated_user=user()) for level in (0, 1)])
    apart = conversations_of(manager.reader, levels)
    assert apart is not None
    assert apart.every.score == pytest.approx(2 / 3)
    faulty = store("f", [scored("1", 1.0, simulated_user=user("invented"))])
    alone = conversations_of(manager.reader, faulty)
    assert alone is not None
    assert alone.without == Scored(0, None, None)
    unpriced = store("u", [scored("1", 1.0, simulated_user=user(cost=None)), scored("2", 1.0, simulated_user=user())])
    told = conversations_of(manager.reader, unpriced)
    assert told is not None
    assert told.cost_usd is None
    assert conversations_of(manager.reader, store("none", [scored("1", 1.0)])) is None
    assert conversations_of(manager.reader, store("broken", [failing("1", simulated_user=user())])) is None


def test_faults_that_are_likely_are_counted_apart(manager: DBDataManager, store: Store) -> None:
    def user(fault: str = "", sure: str = "") -> SimulatedUser:
        return SimulatedUser("demo/a", 3, fault=fault, sure=sure)

    run = store(
        "e",
        [
            scored("1", 1.0, simulated_user=user()),
            scored("2", 0.0, simulated_user=user("invented", "certain")),
            scored("3", 0.0, simulated_user=user("changed_goal", "likely")),
            scored("4", 1.0, simulated_user=user("changed_goal", "likely")),
        ],
    )
    found = conversations_of(manager.reader, run)
    assert found is not None
    assert (found.at_fault, found.faults, found.likely) == (1, {"invented": 1}, {"changed_goal": 2})
    assert found.without_likely is not None
    assert (found.without.samples, found.without_likely.samples, found.without_likely.score) == (3, 1, 1.0)
    assert (
        conversation_lines(found)[-1]
        == "likely at fault in 2 more: changed goal 2; score without these too 100.0 (n 1)"
    )
    assert found.as_dict()["score_without_likely_user_faults"] == 1.0
