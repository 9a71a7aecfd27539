"""What is stored of planned samples is found where they should stand, else by their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from modex.core.safety.known import FLAG
from modex.core.store.connection import Database
from modex.core.store.known import CHUNK, Known, Stored
from modex.core.store.sample import OTHER_RULES, EvaluationSample
from tests.tui.stores import StoreMaker, sample


def planned(number: int) -> EvaluationSample:
    return sample("d", 1, number, "pending", test_id=f"t{number}\0")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path_factory.mktemp("known") / "m.db")
    samples = [planned(number) for number in range(CHUNK + 1)]
    samples[1] = replace(samples[1], flags=[FLAG], status="error", error_type="timeout", weight=2.5, cluster="c", stage="rollout",
        verdict_flags=[OTHER_RULES], rollout_fingerprint="f", judge_fingerprint="j", pass_needed=1, pass_of=2)  # fmt: skip
    maker.run("r", samples=samples)
    yield maker
    maker.close()


class Counting:
    """Counts the questions, and what they ask for."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.asked: list[int] = []

    def rows(self, sql: str, parameters: list[object]) -> list[tuple[object, ...]]:
        self.asked.append(len(parameters))
        return self._database.rows(sql, parameters)


def known(store: StoreMaker, *, empty: bool = False) -> tuple[Known, Counting]:
    counting = Counting(store.manager.database)
    return Known(counting, store.run_id("r"), empty=empty), counting  # type: ignore[arg-type]


def test_samples_in_their_old_order_are_found_by_one_question_a_chunk(store: StoreMaker) -> None:
    found, counting = known(store)
    chunk = [planned(number) for number in range(CHUNK)]
    stored = found.of(chunk, 0)
    assert list(stored) == [one.key for one in chunk]
    assert len(counting.asked) == 1
    second = stored[chunk[1].key]
    assert second[1:] == ("rollout", "error", "f", "j", 2.5, "c", "timeout", 1, 2, 1, 1)
    assert stored[chunk[0].key][9:] == (None, 0, 0)
    assert list(found.of([planned(CHUNK)], CHUNK)) == [planned(CHUNK).key]
    assert len(counting.asked) == 2


def test_samples_in_another_order_are_found_by_their_keys(store: StoreMaker) -> None:
    found, counting = known(store)
    elsewhere = [planned(number) for number in range(900, 1705)]
    assert found.of(elsewhere, CHUNK).keys() >= {one.key for one in elsewhere}
    assert counting.asked == [3, 5 * 400 + 1, 5 * 400 + 1, 5 * 5 + 1]
    assert found.of([planned(3)], 3).keys() == {planned(3).key}
    assert counting.asked[4:] == [6]  # positions told nothing of the last chunk, so they are not looked at again


def test_a_chunk_of_which_some_stand_where_they_should_is_looked_for_there_again(store: StoreMaker) -> None:
    found, counting = known(store)
    other = sample("new", 1, 1, "pending")
    assert other.key not in found.of([planned(0), other], 0)
    assert found.of([planned(2)], 2)[planned(2).key].status == "pending"
    assert counting.asked == [3, 6, 3]


def test_nothing_is_looked_for_in_an_empty_run(store: StoreMaker) -> None:
    found, counting = known(store, empty=True)
    assert (found.of([planned(0)], 0), counting.asked) == ({}, [])


@pytest.mark.parametrize("damage", ["x'ff'", "CAST(x'ff' AS TEXT)"])
def test_a_row_that_cannot_be_read_costs_the_short_way_alone(store: StoreMaker, damage: str) -> None:
    database = store.manager.database
    run = store.run(f"damaged {damage}", samples=[planned(0), planned(1)])
    database.run(f"UPDATE individual_test_results SET test_id = {damage} WHERE run_id = ? AND position = 1", [run])
    found = Known(database, run, empty=False).of([planned(0), planned(1)], 0)
    assert [type(one) for one in found.values()] == [Stored]
    assert list(found) == [planned(0).key]
