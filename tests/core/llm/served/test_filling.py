from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.config.runconfig import ModelSpec, ServeSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.served import filling
from modex.core.llm.served.filling import filled, fit_together, notes, wire_name, wish_of
from modex.core.llm.served.gguf import read_gguf
from modex.core.llm.served.status import KEEPER, opened, taken
from tests.core.llm.served.weights import SMALL, write_gguf


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    server = tmp_path / "llama-server"
    server.write_text("#!/bin/sh\n")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(filling, "cores", lambda: 40)
    return tmp_path


def _spec(path: Path, serve: ServeSpec | None = None) -> ModelSpec:
    return ModelSpec(model="small", gguf=str(path), serve=serve)


def test_what_nobody_says_follows_from_the_file_and_the_run(home: Path) -> None:
    path = write_gguf(home / "small.gguf", SMALL | {"llama.context_length": 131_072})
    found = filled(_spec(path))
    assert found.serve == ServeSpec(context=4096, slots=4, threads=16)
    assert (found.concurrency, len(found.gguf_digest or "")) == (4, 64)
    assert filled(_spec(path), needed=4097).serve == ServeSpec(context=8192, slots=4, threads=16)
    assert filled(_spec(path), concurrency=200).serve == ServeSpec(context=4096, slots=64, threads=16)
    assert filled(_spec(path), concurrency=7).concurrency == 7
    assert filled(found, needed=50_000, concurrency=9) == found  # what a stored run says holds


def test_what_is_said_holds(home: Path) -> None:
    said = ServeSpec(context=100, slots=3, threads=2, gpu_layers="all")
    assert filled(_spec(write_gguf(home / "a.gguf"), said)).serve == said


def test_a_model_that_others_serve_stays_as_it_is() -> None:
    spec = ModelSpec(model="openai/x", api_base="http://a/v1")
    assert filled(spec) is spec


def test_no_slot_gets_more_than_the_model_was_trained_for(home: Path) -> None:
    path = write_gguf(home / "a.gguf")
    assert filled(_spec(path), needed=50_000).serve == ServeSpec(context=2048, slots=4, threads=16)
    with pytest.raises(ConfigurationError, match=r"4,000 tokens, and a.gguf was trained for 2,048"):
        filled(_spec(path, ServeSpec(context=4000)))


def test_a_file_that_says_nothing_of_its_training_takes_what_is_asked_for(home: Path) -> None:
    path = write_gguf(home / "a.gguf", {key: value for key, value in SMALL.items() if "context" not in key})
    found = filled(_spec(path, ServeSpec(context=4000)))
    assert found.serve is not None
    assert found.serve.context == 4000
    exact = filled(_spec(write_gguf(home / "b.gguf"), ServeSpec(context=2048)))
    assert exact.serve is not None
    assert exact.serve.context == 2048


