"""The screen over a worker's shoulder, on a real run."""

from __future__ import annotations

import threading
from pathlib import Path

from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.engine.session import Session
from modex.core.engine.start import prepare_run
from modex.tui.app import ModexApp, Watch
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.watch import WatchScreen
from tests.cli import keyword_tests, write_suite
from tests.server import Reply, Request, Stream, serve
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.stores import StoreMaker


def keys_of(app: ModexApp) -> str:
    """The key line."""
    return seen(app).rstrip().splitlines()[-1]


async def test_v_shows_the_answer_as_it_is_written_and_the_next_worker(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    with serve(Reply(content="word by word ", stream=Stream(endless=True, every_s=0.02))) as server:
        config = RunConfig(
            model=ModelSpec(model="openai/test-model", api_base=server.url),
            selection=Selection(suite=str(write_suite(tmp_path / "suite", keyword_tests(2)))),
            concurrency=2,
            runaway=False,
        )
        prepared = prepare_run(store.path, config, "w")
        session = Session(store.path, "w", lock=prepared.lock)
        thread = threading.Thread(target=session.run)
        thread.start()
        try:
            app = make_app(Watch(("w",)))
            async with app.run_test(size=(80, 24)) as pilot:
                live = app.screen
                assert isinstance(live, LiveScreen)
                while live.panel.run is None or len(live.panel.run.live.get("workers") or ()) < 2:
                    live.refresh_now()
                    await settle(pilot)
                await pilot.press("v")
                while "word by word word" not in seen(app):
                    await pilot.pause(0.05)
                screen = app.screen
                assert isinstance(screen, WatchScreen)
                assert "being written" in seen(app)
                assert "pass 1" in seen(app)
                before = screen.about_sample
                await pilot.press("right")
                assert screen.about_sample != before
                while "word by word" not in seen(app) or "K skip" not in keys_of(app):
                    await pilot.pause(0.05)
                session.stop(grace_s=0.0)
                while "finished" not in seen(app):
                    await pilot.pause(0.05)
                assert "word by word" in seen(app)
                while "K skip" in keys_of(app):
                    await pilot.pause(0.05)
                assert "open" in keys_of(app)
        finally:
            session.stop(grace_s=0.0)
            thread.join(30)
            session.close()


async def test_what_pass_2_writes_stands_apart_from_the_answer_and_stays_when_the_run_is_over(
    store: StoreMaker, make_app: MakeApp, tmp_path: Path
) -> None:
    tests = [{"id": "a", "prompt": "6 times 7?", "expected": "twelve", "evaluator_id": "two_pass"}]
    said = "It may be twelve, or forty-two."

    def behave(request: Request) -> Reply:
        if said in request.prompt:
            return Reply(content="word by word ", stream=Stream(endless=True, every_s=0.02))
        return Reply(content=said)

    with serve(behave) as server:
        config = RunConfig(
            model=ModelSpec(model="openai/test-model", api_base=server.url),
            selection=Selection(suite=str(write_suite(tmp_path / "suite", tests))),
            runaway=False,
        )
        prepared = prepare_run(store.path, config, "w")
        session = Session(store.path, "w", lock=prepared.lock)
        thread = threading.Thread(target=session.run)
        thread.start()
        try:
            app = make_app(Watch(("w",)))
            async with app.run_test(size=(80, 24)) as pilot:
                live = app.screen
                assert isinstance(live, LiveScreen)
                while live.panel.run is None or not live.panel.run.live.get("workers"):
                    live.refresh_now()
                    await settle(pilot)
                await pilot.press("v")
                while "pass 2: word by word" not in seen(app):
                    await pilot.pause(0.05)
                assert seen(app).count(said) == 1
                session.stop(grace_s=0.0)
                while "finished" not in seen(app):
                    await pilot.pause(0.05)
                assert "pass 2: word by word" in seen(app)
        finally:
            session.stop(grace_s=0.0)
            thread.join(30)
            session.close()
