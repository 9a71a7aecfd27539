"""`modex models` and `modex doctor`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import call
from tests.server import serve
from tests.tui.commands.conftest import Shell


def test_the_scripted_models_are_listed_as_such() -> None:
    called = call("models")
    assert called.code == 0
    assert "scripted" in called.out
    assert set(call("models", "--json").data["demo"]) >= {"demo", "demo/strong", "demo/weak"}


def test_a_servers_models_are_listed_with_the_flags_to_use_them() -> None:
    with serve(models=("llama-9",)) as server:
        called = call("models", "--api-base", server.url)
    assert f"--model llama-9 --api-base {server.url}" in called.out.replace("openai/", "")


def test_a_keys_name_is_shown_and_never_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    called = call("models", "gpt-5-mini")
    assert "OPENAI_API_KEY is set" in called.out
    assert "canary" not in called.out + called.err + call("models", "gpt-5-mini", "--json").out


def test_a_healthy_machine_is_said_to_be_one(shell: Shell) -> None:
    called = shell("doctor")
    assert called.code == 0, called.out
    found = {item["name"]: item["good"] for item in shell("doctor", "--json").data}
    assert {"python", "database", "settings", "suite", "sql sandbox", "code sandbox", "terminal"} <= set(found)
    assert all(found.values())


def test_a_database_that_others_may_read_is_told(mixed: Shell) -> None:
    mixed.database.chmod(0o644)
    called = mixed("doctor")
    assert called.code == 1
    assert "chmod 600" in called.out


def test_wrong_settings_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text("concurency = 4\n")
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "config.toml"))
    called = call("doctor", "--db", tmp_path / "modex.db")
    assert called.code == 1
    assert "concurency" in called.out


def test_wrong_settings_do_not_accuse_the_database(
    mixed: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text('theme = "pink"\n')
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("MODEX_DB", str(mixed.database))
    found = {item["name"]: item for item in call("doctor", "--json").data}
    assert not found["settings"]["good"]
    assert found["database"]["good"]
    assert f"{mixed.database}, 1 runs" in found["database"]["words"]
