"""What transcripts, suites, plans and comparisons look like: a picture a state, and of some a second one with more room."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from modex.core.store.reader import SampleQuery
from modex.tui.features.compare.screen import CompareScreen
from modex.tui.features.compare.several_screen import CompareSeveralScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.screens.suite import SuiteScreen
from modex.tui.screens.transcript import TranscriptScreen
from modex.tui.widgets import transcript_load
from tests.tui import transcripts as t
from tests.tui.conftest import MakeApp, settle
from tests.tui.features.compare.test_screen import FIRST, two_runs
from tests.tui.stores import StoreMaker, cells
from tests.tui.suites import small_suite

SIZES = ((80, 24), (120, 40))
Snap = Callable[..., bool]


def pictures(states: Iterable[str], *in_both: str) -> pytest.MarkDecorator:
    """Each state in 80 columns, and in 120 those that show something else there."""
    return pytest.mark.parametrize(
        ("state", "size"),
        [
            pytest.param(state, size, id=f"{state}-{size[0]}x{size[1]}")
            for state in states
            for size in SIZES
            if size == SIZES[0] or state in in_both
        ],
    )


def showing(open_screen: Callable[[], Screen[Any]], *keys: str) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Open a screen and press keys before the picture is taken."""

    async def run(pilot: Pilot[int]) -> None:
        await pilot.app.push_screen(open_screen())
        await settle(pilot)
        await pilot.press(*keys)
        await settle(pilot)

    return run


TRANSCRIPTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "verdict": (t.mixture, ("G",)),
    "tools": (t.weather, ()),
    "sql": (t.query, ()),
    "judges": (t.talk, ()),
    "error": (t.refused, ()),
    "search": (t.mixture, ("slash", "a", "c", "i", "d", "enter", "n")),
}


@pytest.mark.long
@pictures(TRANSCRIPTS, "verdict")
def test_a_transcript(
    snap_compare: Snap, store: StoreMaker, make_app: MakeApp, state: str, size: tuple[int, int]
) -> None:
    make, keys = TRANSCRIPTS[state]
    run = store.run("gpt-5-mini-0142", samples=[*cells("math ●●"), make(), *cells("sql ●")])
    ids = store.manager.reader.head_ids(run)
    ready = showing(lambda: TranscriptScreen(store.path, run, ids, 2), *keys)
    assert snap_compare(make_app(), terminal_size=size, run_before=ready)


def test_a_transcript_in_ascii(snap_compare: Snap, store: StoreMaker, make_app: MakeApp) -> None:
    run = store.run("r", samples=[t.weather()])
    ids = store.manager.reader.head_ids(run)
    ready = showing(lambda: TranscriptScreen(store.path, run, ids, 0))
    assert snap_compare(make_app(glyphs="ascii"), terminal_size=(80, 24), run_before=ready)


def test_a_transcript_in_fifty_columns(snap_compare: Snap, store: StoreMaker, make_app: MakeApp) -> None:
    run = store.run("r", samples=[t.mixture()])
    ids = store.manager.reader.head_ids(run)
    ready = showing(lambda: TranscriptScreen(store.path, run, ids, 0))
    assert snap_compare(make_app(), terminal_size=(50, 20), run_before=ready)


BESIDE: dict[str, tuple[str, tuple[str, ...]]] = {
    "list": ("dark", ("j", "j")),
    "light": ("light", ("j", "j", "tab")),
    "ansi": ("ansi-dark", ("j", "j", "tab")),
}


@pytest.mark.parametrize("state", BESIDE)
def test_a_transcript_beside_its_list(snap_compare: Snap, store: StoreMaker, make_app: MakeApp, state: str) -> None:
    theme, keys = BESIDE[state]
    samples = [*cells("math ●●"), t.mixture(), t.weather(), t.query(), t.talk(), t.refused(), *cells("sql ●·")]
    store.run("gpt-5-mini-0142", samples=samples)
    run = store.manager.reader.run("gpt-5-mini-0142")
    ready = showing(lambda: SamplesScreen(run, SampleQuery()), *keys)
    glyphs = "ascii" if theme == "ansi-dark" else "unicode"
    assert snap_compare(make_app(theme=theme, glyphs=glyphs), terminal_size=(200, 60), run_before=ready)


