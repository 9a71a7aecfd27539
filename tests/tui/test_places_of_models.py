"""Every place that takes a model takes an entry's name: the entry's server is asked, with its key, and a slip of the pen is said.

`PLACES` says how each is tried. What takes a model and stands in no row fails the first test, with its name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from textual import events
from textual.pilot import Pilot

from modex.core.config.entries.places import files
from modex.core.config.options import FORM, OPTIONS
from modex.tui.cli import COMMANDS, cli
from modex.tui.screens.live import LiveScreen
from modex.tui.screens.new_run import NewRunScreen
from modex.tui.screens.runs import RunsScreen
from modex.tui.serving.protocol import Server
from modex.tui.serving.tools import Tools
from modex.tui.widgets.edit import Edit
from tests.cli import Called, call, keyword_tests, reading, write_suite
from tests.faults.harness import wait_until
from tests.server import Reply, Request, ServerHandle, serve
from tests.tui.conftest import MakeApp, seen, settle
from tests.tui.screens.test_new_run import go_to

ROLES = ("model", "judge_model", "extractor_model", "user_model")
"""What a run asks a model for, by the options' names; each has an entry of its name and a server of its own."""
Names = Mapping[str, str]
"""The name that is given for each role."""
SLIP = "x"
"""Behind a name: nobody is called so, and it is clear who is meant."""


def answers(request: Request) -> Reply:
    """What judges, readers of answers, users and models under test say."""
    if "Your verdict" in request.prompt:
        return Reply('{"reason": "so it is", "score": 1}')
    return Reply("It is four, because two and two are.")


@dataclass(slots=True)
class World:
    """An entry and a server for each role, one server that none of them means, a suite, and a database."""

    root: Path
    servers: dict[str, ServerHandle]

    @property
    def suite(self) -> Path:
        return self.root / "suite"

    def __call__(self, *words: object) -> Called:
        return call(*map(str, words), "--db", self.root / "modex.db")

    def asked(self) -> dict[str, set[tuple[str, str]]]:
        """Who was asked, for which model and with which key."""
        return {
            role: {(one.model, one.key) for one in server.requests}
            for role, server in self.servers.items()
            if server.hits
        }

    def stored(self) -> None:
        """A run `e` of the server that no entry means, with failed answers; nobody was asked for it, as it were."""
        done = self("run", *self.elsewhere(), "--suite", self.suite, "--test", "t0", "--exp-id", "e", "--headless")
        assert done.code in (0, 1), done.err
        self.servers["none"].forget()

    def elsewhere(self) -> tuple[str, ...]:
        return ("--model", "openai/none", "--api-base", self.servers["none"].url)


