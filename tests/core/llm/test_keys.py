from __future__ import annotations

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.llm.keys import key_present, key_variables, missing_key_problem, required_key


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "OPENAI_BASE_URL",
        "OPENAI_API_BASE",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("model", "base", "variable"),
    [
        ("gpt-4o", None, "OPENAI_API_KEY"),
        ("openai/gpt-4o", None, "OPENAI_API_KEY"),
        ("openai/gpt-4o", "https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", None, "ANTHROPIC_API_KEY"),
        ("groq/llama-3.3-70b-versatile", None, "GROQ_API_KEY"),
        ("claude-sonnet-4-5", None, "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-flash", None, "GEMINI_API_KEY"),
        ("demo", None, None),
        ("ollama/llama3", None, None),
        ("openai/qwen", "http://127.0.0.1:8000/v1", None),
        ("openai/qwen", "http://10.0.0.7:8000/v1", None),
        ("bedrock/some-model", None, None),
        ("hosted_vllm/x", None, None),
    ],
)
def test_a_key_is_required_where_the_provider_wants_one(model: str, base: str | None, variable: str | None) -> None:
    assert required_key(ModelSpec(model=model, api_base=base)) == variable
    assert key_present(ModelSpec(model=model, api_base=base)) is (variable is None)


def test_a_missing_key_is_said_with_the_variables_name() -> None:
    problem = missing_key_problem(ModelSpec(model="gemini/gemini-2.5-flash"))
    assert problem is not None
    assert "GEMINI_API_KEY" in problem
    assert "GOOGLE_API_KEY" in problem


def test_a_prefix_that_is_no_provider_is_said_instead_of_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    problem = missing_key_problem(ModelSpec(model="nosuch/model"))
    assert problem is not None
    assert problem.startswith("nosuch/model: 'nosuch' is no provider: ")
    assert "OPENAI_API_KEY" not in problem
    assert missing_key_problem(ModelSpec(model="nosuch/model", api_base="http://127.0.0.1:8000/v1")) is None


def test_any_of_the_variables_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "x")
    assert missing_key_problem(ModelSpec(model="gemini/gemini-2.5-flash")) is None
    monkeypatch.setenv("GOOGLE_API_KEY", "  ")
    assert missing_key_problem(ModelSpec(model="gemini/gemini-2.5-flash")) is not None


def test_a_server_of_ones_own_may_still_be_given_a_key() -> None:
    assert key_variables(ModelSpec(model="openai/qwen", api_base="http://127.0.0.1:8000/v1")) == ("OPENAI_API_KEY",)


def test_all_variables_of_an_entry_that_are_not_set_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ModelSpec(
        model="openai/m", entry="large", api_base="http://gpu1:8000/v1", api_key_env="LARGE_KEY",
        headers={"X-One": "${ONE_ID}", "X-Two": "${TWO_ID} ${ONE_ID}"},
    )  # fmt: skip
    assert missing_key_problem(spec) == (
        "large: LARGE_KEY, which holds its key, is not set; headers of its entry want ONE_ID and TWO_ID, which are not set:"
        " export LARGE_KEY=… ONE_ID=… TWO_ID=…"
    )
    monkeypatch.setenv("LARGE_KEY", "k")
    monkeypatch.setenv("TWO_ID", "t")
    assert missing_key_problem(spec) == "large: a header of its entry wants ONE_ID, which is not set: export ONE_ID=…"
    monkeypatch.setenv("ONE_ID", "o")
    assert missing_key_problem(spec) is None
    monkeypatch.delenv("LARGE_KEY")
    assert missing_key_problem(spec) == "large: LARGE_KEY, which holds its key, is not set: export LARGE_KEY=…"
