"""Tests of a finished run: asked again, judged again, copied, exported, edited and run again, each by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from modex.core.store.reader import SampleQuery
from modex.tui.app import ModexApp, Watch
from modex.tui.screens.ask import AskScreen
from modex.tui.screens.samples import SamplesScreen
from modex.tui.screens.transcript import TranscriptScreen
from tests.cli import call, reading
from tests.tui.conftest import MakeApp, settle, shows
from tests.tui.stores import StoreMaker, cells
from tests.tui.suites import small_suite

SIZE = (80, 24)


async def press(pilot: Pilot[int], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def question(app: ModexApp) -> str:
    """What is asked, and the answers to it."""
    assert isinstance(app.screen, AskScreen)
    return " ".join(text for line in app.screen.query_one("#question").lines_for(60) for text, _ in line)  # type: ignore[attr-defined]


async def test_marked_tests_are_asked_again_and_the_question_says_what_it_costs(
    store: StoreMaker, make_app: MakeApp
) -> None:
    store.run("r", samples=cells("math ●○○○"), status="completed")
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "t", "j", "space", "space", "a")
        assert "Ask 2 marked tests again?" in question(app)
        assert "about $0.0008" in question(app)
        await press(pilot, "escape", "J")
        assert "judge 2 stored answers again" in question(app)


async def test_nothing_is_asked_again_while_the_run_goes_on(
    store: StoreMaker, make_app: MakeApp, hold: Callable[[str], None]
) -> None:
    store.run("r", samples=cells("math ●○··"), status="running")
    hold("r")
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "t", "a")
        assert shows(app, SamplesScreen)
        assert "going on" in str(next(iter(app._notifications)).message)
        await press(pilot, "enter", "J")
        assert shows(app, TranscriptScreen)


async def test_marked_tests_are_exported_and_no_other(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store.run("r", samples=cells("math ●○○○"), status="completed")
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "t", "space", "j", "space", "x", "c")
        lines = (tmp_path / "r.csv").read_text().splitlines()
        assert len(lines) == 3
        assert (tmp_path / "r.csv").stat().st_mode & 0o777 == 0o600
        assert "math_1_1" in lines[1]
        assert "math_1_3" in lines[2]
        await press(pilot, "enter", "x", "j")
        assert "math_1_4" in (tmp_path / "r.json").read_text()


async def test_each_marked_run_is_exported_and_the_failures_alone_where_they_are_asked_for(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "three"):
        store.run(name, samples=cells("math ●○"), status="completed")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "space", "space", "x")
        assert "2 marked runs" in question(app)
        await press(pilot, "f")
    assert sorted(path.name for path in tmp_path.glob("*.md")) == ["three.md", "two.md"]
    for path in tmp_path.glob("*.md"):
        assert path.stat().st_mode & 0o777 == 0o600
        text = path.read_text().replace("\\", "")
        assert "math_1_2" in text
        assert "math_1_1" not in text


async def test_marked_tests_are_copied_together(
    store: StoreMaker, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr("modex.tui.terminal.clipboard.send", lambda app, text, **_: sent.append(text) or "sent")  # type: ignore[func-returns-value]
    store.run("r", samples=cells("math ●○○○"), status="completed")
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "t", "space", "space", "y")
    assert "math_1_1" in sent[0]
    assert "math_1_2" in sent[0]
    assert "math_1_3" not in sent[0]


@pytest.mark.long
@pytest.mark.process
async def test_an_edited_test_is_run_again_alone_and_its_transcript_stays_in_sight(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_suite(tmp_path / "s")
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    editor = tmp_path / "vim"
    editor.write_text(
        f'#!/bin/sh\necho "$@" >{tmp_path}/opened\nfor last; do :; done\n'
        f'sed \'s/What is/Please: what is/\' "$last" >{tmp_path}/new\ncat {tmp_path}/new >"$last"\n'
    )
    editor.chmod(0o700)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr("modex.tui.terminal.programs.hand_over", _run)
    call("--db", store.path, "run", "--model", "demo", "--suite", root, "--exp-id", "r", "--headless")
    with reading(store.path) as reader:
        run_id = reader.run("r").id
        before = {head.id: head.seq for head in reader.heads(run_id)}
    app = make_app(Watch(("r",)))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "t", "enter", "e")
        assert "was edited" in question(app)
        await press(pilot, "r")
        screen = app.screen
        assert isinstance(screen, TranscriptScreen)
        asked = screen.pane.loaded
        assert asked is not None
        with reading(store.path) as reader:
            while reader.run("r").alive or reader.heads(run_id, SampleQuery(statuses=("pending", "running"))):
                await pilot.pause(0.05)
            after = {head.id: head.seq for head in reader.heads(run_id)}
            assert "Please" in reader.sample(asked.sample.id or 0).prompt
        while not any(
            str(note.message).startswith("run as it is now: passed 1.00, it was") for note in app._notifications
        ):
            await pilot.pause(0.05)
        assert [id_ for id_ in after if after[id_] != before[id_]] == [asked.sample.id]
        assert (tmp_path / "opened").read_text().startswith("+")


def _run(_: object, command: list[str]) -> None:
    import subprocess

    subprocess.run(command, check=True)