TESTS: list[dict[str, Any]] = [
    {"id": "j", "prompt": "Why?", "expected": "because", "evaluator_id": "llm_judge"},
    {"id": "x", "prompt": "What is 2+2?", "expected": 4, "evaluator_id": "two_pass"},
    {"id": "u", "prompt": "Hello.", "expected": {"keywords": ["four"]}, "rollout": "conversation",
     "simulated_user": {"goal": "You want to know what 2 and 2 are.", "max_turns": 2}},
    *keyword_tests(1, word="never"),
]  # fmt: skip


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    write_suite(tmp_path / "suite", TESTS, system_prompt="Be exact.")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-nobody-0123456789")
    servers = {role: serve(answers) for role in (*ROLES, "none")}
    text = ""
    for role in ROLES:
        monkeypatch.setenv(f"{role.upper()}_KEY", key_of(role))
        text += f'[models.{entry(role)}]\nmodel = "openai/wire-{role}"\napi_base = "{servers[role].url}"\n'
        text += f'api_key_env = "{role.upper()}_KEY"\n\n'
    path = files(None)[0][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    yield World(tmp_path, servers)
    for server in servers.values():
        server.close()


def entry(role: str) -> str:
    return f"my-{role}"


def key_of(role: str) -> str:
    return f"key-of-{role}-0123456789"


def flag(role: str) -> str:
    return f"--{role.replace('_', '-')}"


def helpers(names: Names) -> list[str]:
    """The flags of all roles but the first."""
    return [word for role in names if role != "model" for word in (flag(role), names[role])]


# How each place is tried.


def run(world: World, names: Names) -> str:
    return world("run", "--model", names["model"], *helpers(names), "--suite", world.suite, "--headless").err


def race(world: World, names: Names) -> str:
    other = ("openai/none",)
    bases = ("--api-base", "", "--api-base", world.servers["none"].url)
    words = ("--suite", world.suite, "--headless", *bases)
    return world("race", names["model"], *other, *helpers(names), *words).err


def ablate(world: World, names: Names) -> str:
    return world("ablate", names["model"], "--layer", "domain", *helpers(names), "--suite", world.suite).err


def choose(world: World, names: Names) -> str:
    bases = ("--api-base", "", "--api-base", world.servers["none"].url)
    write_suite(world.suite, [{**one, "id": f"{one['id']}{n}"} for one in TESTS[:3] for n in range(3)])
    return world("choose", names["model"], "openai/none", world.suite, *bases, *helpers(names), "--headless").err


def by_file(world: World, names: Names) -> str:
    """As values of `modex run --config FILE`."""
    lines = [f"{name} = {json.dumps([value] if name.endswith('e_model') else value)}" for name, value in names.items()]
    (world.root / "run.toml").write_text("\n".join(lines))
    return world("run", "--config", world.root / "run.toml", "--suite", world.suite, "--headless").err


def by_settings(world: World, names: Names) -> str:
    """As variables, which are read as lines of the settings' file are."""
    with pytest.MonkeyPatch.context() as patch:
        for role, name in names.items():
            patch.setenv(f"MODEX_{role.upper()}", name)
        return world("run", "--suite", world.suite, "--headless").err


def import_answers(world: World, names: Names) -> str:
    path = world.root / "answers.jsonl"
    path.write_text("".join(json.dumps({"test_id": one["id"], "answer": "Four."}) + "\n" for one in TESTS))
    named = [word for role in names for word in (flag(role), names[role])]
    return world("import", "answers", path, "--suite", world.suite, *named).err


def judge(world: World, names: Names) -> str:
    world("run", *world.elsewhere(), "--suite", world.suite, "--until", "rollout", "--exp-id", "e", "--headless")
    world.servers["none"].forget()
    return world("judge", "e", *helpers(names)).err


def saying(*words: str, of_a_run: bool = False) -> Callable[[World, Names], str]:
    """A command in which the names stand; on a stored run `e`, where it is about one."""

    def go(world: World, names: Names) -> str:
        if of_a_run:
            world.stored()
        return world(*(word.format(**names) for word in words)).err

    return go


def models_test(world: World, names: Names) -> str:
    del world
    return call("models", "test", names["model"]).err


def noise(world: World, names: Names) -> str:
    words = ("run", "--model", names["model"], "--suite", world.suite, "--test", "t0", "--exp-id", "e", "--headless")
    done = world(*words)
    if done.code == 2:
        return done.err
    world.servers["model"].forget()
    return world("noise", "e", "--times", "1").err


def run_ended(world: World) -> bool:
    with reading(world.root / "modex.db") as reader:
        return all(one.state not in ("starting", "running") for one in reader.runs())


def by_agent(world: World, names: Names) -> str:
    server = Server(Tools(world.root / "modex.db").all())

    def tool(name: str, **given: Any) -> Any:
        told = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}
        return json.loads(str(server.answer(json.dumps(told))))["result"]

    planned = tool("plan", model=names["model"], suite=str(world.suite), tests=["t0"])
    if planned.get("isError"):
        return str(planned["content"][0]["text"])
    tool("run", plan=planned["structuredContent"]["plan"], max_cost_usd=1, exp_id="e")
    wait_until(lambda: run_ended(world), "the run is over")
    return ""


