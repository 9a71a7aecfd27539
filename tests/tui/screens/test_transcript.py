from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Compared, details_of
from modex.tui.app import ModexApp
from modex.tui.screens.transcript import TranscriptScreen
from modex.tui.widgets.transcript_load import LARGE
from modex.tui.widgets.transcript_text import Section
from modex.tui.widgets.transcript_view import TranscriptView
from tests.tui import transcripts as t
from tests.tui.conftest import MakeApp, settle
from tests.tui.hostile import HOSTILE, is_harmless
from tests.tui.stores import StoreMaker, cells, sample

SIZE = (80, 24)


def story() -> list[EvaluationSample]:
    return [t.mixture(), t.weather(), t.query(), *cells("health ●"), t.talk(), t.refused()]


async def opened(
    app: ModexApp, store: StoreMaker, pilot: Pilot[int], index: int = 0, samples: list[EvaluationSample] | None = None
) -> TranscriptScreen:
    run = store.run("r", samples=story() if samples is None else samples)
    ids = store.manager.reader.head_ids(run)
    screen = TranscriptScreen(store.path, run, ids, index)
    await app.push_screen(screen)
    await settle(pilot)
    return screen


def _shown(screen: TranscriptScreen) -> str:
    view = screen.view
    return "\n".join(view.render_line(y).text for y in range(view.size.height))


async def _to_response(screen: TranscriptScreen, pilot: Pilot[int]) -> None:
    while screen.view.section is None or screen.view.section.key != "response":
        await pilot.press("tab")


async def test_a_failed_test_begins_with_why_and_its_response_is_in_sight(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot)
        section = screen.view.section
        assert section is not None
        assert section.key == "verdict"
        shown = _shown(screen)
        places = [shown.index(text) for text in ("expected", "got", "off by 2.5", "⟦12.5⟧")]
        assert places == sorted(places)


async def test_why_stands_before_the_parts_that_show_it_in_length(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, 1)
        assert screen.view.sections[0].blocks[0].lead[0][0].strip() == "why"


async def test_what_a_plugin_found_is_shown_as_it_is_and_nothing_is_said_in_its_name(
    store: StoreMaker, make_app: MakeApp
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[t.capitals()])
        verdict = screen.view.sections[0]
        leads = [block.lead[0][0].strip() for block in verdict.blocks if block.lead]
        assert "matched" in leads
        assert "why" not in leads
        assert '["Paris"]' in verdict.source
        assert "mentions" not in _shown(screen)


async def test_a_passed_test_begins_at_the_response(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, 3)
        section = screen.view.section
        assert section is not None
        assert section.key == "response"
        assert screen.view.sections[0].key == "system"


async def test_a_value_of_ten_megabytes_leaves_room_for_the_rest(store: StoreMaker, make_app: MakeApp) -> None:
    long = "word " * 2_000_000
    details = details_of([Compared("word", long, "text")], {"gold": "word", "value": long})
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[t.mixture(details=details)])
        assert sum(len(item.text) for item in screen.view.sections[0].blocks) < 20_000


async def test_a_response_below_a_long_prompt_is_in_sight_at_once_and_after_the_next_failure(
    store: StoreMaker, make_app: MakeApp
) -> None:
    long = "\n".join(f"line {number}" for number in range(40))
    samples = [sample("math", 1, number, "failed", prompt=long, response=f"It is {number}.") for number in (7, 8)]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, 0, samples)
        assert "It is 7." in _shown(screen)
        await pilot.press("N")
        await settle(pilot)
        assert "It is 8." in _shown(screen)


async def test_from_a_failure_to_the_next_is_one_key(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, 2)
        await pilot.press("N")
        await settle(pilot)
        assert screen.sample is not None
        assert screen.sample.test_id == "headache"
        await pilot.press("P")
        await settle(pilot)
        assert screen.sample.test_id == "big_orders"
        await pilot.press("n")
        await settle(pilot)
        assert screen.sample.status == "passed"
        await pilot.press("p", "p")
        await settle(pilot)
        assert screen.sample.test_id == "two_cities"


