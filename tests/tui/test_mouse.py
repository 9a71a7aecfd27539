from __future__ import annotations

from modex.tui.app import Watch
from modex.tui.screens.help import HelpScreen
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.runs import RunItem
from modex.tui.screens.samples import SamplesScreen
from modex.tui.widgets.keyline import KeyLine
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.matrix import MatrixColumn
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import SKETCH, StoreMaker, cells

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


async def test_a_click_on_a_title_sorts_and_another_turns_the_order_round(store: StoreMaker, make_app: MakeApp) -> None:
    for name, score in (("a", 0.2), ("b", 0.9), ("c", 0.5)):
        store.run(name, overall_score=score)
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        listing: Listing[RunItem] = app.screen.query_one("#runs", Listing)
        title = "".join(segment.text for segment in listing.render_line(0)).index("score")
        for names in (["b", "c", "a"], ["a", "c", "b"]):
            await pilot.click(listing, offset=(title + 1, 0))
            await settle(pilot)
            assert [item.run.exp_id for place in range(3) if (item := listing.item(place))] == names


async def test_a_key_in_the_footer_can_be_clicked(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        footer = app.screen.query_one(KeyLine)
        place = "".join(segment.text for segment in footer.render_line(0)).index("help")
        await pilot.click(footer, offset=(place, 0))
        await settle(pilot)
        assert isinstance(app.screen, HelpScreen)
