"""Which way a model's server can, found out by one call, and what cannot be asked or judged so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from modex.core.config.options import Reading
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import ConfigurationError, ModelCallError
from modex.core.llm.client import open_client
from modex.core.llm.pool import ClientPool
from modex.core.pipeline.likelihoods import check_reading, find_way, likelihood_problem
from tests.core.evaluators.conftest import ScriptedClient
from tests.rows import each_row
from tests.server.likely import Kind, likely


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClientPool]:
    monkeypatch.setenv("MODEX_RETRY_WAIT", "0.001")
    found = ClientPool(concurrency=1, timeout_s=10.0)
    yield found
    found.close()


@each_row("row", [("echo", "continuation"), ("next", "letter")])
def test_one_call_finds_out_which_way_a_server_can(row: tuple[Kind, str], pool: ClientPool) -> None:
    kind, way = row
    with likely(kind) as server:
        assert find_way(open_client(ModelSpec(model="openai/m", api_base=server.url), pool=pool)) == way
        assert len(server.asked) == 1
        assert server.asked[0]["model"] == "m"


@each_row(
    "row",
    [
        ("bare", "answers `/completions` without log-prob"),
        ("none", "has no `/completions` that tells log-prob"),
    ],
)
def test_a_server_that_can_neither_is_refused(row: tuple[Kind, str], pool: ClientPool) -> None:
    kind, words = row
    with likely(kind) as server, pytest.raises(ConfigurationError, match=words):
        find_way(open_client(ModelSpec(model="openai/m", api_base=server.url), pool=pool))


def test_a_server_that_refuses_the_key_is_another_fault(pool: ClientPool) -> None:
    with likely() as server:
        server.breaks = [401]
        with pytest.raises(ModelCallError):
            find_way(open_client(ModelSpec(model="openai/m", api_base=server.url), pool=pool))


def test_a_client_that_goes_on_with_no_text_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="tells no log-probabilities"):
        find_way(ScriptedClient())


@each_row(
    "row",
    [
        ({"model": ModelSpec(model="demo")}, True),
        ({"model": ModelSpec(model="demo"), "until": "preprocess"}, False),
        ({"model": ModelSpec(model="anthropic/claude-opus-4-5")}, True),
        ({"model": ModelSpec(model="openai/m", api_base="http://127.0.0.1:9/v1")}, False),
        ({"model": ModelSpec(model="m", gguf="/w/m.gguf")}, False),
        ({"model": ModelSpec(model="openai/m", api_base="http://127.0.0.1:9/v1"), "agent": "python a.py"}, True),
    ],
    ids=str,
)
def test_what_cannot_be_asked_so_is_seen_without_a_call(row: tuple[dict[str, object], bool]) -> None:
    given, refused = row
    assert (likelihood_problem(RunConfig.model_validate(given)) is not None) == refused


@each_row("row", [("modex", "official"), ("official", "modex"), ("loglikelihood", "loglikelihood")])
def test_readings_of_answers_can_follow_each_other(row: tuple[Reading, Reading]) -> None:
    check_reading("e", *row)


@each_row("row", [("modex", "loglikelihood"), ("loglikelihood", "modex"), ("loglikelihood", "official")])
def test_answers_and_likelihoods_cannot(row: tuple[Reading, Reading]) -> None:
    with pytest.raises(ConfigurationError, match="start a new run"):
        check_reading("e", *row)
