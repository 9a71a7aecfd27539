"""`modex models` and `modex doctor`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from modex.core.features.review.query import HumanVerdict, say
from modex.core.store.manager import DBDataManager
from tests.cli import Called, call
from tests.server import Reply, Request, serve
from tests.tui.commands.conftest import Shell, assert_clean


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
    assert {"python", "database", "settings", "suite", "sql sandbox", "code in monty", "terminal"} <= set(found)
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


def test_a_report_holds_no_secret_and_nothing_that_a_person_or_a_model_wrote(
    mixed: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    log = mixed.root / "modex.db.runner.log"
    log.write_text(
        'Traceback\n  File "/a/b/core/engine/x.py", line 3, in go\nValueError: canary-prompt sk-canary-0123456789\n'
    )
    out = mixed.root / "report.zip"
    called = mixed("doctor", "--bundle", out)
    assert str(out) in called.err
    assert out.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(out) as archive:
        names = set(archive.namelist())
        text = "".join(archive.read(name).decode() for name in names)
    assert {"README.txt", "doctor.json", "machine.json", "runner.log", "database.json", "runs/00.json"} == names
    assert "core/engine/x.py:3 in go\nValueError\n" in text
    assert "canary" not in text
    for written in ("wrong", "hostile", "ok \\u001b", "content_filter\n"):
        assert written not in text


@pytest.mark.long
def test_a_report_holds_nothing_that_was_planted_anywhere(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def answering(request: Request) -> Reply:
        if "broken" in request.prompt:
            return Reply(status=400, body={"error": {"message": f"canary-provider {request.headers}"}})
        return Reply("canary-answer", reasoning_content="canary-thought")

    shell.server.behave(answering)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")
    shell.suite(
        [
            {"id": name, "name": "canary-name", "prompt": f"canary-prompt {name}", "system_prompt": "canary-system",
             "expected": {"keywords": ["canary-gold"]}, "metadata": {"why": "canary-metadata"},
             "tools": [{"name": "f", "description": "canary-tool", "parameters": {}, "response": "canary-mock"}]}
            for name in ("fine", "broken")
        ],
        system_prompt="canary-layer",
    )  # fmt: skip
    base = shell.server.url.replace("//", "//user:canary-password@")
    asked = ("run", "--model", "openai/test-model", "--api-base", base, "--suite", shell.root / "suite", "--headless")
    assert shell(*asked, "--exp-id", "canary-run", "--filter", "text:canary").code == 1
    assert shell.run("--agent", "cat --canary-token", exp_id="canary-agent").code == 1
    assert shell("note", "canary-run", "canary-note").code == 0
    manager = DBDataManager(shell.database)
    try:
        for sample in manager.reader.samples(manager.reader.run("canary-run").id):
            say(
                manager.reader,
                sample,
                "canary-author",
                HumanVerdict("failed", label="canary-label", note="canary-review"),
            )
    finally:
        manager.close()
    log = shell.root / "modex.db.runner.log"
    log.write_text("Traceback\ncanary-line\nValueError: canary-text sk-canary-0123456789\nKeyError: 'canary-key'\n")
    settings = shell.root / "config.toml"
    settings.write_text('theme = "canary-theme"\njudge_model = "canary-judge\n')
    for name in ("A_SECRET", "DATABASE_PASSWORD", "ORDINARY", "MODEX_JUDGE_MODEL"):
        monkeypatch.setenv(name, f"canary-{name}")
    monkeypatch.setenv("HTTPS_PROXY", "http://user:canary-proxy@canary-host:3128")
    for written in (settings.read_text(), 'theme = "canary-theme"\ncolour = "canary-value"\n', ""):
        settings.write_text(written)
        monkeypatch.setenv("MODEX_CONFIG", str(settings))
        out = shell.root / "report.zip"
        assert str(out) in shell("doctor", "--bundle", out).err
        with zipfile.ZipFile(out) as archive:
            held = {name: archive.read(name).decode() for name in archive.namelist()}
        assert {"runs/00.json", "runs/01.json", "runner.log"} <= set(held)
        for name, text in held.items():
            assert "canary" not in name
            assert "canary" not in text.lower(), f"{name}: …{text[max(0, text.lower().find('canary') - 100) :][:200]}"
        out.unlink()


def test_a_report_holds_failed_answers_where_they_are_asked_for(mixed: Shell) -> None:
    out = mixed.root / "report.zip"
    mixed("doctor", "--bundle", out, "--content")
    with zipfile.ZipFile(out) as archive:
        samples = [json.loads(line) for line in archive.read("runs/00.samples.jsonl").decode().splitlines()]
        assert_clean(Called(0, archive.read("runs/00.samples.jsonl").decode(), ""))
    assert sorted(sample["test_id"] for sample in samples) == ["r", "w"]
    refused = mixed("doctor", "--bundle", out)
    assert (refused.code, "there is such a file already" in refused.err) == (2, True)
