"""A suite's own Python runs only where a person allowed exactly these files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.pipeline.plugins import is_allowed, load_plugins, read_plugins
from tests.core.suite.conftest import write_files

GOOD = "import builtins\nbuiltins.modex_ran = getattr(builtins, 'modex_ran', 0) + 1\n"


def ran() -> int:
    """How often the good plugin ran."""
    import builtins

    return int(getattr(builtins, "modex_ran", 0))


@pytest.fixture(autouse=True)
def _forget_plugins() -> object:
    import builtins

    yield
    for name in [name for name in sys.modules if name.startswith("modex_plugin_")]:
        del sys.modules[name]
    if hasattr(builtins, "modex_ran"):
        del builtins.modex_ran


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(
        tmp_path / "suite", {"plugins/good.py": GOOD, "plugins/_helper.py": "1/0", "plugins/note.md": ""}
    )


def test_a_suite_without_plugins_needs_no_permission(tmp_path: Path) -> None:
    assert load_plugins(tmp_path, allow=False) == []
    assert is_allowed(tmp_path)


def test_nothing_runs_until_it_is_allowed(root: Path) -> None:
    assert not is_allowed(root)
    with pytest.raises(ConfigurationError, match=r"good\.py.*--allow-plugins"):
        load_plugins(root, allow=False)
    assert ran() == 0


def test_once_allowed_it_stays_allowed(root: Path) -> None:
    assert load_plugins(root, allow=True) == ["good.py"]
    assert load_plugins(root, allow=False) == ["good.py"]
    assert is_allowed(root)
    assert ran() == 1


@pytest.mark.parametrize("change", ["edited", "added"])
def test_a_change_asks_again(root: Path, change: str) -> None:
    load_plugins(root, allow=True)
    (root / "plugins" / ("good.py" if change == "edited" else "more.py")).write_text("x = 1\n")
    assert not is_allowed(root)
    with pytest.raises(ConfigurationError, match="changed since"):
        load_plugins(root, allow=False)


def test_another_suite_with_the_same_files_is_not_allowed_with_it(root: Path, tmp_path: Path) -> None:
    load_plugins(root, allow=True)
    other = write_files(tmp_path / "other", {"plugins/good.py": GOOD})
    assert not is_allowed(other)


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("x = 1\nraise ValueError('no')\n", 2, "ValueError: no"),
        ("x = (\n", 1, "SyntaxError"),
        ("import nope_x\n", 1, "nope_x"),
    ],
)
def test_a_plugin_that_fails_names_file_and_line(root: Path, code: str, line: int, said: str) -> None:
    path = root / "plugins" / "bad.py"
    path.write_text(code)
    with pytest.raises(ConfigurationError) as caught:
        load_plugins(root, allow=True)
    assert f"{path}:{line}: the plugin failed: " in str(caught.value)
    assert said in str(caught.value)


def test_a_plugin_that_ends_the_process_is_named_too(root: Path) -> None:
    (root / "plugins" / "bad.py").write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(ConfigurationError, match=r"bad\.py:2"):
        load_plugins(root, allow=True)


def test_a_link_out_of_the_suite_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text(GOOD)
    (root / "plugins" / "linked.py").symlink_to(tmp_path / "outside.py")
    with pytest.raises(ConfigurationError, match="outside the suite"):
        read_plugins(root)
