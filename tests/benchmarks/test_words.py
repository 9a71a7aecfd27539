"""Words that look like keys, and every odd character, come out of store, agent, import and exports as they went in."""

from __future__ import annotations

import pytest

from benchmarks.words import differing


@pytest.mark.long
def test_no_word_is_altered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-key-Zq81XwPLm2")
    assert {way: lost[:3] for way, lost in differing(4_000, seed=7) if lost} == {}
