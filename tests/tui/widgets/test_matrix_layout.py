from __future__ import annotations

from dataclasses import replace

import pytest

from modex.tui.reading.run import Matrix, RunFeed
from modex.tui.widgets.matrix_layout import lay_out, room_for
from tests.tui.stores import SKETCH, StoreMaker, cells

LONG = "a_domain_with_a_long_name_of_40_characters"


def _matrix(store: StoreMaker, sketch: str) -> Matrix:
    store.run("r", samples=cells(sketch))
    update = RunFeed("r").read(store.manager.reader)
    assert update is not None
    return update.matrix


@pytest.mark.parametrize("sketch", [SKETCH, f"{LONG} ●●○ ▸··", "math " + "●" * 90 + " ●●"])
def test_more_room_than_it_can_use_changes_nothing(store: StoreMaker, sketch: str) -> None:
    matrix = _matrix(store, sketch)
    room = room_for(matrix)
    placed = lay_out(matrix, room)
    assert replace(lay_out(matrix, room + 80), width=room) == placed
    assert placed.name == max(len(row.domain) for row in matrix.rows)
