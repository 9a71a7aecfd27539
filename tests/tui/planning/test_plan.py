from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from modex.core.config.options import BY_NAME
from modex.core.config.runconfig import RunConfig
from modex.core.suite.definitions import Location, TestCase
from modex.tui.planning.plan import ChosenTests, RunPlan, fewest, named_database, spans
from modex.tui.reading.suite import Leaf
from tests.rows import each_row


def _leaf(domain: str, level: int, number: int, group: str = "") -> Leaf:
    test = TestCase("suite", domain, level, f"t{number}", "?", 1, "two_pass", Location("a.json"))
    return Leaf(test, group or domain)


LEAVES = [_leaf(domain, level, n) for domain in ("math", "sql") for level in (1, 2) for n in (1, 2)]
LEAVES += [_leaf("market", 1, n, group="crypto") for n in (1, 2)]
OFF = {"crypto"}


@each_row(
    ("chosen", "flags"),
    [
        (set(range(8)), ChosenTests()),
        ({0, 1, 2, 3}, ChosenTests(domains=("math",))),
        ({0, 1, 4, 5}, ChosenTests(levels=(1,))),
        ({2, 3}, ChosenTests(("math",), (2,))),
        (set(range(10)), ChosenTests(domains=("math", "sql", "crypto"))),
        ({8, 9}, ChosenTests(domains=("crypto",))),
        (set(range(8)) - {3}, ChosenTests(exclude_tests=("math/2/t2",))),
        (set(range(8)) - {3, 6, 7}, ChosenTests(exclude_tests=("math/2/t2", "sql/2/t1", "sql/2/t2"))),
        ({0, 7}, ChosenTests(tests=("math/1/t1", "sql/2/t2"))),
        (set(), ChosenTests()),
    ],
)
def test_a_choice_is_said_in_the_fewest_flags(chosen: set[int], flags: ChosenTests) -> None:
    assert fewest(LEAVES, chosen, OFF) == flags


def test_levels_are_said_as_ranges() -> None:
    assert spans((1, 2, 3, 5)) == ["1-3", "5"]


def test_what_holds_where_nothing_is_typed_is_what_the_entries_of_its_models_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.toml").write_text(
        '[models.large]\nmodel = "openai/l"\napi_base = "http://gpu1:8000/v1"\nparams.temperature = 0.2\n'
        '[models.own]\ngguf = "own.gguf"\n'
    )
    monkeypatch.setenv("MODEX_MODELS", str(tmp_path / "models.toml"))
    plan = RunPlan({"model": ["large"]})
    names = ("api_base", "temperature", "max_tokens", "epochs")
    assert [plan.default_words(BY_NAME[name]) for name in names] == [
        "http://gpu1:8000/v1", "0.2", "the provider's own", "1",
    ]  # fmt: skip
    plan.values["model"] = ["large", "own", "openai/gpt-5"]
    assert plan.default_words(BY_NAME["api_base"]) == "http://gpu1:8000/v1, served by modex, the provider's own"
    for name in ("smollm2", "gguf:/weights/small.gguf"):
        plan.values["model"] = [name]
        assert plan.default_words(BY_NAME["api_base"]) == "served by modex"
    plan.values["model"] = []
    assert plan.default_words(BY_NAME["api_base"]) == "the provider's own"
    (tmp_path / "models.toml").write_text("broken")
    plan.values["model"] = ["large"]
    assert plan.default_words(BY_NAME["api_base"]) == "the provider's own"


def test_the_command_line_is_the_plan() -> None:
    from modex.core.config.configuration import configuration
    from modex.tui.commands.run import run

    plan = RunPlan(chosen=ChosenTests(("math", "a b"), (1, 2)))
    for name, typed in (
        ("model", "openai/gpt-5"), ("filter", "'id~a b'"),
        ("temperature", "0.5"), ("max_tokens", "900"), ("seed", "7"), ("epochs", "3"),
        ("concurrency", "8"), ("judge_model", "one two"), ("max_cost", "1.5"), ("skip_invalid", "yes"),
    ):  # fmt: skip
        plan.set(name, typed)
    words = shlex.split(plan.command())
    assert words[:2] == ["modex", "run"]
    with run.make_context("run", words[2:], help_option_names=["-h", "--help"]) as context:
        options = context.params
    expected = configuration(options["model"][0], options)
    assert isinstance(expected, RunConfig)
    assert configuration(plan.model, plan.options()) == expected


def test_the_command_line_of_a_race_is_what_the_form_races() -> None:
    from modex.tui.features.race.command import race
    from modex.tui.features.race.start import race_configs

    plan = RunPlan(chosen=ChosenTests(("math", "a b"), (1, 2)))
    for name, typed in (
        ("model", "openai/gpt-5 demo"), ("exp_id", "my derby"), ("temperature", "0.5"), ("sample", "40"),
        ("max_cost", "1.5"), ("until", "rollout"), ("judge_model", "one two"),
    ):  # fmt: skip
        plan.set(name, typed)
    words = shlex.split(plan.race_command())
    assert words[:2] == ["modex", "race"]
    with race.make_context("race", words[2:], help_option_names=["-h", "--help"]) as context:
        options = context.params
    models = options["models"]
    assert options["exp_id"] == "my derby"
    assert list(models) == list(plan.models)
    assert race_configs(options, models) == race_configs(plan.options(), plan.models)


def test_commands_name_a_database_that_is_not_the_usual_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, other = tmp_path / "usual.db", tmp_path / "an other.db"
    monkeypatch.setenv("MODEX_DB", str(usual))
    monkeypatch.chdir(tmp_path)
    assert named_database(usual) is named_database(Path("usual.db")) is None
    plan = RunPlan(database=named_database(other))
    plan.set("model", "demo demo/weak")
    for command in (plan.command(), plan.race_command()):
        assert shlex.split(command)[-2:] == ["--db", str(other)]


@each_row(("models", "limit"), [("demo", ""), ("demo demo", ""), ("demo demo/weak", "3")])
def test_what_is_no_race_has_no_command_line(models: str, limit: str) -> None:
    plan = RunPlan()
    plan.set("model", models)
    plan.set("limit", limit)
    assert plan.race_command() == ""


@each_row(("name", "typed"), [("temperature", "hot"), ("temperature", "-1"), ("epochs", "0"), ("concurrency", "1.5")])
def test_what_cannot_be_is_refused_with_what_should_be(name: str, typed: str) -> None:
    with pytest.raises(ValueError, match="number"):
        RunPlan().set(name, typed)


def test_nothing_typed_is_the_default_again() -> None:
    plan = RunPlan()
    plan.set("epochs", "4")
    plan.set("epochs", " ")
    assert plan.values == {}
    assert BY_NAME["epochs"].default_words == "1"
