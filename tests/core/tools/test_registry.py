"""Which handlers there are, and which of them this machine can run."""

from __future__ import annotations

import sys

import pytest

from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable
from modex.core.tools.registry import find_handler, handler_unavailable


def test_the_tools_of_a_workspace_are_found_by_their_names_and_no_others_are() -> None:
    assert find_handler("workspace:shell") is not None
    assert find_handler("workspace:sing") is None
    assert find_handler("sing") is None


def test_the_tools_of_a_workspace_can_be_run_where_bubblewrap_can(monkeypatch: pytest.MonkeyPatch) -> None:
    bubblewrap_unavailable.cache_clear()
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", "darwin")
        said = handler_unavailable("workspace:shell")
    bubblewrap_unavailable.cache_clear()
    assert said == "bubblewrap needs Linux, and this is darwin"
    assert handler_unavailable("workspace:shell") == bubblewrap_unavailable()


def test_an_unknown_handler_is_named_with_the_way_to_bring_it() -> None:
    said = handler_unavailable("sing")
    assert said is not None
    assert "there is no handler 'sing'" in said
    assert "register_handler" in said
