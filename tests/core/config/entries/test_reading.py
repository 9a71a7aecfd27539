"""`models.toml` as it is read: what it says, and every mistake with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.entries.keys import KEYS
from modex.core.config.entries.reading import mistakes_in, read_entries
from modex.core.foundation.errors import ConfigurationError
from tests.rows import each_row

WHOLE = """\
[models.small]                            # `--model small`, wherever a model is taken
model = "openai/Qwen/Qwen2.5-0.5B"
api_base = "http://gpu1:8000/v1"
api_key_env = "GPU1_KEY"
headers = { "X-Team" = "eval", Authorization = "Bearer ${GPU1_TOKEN}" }
params = { temperature = 0.2, max_tokens = 512, stop = ["\\n\\n"], extra_body = { top_k = 20 } }
prices = { input = 0.10, output = 0.40 }
concurrency = 16
timeout = 120

[models.local]
gguf = "~/models/mine-Q4_K_M.gguf"
serve = { context = 8192, threads = 6, gpu_layers = "all" }

[models.beside]
gguf = "here.gguf"

[models.own]
serve = { command = "vllm serve my/model --port {port}", ready = "/health", start_timeout = 600 }
model = "openai/my/model"

[models."gpt-4.1"]
model = "openai/gpt-4.1"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "models.toml"
    path.write_text(text)
    return path


def test_an_entry_says_the_fields_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    path = written(tmp_path, WHOLE)
    found = read_entries(path, "settings")
    assert list(found) == ["small", "local", "beside", "own", "gpt-4.1"]
    assert found["small"].fields == {
        "model": "openai/Qwen/Qwen2.5-0.5B",
        "api_base": "http://gpu1:8000/v1",
        "api_key_env": "GPU1_KEY",
        "headers": {"X-Team": "eval", "Authorization": "Bearer ${GPU1_TOKEN}"},
        "temperature": 0.2,
        "max_tokens": 512,
        "stop": ("\n\n",),
        "extra_body": {"top_k": 20},
        "input_price": 0.10 / 1e6,
        "output_price": 0.40 / 1e6,
        "concurrency": 16,
        "timeout_s": 120.0,
    }
    assert found["local"].fields == {
        "gguf": "/home/ada/models/mine-Q4_K_M.gguf",
        "model": "gguf:mine-Q4_K_M.gguf",
        "serve": {"context": 8192, "threads": 6, "gpu_layers": "all"},
    }
    assert found["beside"].fields["gguf"] == str(tmp_path / "here.gguf")
    assert found["own"].fields == {
        "model": "openai/my/model",
        "serve": {
            "command": "vllm serve my/model --port {port}", "ready": "/health", "start_timeout": 600.0, "folder": str(tmp_path),
        },
    }  # fmt: skip
    assert [one.where for one in found.values()][:2] == [f"{path}:1", f"{path}:11"]


