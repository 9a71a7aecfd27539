"""Plugins and agents that were written when modex was imported as `core` go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from modex.core.pipeline.old_imports import old_imports
from tests.core.suite.conftest import write_files
from tests.forked import ran
from tests.server import Reply, serve

OLD = """from core.api import BaseEvaluator, EvaluationResult, register_evaluator

@register_evaluator
class Polite(BaseEvaluator):
    id = "polite"

    def evaluate(self, sample, context):
        import modex.core.evaluators.base as now
        assert issubclass(Polite, now.BaseEvaluator)
        return EvaluationResult(1.0 * ("please" in sample.response))
"""
SUITE = {
    "test_definitions/manners/domain.json": json.dumps({"id": "manners", "name": "Manners", "evaluator_id": "polite"}),
    "test_definitions/manners/level_1/ask.json": json.dumps({"id": "ask", "prompt": "Ask for salt."}),
    "plugins/polite.py": OLD,
}


@pytest.mark.process
def test_a_plugin_of_0_2_0_judges_and_its_new_line_is_told_once(tmp_path: Path) -> None:
    suite = write_files(tmp_path / "suite", SUITE)
    with serve(lambda _request: Reply("The salt, please.")) as server:
        done = ran(
            "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--allow-plugins", "--headless",
            "--db", tmp_path / "runs.db",
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout + done.stderr
    assert said.count("is an old name") == 1
    assert "polite.py:1: `from core.api import …` is an old name; write `from modex import BaseEvaluator," in said


@pytest.mark.process
def test_a_folder_of_the_user_named_core_is_the_users(tmp_path: Path) -> None:
    write_files(tmp_path, {"core/__init__.py": "", "core/api.py": "mine = 7", "tui.py": "mine = 8"})
    code = (
        "import modex.tui.cli; from modex.core.pipeline.old_imports import allow_old_imports; allow_old_imports();"
        "import core.api, tui; print(core.api.mine, tui.mine)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )  # fmt: skip
    assert done.stdout.split() == ["7", "8"], done.stderr


@pytest.mark.process
def test_the_old_name_is_the_same_module_and_an_unknown_part_of_it_is_not_found(tmp_path: Path) -> None:
    code = (
        "from modex.core.pipeline.old_imports import allow_old_imports; allow_old_imports();"
        "import core.api, modex.core.evaluators.base as new; print(core.api.BaseEvaluator is new.BaseEvaluator)\n"
        "try: import core.never\n"
        "except ModuleNotFoundError as error: print(error.name)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "core.never"], done.stderr


def test_the_new_line_is_written_out_for_each_way_to_import(tmp_path: Path) -> None:
    plugin = tmp_path / "plugins" / "one.py"
    plugin.parent.mkdir()
    text = (
        "from core.api import BaseEvaluator as Base, PASS_SCORE\n"
        "import core.api as api\n"
        "import core.evaluators.base\n"
        "from core import api\n"
        "from core import evaluators\n"
        "from corelib import api\n"
        "import coreutils\n"
        "import core.gone\n"
    )
    told = dict(old_imports(plugin, text.encode()))
    assert sorted(told) == [1, 2, 3, 4, 5]
    assert told[1].endswith("write `from modex import BaseEvaluator as Base, PASS_SCORE`")
    assert told[2].endswith("write `import modex as api`")
    assert told[3].endswith("write `import modex.core.evaluators.base`")
    assert told[4].endswith("write `import modex as api`")
    assert told[5].endswith("write `from modex.core import evaluators`")
    assert old_imports(plugin, b"from core.api import (") == []
    (tmp_path / "core.py").touch()
    assert old_imports(plugin, text.encode()) == [], "the suite's own `core`"
