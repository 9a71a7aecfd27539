"""BFCL's tests of several turns: read with the classes that they need, and run against them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects.bfcl_turns import BfclCode, code_beside, read_turns
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.assembly import problems_of
from modex.core.suite.definitions import TestCase
from tests.cli import call, reading
from tests.server import Reply, Request, serve
from tests.server.replies import call as made
from tests.server.replies import calls

FIXTURE = Path(__file__).parents[3] / "fixtures" / "bfcl_turns"
DATA = FIXTURE / "data"
pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("bfcl") / "out"
    called = call("import", "bfcl", DATA, out, "--run-code")
    assert called.code == 0, called.err
    left = [line for line in called.err.splitlines() if line.startswith("left out: ")]
    assert [line.partition(".json")[2] for line in left] == [
        ":3: multi_turn_base_2: the checkout has no class PlanesAPI with a document in multi_turn_func_doc that can be read",
        ":4: multi_turn_base_3: no possible answer; it stands in possible_answer/ under the file's name",
    ]
    return out


@pytest.fixture(scope="module")
def tests(out: Path) -> dict[str, TestCase]:
    suite, problems = problems_of(str(out))
    assert problems == []
    return {test.test_id: test for test in suite.tests}


def test_golds_are_what_their_calls_come_to(tests: dict[str, TestCase]) -> None:
    test = tests["multi_turn_base_0"]
    assert test.simulated_user == {"says": ["How bright is the hall.de/1 now?", "Thanks. Nothing more."]}
    assert (test.prompt, test.rollout, test.evaluator_id, test.level) == (
        "Dim the hall to 3.",
        "conversation",
        "world",
        3,
    )
    change = {"/LightsAPI/rooms/hall/bright": 3}
    first, second, third = test.expected["turns"]
    assert {place: value for place, value in first["changes"].items() if "owner" not in place} == change
    assert (first["acts"], first["results"]) == (True, ['{"room": "hall", "bright": 3}'])
    assert (second["results"], second["changes"]) == (["5"], first["changes"])
    assert third == {}
    assert [tool.name for tool in test.tools] == ["dim", "look"]
    assert test.tool_setup["config"] == {"LightsAPI": {"rooms": {"hall": 7, "hall.de/1": 5}}}


def test_functions_that_a_turn_brings_come_with_the_checkouts_words(tests: dict[str, TestCase]) -> None:
    says = [{"content": "Now there is more to choose from.", "tools": ["dim"]}]
    assert tests["multi_turn_miss_func_0"].simulated_user == {"says": says}
    assert tests["multi_turn_miss_func_0"].level == 4


@pytest.mark.long
def test_a_suite_runs_against_the_classes_as_they_are(out: Path, tmp_path: Path) -> None:
    plans: dict[str, list[list[tuple[str, dict[str, Any]]]]] = {
        "Dim the hall to 3.": [[("dim", {"room": "hall", "bright": 3})], [("look", {"room": "hall.de/1"})], []],
        "Look at the attic.": [[("dim", {"room": "attic", "bright": 1})]],
    }

    def model(request: Request) -> Reply:
        messages = request.messages
        spoken = sum(message["role"] == "user" for message in messages)
        plan = plans[messages[0]["content"]][spoken - 1]
        if messages[-1]["role"] != "user" or not plan:
            return Reply("Done.")
        return calls(*(made(name, json.dumps(arguments)) for name, arguments in plan))

    with serve() as server:
        server.behave(model)
        called = call(
            "run", "--model", "openai/m", "--api-base", server.url, "--suite", out, "--exp-id", "e", "--db", tmp_path / "x.db",
            "--headless", "--allow-plugins", "--domain", "multi_turn_base", "--epochs", "2",
        )  # fmt: skip
    assert "Traceback" not in called.err
    with reading(tmp_path / "x.db") as reader:
        found = {(one.test_id, one.epoch): (one.status, one.why) for one in reader.samples(reader.run("e").id)}
    assert {found["multi_turn_base_0", epoch][0] for epoch in (1, 2)} == {"passed"}, (found, called.err)
    assert found["multi_turn_base_1", 1] == ("failed", "turn 1: no call so far gave 1")


def test_without_the_word_nothing_is_run(tmp_path: Path) -> None:
    called = call("import", "bfcl", DATA, tmp_path / "out")
    assert called.err.count("tests of several turns need BFCL's own classes; --run-code runs them") == 2


def test_classes_that_are_not_there_or_cannot_be_run_are_said(tmp_path: Path) -> None:
    alone = tmp_path / "BFCL_v4_multi_turn_base.json"
    shutil.copyfile(DATA / alone.name, alone)
    with pytest.raises(ConfigurationError, match="no eval_checker/multi_turn_eval/func_source_code above it"):
        code_beside(alone, sys.executable)
    code = code_beside(DATA, str(tmp_path / "no-python"))
    with pytest.raises(ConfigurationError, match=r"cannot be run .*name another interpreter with --python"):
        read_turns(DATA / alone.name, code)
    broken = BfclCode(tmp_path / "nowhere", DATA / "multi_turn_func_doc", sys.executable)
    shutil.copytree(code.folder, broken.folder)
    (broken.folder / "lights.py").write_text(
        "import nothing_of_this_name\n\nclass LightsAPI:\n    pass\n", encoding="utf-8"
    )
    found = read_turns(DATA / alone.name, broken)
    assert found.tests == []
    assert any("ModuleNotFoundError: No module named 'nothing_of_this_name'" in line for line in found.left_out)