async def test_at_the_end_of_the_list_it_says_so(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = await opened(app, store, pilot, 5)
        for key, words in (("n", "this is the last test of the list"), ("N", "no failure after this one")):
            await pilot.press(key)
            await settle(pilot)
            assert screen.sample is not None
            assert screen.sample.test_id == "limits"
            assert [notice.message for notice in app._notifications] == [words]


async def test_one_test_alone_stands_among_all_of_its_run(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        run = store.run("r", samples=story())
        ids = store.manager.reader.head_ids(run)
        screen = TranscriptScreen(store.path, run, [ids[1]], 0)
        await app.push_screen(screen)
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert screen.sample is not None
        assert screen.sample.test_id == "big_orders"


async def test_a_search_unfolds_what_it_finds_and_n_goes_on(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot)
        await pilot.press("slash", *"zz", "enter")
        await settle(pilot)
        assert len(screen.view.matches) == 0
        await pilot.press("slash", "ctrl+u", *"only", "enter")
        await settle(pilot)
        section = screen.view.section
        assert section is not None
        assert section.key == "pass2.1.prompt"
        assert not section.folded
        assert (screen.view.current, len(screen.view.matches)) == (0, 12)
        await pilot.press("n")
        assert screen.view.current == 1
        await pilot.press("N", "N")
        assert screen.view.current == 11
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is screen
        await pilot.press("n")
        await settle(pilot)
        assert screen.sample is not None
        assert screen.sample.test_id == "two_cities"


async def test_enter_folds_and_folds_are_kept_from_test_to_test(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot)
        await _to_response(screen, pilot)
        await pilot.press("enter")
        assert "Let x be" not in _shown(screen)
        await pilot.press("n")
        await settle(pilot)
        assert [section.folded for section in screen.view.sections if section.key == "response"] == [True]


async def test_fold_all_leaves_response_and_verdict(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot)
        await pilot.press("z")
        assert {section.key for section in screen.view.sections if not section.folded} == {"response", "verdict"}
        await pilot.press("z")
        assert not any(section.folded for section in screen.view.sections)


async def test_y_sends_the_part_to_the_terminal(
    store: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await _to_response(await opened(app, store, pilot), pilot)
        driver = app._driver
        assert driver is not None
        sent: list[str] = []
        monkeypatch.setattr(driver, "write", sent.append)
        await pilot.press("y")
        payload = "".join(sent).partition("]52;c;")[2].partition("\x07")[0]
        assert base64.b64decode(payload).decode() == t.RESPONSE
        assert any("sent to the terminal" in notice.message for notice in app._notifications)


async def test_w_writes_the_transcript_and_never_over_a_file(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await opened(app, store, pilot)
        await pilot.press("w")
        await settle(pilot)
        await pilot.press("w", "r")
        await settle(pilot)
        await pilot.press("w")
        await settle(pilot)
    assert "12.5 litres" in (tmp_path / "r-math-3-mixture.txt").read_text()
    assert (tmp_path / "r-math-3-mixture-2.txt").exists()
    assert (tmp_path / "r-math-3-mixture.json").read_text().startswith("{")


async def test_markdown_and_raw_are_a_key_each(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        screen = await opened(app, store, pilot, 4)
        assert "**water**" in _shown(screen)
        await pilot.press("m")
        await settle(pilot)
        assert "**water**" not in _shown(screen)
        assert "Drink water" in _shown(screen)
        await pilot.press("m", "r")
        await settle(pilot)
        assert screen.view.sections[0].key == "raw"
        await pilot.press("r")
        await settle(pilot)
        assert screen.view.sections[0].key != "raw"
        await pilot.press("r")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is screen
        assert screen.view.sections[0].key != "raw"
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is not screen


async def test_resizing_keeps_the_place(store: StoreMaker, make_app: MakeApp) -> None:
    lines = "\n".join(f"line {number} " + "word " * (number % 40) for number in range(3000))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[t.mixture(response=lines)])
        view = screen.view
        view.search("line 2000 ")
        place = view._layout.place(view._cursor)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        after = view._layout.place(view._cursor)
        assert (after.section, after.block) == (place.section, place.block)
        assert after.offset <= place.offset
        assert "line 2000 " in _shown(screen)


async def test_ten_megabytes_open_at_once_and_scroll(store: StoreMaker, make_app: MakeApp) -> None:
    text = "\n".join(f"{number} " + "naïve words " * (number % 30) for number in range(60_000))[:10_000_000]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[t.mixture(response=text, details={})])
        started = time.perf_counter()
        for key in ("G", "g", "ctrl+d", "j", "k", "ctrl+u"):
            await pilot.press(key)
        assert time.perf_counter() - started < 3.0
        view = screen.view
        view._select(view._layout.height // 2)
        rows = []
        for _ in range(200):
            found = view._layout.at(view._cursor)
            rows.append(found.row)
            view.action_move(-1)
        assert rows == sorted(set(rows), reverse=True)


async def test_a_test_that_still_runs_is_followed_to_its_verdict(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    waiting = sample("math", 3, 3, "running", test_id="mixture")
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[waiting])
        assert "being asked now" in _shown(screen)
        store.finish(store.run_id("r"), "mixture", "passed", response="It is 15.")
        screen.refresh_now()
        await settle(pilot)
        assert "It is 15." in _shown(screen)


@pytest.mark.long
@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_text_leaves_no_control_byte_on_the_screen(
    store: StoreMaker, make_app: MakeApp, text: str
) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        item = t.mixture(
            response=text, prompt=text, test_id=text, details=details_of([Compared(text, text, why=text)], {})
        )
        screen = await opened(app, store, pilot, samples=[item])
        assert is_harmless(_shown(screen))


async def test_a_deleted_run_is_said_to_be_gone(store: StoreMaker, make_app: MakeApp) -> None:
    app = make_app()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await app.push_screen(TranscriptScreen(store.path, 99, [99], 0))
        await settle(pilot)
        assert any("is gone" in notice.message for notice in app._notifications)


async def test_the_wheel_takes_the_selection_along(store: StoreMaker, make_app: MakeApp) -> None:
    lines = "\n".join(f"line {number}" for number in range(500))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[t.mixture(response=lines, details={})])
        view = screen.view
        view.scroll_to(y=200, animate=False, immediate=True)
        await pilot.pause()
        assert 200 <= view._cursor < 200 + view.size.height
        await pilot.press("j")
        assert view.scroll_offset.y == 200


async def test_a_large_transcript_is_shown_without_its_messages_first_and_then_whole(
    store: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[list[str]] = []
    show = TranscriptView.show

    def seen(view: TranscriptView, sections: Sequence[Section], **how: Any) -> None:
        shown.append([section.key for section in sections])
        show(view, sections, **how)

    monkeypatch.setattr(TranscriptView, "show", seen)
    large = t.weather()
    large.transcript[-1]["content"] = "word " * (LARGE // 5)
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(app, store, pilot, samples=[large])
        assert screen.sample is not None
        assert len(screen.sample.transcript) == len(large.transcript)
        first, whole = shown
        assert {"reading", "prompt", "response"} <= set(first)
        assert "reading" not in whole
        assert any(key.startswith("tools.") for key in whole)
