"""A race as its screen reads it: the stored race, its runs as they stand, and each model against the leader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.store.races import RaceRow, find_race
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow


@dataclass(frozen=True, slots=True)
class Told:
    """One model against the leader as a look found it; scores, gaps and bounds from -1 to 1."""

    look: int
    tests: int
    against: str
    gap: float
    """Its score less the leader's."""
    bound: tuple[float, float]
    """Between what that truly lies, wherever the race stops."""
    z: float
    boundary: float
    out: bool
    """Whether it left the race by this look."""


@dataclass(frozen=True, slots=True)
class Runner:
    """One model of a race."""

    exp_id: str
    model: str
    asked: bool
    """Whether it is asked; a stored run is not."""
    run: RunRow | None
    """None where nothing of it was asked yet, or where it was deleted."""
    score: float | None
    leads: bool
    out: bool
    last: Told | None
    """Against the leader, at the last look that had it; None for the leader, and where none was."""
    saved: int
    """Tests that it need not be asked."""


@dataclass(frozen=True, slots=True)
class RaceView:
    """All that the screen shows, of one moment."""

    race: RaceRow
    runners: tuple[Runner, ...]

    @property
    def last(self) -> dict[str, Any]:
        """The last look, as stored; empty before the first."""
        return self.race.looks[-1] if self.race.looks else {}


def read_race(reader: Reader, exp_id: str) -> RaceView | None:
    """The race of this name with its runs; None where there is none."""
    with reader.as_of_now():
        race = find_race(reader, exp_id)
        if race is None:
            return None
        runs = {one["exp_id"]: reader.find_run(one["exp_id"]) for one in race.contenders}
    return RaceView(race, tuple(_runners(race, runs)))


def _runners(race: RaceRow, runs: dict[str, RunRow | None]) -> Sequence[Runner]:
    last = race.looks[-1] if race.looks else {}
    out = {one["run"] for one in last.get("dropped", ())}
    found = []
    for one in race.contenders:
        name = str(one["exp_id"])
        course = course_of(race, name)
        found.append(
            Runner(
                name,
                str(one["model"]),
                one["config"] is not None,
                runs[name],
                last.get("scores", {}).get(name),
                last.get("leader") == name,
                name in out,
                course[-1] if course and last.get("leader") != name else None,
                int(last.get("saved_tests", {}).get(name, 0)),
            )
        )
    # The best first: the leader, who is still in by the gap, who is out by when it left.
    return sorted(found, key=_place)


def _place(one: Runner) -> tuple[bool, bool, int, float]:
    return not one.leads, one.out, -(one.last.look if one.last and one.out else 0), -(one.last.gap if one.last else 0.0)


def course_of(race: RaceRow, exp_id: str) -> list[Told]:
    """A model against the leader, look by look; not of the looks at which it led."""
    found = []
    for look in race.looks:
        here = [one for one in look["dropped"] if one["look"] == look["look"]]
        for one in (*look["not_decided"], *here):
            if one["run"] == exp_id:
                low, high = one["bound"]
                found.append(
                    Told(
                        look["look"], look["asked"], one["against"], one["gap"], (low, high), one["z"],
                        one["boundary"], one in here,
                    )
                )  # fmt: skip
    return found
