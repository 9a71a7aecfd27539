"""What people call a feature, a folder each: its command, its screens, what can be pressed there.

`FEATURES` is the one place that knows them. Nothing of a feature is imported before it is used: the command line, the scopes
of keys and the palette read the rows; who opens a feature's screen says `from modex.tui.lazy import CompareScreen`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


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
    module: str = "screen"
    """The module below the feature's folder that holds it."""


class Feature(NamedTuple):
    """What a feature adds to the frame around it."""

    commands: Mapping[str, Command] = {}
    """By the name that is typed."""
    scopes: Mapping[str, str] = {}
    """Scopes of actions by name: the module below its folder."""
    palette: Mapping[str, Entry] = {}
    """By the name of the screen."""


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
        scopes={"changes": "actions"},
    ),
    "choose": Feature(
        commands={
            "choose": Command(
                "command:choose", "Say which of several models to take for a file of questions.", after="race"
            )
        },
    ),
    "compare": Feature(
        commands={"compare": Command("command:compare", "Compare two runs test by test.", after="show")},
        scopes={"compare": "actions", "pair": "pair_actions", "several": "several_actions"},
    ),
    "doctor": Feature(
        commands={"doctor": Command("command:doctor", "Say what is wrong with this machine.", after="models")},
    ),
    "export": Feature(
        commands={"export": Command("command:export", "Write a run as json, csv, md, html or junit.", after="review")},
    ),
    "fetch": Feature(
        commands={
            "fetch": Command("command:fetch", "Bring a known benchmark from the Hub.", after="import"),
            "datasets": Command(
                "listing:datasets", "List known benchmarks, and which are here.", after="fetch", below="fetch"
            ),
        },
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
        scopes={"leaderboard": "actions"},
        palette={
            "LeaderboardScreen": Entry("leaderboard: models by suite, scores over time", after="NewRunScreen"),
        },
    ),
    "models": Feature(
        scopes={"models": "actions", "model_form": "form_actions"},
        palette={
            "ModelsScreen": Entry(
                "models by name: what is wrong with each; add, test, remove", after="LeaderboardScreen"
            ),
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
        scopes={"review": "actions", "review_reading": "reading_actions", "labels": "labels_actions"},
        palette={
            "LabelsScreen": Entry(
                "kinds of failure that people named, counted", after="SuiteFaultsScreen", module="labels_screen"
            ),
        },
    ),
    "search": Feature(
        commands={
            "grep": Command(
                "command:grep", "Find words in everything that was asked and answered.", after="leaderboard"
            )
        },
        scopes={"search": "actions"},
        palette={"SearchScreen": Entry("search everything", after="LabelsScreen")},
    ),
    "shell": Feature(
        commands={
            "shell": Command(
                "command:shell", "Open the folder that a sample left, in its sandbox.", after="show", below="runs"
            )
        },
    ),
    "speed": Feature(
        commands={
            "speed": Command("command:speed", "Measure how fast a model writes, over calls at once.", after="ablate")
        },
    ),
    "suite_faults": Feature(
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
    "dry_run": Feature(
        scopes={"dry_run": "actions"},
    ),
    "solutions": Feature(),
}


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


def places() -> dict[str, str]:
    """The place, `module:name`, of each screen in the palette that a feature has."""
    return {
        name: f"{__name__}.{feature}.{entry.module}:{name}"
        for feature, row in FEATURES.items()
        for name, entry in row.palette.items()
    }


def _in_order(first: Iterable[str], after: Mapping[str, str]) -> Iterator[str]:
    """The names `first`, and behind each those that follow it."""
    for name in first:
        yield name
        yield from _in_order([one for one, before in after.items() if before == name], after)
