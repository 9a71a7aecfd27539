"""Draws the pictures of the documentation from real runs of the demo model: `python -m docs.pictures` (or `make pictures`).

`python -m docs.pictures --all FOLDER` draws every screen at every size and theme into a folder, to be looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docs import every_screen
from modex.core.engine.control import stop_and_wait
from modex.core.store.reader import Reader
from modex.tui.app import HOME, At, ModexApp, StartScreen, Watch
from modex.tui.features.race.screen import RaceScreen
from modex.tui.look.preferences import Preferences

FOLDER = Path(__file__).parent / "pictures"
RACE, RACED = "tuesday", ("demo/strong", "demo", "demo/weak")
_FONTS = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)
_PATHS = re.compile(
    "|".join(re.escape(str(place)) for place in (Path.home(), Path(__file__).parents[1], Path(tempfile.gettempdir())))
)
_SHARE_DONE = 0.45
_TRIES = 600


@dataclass(frozen=True, slots=True)
class Picture:
    """One screen: how to get there, and how large."""

    name: str
    start: StartScreen
    keys: Sequence[str] = ()
    size: tuple[int, int] = (80, 24)
    theme: str = "dark"
    patience_s: float = 0.3
    """Seconds from the last key to the picture."""
    moves: bool = False
    """Whether it shows what goes on: nothing is waited for that would end it."""


WRITTEN = Picture("written", Watch(("being-written",)), ("v",), patience_s=6.0, moves=True)
"""An answer while it is written: its run must be slow."""


def pictures(live: str) -> list[Picture]:
    """Every picture; `live` is a run in progress."""
    done = Watch(("strong-run",))
    return [
        Picture("live", Watch((live,))),
        Picture("live-wide", Watch((live,)), size=(120, 40)),
        Picture("live-narrow", Watch((live,)), size=(46, 20)),
        Picture("live-light", Watch((live,)), theme="light"),
        Picture("models", Watch(("weak-run", "strong-run")), size=(120, 40)),
        Picture("runs", HOME),
        Picture("samples", done, ("j", "j", "l", "l", "enter")),
        Picture("samples-wide", done, ("t", "f", "j"), size=(200, 50)),
        Picture("transcript", done, ("f",)),
        Picture("transcript-wide", done, ("f",), size=(120, 40)),
        Picture("compare", HOME, ("j", "space", "j", "space", "c")),
        Picture("race", At(lambda: RaceScreen(RACE))),
        Picture("new-run", HOME, ("n",)),
        Picture("suite", HOME, ("t",)),
        Picture("help", done, ("question_mark",)),
    ]


def main() -> None:
    """Run the demo model, draw what is asked for, and stop what is still running."""
    parser = argparse.ArgumentParser(prog="python -m docs.pictures", description=__doc__)
    parser.add_argument("--all", metavar="FOLDER", type=Path, help="draw every screen into this folder instead")
    parser.add_argument("--sizes", nargs="+", metavar="WxH", help="with --all: only these sizes, as 80x24")
    parser.add_argument("--themes", nargs="+", choices=every_screen.THEMES, help="with --all: only these")
    parser.add_argument("--screens", nargs="+", metavar="NAME", help="with --all: only these screens")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these pictures of the documentation")
    asked = parser.parse_args()
    os.environ.pop("NO_COLOR", None)
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", MODEX_CONFIG=os.devnull)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "modex.db"
        if asked.all is None and (asked.only is None or WRITTEN.name in asked.only):
            with _under_way(database, "being-written", "14", "--domain", "math", "--level", "1", share=0):
                asyncio.run(_draw(database, WRITTEN, FOLDER))
            if asked.only == [WRITTEN.name]:
                return
        for name, model in (("weak-run", "demo/weak"), ("middling-run", "demo"), ("strong-run", "demo/strong")):
            _modex(database, "0", "run", "--model", model, "--exp-id", name, "--headless")
        _modex(database, "0", "race", *RACED, "--exp-id", RACE, "--seed", "1", "--headless")
        if asked.all is None:
            FOLDER.mkdir(exist_ok=True)
            with _under_way(database, "live-run") as live:
                for picture in pictures(live):
                    if asked.only is None or picture.name in asked.only:
                        asyncio.run(_draw(database, picture, FOLDER))
        else:
            _draw_all(database, asked.all, asked.sizes, asked.themes or every_screen.THEMES, asked.screens)


def _draw_all(
    database: Path, folder: Path, sizes: Sequence[str] | None, themes: Sequence[str], screens: Sequence[str] | None
) -> None:
    """Every screen as `NAME-WxH-THEME.svg`; those of a run in progress need a fresh one for each theme."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [size for size in every_screen.SIZES if sizes is None or f"{size[0]}x{size[1]}" in sizes]

    def draw(places: dict[str, tuple[StartScreen, Sequence[str]]], theme: str, size: tuple[int, int]) -> None:
        for name, (start, keys) in places.items():
            if screens is None or name in screens:
                title = f"{name}-{size[0]}x{size[1]}-{theme}"
                asyncio.run(_draw(database, Picture(title, start, keys, size, theme), folder))

    every = [(theme, size) for theme in themes for size in wanted]
    for theme, size in every:
        draw(every_screen.standing("weak-run", "strong-run", RACE), theme, size)
    if screens is not None and not set(screens) & set(every_screen.moving("")):
        return
    for theme, size in every:
        with _under_way(database, f"live-{theme}-{size[0]}") as live:
            draw(every_screen.moving(live), theme, size)


@contextmanager
def _under_way(
    database: Path, live: str, latency: str = "0.6", *more: str, share: float = _SHARE_DONE
) -> Iterator[str]:
    """A run in progress of which this share is done, stopped at the end."""
    _modex(database, latency, "run", "--model", "demo", "--exp-id", live, "--concurrency", "8", "--detach", *more)
    try:
        _wait_until_under_way(database, live, share)
        yield live
    finally:
        reader = Reader(database)
        run = reader.run(live)
        reader.close()
        if run.alive:
            stop_and_wait(database, run.id)


def _modex(database: Path, latency: str, *arguments: str) -> None:
    environment = {**os.environ, "MODEX_DEMO_LATENCY": latency, "MODEX_CONFIG": os.devnull}
    command = [sys.executable, "-m", "modex.tui.cli", *arguments, "--db", str(database)]
    subprocess.run(command, env=environment, check=False, capture_output=True)


def _wait_until_under_way(database: Path, exp_id: str, share: float) -> None:
    reader = Reader(database)
    pause = asyncio.new_event_loop()
    try:
        for _ in range(_TRIES):
            run = reader.run(exp_id)
            if run.total_tests and run.live and run.done_tests >= share * run.total_tests:
                return
            pause.run_until_complete(asyncio.sleep(0.1))
    finally:
        pause.close()
        reader.close()


async def _draw(database: Path, picture: Picture, folder: Path) -> None:
    app = ModexApp(database, start=picture.start, preferences=Preferences(glyphs="unicode", theme=picture.theme))
    async with app.run_test(size=picture.size, notifications=True) as pilot:
        await pilot.pause(0.5)
        for key in picture.keys:
            await pilot.press(key)
            await pilot.pause(0.6)
        if not picture.moves:
            await app.workers.wait_for_complete()
        await pilot.pause(picture.patience_s)
        svg = _FONTS.sub("", app.export_screenshot(title="modex"))
    if found := _PATHS.search(svg):
        raise SystemExit(f"{picture.name}: a path of this machine is in the picture: {found[0]}")
    (folder / f"{picture.name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
