"""Several runs side by side."""

from __future__ import annotations

from textual.pilot import Pilot

from modex.core.features.compare.several import compare_several
from modex.tui.app import ModexApp
from modex.tui.features.compare.pair_screen import ComparePairScreen
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.features.compare.several_screen import CompareSeveralScreen
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import DOMAINS, StoreMaker, cells

SMALL = (80, 24)
NAMES = (*DOMAINS, "data_extraction", "programming")


def three_runs(store: StoreMaker) -> None:
    for name, signs in (("good", "●●●●"), ("fair", "●●●○"), ("poor", "○○○○")):
        store.run(f"nightly-{name}", samples=cells("\n".join(f"{domain} {signs}" for domain in NAMES)))


async def several(app: ModexApp, pilot: Pilot[int]) -> CompareSeveralScreen:
    await settle(pilot)
    await pilot.press("space", "space", "space", "c")
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, CompareSeveralScreen)
    return screen


def table(screen: CompareSeveralScreen) -> list[str]:
    listing = screen.table
    return [listing.render_line(y).text for y in range(listing.size.height)]


async def test_eleven_domains_are_all_seen_with_the_numbers_of_the_command(
    store: StoreMaker, make_app: MakeApp
) -> None:
    three_runs(store)
    app = make_app()
    async with app.run_test(size=SMALL) as pilot:
        screen = await several(app, pilot)
        lines = table(screen)
        for domain in NAMES:
            assert any(line.strip().startswith(domain) or domain in line for line in lines)
        reader = store.manager.reader
        found = compare_several(reader, [reader.run(f"nightly-{name}") for name in ("good", "fair", "poor")])
        assert screen.several is not None
        assert screen.several.domains == found.domains
        assert "100.0*" in lines[1]
        assert "75.0" in lines[1]
        assert screen.listing.size.height >= 4


async def test_more_domains_than_lines_are_said_and_reached(store: StoreMaker, make_app: MakeApp) -> None:
    for name in "abc":
        store.run(name, samples=cells("\n".join(f"domain{n} ●○" for n in range(30))))
    app = make_app()
    async with app.run_test(size=SMALL) as pilot:
        screen = await several(app, pilot)
        said = "".join(str(part[0]) for part in screen.query_one("#run").lines_for(80)[1])  # type: ignore[attr-defined]
        assert "more domains" in said
        await pilot.press("G")
        await settle(pilot)
        assert any("domain29" in line for line in table(screen))


async def test_more_runs_than_columns_are_said_and_reached(store: StoreMaker, make_app: MakeApp) -> None:
    names = [f"r{n}" for n in range(9)]
    for name in names:
        store.run(name, samples=cells("math ●○"))
    app = make_app()
    async with app.run_test(size=SMALL) as pilot:
        await app.push_screen(screen := CompareSeveralScreen(store.path, names))
        await settle(pilot)
        said = "".join(str(part[0]) for part in screen.query_one("#run").lines_for(80)[1])  # type: ignore[attr-defined]
        assert "more runs" in said
        assert "r8" not in table(screen)[0]
        await pilot.press(*"llllllll")
        await settle(pilot)
        assert "r8" in table(screen)[0]


async def test_enter_compares_the_marked_two_and_a_test_opens_both_transcripts(
    store: StoreMaker, make_app: MakeApp
) -> None:
    three_runs(store)
    app = make_app()
    async with app.run_test(size=SMALL) as pilot:
        screen = await several(app, pilot)
        await pilot.press("l", "space", "l", "space", "enter")
        await settle(pilot)
        assert isinstance(app.screen, CompareScreen)
        assert app.screen.comparison is not None
        first, second = app.screen.comparison.first, app.screen.comparison.second
        assert (first.exp_id, second.exp_id) == ("nightly-fair", "nightly-poor")
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, ComparePairScreen)
        assert screen.marks == [1, 2]


async def test_tests_are_narrowed_by_disagreement_and_by_a_filter(store: StoreMaker, make_app: MakeApp) -> None:
    three_runs(store)
    app = make_app()
    async with app.run_test(size=SMALL) as pilot:
        screen = await several(app, pilot)
        assert len(screen.tests) == 44
        await pilot.press("slash", *"domain:sql passed=1", "enter")
        await settle(pilot)
        assert [test.key[3] for test in screen.tests] == ["sql_1_4"]
        await pilot.press("f")
        await settle(pilot)
        assert screen.tests == []
        await pilot.press("slash", "escape", "f")
        await settle(pilot)
        assert len(screen.tests) == 44
