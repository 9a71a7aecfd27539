"""The model that a name means, and what comes before what."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.configuration import configuration, options_of
from modex.core.config.consent import reaches_of
from modex.core.config.entries.naming import label_of, model_spec
from modex.core.config.options import from_settings, merged
from modex.core.config.runconfig import ModelSpec, RunConfig, ServeSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.safety.known import secret_values
from tests.core.config.entries.test_places import own_file
from tests.core.config.entries.test_reading import WHOLE
from tests.rows import each_row

TWO = """
[models.a]
model = "openai/same"
api_base = "http://127.0.0.1:1/v1"
api_key_env = "A_IS_SECRET"
params = { temperature = 0.2, top_p = 0.9 }
prices = { input = 1, output = 2 }
concurrency = 3
timeout = 7

[models.b]
model = "openai/same"
api_base = "http://127.0.0.1:2/v1"
headers = { "X-Team" = "eval" }
"""


@pytest.fixture(autouse=True)
def _own() -> None:
    own_file(TWO)


def test_a_name_means_its_entry_else_the_model_of_that_name() -> None:
    assert model_spec("a") == ModelSpec(
        model="openai/same", entry="a", api_base="http://127.0.0.1:1/v1", api_key_env="A_IS_SECRET", temperature=0.2,
        top_p=0.9, input_price=1e-6, output_price=2e-6, concurrency=3, timeout_s=7,
    )  # fmt: skip
    assert model_spec("openai/same") == ModelSpec(model="openai/same")
    assert model_spec("demo") == ModelSpec(model="demo")


def test_a_file_needs_no_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = model_spec("gguf:models/mine-Q4.gguf", below={"api_base": "http://127.0.0.1:9/v1"})
    assert (spec.model, spec.gguf, spec.api_base) == ("gguf:mine-Q4.gguf", str(tmp_path / "models/mine-Q4.gguf"), None)
    assert spec.is_served
    assert label_of(spec.said) == "mine-Q4"
    with pytest.raises(ConfigurationError, match="write gguf:FILE"):
        model_spec("gguf:")
    with pytest.raises(ConfigurationError, match="leave --api-base out"):
        model_spec("gguf:x", {"api_base": "http://127.0.0.1:9/v1"})


def test_the_path_of_a_file_of_weights_that_is_there_stands_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    assert model_spec(str(path)).gguf is None  # a provider's model may be called so
    path.write_bytes(b"GGUF")
    spec = model_spec(str(path))
    assert (spec.model, spec.gguf) == ("gguf:mine.gguf", str(path))
    assert model_spec(str(path), {"api_base": "http://127.0.0.1:9/v1"}).gguf is None
    (tmp_path / "mine.bin").write_bytes(b"GGUF")
    assert model_spec(str(tmp_path / "mine.bin")).gguf is None


def test_flags_come_before_the_entry_and_the_entry_before_settings() -> None:
    settings = {"api_base": ["http://127.0.0.1:8/v1"], "concurrency": 9, "timeout": 99.0}
    config = configuration("a", settings, from_settings(settings))
    assert (config.model.api_base, config.concurrency, config.model.timeout_s) == ("http://127.0.0.1:1/v1", 3, 7)
    flags = {"temperature": 0.0, "concurrency": 5, "timeout": 6.0, "input_price": 4.0}
    config = configuration("a", merged(flags, settings), from_settings(settings, flags))
    assert (config.model.temperature, config.concurrency, config.timeout_s, config.model.timeout_s) == (0, 5, 6, None)
    assert (config.model.input_price, config.model.output_price) == (4e-6, 2e-6)
    config = configuration("b", merged(flags, settings), from_settings(settings, flags))
    assert (config.model.api_base, config.model.temperature) == ("http://127.0.0.1:2/v1", 0)
    config = configuration("openai/x", settings, from_settings(settings))
    assert (config.model.api_base, config.concurrency) == ("http://127.0.0.1:8/v1", 9)
    same = {"concurrency": 9}  # a flag that says what the settings say is a flag
    assert configuration("a", merged(same, settings), from_settings(settings, same)).concurrency == 9


def test_judges_extractor_and_user_are_entries_of_their_own() -> None:
    settings = {"judge_api_base": "http://127.0.0.1:8/v1"}
    given = {"judge_model": ["a", "b", "openai/x"], "extractor_model": "b", "user_model": "a"}
    config = configuration("demo", merged(given, settings), from_settings(settings, given))
    assert [spec.api_base for spec in config.judges] == [
        "http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1", "http://127.0.0.1:8/v1",
    ]  # fmt: skip
    assert [spec.entry for spec in config.judges] == ["a", "b", None]
    assert config.extractor is not None
    assert config.extractor.headers == {"X-Team": "eval"}
    assert config.user is not None
    assert config.user.concurrency == 3
    config = configuration("demo", given | settings)
    assert {spec.api_base for spec in config.judges} == {"http://127.0.0.1:8/v1"}


def test_addresses_pair_up_with_models_or_one_serves_all() -> None:
    models = {"model": ["openai/x", "openai/y"]}
    two = {**models, "api_base": ["http://h1/v1", "http://h2/v1"]}
    assert [configuration(name, two).model.api_base for name in models["model"]] == ["http://h1/v1", "http://h2/v1"]
    one = {**models, "api_base": ["http://h1/v1"]}
    assert [configuration(name, one).model.api_base for name in models["model"]] == ["http://h1/v1"] * 2
    assert configuration("openai/x", {"api_base": "http://h1/v1"}).model.api_base == "http://h1/v1"
    with pytest.raises(ConfigurationError, match="2 addresses for one model: give one for all"):
        configuration("openai/x", {"model": ["openai/x"], "api_base": ["http://h1", "http://h2"]})
    with pytest.raises(ConfigurationError, match="2 addresses for 3 models"):
        configuration("a", {"model": ["a", "b", "c"], "api_base": ["http://h1", "http://h2"]})


def test_addresses_of_judges_pair_up_too() -> None:
    judges = {"judge_model": ["openai/x", "openai/y", "a"]}
    several = {**judges, "judge_api_base": ["http://h1/v1", "http://h2/v1", ""]}
    config = configuration("demo", several)
    assert [spec.api_base for spec in config.judges] == ["http://h1/v1", "http://h2/v1", "http://127.0.0.1:1/v1"]
    assert options_of(config)["judge_api_base"] == ["http://h1/v1", "http://h2/v1", ""]
    assert configuration("demo", options_of(config)).judges == config.judges
    one = configuration("demo", {"judge_model": ["openai/x", "openai/y"], "judge_api_base": ["http://h1/v1"]})
    assert [spec.api_base for spec in one.judges] == ["http://h1/v1"] * 2
    assert options_of(one)["judge_api_base"] == ["http://h1/v1"]
    twice = {"judge_model": ["openai/x", "openai/x"], "judge_api_base": ["http://h1/v1", "http://h2/v1"]}
    assert [spec.api_base for spec in configuration("demo", twice).judges] == ["http://h1/v1", "http://h2/v1"]
    assert "judge_api_base" not in options_of(configuration("demo", {"judge_model": ["a", "b"]}))
    with pytest.raises(ConfigurationError, match="--judge-api-base: 2 addresses for 3 judges: give one for all"):
        configuration("demo", {**judges, "judge_api_base": ["http://h1", "http://h2"]})
    with pytest.raises(ConfigurationError, match="2 addresses for one judge"):
        configuration("demo", {"judge_model": ["a"], "judge_api_base": ["http://h1", "http://h2"]})
    with pytest.raises(ConfigurationError, match="2 addresses for 0 judges"):
        configuration("demo", {"judge_api_base": ["http://h1", "http://h2"]})


def test_what_is_stored_holds_the_values_and_comes_back() -> None:
    config = configuration("a", {"judge_model": ["b"]})
    stored = config.model_dump(mode="json")
    assert stored["model"] == {
        "model": "openai/same", "api_base": "http://127.0.0.1:1/v1", "temperature": 0.2, "max_tokens": None, "seed": None,
        "reasoning_effort": None, "input_price": 1e-6, "output_price": 2e-6, "entry": "a", "api_key_env": "A_IS_SECRET",
        "top_p": 0.9, "timeout_s": 7.0,
    }  # fmt: skip
    assert RunConfig.model_validate(stored) == config
    plain = RunConfig(model=ModelSpec(model="m")).model_dump(mode="json")["model"]
    assert set(plain) == {
        "model", "api_base", "temperature", "max_tokens", "seed", "reasoning_effort", "input_price", "output_price",
    }  # fmt: skip


@each_row(
    "given", [{}, {"temperature": 0.7}, {"judge_model": ["b", "a"]}, {"extractor_model": "b"}, {"concurrency": 9}]
)
def test_the_options_of_an_entry_give_its_configuration_again(given: dict[str, object]) -> None:
    config = configuration("a", given)
    options = options_of(config)
    assert options == {"model": ["a"], **given}
    assert configuration("a", options) == config


def test_the_key_in_an_entrys_variable_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_IS_SECRET", "open-sesame-77")
    monkeypatch.setenv("MODEX_KEY_VARIABLES", "")
    monkeypatch.setenv("PLAIN_B", "open-barley-77")
    ModelSpec(model="m", api_key_env="PLAIN_B")
    assert "open-barley-77" in secret_values()


def test_a_suites_entry_acts_once_a_person_agreed(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(
        '[models.far]\nmodel = "openai/m"\napi_base = "http://far.example/v1"\napi_key_env = "MY_KEY"\n'
        '[models.runs]\nmodel = "openai/m"\nserve = { command = "touch {port}" }\n'
        '[models.near]\nmodel = "openai/m"\napi_base = "http://127.0.0.1:9/v1"\n'
    )
    for name, words in (
        ("far", "asks a model at http://far.example; it sends what MY_KEY"),
        ("runs", "starts the command"),
    ):
        with pytest.raises(ConfigurationError, match=words):
            configuration(name, {"suite": str(tmp_path)})
        agreed = configuration(name, {"suite": str(tmp_path), "allow_plugins": True})
        assert configuration(name, {"suite": str(tmp_path)}).model == agreed.model
        assert list(reaches_of(agreed.model))
    assert configuration("near", {"suite": str(tmp_path)}).model.api_base == "http://127.0.0.1:9/v1"


def test_what_serves_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = own_file(WHOLE).parent
    assert model_spec("local").serve == ServeSpec(context=8192, threads=6, gpu_layers="all")
    assert model_spec("own").serve == ServeSpec(
        command="vllm serve my/model --port {port}",
        ready="/health",
        start_timeout=600,
        folder=str(settings),
    )
    assert hash(model_spec("local")) != hash(model_spec("own"))
