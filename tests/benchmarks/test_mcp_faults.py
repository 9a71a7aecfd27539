"""A run over MCP servers that raise, die, hang, change their tools and flood, beside good ones, in a small size."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mcp_faults import EPOCHS, FAULTY, GOOD, run


@pytest.mark.long
@pytest.mark.process
def test_no_sample_pays_for_another_ones_server_and_no_process_is_left(tmp_path: Path) -> None:
    found = run(tmp_path, 1)
    assert found.broken == []
    assert {kind: found.counts[kind]["passed"] for kind in GOOD} == dict.fromkeys(GOOD, EPOCHS)
    assert found.counts["raises"] == {"tool_unavailable": EPOCHS}
    assert sum(found.counts[kind]["failed"] for kind in FAULTY) == 0