def test_several_runs_compared(snap_compare: Snap, store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    store.run("small-0144", "openai/gpt-5-nano", cells(FIRST.replace("○", "!")))
    ready = showing(lambda: CompareSeveralScreen(store.path, ("mini-0142", "large-0143", "small-0144")), "l", "space")
    assert snap_compare(make_app(), terminal_size=SIZES[0], run_before=ready)


def test_a_comparison_in_two_hundred_columns(snap_compare: Snap, store: StoreMaker, make_app: MakeApp) -> None:
    two_runs(store)
    ready = showing(lambda: CompareScreen(store.path, "mini-0142", "large-0143"))
    assert snap_compare(make_app(), terminal_size=(200, 60), run_before=ready)


COMPARISONS: dict[str, tuple[str, ...]] = {"flips": (), "domains": ("d",), "pair": ("enter",)}


@pictures(COMPARISONS)
def test_a_comparison(
    snap_compare: Snap, store: StoreMaker, make_app: MakeApp, state: str, size: tuple[int, int]
) -> None:
    two_runs(store)
    ready = showing(lambda: CompareScreen(store.path, "mini-0142", "large-0143"), *COMPARISONS[state])
    assert snap_compare(make_app(), terminal_size=size, run_before=ready)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A small suite where the working folder is, so that pictures hold no machine's path."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MODEX_MODEL"):
        monkeypatch.delenv(name, raising=False)

    def make(*, mistake: bool = False) -> Path:
        root = small_suite(tmp_path / "s", mistake=mistake)
        monkeypatch.chdir(root)
        return root

    return make


SUITES: dict[str, tuple[bool, tuple[str, ...]]] = {
    "tree": (False, ("enter", "j", "enter")),
    "test": (False, ("slash", "s", "u", "m", "_", "1", "_", "2", "enter", "G", "enter")),
    "finding": (True, ("f", "G", "enter")),
}


@pytest.mark.long
@pictures(SUITES, "test")
def test_a_suite(
    snap_compare: Snap,
    store: StoreMaker,
    make_app: MakeApp,
    suite: Callable[..., Path],
    state: str,
    size: tuple[int, int],
) -> None:
    mistake, keys = SUITES[state]
    root = suite(mistake=mistake)
    ready = showing(lambda: SuiteScreen(store.path, str(root)), *keys)
    assert snap_compare(make_app(), terminal_size=size, run_before=ready)


PLANS: dict[str, tuple[str, ...]] = {
    "first": (),
    "no_key": ("enter", *"openai/x", "enter"),
    "tests": ("enter", *"demo", "enter", "tab", "enter", "j", "space"),
}


@pytest.mark.long
@pictures(PLANS, "tests")
def test_a_plan(
    snap_compare: Snap,
    store: StoreMaker,
    make_app: MakeApp,
    suite: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    state: str,
    size: tuple[int, int],
) -> None:
    suite()
    monkeypatch.setenv("MODEX_SUITE", ".")
    ready = showing(lambda: NewRunScreen(store.path), *PLANS[state])
    assert snap_compare(make_app(), terminal_size=size, run_before=ready)


def test_loading_reads_nothing_that_did_not_change(store: StoreMaker) -> None:
    from modex.tui.look.glyphs import UNICODE

    run = store.run("r", samples=[t.mixture()])
    reader = store.manager.reader
    sample_id = reader.head_ids(run)[0]
    loaded = transcript_load.load(reader, sample_id, -1, UNICODE)
    assert loaded is not None
    assert transcript_load.load(reader, sample_id, loaded.sample.seq, UNICODE) is None
