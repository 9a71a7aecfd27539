"""Every screen and state as a picture; where more room shows something else, at the two sizes people have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from modex.tui.app import HOME, Launch, ModexApp, StartScreen, Watch
from modex.tui.start.fork import Starting
from tests.tui.conftest import MakeApp, settle
from tests.tui.stores import DOMAINS, SKETCH, StoreMaker, cells

Size = tuple[int, int]
NARROW, USUAL = (80, 24), (120, 40)
Compare = Callable[..., bool]
Hold = Callable[[str], None]


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the store of the pictures is kept once it was filled."""
    return tmp_path_factory.mktemp("pictures") / "modex.db"


@pytest.fixture
def filled(store: StoreMaker, hold: Hold, kept: Path) -> StoreMaker:
    """A run that goes on, and runs in every other state."""
    if not kept.exists():
        made = StoreMaker(kept)
        fill(made)
        made.close()
    store.become(kept)
    hold("gpt-5-mini-0142")
    return store


def fill(store: StoreMaker) -> None:
    run_id = store.run(
        samples=cells(SKETCH), status="running", cost_usd=0.08, overall_score=0.714, ci_low=0.662, ci_high=0.766
    )
    store.pulse(run_id)
    store.event(run_id, "openai/gpt-5-mini asks to wait: 3 calls held for 12 s", "warning")
    store.finish(run_id, "math_3_4", "passed", completed_at="2026-03-05T14:29:58.000Z", duration_ms=2100)
    done = SKETCH.replace("·", "●").replace("▸", "○").replace("!", "●")
    states = (
        ("completed", "anthropic/claude-sonnet-4-5", done, None),
        ("stopped", "openai/qwen3-8b", SKETCH, None),
        ("aborted", "gemini/gemini-2.5-pro", SKETCH, "authentication failed: set GEMINI_API_KEY"),
        ("running", "openai/llama-3.1-8b", SKETCH, None),
    )
    for number, (status, model, sketch, reason) in enumerate(states, 1):
        other = store.run(
            f"run-030{number}",
            model,
            cells(sketch),
            status=status,
            reason=reason,
            overall_score=0.2 * number,
            ci_low=0.2 * number - 0.03,
            ci_high=0.2 * number + 0.03,
            duration_ms=90_000 * number,
            cost_usd=0.4 * number,
            started_at=f"2026-03-0{5 - number}T09:1{number}:00.000Z",
        )
        store.domain_scores(other, {domain: (number * place) % 10 / 10 for place, domain in enumerate(DOMAINS)})


def keys(*pressed: str) -> Callable[[Pilot[int]], object]:
    """Wait for the store, press keys one after another, wait again."""

    async def run(pilot: Pilot[int]) -> None:
        await settle(pilot)
        await pilot.press(*pressed)
        await settle(pilot)

    return run


def still(app: ModexApp) -> ModexApp:
    """The same application with a clock that does not go on."""
    app.frame.clock = lambda: 1000.0
    return app


LIVE = Watch(("gpt-5-mini-0142",))
STATES: list[tuple[str, StartScreen, tuple[str, ...]]] = [
    ("runs", HOME, ("j", "j", "space")),
    ("runs_delete", HOME, ("j", "D")),
    ("live", LIVE, ("j", "l", "l")),
    ("live_workers", LIVE, ("w",)),
    ("live_log", LIVE, ("L", "k")),
    ("live_completed", Watch(("run-0301",)), ()),
    ("live_aborted", Watch(("run-0303",)), ()),
    ("live_several", Watch(("gpt-5-mini-0142", "run-0301")), ("tab",)),
    ("samples", LIVE, ("j", "l", "l", "enter")),
    ("samples_failures", LIVE, ("t", "f", "n")),
    ("help", LIVE, ("question_mark",)),
    ("palette", LIVE, ("ctrl+p", "s", "t", "o", "p")),
    ("settings", HOME, ("comma", "j")),
]
IN_BOTH = ("runs", "live", "live_log", "live_several", "samples")
"""States that show something else where there is more room; a dialog stands in the middle of either."""
PICTURES = [
    pytest.param(*state, size, id=f"{state[0]}-{size[0]}x{size[1]}")
    for size in (NARROW, USUAL)
    for state in STATES
    if size == NARROW or state[0] in IN_BOTH
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "start", "pressed", "size"), PICTURES)
def test_screen(
    filled: StoreMaker,
    make_app: MakeApp,
    snap_compare: Compare,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    start: StartScreen,
    pressed: tuple[str, ...],
    size: Size,
) -> None:
    if name == "settings":
        monkeypatch.setenv("MODEX_CONFIG", "/home/someone/.config/modex/config.toml")
    assert snap_compare(still(make_app(start)), terminal_size=size, run_before=keys(*pressed))


