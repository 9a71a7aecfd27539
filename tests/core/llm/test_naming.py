"""Names of models that are found, and names that nobody knows."""

from __future__ import annotations

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.discovery import LocalServer
from modex.core.llm.naming import asked_model, name_at, ready_entries, unknown_name_problem
from tests.core.config.entries.test_places import own_file
from tests.rows import each_row


@each_row(
    ("spec", "words"),
    [
        (ModelSpec(model="smal"), "did you mean small?"),
        (ModelSpec(model="zzz"), "there are small, big;"),
        (ModelSpec(model="smal", entry="smal"), None),
        (ModelSpec(model="small", entry="small"), None),
        (ModelSpec(model="small", entry="loop"), "its model is the entry 'small'"),
        (ModelSpec(model="smal", api_base="http://127.0.0.1:9/v1"), None),
        (ModelSpec(model="openai/smal"), None),
        (ModelSpec(model="gpt-4o"), None),
        (ModelSpec(model="gpt-99-unheard-of"), None),
        (ModelSpec(model="demo/weak"), None),
        (ModelSpec(model="gguf:x", gguf="/x"), None),
    ],
)
def test_a_name_without_a_slash_is_an_entrys_or_a_known_models(spec: ModelSpec, words: str | None) -> None:
    found = unknown_name_problem(spec, ["small", "big"])
    assert (found is None) if words is None else (found is not None and words in found)


def test_the_model_of_a_command_by_itself_is_one_that_means_something() -> None:
    own_file('[models.small]\nmodel = "openai/m"\nparams = { temperature = 0.2 }\n')
    spec = asked_model("small", {"temperature": 0.5})
    assert (spec.model, spec.entry, spec.temperature) == ("openai/m", "small", 0.5)
    assert asked_model("openai/smal").model == "openai/smal"
    with pytest.raises(ConfigurationError, match=r"^--with smal: .*did you mean small"):
        asked_model("smal", flag="--with")


def test_found_models_are_entries_with_names_of_their_own() -> None:
    servers = [
        LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("llama3.2:1b", "org/llama3.2:1b")),
        LocalServer("vLLM", "http://127.0.0.1:8000/v1", ("small", "é")),
    ]
    found = ready_entries(servers, ["small"])
    assert list(found) == ["llama3.2-1b", "llama3.2-1b-2", "small-2", "model"]
    many = LocalServer("vLLM", "http://127.0.0.1:8000/v1", ("a/m", "b/m", "c/m", "x" * 70, "d/m"))
    assert list(ready_entries([many], [])) == ["m", "m-2", "m-3", "x" * 60, "m-4"]
    assert list(ready_entries([many], ["m-2", "m-3"])) == ["m", "m-4", "m-5", "x" * 60, "m-6"]
    assert found["llama3.2-1b-2"] == {"model": "openai/org/llama3.2:1b", "api_base": "http://127.0.0.1:11434/v1"}


@pytest.mark.parametrize(
    ("identity", "named"),
    [
        ("llama3.2:1b", "llama3.2:1b"),
        ("Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-0.5B"),
        ("openai/gpt-oss-20b", "openai/openai/gpt-oss-20b"),
        ("mistral/small", "openai/mistral/small"),
        ("demo", "openai/demo"),
        ("demo/nosuch", "openai/demo/nosuch"),
    ],
)
def test_a_servers_own_name_is_kept_unless_it_reads_as_another(identity: str, named: str) -> None:
    assert name_at("http://127.0.0.1:9/v1", identity) == named
