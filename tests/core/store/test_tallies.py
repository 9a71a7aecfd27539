"""The matrix as numbers agrees with the scores that `stat` stores."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from core.pipeline.stat import stat
from core.store import tallies as module
from core.store.manager import DBDataManager
from core.store.reader import Reader
from core.store.tallies import cell_statuses, data_version, domain_order, tallies
from core.store.writer import Writer
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, with_writer


def filled(manager: DBDataManager, run_id: int, epochs: int, needed: int | None = None) -> None:
    """A run with two domains, weights and scores at random, some samples in error; `needed` of `epochs` tries must pass."""
    draw = random.Random(7)
    manager.plan(
        run_id,
        [
            sample(
                f"t{number}",
                domain=domain,
                level=level,
                epoch=epoch,
                weight=1.0 + number,
                pass_needed=needed,
                pass_of=needed and epochs,
            )
            for domain in ("z", "a")
            for level in (1, 3)
            for number in range(4)
            for epoch in range(1, epochs + 1)
        ],
    )
    items = list(manager.reader.samples(run_id))

    def work(writer: Writer) -> None:
        for item in items:
            done = finished(item, score=draw.random())
            if draw.random() < 0.2:
                done.status, done.score, done.stage = "error", None, "rollout"
            writer.save(done, FINISHED, before="pending")

    with_writer(manager, run_id, work)


@pytest.mark.parametrize(("epochs", "needed"), [(1, None), (3, None), (3, 1), (3, 2), (3, 3)])
def test_scores_and_counts_are_those_of_stat(
    manager: DBDataManager, run_id: int, epochs: int, needed: int | None
) -> None:
    filled(manager, run_id, epochs, needed)
    stat(manager, run_id)
    stored = {(row["domain"], row["level"]): row for row in manager.reader.level_scores(run_id)}
    found = tallies(manager.reader, run_id, epochs=epochs)
    assert {(cell.domain, cell.level) for cell in found} == set(stored)
    for cell in found:
        row = stored[cell.domain, cell.level]
        assert cell.score == pytest.approx(row["average_score"])
        assert (cell.total, cell.passed) == (row["total_tests"], row["passed_tests"])
        assert cell.moments.units == cell.units <= cell.scored


def test_every_cell_counts_its_samples_by_status(manager: DBDataManager, run_id: int) -> None:
    manager.plan(
        run_id,
        [sample("a", domain="z", level=2), sample("b", domain="a"), sample("c", domain="z", level=1, status="skipped")],
    )
    order = domain_order(manager.reader, run_id)
    found = sorted(tallies(manager.reader, run_id), key=lambda cell: (order.index(cell.domain), cell.level))
    cells = [(cell.domain, cell.level, cell.pending, cell.skipped, cell.total, cell.scored) for cell in found]
    assert cells == [("z", 1, 0, 1, 1, 0), ("z", 2, 1, 0, 1, 0), ("a", 1, 1, 0, 1, 0)]


def test_domains_come_in_planning_order(manager: DBDataManager, run_id: int) -> None:
    filled(manager, run_id, 1)
    assert domain_order(manager.reader, run_id) == ["z", "a"]


def test_the_statuses_of_a_cell_are_its_samples(manager: DBDataManager, run_id: int) -> None:
    filled(manager, run_id, 1)
    found = cell_statuses(manager.reader, run_id, [("z", 3)])
    heads = [head for head in manager.reader.heads(run_id) if (head.domain, head.level) == ("z", 3)]
    assert found == {("z", 3): {head.position: (head.status, f"{head.source}/{head.test_id}") for head in heads}}


def test_an_empty_cell_has_no_score(manager: DBDataManager, run_id: int) -> None:
    manager.plan(run_id, [sample("a")])
    (cell,) = tallies(manager.reader, run_id)
    assert (cell.score, cell.units, cell.pending) == (None, 0, 1)


def test_another_connections_change_is_noticed(manager: DBDataManager, run_id: int) -> None:
    reader = Reader(manager.path)
    before = data_version(reader)
    assert data_version(reader) == before
    manager.plan(run_id, [sample("a")])
    assert data_version(reader) != before
    reader.close()


@pytest.mark.parametrize("scores", [(1.0, 0.0), (1.0, 0.5, 0.25, 0.0)], ids=["right or wrong", "parts of a score"])
@pytest.mark.parametrize("seed", range(3))
def test_a_large_run_is_counted_as_a_small_one(
    manager: DBDataManager, run_id: int, monkeypatch: pytest.MonkeyPatch, scores: tuple[float, ...], seed: int
) -> None:
    draw = random.Random(seed)
    tests = [
        sample(
            f"t{number}", domain=draw.choice("cab"), level=draw.choice((1, 2, 5)), weight=draw.choice((2.0, 2.0, 0.0))
        )
        for number in range(80)
    ]
    if seed:  # one weight, as in most runs
        tests = [replace(test, weight=2.0) for test in tests]
    manager.plan(run_id, tests)
    for number in range(len(tests)):
        status = draw.choice(("passed", "failed", "error", "pending", "skipped"))
        score = draw.choice(scores) if status in ("passed", "failed") and len(scores) > 2 else float(status == "passed")
        manager.database.run(
            "UPDATE individual_test_results SET status = ?, score = ? WHERE run_id = ? AND position = ?",
            [status, score if status in ("passed", "failed") else None, run_id, number],
        )
    other = manager.create_run("other", CONFIG)
    manager.plan(other, [sample("t", domain="b", level=4)])
    small = tallies(manager.reader, run_id), domain_order(manager.reader, run_id)
    monkeypatch.setattr(module, "_LARGE", 10)
    looked_up = module._groups(manager.reader, run_id)
    assert looked_up is not None
    assert sum(group.number for group in looked_up) == len(tests)
    assert (tallies(manager.reader, run_id), domain_order(manager.reader, run_id)) == small
