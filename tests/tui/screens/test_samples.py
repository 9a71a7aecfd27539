from __future__ import annotations

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store.reader import SampleQuery
from modex.core.store.sample import SampleStatus
from modex.tui.app import ModexApp, Watch
from modex.tui.screens.samples import SamplesScreen, narrowed
from modex.tui.widgets.lines import Lines
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.stores import SKETCH, StoreMaker, cells, sample

SIZE = (100, 30)


def _screen(app: ModexApp) -> SamplesScreen:
    assert isinstance(app.screen, SamplesScreen)
    return app.screen


async def test_failures_alone_and_all_again(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert _screen(app).listing.count == 180
        await pilot.press("f")
        await settle(pilot)
        assert _screen(app).listing.count == 8
        await pilot.press("f")
        await settle(pilot)
        assert _screen(app).listing.count == 180


async def test_a_cell_tells_how_fast_its_answers_came_as_far_as_there_is_room(
    store: StoreMaker, make_app: MakeApp
) -> None:
    timed = [
        sample("math", level, n, "passed", ttft_ms=100.0 * level, output_tokens_per_s=40.0, thinking_ms=1500)
        for level in (1, 2)
        for n in range(4)
    ]
    store.run("r", samples=timed)
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("l", "enter")
        await settle(pilot)
        assert " median first token 0.20 s (p95: 0.20), 40 tokens/s (p95: 40)" in seen(app)
        assert "thinking" not in seen(app)
        await pilot.resize_terminal(120, 30)
        await pilot.press("slash", *"status:failed", "enter")
        await settle(pilot)
        assert "No test matches" in seen(app)
        assert "median" not in seen(app)


async def test_the_next_failure_is_one_key_away(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        await pilot.press("n", "n")
        await settle(pilot)
        current = _screen(app).listing.current
        assert current is not None
        first = current.test_id
        await pilot.press("n")
        await settle(pilot)
        await pilot.press("N")
        await settle(pilot)
        back = _screen(app).listing.current
        assert back is not None
        assert (first, back.test_id) == ("math_3_3", "math_3_3")


async def test_back_from_a_transcript_the_list_stands_on_the_test_read_last(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        for key in ("t", "enter", "n", "n"):
            await settle(pilot)
            await pilot.press(key)
        await settle(pilot)
        read = getattr(app.screen, "about_sample", None)
        await pilot.press("escape")
        await settle(pilot)
        screen = _screen(app)
        assert (screen.listing.cursor, screen.about_sample) == (2, read)


async def test_sorting_puts_the_worst_first_and_a_filter_stays(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(SKETCH))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        await pilot.press("slash", *"domain:sql", "enter", "o")
        await settle(pilot)
        current = _screen(app).listing.current
        assert _screen(app).listing.count == 20
        assert current is not None
        assert (current.domain, current.score) == ("sql", 0.0)


async def test_a_long_list_is_fetched_page_by_page(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math " + "●" * 900))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        current = _screen(app).listing.current
        assert current is not None
        assert current.test_id == "math_1_900"
        assert _screen(app).listing.item(450) is None


def test_a_filter_narrows_what_the_list_was_opened_with() -> None:
    base = SampleQuery(domains=("math",))
    assert narrowed(base, "") == base
    assert narrowed(base, "status:failed level:3 words") == SampleQuery(
        domains=("math",), statuses=("failed",), levels=(3,), text="words"
    )
    assert narrowed(base, "", only_failures=True).statuses == ("failed", "error")
    assert narrowed(base, "status:error", only_failures=True).statuses == ("error",)


async def test_the_list_counts_why_its_tests_failed_and_how_often_a_flaky_one_passed(
    store: StoreMaker, make_app: MakeApp
) -> None:
    statuses: tuple[SampleStatus, ...] = ("passed", "failed", "passed")
    samples = [
        sample("math", 1, 1, status, epoch=epoch, reason="get_weather was not called" if status == "failed" else None)
        for epoch, status in enumerate(statuses, 1)
    ] + [sample("math", 1, 2, "failed", epoch=epoch, reason="get_weather was not called") for epoch in (1, 2, 3)]
    store.run("r", samples=samples, config=RunConfig(model=ModelSpec(model="m"), epochs=3))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, SamplesScreen)
        told = "".join(text for line in screen.query_one("#reasons", Lines).lines_for(80) for text, _ in line)
        assert "4 × get_weather was not called" in told
        lines = [screen.listing.render_line(y).text for y in range(1, 13)]
        assert [line.split()[-3] for line in lines if "#2" in line and "2/3" in line] != []
        assert sum("2/3" in line for line in lines) == 3
        await pilot.press("slash", *"epoch:2", "enter")
        await settle(pilot)
        told = "".join(text for line in screen.query_one("#reasons", Lines).lines_for(80) for text, _ in line)
        assert "2 × get_weather was not called" in told


async def test_a_reason_that_is_cut_stands_beneath_its_test_where_lines_are_free(
    store: StoreMaker, make_app: MakeApp
) -> None:
    reason = "get_weather was called with city 'Bern', expected city 'Basel' and units 'metric'"
    few = [sample("math", 1, number, "failed", reason=reason if number == 2 else "one") for number in range(1, 5)]
    many = [sample("sql", 1, number, "failed", reason=reason) for number in range(1, 30)]
    store.run("r", samples=[*few, *many])
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        screen = _screen(app)
        lines = [screen.listing.render_line(y).text for y in range(10)]
        assert lines[4].strip() == reason[:74].strip() + "…" or reason[:70] in lines[4]
        assert "math_1_2" in lines[3]
        await pilot.press("j", "j", "j")
        assert screen.listing.cursor == 3
        assert "▐" in screen.listing.render_line(7).text
        await pilot.click("#samples", offset=(5, 4))
        assert screen.listing.cursor == 1
        await pilot.press("slash", *"nothing", "enter")
        await settle(pilot)
        assert screen.listing.count == 0
        await pilot.press("escape", "j", "enter")
        await settle(pilot)
        screen = _screen(app)
        assert "sql_1_1" in screen.listing.render_line(1).text
        assert "sql_1_2" in screen.listing.render_line(2).text
