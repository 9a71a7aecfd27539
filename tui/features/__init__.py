"""What people call a feature, a folder each: its command, its screens, what can be pressed there.

`FEATURES` is the one place that knows them. Nothing of a feature is imported before it is used: the command line, the scopes
of keys and the palette read the rows; who opens a feature's screen says `from modex.tui.features import CompareScreen`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # what `offers` hands out, for the type checker
    from modex.tui.features.changes.screen import ChangesScreen as ChangesScreen
    from modex.tui.features.compare.pair_screen import ComparePairScreen as ComparePairScreen
    from modex.tui.features.compare.screen import CompareScreen as CompareScreen
    from modex.tui.features.compare.several_screen import CompareSeveralScreen as CompareSeveralScreen
    from modex.tui.features.export.screen import ask_and_export as ask_and_export
    from modex.tui.features.history.screen import HistoryScreen as HistoryScreen
    from modex.tui.features.leaderboard.screen import LeaderboardScreen as LeaderboardScreen
    from modex.tui.features.race.command import resume_race as resume_race
    from modex.tui.features.race.command import run_race as run_race
    from modex.tui.features.race.command import watch_race as watch_race
    from modex.tui.features.race.screen import RaceScreen as RaceScreen
    from modex.tui.features.race.start import start_race as start_race
    from modex.tui.features.race.start import stop_race as stop_race
    from modex.tui.features.review.labels_screen import LabelsScreen as LabelsScreen
    from modex.tui.features.review.screen import ReviewScreen as ReviewScreen
    from modex.tui.features.search.screen import SearchScreen as SearchScreen
    from modex.tui.features.speed.table import speed_table as speed_table
    from modex.tui.features.suite_faults.screen import SuiteFaultsScreen as SuiteFaultsScreen
    from modex.tui.features.trial.command import dry_run as dry_run
    from modex.tui.features.trial.screen import TrialScreen as TrialScreen


class Command(NamedTuple):
    """One command of `modex`."""

    place: str
    """`module:name` below the feature's folder."""
    help: str
    """A sentence for the list of commands."""
    after: str
    """The command that it follows in that list, which is in the order of a user's day."""
    below: str = ""
    """The command that it stands below: `changes` is typed `modex compare changes` (and `modex changes`, as in 0.1.0)."""


class Entry(NamedTuple):
    """One screen in the palette, to be gone to from anywhere: `ModexScreen.over` makes it."""

    words: str
    """What is shown and searched."""
    after: str
    """The name of the screen that it follows there."""


class Feature(NamedTuple):
    """What a feature adds to the frame around it."""

    commands: Mapping[str, Command] = {}
    """By the name that is typed."""
    offers: Mapping[str, str] = {}
    """What others use of it (screens mostly), by name: the module below its folder."""
    scopes: Mapping[str, str] = {}
    """Scopes of actions by name: the module below its folder."""
    palette: Mapping[str, Entry] = {}
    """By the name of the screen, which stands in `offers` too."""


