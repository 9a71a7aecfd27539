from __future__ import annotations

import importlib.util
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.llm import prices
from modex.core.llm.prices import _table_file, known_models, price_entry, price_of, price_table
from modex.core.llm.types import Usage
from tests.rows import each_row

USED = Usage(prompt=1000, completion=500, reasoning=200, cached=400)


def test_cached_tokens_are_cheaper() -> None:
    assert price_of(ModelSpec(model="gpt-4o")).of(USED) == pytest.approx(600 * 2.5e-6 + 400 * 1.25e-6 + 500 * 1e-5)


def test_reasoning_tokens_have_their_own_price_where_the_table_says_so() -> None:
    entry = price_entry("gemini/gemini-2.5-flash")
    assert entry is not None
    assert price_of(ModelSpec(model="gemini/gemini-2.5-flash")).of(USED) == pytest.approx(
        600 * 3e-7 + 400 * 3e-8 + 300 * entry["output_cost_per_token"] + 200 * entry["output_cost_per_reasoning_token"]
    )


def test_the_users_own_price_wins() -> None:
    spec = ModelSpec(model="gpt-4o", input_price=1e-3, output_price=2e-3)
    assert price_of(spec).of(USED) == pytest.approx(2.0)


def test_an_unknown_price_is_unknown_and_not_free() -> None:
    assert price_of(ModelSpec(model="openai/my-finetune")).of(USED) is None
    assert price_of(ModelSpec(model="gpt-4o", api_base="http://127.0.0.1:8000/v1")).of(USED) is None


@each_row("address", [None, "https://api.openai.com/v1", "https://api.openai.com/v1/"])
def test_the_providers_own_address_has_the_providers_price(address: str | None) -> None:
    assert price_of(ModelSpec(model="gpt-4o", api_base=address)).of(USED) == price_of(ModelSpec(model="gpt-4o")).of(
        USED
    )
    assert price_of(ModelSpec(model="gpt-4o")).of(USED)


def test_the_demo_model_and_local_ollama_are_free() -> None:
    assert price_of(ModelSpec(model="demo/weak")).of(USED) == 0.0
    assert price_of(ModelSpec(model="ollama/llama3", api_base="http://127.0.0.1:11434")).of(USED) == 0.0


def test_a_prefix_finds_the_providers_own_model_only() -> None:
    assert price_entry("openai/gpt-4o") == price_entry("gpt-4o")
    assert price_entry("anthropic/gpt-4o") is None


def test_known_models_complete_a_name() -> None:
    names = known_models("gemini/gemini-2.5")
    assert "gemini/gemini-2.5-flash" in names
    assert names == sorted(names)
    assert len(known_models("", limit=10)) == 10


def test_the_whole_table_gives_the_entries_that_a_search_of_its_file_finds() -> None:
    names = ("gpt-4o", "gemini/gemini-2.5-flash", "openai/gpt-4o", "sample_spec", "no-such-model")

    def entries() -> list[object]:
        prices._price_entry.cache_clear()
        return [price_entry(name) for name in names]

    price_table.cache_clear()
    searched = entries()
    assert price_table.cache_info().currsize == 0
    known_models()
    assert entries() == searched
    assert [entry is not None for entry in searched] == [True, True, True, False, False]


def test_no_more_is_cached_or_thought_than_there_was() -> None:
    price = price_of(ModelSpec(model="gpt-4o"))
    assert price.of(Usage(prompt=100, completion=0, cached=400)) == pytest.approx(100 * 1.25e-6)
    flash, entry = price_of(ModelSpec(model="gemini/gemini-2.5-flash")), price_entry("gemini/gemini-2.5-flash")
    assert entry is not None
    thought = flash.of(Usage(prompt=0, completion=100, reasoning=400))
    assert thought == pytest.approx(100 * entry["output_cost_per_reasoning_token"])


def test_a_long_prompt_has_the_price_of_its_length() -> None:
    entry = {"in": 1.0, "in_above_128k_tokens": 2.0, "in_above_200k_tokens": 3.0, "in_above_xk_tokens": 9.0, "out": 5.0}
    lengths = (0, 128_000, 128_001, 200_000, 200_001)
    assert [prices._tier(entry, "in", Usage(prompt=length)) for length in lengths] == [1.0, 1.0, 2.0, 2.0, 3.0]
    assert prices._tier(entry, "none", Usage(prompt=300_000)) is None


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (None, False),
        (SimpleNamespace(submodule_search_locations=None), False),
        (SimpleNamespace(submodule_search_locations=["/x"]), True),
    ],
)
def test_without_litellm_no_price_is_known(monkeypatch: pytest.MonkeyPatch, found: object, known: bool) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: found)
    place = _table_file()
    assert (place is not None and str(place).startswith("/x/model_prices")) is known


