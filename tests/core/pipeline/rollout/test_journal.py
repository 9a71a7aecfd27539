"""A sample in a workspace that is broken off goes on after its last finished call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.pipeline.rollout import asking
from modex.core.pipeline.rollout.journal import can_be_taken_up, stored_journal
from modex.core.pipeline.rollout.workspaces import running
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import Location, McpServer, ToolDefinition
from modex.core.tools.base import STATE, ToolSession
from modex.core.verdict import Workspace, find
from tests.cli import call, reading, write_suite
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture
from tests.server import Behaviour, Reply, Request, ServerHandle, serve
from tests.server.replies import call as made
from tests.server.replies import calls, error
from tests.workspace_examples import EXAMPLES, Example

pytestmark = pytest.mark.usefixtures("boxes")


def by_conversation(example: Example, fails_at: int | None, refusal: Reply | None = None) -> Behaviour:
    """A model that does what comes next by what was said so far; asked the call number `fails_at`, its server refuses."""

    def behave(request: Request) -> Reply:
        done = sum(message["role"] == "assistant" for message in request.messages)
        if done == fails_at:
            return refusal or error(403, "no more today")
        if done == len(example.right):
            return Reply("Done.")
        name, given = example.right[done]
        return calls(made(name, json.dumps(given), f"c{done}"))

    return behave


def run(root: Path, server: ServerHandle, example: Example) -> EvaluationSample:
    """Run the test, or go on with it."""
    suite = write_suite(root / "suite", [{"evaluator_id": "workspace", **example.test}])
    call("run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e", "--db",
         root / "modex.db", "--headless")  # fmt: skip
    with reading(root / "modex.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    return sample


def told(sample: EvaluationSample) -> list[Any]:
    """What was said and done, without times."""
    return [
        (entry["role"], entry["content"], entry.get("tool_calls"), entry["iteration"]) for entry in sample.transcript
    ]


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_it_ends_as_one_that_nobody_disturbed_and_pays_nothing_twice(tmp_path: Path, fails_at: int) -> None:
    example = EXAMPLES[0]
    with serve() as server:
        server.behave(by_conversation(example, None))
        calm = run(tmp_path / "calm", server, example)
        hits = server.hits
        server.behave(by_conversation(example, fails_at))
        server.forget()
        broken = run(tmp_path / "broken", server, example)
        assert broken.workspace is not None
        assert broken.workspace["journal"]["iteration"] == fails_at
        refused = server.hits - fails_at
        server.behave(by_conversation(example, None))
        found = run(tmp_path / "broken", server, example)
        assert server.hits - refused == hits
    assert (found.status, found.score, told(found)) == (calm.status, calm.score, told(calm))
    assert find(found.parts, Workspace) is not None
    assert find(found.parts, Workspace).diff == find(calm.parts, Workspace).diff  # type: ignore[union-attr]
    assert (found.prompt_tokens, found.completion_tokens) == (calm.prompt_tokens, calm.completion_tokens)
    assert "journal" not in (found.workspace or {})


def test_a_try_after_an_error_of_the_server_goes_on_and_counts_once(tmp_path: Path) -> None:
    example = EXAMPLES[0]
    with serve() as server:
        server.behave(by_conversation(example, None))
        calm = run(tmp_path / "calm", server, example)
        server.behave(by_conversation(example, 2, error(500, "ill")))
        broken = run(tmp_path / "broken", server, example)
        assert (broken.status, broken.error_type) == ("error", "server_error")
        server.forget()
        server.behave(by_conversation(example, None))
        found = run(tmp_path / "broken", server, example)
        assert server.hits == len(example.right) + 1 - 2
    assert (found.status, told(found)) == (calm.status, told(calm))
    assert totals(tmp_path / "broken") == totals(tmp_path / "calm")


def test_what_the_model_may_have_caused_is_tried_from_the_beginning(tmp_path: Path) -> None:
    example = EXAMPLES[0]
    with serve() as server:
        server.behave(by_conversation(example, 2, error(400, "this history is refused")))
        broken = run(tmp_path, server, example)
        assert (broken.status, broken.error_type) == ("error", "bad_request")
        assert "journal" not in (broken.workspace or {})
        server.forget()
        server.behave(by_conversation(example, None))
        assert run(tmp_path, server, example).status == "passed"
        assert server.hits == len(example.right) + 1


def test_a_workspace_that_cannot_be_opened_for_a_while_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = EXAMPLES[0]
    with serve() as server:
        server.behave(by_conversation(example, 2))
        run(tmp_path, server, example)
        with monkeypatch.context() as broken:
            broken.setattr(asking, "open_workspace", _refuse)
            failed = run(tmp_path, server, example)
        assert (failed.status, failed.error_type) == ("error", "sandbox_unavailable")
        assert failed.prompt_tokens
        server.forget()
        server.behave(by_conversation(example, None))
        assert run(tmp_path, server, example).status == "passed"
        assert server.hits == len(example.right) + 1 - 2


def _refuse(*_: object) -> object:
    raise ModelCallError("no room", ErrorType.SANDBOX_UNAVAILABLE)


def totals(root: Path) -> tuple[int, int]:
    """What the run counted."""
    with reading(root / "modex.db") as reader:
        found = reader.run("e")
    return found.prompt_tokens, found.completion_tokens


def _row(**changes: Any) -> EvaluationSample:
    said = [{"role": "assistant", "content": "", "tool_calls": []}]
    noted = {"journal": {"of": "f", "entries": 1}}
    given = {"transcript": said, "workspace": noted, "rollout_fingerprint": "f", **changes}
    return EvaluationSample(**{"domain": "d", "level": 1, "test_id": "t", **given})


@pytest.mark.parametrize(
    ("changes", "goes_on"),
    [
        ({}, True),
        ({"rollout_fingerprint": "g"}, False),
        ({"rollout_fingerprint": None, "workspace": {"journal": {"of": None, "entries": 1}}}, False),
        ({"transcript": []}, False),
        ({"flags": ["redacted"]}, False),
        ({"workspace": None}, False),
        ({"workspace": {"journal": "torn"}}, False),
    ],
)
def test_only_a_whole_journal_of_the_same_question_is_gone_on_from(changes: dict[str, Any], goes_on: bool) -> None:
    assert (stored_journal(_row(**changes)) is not None) is goes_on


def test_what_tools_hold_elsewhere_is_not_taken_up() -> None:
    own = ToolDefinition("a", "a", "", {}, Location("x"), server=McpServer(("s",)))
    shared = ToolDefinition("b", "b", "", {}, Location("x"), server=McpServer(("s",), shared=True))
    assert can_be_taken_up(ToolSession(state={STATE: {"n": 1}}), [shared])
    assert not can_be_taken_up(ToolSession(), [shared, own])
    assert not can_be_taken_up(ToolSession(state={"plugin": 1}), [])


def test_the_running_command_is_said_in_a_plain_line() -> None:
    assert running("shell", json.dumps({"command": "ls\n  \x1b[31m-l"})) == "shell: ls [31m-l"
    assert running("read_file", '{"path": "a.txt"}') == "read_file: a.txt"
    assert running("shell", "{") == ""
    assert running("other", '{"n": 1}') == ""
    assert len(running("shell", json.dumps({"command": "x" * 999}))) == 200
