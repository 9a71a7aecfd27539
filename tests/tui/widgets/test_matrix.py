"""The matrix as it is drawn."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual.strip import Strip
from textual.widget import Widget

from modex.tui.reading.run import RunFeed
from modex.tui.screens.base import ModexScreen
from modex.tui.widgets.matrix import MatrixView
from modex.tui.widgets.matrix_paint import score_part
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import StoreMaker, cells


class Watched(MatrixView):
    """Remembers what its names' first line was in every frame."""

    firsts: set[str]

    def paint_line(self, index: int, y: int, width: int) -> Strip:
        strip = super().paint_line(index, y, width)
        if index < -1 and y == 1:
            self.firsts.add(strip.text.strip("▐ "))
        return strip


class Bare(ModexScreen[None]):
    """A screen of a matrix alone."""

    def body(self) -> Iterable[Widget]:
        view = Watched()
        view.firsts = set()
        yield view


async def test_no_frame_hides_the_first_domain_while_the_matrix_gets_its_room(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells("alpha ●●○ ▸··\nbeta ●●○ ▸··\ngamma ●●○ ▸··"))
    update = RunFeed("r").read(store.manager.reader)
    assert update is not None
    app = make_app(store.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Bare())
        await settle(pilot)
        view = app.screen.query_one(Watched)
        view.show(update.matrix)
        await settle(pilot)
        assert view.firsts - {""} == {"alpha"}


def test_a_score_that_is_open_shows_what_is_certain_of_it_rounded_down() -> None:
    assert score_part(0.9, (0.839, 1.0), forming=False) == ("≥83", "text")
    assert score_part(1.0, (0.999, 1.0), forming=True, sign=">") == (">99", "muted")
    assert score_part(0.9, None, forming=False) == (" 90", "text")
    assert score_part(None, (0.0, 1.0), forming=False, errors=3) == ("err", "error")


async def test_cells_domains_levels_and_the_total_show_what_is_certain(store: StoreMaker, make_app: MakeApp) -> None:
    samples = cells("alpha ●●! ●··\nbeta ●●○ ●··")
    samples[2].error_type = "judge_error"
    store.run("r", samples=samples)
    feed = RunFeed("r")
    update = feed.read(store.manager.reader)
    assert update is not None
    alpha, beta = update.matrix.rows
    assert alpha.ends[0] == pytest.approx((2 / 3, 1.0))
    assert (beta.ends, beta.between) == ((), None)
    app = make_app(store.path)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Bare())
        await settle(pilot)
        view = app.screen.query_one(Watched)
        view.show(update.matrix)
        await settle(pilot)
        lines = [
            "".join(view.paint_line(index, y, 12).text for index in (-2, 0, -1)) for y in (1, 2, view.size.height - 1)
        ]
        assert ["≥66" in line for line in lines][:1] == [True]
        assert "≥" not in lines[1]
        assert "≥" in lines[2]
