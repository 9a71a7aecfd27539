"""The screen of a race: what stands in the store is what it shows, at every width, with the keys that its state allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from modex.core.comparison.difference import PairedScores, Settled
from modex.core.comparison.pairs import Match, RunSide
from modex.core.features.race.rule import RaceState
from modex.core.features.race.words import Saved, race_json, standing_words
from modex.core.store.lock import RunLock
from modex.core.store.races import RaceStatus, begin_race, end_race, stop_is_wanted, store_look
from modex.tui.app import At
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.features.race.screen import RaceScreen
from modex.tui.screens.live import LiveScreen
from tests.tui.conftest import MakeApp, seen, settle, shows
from tests.tui.stores import STARTED, StoreMaker, cells

NAME = "race-0305"
RATES = {"openai/good": 9, "anthropic/twin": 9, "openai/poor": 3}
TESTS = 200
Raced = Callable[..., int]
Compare = Callable[..., bool]


@pytest.fixture
def raced(store: StoreMaker) -> Iterator[Raced]:
    """A race of three models that was looked at so many times, as whoever works on it leaves it."""
    locks: list[RunLock] = []

    def make(looks: int, status: RaceStatus | None = None, reason: str | None = None) -> int:
        names = {f"{NAME}@{model}": rate for model, rate in RATES.items()}
        contenders = [{"exp_id": name, "model": name.partition("@")[2], "config": {}} for name in names]
        config = {"contenders": contenders, "tests": TESTS, "peek": False}
        race_id, lock = begin_race(store.manager.reader, NAME, config)
        locks.append(lock)
        store.manager.database.run("UPDATE races SET started_at = ?", [STARTED])
        state = RaceState(list(names), TESTS)
        while state.look < looks and state.ending is None:
            state.advance(*answers(state.tests_at(state.look + 1), {name: names[name] for name in state.still_in}))
            saved = Saved(sum(state.saved().values()), 3, TESTS, 2 * sum(state.saved().values()), 0.0123)
            look = {**race_json(state, saved), "standing": standing_words(state)}
            store_look(store.manager.reader, race_id, look)
        for name, rate in names.items():
            left = next((one.tests for one in state.dropped if one.exp_id == name), state.asked)
            samples = cells(f"math {'●' * (left * rate // 10)}{'○' * (left - left * rate // 10)}") if left else []
            if samples:
                store.run(name, name.partition("@")[2], samples, cost_usd=0.0021 * left, duration_ms=700 * left)
        if status is not None:
            lock.release()
            end_race(store.manager.reader, race_id, status, reason)
        return race_id

    yield make
    for lock in locks:
        lock.release()


def answers(tests: int, rates: dict[str, int]) -> tuple[dict[tuple[str, str], Settled], dict[str, float]]:
    """Each model passes so many of every ten, not the same ones."""
    scores = {pair: PairedScores() for pair in combinations(rates, 2)}
    for number in range(tests):
        sides = {
            name: RunSide((float(passed),), ("passed" if passed else "failed",))
            for place, (name, rate) in enumerate(rates.items())
            for passed in [(number * 7 + place * 3) % 10 < rate]
        }
        for (one, other), paired in scores.items():
            paired.add(Match(("s", "d", 1, str(number)), sides[one], sides[other], number))
    found = {pair: paired.settled() for pair, paired in scores.items()}
    return found, {name: rate / 10 for name, rate in rates.items()}


async def test_a_raced_run_waits_for_the_next_look_on_every_screen(raced: Raced, make_app: MakeApp) -> None:
    raced(6)
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        waiting = sum("next look" in line and "@" in line for line in seen(app).splitlines())
        assert waiting == 2, "who left the race is not awaited"
        await pilot.press("G")
        await settle(pilot)
        assert f"waits for the next look of the race {NAME}" in seen(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "waits for the next look  " in seen(app).splitlines()[0]
        await pilot.press("w")
        await settle(pilot)
        assert f"nobody is at work: the run waits for the next look of the race {NAME}" in seen(app)


async def test_runs_of_a_race_that_ended_wait_for_nothing(raced: Raced, make_app: MakeApp) -> None:
    raced(6, "stopped")
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert "next look" not in seen(app)


async def test_it_shows_who_leads_who_left_the_bounds_and_what_is_saved(raced: Raced, make_app: MakeApp) -> None:
    raced(6)
    app = make_app(At(lambda: RaceScreen(NAME)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        text = seen(app)
        assert "look 6 of 20, 14 left" in text
        assert "next look after 70 tests" in text
        assert "leads" in text
        assert "out, look " in text
        assert "is worse than race-0305@openai/good: decided at look" in " ".join(text.split())
        assert "saved so far: " in text
        assert "anthropic/twin against race-0305@openai/good, look by look" in text
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, LiveScreen)
        assert app.screen.panel.exp_id == f"{NAME}@anthropic/twin"
        await pilot.press("escape", "c")
        await settle(pilot)
        assert shows(app, CompareScreen)


async def test_s_asks_and_then_the_store_says_that_a_stop_is_wanted(
    raced: Raced, make_app: MakeApp, store: StoreMaker
) -> None:
    race_id = raced(3)
    app = make_app(At(lambda: RaceScreen(NAME)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot)
        assert not stop_is_wanted(store.manager.reader, race_id)
        await pilot.press("s")
        await settle(pilot)
        assert stop_is_wanted(store.manager.reader, race_id)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 50)])
async def test_the_decision_stands_whole_on_every_size(raced: Raced, make_app: MakeApp, size: tuple[int, int]) -> None:
    raced(20, "completed")
    app = make_app(At(lambda: RaceScreen(NAME)), glyphs="ascii", theme="modex-terminal")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        text = seen(app)
        assert text.isascii()
        assert "tests need not be asked" in " ".join(text.split())
        assert "not decided: " in text


async def test_a_race_that_is_gone_and_one_that_was_stopped_say_what_to_press(
    raced: Raced, make_app: MakeApp, store: StoreMaker
) -> None:
    raced(2, "stopped", "stopped; `modex resume race-0305` goes on")
    app = make_app(At(lambda: RaceScreen(NAME)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "r goes on with it" in seen(app)
        assert "stopped" in seen(app)
        store.manager.database.run("DELETE FROM races")
        app.screen.refresh_now()  # type: ignore[attr-defined]
        await settle(pilot)
        assert "This race is not there any more" in seen(app)


@pytest.mark.parametrize("status", [None, "completed"])
async def test_the_clock_tells_the_work_on_its_runs_while_it_goes_on_and_when_it_is_over(
    raced: Raced, make_app: MakeApp, store: StoreMaker, status: RaceStatus | None
) -> None:
    raced(6, status)
    for model in RATES:
        store.manager.update_run(store.run_id(f"{NAME}@{model}"), duration_ms=61_000)
    app = make_app(At(lambda: RaceScreen(NAME)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert seen(app).splitlines()[0].endswith(" 3:03 ")


@pytest.mark.parametrize("looks", [0, 7], ids=["begun", "under_way"])
def test_screen(raced: Raced, make_app: MakeApp, snap_compare: Compare, looks: int) -> None:
    raced(looks)
    app = make_app(At(lambda: RaceScreen(NAME)))
    app.frame.clock = lambda: 1000.0
    assert snap_compare(app, terminal_size=(80, 24), run_before=settle)
