"""The matrix as it is drawn."""

from __future__ import annotations

from collections.abc import Iterable

from textual.strip import Strip
from textual.widget import Widget

from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import StoreMaker, cells
from tui.reading.run import RunFeed
from tui.screens.base import ModexScreen
from tui.widgets.matrix import MatrixView


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
