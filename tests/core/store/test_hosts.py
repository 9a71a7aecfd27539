"""On which machines a run's samples were asked."""

from __future__ import annotations

from pathlib import Path

from modex.core.store.hosts import hosts_of
from tests.tui.stores import StoreMaker, sample


def test_machines_come_by_how_many_samples_each_asked_within_which_limits(tmp_path: Path) -> None:
    store = StoreMaker(tmp_path / "m.db")
    places = [
        ("b", None),
        ("b", None),
        ("a", "2 of 16 cores"),
        ("a", None),
        (None, None),
        ("a", None),
        ("c", "x"),
        ("c", "w"),
    ]
    samples = [sample("d", 1, n, "passed", host=host, host_limits=limits) for n, (host, limits) in enumerate(places)]
    run = store.run("r", samples=samples)
    store.run("other", samples=samples)
    assert hosts_of(store.manager.reader, run) == [
        {"host": "a", "limits": None, "samples": 2}, {"host": "b", "limits": None, "samples": 2},
        {"host": "a", "limits": "2 of 16 cores", "samples": 1}, {"host": "c", "limits": "w", "samples": 1},
        {"host": "c", "limits": "x", "samples": 1},
    ]  # fmt: skip
    store.close()
