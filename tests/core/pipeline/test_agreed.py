"""A stored run starts, writes and asks here only what somebody on this machine typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.config.consent import KEPT_HERE, Reach, is_kept, keep, origin_of
from modex.core.config.runconfig import ModelSpec, RunConfig, Selection
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.agreed import agree, refuse_unknown

DEMO = ModelSpec(model="demo")
FAR = ModelSpec(model="openai/m", api_base="https://models.example:8443/v1")


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv(KEPT_HERE, "")


def with_agent(folder: Path, command: str = "python3 agent.py") -> RunConfig:
    return RunConfig(model=ModelSpec(model="agent/agent"), agent=command, agent_folder=str(folder))


def refused(config: RunConfig, *asked: ModelSpec, judging_only: bool = False) -> str:
    """Why the configuration is refused; empty where it is not."""
    try:
        refuse_unknown(config, asked, judging_only=judging_only)
    except ConfigurationError as error:
        return str(error)
    return ""


def test_an_agent_is_refused_until_it_was_started_here(tmp_path: Path) -> None:
    config = with_agent(tmp_path)
    said = refused(config)
    assert "python3 agent.py" in said
    assert str(tmp_path) in said
    assert "--allow-plugins" in said
    agree(config)
    assert refused(config) == ""
    assert refused(with_agent(tmp_path, "python3 other.py"))
    assert refused(with_agent(tmp_path / "elsewhere"))


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("python3 agent.py", "agent.py"),
        ("./agent.sh --fast", "agent.sh"),
        ("sh -c 'python3 part/agent.py'", "part/agent.py"),
        ("python3 -m part.agent", "part/agent.py"),
        ("part.agent:solve", "part/agent.py"),
        ("python3 part", "part/deep/helper.py"),
    ],
)
def test_a_changed_byte_of_a_file_that_the_command_names_is_asked_about_again(
    tmp_path: Path, command: str, file: str
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("print(1)\n")
    config = with_agent(tmp_path, command)
    agree(config)
    assert refused(config) == ""
    path.write_text("print(2)\n")
    assert refused(config)
    path.write_text("print(1)\n")
    assert refused(config) == ""


def test_a_script_named_by_its_whole_path_is_held_to_its_bytes_too(tmp_path: Path) -> None:
    script = tmp_path / "far" / "agent"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho 1\n")
    config = with_agent(tmp_path / "here", str(script))
    agree(config)
    assert refused(config) == ""
    script.write_text("#!/bin/sh\necho 2\n")
    assert refused(config)


def test_judging_again_starts_no_agent_and_answers_from_a_file_are_none(tmp_path: Path) -> None:
    assert refused(with_agent(tmp_path), judging_only=True) == ""
    assert refused(RunConfig(model=DEMO, agent="answers:a.jsonl")) == ""


@pytest.mark.parametrize("base", ["http://127.0.0.1:8000/v1", "http://localhost:8000", "http://[::1]:8000/v1", None])
def test_this_machine_and_the_providers_own_addresses_need_no_word(base: str | None) -> None:
    assert refused(RunConfig(model=DEMO), ModelSpec(model="openai/m", api_base=base)) == ""


def test_an_address_gets_neither_key_nor_question_before_somebody_named_it() -> None:
    config = RunConfig(model=FAR)
    assert "asks a model at https://models.example:8443" in refused(config, FAR)
    assert refused(config) == "", "a model that is not asked sends nothing"
    agree(config)
    assert refused(config, FAR) == ""
    assert refused(config, ModelSpec(model="openai/m", api_base="https://models.example:8444/v1"))
    assert refused(config, ModelSpec(model="openai/m", api_base="http://models.example:8443/v1"))


@pytest.mark.parametrize("field", ["extractor", "user", "judges"])
def test_each_model_of_a_run_that_is_started_here_may_be_asked(field: str) -> None:
    agree(RunConfig.model_validate({"model": DEMO, field: (FAR,) if field == "judges" else FAR}))
    assert refused(RunConfig(model=DEMO), FAR) == ""


def test_an_address_of_the_environment_or_the_settings_is_the_user_s_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert refused(RunConfig(model=FAR), FAR)
    with monkeypatch.context() as patched:
        patched.setenv("OPENAI_API_BASE", "https://me:word@models.example:8443/v1")
        assert refused(RunConfig(model=FAR), FAR) == ""
    assert refused(RunConfig(model=FAR), FAR)
    monkeypatch.setenv("MODEX_JUDGE_API_BASE", "https://models.example:8443/v1")
    assert refused(RunConfig(model=FAR), FAR) == ""


@pytest.mark.parametrize("judging_only", [False, True])
def test_a_scheduler_that_a_database_names_is_not_spoken_to(judging_only: bool) -> None:
    config = RunConfig(model=DEMO, cluster="tls://far.example:8786")
    assert "tls://far.example:8786" in refused(config, judging_only=judging_only)
    agree(config)
    assert refused(config) == ""
    assert refused(RunConfig(model=DEMO, cluster="local:2")) == ""
    assert refused(RunConfig(model=DEMO, cluster="tcp://127.0.0.1:8786")) == ""


def test_recordings_are_written_where_somebody_here_said_so(tmp_path: Path) -> None:
    config = RunConfig(model=DEMO, record=str(tmp_path / "kept"))
    assert str(tmp_path / "kept") in refused(config)
    agree(config)
    assert refused(config) == ""


def test_a_home_that_cannot_be_written_is_agreed_for_this_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    config = with_agent(tmp_path)
    agree(config)
    assert refused(config) == ""
    assert os.environ[KEPT_HERE], "the runner that is started hears it"
    monkeypatch.setenv(KEPT_HERE, "")
    assert refused(config)


def test_a_stored_configuration_allows_a_suite_nothing() -> None:
    config = RunConfig(model=DEMO, selection=Selection(suite="s", allow_plugins=True, limit=3))
    assert config.as_stored() == RunConfig(model=DEMO, selection=Selection(suite="s", limit=3))
    assert RunConfig(model=DEMO).as_stored() == RunConfig(model=DEMO)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://a.example/v1", "https://a.example"),
        ("https://a.example:8443/v1", "https://a.example:8443"),
        ("a.example:80", "http://a.example:80"),
        ("http://[2001:db8::1]:80/", "http://[2001:db8::1]:80"),
        ("http://localhost:1", ""),
        ("http://127.0.0.1:1", ""),
        ("http://127.8.9.1", ""),
        ("http://[::1]:5/", ""),
        ("http://10.0.0.1", "http://10.0.0.1"),
        ("http://", ""),
        ("http://a:b", ""),
        ("http://[::1", ""),
        ("", ""),
        ("tcp://scheduler:8786", "tcp://scheduler:8786"),
    ],
)
def test_where_an_address_leads_is_told_by_scheme_host_and_port_and_this_machine_by_nothing(
    address: str, origin: str
) -> None:
    assert origin_of(address) == origin


def test_every_model_of_a_run_is_agreed_to_and_each_place_told_once() -> None:
    def at(host: str) -> ModelSpec:
        return ModelSpec(model="openai/m", api_base=f"https://{host}.example/v1")

    config = RunConfig(model=at("a"), judges=(at("b"), at("a")), extractor=at("c"), user=at("d"), cluster="tcp://e:1")
    asked = [at(host) for host in "abcd"]
    said = refused(config, *asked, at("a"))
    assert [said.count(f"asks a model at https://{host}.example") for host in "abcd"] == [1, 1, 1, 1]
    assert said.startswith(
        "this stored run is moved by the cluster at tcp://e:1; it asks a model at https://a.example; it "
    )
    agree(config)
    assert refused(config, *asked) == ""
    assert "https://z.example" in refused(config, at("z"))
    assert refused(RunConfig(model=at("a"), cluster="local:4")) == ""


@pytest.mark.parametrize("name", ["OPENAI_API_BASE", "MY_URL", "OLLAMA_HOST", "AN_ENDPOINT"])
def test_an_address_of_ones_own_environment_is_agreed_to(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    config = RunConfig(model=FAR)
    assert "https://models.example:8443" in refused(config, FAR)
    monkeypatch.setenv(name, "https://models.example:8443/other")
    assert refused(config, FAR) == ""


def test_recordings_are_written_only_where_somebody_said_so_and_judging_writes_none(tmp_path: Path) -> None:
    config = RunConfig(model=DEMO, record=str(tmp_path))
    assert f"writes recordings to {str(tmp_path)!r}" in refused(config)
    assert refused(config, judging_only=True) == ""
    agree(config)
    assert refused(config) == ""


def test_what_cannot_be_kept_on_the_disk_is_kept_for_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").write_text("no folder")
    one, two = Reach("one", "1"), Reach("two", "2")
    keep([one, two, one])
    assert (is_kept(one), is_kept(two), is_kept(Reach("three", "3"))) == (True, True, False)
    assert os.environ[KEPT_HERE].split() == ["1", "2"]
