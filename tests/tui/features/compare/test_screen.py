from __future__ import annotations

from textual.pilot import Pilot

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.tui.app import ModexApp
from modex.tui.features.compare.pair_screen import ComparePairScreen
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.stores import StoreMaker, cells, sample

WIDE, NARROW = (120, 40), (80, 24)
FIRST = """
math       ●●●●  ●●○●  ●●○○
reasoning  ●●●●  ●●○●  ○○●○
sql        ●●●●  ●○!●  ●○○○
"""
SECOND = """
math       ●●●●  ●●●●  ●●○●
reasoning  ●●●○  ●●●●  ○●●○
sql        ●●●●  ●●○●  ○●○○
"""


def two_runs(store: StoreMaker) -> None:
    store.run(
        "mini-0142", "openai/gpt-5-mini", cells(FIRST), overall_score=0.612, ci_low=0.55, ci_high=0.67, cost_usd=0.31,
        duration_ms=134_000, prompt_tokens=120_000, completion_tokens=70_000,
    )  # fmt: skip
    store.run(
        "large-0143", "openai/gpt-5", cells(SECOND), overall_score=0.702, ci_low=0.65, ci_high=0.76, cost_usd=2.31,
        duration_ms=334_000, prompt_tokens=120_000, completion_tokens=170_000,
    )  # fmt: skip


async def compared(app: ModexApp, store: StoreMaker, pilot: Pilot[int]) -> CompareScreen:
    screen = CompareScreen(store.path, "mini-0142", "large-0143")
    await app.push_screen(screen)
    await settle(pilot)
    return screen