@dataclass(frozen=True, slots=True)
class Place:
    """How one command, or another thing, is tried."""

    go: Callable[[World, Names], str]
    """Give the names; what is said to the person."""
    roles: tuple[str, ...] = ("model",)
    """What it takes names for."""
    said: str = "{place} {flag}"
    """What `found()` calls each."""

    def names(self, place: str) -> set[str]:
        return {self.said.format(place=place, flag=flag(role), role=role) for role in self.roles}


PLACES: dict[str, Place] = {
    "run": Place(run, ROLES),
    "race": Place(race, ROLES),
    "ablate": Place(ablate, ROLES),
    "choose": Place(choose, ROLES),
    "import answers": Place(import_answers, ROLES[1:3]),
    "judge": Place(judge, ROLES[1:3]),
    "speed": Place(saying("speed", "--model", "{model}", "--requests", "1", "--concurrency", "1")),
    "summarize": Place(saying("summarize", "e", "--model", "{model}", of_a_run=True)),
    "review": Place(saying("review", "e", "--propose", "--model", "{model}", "--json", of_a_run=True)),
    "models test": Place(models_test, said="{place} NAME"),
    "noise": Place(noise, said="{place} of a run"),
    "--config": Place(by_file, ROLES, "{place} {role}"),
    "settings": Place(by_settings, ROLES, "{place} {role}"),
    "mcp": Place(by_agent, said="{place} plan {role}"),
}
NO_MODEL = {
    "exp_id": "a run", "filters": "a condition", "tests": "tests", "agent": "somebody's own program", "gguf": "a file",
    "api_base": "an address", "user_api_base": "an address", "judge_api_base": "an address",
    "extractor_api_base": "an address", "evaluator": "an evaluator", "preset": "a benchmark", "seed": "a number",
    "judge_repeats": "a number", "judge_settle": "one of some words", "no_judge": "yes or no",
    "runs --model": "a part of a model's name", "import youtu --model": "who answered, who is not asked",
    "models add --model": "what the entry stands for",
    "import answers --model": "who answered, whatever that is; PASS 2 asks it where nobody else is named",
}  # fmt: skip
"""What speaks of models and takes none, by its name or by command and flag."""


def about_models(*words: str) -> bool:
    return any(word in " ".join(words).lower() for word in ("model", "judge", "extractor"))


