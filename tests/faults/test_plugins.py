"""What a suite's plugins run is the text that was read when permission was asked: no compiled file, nothing beside it."""

from __future__ import annotations

import importlib.util
import marshal
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.harness import ROOT, Modex, keyword_tests, write_suite

pytestmark = pytest.mark.process

PLUGIN = """
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult
from modex.core.evaluators.registry import register


@register
class Long(BaseEvaluator):
    id = "long"

    def evaluate(self, sample, context):
        return EvaluationResult(1.0)
"""


def _suite(root: Path) -> Path:
    tests = [{**test, "evaluator_id": "long"} for test in keyword_tests(1)]
    (root / "plugins").mkdir(parents=True)
    (root / "plugins" / "long.py").write_text(PLUGIN)
    return write_suite(root, tests)


def _plant(source: Path, code: str) -> Path:
    """A compiled file that Python's own import takes for that of `source`: its time and size are those of the source."""
    stat = source.stat()
    compiled = Path(importlib.util.cache_from_source(str(source)))
    compiled.parent.mkdir(exist_ok=True)
    header = importlib.util.MAGIC_NUMBER + struct.pack("<LLL", 0, int(stat.st_mtime), stat.st_size)
    compiled.write_bytes(header + marshal.dumps(compile(code, str(source), "exec")))
    return compiled


def test_a_planted_compiled_file_never_runs(modex: Modex) -> None:
    suite = _suite(modex.home / "suite")
    mark = modex.home / "ran"
    _plant(suite / "plugins" / "long.py", f"open({str(mark)!r}, 'w')")
    allowed = modex.run("run", "--model", "demo", "--suite", suite, "--headless", "--allow-plugins", "--exp-id", "r")
    assert allowed.code == 0, allowed.err
    assert not mark.exists()
    checked = modex.run("check", suite)
    assert checked.code == 0, checked.err
    assert not mark.exists()


def test_before_permission_nothing_of_the_folder_runs(modex: Modex) -> None:
    suite = _suite(modex.home / "suite")
    mark = modex.home / "ran"
    for name in ("__init__.py", "_helper.py", "json.py", "long.py", "part/__init__.py", "part/deep.py"):
        path = suite / "plugins" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"open({str(mark)!r}, 'w')\n")
        _plant(path, f"open({str(mark)!r}, 'w')")
    for words in (("check", suite), ("run", "--model", "demo", "--suite", suite, "--headless")):
        ended = modex.run(*words, cwd=suite / "plugins")
        assert ended.code == 2
        assert "Traceback" not in ended.err
    assert not mark.exists()


def test_a_package_s_parts_are_what_was_allowed(modex: Modex) -> None:
    suite = write_suite(modex.home / "suite", [{**test, "evaluator_id": "long"} for test in keyword_tests(1)])
    package = suite / "plugins" / "lengths"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import long as _long\n")
    (package / "long.py").write_text(PLUGIN)
    run = ("run", "--model", "demo", "--suite", suite, "--headless", "--exp-id", "r")
    mark = modex.home / "ran"
    _plant(package / "long.py", f"open({str(mark)!r}, 'w')")
    assert modex.run(*run, "--allow-plugins").code == 0
    (package / "long.py").write_text(PLUGIN.replace("1.0", "0.0"))
    refused = modex.run(*run)
    assert refused.code == 2
    assert "lengths" in refused.err
    assert "changed since" in refused.err
    assert not mark.exists()


def test_a_part_that_was_not_read_cannot_be_imported(modex: Modex) -> None:
    suite = write_suite(modex.home / "suite", keyword_tests(1))
    package = suite / "plugins" / "lengths"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import native\n")
    shutil.copy(next(Path(sys.modules["_json"].__file__ or "").parent.glob("_json*.so")), package / "native.so")
    ended = modex.run("run", "--model", "demo", "--suite", suite, "--headless", "--allow-plugins")
    assert ended.code == 2
    assert f"{package / '__init__.py'}:1: the plugin failed" in ended.err


def test_a_pipe_among_the_plugins_is_refused_not_waited_for(modex: Modex) -> None:
    suite = write_suite(modex.home / "suite", keyword_tests(1))
    (suite / "plugins").mkdir()
    subprocess.run(["mkfifo", str(suite / "plugins" / "pipe.py")], check=True)
    ended = modex.run("check", suite, timeout=20)
    assert ended.code == 2
    assert "a plugin must be a file" in ended.err


def test_the_bundled_suite_s_tools_need_no_permission_and_other_suites_may_name_them(modex: Modex) -> None:
    copy = modex.home / "copy"
    for name in ("plugins", "tool_mocks", "prompts"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    test = {**keyword_tests(1, word="")[0], "rollout": "agentic", "tool_ids": ["token_supply"]}
    write_suite(copy, [{**test, "expected": {"keywords": ["a"]}}])
    said = modex.run("check", copy)
    assert said.code == 0, said.out + said.err
    (copy / "plugins" / "crypto_world" / "more.py").write_text("x = 1\n")
    changed = modex.run("run", "--model", "demo", "--suite", copy, "--headless")
    assert changed.code == 2
    assert "--allow-plugins" in changed.err
    shutil.rmtree(copy / "plugins")
    ended = modex.run("run", "--model", "demo", "--suite", copy, "--headless", "--exp-id", "r")
    assert ended.code in (0, 1), ended.err
    (row,) = modex.rows("status, error_type")
    assert row["error_type"] != "tool_unavailable"


AGENT = """import json, pathlib, sys
json.loads(sys.stdin.readline())
with pathlib.Path("ran").open("a") as file:
    file.write("x")
print(json.dumps({"answer": "ok"}))
"""


def test_a_database_from_elsewhere_starts_no_agent_and_no_plugin_before_somebody_here_says_so(
    modex: Modex, tmp_path: Path
) -> None:
    agent, ran, suite = modex.home / "agent.py", modex.home / "ran", _suite(modex.home / "suite")
    agent.write_text(AGENT)
    words = ("--agent", "python3 agent.py", "--suite", suite, "--allow-plugins", "--headless", "--exp-id", "a")
    assert modex.run("run", *words).code == 0
    again = ("resume", "a", "--filter", "status:passed")
    assert modex.run(*again, "--headless").code == 0
    assert ran.read_text() == "xx", "whoever began it here is not asked"

    other = tmp_path / "other"
    modex.variables = {
        "HOME": str(other),
        "XDG_DATA_HOME": str(other / "data"),
        "XDG_CONFIG_HOME": str(other / "config"),
    }
    for how in ("--headless", "--detach"):
        ended = modex.run(*again, how)
        assert ended.code == 2
        assert "--allow-plugins" in ended.err
    assert ran.read_text() == "xx"
    assert modex.the_run()["status"] == "completed", "what was refused changed nothing"
    assert modex.run(*again, "--headless", "--allow-plugins").code == 0
    assert modex.run(*again, "--headless").code == 0
    agent.write_text(AGENT + "# changed\n")
    assert "changed since" in modex.run(*again, "--headless").err
    assert ran.read_text() == "xxxx"
