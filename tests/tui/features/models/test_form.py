"""The form of a model by name: what is typed, what it comes to, and what is written."""

from __future__ import annotations

import shlex
from pathlib import Path

from modex.core.config.entries.places import files
from modex.core.config.entries.reading import read_entries
from modex.tui.app import At
from modex.tui.features.models.form import FIELDS, ModelFormScreen
from modex.tui.screens.ask import AskScreen
from tests.cli import call
from tests.tui.conftest import MakeApp, seen, settle, shows


def down_to(key: str) -> list[str]:
    """The keys that open the line of a field from the first one."""
    return ["g", *"j" * [field.key for field in FIELDS].index(key), "enter"]


def typed(key: str, text: str) -> list[str]:
    names = {" ": "space", "/": "slash", ":": "colon", ".": "full_stop", "=": "equals_sign", "-": "minus"}
    return [*down_to(key), *(names.get(letter, letter) for letter in text), "enter"]


async def test_the_entry_is_written_as_the_command_would_write_it(make_app: MakeApp) -> None:
    app = make_app(At(lambda: ModelFormScreen(None)))
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        for key, text in (
            ("name", "small"),
            ("model", "openai/m"),
            ("api_base", "http://127.0.0.1:9/v1"),
            ("params.temperature", "0.5"),
            ("concurrency", "3"),
            ("more", "params.top_p=0.9"),
        ):
            await pilot.press(*typed(key, text))
            await settle(pilot)
        said = [line.strip() for line in seen(app).splitlines()]
        start = next(at for at, line in enumerate(said) if line.startswith("modex models add"))
        command = " ".join(line for line in said[start:-1] if line)
        await pilot.press("w")
        await settle(pilot)
    path = files(None)[0][0]
    text = path.read_text()
    assert text == (
        '[models.small]\nmodel = "openai/m"\napi_base = "http://127.0.0.1:9/v1"\nconcurrency = 3\n'
        "params = { temperature = 0.5, top_p = 0.9 }\n"
    )
    path.unlink()
    assert call(*shlex.split(command)[1:]).code == 0
    assert path.read_text() == text


async def test_a_value_that_cannot_be_is_said_and_stays_to_be_corrected(make_app: MakeApp) -> None:
    app = make_app(At(lambda: ModelFormScreen(None)))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ModelFormScreen)
        await pilot.press(*typed("api_base", "gpu1"))
        await settle(pilot)
        assert "must be an address" in seen(app)
        assert "gpu1" in seen(app)
        assert "api_base" not in screen.values
        await pilot.press("escape")
        await pilot.press(*typed("name", "a/b"))
        await settle(pilot)
        assert "is no name" in seen(app)
        await pilot.press("escape", *typed("more", "params.temprature=1"))
        await settle(pilot)
        assert "did you mean params.temperature?" in seen(app).replace("\n", "")


async def test_nothing_is_written_before_there_is_a_name_and_a_model(make_app: MakeApp) -> None:
    app = make_app(At(lambda: ModelFormScreen(None)))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "w write" not in seen(app)
        await pilot.press("w")
        await settle(pilot)
        assert "give it a name" in seen(app)
        await pilot.press(*typed("name", "a"), *typed("gguf", "mine.gguf"))
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ModelFormScreen)
        assert screen.check_action("write", ()) is True
        await pilot.press("escape")
        await settle(pilot)
        assert shows(app, AskScreen)
    assert not files(None)[0][0].exists()


async def test_a_name_that_is_there_is_said_and_the_form_stays(make_app: MakeApp) -> None:
    path = files(None)[0][0]
    path.write_text('[models.a]\nmodel = "x/y"\n')
    app = make_app(At(lambda: ModelFormScreen(None, "a", {"model": "x/z"})))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("w")
        await settle(pilot)
        assert shows(app, ModelFormScreen)
        assert "is there already" in seen(app).replace("\n", " ")
    assert path.read_text() == '[models.a]\nmodel = "x/y"\n'


async def test_the_suites_file_is_written_where_that_is_chosen(make_app: MakeApp, tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()
    app = make_app(At(lambda: ModelFormScreen(str(suite), "a", {"model": "x/y"})))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("G", "enter", "w")
        await settle(pilot)
    assert list(read_entries(suite / "models.toml", "suite")) == ["a"]
    assert not files(None)[0][0].exists()
