"""What the screens and the application open of features, imported when it is opened.

So nobody imports in a circle: a list of runs opens a comparison, that opens a transcript, and that a test's history. The
types say what each takes; a test compares them with the real ones.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from textual.screen import Screen

    from modex.core.comparison.pairs import Pair
    from modex.core.config.options import Values
    from modex.core.store.rows import RunRow
    from modex.tui.screens.base import ModexScreen

P = ParamSpec("P")
MadeT_co = TypeVar("MadeT_co", covariant=True)


class Lazy(Generic[P, MadeT_co]):
    """A class or function of a feature, by `module:name` below `tui/features/`; not kept, so that a test may replace it there."""

    def __init__(self, place: str) -> None:
        self.place = place

    def find(self) -> Callable[P, MadeT_co]:
        """The thing itself, imported now."""
        module, _, name = self.place.partition(":")
        found: Callable[P, MadeT_co] = getattr(importlib.import_module(f"modex.tui.features.{module}"), name)
        return found

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> MadeT_co:
        """Import the thing and call it."""
        return self.find()(*args, **kwargs)


ChangesScreen: Lazy[[int, int], Screen[None]] = Lazy("changes.screen:ChangesScreen")
ComparePairScreen: Lazy[[tuple[RunRow, RunRow], Sequence[Pair], int], Screen[None]] = Lazy(
    "compare.pair_screen:ComparePairScreen"
)
CompareScreen: Lazy[[Path, str, str], Screen[None]] = Lazy("compare.screen:CompareScreen")
CompareSeveralScreen: Lazy[[Path, Sequence[str]], Screen[None]] = Lazy("compare.several_screen:CompareSeveralScreen")
HistoryScreen: Lazy[[int], Screen[None]] = Lazy("history.screen:HistoryScreen")
LabelsScreen: Lazy[[int | None], Screen[None]] = Lazy("review.labels_screen:LabelsScreen")
LeaderboardScreen: Lazy[[], Screen[None]] = Lazy("leaderboard.screen:LeaderboardScreen")
ModelsScreen: Lazy[[], Screen[None]] = Lazy("models.screen:ModelsScreen")
RaceScreen: Lazy[[str], Screen[None]] = Lazy("race.screen:RaceScreen")
SearchScreen: Lazy[[], Screen[None]] = Lazy("search.screen:SearchScreen")
SuiteFaultsScreen: Lazy[[str | None], Screen[None]] = Lazy("suite_faults.screen:SuiteFaultsScreen")
DryRunScreen: Lazy[[int], Screen[None]] = Lazy("dry_run.screen:DryRunScreen")
review_screen: Lazy[[int, int | None], Screen[None]] = Lazy("review.screen:review_screen")
ask_and_export: Lazy[[ModexScreen[Any], Sequence[RunRow], Sequence[int]], None] = Lazy("export.screen:ask_and_export")
start_race: Lazy[[Path, Values, Sequence[str], Callable[[str], None], Collection[str]], str] = Lazy(
    "race.start:start_race"
)
