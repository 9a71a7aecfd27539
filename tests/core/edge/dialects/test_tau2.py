"""tau2-bench's tasks: read with its own classes, and run against them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from modex.core.edge.dialects.tau2 import STOPS, iter_domains, package_at
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.assembly import problems_of
from modex.core.suite.definitions import TestCase
from tests.cli import call, reading
from tests.server import Reply, Request, serve
from tests.server.replies import call as made
from tests.server.replies import calls

PLACE = Path(__file__).parents[3] / "fixtures" / "tau2"
pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tau2") / "out"
    called = call("import", "tau2", PLACE, out, "--run-code")
    assert called.code == 0, called.err
    assert [line for line in called.err.splitlines() if line.startswith("left out: ")] == [
        "left out: lamps: cut: its history ends with a result of a tool"
    ]
    return out


@pytest.fixture(scope="module")
def tests(out: Path) -> dict[str, TestCase]:
    suite, problems = problems_of(str(out))
    assert problems == []
    return {test.test_id: test for test in suite.tests}


def test_a_task_is_a_conversation_that_the_user_opens(tests: dict[str, TestCase]) -> None:
    test = tests["lamps_0"]
    assert (test.rollout, test.evaluator_id, test.level) == ("conversation", "world", 3)
    assert test.prompt == ({"role": "assistant", "content": "Hi! How can I help you today?"},)
    user = test.simulated_user
    assert (user["opens"], user["tool_ids"], user["stop_words"]) == (True, ["lamps_press"], list(STOPS))
    assert user["system"].startswith("You are a customer with tools.")
    assert [tool.name for tool in test.tools] == ["dim"]


def test_golds_are_what_their_actions_come_to_and_only_the_basis_counts(tests: dict[str, TestCase]) -> None:
    assert tests["lamps_0"].expected == {
        "end": {"state": {"agent": {"/rooms/hall": 3}, "user": {"/on": True}}, "says": ["1000"]}
    }
    assert tests["asserted"].expected == {
        "end": {
            "state": {"assertions": {'assistant.assert_bright({"room": "hall", "bright": 3})': True}},
            "calls": [{"name": "dim", "args": {"room": "hall", "bright": 3}, "only": ["room"]}],
        }
    }
    assert tests["history"].expected == {"end": {"holds": ["The agent is kind"]}}
    assert tests["history"].prompt == ({"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Dim it?"})
    assert tests["free"].expected == {"end": {}}


@pytest.mark.long
def test_a_suite_runs_against_the_classes_as_they_are(out: Path, tmp_path: Path) -> None:
    def model(request: Request) -> Reply:
        said = [message for message in request.messages if message["role"] == "assistant"]
        if request.messages[0]["content"].startswith("You are a customer"):
            pressed = any(message.get("tool_calls") for message in said)
            if not said:
                return Reply("Dim the hall to 3, please.")
            wants = "press the button" in request.messages[0]["content"]
            return calls(made("press", "{}")) if wants and not pressed else Reply("###STOP###")
        if not any(message["role"] == "tool" for message in request.messages):
            return calls(made("dim", json.dumps({"room": "hall", "bright": 3})))
        return Reply("Done. It costs 1,000.")

    with serve() as server:
        server.behave(model)
        called = call(
            "run", "--model", "openai/m", "--user-model", "openai/m", "--api-base", server.url, "--suite", out,
            "--exp-id", "e", "--db", tmp_path / "x.db", "--headless", "--allow-plugins", "--test", "lamps_0",
            "--test", "asserted", "--test", "free", "--epochs", "2",
        )  # fmt: skip
    assert called.code == 0, called.err
    with reading(tmp_path / "x.db") as reader:
        found = {(one.test_id, one.epoch): (one.status, one.why) for one in reader.samples(reader.run("e").id)}
    assert {status for status, _ in found.values()} == {"passed"}, (found, called.err)
    assert len(found) == 6


def test_without_the_word_nothing_is_run(tmp_path: Path) -> None:
    called = call("import", "tau2", PLACE, tmp_path / "out")
    assert called.code == 2
    assert "add --run-code to agree" in called.err


def test_a_package_that_is_not_there_or_cannot_be_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no package tau2"):
        package_at(tmp_path, sys.executable)
    assert package_at(PLACE / "tau2", "python").package == package_at(PLACE, "python").package
    with pytest.raises(ConfigurationError, match=r"cannot be run .*name another interpreter with --python"):
        list(iter_domains(package_at(PLACE, str(tmp_path / "no-python")), ()))
    with pytest.raises(ConfigurationError, match="no domain 'planes'; there are lamps"):
        list(iter_domains(package_at(PLACE, sys.executable), ["planes"]))


def test_a_domain_that_cannot_be_loaded_or_told_apart_is_left_out(tmp_path: Path) -> None:
    def changed(old: str, new: str) -> Any:
        place = tmp_path / old
        shutil.copytree(PLACE, place)
        file = place / "tau2" / "domains" / "lamps" / "environment.py"
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        [found] = iter_domains(package_at(place, sys.executable), ())
        assert found.tests == []
        return found.left_out

    assert changed("class House", "import nothing_of_this_name\n\n\nclass House") == [
        "lamps: it cannot be loaded: ModuleNotFoundError: No module named 'nothing_of_this_name'"
    ]
    assert changed('"press"', '"dim"') == ["lamps: agent and user both have a tool 'dim', which cannot be told apart"]