def priced(monkeypatch: pytest.MonkeyPatch, entry: dict[str, Any] | None, usage: Usage, **spec: Any) -> float | None:
    """What `usage` costs by this entry of the table; `spec` says how the model is asked."""
    monkeypatch.setattr(prices, "price_entry", lambda _: entry)
    return prices.Price(ModelSpec(**{"model": "openai/m", **spec})).of(usage)


HALF = Usage(prompt=10, completion=4, reasoning=1, cached=2)
PLAIN_ENTRY = {"input_cost_per_token": 1.0, "output_cost_per_token": 10.0}


@each_row(
    ("entry", "spec", "cost"),
    [
        (PLAIN_ENTRY, {}, 50.0),
        ({**PLAIN_ENTRY, "cache_read_input_token_cost": 0.5, "output_cost_per_reasoning_token": 20.0}, {}, 59.0),
        ({**PLAIN_ENTRY, "cache_read_input_token_cost": 0, "output_cost_per_reasoning_token": 0}, {}, 38.0),
        ({"input_cost_per_token": 1.0}, {}, None),
        ({"output_cost_per_token": 1.0}, {}, None),
        ({"input_cost_per_token": True, "output_cost_per_token": 1.0}, {}, None),
        ({"input_cost_per_token": "1", "output_cost_per_token": "no"}, {}, None),
        ({"input_cost_per_token": "1", "output_cost_per_token": "2"}, {}, 18.0),
        (None, {}, None),
        (None, {"input_price": 2.0}, 20.0),
        (None, {"output_price": 3.0}, 12.0),
        (PLAIN_ENTRY, {"input_price": 0.0}, 0.0),
        (PLAIN_ENTRY, {"model": "demo"}, 0.0),
        (PLAIN_ENTRY, {"api_base": "http://127.0.0.1:9/v1"}, None),
        ({"input_cost_per_token": 0, "output_cost_per_token": 0}, {"api_base": "http://127.0.0.1:9/v1"}, 0.0),
        ({"input_cost_per_token": 1, "output_cost_per_token": 0}, {"api_base": "http://127.0.0.1:9/v1"}, None),
        ({"input_cost_per_token": 0, "output_cost_per_token": 1}, {"api_base": "http://127.0.0.1:9/v1"}, None),
        (PLAIN_ENTRY, {"api_base": "https://api.openai.com/v1/"}, 50.0),
        (PLAIN_ENTRY, {"model": "m", "api_base": "https://api.openai.com/v1"}, 50.0),
        (PLAIN_ENTRY, {"model": "bedrock/m", "api_base": "https://api.openai.com/v1"}, None),
    ],
)
def test_tokens_cost_what_the_table_or_the_user_says(
    monkeypatch: pytest.MonkeyPatch, entry: dict[str, Any] | None, spec: dict[str, Any], cost: float | None
) -> None:
    assert priced(monkeypatch, entry, HALF, **spec) == cost


@each_row(("length", "price"), [(0, 1.0), (128_000, 1.0), (128_001, 2.0), (200_001, 3.0)])
def test_the_highest_tier_that_a_prompt_exceeds_counts_in_any_order(length: int, price: float) -> None:
    entry = {
        "in_above_200k_tokens": 3.0, "in_above_128k_tokens": 2.0, "in": 1.0, "in_above_1k": 9.0, "other_above_1k_tokens": 9.0,
    }  # fmt: skip
    assert prices._tier(entry, "in", Usage(prompt=length)) == price


def test_a_name_may_say_that_the_responses_api_is_asked() -> None:
    assert price_entry("openai/responses/gpt-4o") == price_entry("openai/gpt-4o") is not None
    assert price_entry("azure/responses/gpt-4o") is None


def test_known_models_are_those_that_chat_and_begin_with_the_text_first() -> None:
    names = known_models("GPT-4o", limit=500)
    begins = [name.startswith("gpt-4o") for name in names]
    assert begins == sorted(begins, reverse=True)
    assert any(begins)
    assert not all(begins)
    assert "gpt-4o-transcribe" not in names
