"""What answers from elsewhere tell of their way: read in every form, its calls judged, the state made again, the rest named."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.errors import ModelCallError
from modex.core.foundation.parties import party_of
from modex.core.pipeline.rollout.asking import Rollout
from modex.core.pipeline.rollout.told import (
    MAX_STEPS,
    mark_unanswered,
    read_text_calls,
    told_entries,
    unread_of,
)
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading, write_suite
from tests.rows import each_row

TOOL: dict[str, Any] = {
    "id": "cancel",
    "function": {
        "name": "cancel",
        "description": "",
        "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    },
    "responses": [
        {"when": {"$state.[id]": "open"}, "set": {"[id]": "done"}, "response": {"ok": "{{id}}"}},
        {"error": "not open"},
    ],
}
TEST: dict[str, Any] = {
    "id": "t",
    "prompt": "Cancel A.",
    "expected": {"calls": [{"name": "cancel", "args": {"id": "A"}}], "state": {"A": "done"}},
    "tools": [TOOL],
    "tool_state": {"A": "open"},
}
CALL = {"id": "c", "type": "function", "function": {"name": "cancel", "arguments": '{"id": "A"}'}}
CHAT: list[dict[str, Any]] = [
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": '{"ok": "A"}'},
    {"role": "assistant", "content": "Done."},
]
QUESTION = {"role": "user", "content": "Cancel A."}


def imported(folder: Path, *rows: dict[str, Any], **test: Any) -> tuple[Called, list[EvaluationSample]]:
    folder.mkdir(exist_ok=True)
    write_suite(folder / "s", [{**TEST, **test}], evaluator_id="tool_call")
    (folder / "a.jsonl").write_text("".join(json.dumps({"test_id": "t", **row}) + "\n" for row in rows))
    called = call(
        "import", "answers", folder / "a.jsonl", "--suite", folder / "s", "--exp-id", "e", "--db", folder / "m.db"
    )
    with reading(folder / "m.db") as reader:
        return called, list(reader.samples(reader.run("e").id))


@pytest.mark.long
@each_row(
    ("row", "flags"),
    [
        ({"messages": CHAT}, ["state_replayed"]),
        ({"messages": [QUESTION, *CHAT], "response": "Done."}, ["state_replayed"]),
        ({"transcript": json.dumps(CHAT)}, ["state_replayed"]),
        ({"response": "Done.", "steps": [{"tool": "cancel", "arguments": {"id": "A"}, "result": {"ok": "A"}}]},
         ["state_replayed"]),
        # results without ids, and of OpenAI's older form
        ({"messages": [{"role": "assistant", "function_call": CALL["function"]},
                       {"role": "function", "name": "cancel", "content": '{"ok": "A"}'}, CHAT[2]]}, ["state_replayed"]),
        ({"messages": [{"type": "function_call", "call_id": "c", "name": "cancel", "arguments": '{"id": "A"}'},
                       {"type": "function_call_output", "call_id": "c", "output": '{"ok": "A"}'},
                       {"role": "assistant", "content": "Done."}]}, ["state_replayed"]),
        ({"messages": [QUESTION, {"role": "assistant", "content": [
                           {"type": "tool_use", "id": "c", "name": "cancel", "input": {"id": "A"}}]},
                       {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": '{"ok": "A"}'}]},
                       {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}]}, ["state_replayed"]),
        # whole responses that hold nothing but a call
        ({"response": {"choices": [{"message": {"content": None, "tool_calls": [CALL]}}]}}, ["empty_answer", "state_replayed"]),
        ({"response": {"body": {"output": [{"type": "function_call", "name": "cancel", "arguments": '{"id": "A"}'}]}}},
         ["empty_answer", "state_replayed"]),
        # calls in the text, of the response and of a message, as a model's are read
        ({"response": '<tool_call>{"name": "cancel", "arguments": {"id": "A"}}</tool_call>'},
         ["text_tool_calls", "empty_answer", "state_replayed"]),
        ({"messages": [{"role": "assistant", "content": '<tool_call>{"name": "cancel", "arguments": {"id": "A"}}</tool_call>'},
                       {"role": "tool", "content": '{"ok": "A"}'}, CHAT[2]]}, ["text_tool_calls", "state_replayed"]),
    ],
)  # fmt: skip
def test_calls_are_read_in_every_form_paired_with_their_results_and_lead_to_the_state(
    tmp_path_factory: pytest.TempPathFactory, row: dict[str, Any], flags: list[str]
) -> None:
    called, (sample,) = imported(tmp_path_factory.mktemp("told"), row)
    assert (sample.status, sample.score, sample.tool_state) == ("passed", 1.0, {"A": "done"}), (called.err, sample.why)
    assert sorted(sample.flags) == sorted(flags)
    ids = [one["id"] for entry in sample.transcript for one in entry.get("tool_calls", ())]
    assert all(entry["tool_call_id"] in ids for entry in sample.transcript if entry["role"] == "tool")
    assert sum(entry["role"] == "user" for entry in sample.transcript) == 1


@each_row(
    ("row", "said"),
    [
        ({"response": "Done."}, "the answer came without its calls; give its `transcript`, `messages` or `steps`"),
        ({"messages": [CHAT[0], {**CHAT[1], "content": '{"error": "down"}'}, CHAT[2]]},
         "call 1 (cancel) gets no error of the test's mocks and got one where it was made"),
        ({"messages": [{**CHAT[0], "tool_calls": [{**CALL, "function": {"name": "cancel_v2", "arguments": "{}"}}]}, *CHAT[1:]]},
         "call 1 (cancel_v2) gets an error of the test's mocks and got none where it was made"),
        ({"messages": [*CHAT[:2], *CHAT]}, "call 2 (cancel) gets an error of the test's mocks and got none"),
    ],
)  # fmt: skip
def test_a_state_that_nobody_can_tell_is_an_error_that_says_why_and_never_a_score(
    tmp_path_factory: pytest.TempPathFactory, row: dict[str, Any], said: str
) -> None:
    called, (sample,) = imported(tmp_path_factory.mktemp("unknown"), row)
    assert (sample.status, sample.error_type, sample.score) == ("error", "agent_error", None)
    assert f"the state at the end cannot be told: {said}" in (sample.error_message or "")
    assert party_of(sample) == "environment"
    assert called.code == 1


def test_an_answer_to_a_test_with_tools_that_comes_without_its_calls_is_flagged(tmp_path: Path) -> None:
    expected = {"calls": [{"name": "cancel", "args": {"id": "A"}}]}
    _, (sample,) = imported(tmp_path / "a", {"response": "Done."}, expected=expected, tool_state={})
    assert (sample.status, sample.flags) == ("failed", ["calls_untold", "state_unknown"])
    _, (sample,) = imported(tmp_path / "b", {"response": "Done.", "steps": []}, expected=expected)
    assert (sample.status, sample.flags) == ("failed", [])


def test_told_without_a_call_the_state_is_that_of_the_beginning_and_the_verdict_a_verdict(tmp_path: Path) -> None:
    _, (sample,) = imported(tmp_path, {"messages": [QUESTION, {"role": "assistant", "content": "No."}]})
    assert (sample.status, sample.score, sample.flags) == ("failed", 0.0, [])
    assert sample.tool_state == {"A": "open"}
    assert 'A: expected "done", got "open"' in json.dumps(sample.details, ensure_ascii=False).replace('\\"', '"')


def test_planted_faults_come_again_and_their_pauses_do_not(tmp_path: Path) -> None:
    failed = {"role": "tool", "tool_call_id": "c", "content": '{"error": "internal error"}'}
    rows = {"messages": [CHAT[0], failed, *CHAT]}
    _, (sample,) = imported(tmp_path, rows, tool_faults={"cancel": ["error", "slow"]})
    assert (sample.tool_state, sample.flags) == ({"A": "done"}, ["state_replayed"])


def test_calls_of_tools_that_leave_what_mocks_know_alone_are_passed_over(tmp_path: Path) -> None:
    tool = {"id": "code", "function": {**TOOL["function"], "name": "code"}, "handler": "python:code_workspace"}
    other = {"id": "o", "type": "function", "function": {"name": "code", "arguments": '{"id": "A"}'}}
    result = {"role": "tool", "tool_call_id": "o", "content": "x"}
    chat = [{**CHAT[0], "tool_calls": [other]}, result, *CHAT]
    _, (sample,) = imported(tmp_path, {"messages": chat}, tools=[TOOL, tool])
    assert (sample.tool_state, sample.flags) == ({"A": "done"}, ["state_replayed"])


def test_what_is_not_read_is_named_with_how_often_it_is_there(tmp_path: Path) -> None:
    row = {"messages": [{**CHAT[0], "refusal": "x"}, *CHAT[1:]], "latency": 3, "host": None, "epoch": 1}
    called, _ = imported(tmp_path, row, {**row, "epoch": 2, "latency": 4})
    assert "not read: `message.refusal` (2), `latency` (2)" in called.err
    called, _ = imported(tmp_path, {"messages": CHAT})
    assert "not read" not in called.err


def test_entries_of_steps_and_messages() -> None:
    assert told_entries({"answer": "a"}) == []
    assert [entry["content"] for entry in told_entries({"steps": [{"thought": "hm"}], "messages": CHAT})] == ["hm"]
    with pytest.raises(ModelCallError, match="messages; at most"):
        told_entries({"messages": [QUESTION] * (4 * MAX_STEPS + 1)})


@each_row(
    ("answer", "unread"),
    [
        ({"answer": "a", "usage": {}, "cost_usd": 1, "reasoning": "", "error": None}, {}),
        ({"answer": "a", "log": "x", "transcript": []}, {"log": 1, "transcript": 1}),
        (
            {"answer": "a", "steps": [{"tool": "t", "took": 1}, {"took": 2}], "messages": CHAT},
            {"messages": 1, "step.took": 2},
        ),
        ({"messages": CHAT, "transcript": CHAT}, {"messages": 1}),
        ({"messages": [{**CHAT[2], "audio": "x"}]}, {"message.audio": 1}),
        ({"answer": "a", "tool_use_list": "strange", "reasoning_list": ["one"]}, {"tool_use_list": 1}),
        (
            {"answer": "a", "tool_use_list": [{"tool_name": "f"}, 3], "reasoning_list": 1},
            {"tool_use_list": 1, "reasoning_list": 1},
        ),
    ],
)
def test_keys_of_an_answer_that_are_not_read(answer: dict[str, Any], unread: dict[str, int]) -> None:
    assert dict(unread_of(answer)) == unread


_TEXT_CALL = '<tool_call>{"name": "cancel", "arguments": {"id": "A"}}</tool_call>'
_OFFERED = {"cancel": TOOL["function"]["parameters"]}


@each_row(
    ("entry", "offered", "calls", "flags"),
    [
        ({"role": "assistant", "content": _TEXT_CALL}, _OFFERED, ["cancel"], ["text_tool_calls"]),
        ({"role": "user", "content": _TEXT_CALL}, _OFFERED, [], []),
        ({"role": "system", "content": _TEXT_CALL}, _OFFERED, [], []),
        ({"role": "tool", "content": _TEXT_CALL, "tool_call_id": "c", "name": "cancel"}, _OFFERED, [], []),
        (
            {"role": "assistant", "content": _TEXT_CALL, "tool_calls": [{"id": "c", "name": "own"}]},
            _OFFERED,
            ["own"],
            [],
        ),
        ({"role": "assistant", "content": ""}, _OFFERED, [], []),
        ({"role": "assistant", "content": _TEXT_CALL}, {}, [], []),
        ({"role": "assistant", "content": "Done."}, _OFFERED, [], []),
    ],
)
def test_calls_in_texts_are_those_of_the_assistant_that_makes_none_otherwise(
    entry: dict[str, Any], offered: dict[str, Any], calls: list[str], flags: list[str]
) -> None:
    rollout, read = Rollout(), dict(entry)
    read_text_calls([read], offered, rollout)
    assert ([one["name"] for one in read.get("tool_calls", ())], rollout.flags) == (calls, flags)
    assert (read["content"] == entry["content"]) is (flags == [])


def _call(id_: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "name": "t", "arguments": "{}", **more}


def _said(content: str, *calls: dict[str, Any], role: str = "assistant") -> dict[str, Any]:
    return {"role": role, "content": content, **({"tool_calls": list(calls)} if calls else {})}


def _gave(id_: str) -> dict[str, Any]:
    return {"role": "tool", "content": "1", "tool_call_id": id_, "name": "t", "is_error": False}


@each_row(
    ("entries", "unanswered"),
    [
        ([_said("", _call("a"))], []),
        ([_said("I look.", _call("a"), _call("b"))], []),
        ([_said("I look.", _call("a")), _said(" "), _said("I look. ")], []),
        ([_said("", _call("a")), _said("Done.")], ["a"]),
        ([_said("", _call("a")), _said("Well?", role="user")], ["a"]),
        ([_said("", _call("a", form="hermes")), _said("<tool_response>1</tool_response>", role="user")], []),
        ([_said("", _call("a", form="hermes")), _said("Done.")], ["a"]),
        ([_said("", _call("a"), _call("b")), _gave("b"), _said("Done.")], ["a"]),
        ([_said("", _call("a")), _gave("a"), _said("", _call("b"))], ["b"]),
        ([_said("", _call("a")), _gave("a"), _said("Done.")], []),
    ],
)
def test_a_call_that_the_conversation_passes_over_was_never_executed(
    entries: list[dict[str, Any]], unanswered: list[str]
) -> None:
    rollout = Rollout()
    entries = copy.deepcopy(entries)
    mark_unanswered(entries, rollout)
    calls = [call for entry in entries for call in entry.get("tool_calls", ())]
    assert [call["id"] for call in calls if call.get("unanswered")] == unanswered
    assert rollout.flags == (["calls_unanswered"] if unanswered else [])
