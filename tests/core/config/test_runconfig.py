"""A run's configuration as stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from modex.core.config.runconfig import DatasetSpec, ModelSpec, PlannedSample, RunConfig, Selection, at_known_addresses
from tests.rows import each_row

NAMES = st.text(min_size=1, max_size=10)
MODELS = st.builds(
    ModelSpec,
    model=NAMES,
    api_base=st.none() | NAMES,
    temperature=st.none() | st.floats(0, 2),
    max_tokens=st.none() | st.integers(1, 9999),
)
CONFIGS = st.builds(
    RunConfig,
    model=MODELS,
    selection=st.builds(
        Selection,
        suite=st.none() | NAMES,
        domains=st.lists(NAMES, max_size=3).map(tuple),
        levels=st.lists(st.integers(1, 5), max_size=3).map(tuple),
        datasets=st.lists(st.builds(DatasetSpec, path=NAMES, id_field=st.none() | NAMES), max_size=2).map(tuple),
    ),
    extractor=st.none() | MODELS,
    judges=st.lists(MODELS, max_size=3).map(tuple),
    epochs=st.integers(1, 1000),
    max_cost_usd=st.none() | st.floats(0, 1e6),
    until=st.sampled_from(["preprocess", "rollout", "judge", "stat"]),
)


@given(CONFIGS)
def test_a_configuration_comes_back_from_json(config: RunConfig) -> None:
    assert RunConfig.model_validate_json(config.model_dump_json()) == config
    assert RunConfig.model_validate(config.model_dump(mode="json")) == config


@each_row(
    "wrong",
    [
        {"epochs": 0},
        {"concurrency": 0},
        {"concurrency": 5000},
        {"timeout_s": 0},
        {"max_cost_usd": -1},
        {"until": "never"},
        {"rollout": "fast"},
        {"api_key": "sk-x"},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RunConfig.model_validate({"model": {"model": "m"}, **wrong})


def test_no_field_can_hold_a_key() -> None:
    with pytest.raises(ValidationError):
        ModelSpec.model_validate({"model": "m", "api_key": "sk-x"})
    named = {name for name in ModelSpec.model_fields if "key" in name or "token" in name}
    assert named == {"max_tokens", "api_key_env"}  # the latter is a variable's name


def test_a_configuration_does_not_change() -> None:
    config = RunConfig(model=ModelSpec(model="m"))
    with pytest.raises(ValidationError):
        config.epochs = 2


def test_a_judge_without_an_address_is_asked_where_the_known_one_of_its_provider_is() -> None:
    known = [ModelSpec(model="openai/a", api_base="http://127.0.0.1:1/v1"), ModelSpec(model="gemini/b")]
    for model, base, wanted in (
        ("openai/other", None, "http://127.0.0.1:1/v1"),
        ("openai/org/other", None, "http://127.0.0.1:1/v1"),
        ("openai/other", "http://127.0.0.1:2", "http://127.0.0.1:2"),
        ("openai/other", "", None),
        ("openai_like/other", None, None),
        ("gemini/other", None, None),
        ("other", None, None),
    ):
        (found,) = at_known_addresses([ModelSpec(model=model, api_base=base)], known)
        assert (found.model, found.api_base) == (model, wanted)
    assert at_known_addresses([ModelSpec(model="openai/x")], ()) == (ModelSpec(model="openai/x"),)


M = ModelSpec(model="m")


@each_row(
    ("selection", "suite", "planned"),
    [
        (Selection(), True, False),
        (Selection(suite="s"), True, False),
        (Selection(datasets=(DatasetSpec(path="d"),)), False, False),
        (Selection(suite="s", datasets=(DatasetSpec(path="d"),)), True, False),
        (Selection(plan=True), True, True),
        (Selection(max_calls=3), True, True),
    ],
)
def test_a_selection_takes_the_suite_unless_only_datasets_are_named(
    selection: Selection, suite: bool, planned: bool
) -> None:
    assert (selection.takes_suite, selection.is_planned) == (suite, planned)


@each_row(
    ("fields", "here", "elsewhere"),
    [
        ({}, True, False),
        ({"processes": 2}, False, False),
        ({"processes": 0}, False, False),
        ({"cluster": "local:2"}, False, False),
        ({"cluster": "tls://far:8786"}, False, True),
        ({"processes": 2, "cluster": "tls://far:8786"}, False, True),
    ],
)
def test_who_moves_the_samples_and_whose_keys_they_have(fields: dict[str, object], here: bool, elsewhere: bool) -> None:
    config = RunConfig.model_validate({"model": {"model": "m"}, **fields})
    assert (config.moves_here, config.has_keys_elsewhere) == (here, elsewhere)


def test_what_is_not_said_is_as_runs_always_had_it() -> None:
    config = RunConfig(model=M)
    assert (config.epochs, config.processes, config.judge_repeats, config.max_iterations) == (1, 1, 1, 5)
    assert (config.timeout_s, config.max_outage_s, config.stream, config.runaway) == (300.0, 1800.0, True, True)
    assert (config.insecure_cluster, config.at_once, RunConfig(model=M, concurrency=3).at_once) == (False, 16, 3)
    chosen = config.selection
    said = (chosen.plan, chosen.skip_invalid, chosen.allow_plugins, chosen.no_judge, chosen.form, chosen.sample_seed)
    assert said == (False, False, False, False, False, 0)
    planned = PlannedSample(tests=(), calls=1, score=0.5, half_width=0.1)
    assert (planned.earlier_runs, planned.own) == (0, False)


@each_row(
    ("name", "within", "beyond"),
    [
        ("epochs", (1, 1000), (0, 1001)), ("concurrency", (1, 1024), (0, 1025)), ("processes", (0, 256), (-1, 257)),
        ("judge_repeats", (1, 9), (0, 10)), ("max_iterations", (1, 50), (0, 51)), ("timeout_s", (0.1,), (0,)),
        ("max_seconds", (0.1,), (0,)), ("max_cost_usd", (0,), (-0.1,)), ("max_outage_s", (0,), (-0.1,)),
    ],
)  # fmt: skip
def test_numbers_have_their_limits(name: str, within: tuple[float, ...], beyond: tuple[float, ...]) -> None:
    for value in within:
        RunConfig.model_validate({"model": {"model": "m"}, name: value})
    for value in beyond:
        with pytest.raises(ValidationError):
            RunConfig.model_validate({"model": {"model": "m"}, name: value})
    with pytest.raises(ValidationError):
        Selection(max_calls=0)
    assert Selection(max_calls=1).max_calls == 1


def test_what_a_run_lets_a_suite_run_is_not_said_again_where_it_goes_on() -> None:
    config = RunConfig(model=M, selection=Selection(allow_plugins=True, limit=3), epochs=2)
    assert config.as_stored() == RunConfig(model=M, selection=Selection(limit=3), epochs=2)
    same = RunConfig(model=M)
    assert same.as_stored() is same


def test_of_the_known_addresses_of_a_provider_the_first_counts_and_a_name_without_one_has_none() -> None:
    known = [ModelSpec(model="openai/a", api_base="http://a"), ModelSpec(model="openai/b", api_base="http://b")]
    (found,) = at_known_addresses([ModelSpec(model="openai/x")], known)
    assert found.api_base == "http://a"
    assert [ModelSpec(model=name).provider for name in ("a/b/c", "a", "/b")] == ["a", "", ""]
    assert ModelSpec(model="m", api_base="http://user:key@host/v1").api_base == "http://host/v1"
