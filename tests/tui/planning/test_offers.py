from __future__ import annotations

from typing import Any

import pytest

from modex.core.config.entries.places import files
from modex.tui.planning.offers import DEMO, USED, Offer, entry_offers, first_offers, matching, with_key
from tests.rows import each_row

VALUE = "sk-planted-canary-value"


@each_row(
    ("model", "api_base", "words"),
    [
        ("demo/weak", None, "no key needed"),
        ("openai/llama", "http://127.0.0.1:8000/v1", "no key needed"),
        ("gemini/gemini-2.5-flash", None, "GOOGLE_API_KEY is set"),
        ("anthropic/claude-sonnet-4-5", None, "needs ANTHROPIC_API_KEY"),
        ("bedrock/us-east-1/some-model", None, "key not known"),
    ],
)
def test_an_offer_names_the_variable_and_never_the_key(model: str, api_base: str | None, words: str) -> None:
    offer = with_key(Offer(model, api_base), {"GOOGLE_API_KEY": VALUE})
    assert offer.key_words == words
    assert offer.ready == (offer.key in ("set", "none"))
    assert VALUE not in repr(offer)


def test_every_variant_to_play_with_is_offered_once_behind_what_was_used() -> None:
    offers = first_offers([{"model": "demo/weak", "api_base": None}, {"model": "openai/x", "api_base": "http://h/v1"}])
    assert [(offer.model, offer.origin) for offer in offers] == [
        ("demo/weak", USED),
        ("openai/x", USED),
        ("demo", DEMO),
        ("demo/strong", DEMO),
        ("demo/flaky", DEMO),
        ("demo/perfect", DEMO),
        ("demo/hasty", DEMO),
    ]


def test_what_can_be_asked_now_comes_before_what_lacks_a_key() -> None:
    known = [Offer("openai/a", key="missing"), Offer("openai/b", key="set"), Offer("x/openai/c", key="set")]
    offers = [*known, Offer("openai/used", origin=USED)]
    assert [offer.model for offer in matching(offers, "openai")] == [
        "openai/used", "openai/b", "openai/a", "openai", "x/openai/c",
    ]  # fmt: skip
    assert matching(offers, "openai/a")[0].model == "openai/a"


def test_entries_are_offered_first_with_their_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    path = files(None)[0][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        '[models.small]\nmodel = "openai/m"\napi_base = "http://127.0.0.1:9/v1"\napi_key_env = "GPU1_KEY"\n'
        '[models.demo]\nmodel = "demo/weak"\n[models.file]\ngguf = "x.gguf"\n'
    )
    named = entry_offers(None)
    assert [(one.model, one.api_base, one.origin, one.key_words) for one in named] == [
        ("small", None, "entry", "needs GPU1_KEY"),
        ("demo", None, "entry", "no key needed"),
        ("file", None, "entry", "no key needed"),
    ]
    monkeypatch.setenv("GPU1_KEY", "x" * 20)
    assert entry_offers(None)[0].key_words == "GPU1_KEY is set"
    used: list[dict[str, Any]] = [{"model": "openai/m", "entry": "small", "api_base": None}, {"model": "openai/n"}]
    offers = first_offers(used, named)
    assert [one.model for one in offers[:4]] == ["small", "demo", "file", "openai/n"]
    assert [one.model for one in offers].count("demo") == 1
