"""Every screen of the application and the keys that lead to it, for `python -m docs.pictures --all FOLDER`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from modex.tui.app import HOME, At, StartScreen, Watch
from modex.tui.features.race.screen import RaceScreen
from modex.tui.features.review.screen import ReviewScreen

SIZES: Final = ((60, 20), (80, 24), (100, 30), (120, 40), (200, 50))
THEMES: Final = ("dark", "light", "ansi-dark")
"""The designed ones and, last, the terminal's own sixteen colours."""

_MARK_ALL = ("space", "space", "space", "c")


def standing(weak: str, strong: str, race: str) -> dict[str, tuple[StartScreen, Sequence[str]]]:
    """The screens of what has ended; `weak` and `strong` are two of the three whole runs in the store, `race` is a race."""
    done = Watch((strong,))
    bad = Watch((weak,))
    return {
        "runs": (HOME, ()),
        "runs-filter": (HOME, ("slash", *"weak score<40")),
        "runs-delete": (HOME, ("D",)),
        "runs-export": (HOME, ("x",)),
        "runs-judge": (HOME, ("J",)),
        "story": (bad, ()),
        "story-cell": (bad, ("j", "l", "l")),
        "tests": (bad, ("t", "f", "j")),
        "cell": (bad, ("j", "l", "l", "enter")),
        "transcript": (bad, ("f",)),
        "raw": (bad, ("f", "r")),
        "pair": (HOME, ("j", "space", "j", "space", "c")),
        "pair-domains": (HOME, ("j", "space", "j", "space", "c", "d")),
        "pair-transcripts": (HOME, ("j", "space", "j", "space", "c", "enter")),
        "several": (HOME, _MARK_ALL),
        "race": (At(lambda: RaceScreen(race)), ()),
        "leaderboard": (HOME, ("b",)),
        "models": (HOME, ("m",)),
        "model-form": (HOME, ("m", "a")),
        "history": (done, ("f", "H")),
        "scores": (done, ("H",)),
        "changes": (done, ("c",)),
        "labels": (bad, ("C",)),
        "faults": (HOME, ("t", "W")),
        "search": (HOME, ("F", *"answer", "enter")),
        "review": (At(lambda: ReviewScreen(weak, author="reader")), ()),
        "dry_run": (bad, ("T",)),
        "suite": (HOME, ("t",)),
        "suite-open": (HOME, ("t", "l", "j", "l", "j")),
        "suite-new": (HOME, ("t", "n")),
        "new-run": (HOME, ("n",)),
        "new-run-model": (HOME, ("n", "enter")),
        "new-run-tests": (HOME, ("n", "tab", "l", "j")),
        "settings": (HOME, ("comma",)),
        "help": (done, ("question_mark",)),
        "palette": (done, ("ctrl+p",)),
        "export": (done, ("t", "f", "x")),
    }


def moving(live: str) -> dict[str, tuple[StartScreen, Sequence[str]]]:
    """The screens of a run in progress."""
    return {
        "live": (Watch((live,)), ()),
        "live-log": (Watch((live,)), ("L",)),
        "live-workers": (Watch((live,)), ("w",)),
        "live-stop": (Watch((live,)), ("s",)),
        "watch": (Watch((live,)), ("v",)),
    }
