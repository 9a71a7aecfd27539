"""What tools answered is kept and given again; what was not kept is an error that names the call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigurationError, ModelCallError
from core.suite.definitions import Location, ToolDefinition
from core.tools.base import ToolResult, ToolSession
from core.tools.cassettes import Kept, Recorder, Replayer, ToolCall
from core.tools.executor import SuiteToolExecutor


def tool(name: str = "get_order", response: Any = None) -> ToolDefinition:
    return ToolDefinition(name, name, "", {}, Location("t.json"), mock=[{"response": response}])


def test_each_call_of_a_sample_gets_its_own_answer_again(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    session = ToolSession(seed="d/1/a/1")
    for answer in ("first", "second"):
        recorder.keep(tool(), {"id": 1, "x": [2]}, session, ToolResult(answer, duration_ms=7))
    replayer = Replayer(tmp_path)
    again = ToolSession(seed="d/1/a/1")
    found = [replayer.give(tool(), {"x": [2], "id": 1}, again) for _ in range(2)]
    assert found == [ToolResult("first", duration_ms=7), ToolResult("second", duration_ms=7)]
    with pytest.raises(ModelCallError, match=r'call 3 of get_order\(\{"id":1,"x":\[2\]\}\)'):
        replayer.give(tool(), {"id": 1, "x": [2]}, again)


def test_a_new_sample_gets_what_all_samples_got_alike_and_nothing_else(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    for seed, other in (("a", "left"), ("b", "right")):
        session = ToolSession(seed=seed)
        recorder.keep(tool(), {"q": "same"}, session, ToolResult("alike"))
        recorder.keep(tool(), {"q": "differs"}, session, ToolResult(other))
    replayer = Replayer(tmp_path)
    assert replayer.give(tool(), {"q": "same"}, ToolSession(seed="new")).content == "alike"
    assert replayer.give(tool(), {"q": "differs"}, ToolSession(seed="b")).content == "right"
    with pytest.raises(ModelCallError, match="no answer is recorded"):
        replayer.give(tool(), {"q": "differs"}, ToolSession(seed="new"))


def test_with_a_recording_no_tool_is_asked_and_none_is_missing(tmp_path: Path) -> None:
    SuiteToolExecutor(recorder=Recorder(tmp_path)).call(tool(response="kept"), {}, ToolSession(seed="s"))
    missing = ToolDefinition("get_order", "get_order", "", {}, Location("t.json"), handler="python:nowhere")
    replaying = SuiteToolExecutor(replayer=Replayer(tmp_path))
    assert replaying.unavailable(missing) is None
    assert replaying.call(missing, {}, ToolSession(seed="s")).content == "kept"


def test_a_folder_without_a_recording_and_a_damaged_line_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no recording"):
        Replayer(tmp_path)
    (tmp_path / "get_order.jsonl").write_text("\n{}\n")
    with pytest.raises(ConfigurationError, match=r"get_order\.jsonl:1"):
        Replayer(tmp_path).give(tool(), {}, ToolSession())


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()), max_size=4),
       st.text())  # fmt: skip
def test_any_arguments_and_any_answer_come_back(
    tmp_path_factory: pytest.TempPathFactory, arguments: dict[str, Any], said: str
) -> None:
    folder = tmp_path_factory.mktemp("cassette")
    Recorder(folder).keep(tool(), arguments, ToolSession(seed="s"), ToolResult(said, is_error=True))
    assert Replayer(folder).give(tool(), arguments, ToolSession(seed="s")) == ToolResult(said, is_error=True)


@pytest.mark.parametrize("planted", ["pipe", "device", "deep", "link"])
def test_a_recording_that_is_no_file_or_too_deep_is_named_and_waited_for_by_nobody(
    tmp_path: Path, planted: str
) -> None:
    place = tmp_path / "add.jsonl"
    if planted == "pipe":
        os.mkfifo(place)
    elif planted == "device":
        place.symlink_to("/dev/zero")
    elif planted == "deep":
        place.write_text('{"sample": ' + "[" * 200_000 + "]" * 200_000 + "}\n")
    else:
        place.symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match=r"add\.jsonl"):
        Replayer(tmp_path)


@pytest.mark.parametrize("planted", ["link", "pipe"])
def test_a_recording_is_never_written_through_a_link_or_into_a_pipe(tmp_path: Path, planted: str) -> None:
    recorder = Recorder(tmp_path / "tape")
    place = tmp_path / "tape" / "add.jsonl"
    if planted == "link":
        place.symlink_to(tmp_path / "victim")
    else:
        os.mkfifo(place)
    with pytest.raises(ModelCallError, match="cannot be written"):
        recorder.add(ToolCall("add", "s", "{}", 1), Kept(ToolResult("4"), None))
    assert not (tmp_path / "victim").exists()
