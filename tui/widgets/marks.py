"""A cell's tests as signs: one each where there is room, else a bar in proportion that hides no failure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Part
from modex.tui.reading.run import MARK_STATUS

ORDER = ("passed", "failed", "error", "skipped", "running", "pending")


def proportional(counts: Mapping[str, int], width: int) -> list[tuple[str, int]]:
    """`width` places shared among the states by largest remainder; a state that occurs gets a place while there are any.

    Failures, errors and running tests are served before passed, skipped and waiting ones.
    """
    total = sum(counts.values())
    if not total or width <= 0:
        return []
    exact = {status: counts.get(status, 0) * width / total for status in ORDER}
    places = {status: int(share) for status, share in exact.items()}
    for status in ("error", "failed", "running", "passed", "pending", "skipped"):
        if counts.get(status, 0) and not places[status]:
            places[status] = 1
    while sum(places.values()) > width:
        most = max(ORDER, key=lambda status: (places[status] - exact[status], places[status]))
        if places[most] <= 1:
            most = max(ORDER, key=lambda status: places[status])
        if places[most] <= 1:
            most = next(
                status for status in ("skipped", "pending", "passed", "running", "failed", "error") if places[status]
            )
        places[most] -= 1
    while sum(places.values()) < width:
        least = max(ORDER, key=lambda status: (exact[status] - places[status], counts.get(status, 0)))
        places[least] += 1
    return [(status, places[status]) for status in ORDER if places[status]]


def painted(counts: Mapping[str, int], letters: str | None, width: int, glyphs: Glyphs) -> list[Part]:
    """`width` columns of signs; fewer where there are fewer tests."""
    if letters is not None and len(letters) <= width:
        runs = [(MARK_STATUS[letter], len(list(group))) for letter, group in groupby(letters)]
    else:
        runs = proportional(counts, min(width, sum(counts.values())))
    return [(glyphs.status(status) * number, "accent" if status == "flaky" else status) for status, number in runs]
