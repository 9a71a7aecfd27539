"""A model that works in a folder, from its first call to its verdict."""

from __future__ import annotations

import pytest

from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Workspace, find
from tests.core.pipeline.conftest import Ask
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.server import Reply, ServerHandle
from tests.workspace_examples import EXAMPLES, MEND, SCRIPT, Example, agent, sh

pytestmark = pytest.mark.usefixtures("boxes")


def verdict(sample: EvaluationSample) -> Workspace:
    """What was found of the workspace."""
    found = find(sample.parts, Workspace)
    assert found is not None
    return found


def told(sample: EvaluationSample) -> list[str]:
    """What the calls were answered."""
    return [entry["content"] for entry in sample.transcript if entry["role"] == "tool"]


def asked(example: Example, **more: object) -> dict[str, object]:
    """The fields of a test."""
    return {"expected": None, "evaluator_id": "workspace", **example.test, **more}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.test["id"])
def test_who_solves_it_passes_and_every_check_and_change_is_kept(ask: Ask, example: Example) -> None:
    sample = ask(agent(example.right), **asked(example))
    assert (sample.status, sample.why) == ("passed", sample.why), told(sample)
    found = verdict(sample)
    assert found.checks
    assert all(one.passed for one in found.checks)
    assert found.calls == len(example.right) == len(told(sample))
    assert found.diff


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.test["id"])
def test_who_is_careless_fails_and_is_told_which_check(ask: Ask, example: Example) -> None:
    sample = ask(agent(example.careless), **asked(example))
    assert sample.status == "failed"
    assert any(not one.passed for one in verdict(sample).checks)
    assert sample.why


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.test["id"])
def test_who_does_nothing_fails(ask: Ask, example: Example) -> None:
    sample = ask(Reply("I would not know."), **asked(example))
    assert sample.status == "failed"
    assert verdict(sample).diff == ""


def test_a_model_sees_the_folder_and_neither_checks_nor_solution(ask: Ask, server: ServerHandle) -> None:
    sample = ask(
        agent([sh("ls -A; cat tests/*; env; ls -A / /modex /tmp"), sh("grep -rs 'all.of.them' . /tmp")]), **asked(MEND)
    )
    assert "all of them" not in "".join(told(sample))
    assert "all of them" not in str([request.body for request in server.requests])
    names = [tool["function"]["name"] for tool in server.requests[0].body["tools"]]
    assert names == ["shell", "read_file", "write_file", "edit_file", "list_files", "search"]


def test_after_the_last_call_the_model_must_answer(ask: Ask, server: ServerHandle) -> None:
    test = asked(SCRIPT)
    test["sandbox"] = {**SCRIPT.test["sandbox"], "limits": {"calls": 2}}
    sample = ask(agent([sh("true")] * 4), **test)
    assert len(told(sample)) == 2
    assert "tool_limit" in sample.flags
    assert [bool(request.body.get("tools")) for request in server.requests] == [True, True, False]
