"""Races as they are stored: what a look leaves, what begins anew, and who may work on one."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.foundation.errors import RunBusyError, StoreError
from modex.core.store.lock import RunLock
from modex.core.store.manager import DBDataManager
from modex.core.store.races import (
    RaceRow,
    awaited,
    begin_race,
    delete_race,
    end_race,
    find_race,
    race_by_id,
    races,
    stop_is_wanted,
    store_look,
    want_stop,
)

CONFIG = {"contenders": [{"exp_id": "r@a", "model": "a", "config": {}}], "tests": 40, "peek": False}


def look(number: int, said: str = "open") -> dict[str, Any]:
    return {"look": number, "said": said}


def begun(manager: DBDataManager, config: dict[str, Any] = CONFIG, name: str = "r") -> int:
    """A race that was begun and that nobody works on now."""
    race_id, lock = begin_race(manager.reader, name, config)
    lock.release()
    return race_id


def looks(manager: DBDataManager, *numbers: int) -> int:
    race_id = begun(manager)
    for number in numbers:
        store_look(manager.reader, race_id, look(number))
    return race_id


def the_race(manager: DBDataManager) -> RaceRow:
    found = find_race(manager.reader, "r")
    assert found is not None
    return found


def test_looks_stand_in_the_order_in_which_they_were_taken(manager: DBDataManager) -> None:
    looks(manager, 1, 2, 3)
    assert the_race(manager).looks == [look(1), look(2), look(3)]


def test_a_look_that_is_decided_otherwise_takes_the_place_of_its_earlier_decision_and_of_what_followed(
    manager: DBDataManager,
) -> None:
    race_id = looks(manager, 1, 2, 3)
    store_look(manager.reader, race_id, look(2, "worse"))
    assert the_race(manager).looks == [look(1), look(2, "worse")]
    store_look(manager.reader, race_id, look(1, "better"))
    assert the_race(manager).looks == [look(1, "better")]


def test_a_look_that_is_decided_as_before_leaves_those_that_followed(manager: DBDataManager) -> None:
    race_id = looks(manager, 1, 2, 3)
    for number in (1, 2, 3):
        store_look(manager.reader, race_id, look(number))
        assert the_race(manager).looks == [look(1), look(2), look(3)]


def test_so_does_one_whose_intervals_are_tuples_as_they_are_computed(manager: DBDataManager) -> None:
    race_id = begun(manager)
    taken = [{**look(number), "interval": (-0.5, 0.25)} for number in (1, 2, 3)]
    for one in (*taken, *taken[:2]):
        store_look(manager.reader, race_id, one)
    assert [one["look"] for one in the_race(manager).looks] == [1, 2, 3]


def test_a_race_that_is_begun_with_other_settings_keeps_no_look_of_the_old_ones(manager: DBDataManager) -> None:
    race_id = looks(manager, 1, 2)
    assert begun(manager, {**CONFIG, "peek": True}) == race_id
    assert (the_race(manager).looks, the_race(manager).config["peek"]) == ([], True)


def test_a_race_that_goes_on_keeps_its_looks_and_forgets_how_it_ended(manager: DBDataManager) -> None:
    race_id = looks(manager, 1, 2)
    want_stop(manager.reader, race_id)
    end_race(manager.reader, race_id, "stopped", "by hand")
    ended = the_race(manager)
    assert (ended.state, ended.reason, ended.completed_at is None) == ("stopped", "by hand", False)
    want_stop(manager.reader, race_id)
    begun(manager)
    again = the_race(manager)
    assert again.looks == [look(1), look(2)]
    assert (again.status, again.reason, again.stop_wanted, again.completed_at) == ("running", None, False, None)


def test_a_race_has_one_who_works_on_it(manager: DBDataManager) -> None:
    race_id, lock = begin_race(manager.reader, "r", CONFIG)
    assert (the_race(manager).state, the_race(manager).alive) == ("running", True)
    with pytest.raises(RunBusyError):
        begin_race(manager.reader, "r", CONFIG)
    with pytest.raises(StoreError, match="stop it before deleting"):
        delete_race(manager.reader, the_race(manager))
    lock.release()
    assert (the_race(manager).state, the_race(manager).alive) == ("interrupted", False)
    delete_race(manager.reader, the_race(manager))
    assert find_race(manager.reader, "r") is None
    with pytest.raises(StoreError, match="was deleted"):
        race_by_id(manager.reader, race_id)


def test_a_stop_is_wanted_of_the_race_that_was_named_until_it_ends(manager: DBDataManager) -> None:
    first, second = begun(manager), begun(manager, name="s")
    assert not stop_is_wanted(manager.reader, first)
    want_stop(manager.reader, first)
    assert (stop_is_wanted(manager.reader, first), stop_is_wanted(manager.reader, second)) == (True, False)
    assert the_race(manager).stop_wanted
    end_race(manager.reader, first, "stopped")
    assert (stop_is_wanted(manager.reader, first), race_by_id(manager.reader, second).status) == (False, "running")


def test_races_are_listed_with_what_they_race_the_newest_first(manager: DBDataManager) -> None:
    begun(manager)
    begun(manager, {}, "s")
    newest, oldest = races(manager.reader)
    assert (newest.exp_id, newest.contenders, newest.tests) == ("s", [], 0)
    assert (oldest.exp_id, oldest.contenders, oldest.tests) == ("r", CONFIG["contenders"], 40)
    assert [race.exp_id for race in races(manager.reader, limit=1)] == ["s"]


def contender(exp_id: str, *, asked: bool = True) -> dict[str, Any]:
    return {"exp_id": exp_id, "model": exp_id, "config": {} if asked else None}


def test_a_race_at_work_waits_for_the_runs_that_are_asked_and_were_not_dropped_at_its_last_look(
    manager: DBDataManager,
) -> None:
    config = {"contenders": [contender("r@a"), contender("r@b"), contender("r@c"), contender("old", asked=False)]}
    race_id, lock = begin_race(manager.reader, "r", config)
    begun(manager, {"contenders": [contender("s@a")]}, "s")  # nobody works on it
    assert awaited(manager.reader) == {"r@a": "r", "r@b": "r", "r@c": "r"}
    store_look(manager.reader, race_id, {"look": 1, "dropped": [{"run": "r@a"}]})
    assert awaited(manager.reader) == {"r@b": "r", "r@c": "r"}
    store_look(manager.reader, race_id, {"look": 2})
    assert awaited(manager.reader) == {"r@a": "r", "r@b": "r", "r@c": "r"}
    second, other = begin_race(manager.reader, "t", {"contenders": [contender("t@a")]})
    assert awaited(manager.reader)["t@a"] == "t"
    end_race(manager.reader, second, "completed")
    assert "t@a" not in awaited(manager.reader)
    lock.release()
    other.release()
    assert awaited(manager.reader) == {}


def test_a_race_that_is_begun_says_since_when_and_with_what_and_one_that_was_never_stored_is_none(
    manager: DBDataManager,
) -> None:
    assert find_race(manager.reader, "r") is None
    race_id = begun(manager)
    found = race_by_id(manager.reader, race_id)
    assert found == the_race(manager)
    assert (found.id, found.exp_id, found.config, found.looks, found.reason) == (race_id, "r", CONFIG, [], None)
    assert (found.stop_wanted, found.completed_at) == (False, None)
    assert found.started_at.endswith("Z")
    end_race(manager.reader, race_id, "aborted", "a\0b")
    ended = the_race(manager)
    assert (ended.state, ended.reason, ended.alive) == ("aborted", "a\0b", False)
    assert ended.completed_at is not None


def test_somebody_may_begin_a_race_that_ended_while_another_of_that_number_is_a_run(manager: DBDataManager) -> None:
    race_id = begun(manager)
    with RunLock(manager.path, race_id, "a run"):  # the same number, and something else
        assert not the_race(manager).alive
        begun(manager)
        delete_race(manager.reader, the_race(manager))
    assert races(manager.reader) == []
