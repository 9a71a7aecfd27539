"""What the screen of models by name tells of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.entries.places import files
from modex.tui.features.models import reading
from modex.tui.features.models.reading import ModelRow, briefly_of, facts_of, found_rows, looked_at, named_rows
from modex.tui.features.models.screen import may_cost

WHOLE = """\
[models.small]
model = "openai/qwen"
api_base = "http://127.0.0.1:9/v1"
api_key_env = "GPU1_KEY"
headers = { "X-Team" = "${TEAM}" }
params = { temperature = 0.2, stop = ["a", "b"], extra_body = { top_k = 20 } }
prices = { input = 0.10, output = 0.40 }
concurrency = 16
timeout = 120

[models.file]
gguf = "here.gguf"
serve = { context = 4096, slots = 2 }

[models.far]
model = "openai/gpt-5-mini"
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("TEAM", "eval")
    monkeypatch.delenv("GPU1_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = files(None)[0][0]
    found.write_text(WHOLE)
    return found


def test_what_a_file_says_is_told_and_of_keys_only_whether_they_are_set(path: Path) -> None:
    small, file, far = named_rows(None)[:3]
    assert list(facts_of(small)) == [
        ("model", "openai/qwen at http://127.0.0.1:9/v1"),
        ("from", f"{path}:1 (your settings')"),
        ("key", "GPU1_KEY is not set, TEAM is set"),
        ("asked with", "temperature 0.2, stop ['a', 'b'], extra_body {'top_k': 20}"),
        ("prices", "0.1 input, 0.4 output, USD per million tokens"),
        ("limits", "16 calls at once, 120 s a call"),
    ]
    assert list(facts_of(file)) == [
        ("model", str(path.parent / "here.gguf")),
        ("from", f"{path}:11 (your settings')"),
        ("served", "context 4096, slots 2"),
        ("key", "none is needed"),
        ("prices", "free"),
    ]
    assert list(facts_of(far))[2:] == [
        ("key", "OPENAI_API_KEY is not set"),
        ("prices", "0.25 input, 2 output, USD per million tokens, as litellm's table has it"),
    ]
    assert list(facts_of(ModelRow("q", "openai/q", given={"model": "openai/q", "api_base": "http://h/v1"}))) == [
        ("model", "openai/q at http://h/v1"),
        ("from", "a server found here; it has no name yet"),
    ]


def test_what_a_model_takes_is_told_in_few_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(
        WHOLE + '\n[models.odd]\nmodel = "openai/odd"\napi_base = "http://far/v1"\n'
        '\n[models.in]\nmodel = "openai/odd"\nprices = { input = 0.5 }\n'
    )
    found = {row.name: briefly_of(row) for row in named_rows(None)}
    assert found == {
        "small": "127.0.0.1:9/v1, 0.1/0.4 USD, key not set",
        "file": "served by modex, free",
        "far": "0.25/2 USD, key not set",
        "odd": "far/v1",
        "in": "0.5/0 USD, key not set",
        "demo": "free",
        "smollm2": "served by modex, free",
    }
    monkeypatch.setenv("GPU1_KEY", "x")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    small, _, far, odd = named_rows(None)[:4]
    assert [briefly_of(row).rpartition(", ")[2] for row in (small, far)] == ["key set"] * 2
    assert dict(facts_of(odd))["prices"] == "not known"
    assert dict(facts_of(odd))["key"] == "none is needed"
    monkeypatch.delenv("TEAM")
    assert briefly_of(small).endswith("key not set")
    assert briefly_of(ModelRow("q", "openai/q", given={"model": "openai/q", "api_base": "http://h/v1"})) == "h/v1"


def test_entries_come_before_what_is_built_in_which_nothing_is_wrong_with(path: Path) -> None:
    rows = named_rows(None)
    assert [(row.name, row.is_own) for row in rows] == [
        ("small", True), ("file", True), ("far", True), ("demo", False), ("smollm2", False),
    ]  # fmt: skip
    assert rows[0].problems is None
    found = {row.name: row.problems for row in looked_at(rows)}
    assert found["demo"] == ()
    assert found["small"] == ("GPU1_KEY, which holds its key, is not set: export GPU1_KEY=…",)
    assert found["file"] == (f"{path.parent / 'here.gguf'} is not there; correct the path",)


def test_weights_that_are_not_installed_are_a_problem(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "find_weights", lambda: None)
    assert "install" in (named_rows(None)[-1].problems or ("",))[0]
    monkeypatch.setattr(reading, "find_weights", lambda: path)
    assert named_rows(None)[-1].problems == ()


def test_only_what_is_elsewhere_may_cost(path: Path) -> None:
    del path
    rows = named_rows(None)
    assert {row.name: may_cost(row) for row in rows} == {
        "small": False, "file": False, "far": True, "demo": False, "smollm2": False,
    }  # fmt: skip
    assert not may_cost(ModelRow("q", "openai/q", given={}))


def test_models_of_servers_that_have_a_name_are_not_offered_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from modex.core.llm.discovery import LocalServer

    del path
    server = LocalServer("vLLM", "http://127.0.0.1:9/v1", ("qwen", "llama"))
    monkeypatch.setattr("modex.core.llm.discovery.find_local_servers", lambda: [server])
    found = found_rows(named_rows(None))
    assert [(row.name, row.model, row.entry) for row in found] == [("llama", "openai/llama", None)]
    assert found[0].given == {"model": "openai/llama", "api_base": "http://127.0.0.1:9/v1"}
