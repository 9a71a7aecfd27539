"""Writes the snapshot world's data files beside the code: `python -m tests.plugins.crypto_world.build`."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from plugins.crypto_world.snapshot import data_path, world
from tests.plugins.crypto_world.making import recipe
from tests.plugins.crypto_world.making.ledger import make_ledger
from tests.plugins.crypto_world.making.series import make_series
from tests.plugins.crypto_world.making.texts import make_pages, make_posts


def make_facts() -> dict[str, Any]:
    """The content of `world.json`: everything of the recipe that the tools may know."""
    return {
        "snapshot_date": recipe.SNAPSHOT_DATE,
        "days": recipe.DAYS,
        "ledger_start": recipe.LEDGER_START,
        "chains": [
            {key: row[key] for key in ("id", "name", "kind", "native", "block_seconds", "genesis")}
            for row in recipe.CHAINS
        ],
        "tokens": [_token(row) for row in recipe.TOKENS],
        "protocols": [
            {key: row[key] for key in ("id", "name", "category", "token", "chains", "take_rate", "trade_fee")}
            for row in recipe.PROTOCOLS
        ],
        "exchanges": _exchanges(),
        "pools": recipe.POOLS,
    }


def _token(row: dict[str, Any]) -> dict[str, Any]:
    symbol = row["symbol"]
    token: dict[str, Any] = {key: row[key] for key in ("symbol", "name", "category", "chain")}
    if symbol in recipe.VESTED:
        spec = recipe.VESTED[symbol]
        token |= {"max_supply": spec["max"], "tge": spec["tge"], "allocations": spec["allocations"]}
    elif symbol in recipe.INFLATIONARY:
        token["issue"] = recipe.INFLATIONARY[symbol]
    else:
        token["elastic"] = True
    if symbol in recipe.BURNS:
        token["burn"] = recipe.BURNS[symbol]
    return token


def _exchanges() -> list[dict[str, Any]]:
    """The exchanges with their shares of each token's centralised volume; a token's shares add up to 1."""
    rng = random.Random(recipe.SEED + 3)
    shares: dict[str, dict[str, float]] = {row["id"]: {} for row in recipe.EXCHANGES}
    for token in recipe.TOKENS:
        symbol = token["symbol"]
        venues = [row for row in recipe.EXCHANGES if row["weight"] and symbol not in row["skips"]]
        weights = {row["id"]: row["weight"] * rng.uniform(0.7, 1.3) for row in venues}
        rest = 10_000
        for venue in venues[1:]:
            part = round(10_000 * weights[venue["id"]] / sum(weights.values()))
            shares[venue["id"]][symbol] = part / 10_000
            rest -= part
        shares[venues[0]["id"]][symbol] = rest / 10_000
    return [
        {**{key: row[key] for key in ("id", "name", "kind", "founded")}, "shares": shares[row["id"]]}
        for row in recipe.EXCHANGES
    ]


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def main() -> int:
    """Make every file; the texts and the ledger are drawn from the figures that were just written."""
    _write(data_path("world.json"), make_facts())
    _write(data_path("series.json"), make_series())
    world.cache_clear()
    make_ledger(world(), data_path("ledger.sqlite"))
    _write(data_path("pages.json"), make_pages(world()))
    _write(data_path("posts.json"), make_posts(world()))
    for path in sorted(data_path("world.json").parent.iterdir()):
        sys.stdout.write(f"{path.name:14} {path.stat().st_size / 1024:8.1f} KB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
