"""What stays of screens that were left: nothing."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable

import pytest

from modex.tui.app import Watch
from modex.tui.screens.live import LiveScreen
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.stores import SKETCH, StoreMaker, cells

_KEYS = ("enter", "enter", "escape", "escape", "question_mark", "escape")


def _painted() -> dict[str, int]:
    gc.collect()
    found = Counter(type(one).__name__ for one in gc.get_objects())
    return {name: found[name] for name in ("StylesCache", "Strip", "Segment", "SamplesScreen", "TranscriptScreen")}


@pytest.mark.long
async def test_screens_that_were_left_hold_nothing_of_what_they_painted(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    run_id = store.run("r", samples=cells(SKETCH), status="running")
    store.pulse(run_id)
    hold("r")
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        counts = []
        for _ in range(4):
            for key in _KEYS:
                await pilot.press(key)
                await settle(pilot)
            assert shows(app, LiveScreen)
            counts.append(_painted())
    grown = {name: counts[3][name] - counts[1][name] for name in counts[0]}
    # Two visits left 30 widgets' caches with 1,600 lines where they are kept; one screen may just be closing.
    assert grown["StylesCache"] < 20
    assert grown["SamplesScreen"] <= 1
    assert grown["TranscriptScreen"] <= 1
    assert grown["Strip"] < 600
    assert grown["Segment"] < 1000
