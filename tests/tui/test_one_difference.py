"""Two stored runs: every output says the same difference and the same interval of it."""

from __future__ import annotations

import csv
import json
import re
from html import unescape

import pytest

from modex.core.comparison.difference import Difference
from modex.core.features.compare.compare import compare
from modex.core.store.reader import Reader
from modex.tui.screens.live import LiveScreen
from tests.cli import Called, call
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.features.compare.test_screen import FIRST, SECOND, compared
from tests.tui.stores import StoreMaker, cells

ONE, TWO = "mini-0142", "large-0143"


@pytest.fixture
def pair(store: StoreMaker) -> Difference:
    """The difference of two runs of one model, the second of which errs once."""
    for exp_id, drawn in ((ONE, FIRST), (TWO, SECOND)):
        store.run(exp_id, "openai/gpt-5", cells(drawn), overall_score=0.6, status="completed")
    reader = Reader(store.path)
    try:
        found = compare(reader, reader.run(ONE), reader.run(TWO)).overall
    finally:
        reader.close()
    assert found is not None
    assert found.interval is not None
    assert found.difference != 0
    return found


def said(found: Difference) -> tuple[str, str]:
    assert found.interval is not None
    low, high = found.interval
    return f"{100 * found.difference:+.1f} points", f"95 %: {100 * low:+.1f} to {100 * high:+.1f}"


def modex(store: StoreMaker, *words: str) -> Called:
    called = call(*words, "--db", store.path)
    assert called.code in (0, 1, 4), called.err
    return called


def test_commands_and_reports_for_people_say_it_in_the_same_words(store: StoreMaker, pair: Difference) -> None:
    texts = {
        "compare": modex(store, "compare", ONE, TWO).out,
        "show": modex(store, "show", TWO).out,
        "gate": modex(store, "gate", ONE, TWO).out,
        "gate as Markdown": modex(store, "gate", ONE, TWO, "--format", "github").out,
        "gate as JUnit": modex(store, "gate", ONE, TWO, "--format", "junit").out,
        "md": modex(store, "export", ONE, TWO, "--runs", "--format", "md").out,
        "html": unescape(re.sub(r"<[^>]+>", "", modex(store, "export", ONE, TWO, "--runs", "--format", "html").out)),
    }
    for name, text in texts.items():
        for words in said(pair):
            assert words in text, f"{name} lacks {words}"


def test_outputs_for_scripts_hold_the_same_numbers(store: StoreMaker, pair: Difference) -> None:
    found = {
        "compare": modex(store, "compare", ONE, TWO, "--json").data["overall"],
        "show": modex(store, "show", TWO, "--json").data["since"]["overall"],
        "gate": modex(store, "gate", ONE, TWO, "--json").data["difference"],
        "json": json.loads(modex(store, "export", ONE, TWO, "--runs", "--format", "json").out)["overall"],
    }
    for name, difference in found.items():
        weighted = difference["weighted_score"]
        assert (weighted["difference"], tuple(weighted["interval"])) == (pair.difference, pair.interval), name
    (row, *_) = csv.DictReader(modex(store, "export", ONE, TWO, "--runs", "--format", "csv").out.splitlines())
    assert (row["domain"], float(row["difference"])) == ("", pair.difference)
    assert (float(row["ci_low"]), float(row["ci_high"])) == pair.interval


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_the_comparison_and_the_story_say_it_in_the_same_words(
    store: StoreMaker, make_app: MakeApp, pair: Difference, size: tuple[int, int]
) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await compared(app, store, pilot)
        assert all(words in seen(app) for words in said(pair)), seen(app)
        await app.push_screen(LiveScreen([TWO]))
        await settle(pilot)
        assert all(words in seen(app) for words in said(pair)), seen(app)
