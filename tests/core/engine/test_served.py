"""Runs over models that this program serves: the server stands in the place of llama.cpp's, everything else is real."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig, ServeSpec
from modex.core.engine.served import kept_servers, with_servers
from modex.core.engine.session import Session
from modex.core.engine.stopping import SessionOutcome
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.served.filling import filled, wish_of
from modex.core.llm.served.gguf import Gguf, read_gguf
from modex.core.llm.served.status import LEASE, is_held
from tests.core.engine.conftest import Bench
from tests.core.llm import served
from tests.core.llm.served.weights import SMALL, write_gguf

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `llama-server` on PATH that takes its options and answers like one."""
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    server = tmp_path / "bin" / "llama-server"
    server.parent.mkdir()
    server.write_text(
        "#!/bin/sh\n"
        'while [ "$1" != --port ]; do shift; done\n'
        f'exec {sys.executable} {Path(served.__file__).with_name("little.py")} "$2" "${{LITTLE:-plain}}"\n'
    )
    server.chmod(0o755)
    monkeypatch.setenv("PATH", f"{server.parent}:/usr/bin:/bin")
    return tmp_path


def _work(bench: Bench, exp_id: str = "e") -> SessionOutcome:
    session = Session(bench.database, exp_id)
    try:
        return session.run()
    finally:
        session.close()


def test_a_file_is_served_asked_and_kept_with_the_run(bench: Bench, home: Path) -> None:
    path = write_gguf(home / "small.gguf")
    bench.prepare(6, model=ModelSpec(model="small", gguf=str(path)), concurrency=3)
    assert _work(bench) == SessionOutcome("completed")
    run = bench.run()
    assert (run.total_tests, run.error_tests, run.cost_usd) == (6, 0, 0.0)
    (served,) = run.served
    assert {name: served[name] for name in ("file", "architecture", "quantization", "server", "slots", "context", "starts")} == {
        "file": "small.gguf", "architecture": "llama", "quantization": "Q4_0", "server": "llama-server", "slots": 3,
        "context": 2048, "starts": 1,
    }  # fmt: skip
    assert served["file_digest"] == run.config["model"]["gguf_digest"]


def test_the_file_is_not_read_again_for_each_call(bench: Bench, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Path] = []

    def noted(path: Path) -> Gguf:
        reads.append(path)
        return read_gguf(path)

    for module in ("filling", "facts"):
        monkeypatch.setattr(f"modex.core.llm.served.{module}.read_gguf", noted)
    path = write_gguf(home / "small.gguf")
    counts = []
    for count in (2, 20):
        bench.prepare(count, f"e{count}", model=ModelSpec(model="small", gguf=str(path)))
        reads.clear()
        assert _work(bench, f"e{count}") == SessionOutcome("completed")
        counts.append(len(reads))
    assert counts[0] == counts[1]


def test_another_place_of_the_file_asks_nothing_again_and_another_content_asks_all(bench: Bench, home: Path) -> None:
    bench.prepare(4, model=ModelSpec(model="small", gguf=str(write_gguf(home / "small.gguf"))))
    _work(bench)
    with_answers = _fingerprints(bench)
    (home / "elsewhere").mkdir()
    moved = (home / "small.gguf").rename(home / "elsewhere" / "small.gguf")
    bench.prepare(4, model=ModelSpec(model="small", gguf=str(moved)))
    _work(bench)
    assert _fingerprints(bench) == with_answers
    moved = moved.rename(moved.with_name("other.gguf"))
    bench.prepare(4, model=ModelSpec(model="other", gguf=str(moved)))  # its name is a part of its path
    _work(bench)
    assert (_fingerprints(bench), bench.run().model) == (with_answers, "other")
    moved.write_bytes(moved.read_bytes()[:-1] + b"\x01")
    with pytest.raises(ConfigurationError, match="this run asks other, not third"):
        bench.prepare(4, model=ModelSpec(model="third", gguf=str(moved)))
    bench.prepare(4, model=ModelSpec(model="other", gguf=str(moved)))
    _work(bench)
    assert not set(_fingerprints(bench)) & set(with_answers)


