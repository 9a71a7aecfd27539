"""No screen names a key that does nothing there: key lines, footers, empty places, questions, placeholders, help."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual.screen import Screen
from textual.widgets import Input

from docs import every_screen
from modex import tui
from modex.core.store.races import begin_race, end_race
from modex.tui.actions import scope
from modex.tui.app import HOME, ModexApp, StartScreen, Watch
from modex.tui.look.theme import Palette
from modex.tui.screens.ask import AskScreen
from modex.tui.screens.help import HelpScreen
from modex.tui.screens.new_run_model import PickModelScreen
from modex.tui.screens.palette import PaletteScreen
from modex.tui.widgets.keyline import key_name
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import SKETCH, StoreMaker, cells

RACE = "tuesday"
WHOLE = "math ●○● ○○● ●●●\nsql ●●○ ○●○ !○○"
SIZE = (80, 24)
KEYS = {
    key_name(key): key
    for key in (
        *("enter", "escape", "space", "question_mark", "slash", "comma", "plus", "minus", "equals_sign", "full_stop"),
        *("colon", "left_square_bracket", "right_square_bracket", "ctrl+c", "ctrl+l", "ctrl+p", "ctrl+q", "ctrl+z"),
    )
} | {"⌫": "backspace"}
"""Keys by how the screen writes them, where Textual writes them otherwise."""
FORM = re.compile(r"\w[:<]|[*\"]|-\w")
"""What stands in the colour of keys and is a word of a filter."""
HERE = {
    "; t shows them": "t",
    "a asks again": "a",
    "J judges it again": "J",
    "e edits the test and runs it": "e",
    "(a judges all)": "a",
    "; f lists others.": "f",
    "; f lists those": "f",
    "   f lists them": "f",
    "l names a label": "l",
    "; l names one": "l",
    "; r goes on with it": "r",
    "r goes on with it": "r",
    "r goes on from there": "r",
    "X begins a new one": "X",
    "tab marks several": "tab",
    "no run is selected: n plans one": "n",
    "A takes one back": "A",
    "enter opens it": "enter",
    "; u takes it back": "u",
    "/ and esc clear it.": "slash",
    " and esc clear the filter": "slash",
    "esc lets go of them": "escape",
    "tab gives the keys to the transcript": "tab",
    "; tab goes back to the list": "tab",
    "w writes it to a file": "w",
    "x writes it to a file": "x",
    "w writes the entry": "w",
    "it has no name yet: a gives it one": "a",
    "not asked yet: t asks one short question": "t",
}
"""Sentences that name a key of the screen on which they stand, with the key."""
ELSEWHERE = {
    "n in the list of runs": ("runs", "n"),
    "n on the list of runs": ("runs", "n"),
    "where n plans one": ("runs", "n"),
    "keys 1 to 9 then": ("review", "1"),
    "e opens its file": ("suite", "e"),
    "V on a run begins": ("everywhere", "V"),
}
"""Sentences that name a key of another screen, with its scope."""
NAMES_A_KEY = re.compile(
    r"(?:^|[\s(:;,])(?:[a-zA-Z?/]|esc|tab|enter|space|backspace|ctrl\+\w)(?: (?:and|or) (?:\w|esc))? "
    r"(?:shows?|goes|lists?|opens|names|draws|clears?|takes|tries|plans|asks|lets|begins|gives|marks|judges|writes|"
    r"resumes|continues|edits|in the list|on the list|on a run)\b|[Kk]eys? \d"
)
ALIKE = re.compile(r"(?:^|\s)[aA] (?:list|plan|judges|tries|takes|shows?|names?|asks|opens|run|writes|marks)\b")
"""The article, not the key."""


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is painted in the colour of keys says so."""
    real = Palette.style

    def style(self: Palette, role: str, *, selected: bool = False) -> Style:
        found = real(self, role, selected=selected)
        return found + Style(meta={"role": role}) if role == "key" else found

    monkeypatch.setattr(Palette, "style", style)


def lines_of(app: ModexApp) -> str:
    return " ".join(" ".join(strip.text for strip in app.screen._compositor.render_strips()).split())


def named_in_colour(app: ModexApp) -> set[str]:
    """The keys that stand on the screen in their colour, as Textual names them."""
    found: set[str] = set()
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            text = segment.text.strip()
            if segment.style is not None and segment.style.meta.get("role") == "key" and not FORM.search(text):
                found |= {KEYS.get(name, name) for name in text.split()}
    return found


def working(screen: Screen[Any]) -> set[str]:
    """The keys that do something there now; Textual's own way from widget to widget is nothing that one sees."""
    if isinstance(screen, AskScreen):
        return {answer.key for answer in screen._answers}
    active = {key for key, one in screen.active_bindings.items() if one.enabled and "focus" not in one.binding.action}
    return active | {"tab"} if isinstance(screen, PickModelScreen) else active


def dead(app: ModexApp) -> Iterator[str]:
    """Keys that the top screen names and that do nothing there; help and the palette name those of the screen below."""
    screen, text = app.screen, lines_of(app)
    here = working(screen)
    beside = working(app.screen_stack[-2]) if isinstance(screen, HelpScreen | PaletteScreen) else set()
    yield from sorted(named_in_colour(app) - here - beside - (every_key(app.screen_stack[-2]) if beside else set()))
    text += " ".join(box.placeholder for box in screen.query(Input) if box.display)
    yield from (f"{key}: {words!r}" for words, key in HERE.items() if words in text and key not in here)


def every_key(screen: Screen[Any]) -> set[str]:
    """All that help names, of which a key that can do nothing now tells why."""
    names = (*getattr(screen, "scopes", ()), "everywhere")
    return {key for name in names for action in scope(name).actions for key in action.keys.split(",")}


