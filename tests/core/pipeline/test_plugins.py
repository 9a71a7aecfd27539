"""A suite's own Python runs only where a person allowed exactly these files."""

from __future__ import annotations

import importlib.util
import py_compile
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline import plugins as module
from modex.core.pipeline.plugins import _consent, is_allowed, load_plugins, read_plugins
from modex.core.suite.definitions import McpServer
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


NEAR = "import os, sys\nsys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))\nimport _helper_x\n"


@pytest.fixture
def near(root: Path) -> Iterator[Path]:
    """A suite whose plugin imports its neighbour by a path of its own."""
    before = list(sys.path)
    (root / "plugins" / "good.py").write_text(NEAR + GOOD)
    (root / "plugins" / "_helper_x.py").write_text(GOOD)
    yield root
    sys.path[:] = before
    sys.modules.pop("_helper_x", None)


def test_a_neighbour_that_a_plugin_imports_is_allowed_with_it(near: Path) -> None:
    load_plugins(near, allow=True)
    assert ran() == 2
    assert is_allowed(near)
    for place in ("plugins/_helper_x.py", "lib/more.py", "test_definitions/tools/more.py", "run.sh"):
        path = near / place
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text() if path.exists() else None
        path.write_text(f"{before or ''}\n")
        assert not is_allowed(near), place
        with pytest.raises(ConfigurationError, match="changed since"):
            load_plugins(near, allow=False)
        path.unlink() if before is None else path.write_text(before)
    assert is_allowed(near)


def test_a_planted_compiled_file_is_not_run(near: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text("import builtins\nbuiltins.modex_ran = 99\n")
    for neighbour in (near / "plugins").glob("*.py"):
        place = Path(importlib.util.cache_from_source(str(neighbour)))
        py_compile.compile(str(planted), str(place), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    load_plugins(near, allow=True)
    assert ran() == 2


def test_a_neighbour_that_changes_after_it_was_allowed_is_not_imported(near: Path) -> None:
    changes = "with open(__file__[:-7] + '_helper_x.py', 'a') as file:\n    file.write('#')\n"
    (near / "plugins" / "good.py").write_text(changes + NEAR)
    with pytest.raises(ConfigurationError, match=r"_helper_x\.py was not there, or was another, when"):
        load_plugins(near, allow=True)


def test_what_is_installed_within_a_suite_is_no_part_of_it(near: Path) -> None:
    load_plugins(near, allow=True)
    write_files(near / "venv", {"pyvenv.cfg": "home = /usr\n"})
    assert not is_allowed(near)  # a folder that becomes an environment is a change
    load_plugins(near, allow=True)
    write_files(near / "venv", {"lib/anything.py": "x = 1\n"})
    assert is_allowed(near)


def test_consent_to_servers_is_for_their_commands_their_files_and_what_they_are_given(tmp_path: Path) -> None:
    one = McpServer(command=("node", "a.js"), digest="d", env=("HOME",))
    others = [
        [], [replace(one, command=("node", "b.js"))], [replace(one, digest="e")], [replace(one, env=("HOME", "PATH"))],
        [one, McpServer(url="http://host")],
    ]  # fmt: skip
    digests = [_consent(tmp_path, [], servers)[0] for servers in ([one], *others)]
    assert len(set(digests)) == len(digests)
    assert [len(digest) for digest in digests] == [32, 0, 32, 32, 32, 32]
    again = [McpServer(url="http://host"), one, replace(one, timeout_s=1.0)]
    assert _consent(tmp_path, [], again)[0] == digests[-1]


def test_plugins_that_ship_with_the_program_may_run_wherever_they_were_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"plugins/a.py": GOOD, "plugins/b.py": "", "plugins/note.md": ""}
    bundled = write_files(tmp_path / "bundled", files)
    monkeypatch.setattr(module, "bundled_root", lambda: bundled)
    assert is_allowed(bundled)
    assert is_allowed(write_files(tmp_path / "copy", files))
    (bundled / "plugins" / "note.md").unlink()
    assert is_allowed(write_files(tmp_path / "exactly", {name: files[name] for name in list(files)[:2]}))
    assert not is_allowed(write_files(tmp_path / "edited", {**files, "plugins/b.py": "1"}))
    assert not is_allowed(write_files(tmp_path / "part", {"plugins/a.py": GOOD}))
    assert not is_allowed(write_files(tmp_path / "more", {**files, "plugins/c.py": ""}))


@pytest.mark.parametrize(
    ("source", "where"),
    [("x = 1\0", "bad.py:0:"), ("\n\n1/0\n", "bad.py:3:"), ("x = (\n", "bad.py:1:"), ("\nexit(3)\n", "bad.py:2:")],
)
def test_where_a_plugin_fails_is_said_as_far_as_it_is_known(tmp_path: Path, source: str, where: str) -> None:
    root = write_files(tmp_path / "suite", {"plugins/bad.py": source})
    with pytest.raises(ConfigurationError) as failed:
        load_plugins(root, allow=True)
    assert f"{where} the plugin failed: " in str(failed.value)


_EVONIC = {
    "plugins/kanban/plugin.json": {"id": "kanban"},
    "plugins/kanban/__init__.py": "",
    "plugins/kanban/handler.py": "import os\n",
}


@pytest.mark.parametrize(
    ("beside", "ours"),
    [
        ({}, []), ({"plugins/loose.py": "x = 1\n"}, []), ({"plugins/own.py": "from modex import KeywordEvaluator\n"}, ["own.py"]),
        ({"plugins/old.py": "import sys\nfrom core.api import KeywordEvaluator\n"}, ["old.py"]),
        ({"plugins/late/__init__.py": "", "plugins/late/part.py": "    import modex.core\n"}, ["late"]),
        ({"plugins/named.py": "x = import_module('modex')\n"}, ["named.py"]), ({"plugins/cored.py": "import corelib\n"}, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sign", ["plugins/kanban/plugin.json", "plugins/kanban/handler.py"])
def test_another_systems_plugins_are_none_of_ours(
    beside: dict[str, str], ours: list[str], sign: str, tmp_path: Path
) -> None:
    """evonic keeps its own plugins in a folder of this name; only what imports modex has to be agreed to."""
    files = {name: text for name, text in _EVONIC.items() if not name.endswith((".json", "handler.py")) or name == sign}
    root = write_files(tmp_path / "evonic", {**files, **beside})
    assert [plugin.name for plugin in read_plugins(root)] == ours
    assert is_allowed(root) is (not ours)


def test_without_a_sign_of_another_system_whatever_stands_there_is_a_plugin(tmp_path: Path) -> None:
    root = write_files(tmp_path / "suite", {"plugins/package/__init__.py": "", "plugins/loose.py": "x = 1\n"})
    assert [plugin.name for plugin in read_plugins(root)] == ["loose.py", "package"]
