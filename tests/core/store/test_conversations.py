"""Conversations with simulated users, read from a run's samples."""

from __future__ import annotations

from pathlib import Path

from modex.core.store.conversations import Conversation, conversations
from modex.core.store.simulated import SimulatedUser
from tests.tui.stores import StoreMaker, sample


def test_conversations_come_in_planning_order_without_those_whose_row_is_damaged(tmp_path: Path) -> None:
    store = StoreMaker(tmp_path / "m.db")
    users = [None, SimulatedUser(cost_usd=0.5), SimulatedUser(attempts=3), SimulatedUser(attempts=4)]
    samples = [
        sample("d", 3, number, "failed", test_id=f"t{number}\0", epoch=2, simulated_user=user)
        for number, user in enumerate(users)
    ]
    run = store.run("r", samples=samples)
    store.run("other", samples=samples)
    store.manager.database.run(
        'UPDATE individual_test_results SET simulated_user = \'{"attempts": "x"}\' WHERE position = 2'
    )
    store.manager.database.run("UPDATE individual_test_results SET position = 9 - position WHERE run_id = ?", [run])
    found = conversations(store.manager.reader, run)
    assert found == [
        Conversation(6, "d/3/t3\0", 2, "failed", SimulatedUser(attempts=4)),
        Conversation(8, "d/3/t1\0", 2, "failed", SimulatedUser(cost_usd=0.5)),
    ]
    store.close()
