"""Samples whose model called tools: which, and how many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modex.core.store import tool_samples
from modex.core.store.readers import Readers
from modex.core.store.tool_samples import counts, with_calls
from tests.tui.stores import StoreMaker, sample

CALLED: list[dict[str, Any]] = [{"role": "assistant", "phase": "synthesis"}, {"role": "tool", "content": "4"}]
ASKED_NONE: list[dict[str, Any]] = [{"role": "assistant", "phase": "synthesis"}]
TALKED: list[dict[str, Any]] = [
    {"role": "user", "content": 'say "x":"tool" and {\\"role\\":\\"tool\\"}', "phase": "pass1"}
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path_factory.mktemp("calls") / "m.db")
    transcripts = [CALLED, TALKED, ASKED_NONE, CALLED, [], CALLED, ASKED_NONE, TALKED, CALLED]
    samples = [
        sample("d", 1, number, "passed", transcript=one, flags=[str(number)]) for number, one in enumerate(transcripts)
    ]
    maker.run("r", samples=samples)
    maker.run("other", samples=samples)
    yield maker
    maker.close()


@pytest.mark.parametrize("page", [1, 2, 3, 4, 500])
def test_samples_that_called_a_tool_come_once_each_whatever_a_page_holds(
    store: StoreMaker, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(tool_samples, "_PAGE", page)
    found = list(with_calls(store.manager.reader, store.run_id("r")))
    assert [one["position"] for one in found] == [0, 3, 5, 8]
    assert found[1] == {
        "position": 3, "status": "passed", "flags": ["3"], "transcript": CALLED, "expected": 3, "response": "That makes 3.",
    }  # fmt: skip


@pytest.mark.parametrize("part", [1, 2, 20_000])
def test_a_sample_counts_among_those_that_called_or_among_those_that_asked_for_no_tool(
    store: StoreMaker, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(tool_samples, "_PART", part)
    reader = store.manager.reader
    with Readers(reader, [], processes=1) as readers:
        assert counts(readers, store.run_id("r")) == (4, 2)
        assert counts(readers, 99) == (0, 0)


def test_the_words_looked_for_are_a_name_and_its_value(store: StoreMaker) -> None:
    run = store.run("talk", samples=[sample("d", 1, 1, "passed", transcript=[{"x": "tool", "role": "user"}])])
    assert list(with_calls(store.manager.reader, run)) == []