def _fingerprints(bench: Bench) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(bench.database)) as connection:
        return connection.execute(
            "SELECT rollout_fingerprint, started_at FROM individual_test_results ORDER BY id"
        ).fetchall()


def test_a_server_that_does_not_start_ends_the_run_with_its_last_words(
    bench: Bench, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITTLE", "ends")
    bench.prepare(4, model=ModelSpec(model="small", gguf=str(write_gguf(home / "small.gguf"))))
    outcome = _work(bench)
    assert outcome.status == "aborted"
    assert "no such device: cuda:7" in str(outcome.reason)
    assert bench.statuses() == ["pending"] * 4


def test_a_file_that_is_none_is_refused_before_anything_is_stored(bench: Bench, home: Path) -> None:
    (home / "small.gguf").write_bytes(b"PK")
    with pytest.raises(ConfigurationError, match="no GGUF file"):
        bench.prepare(4, model=ModelSpec(model="small", gguf=str(home / "small.gguf")))
    assert not bench.database.exists()


def test_a_run_of_models_that_others_serve_stays_as_it_is_wherever_it_works() -> None:
    far = ModelSpec(model="openai/m", api_base="http://a/v1")
    for more in ({}, {"cluster": "tls://head:8786"}, {"judges": (far,), "extractor": far}):
        config = RunConfig(model=far, **more)
        assert with_servers(config, 50_000) is config


def test_each_role_is_filled_with_what_the_longest_prompt_needs_and_each_server_is_told_once(home: Path) -> None:
    long = SMALL | {"llama.context_length": 131_072}
    served = ModelSpec(model="small", gguf=str(write_gguf(home / "small.gguf", long)))
    far = ModelSpec(model="openai/m")
    config = RunConfig(model=served, extractor=served, judges=(far, served), concurrency=2)
    told: list[str] = []
    found = with_servers(config, 3 * 5000, told.append)
    # 5,000 tokens of the prompt and twice 1,024 of an answer need the next power of two
    filled_in = [found.model, found.extractor, found.judges[1]]
    assert [(one.serve.context, one.serve.slots) for one in filled_in if one and one.serve] == [(8192, 2)] * 3
    assert (found.judges[0], found.user, len(told)) == (far, None, 1)
    assert "8,192 tokens" in told[0]
    nothing = with_servers(config)
    assert nothing.model.serve is not None
    assert nothing.model.serve.context == 4096
    short = with_servers(config.model_copy(update={"model": served.model_copy(update={"max_tokens": 100})}), 3 * 3800)
    assert short.model.serve is not None
    assert short.model.serve.context == 4096


def test_workers_of_other_machines_are_asked_for_another_model(bench: Bench, home: Path) -> None:
    served = ModelSpec(model="small", gguf=str(write_gguf(home / "small.gguf")))
    with pytest.raises(ConfigurationError, match="--cluster: its workers cannot reach"):
        bench.prepare(4, model=served, cluster="tls://head:8786")
    assert bench.prepare(1, model=served, cluster="local:1")


def test_models_asked_by_turns_keep_their_servers_where_they_fit(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, other = (ModelSpec(model=name, gguf=str(write_gguf(home / f"{name}.gguf"))) for name in ("small", "other"))
    specs = [filled(small.model_copy(update={"serve": ServeSpec(slots=slots)})) for slots in (1, 2)]
    places = [wish_of(spec).place for spec in specs]
    with kept_servers([*specs, ModelSpec(model="openai/x", api_base="http://127.0.0.1:9/v1")]):
        assert [is_held(place, LEASE) for place in places] == [True, True]
    assert [is_held(place, LEASE) for place in places] == [False, False]
    monkeypatch.setattr("modex.core.llm.served.filling.free_bytes", lambda: 0)
    lone = filled(other.model_copy(update={"serve": ServeSpec(slots=1, gpu_layers=1)}))
    with kept_servers([lone]):
        assert not wish_of(lone).place.exists()
