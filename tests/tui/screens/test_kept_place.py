"""The selection stays on what it stood on when a filter ends, in every list; and a large run's filter shows at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from textual.pilot import Pilot

from modex.core.store.reader import SampleQuery
from modex.core.store.rows import SampleHead
from modex.tui.app import ModexApp, Watch
from modex.tui.screens import samples
from modex.tui.screens.runs import RunsScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.log import LogPane
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.features.compare.test_screen import compared, two_runs
from tests.tui.stores import SKETCH, StoreMaker, cells

SIZE = (120, 30)


async def _runs(app: ModexApp, store: StoreMaker, pilot: Pilot[int]) -> Listing[Any]:
    await settle(pilot)
    assert isinstance(app.screen, RunsScreen)
    return app.screen.listing


async def _samples(app: ModexApp, store: StoreMaker, pilot: Pilot[int]) -> Listing[Any]:
    await app.push_screen(SamplesScreen(store.manager.reader.run("r250"), SampleQuery()))
    await settle(pilot)
    assert isinstance(app.screen, SamplesScreen)
    return app.screen.listing


async def _flips(app: ModexApp, store: StoreMaker, pilot: Pilot[int]) -> Listing[Any]:
    screen = await compared(app, store, pilot)
    return screen.flips


def _id(listing: Listing[Any]) -> int:
    head = listing.current
    assert isinstance(head, SampleHead)
    return head.id


@pytest.fixture
def filled(store: StoreMaker) -> StoreMaker:
    """Two hundred and fifty runs, the newest with tests, and two to be compared."""
    two_runs(store)
    for number in range(251):
        store.run(f"r{number}", samples=cells(SKETCH) if number == 250 else (), status="completed")
    return store


LISTS: dict[str, tuple[Any, str, Any]] = {
    "runs": (_runs, "r17", lambda item: item.run.exp_id),
    "tests": (_samples, "failed", lambda head: head.id),
    "flips": (_flips, "reasoning", lambda pair: pair.key),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", LISTS)
async def test_the_selection_survives_a_filters_end(kind: str, filled: StoreMaker, make_app: MakeApp) -> None:
    opened, typed, key = LISTS[kind]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        listing = await opened(app, filled, pilot)
        every = listing.count
        await pilot.press("slash", *(f"status:{typed}" if kind == "tests" else typed), "enter", "j")
        await settle(pilot)
        assert 1 < listing.count < every
        wanted = key(listing.current)
        await pilot.press("slash", *" nothing at all")
        await settle(pilot)
        assert listing.count == 0 or not listing.display
        await pilot.press("escape")
        await settle(pilot)
        assert listing.count == every
        assert key(listing.current) == wanted
        assert listing.cursor in listing.in_sight
        assert listing.cursor > 1, "it stands further down than in what the filter left"


@pytest.mark.long
async def test_the_place_in_the_log_survives_a_filters_end(filled: StoreMaker, make_app: MakeApp) -> None:
    app = make_app(Watch(("r250",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("l", "slash", *"status:failed", "enter", "g", "j")
        await settle(pilot)
        log = app.screen.query_one(LogPane)
        wanted, few = log.current, log.count
        await pilot.press("slash", "escape")
        await settle(pilot)
        assert log.count > few
        assert log.current == wanted


@pytest.mark.long
async def test_failures_keep_the_selected_test_and_give_it_back(filled: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        listing = await _samples(app, filled, pilot)
        await pilot.press("n", "n", "n")
        await settle(pilot)
        wanted = _id(listing)
        await pilot.press("f")
        await settle(pilot)
        assert _id(listing) == wanted
        await pilot.press("f")
        await settle(pilot)
        assert _id(listing) == wanted


@pytest.mark.long
async def test_a_large_run_shows_a_page_of_what_a_filter_finds_before_all_of_it_is_known(
    filled: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "_LARGE", 100)
    monkeypatch.setattr(samples, "PAGE", 3)
    read, plain = threading.Event(), samples._ask
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        listing = await _samples(app, filled, pilot)
        every = listing.count

        def held(*arguments: Any, **named: Any) -> Any:
            read.wait(60)
            return plain(*arguments, **named)

        monkeypatch.setattr(samples, "_ask", held)
        await pilot.press("f")
        while listing.count == every:
            await pilot.pause()
        assert listing.count == 3
        assert "filtering…" in seen(app)
        assert "○" in seen(app)
        read.set()
        await settle(pilot)
        assert listing.count == 8
        assert "filtering" not in seen(app)
        assert "1 of 8" in seen(app)
