from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plugins.crypto_world.snapshot import data_path, read_data, world
from tests.plugins.crypto_world.build import make_facts
from tests.plugins.crypto_world.making.ledger import make_ledger
from tests.plugins.crypto_world.making.series import make_series
from tests.plugins.crypto_world.making.texts import make_pages, make_posts


def as_stored(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("name", ["world.json", "series.json", "pages.json", "posts.json"])
def test_the_shipped_files_are_what_the_script_makes(name: str) -> None:
    makers: dict[str, Callable[[], Any]] = {
        "world.json": make_facts,
        "series.json": make_series,
        "pages.json": lambda: make_pages(world()),
        "posts.json": lambda: make_posts(world()),
    }
    assert as_stored(makers[name]()) == read_data(name)


def test_the_shipped_ledger_is_what_the_script_makes(tmp_path: Path) -> None:
    make_ledger(world(), tmp_path / "ledger.sqlite")
    dumps = []
    for path in (tmp_path / "ledger.sqlite", data_path("ledger.sqlite")):
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            dumps.append(list(connection.iterdump()))
    assert dumps[0] == dumps[1]


def test_the_data_stay_small() -> None:
    assert sum(path.stat().st_size for path in data_path("world.json").parent.iterdir()) < 3_000_000
