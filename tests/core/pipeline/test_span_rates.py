"""DROP's two figures are the means over a source's answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.pipeline.span_rates import span_rates
from modex.core.verdict import Extra, details_of
from tests.tui.stores import StoreMaker, sample


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "m.db")
    yield maker
    maker.close()


def test_exact_match_and_f1_are_means_over_what_was_judged(store: StoreMaker) -> None:
    verdicts: list[tuple[str, dict[str, Any], str]] = [
        ("passed", {"exact": True, "F1": 1.0}, "spans"),
        ("failed", {"exact": False, "F1": 0.5}, "spans"),
        ("failed", {"exact": False, "F1": 0}, "spans"),
        ("failed", {"exact": False, "F1": 0.5}, "spans"),
        ("error", {"exact": True, "F1": 1.0}, "spans"),
        ("passed", {"exact": True, "F1": 1.0}, "other"),
        ("passed", {"exact": "x", "F1": 1.0}, "spans"),
        ("passed", {"exact": True}, "spans"),
    ]
    run_id = store.run(
        "e",
        samples=[
            sample("d", 1, n, status, details=details_of((Extra(facts, title),), {}))  # type: ignore[arg-type]
            for n, (status, facts, title) in enumerate(verdicts)
        ],
    )
    assert span_rates(store.manager, run_id, "suite") == {"exact": 0.25, "f1": 0.5, "n": 4}
    assert span_rates(store.manager, run_id, "elsewhere") is None
