"""`modex rename`, `archive`, `delete`."""

from __future__ import annotations

import contextlib

import pytest

from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from tests.tui.commands.conftest import Shell


def _names(shell: Shell, *words: str) -> list[str]:
    return [run["exp_id"] for run in shell("runs", *words, "--json").data]


def test_a_renamed_run_keeps_everything(mixed: Shell) -> None:
    before = mixed("show", "e", "--json").data
    assert mixed("rename", "e", "f").code == 0
    after = mixed("show", "f", "--json").data
    assert {**before, "exp_id": "f"} == after


@pytest.mark.parametrize(("name", "said"), [("e2", "another run is called so"), ("a/../b\n", "printable")])
def test_a_name_that_cannot_be_is_refused(mixed: Shell, name: str, said: str) -> None:
    mixed.run(exp_id="e2")
    called = mixed("rename", "e", name)
    assert called.code == 2
    assert said in called.err
    assert _names(mixed) == ["e2", "e"]


def test_an_archived_run_is_listed_only_where_asked_and_comes_back(mixed: Shell) -> None:
    assert mixed("archive", "e").code == 0
    assert (_names(mixed), _names(mixed, "--archived")) == ([], ["e"])
    mixed("archive", "e", "--undo")
    assert (_names(mixed), _names(mixed, "--archived")) == (["e"], [])


def test_deleting_asks_and_without_a_terminal_needs_yes(mixed: Shell) -> None:
    called = mixed("delete", "e")
    assert called.code == 2
    assert "--yes" in called.err
    assert _names(mixed) == ["e"]
    assert mixed("delete", "e", "--yes").code == 0
    assert _names(mixed) == []


def test_a_run_that_somebody_works_on_is_left_alone(mixed: Shell) -> None:
    with contextlib.closing(DBDataManager(mixed.database)) as manager:
        run_id = manager.reader.run("e").id
        manager.update_run(run_id, status="running")
    with RunLock(mixed.database, run_id, "e"):
        for words in (["rename", "e", "f"], ["archive", "e"], ["delete", "e", "--yes"]):
            assert mixed(*words).code == 2
    assert _names(mixed) == ["e"]
