from __future__ import annotations

from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import SKETCH, StoreMaker, cells
from tui.app import Watch
from tui.screens.live import LiveScreen
from tui.screens.samples import SamplesScreen
from tui.widgets.listing import Listing
from tui.widgets.matrix import MatrixColumn

SIZE = (80, 24)


async def test_a_click_selects_a_run_and_a_second_click_opens_it(store: StoreMaker, make_app: MakeApp) -> None:
    for name in ("one", "two", "three"):
        store.run(name, samples=cells("math ●●○"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert type(app.screen).__name__ == "RunsScreen"
        listing = app.screen.query_one(Listing)
        await pilot.click(listing, offset=(6, 2))
        await settle(pilot)
        assert listing.cursor == 1
        await pilot.click(listing, offset=(6, 2))
        await settle(pilot)
        assert isinstance(app.screen, LiveScreen)


async def test_clicks_on_a_cell_select_and_open_it(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        column = list(app.screen.query(MatrixColumn))[3]
        await pilot.click(column, offset=(2, 2))
        await pilot.click(column, offset=(2, 2))
        await settle(pilot)
        assert isinstance(app.screen, SamplesScreen)