async def walk(
    make_app: MakeApp, places: Mapping[str, tuple[StartScreen, Sequence[str]]], size: tuple[int, int] = SIZE
) -> dict[str, list[str]]:
    """What is dead on each of these screens, and on what lies on the way."""
    found: dict[str, list[str]] = {}
    for name, (start, keys) in places.items():
        app = make_app(start)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await pilot.press(*keys)
            await settle(pilot)
            if wrong := sorted(set(dead(app))):
                found[name] = wrong
    return found


def runs(store: StoreMaker) -> None:
    for name, model in (("weak-run", "demo/weak"), ("middling-run", "demo"), ("strong-run", "demo/strong")):
        store.run(name, model, cells(WHOLE), status="completed", overall_score=0.5)
    contenders: list[dict[str, Any]] = [
        {"exp_id": f"{RACE}@{model}", "model": model, "config": {}} for model in ("demo", "demo/weak")
    ]
    race_id, lock = begin_race(store.manager.reader, RACE, {"contenders": contenders, "tests": 20, "peek": False})
    lock.release()
    end_race(store.manager.reader, race_id, "stopped", "stopped by hand")


@pytest.mark.long
async def test_every_key_that_a_screen_names_does_something_there(store: StoreMaker, make_app: MakeApp) -> None:
    runs(store)
    places = every_screen.standing("weak-run", "strong-run", RACE)
    alike = {"story-cell", "cell", "raw", "pair-domains", "pair-transcripts", "changes", "suite-open", "new-run-tests"}
    assert await walk(make_app, {name: place for name, place in places.items() if name not in alike}) == {}


@pytest.mark.long
async def test_and_so_while_a_run_goes_on(store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]) -> None:
    store.run("live-run", "demo", cells(SKETCH), status="running")
    hold("live-run")
    places = every_screen.moving("live-run")
    places |= {"tests": (Watch(("live-run",)), ("t",)), "skip": (Watch(("live-run",)), ("K",))}
    assert await walk(make_app, places) == {}


@pytest.mark.long
async def test_and_so_where_there_is_nothing_to_show(store: StoreMaker, make_app: MakeApp) -> None:
    empty = {"runs": (HOME, ()), "leaderboard": (HOME, ("b",)), "labels": (HOME, ("C",)), "search": (HOME, ("F",))}
    assert await walk(make_app, empty) == {}
    store.run("one", "demo", cells("math ●●"), status="completed")
    store.run("two", "demo/weak", cells("math ●!"), status="interrupted")
    one, pair = Watch(("one",)), ("space", "j", "space", "c")
    places: dict[str, tuple[StartScreen, Sequence[str]]] = {
        "no run by a filter": (HOME, ("slash", *"zq", "enter")),
        "while a filter is typed": (HOME, ("slash", *"zq")),
        "no failures": (one, ("t", "f")),
        "no test by a filter": (one, ("t", "slash", *"zq", "enter")),
        "an error": (Watch(("two",)), ("f",)),
        "nothing to review": (one, ("V", "O", "O")),
        "pair": (HOME, pair),
        "no flip by a filter": (HOME, (*pair, "slash", *"zq", "enter")),
        "leaderboard by a filter": (HOME, ("b", "slash", *"zq", "enter")),
        "the end of a run is told": (HOME, ("j",)),
    }
    assert await walk(make_app, places) == {}


@pytest.mark.long
async def test_and_so_in_wide_and_narrow_terminals(store: StoreMaker, make_app: MakeApp) -> None:
    runs(store)
    places = every_screen.standing("weak-run", "strong-run", RACE)
    assert await walk(make_app, {name: places[name] for name in ("tests", "review")}, (200, 50)) == {}
    assert await walk(make_app, {name: places[name] for name in ("story", "new-run")}, (60, 20)) == {}


@pytest.mark.usefixtures("read_only")
async def test_and_so_where_nothing_can_be_written(store: StoreMaker, make_app: MakeApp) -> None:
    runs(store)
    places = every_screen.standing("weak-run", "strong-run", RACE)
    some = {name: places[name] for name in ("runs", "transcript", "race", "review")}
    assert await walk(make_app, some) == {}


@pytest.mark.long
def test_every_sentence_that_names_a_key_is_known_here() -> None:
    """A new one is looked for on every screen that the walks see, once it stands in `HERE`."""
    unknown = []
    for path in sorted(Path(tui.__file__).parent.rglob("*.py")):
        if path.parent.name in ("commands", "plain", "serving", "actions"):
            continue
        tree = ast.parse(path.read_text())
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in told:
                continue
            words = ALIKE.sub(" ", node.value)
            if NAMES_A_KEY.search(words) and not any(known in node.value for known in (*HERE, *ELSEWHERE)):
                unknown.append(f"{path.name}:{node.lineno}: {node.value!r}")
    assert unknown == []


def test_a_sentence_that_names_a_key_of_another_screen_names_one_that_is_there() -> None:
    for words, (scope_name, key) in ELSEWHERE.items():
        assert any(key in action.keys.split(",") for action in scope(scope_name).actions), words


async def test_a_key_of_help_that_can_do_nothing_here_tells_so(store: StoreMaker, make_app: MakeApp) -> None:
    runs(store)
    app = make_app(HOME)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        for keys in (("space", "j", "space", "c"), ("b",), ("comma",)):
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            assert "V" not in working(app.screen), "an example needs a key that does nothing here"
            await pilot.press("V")
            await settle(pilot)
            assert "review: not possible here" in lines_of(app)
            await pilot.press("escape")
            await settle(pilot)
