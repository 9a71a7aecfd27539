"""A Hub on loopback that `huggingface_hub` takes for its own, and no token of the tester's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.features.fetch import hub as hub_asked
from tests.server.hub import Hub, hub


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    import huggingface_hub.constants

    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hub_asked, "PIECE", 500)
    monkeypatch.setattr(huggingface_hub.constants, "HF_TOKEN_PATH", str(tmp_path / "no token"))
    with hub() as one:
        monkeypatch.setenv("HF_ENDPOINT", one.address)
        yield one