def test_runs_on_their_way(on_their_way: Starting, store: StoreMaker, make_app: MakeApp, snap_compare: Compare) -> None:
    assert snap_compare(still(make_app(Launch(on_their_way))), terminal_size=NARROW, run_before=keys())


def test_no_runs_yet(store: StoreMaker, make_app: MakeApp, snap_compare: Compare) -> None:
    assert snap_compare(still(make_app()), terminal_size=NARROW, run_before=keys())


@pytest.mark.parametrize(
    ("name", "live"),
    [
        ("outage", {"outage_s": 62.0, "in_flight": 0, "tests_per_s": 0.0, "eta_s": None}),
        ("rate_limited", {"holds": [{"model": "openai/gpt-5-mini", "seconds_left": 12.0}], "limit": 4}),
    ],
)
def test_a_provider_that_pushes_back(
    filled: StoreMaker, make_app: MakeApp, snap_compare: Compare, name: str, live: dict[str, object]
) -> None:
    filled.pulse(filled.run_id("gpt-5-mini-0142"), **live)
    assert snap_compare(still(make_app(LIVE)), terminal_size=(80, 24), run_before=keys())


def test_a_paused_run(filled: StoreMaker, make_app: MakeApp, snap_compare: Compare) -> None:
    filled.manager.update_run(filled.run_id("gpt-5-mini-0142"), status="paused", reason="paused by hand")
    assert snap_compare(still(make_app(LIVE)), terminal_size=(80, 24), run_before=keys())


def test_a_deleted_run(filled: StoreMaker, make_app: MakeApp, snap_compare: Compare) -> None:
    async def run(pilot: Pilot[int]) -> None:
        await settle(pilot)
        filled.manager.delete_run(filled.run_id("run-0302"))
        pilot.app.screen.refresh_now()  # type: ignore[attr-defined]
        await settle(pilot)

    assert snap_compare(still(make_app(Watch(("run-0302",)))), terminal_size=(80, 24), run_before=run)


@pytest.mark.usefixtures("filled", "read_only")
def test_a_read_only_store(make_app: MakeApp, snap_compare: Compare) -> None:
    assert snap_compare(still(make_app(LIVE)), terminal_size=NARROW, run_before=keys("j"))


@pytest.mark.parametrize("size", [(60, 24), (30, 12)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_other_sizes(filled: StoreMaker, make_app: MakeApp, snap_compare: Compare, size: Size) -> None:
    assert snap_compare(still(make_app(LIVE)), terminal_size=size, run_before=keys("j"))


WIDE: list[tuple[str, StartScreen, tuple[str, ...]]] = [
    ("runs", HOME, ("j",)),
    ("live_completed", Watch(("run-0301",)), ("j",)),
    ("samples_transcript", LIVE, ("t", "n", "tab")),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "start", "pressed"), WIDE, ids=[state[0] for state in WIDE])
def test_two_hundred_columns(
    filled: StoreMaker,
    make_app: MakeApp,
    snap_compare: Compare,
    name: str,
    start: StartScreen,
    pressed: tuple[str, ...],
) -> None:
    assert snap_compare(still(make_app(start)), terminal_size=(200, 60), run_before=keys(*pressed))


@pytest.mark.parametrize("theme", ["light", "ansi-dark"])
def test_other_colours(filled: StoreMaker, make_app: MakeApp, snap_compare: Compare, theme: str) -> None:
    app = make_app(LIVE, theme=theme, glyphs="ascii" if theme == "ansi-dark" else "unicode")
    assert snap_compare(still(app), terminal_size=(80, 24), run_before=keys("j", "l"))