def commands(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    yield " ".join(words), command
    if isinstance(command, click.Group):
        for name in COMMANDS if command is cli else command.list_commands(click.Context(command)):
            below = command.get_command(click.Context(command), name)
            assert below is not None
            yield from commands(below, (*words, name))


def found() -> set[str]:
    """Whatever speaks of models and takes a text: options and arguments of commands, fields of agents' tools, rows of the form,
    settings, lines of `--config`."""
    names = set()
    for words, command in commands(cli):
        for one in command.params:
            is_text = isinstance(one.type, click.types.StringParamType) and not getattr(one, "is_flag", False)
            told = getattr(one, "help", None) or ""
            said = f"{words} {one.opts[0]}" if isinstance(one, click.Option) else f"{words} {str(one.name).upper()}"
            if is_text and about_models(str(one.name), told) and not {str(one.name), said} & NO_MODEL.keys():
                names.add(said)
    for tool in Tools(Path("none.db")).all():
        names |= {f"mcp {tool.name} {field}" for field in tool.properties if about_models(field)}
    for option in OPTIONS:
        if option.kind == "text" and about_models(option.name, option.help) and option.name not in NO_MODEL:
            names.add(f"--config {option.name}")
            if option.setting:
                names.add(f"settings {option.name}")
            if option in FORM:
                names.add(f"form {option.name}")
    return names


OTHERS = {"noise of a run", "models test NAME", "models remove NAME"}
"""What takes a model without speaking of one."""


def test_every_place_that_takes_a_model_is_tried_below() -> None:
    tried = {name for place, one in PLACES.items() for name in one.names(place)}
    assert tried | {f"form {role}" for role in ROLES} == found() | OTHERS - {"models remove NAME"}


@pytest.mark.parametrize(
    "place", [pytest.param(one, marks=pytest.mark.process if one == "mcp" else ()) for one in PLACES]
)
def test_an_entrys_name_is_taken_and_its_server_asked_with_its_key(world: World, place: str) -> None:
    tried = PLACES[place]
    said = tried.go(world, {role: entry(role) for role in tried.roles})
    asked = world.asked()
    asked.pop("none", None)  # the other model of a race
    assert asked == {role: {(f"wire-{role}", key_of(role))} for role in tried.roles}, said


@pytest.mark.parametrize(("place", "role"), [(place, role) for place, one in PLACES.items() for role in one.roles])
def test_a_slip_of_the_pen_is_answered_with_the_entrys_name_and_nobody_is_asked(
    world: World, place: str, role: str
) -> None:
    tried = PLACES[place]
    said = tried.go(world, {one: entry(one) + (SLIP if one == role else "") for one in tried.roles})
    assert f"did you mean {entry(role)}" in said
    assert world.asked() == {}


async def typed(pilot: Pilot[int], text: str) -> None:
    pilot.app.post_message(events.Paste(text))
    await pilot.press("enter")
    await settle(pilot)


async def planned_with(world: World, pilot: Pilot[int], names: Names) -> NewRunScreen:
    """The form of a new run, with the names typed into its rows."""
    screen = NewRunScreen(world.root / "modex.db")
    await pilot.app.push_screen(screen)
    await settle(pilot)
    for role, name in names.items():
        go_to(screen, role)
        await pilot.press("enter")
        await pilot.pause()
        await typed(pilot, name)
    return screen


@pytest.mark.process
async def test_the_form_takes_an_entrys_name_in_each_of_its_rows(
    world: World, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_SUITE", str(world.suite))
    app = make_app()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await planned_with(world, pilot, {role: entry(role) for role in ROLES})
        await pilot.press("s")
        await settle(pilot)
        assert isinstance(app.screen, LiveScreen), seen(app)
        while app.screen.panel.run is None or app.screen.panel.run.state in ("starting", "running"):
            app.screen.refresh_now()
            await settle(pilot)
    assert world.asked() == {role: {(f"wire-{role}", key_of(role))} for role in ROLES}


@pytest.mark.parametrize("role", ROLES)
async def test_the_form_answers_a_slip_of_the_pen_with_the_entrys_name(
    world: World, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    monkeypatch.setenv("MODEX_SUITE", str(world.suite))
    app = make_app()
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await planned_with(world, pilot, {one: entry(one) + (SLIP if one == role else "") for one in ROLES})
        await pilot.press("s")
        await settle(pilot)
        assert isinstance(app.screen, NewRunScreen)
        assert f"did you mean {entry(role)}" in seen(app), seen(app)


@pytest.mark.process
async def test_another_judge_on_the_list_of_runs_is_an_entry(world: World, make_app: MakeApp) -> None:
    world(
        "run",
        *world.elsewhere(),
        "--suite",
        world.suite,
        "--test",
        "j",
        "--until",
        "rollout",
        "--exp-id",
        "e",
        "--headless",
    )
    world.servers["none"].forget()
    app = make_app()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        await pilot.press("J", "m")
        await settle(pilot)
        assert app.screen.query_one(Edit).display
        await typed(pilot, entry("judge_model") + SLIP)
        assert f"did you mean {entry('judge_model')}" in seen(app), seen(app)
        await pilot.press("J", "m")
        await settle(pilot)
        await typed(pilot, entry("judge_model"))
        wait_until(lambda: world.servers["judge_model"].hits > 0, "the judge is asked")
    wait_until(lambda: run_ended(world), "the run is over")
    assert world.asked() == {"judge_model": {("wire-judge_model", key_of("judge_model"))}}