@each_row(
    "line",
    [
        'params = { extra_body = { eos_token = "</s>", token = 3, max_token = "5", key = "" } }',
        'serve = { command = "serve --api-key $OWN_KEY --max-token 5 --port {port}" }',
        'serve = { command = "serve --tokenizer big --hf-token ${HF} --port {port}" }',
    ],
)
def test_what_only_sounds_like_a_key_is_taken(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    path = written(tmp_path_factory.mktemp("file"), f'[models.a]\nmodel = "x/y"\n{line}')
    assert list(read_entries(path, "settings")) == ["a"]


def test_a_file_of_another_encoding_is_said_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_bytes(b'[models.a]\nmodel = "x/\xff"\n')
    with pytest.raises(ConfigurationError) as caught:
        read_entries(path, "settings")
    assert str(caught.value) == f"{path}:2: is not written in UTF-8; save the file as UTF-8"
    path.write_bytes(b'\xef\xbb\xbf[models.a]\nmodel = "x/y"\n')  # as some editors begin a file
    assert list(read_entries(path, "settings")) == ["a"]


def test_mistakes_of_a_suites_file_are_findings_of_the_suite(tmp_path: Path) -> None:
    assert mistakes_in(tmp_path) == []
    written(tmp_path, '[models.a]\nmodle = "x"\n[models.b]\nmodel = "x"\ntimeout = 0\n')
    assert [(one.path, one.line) for one in mistakes_in(tmp_path)] == [("models.toml", 2), ("models.toml", 5)]
    assert mistakes_in(tmp_path)[0].message == "a.modle: no such key; did you mean model?"
    written(tmp_path, "[models.a\n")
    (one,) = mistakes_in(tmp_path)
    assert (one.path, one.line) == ("models.toml", 1)
    assert "models.toml" not in one.message
    (tmp_path / "models.toml").unlink()
    (tmp_path / "models.toml").mkdir()
    (one,) = mistakes_in(tmp_path)
    assert (one.line, one.message.startswith("cannot be read (Is a directory)")) == (0, True)


def test_a_file_that_is_not_there_has_no_entries(tmp_path: Path) -> None:
    assert read_entries(tmp_path / "models.toml", "suite") == {}


@each_row(
    ("text", "line", "words"),
    [
        ('[models.a]\nmodle = "x/y"', 2, "a.modle: no such key; did you mean model?"),
        ('[models.a]\nguf = "f"', 2, "a.guf: no such key; did you mean gguf?"),
        ('[models.a]\nprompt = "x"', 1, 'needs a model = "provider/name"'),
        ('[models.a]\nprompt = "x"', 2, "there are model, api_base, api_key_env, headers, params"),
        ('[models.a]\nmodel = "x/y"\nbase_url = "http://h"', 3, "did you mean api_base?"),
        ('[models.a]\nmodel = "x/y"\nkey-env = "K"', 3, "did you mean api_key_env?"),
        ('[models.a]\nmodel = "x/y"\nmax_token = 5', 3, "write it as params = { max_tokens = 512 }"),
        ('[models.a]\nmodel = "x/y"\nparams = { top_k = 5 }', 3, "params = { extra_body = { top_k = … } }"),
        ('[models.a]\nmodel = "x/y"\nparams = { timeout = 5 }', 3, "write it as timeout = 120"),
        ('[models.a]\ngguf = "f"\nserve = { n_ctx = 5 }', 3, "write it as serve = { context = 8192 }"),
        ('[models.a]\ngguf = "f"\nmodel = "x/y"', 3, "leave model out, or gguf"),
        ('[models.a]\nmodel = "x/y"\napi_base = "http://h:99999/v1"', 3, "must be an address"),
        ('[models.a]\nmodel = "x/y"\napi_base = "ftp://h/v1"', 3, "must be an address"),
        ('[models.a]\nmodel = "x/y"\napi_base = "http:///v1"', 3, "must be an address"),
        ('[models.a]\nmodel = "x/y"\nmodel = "x/z"', 3, "this key stands twice"),
        ('[models.a]\nmodel = "x/y"\n[models.a]\nmodel = "x/z"', 3, "[models.a] stands twice"),
        ('[models.a]\nmodel = x/y\n', 2, "correct it, in TOML"),
        ('[models.a]\nmodel = "x/y', 2, "correct it, in TOML"),
        ('[model.a]\nmodel = "x/y"', 1, "model: no such table; did you mean [models.NAME]?"),
        ('[models.a]\nmodel = "x/y"\n\n[models.a.params]\ntemperture = 1', 5, "did you mean temperature?"),
        ('[models.a]\nmodel = "x/y"\ntemperature = 1', 3, "write it as params = { temperature = 0.2 }"),
        ('[models.a]\nmodel = "x/y"\ncontext = 1', 3, "write it as serve = { context = 8192 }"),
        ('[models.a]\nmodel = "x/y"\nparams = { temperature = -1 }', 3, "must be a number of at least 0"),
        ('[models.a]\nmodel = "x/y"\nparams = 3', 3, "must be a table such as { temperature = 0.2 }"),
        ('[models.a]\n# a remark\nmodel = ""', 3, "must not be empty"),
        ('[models.gpt-4.1]\nmodel = "x/y"', 1, 'a name with a dot stands in quotes: [models."gpt-4.1"]'),
        ('[models."a/b"]\nmodel = "x/y"', 1, "no name of an entry"),
        ('models = 3', 1, "write each model as [models.NAME]"),
        ('[models]\na = "x/y"', 2, "must be a table: write it as [models.NAME]"),
        ('[models.a]\napi_base = "http://h"', 1, 'needs a model = "provider/name", or a gguf'),
        ('[models.a]\nmodel = "x/y"\napi_base = "h:80"', 3, "must be an address such as http://gpu1:8000/v1"),
        ('[models.a]\nmodel = "x/y"\nheaders = { A = 1 }', 3, "must be a table of texts"),
        ('[models.a]\nmodel = "x/y"\nheaders = { A = "a\\nb" }', 3, "is no header that can be sent"),
        ('[models.a]\nmodel = "x/y"\nparams = { stop = [] }', 3, "must be a text or a list of them"),
        ('[models.a]\nmodel = "x/y"\nparams = { extra_body = { messages = [] } }', 3, "messages is filled in"),
        ('[models.a]\nmodel = "x/y"\nparams = { extra_body = { day = 2026-01-01 } }', 3, "what JSON can say"),
        ('[models.a]\ngguf = "f"\nserve = { command = "s {port}" }', 2, "leave gguf or serve.command out"),
        ('[models.a]\ngguf = "f"\napi_base = "http://h"', 3, "modex chooses the address"),
        ('[models.a]\ngguf = "f"\napi_key_env = "K"', 3, "has a key of its own"),
        ('[models.a]\ngguf = "f"\nserve = { ready = "/x" }', 3, "belongs to a command"),
        ('[models.a]\nmodel = "x/y"\nserve = { context = 1 }', 3, "belongs to a gguf"),
        ('[models.a]\nmodel = "x/y"\nserve = { ready = "/x" }', 3, 'needs a command = "… --port {port}"'),
        ('[models.a]\nmodel = "x/y"\nserve = { command = "vllm serve" }', 3, "must hold {port}"),
        ('[models.a]\nmodel = "x/y"\nserve = { command = "s {port}", ready = "health" }', 3, "must be a path"),
        ('[models.a]\ngguf = "f"\nserve = { gpu_layers = "most" }', 3, 'at most 100000, or "all"'),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_line(
    tmp_path_factory: pytest.TempPathFactory, text: str, line: int, words: str
) -> None:
    path = written(tmp_path_factory.mktemp("file"), text)
    with pytest.raises(ConfigurationError) as caught:
        read_entries(path, "settings")
    wanted = words.rpartition("|")[2]
    assert any(one.startswith(f"{path}:{line}: ") and wanted in one for one in str(caught.value).splitlines()), (
        caught.value
    )


KEY = "sk-abcdef0123456789abcdef"


@each_row(
    "line",
    [
        f'api_key = "{KEY}"',
        f'token = "{KEY}"',
        f'api_key_env = "{KEY}"',
        'api_key_env = "AIzaSyA1234567890abcdefghijklmnop"',
        f'headers = {{ Authorization = "Bearer {KEY}" }}',
        'headers = { "X-Api-Key" = "plain-words-as-key" }',
        f'headers = {{ "X-Team" = "{KEY}" }}',
        'api_base = "http://ada:secret99@gpu1:8000/v1"',
        'api_base = "http://gpu1:8000/v1?api_key=secret99"',
        f'params = {{ extra_body = {{ auth = "{KEY}" }} }}',
        'params = { extra_body = { token = "plain-words-as-key" } }',
        'params = { extra_body = { of = [{ "Access-Token" = "plain-words-as-key" }] } }',
        'params = { extra_body = { db = { password = "plain-words-as-key" } } }',
        'serve = { command = "serve --api-key plain-words-as-key --port {port}" }',
        'serve = { command = "serve --password=plain-words-as-key --port {port}" }',
        f'serve = {{ command = "serve --key {KEY} --port {{port}}" }}',
    ],
)
def test_a_key_itself_is_refused_and_not_said_again(tmp_path_factory: pytest.TempPathFactory, line: str) -> None:
    path = written(tmp_path_factory.mktemp("file"), f'[models.a]\nmodel = "x/y"\n{line}')
    with pytest.raises(ConfigurationError) as caught:
        read_entries(path, "settings")
    said = str(caught.value)
    assert said.startswith(f"{path}:3: ")
    assert not any(secret in said for secret in (KEY, "AIzaSy", "plain-words", "secret99"))


def test_every_mistake_is_said_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, '[models.a]\nmodle = "x"\n[models.b]\nmodel = "x"\ntimeout = 0\n')
    with pytest.raises(ConfigurationError) as caught:
        read_entries(path, "settings")
    assert [line.split(": ")[0] for line in str(caught.value).splitlines()] == [f"{path}:2", f"{path}:5"]


def test_the_example_of_each_key_is_read() -> None:
    import tomllib

    for key in KEYS:
        key.read(tomllib.loads(f"value = {key.example}")["value"])
