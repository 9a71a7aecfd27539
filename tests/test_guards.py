"""Every module has tests that one can find."""

from __future__ import annotations

import pytest

from tests import guards


def test_every_module_has_a_mirrored_file_or_stands_in_the_map() -> None:
    without = [module for module in guards.modules() if not {*guards.guards_of(module)} - {guards.CORPUS}]
    assert without == []


def test_the_map_names_only_what_is_there() -> None:
    modules = set(guards.modules())
    assert [module for module in guards.named() if module not in modules] == []
    missing = {guard for named in guards.named().values() for guard in named if not (guards.ROOT / guard).is_file()}
    assert missing == set()


def test_the_map_repeats_no_mirrored_file() -> None:
    assert [
        module
        for module, named in guards.named().items()
        if guards.mirrored(module) in named or len(set(named)) < len(named)
    ] == []


def test_a_change_runs_the_guards_of_the_module_the_changed_tests_and_those_that_use_a_changed_helper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        guards, "named", lambda: {"core/engine/stage_runner.py": ("tests/core/engine/test_session.py",)}
    )
    assert guards.tests_for(["core/engine/stage_runner.py", "README.md"]) == (
        "tests/core/engine/test_session.py",
        "tests/test_guards.py",
    )
    assert guards.tests_for(["core/llm/gate.py"]) == ("tests/core/llm/test_gate.py", "tests/test_guards.py")
    assert guards.CORPUS in guards.tests_for(["core/answers/numbers/units.py"])
    assert guards.tests_for(["tests/core/llm/test_gate.py"]) == ("tests/core/llm/test_gate.py",)
    assert "tests/tui/screens/test_live.py" in guards.tests_for(["tests/tui/stores.py"])