FEATURES: Mapping[str, Feature] = {
    "ablate": Feature(
        commands={
            "ablate": Command("command:ablate", "Ask with each prompt layer on and off: what does it do?", after="race")
        },
    ),
    "certify": Feature(
        commands={
            "certify": Command(
                "command:certify",
                "Measure how well a run's LLM judges agree with people's labels.",
                after="labels",
                below="review",
            )
        },
    ),
    "changes": Feature(
        commands={
            "changes": Command(
                "command:changes",
                "List what is other in a run than in the one before.",
                after="compare",
                below="compare",
            )
        },
        offers={"ChangesScreen": "screen"},
        scopes={"changes": "actions"},
    ),
    "compare": Feature(
        commands={"compare": Command("command:compare", "Compare two runs test by test.", after="show")},
        offers={
            "CompareScreen": "screen",
            "ComparePairScreen": "pair_screen",
            "CompareSeveralScreen": "several_screen",
        },
        scopes={"compare": "actions", "pair": "pair_actions", "several": "several_actions"},
    ),
    "doctor": Feature(
        commands={"doctor": Command("command:doctor", "Say what is wrong with this machine.", after="models")},
    ),
    "export": Feature(
        commands={"export": Command("command:export", "Write a run as json, csv, md, html or junit.", after="review")},
        offers={"ask_and_export": "screen"},
    ),
    "gate": Feature(
        commands={
            "gate": Command(
                "command:gate",
                "Say whether a run is not worse than another: yes, no, or cannot tell yet.",
                after="noise",
                below="compare",
            )
        },
    ),
    "history": Feature(
        commands={
            "history": Command(
                "command:history",
                "Show how one test, one cell or the suite went in every run.",
                after="gate",
                below="compare",
            )
        },
        offers={"HistoryScreen": "screen"},
        scopes={"history": "actions"},
    ),
    "import_": Feature(
        commands={
            "import": Command(
                "command:import_", "Bring in suites, datasets and answers of other systems.", after="init"
            )
        },
    ),
    "leaderboard": Feature(
        commands={
            "leaderboard": Command("command:leaderboard", "Show each model's newest run by suite.", after="compare")
        },
        offers={"LeaderboardScreen": "screen"},
        scopes={"leaderboard": "actions"},
        palette={
            "LeaderboardScreen": Entry("leaderboard: models by suite, scores over time", after="NewRunScreen"),
        },
    ),
    "noise": Feature(
        commands={
            "noise": Command(
                "command:noise",
                "Ask again and say which verdicts flip by themselves.",
                after="changes",
                below="compare",
            )
        },
    ),
    "race": Feature(
        commands={
            "race": Command("command:race", "Ask several models until it is decided which is best.", after="run")
        },
        offers={
            "RaceScreen": "screen",
            "start_race": "start",
            "stop_race": "start",
            "resume_race": "command",
            "run_race": "command",
            "watch_race": "command",
        },
        scopes={"race": "actions"},
    ),
    "review": Feature(
        commands={
            "review": Command(
                "command:review", "Read answers: agree or not, name kinds of failure, take notes.", after="grep"
            ),
            "labels": Command(
                "labels_command:labels", "Count the kinds of failure that people named.", after="review", below="review"
            ),
        },
        offers={"ReviewScreen": "screen", "LabelsScreen": "labels_screen"},
        scopes={"review": "actions", "review_reading": "reading_actions", "labels": "labels_actions"},
        palette={
            "LabelsScreen": Entry("kinds of failure that people named, counted", after="SuiteFaultsScreen"),
        },
    ),
    "search": Feature(
        commands={
            "grep": Command(
                "command:grep", "Find words in everything that was asked and answered.", after="leaderboard"
            )
        },
        offers={"SearchScreen": "screen"},
        scopes={"search": "actions"},
        palette={"SearchScreen": Entry("search everything", after="LabelsScreen")},
    ),
    "speed": Feature(
        commands={
            "speed": Command("command:speed", "Measure how fast a model writes, over calls at once.", after="ablate")
        },
        offers={"speed_table": "table"},
    ),
    "suite_faults": Feature(
        offers={"SuiteFaultsScreen": "screen"},
        scopes={"suite_faults": "actions"},
        palette={
            "SuiteFaultsScreen": Entry("faults of the suite: what all runs say of its tests", after="SuiteScreen"),
        },
    ),
    "summarize": Feature(
        commands={
            "note": Command("command:note", "Show or write the note on a run.", after="delete", below="runs"),
            "summarize": Command(
                "command:summarize", "Let a model sum up a run from counted facts.", after="note", below="runs"
            ),
        },
    ),
    "tidy": Feature(
        commands={
            "tidy": Command(
                "command:tidy", "Give back the room on the disk that nothing needs.", after="doctor", below="doctor"
            )
        },
    ),
    "trial": Feature(
        offers={"TrialScreen": "screen", "dry_run": "command"},
        scopes={"trial": "actions"},
    ),
}

_OFFERS = {
    name: f"{__name__}.{feature}.{module}" for feature, row in FEATURES.items() for name, module in row.offers.items()
}


if not TYPE_CHECKING:  # the type checker would take any name at all for one that is offered

    def __getattr__(name: str) -> object:
        """What a feature offers, imported now (PEP 562); not kept, so that a test may replace it where it stands."""
        if name not in _OFFERS:
            raise AttributeError(f"no feature offers {name!r}: a row of {__name__}.FEATURES says it in `offers`")
        return getattr(importlib.import_module(_OFFERS[name]), name)


def commands(frame: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Every command, `module:name` and its sentence: those of the frame, and of each feature behind the one it follows."""
    own = {
        name: (f"{__name__}.{feature}.{command.place}", command.help)
        for feature, row in FEATURES.items()
        for name, command in row.commands.items()
    }
    after = {name: command.after for row in FEATURES.values() for name, command in row.commands.items()}
    return {name: frame[name] if name in frame else own[name] for name in _in_order(frame, after)}


def below(frame: Mapping[str, str]) -> dict[str, str]:
    """The command that each command stands below, where it stands below one; `frame` says so of the frame's own."""
    own = {name: command.below for row in FEATURES.values() for name, command in row.commands.items() if command.below}
    return {**frame, **own}


def scopes() -> dict[str, str]:
    """The module of each scope of actions that a feature has."""
    return {
        name: f"{__name__}.{feature}.{module}"
        for feature, row in FEATURES.items()
        for name, module in row.scopes.items()
    }


def palette(frame: Iterable[str]) -> dict[str, str]:
    """The words of each screen in the palette, in its order; of the frame's screens, which are named, the words are empty."""
    entries = {name: entry for row in FEATURES.values() for name, entry in row.palette.items()}
    order = _in_order(frame, {name: entry.after for name, entry in entries.items()})
    return {name: entries[name].words if name in entries else "" for name in order}


def _in_order(first: Iterable[str], after: Mapping[str, str]) -> Iterator[str]:
    """The names `first`, and behind each those that follow it."""
    for name in first:
        yield name
        yield from _in_order([one for one, before in after.items() if before == name], after)
