"""A run's configuration as stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.runconfig import DatasetSpec, ModelSpec, RunConfig, Selection, at_known_addresses

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


@pytest.mark.parametrize(
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
    assert not [name for name in ModelSpec.model_fields if "key" in name or ("token" in name and name != "max_tokens")]


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
