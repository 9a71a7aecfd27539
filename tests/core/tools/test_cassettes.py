"""What tools answered is kept and given again; what was not kept is an error that names the call."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.suite.definitions import Location, ToolDefinition
from modex.core.tools.base import STATE, ToolImage, ToolResult, ToolSession
from modex.core.tools.cassettes import CassetteKey, RecordedCall, Recorder, Replayer
from modex.core.tools.executor import SuiteToolExecutor


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


def test_images_of_an_answer_are_kept_with_it(tmp_path: Path) -> None:
    shown = ToolResult("[image 1]", images=(ToolImage("image 1", "image/png", b"\x89\x00"),))
    other = ToolResult("[image 1]", images=(ToolImage("image 1", "image/png", b"\x89\x01"),))
    recorder = Recorder(tmp_path)
    recorder.keep(tool(), {}, ToolSession(seed="a"), shown)
    assert Replayer(tmp_path).give(tool(), {}, ToolSession(seed="new")) == shown
    recorder.keep(tool(), {}, ToolSession(seed="b"), other)
    assert Replayer(tmp_path).give(tool(), {}, ToolSession(seed="b")) == other
    with pytest.raises(ModelCallError, match="no answer is recorded"):
        Replayer(tmp_path).give(tool(), {}, ToolSession(seed="new"))


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


@pytest.mark.parametrize("planted", ["link", "pipe", "pipe that is read"])
def test_a_recording_is_never_written_through_a_link_or_into_a_pipe(tmp_path: Path, planted: str) -> None:
    recorder = Recorder(tmp_path / "tape")
    place = tmp_path / "tape" / "add.jsonl"
    if planted == "link":
        place.symlink_to(tmp_path / "victim")
    else:
        os.mkfifo(place)
    reading = os.open(place, os.O_RDONLY | os.O_NONBLOCK) if planted == "pipe that is read" else None
    with pytest.raises(ModelCallError, match="cannot be written"):
        recorder.add(CassetteKey("add", "s", "{}", 1), RecordedCall(ToolResult("4"), None))
    if reading is not None:
        assert os.read(reading, 99) == b""
        os.close(reading)
    assert not (tmp_path / "victim").exists()


def test_what_the_mocks_knew_is_kept_with_the_answer_and_given_to_the_same_sample_alone(tmp_path: Path) -> None:
    recorder, session = Recorder(tmp_path), ToolSession(seed="a", state={STATE: {"held": {"x": 1}}})
    recorder.keep(tool(), {}, session, ToolResult("4", is_error=True, duration_ms=3))
    recorder.keep(tool("other"), {}, ToolSession(seed="a", state={STATE: {}}), ToolResult("5"))
    assert "state" not in (tmp_path / "other.jsonl").read_text()
    replayer = Replayer(tmp_path)
    for _ in range(2):
        again = ToolSession(seed="a")
        assert replayer.give(tool(), {}, again) == ToolResult("4", is_error=True, duration_ms=3)
        assert again.state[STATE] == {"held": {"x": 1}}
        again.state[STATE]["held"]["x"] = 2  # what a sample does with it is nothing to the next one
    other = ToolSession(seed="b", state={STATE: {"mine": 1}})
    assert replayer.give(tool(), {}, other).content == "4"
    assert other.state[STATE] == {"mine": 1}


@pytest.mark.parametrize(
    ("answers", "anyones"),
    [
        ([("x", False), ("x", False)], True), ([("x", False), ("x", True)], False), ([("x", False), ("y", False)], False),
        ([("x", False), ("y", False), ("x", False)], False),
    ],
)  # fmt: skip
def test_an_answer_is_anyones_where_nobody_got_another(
    tmp_path: Path, answers: list[tuple[str, bool]], anyones: bool
) -> None:
    recorder = Recorder(tmp_path)
    for number, (said, is_error) in enumerate(answers):
        recorder.add(CassetteKey("add", str(number), "{}", 1), RecordedCall(ToolResult(said, is_error, number), None))
    replayer = Replayer(tmp_path)
    if anyones:
        assert replayer.find(CassetteKey("add", "new", "{}", 1)) == RecordedCall(ToolResult("x", False, 0), None)
    else:
        with pytest.raises(ModelCallError, match=r"call 1 of add\(\{\}\) by new") as raised:
            replayer.find(CassetteKey("add", "new", "{}", 1))
        assert raised.value.error_type is ErrorType.TOOL_UNAVAILABLE


def test_the_later_of_two_lines_for_a_call_holds_and_tools_of_alike_names_have_files_of_their_own(
    tmp_path: Path,
) -> None:
    recorder = Recorder(tmp_path / "made" / "here")
    for name, said in (("a.b", "dot"), ("a_b", "line"), ("a b", "space"), ("a_b", "later")):
        recorder.add(CassetteKey(name, "s", "{}", 1), RecordedCall(ToolResult(said), None))
    replayer = Replayer(tmp_path / "made" / "here")
    found = [replayer.find(CassetteKey(name, "s", "{}", 1)).result.content for name in ("a.b", "a_b", "a b")]
    assert found == ["dot", "later", "space"]
    assert (tmp_path / "made" / "here" / "a_b.jsonl").exists()


def test_a_folder_that_cannot_be_made_and_a_recording_that_is_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match=r"--record .*cannot be made"):
        Recorder(tmp_path / "file" / "below")
    (tmp_path / "add.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(ConfigurationError, match=r"add\.jsonl: the recording cannot be read"):
        Replayer(tmp_path)
