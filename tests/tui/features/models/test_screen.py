"""The list of models by name: what is wrong with each, and what its keys do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from modex.core.config.entries.places import files
from modex.tui.app import At
from modex.tui.features.models.form import ModelFormScreen
from modex.tui.features.models.reading import ModelRow
from modex.tui.features.models.screen import ModelsScreen
from modex.tui.screens.ask import AskScreen
from modex.tui.screens.new_run import NewRunScreen
from tests.server import Reply, ServerHandle, serve
from tests.tui.conftest import MakeApp, seen, settle, shows

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def no_servers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens at the usual ports of the machine, whatever does."""
    monkeypatch.setattr("modex.core.llm.discovery.find_local_servers", list)


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve(lambda _request: Reply("ready")) as handle:
        yield handle


def written(text: str) -> Path:
    path = files(None)[0][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def at(server: ServerHandle, name: str = "small", more: str = "") -> str:
    return f'[models.{name}]\nmodel = "openai/test-model"\napi_base = "{server.url}"\n{more}\n'


def rows(screen: ModelsScreen) -> dict[str, tuple[str, ...] | None]:
    return {row.name: row.problems for row in screen.rows}


async def test_entries_stand_first_with_what_is_wrong_and_the_first_is_told_whole(
    server: ServerHandle, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GONE_KEY", raising=False)
    path = written(at(server, more='params = { temperature = 0.5 }') + at(server, "keyless", 'api_key_env = "GONE_KEY"')
                   + '[models.file]\ngguf = "not-there.gguf"\n')  # fmt: skip
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ModelsScreen)
        found = rows(screen)
        assert list(found)[:4] == ["small", "keyless", "file", "demo"]
        assert found["small"] == ()
        assert found["keyless"] == ("GONE_KEY, which holds its key, is not set: export GONE_KEY=…",)
        assert found["file"] == (f"{path.parent / 'not-there.gguf'} is not there; correct the path",)
        text = seen(app)
        assert "3 entries, 2 to mend" in text.splitlines()[0]
        assert f"openai/test-model at {server.url}" in text
        assert "temperature 0.5" in text
        await pilot.press("j")
        await settle(pilot)
        assert "GONE_KEY is not set" in seen(app)


async def test_a_key_asks_the_model_one_question_and_says_how_it_went(server: ServerHandle, make_app: MakeApp) -> None:
    written(at(server))
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert shows(app, ModelsScreen)  # it is on this machine: nobody is asked whether it may cost
        assert [request.model for request in server.requests] == ["test-model"]
        assert "answers in " in seen(app)
        server.behave(Reply(status=401, body={"error": {"message": "Incorrect API key"}}))
        await pilot.press("enter")
        await settle(pilot)
        assert "the key was refused" in seen(app)


async def test_what_a_model_takes_stands_beside_the_list_before_anything_is_tried(
    server: ServerHandle, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPU1_KEY", "x")
    written(at(server, more='api_key_env = "GPU1_KEY"\nprices = { input = 0.1, output = 0.4 }'))
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        await settle(pilot)
        lines = seen(app).splitlines()
        (beside,) = (line for line in lines if "GPU1_KEY is set" in line)
        assert beside.index("key") > 58
        (row,) = (line for line in lines if " small " in line)
        assert "0.1/0.4" in row[:60] or server.url.partition("://")[2] in row[:60]
        assert "not asked yet: t asks one short question" in seen(app)
        await pilot.press("t")
        await settle(pilot)
        assert f"{app.frame.wall():%H:%M} answers in " in seen(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        (below,) = (line for line in seen(app).splitlines() if "GPU1_KEY is set" in line)
        assert below.startswith(" key")


async def test_a_model_elsewhere_is_asked_only_after_a_yes(make_app: MakeApp) -> None:
    written('[models.far]\nmodel = "openai/gpt-5-mini"\napi_key_env = "GONE_KEY"\n')
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert shows(app, AskScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert shows(app, ModelsScreen)
        assert "GONE_KEY, which holds its key" in seen(app)


async def test_a_suites_entry_acts_after_a_yes_that_is_kept(
    server: ServerHandle, make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUITE_KEY", "key-of-suite-0123456789")
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "models.toml").write_text(at(server, "theirs", 'api_key_env = "SUITE_KEY"'))
    monkeypatch.setenv("MODEX_SUITE", str(suite))
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert server.hits == 0
        await pilot.press("t")
        await settle(pilot)
        assert "sends what SUITE_KEY holds to" in seen(app)
        await pilot.press("y")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ModelsScreen)
        assert rows(screen)["theirs"] == ()
        assert {request.key for request in server.requests} == {"key-of-suite-0123456789"}


async def test_an_entry_is_taken_out_after_a_yes_and_what_is_built_in_is_not(
    server: ServerHandle, make_app: MakeApp
) -> None:
    path = written("# mine\n" + at(server) + at(server, "other"))
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("D", "y")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ModelsScreen)
        assert list(rows(screen))[:2] == ["other", "demo"]
        assert path.read_text() == "# mine\n" + at(server, "other")
        await pilot.press("j", "D")
        await settle(pilot)
        assert "it is built in" in seen(app)


async def test_a_file_with_mistakes_is_said_with_its_lines_and_read_again(
    server: ServerHandle, make_app: MakeApp
) -> None:
    path = written('[models.a]\nmodle = "x/y"\n')
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(100, 24), notifications=True) as pilot:
        await settle(pilot)
        assert "did you mean model?" in seen(app).replace("\n", " ")
        await pilot.press("t")
        await settle(pilot)
        assert "no model is listed" in seen(app)
        path.write_text(at(server))
        await pilot.press("r")
        await settle(pilot)
        assert "small" in seen(app)


async def test_a_model_that_was_found_is_named_by_the_form_with_what_is_known(
    server: ServerHandle, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "modex.tui.features.models.screen.found_rows",
        lambda _rows: [ModelRow("qwen", "openai/qwen", given={"model": "openai/qwen", "api_base": server.url})],
    )
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        assert "it has no name yet" in seen(app)
        await pilot.press("enter")
        await settle(pilot)
        assert shows(app, ModelFormScreen)
        await pilot.press("w")
        await settle(pilot)
        assert shows(app, ModelsScreen)
        assert files(None)[0][0].read_text() == (f'[models.qwen]\nmodel = "openai/qwen"\napi_base = "{server.url}"\n')


async def test_the_form_that_is_left_writes_nothing(server: ServerHandle, make_app: MakeApp) -> None:
    path = written(at(server))
    app = make_app(At(ModelsScreen))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("a", "q")
        await settle(pilot)
        assert shows(app, ModelsScreen)
        await pilot.press("a", "enter", "x", "enter", "escape", "y")
        await settle(pilot)
        assert shows(app, ModelsScreen)
    assert path.read_text() == at(server)


async def test_a_key_plans_a_run_with_the_model(server: ServerHandle, make_app: MakeApp) -> None:
    written(at(server))
    app = make_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("m")
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot)
        assert isinstance(app.screen, NewRunScreen)
        assert app.screen.plan.models == ("small",)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_screen(
    make_app: MakeApp, snap_compare: Compare, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr("modex.tui.features.models.reading.find_weights", lambda: None)
    monkeypatch.delenv("GPU1_KEY", raising=False)
    written(
        '[models.large]\nmodel = "openai/Qwen/Qwen2.5-7B"\napi_base = "http://127.0.0.1:9/v1"\n\n'
        '[models.small]\nmodel = "openai/Qwen/Qwen2.5-0.5B"\napi_base = "http://gpu1:8000/v1"\napi_key_env = "GPU1_KEY"\n'
        "params = { temperature = 0.2, max_tokens = 512 }\nprices = { input = 0.10, output = 0.40 }\n"
    )
    assert snap_compare(make_app(At(ModelsScreen)), press=["j", "j", "j"], terminal_size=size, run_before=settle)
