"""Notes: where they stand, and what a key says that can do nothing now."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from modex.tui.app import HOME, ModexApp, StartScreen, Watch
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.suite import SuiteScreen
from modex.tui.widgets.identity import IdentityLine
from modex.tui.widgets.keyline import KeyLine
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import SKETCH, StoreMaker, cells
from tests.tui.suites import small_suite

Hold = Callable[[str], None]
SIZE = (80, 24)
DONE = "math ●●○\nsql ●○●"


def _said(app: ModexApp) -> str:
    """The note that is shown; there is never more than one."""
    assert len(app._notifications) <= 1
    return "".join(note.message for note in app._notifications)


async def _press(pilot: Pilot[int], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


@pytest.mark.long
@pytest.mark.parametrize(
    ("status", "start", "keys", "words"),
    [
        ("completed", HOME, "r", "nothing to resume"),
        ("completed", HOME, "c", "mark two runs"),
        ("running", HOME, "r", "going on already"),
        ("running", HOME, "J", "stop it first"),
        ("running", HOME, "D", "stop it first"),
        ("completed", Watch(("r",)), "r", "nothing to resume"),
        ("completed", Watch(("r",)), "w", "nobody is at work"),
        ("completed", Watch(("r",)), "p", "nothing to pause"),
        ("completed", Watch(("r",)), "s", "nothing to stop"),
        ("completed", Watch(("r",)), "o", "no failed answer contains the gold"),
        ("running", Watch(("r",)), "r", "going on already"),
        ("completed", Watch(("r",)), "tK", "nothing waits"),
    ],
)
async def test_a_key_that_can_do_nothing_now_says_why(
    store: StoreMaker, make_app: MakeApp, hold: Hold, status: str, start: StartScreen, keys: str, words: str
) -> None:
    store.run("r", samples=cells(DONE), status=status)
    if status == "running":
        hold("r")
    app = make_app(start)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await _press(pilot, *keys)
        assert words in _said(app)


async def test_a_key_of_the_side_without_the_keys_says_how_to_get_there(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(DONE))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=(200, 60), notifications=True) as pilot:
        await settle(pilot)
        await _press(pilot, "t", "z")
        assert _said(app) == "tab gives the keys to the transcript"
        await _press(pilot, "tab", "f")
        assert _said(app) == "the transcript has the keys; tab goes back to the list"


async def test_a_key_that_the_user_moved_says_why_too(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(DONE))
    app = make_app(Watch(("r",)), keys={"live.stop": "x"})
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await _press(pilot, "s")
        assert _said(app) == ""
        await _press(pilot, "x")
        assert "nothing to stop" in _said(app)


async def test_what_is_typed_into_a_filter_is_no_key(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(DONE))
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await _press(pilot, "slash", "r", "c")
        assert _said(app) == ""


async def test_only_a_run_at_work_offers_its_workers(store: StoreMaker, make_app: MakeApp, hold: Hold) -> None:
    store.run("ended", samples=cells(DONE))
    store.pulse(store.run("going", samples=cells(SKETCH), status="running"))
    hold("going")
    for exp_id, offered in (("ended", False), ("going", True)):
        app = make_app(Watch((exp_id,)))
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            keys = "".join(text for text, _ in app.screen.query_one(KeyLine)._painted[0])
            assert ("workers" in keys) is offered


async def test_a_run_with_errors_is_resumed_from_the_list_too(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells("math ●●!"))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ModexScreen)
        assert app.screen.check_action("resume", ()) is True


async def test_a_note_takes_the_row_of_the_keys_and_an_error_is_not_cut(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(DONE))
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ModexScreen)
        for words, severity, rows in (("one", "information", 1), ("word " * 60, "warning", 1), ("x " * 70, "error", 2)):
            app.screen.say(words, severity=severity)
            await settle(pilot)
            [toast] = app.screen.query(Toast)
            assert (toast.region.x, toast.region.width) == (0, 80)
            assert (toast.region.height, toast.region.bottom) == (rows, 24)


@pytest.mark.long
@pytest.mark.parametrize("name", ["samples", "new run", "suite", "compare"])
async def test_a_store_that_cannot_be_written_is_named_on_every_screen_that_would_write(
    store: StoreMaker, make_app: MakeApp, read_only: None, suite: str, name: str
) -> None:
    for exp_id in ("a", "b"):
        store.run(exp_id, "demo", cells(DONE))
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        key = ""
        if name == "samples":
            await _press(pilot, "enter", "t")
            key = "K"
        elif name == "compare":
            await _press(pilot, "space", "space", "c")
        else:
            await app.push_screen(NewRunScreen(store.path) if name == "new run" else SuiteScreen(store.path, suite))
            await settle(pilot)
            key = "s" if name == "new run" else "r"
        top = "".join(text for text, _ in app.screen.query_one(IdentityLine)._painted[0])
        assert "read-only store" in top
        if key:
            await _press(pilot, key)
            assert _said(app) == READ_ONLY


@pytest.fixture
def suite(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    root = small_suite(tmp_path_factory.mktemp("s"))
    monkeypatch.setenv("MODEX_SUITE", str(root))
    monkeypatch.delenv("MODEX_MODEL", raising=False)
    return str(root)


async def test_the_keys_behind_a_dialog_stay_as_they_are(store: StoreMaker, make_app: MakeApp) -> None:
    store.run("r", samples=cells(DONE))
    app = make_app()

    def keys() -> str:
        return "".join(text for text, _ in app.screen_stack[0].query_one(KeyLine)._painted[0])

    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        before = keys()
        await _press(pilot, "D")
        assert len(app.screen_stack) == 2
        assert keys() == before
        await _press(pilot, "escape", "space", "k", "space", "c")
        assert "compare" not in keys()


async def test_a_note_said_again_while_it_stands_is_shown_once_with_how_many_times(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells(DONE))
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await _press(pilot, "c")
        once = _said(app)
        assert "times" not in once
        await _press(pilot, "c", "c")
        assert _said(app) == f"{once} (3 times)"
        await _press(pilot, "r")
        assert "nothing to resume" in _said(app)
        await _press(pilot, "c")
        assert _said(app) == once