async def test_every_flip_is_listed_and_can_be_narrowed_down(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await compared(app, store, pilot)
        assert screen.flips.count == 8
        assert [pair.flip for pair in screen.pairs] == ["lost"] * 2 + ["gained"] * 6
        await pilot.press("f")
        assert [pair.key[3] for pair in screen.pairs] == ["reasoning_1_4", "sql_3_1"]
        await pilot.press("f")
        assert {pair.flip for pair in screen.pairs} == {"gained"}


async def test_both_names_stand_on_the_top_line_before_any_hint(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await compared(app, store, pilot)
        top = seen(app).splitlines()[0]
        assert "mini-0142" in top
        assert "large-0143" in top
        assert "domains" not in top
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "d: 3 domains" in seen(app).splitlines()[0]


async def test_the_other_run_can_be_the_first(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await compared(app, store, pilot)
        await pilot.press("x")
        await settle(pilot)
        assert screen.comparison is not None
        assert screen.comparison.first.exp_id == "large-0143"
        assert screen.comparison.overall is not None
        assert screen.comparison.overall.gained == 2


async def test_a_flip_opens_both_transcripts_side_by_side(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await compared(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        pair = app.screen
        assert isinstance(pair, ComparePairScreen)
        assert [side.display for side in pair.sides] == [True, True]
        assert all(side.view.sections for side in pair.sides)
        await pilot.press("n")
        await settle(pilot)
        await pilot.press("tab", "o")
        await settle(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        assert app.screen.sample is not None
        assert (app.screen.sample.test_id, app.screen.sample.status) == ("sql_3_1", "failed")


async def test_answers_that_differ_between_two_ways_of_serving_open_side_by_side(
    store: StoreMaker, make_app: MakeApp
) -> None:
    config = RunConfig(model=ModelSpec(model="gguf:m", gguf_digest="d", temperature=0.0))
    for name, words in (("mini-0142", ("one", "two", "three")), ("large-0143", ("one", "zwei", "drei"))):
        answers = [sample("math", 1, number, "passed", response=word) for number, word in enumerate(words, 1)]
        store.run(name, "gguf:m", answers, config=config)
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        screen = await compared(app, store, pilot)
        assert "2 of 3 differ at temperature 0, same weights   f lists them" in seen(app)
        assert screen.pairs == []
        await pilot.press("f", "f", "f")
        assert [pair.key[3] for pair in screen.pairs] == ["math_1_2", "math_1_3"]
        assert "answers only" in seen(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ComparePairScreen)
        assert all(word in seen(app) for word in ("two", "zwei"))
        await pilot.press("escape", "f")
        assert screen.pairs == []


async def test_in_a_narrow_terminal_one_transcript_shows_at_a_time(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await compared(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        pair = app.screen
        assert isinstance(pair, ComparePairScreen)
        assert [side.display for side in pair.sides] == [True, False]
        await pilot.press("tab")
        await settle(pilot)
        assert [side.display for side in pair.sides] == [False, True]
        assert pair.sides[1].view.has_focus


async def test_runs_that_share_nothing_say_so(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("mini-0142", samples=cells("math ●"))
    store.run("large-0143", samples=cells("sql ●"))
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await compared(app, store, pilot)
        assert screen.comparison is not None
        assert screen.comparison.overall is None
        assert screen.query_one("#none").display


async def test_marked_runs_are_compared_from_the_list(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        await pilot.press("space", "space", "c")
        await settle(pilot)
        assert isinstance(app.screen, CompareScreen)


async def test_ten_domains_are_all_seen_where_d_shows_them_and_flips_are_filtered(
    store: StoreMaker, make_app: MakeApp
) -> None:
    names = [f"domain{n}" for n in range(11)]
    store.run("mini-0142", samples=cells("\n".join(f"{name} ●○" for name in names)))
    store.run("large-0143", samples=cells("\n".join(f"{name} ○●" for name in names)))
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        screen = await compared(app, store, pilot)
        await pilot.press("d")
        await settle(pilot)
        lines = "\n".join(screen.domains.render_line(y).text for y in range(screen.domains.size.height))
        assert all(name in lines for name in names)
        await pilot.press("j", "j", "enter")
        await settle(pilot)
        assert {pair.key[1] for pair in screen.pairs} == {"domain2"}
        assert screen.focused is screen.flips, "the keys go to what was asked for, not to the filter"
        await pilot.press("slash", "end", *" change:lost", "enter")
        await settle(pilot)
        assert [pair.key[3] for pair in screen.pairs] == ["domain2_1_1"]


async def test_d_goes_from_difference_to_difference_and_the_other_side_follows(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("mini-0142", samples=[sample("math", 1, 1, "passed", response="It is 12.")])
    store.run("large-0143", samples=[sample("math", 1, 1, "failed", response="It is 15.")])
    app = make_app()
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await compared(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ComparePairScreen)
        assert [match.first for match in screen.pairing.divergences] == ["verdict", "response"]

        def stand() -> list[str]:
            return [side.view.section.key for side in screen.sides if side.view.section is not None]

        assert stand() == ["verdict", "verdict"]
        await pilot.press("d")
        await settle(pilot)
        assert stand() == ["response", "response"]
        await pilot.press("d")
        await settle(pilot)
        assert "no difference after" in str(next(iter(app._notifications)).message)
        await pilot.press("D")
        await settle(pilot)
        assert stand() == ["verdict", "verdict"]


async def test_what_was_folded_in_one_transcript_stays_so_in_the_next(store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    app = make_app()
    async with app.run_test(size=(160, 40)) as pilot:
        await compared(app, store, pilot)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("right_square_bracket", "right_square_bracket", "enter", "escape", "enter")
        await settle(pilot)
        folded = [key for key, folds in app.frame.folds.items() if folds]
        assert folded
        assert isinstance(app.screen, ComparePairScreen)
        assert [section.key for section in app.screen.view.sections if section.key in folded and section.folded]


async def test_counts_of_domains_are_whole_in_sixty_columns(store: StoreMaker, make_app: MakeApp) -> None:
    many, none = ("instruction_following " + sign * 12 for sign in "●○")
    store.run("mini-0142", samples=cells(many))
    store.run("large-0143", samples=cells(none))
    app = make_app()
    async with app.run_test(size=(60, 20)) as pilot:
        screen = await compared(app, store, pilot)
        await pilot.press("d")
        await settle(pilot)
        listing = screen.domains
        lines = [listing.render_line(y).text.split() for y in range(listing.size.height)]
        assert any(words[-2:] == ["12", "0"] for words in lines)
