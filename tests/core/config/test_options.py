"""One table of options: whatever reads it has them all."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
import pytest
from pydantic import BaseModel, ValidationError

from modex.core.config.configuration import configuration, options_of
from modex.core.config.entries.keys import KEYS
from modex.core.config.options import (
    BY_NAME,
    FIRST_AT_ONCE,
    FORM,
    MOST_AT_ONCE,
    OPTIONS,
    SETTINGS,
    Option,
    fields_asked,
    merged,
    says,
)
from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection
from modex.core.config.settings import load_settings, read_option_file
from modex.core.foundation.errors import ConfigurationError
from modex.tui.commands.run import run
from tests.rows import each_row

NO_ROW = {
    "domain", "level", "test", "exclude_domain", "exclude_level", "exclude_test",  # chosen in the tree of tests
    "headless", "detach", "no_mouse", "fail_under", "fail_by",  # of the command line alone
}  # fmt: skip
PARTS: dict[str, type[BaseModel]] = {
    "": RunConfig, "model.": ModelSpec, "selection.": Selection, "selection.datasets.": DatasetSpec,
}  # fmt: skip
DERIVED = {
    "sample_seed",
    "planned",
    "path",
    "origin",
    "more_tokens",
    "likelihood_by",
    "agent_folder",
    "entry",
    "gguf_digest",
}
"""Fields that follow from another option (the seed, the dataset, the model's name) or that `resume` alone sets."""
SAMPLES: dict[str, str] = {"text": "x", "whole": "3", "number": "0.5", "switch": "yes"}


def sample(option: Option) -> str:
    """Something that can be given for it."""
    if option.name in ("level", "exclude_level"):
        return "2"
    if option.name == "without_layer":
        return "level"
    if option.name == "require":
        return "2/3"
    return option.choices[0] if option.choices else SAMPLES[option.kind]


def _fields() -> Iterator[tuple[str, Any]]:
    for prefix, part in PARTS.items():
        for name, field in part.model_fields.items():
            if not any(f"{prefix}{name}." == other for other in PARTS) and name not in DERIVED:
                yield prefix + name, field


def test_every_field_of_a_configuration_has_an_option() -> None:
    places = {option.place for option in OPTIONS} | {
        "extractor",
        "user",
        "response_field",
    }  # the last: `import answers`
    places |= {f"model.{key.place.partition('.')[0]}" for key in KEYS}
    missing = {place for place, _ in _fields()} - places
    assert not missing


def test_a_value_of_the_table_is_a_value_of_the_configuration() -> None:
    """Defaults and limits are read from the table; what a choice may be is a type there, and words here."""
    fields = dict(_fields())
    for option in OPTIONS:
        field = fields.get(option.place)
        if field is None or option.kind != "choice":
            continue
        wanted = option.choices
        literal = next(
            (one for one in (field.annotation, *get_args(field.annotation)) if get_origin(one) is Literal), None
        )
        if literal is not None:
            assert set(wanted) <= set(get_args(literal)), option.name


def test_the_configuration_holds_to_the_limits_of_the_table() -> None:
    for wrong in ({"epochs": 0}, {"epochs": 1001}, {"judge_repeats": 10}, {"timeout_s": 0}, {"max_iterations": 51}):
        with pytest.raises(ValidationError):
            RunConfig(model=ModelSpec(model="m"), **wrong)  # type: ignore[arg-type]
    assert RunConfig(model=ModelSpec(model="m"), timeout_s=10**7).timeout_s == 10**7, (
        "stored before it had an upper limit"
    )
    assert RunConfig(model=ModelSpec(model="m")).timeout_s == BY_NAME["timeout"].default


def test_every_option_is_a_flag_and_no_other_flag_is_one() -> None:
    of_the_command = {"config", "db", "as_json", "against", "until_decided", "junit"}
    flags = {parameter.name: parameter for parameter in run.params if isinstance(parameter, click.Option)}
    assert set(flags) - of_the_command == set(BY_NAME)
    for option in OPTIONS:
        assert flags[option.name].opts == [option.flag]


def test_the_form_has_a_row_for_every_option_but_those_named_here() -> None:
    assert {option.name for option in OPTIONS} - {option.name for option in FORM} == NO_ROW
    assert len({option.title for option in FORM}) == len(FORM)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_flag_a_file_and_a_typed_line_give_the_same_configuration(option: Option, tmp_path: Path) -> None:
    given = sample(option)
    file = tmp_path / "run.toml"
    written = given if option.kind in ("whole", "number") else "true" if option.kind == "switch" else f'"{given}"'
    file.write_text(f"{option.name} = {written}\n")
    base = {"model": ["m"], "dataset": [str(tmp_path / "d.jsonl")]}
    with run.make_context("run", option.words(option.typed(given)), help_option_names=["-h", "--help"]) as context:
        flags = configuration("m", merged(context.params, base))
    typed = configuration("m", merged({option.name: option.typed(given)}, base))
    assert flags == typed
    from_file = read_option_file(file)
    if option.name in ("suite", "dataset"):
        from_file[option.name] = option.typed(given)  # its paths are taken from its folder: tested below
    assert configuration("m", merged(from_file, base)) == typed
    if option.place and option.name not in ("judge_api_base", "model", "until"):
        assert typed != configuration("m", base) or option.default == option.typed(given)


@pytest.mark.parametrize("option", SETTINGS, ids=lambda option: option.name)
def test_every_setting_has_a_variable_and_a_line(option: Option, tmp_path: Path) -> None:
    by_variable = load_settings(tmp_path / "none", {f"MODEX_{option.name.upper()}": sample(option)})
    assert by_variable.run == {option.name: option.typed(sample(option))}
    documented = (Path(__file__).parents[3] / "docs" / "cli.md").read_text()
    assert f"`MODEX_{option.name.upper()}`" in documented


def test_flags_come_before_the_file_and_the_file_before_settings() -> None:
    found = merged({"seed": 0, "domain": ()}, {"seed": 2, "domain": ["a"]}, {"seed": 3, "limit": 4})
    assert found == {"seed": 0, "domain": ["a"], "limit": 4}


def test_paths_in_a_file_are_taken_from_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('suite = "s"\ndataset = ["a.jsonl", "/b.jsonl"]\n')
    assert read_option_file(file) == {"suite": str(tmp_path / "s"), "dataset": [str(tmp_path / "a.jsonl"), "/b.jsonl"]}


def test_everything_wrong_in_a_file_is_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('domian = "math"\nepochs = 0\n"exclude-level" = [1]\n')
    with pytest.raises(ConfigurationError) as caught:
        read_option_file(file)
    assert str(caught.value).splitlines() == [
        f"{file}: domian: no such option; did you mean domain?",
        f"{file}: epochs = 0: must be a whole number of at least 1 and at most 1000; correct it",
    ]


def test_an_extractor_may_be_the_model_itself_elsewhere() -> None:
    config = configuration("m", {"extractor_api_base": "http://127.0.0.1:9/v1"})
    assert config.extractor == ModelSpec(model="m", api_base="http://127.0.0.1:9/v1")
    same = configuration("m", {"extractor_model": "m", "api_base": "http://127.0.0.1:8/v1"})
    assert same.extractor == ModelSpec(model="m", api_base="http://127.0.0.1:8/v1")


@each_row("option", OPTIONS, ids=lambda option: option.name)
def test_the_options_of_a_configuration_give_it_again(option: Option) -> None:
    base = {"dataset": ["/d.jsonl"], "judge_model": ["j"], "extractor_model": "e"}
    config = configuration("m", merged({option.name: option.typed(sample(option))}, base))
    assert configuration("m", options_of(config)) == config


def test_the_options_of_defaults_are_the_model_alone() -> None:
    assert options_of(configuration("m", {})) == {"model": ["m"]}


_NUMBERS = [option for option in OPTIONS if option.kind in ("whole", "number")]


@each_row("option", _NUMBERS, ids=lambda option: option.name)
def test_every_number_ends_somewhere(option: Option) -> None:
    assert option.most is not None
    assert option.least is not None or option.above is not None
    for wrong in ("nan", "inf", "-inf", "9" * 30, "-" + "9" * 30):
        with pytest.raises(ValueError, match="must be a"):
            option.typed(wrong)
    for wrong_value in (math.nan, math.inf, 10**30):
        with pytest.raises(ValueError, match="must be a"):
            option.read(wrong_value)


def test_a_pipe_is_no_file_of_options_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.toml")
    with pytest.raises(ConfigurationError, match="is a folder, a pipe or a device"):
        read_option_file(tmp_path / "run.toml")
    with pytest.raises(ConfigurationError, match="there is no such file"):
        read_option_file(tmp_path / "none.toml")


def test_what_holds_where_nothing_is_given() -> None:
    given = {option.name: option.default for option in OPTIONS if option.default not in (None, False)}
    assert given == {
        "max_iterations": 5, "epochs": 1, "gold": "any", "form": True, "judge_repeats": 1, "judge_settle": "auto",
        "sandbox": "auto", "reading": "modex",
        "processes": 1, "timeout": 300.0, "stream": True, "runaway": True, "max_outage": 1800.0, "until": "stat",
    }  # fmt: skip
    assert all(option.default is False for option in OPTIONS if option.kind == "switch" and option.name not in given)
    assert (FIRST_AT_ONCE, MOST_AT_ONCE) == (16, 64)


def test_which_options_the_short_help_shows() -> None:
    assert names_of(lambda option: option.common) == {
        "model", "api_base", "temperature", "max_tokens", "reasoning_effort", "suite", "domain", "level", "test", "filter",
        "limit", "sample", "stratify", "epochs", "allow_plugins", "dataset", "preset", "judge_model", "extractor_model",
        "no_judge",
        "exp_id", "concurrency", "max_cost", "headless", "detach", "fail_under",
    }  # fmt: skip


def names_of(which: Callable[[Option], object]) -> set[str]:
    return {option.name for option in OPTIONS if which(option)}


def test_what_can_be_given_several_times_and_where_commas_set_them_apart() -> None:
    commas = {"model", "api_base", "level", "exclude_level", "without_layer", "judge_model", "judge_api_base"}
    assert names_of(lambda option: option.commas) == commas
    assert names_of(lambda option: option.many) == commas | {
        "domain", "test", "exclude_domain", "exclude_test", "filter", "tool", "dataset",
    }  # fmt: skip


def test_what_a_variable_and_the_settings_file_can_say() -> None:
    assert {option.name for option in SETTINGS} == {
        "model", "api_base", "max_iterations", "user_model", "user_api_base", "suite", "judge_model", "judge_api_base",
        "extractor_model", "extractor_api_base", "concurrency", "processes", "cluster", "timeout", "max_cost", "max_outage",
        "sandbox",
    }  # fmt: skip


def test_which_rows_the_form_shows_unasked() -> None:
    assert names_of(lambda option: option.title and not option.rare) == {
        "model", "api_base", "temperature", "max_tokens", "reasoning_effort", "rollout", "max_iterations", "suite", "filter",
        "limit", "epochs", "dataset", "answer_field", "level_field", "evaluator", "judge_model", "judge_api_base",
        "extractor_model",
        "no_judge", "exp_id", "concurrency", "timeout", "max_cost",
    }  # fmt: skip


def test_limits_that_no_configuration_holds() -> None:
    most = 1_000_000_000
    held = set(dict(_fields()))
    limits = {
        option.name: (option.least, option.above, option.most)
        for option in _NUMBERS
        if option.place not in held or not RunConfig.model_fields.get(option.place)
    }
    assert limits == {
        "temperature": (0, None, 100), "max_tokens": (1, None, 100_000_000), "seed": (-(2**63 - 1), None, 2**63 - 1),
        "input_price": (0, None, most), "output_price": (0, None, most), "limit": (1, None, most), "sample": (1, None, most),
        "max_calls": (1, None, most), "variant": (0, None, 2**63 - 1), "fail_under": (0, None, 100),
    }  # fmt: skip
    assert {name: BY_NAME[name].most for name in ("timeout", "max_seconds", "max_outage", "max_cost")} == {
        "timeout": 604_800, "max_seconds": 604_800, "max_outage": 604_800, "max_cost": most,
    }  # fmt: skip


@each_row(
    ("option", "told"),
    [
        (Option("a", "Model", "text", "Do it"), "Do it."),
        (Option("a", "Model", "text", "Do it", otherwise="guessed"), "Do it."),
        (Option("a", "Model", "text", "Do it", otherwise="as now"), "Do it; default: as now."),
        (Option("a", "Model", "switch", "Do it", default=False), "Do it."),
        (Option("a", "Model", "switch", "Do it", default=True), "Do it."),
        (Option("a", "Model", "whole", "Do it", default=300), "Do it; default: 300."),
        (Option("a", "Model", "number", "Do it", default=0.5), "Do it; default: 0.5."),
        (Option("a", "Model", "choice", "Do it", default="auto", otherwise="x"), "Do it; default: auto."),
    ],
)
def test_help_says_what_holds_where_nothing_is_given(option: Option, told: str) -> None:
    assert option.told == told


@each_row(
    ("option", "value", "words"),
    [
        (Option("a_b", "Model", "switch", "", default=False), True, ["--a-b"]),
        (Option("a_b", "Model", "switch", "", default=False), False, []),
        (Option("a_b", "Model", "switch", "", default=True), True, ["--a-b"]),
        (Option("a_b", "Model", "switch", "", default=True), False, ["--no-a-b"]),
        (Option("a", "Model", "whole", "", zero="auto"), 0, ["--a", "auto"]),
        (Option("a", "Model", "whole", "", zero="auto"), 2, ["--a", "2"]),
        (Option("a", "Model", "whole", ""), 0, ["--a", "0"]),
        (Option("a", "Model", "number", ""), 0.1 + 0.2, ["--a", "0.3"]),
        (Option("a", "Model", "text", "", many=True), ["x", "y"], ["--a", "x", "--a", "y"]),
    ],
)
def test_a_value_is_said_in_the_words_of_a_command_line(option: Option, value: Any, words: list[str]) -> None:
    assert option.words(value) == words


@each_row(
    ("option", "line", "value"),
    [
        (Option("a", "Model", "text", "", many=True, commas=True), "x, y 'z w'", ["x", "y", "z w"]),
        (Option("a", "Model", "text", "", many=True), "x,y z", ["x,y", "z"]),
        (Option("a", "Model", "text", ""), " x y ", "x y"),
        (Option("a", "Model", "whole", "", zero="auto"), "auto", 0),
        (Option("a", "Model", "number", "", least=0), "0.5", 0.5),
        (Option("a", "Model", "choice", "", choices=("x", "y")), "y", "y"),
        (Option("a", "Model", "switch", ""), "off", False),
    ],
)
def test_a_line_that_a_person_typed_is_read(option: Option, line: str, value: Any) -> None:
    assert option.typed(line) == value


@each_row(
    ("name", "value", "said"),
    [
        ("seed", 0, True), ("seed", None, False), ("domain", (), False), ("domain", [], False), ("domain", ["a"], True),
        ("plan", False, False), ("plan", True, True), ("stream", False, True), ("stream", True, True), ("unknown", False, False),
        ("suite", "", True),
    ],
)  # fmt: skip
def test_nothing_no_and_zero_say_something_or_not(name: str, value: Any, said: bool) -> None:
    assert says(name, value) is said


def test_the_fields_of_a_model_that_decide_what_is_asked() -> None:
    assert fields_asked("model.") == ("model", "temperature", "max_tokens", "seed", "reasoning_effort")


def test_the_seed_of_a_sample_is_the_seed_that_was_given() -> None:
    config = configuration("m", {"sample": 3, "seed": 7})
    assert (config.selection.sample_seed, options_of(config)["seed"]) == (7, 7)
    only_drawn = RunConfig(model=ModelSpec(model="m"), selection=Selection(sample=3, sample_seed=7, form=True))
    assert options_of(only_drawn) == {"model": ["m"], "sample": 3, "seed": 7}
    prices = configuration("m", {"input_price": 2.0, "output_price": 3.0})
    assert (prices.model.input_price, prices.model.output_price) == (2e-6, 3e-6)
