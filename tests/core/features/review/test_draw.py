"""A draw is had again by its seed, and takes from where it is asked to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from modex.core.features.review.draw import DrawOrder, draw, first_unread
from modex.core.features.review.query import HumanVerdict, reviews, say
from modex.core.store.selecting import sample_query
from tests.tui.stores import StoreMaker, cells, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    yield maker
    maker.close()


def test_the_same_seed_draws_the_same_and_a_longer_draw_begins_with_a_shorter_one(store: StoreMaker) -> None:
    run = store.run("r", samples=[sample("math", 1, number, "passed") for number in range(200)])
    reader = store.manager.reader
    whole = draw(reader, run)
    assert draw(reader, run, number=40) == whole[:40]
    assert draw(reader, run, seed=1) != whole
    assert sorted(whole) == sorted(draw(reader, run, seed=1)) == reader.head_ids(run)


def test_every_sample_is_drawn_first_equally_often(store: StoreMaker) -> None:
    run = store.run("r", samples=[sample("math", 1, number, "passed") for number in range(5)])
    firsts = Counter(draw(store.manager.reader, run, seed=seed, number=2)[1] for seed in range(1000))
    assert len(firsts) == 5
    assert all(150 <= count <= 250 for count in firsts.values())


def test_cells_come_in_turn_and_failures_alone(store: StoreMaker) -> None:
    run = store.run("r", samples=cells("math ●●●●●●●● ○\nsql ○●"))
    reader = store.manager.reader
    first = reader.heads_by_id(list(draw(reader, run, "cells", number=3)))
    assert sorted((head.domain, head.level) for head in first) == [("math", 1), ("math", 2), ("sql", 1)]
    assert len(draw(reader, run, "cells")) == 11
    assert {head.status for head in reader.heads_by_id(list(draw(reader, run, "failures")))} == {"failed"}
    assert len(draw(reader, run, query=sample_query("domain:sql"))) == 2


def test_only_what_was_answered_is_drawn_with_or_without_a_verdict(store: StoreMaker) -> None:
    waiting = sample("math", 1, 9, "pending", stage="rollout", response="4")
    run = store.run("r", samples=[*cells("math ●!·▸–"), waiting])
    drawn = draw(store.manager.reader, run)
    assert sorted(head.test_id for head in store.manager.reader.heads_by_id(list(drawn))) == ["math_1_1", "math_1_9"]


def test_one_leaves_off_at_the_first_answer_one_has_not_reviewed_as_it_stands(store: StoreMaker) -> None:
    run = store.run("r", samples=cells("math ○○○"))
    reader = store.manager.reader
    ids = draw(reader, run)
    for id_ in ids[:2]:
        say(reader, reader.sample(id_), "ann", HumanVerdict("failed"))
    assert first_unread(ids, reviews(reader, author="ann")) == 2
    assert first_unread(ids, reviews(reader, author="bob")) == 0
    assert first_unread(ids[:2], reviews(reader, author="ann")) == 1  # the last where none is left
    assert first_unread([], []) == 0
    store.finish(run, reader.sample(ids[1]).test_id, "failed", response="Another.")
    assert first_unread(ids, reviews(reader, author="ann")) == 1


def dealt(ids: list[int], random: Random) -> list[int]:
    """Fisher's and Yates' shuffle, all at once."""
    for place in range(len(ids)):
        chosen = place + int(random.random() * (len(ids) - place))
        ids[place], ids[chosen] = ids[chosen], ids[place]
    return ids


@pytest.mark.parametrize("seed", [0, 1, 77])
def test_a_draw_is_the_same_on_every_machine_and_in_every_version(store: StoreMaker, seed: int) -> None:
    signs = "math ●○●○●●○\nart ○○●\nsql ●○ ●●●●○"
    run = store.run("r", samples=cells(signs))
    reader = store.manager.reader
    by_cell: dict[tuple[str, int], list[int]] = {}
    for head in reader.heads(run):
        by_cell.setdefault((head.domain, head.level), []).append(head.id)
    every = sorted(id_ for ids in by_cell.values() for id_ in ids)
    failed = sorted(head.id for head in reader.heads(run) if head.status == "failed")
    assert list(draw(reader, run, seed=seed)) == dealt(every, Random(f"{seed}"))
    assert list(draw(reader, run, "failures", seed=seed)) == dealt(failed, Random(f"{seed}"))
    left = [dealt(by_cell[cell], Random(f"{seed}/{number}")) for number, cell in enumerate(sorted(by_cell, key=str))]
    turns = [ids[turn] for turn in range(max(map(len, left))) for ids in left if turn < len(ids)]
    assert list(draw(reader, run, "cells", seed=seed)) == turns
    assert list(draw(reader, run, "cells", seed=seed, number=4)) == turns[:4]
    assert draw(reader, run) == draw(reader, run, "random", seed=0)


def test_failures_are_drawn_of_a_run_that_goes_on_without_what_waits_for_its_verdict(store: StoreMaker) -> None:
    waiting = [
        sample("math", 1, 8, "pending", stage="rollout", response="4"), sample("math", 1, 9, "pending", stage="rollout")
    ]  # fmt: skip
    run = store.run("r", samples=[*cells("math ●○·"), *waiting])
    reader = store.manager.reader

    def names(order: DrawOrder) -> list[str]:
        return sorted(head.test_id for head in reader.heads_by_id(list(draw(reader, run, order))))

    assert names("failures") == ["math_1_2"]
    assert names("random") == names("cells") == ["math_1_1", "math_1_2", "math_1_8"]
