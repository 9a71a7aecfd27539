"""The matrix as numbers agrees with the scores that `stat` stores."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from modex.core.pipeline.stat import stat
from modex.core.statistics.moments import Gathered, Moments, Shared
from modex.core.store import tallies as module
from modex.core.store.manager import DBDataManager
from modex.core.store.reader import Reader
from modex.core.store.tallies import (
    CellTally,
    cell_statuses,
    clusters_of,
    data_version,
    domain_order,
    most_epochs,
    standing,
    tallies,
)
from modex.core.store.writer import Writer
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


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize("clusters", [(None,), (None, None, "x", "y\0"), ("x", "y", "z")], ids=["none", "some", "all"])
def test_the_sums_of_every_cell_and_cluster_are_those_of_its_tests(
    manager: DBDataManager, run_id: int, epochs: int, clusters: tuple[str | None, ...]
) -> None:
    draw = random.Random(f"{epochs} {clusters}")
    gathered, planned = Gathered(), []
    for number in range(40):
        place: dict[str, Any] = {"domain": draw.choice("ba"), "level": draw.choice((1, 4)), "source": draw.choice("st")}
        weight, cluster = draw.choice((1.0, 2.5, 0.0)), draw.choice(clusters)
        scores = []
        for epoch in range(1, epochs + 1):
            one = sample(f"t{number}", epoch=epoch, weight=weight, cluster=cluster, **place)
            one.status = draw.choice(("passed", "failed", "error", "pending", "skipped"))
            one.score = draw.choice((1.0, 0.5, 0.0)) if one.status in ("passed", "failed", "error") else None
            scores += [one.score] if one.status in ("passed", "failed") and one.score is not None else []
            planned.append(one)
        if scores:
            name = None if cluster is None else (place["source"], cluster)
            gathered.add((place["domain"], place["level"]), sum(scores) / len(scores), weight, name)
    manager.plan(run_id, planned)
    for one, stored in zip(planned, list(manager.reader.samples(run_id)), strict=True):
        manager.database.run(
            "UPDATE individual_test_results SET status = ?, score = ? WHERE id = ?", [one.status, one.score, stored.id]
        )
    manager.plan(manager.create_run("other", CONFIG), [sample("t", cluster="x", status="passed")])
    cells, shared = gathered.settled()
    found = tallies(manager.reader, run_id, epochs=epochs)
    for cell in found:
        held = cells.get((cell.domain, cell.level), Moments(cell.level))
        sums = dataclasses.astuple(cell.moments)[:-1]
        assert sums == pytest.approx(dataclasses.astuple(held)[:-1]), (cell.domain, cell.level)
        own = Counter(one.status for one in planned if (one.domain, one.level) == (cell.domain, cell.level))
        counts = {name: getattr(cell, name) for name in ("pending", "running", "passed", "failed", "error", "skipped")}
        assert {name: count for name, count in counts.items() if count} == own
        assert (cell.total, cell.scored) == (own.total(), own["passed"] + own["failed"])
    several = [held for held in clusters_of(manager.reader, run_id) if len(held) > 1]
    for numbers, expected in zip(sorted(map(sorted_parts, several)), sorted(map(sorted_parts, shared)), strict=True):
        assert numbers == pytest.approx(expected)
    given = tallies(manager.reader, run_id, epochs=epochs, clusters=clusters_of(manager.reader, run_id))
    assert [dataclasses.astuple(cell) for cell in given] == [dataclasses.astuple(cell) for cell in found]


def sorted_parts(held: Shared) -> list[float]:
    """A cluster's numbers in the order of its cells."""
    return [number for cell in sorted(held) for number in (ord(cell[0]), cell[1], *held[cell])]


def test_tries_are_counted_by_test_as_far_as_they_have_a_verdict(manager: DBDataManager, run_id: int) -> None:
    assert most_epochs(manager.reader, run_id) == 1
    tries = [
        *(sample("a\0", epoch=epoch, pass_needed=2, pass_of=3, level=2) for epoch in (1, 2, 3)),
        sample("b", pass_needed=1, pass_of=5), sample("c"),
    ]  # fmt: skip
    manager.plan(run_id, tries)
    manager.plan(manager.create_run("other", CONFIG), [sample("b", pass_needed=1, pass_of=9)])
    statuses = [("passed", 1.0), ("failed", 0.0), ("error", None), ("failed", 0.5), ("passed", 1.0)]
    for (status, score), stored in zip(statuses, list(manager.reader.samples(run_id)), strict=True):
        manager.database.run(
            "UPDATE individual_test_results SET status = ?, score = ? WHERE id = ?", [status, score, stored.id]
        )
    assert most_epochs(manager.reader, run_id) == 5
    assert standing(manager.database, run_id) == {("suite", "d", 2, "a\0"): (1, 1), ("suite", "d", 1, "b"): (0, 1)}
    found = {cell.level: cell for cell in tallies(manager.reader, run_id)}
    assert (found[2].units, found[2].passed, found[2].failed, found[2].error) == (0, 1, 1, 1)  # undecided yet
    assert (found[1].units, found[1].wx) == (1, 1.0)


def test_a_damaged_weight_score_or_level_counts_among_the_samples_and_not_among_the_scores(
    manager: DBDataManager, run_id: int
) -> None:
    manager.plan(run_id, [sample(f"t{number}", status="passed") for number in range(4)])
    manager.database.run("UPDATE individual_test_results SET status = 'passed', score = 1.0")
    for number, change in enumerate(("score = 'good'", "weight = 'heavy'", "status = 'perfect'")):
        manager.database.run(f"UPDATE individual_test_results SET {change} WHERE test_id = 't{number}'")
    (cell,) = tallies(manager.reader, run_id)
    assert (cell.total, cell.units, cell.w, cell.wx) == (4, 1, 1.0, 1.0)


def test_statuses_of_several_cells_are_told_apart(manager: DBDataManager, run_id: int) -> None:
    filled(manager, run_id, 1)
    wanted = [("z", 3), ("a", 1), ("z", 1), ("none", 1)]
    found = cell_statuses(manager.reader, run_id, wanted)
    heads = list(manager.reader.heads(run_id))
    for cell in wanted:
        own = [head for head in heads if (head.domain, head.level) == cell]
        assert found[cell] == {head.position: (head.status, f"{head.source}/{head.test_id}") for head in own}
        assert list(found[cell]) == sorted(found[cell])
    assert set(dataclasses.astuple(CellTally("d", 1))[2:]) == {0}
