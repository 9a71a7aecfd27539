"""On which machines a run was asked: told where there were several or limits, and by a comparison where limits differ."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.features.changes.changes import changes
from modex.core.features.export.export import comparison, export
from modex.core.reports.formats import Format, Together
from modex.core.reports.machines import other_limits
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from tests.cli import call
from tests.core.reports.conftest import Store
from tests.core.store.stores import finished, sample

PLACES: dict[str, list[dict[str, Any]]] = {
    "plain": [{"host": "laptop", "host_limits": None}] * 3,
    "bound": [{"host": "node1", "host_limits": "2 of 16 cores, 4.0 GB"}] * 3,
    "spread": [{"host": "node1", "host_limits": None}, {"host": "node2"}, {"host": "node2"}],
    "unknown": [{}] * 3,
}
TOLD = "asked on node1 (2 of 16 cores, 4.0 GB) 3"


@pytest.fixture
def runs(store: Store) -> dict[str, RunRow]:
    """Runs by where they were asked, each of three tests."""
    return {
        name: store(name, [finished(sample(f"t{n}"), **place) for n, place in enumerate(places)])
        for name, places in PLACES.items()
    }


def exported(manager: DBDataManager, run: RunRow, kind: Format) -> str:
    return "".join(export(manager.reader, run, kind)).replace("\\", "")


def shown(path: Path, *arguments: str) -> str:
    ended = call(*arguments, "--db", path)
    assert ended.code == 0, ended.err
    return ended.out


def test_a_run_knows_its_machines_and_their_limits(runs: dict[str, RunRow]) -> None:
    assert runs["bound"].hosts == [{"host": "node1", "limits": "2 of 16 cores, 4.0 GB", "samples": 3}]
    assert [(one["host"], one["samples"]) for one in runs["spread"].hosts] == [("node2", 2), ("node1", 1)]
    assert runs["unknown"].hosts == []


@pytest.mark.parametrize("kind", ["md", "html"])
def test_people_are_told_of_several_machines_and_of_limits_and_of_nothing_else(
    manager: DBDataManager, runs: dict[str, RunRow], kind: Format
) -> None:
    assert TOLD in exported(manager, runs["bound"], kind)
    assert "asked on node2 2, node1 1" in exported(manager, runs["spread"], kind)
    for name in ("plain", "unknown"):
        text = exported(manager, runs[name], kind)
        assert "laptop" not in text
        assert "asked on" not in text


def test_a_table_has_columns_of_machines_where_there_is_something_to_tell(
    manager: DBDataManager, runs: dict[str, RunRow]
) -> None:
    (row, *_) = csv.DictReader(io.StringIO(exported(manager, runs["bound"], "csv")))
    assert (row["host"], row["host_limits"]) == ("node1", "2 of 16 cores, 4.0 GB")
    assert "host" not in exported(manager, runs["plain"], "csv").splitlines()[0]


def test_json_always_holds_what_is_stored(manager: DBDataManager, runs: dict[str, RunRow]) -> None:
    told = json.loads("".join(export(manager.reader, runs["bound"], "json")))
    assert told["run"]["hosts"] == runs["bound"].hosts
    assert {one["host_limits"] for one in told["samples"]} == {"2 of 16 cores, 4.0 GB"}


def test_show_and_a_transcript_say_it_in_a_line(manager: DBDataManager, runs: dict[str, RunRow]) -> None:
    path = manager.path
    assert TOLD in shown(path, "show", "bound").splitlines()
    assert "asked on" not in shown(path, "show", "plain")
    assert "asked on node1 (2 of 16 cores, 4.0 GB)\n" in shown(path, "show", "bound", "--test", "t0")
    assert "asked on node2\n" in shown(path, "show", "spread", "--test", "t1")
    assert "asked on" not in shown(path, "show", "plain", "--test", "t0")
    assert json.loads(shown(path, "show", "spread", "--json"))["hosts"] == runs["spread"].hosts


def test_a_comparison_says_where_the_limits_were_others(manager: DBDataManager, runs: dict[str, RunRow]) -> None:
    words = "under other limits: plain no limits; bound 2 of 16 cores, 4.0 GB"
    assert other_limits([runs["plain"], runs["bound"]]) == words
    assert other_limits([runs["plain"], runs["spread"]]) is None
    assert other_limits([runs["unknown"], runs["bound"]]) is None, "what is not known is nothing else"
    pair = [runs["plain"], runs["bound"]]
    kinds: tuple[Together, ...] = ("md", "html")
    for kind in kinds:
        assert words in "".join(comparison(manager.reader, pair, kind=kind)).replace("\\", "")
    assert words in shown(manager.path, "compare", "plain", "bound")
    assert "under other limits" not in shown(manager.path, "compare", "plain", "spread")
    assert "under other limits" in shown(manager.path, "compare", "plain", "bound", "spread")
    assert json.loads(shown(manager.path, "compare", "plain", "bound", "--json"))["hosts"] == [
        one.hosts for one in pair
    ]


def test_changes_name_other_limits_among_the_settings(manager: DBDataManager, runs: dict[str, RunRow]) -> None:
    found = changes(manager.reader, runs["plain"], runs["bound"]).of("setting")
    assert [(one.name, one.before, one.after) for one in found] == [
        ("limits of the machine", "no limits", "2 of 16 cores, 4.0 GB")
    ]
    assert not changes(manager.reader, runs["plain"], runs["spread"]).of("setting")
    assert not changes(manager.reader, runs["unknown"], runs["bound"]).of("setting")