def test_what_does_not_fit_is_said_before_the_start(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_gguf(home / "a.gguf", SMALL | {"llama.block_count": 4000, "llama.context_length": 65_536})
    monkeypatch.setattr(filling, "free_bytes", lambda: 1_000_000_000)
    with pytest.raises(ConfigurationError, match=r"needs about 67\.3 GB .* 4 × 65,536 tokens\), and 1\.0 GB are free"):
        filled(_spec(path, ServeSpec(context=65_536)))
    assert filled(_spec(path, ServeSpec(context=1024, slots=1))).serve is not None
    monkeypatch.setattr(filling, "free_bytes", lambda: None)
    assert filled(_spec(path, ServeSpec(context=65_536))).serve is not None
    monkeypatch.setattr(filling, "free_bytes", lambda: 0)
    assert filled(_spec(path, ServeSpec(context=65_536, gpu_layers=9))).serve is not None


def test_what_does_not_fit_is_said_before_gigabytes_are_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_gguf(home / "a.gguf")
    with path.open("r+b") as file:
        file.truncate(60_000_000_000)  # of nothing, on the disk
    monkeypatch.setattr(filling, "free_bytes", lambda: 1_000_000_000)
    monkeypatch.setattr(filling, "content_digest", lambda path: pytest.fail(f"{path} was read"))
    with pytest.raises(ConfigurationError, match=r"needs about 60\.2 GB \(file 60\.0, .*, and 1\.0 GB are free"):
        filled(_spec(path))


def test_what_runs_takes_nothing_more(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = _spec(write_gguf(home / "a.gguf"))
    place = wish_of(filled(spec)).place
    monkeypatch.setattr(filling, "free_bytes", lambda: 0)
    with pytest.raises(ConfigurationError, match=r"0\.0 GB are free"):
        filled(spec)
    place.mkdir(parents=True)
    keeper = opened(place, KEEPER)
    assert taken(keeper)
    assert filled(spec).gguf_digest
    with pytest.raises(ConfigurationError, match=r"0\.0 GB are free"):  # another server is none of this file
        filled(_spec(write_gguf(home / "b.gguf")))
    os.close(keeper)


def test_servers_are_kept_together_where_all_of_them_fit(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (
        filled(_spec(write_gguf(home / name), ServeSpec(slots=slots))) for name, slots in (("a.gguf", 4), ("b.gguf", 1))
    )
    both = sum(
        read_gguf(Path(spec.gguf or "")).memory((spec.serve.context or 0) * (spec.serve.slots or 0))
        for spec in (one, other)
        if spec.serve is not None
    )
    monkeypatch.setattr(filling, "free_bytes", lambda: both)
    assert fit_together([one, other])
    monkeypatch.setattr(filling, "free_bytes", lambda: both - 1)
    assert not fit_together([one, other])
    assert fit_together([one])
    monkeypatch.setattr(filling, "_runs", lambda spec: spec is one)  # what is there already takes nothing more
    assert fit_together([one, other])
    monkeypatch.setattr(filling, "free_bytes", lambda: None)
    assert fit_together([one, other])
    card = filled(_spec(home / "a.gguf", ServeSpec(gpu_layers=9)))
    command = ModelSpec(model="openai/x", serve=ServeSpec(command="serve --port {port}"))
    assert not fit_together([one, card])
    assert not fit_together([one, command])


def test_the_same_content_elsewhere_is_the_same_wish_and_other_options_are_another(home: Path) -> None:
    one, other = (wish_of(filled(_spec(write_gguf(home / name)))) for name in ("a.gguf", "b.gguf"))
    assert one.key != other.key  # the server calls its model by the file's name
    (home / "x").mkdir()
    moved = wish_of(filled(_spec(write_gguf(home / "x" / "a.gguf"))))
    assert (moved.key, moved.file) == (one.key, str(home / "x" / "a.gguf"))
    assert wish_of(filled(_spec(home / "a.gguf", ServeSpec(context=512)))).key != one.key
    write_gguf(home / "a.gguf", SMALL | {"general.name": "Other"})
    assert wish_of(filled(_spec(home / "a.gguf"))).key != one.key


def test_what_was_not_filled_in_is_when_the_server_is_wanted(home: Path) -> None:
    assert wish_of(_spec(write_gguf(home / "a.gguf"))).context == 2048


def test_weights_without_a_template_are_asked_by_a_named_one_and_that_is_told(home: Path) -> None:
    bare = filled(_spec(write_gguf(home / "bare.gguf", SMALL | {"tokenizer.chat_template": ""})))
    assert wish_of(bare).template == "chatml"
    assert notes(bare)[-1].endswith("bare.gguf has no chat template and is asked by 'chatml'")
    named = filled(_spec(write_gguf(home / "named.gguf", SMALL | {"tokenizer.chat_template": "nosuch"})))
    assert wish_of(named).template == "chatml"
    assert notes(named)[-1].endswith(
        "named.gguf has the chat template 'nosuch', which takes no messages, and is asked by 'chatml'"
    )
    own = filled(_spec(write_gguf(home / "own.gguf")))
    assert wish_of(own).template is None
    (line,) = notes(own)
    assert line.endswith(": Little (llama, 0 M, Q4_0), served here by llama-server in 4 slots of 2,048 tokens")
    (alone,) = notes(filled(_spec(home / "own.gguf", ServeSpec(slots=1))))
    assert alone.endswith(" in 1 slot of 2,048 tokens")


def test_a_command_is_a_wish_of_its_own() -> None:
    spec = ModelSpec(
        model="openai/my/model", serve=ServeSpec(command="serve {port}", ready="/up", start_timeout=9, slots=2)
    )
    wish = wish_of(filled(spec))
    assert (wish.name, wish.command, wish.ready, wish.start_timeout_s) == ("my/model", "serve {port}", "/up", 9)
    assert filled(spec).concurrency == 2
    assert wire_name(ModelSpec(model="bare", serve=ServeSpec(command="x {port}"))) == "bare"
