from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from modex.core.llm.textcalls.reading import extract_tool_calls
from tests.rows import each_row

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab<>\"\\{}'é", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", max_size=3), inner, max_size=3),
    max_leaves=6,
)

OFFERED: dict[str, dict[str, object]] = {name: {} for name in ("f", "g", "weather", "now")}


def calls_in(text: str) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in extract_tool_calls(text, OFFERED).calls]


def test_hermes_calls_are_found_and_taken_out_of_the_text() -> None:
    found = extract_tool_calls(
        'Let me see. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>\n'
        '<tool_call>{"name": "g", "parameters": {}}</tool_call>',
        OFFERED,
    )
    assert [(call.name, json.loads(call.arguments)) for call in found.calls] == [("f", {"a": 1}), ("g", {})]
    assert all(call.form == "hermes" for call in found.calls)
    assert found.text == "Let me see."


def test_gemma_calls_keep_their_strings_whatever_they_hold() -> None:
    text = '<|tool_call>call:weather{city:<|"|>Os{lo}: "x", y:2<|"|>,days:3,deep:{on:true}}<tool_call|>'
    assert [(name, json.loads(args)) for name, args in calls_in(text)] == [
        ("weather", {"city": 'Os{lo}: "x", y:2', "days": 3, "deep": {"on": True}})
    ]


def test_gemma_call_without_arguments() -> None:
    assert calls_in("<|tool_call>call:now<tool_call|>") == [("now", "{}")]


def test_xml_parameters_become_json() -> None:
    parameters = "<parameter=n>\n12\n</parameter>\n<parameter=s>\na\nb\n</parameter>"
    text = f"<tool_call>\n<function=f>\n{parameters}\n</function>\n</tool_call>"
    assert [(name, json.loads(args)) for name, args in calls_in(text)] == [("f", {"n": 12, "s": "a\nb"})]


def test_mistral_list() -> None:
    assert calls_in('[TOOL_CALLS] [{"name": "f", "arguments": {}}, {"name": "g", "arguments": "{}"}]') == [
        ("f", "{}"),
        ("g", "{}"),
    ]


def test_a_call_cut_off_at_the_end_keeps_its_name_and_its_raw_text() -> None:
    assert calls_in('<tool_call>{"name": "g", "arguments": {"a":') == [("g", '{"name": "g", "arguments": {"a":')]


def test_a_call_that_is_no_json_keeps_its_raw_text() -> None:
    assert calls_in("<tool_call>weather in Oslo</tool_call>") == [("", "weather in Oslo")]


@each_row(
    "text",
    [
        "`<tool_call>{}</tool_call>` is the syntax",
        '```\n<tool_call>{"name": "f"}</tool_call>\n```',
        "nothing here",
        "",
        "<tool_call></tool_call>",
    ],
)
def test_quoted_or_absent_calls_leave_the_text_alone(text: str) -> None:
    found = extract_tool_calls(text, OFFERED)
    assert found.calls == ()
    assert found.text == text


@each_row(
    ("text", "calls"),
    [
        ('<tool_call>{"function": {"name": "f", "arguments": {"a": 1}}}</tool_call>', [("f", '{"a": 1}')]),
        ('<tool_call>{"name": "f"}</tool_call>', [("f", "{}")]),
        ('<tool_call>{"name": "f", "arguments": "é"}</tool_call>', [("f", "é")]),
        ('<tool_call>{"name": "f", "arguments": ["é"]}</tool_call>', [("f", '["é"]')]),
        ('<tool_call>{"name": 3}</tool_call>', [("", '{"name": 3}')]),
        ("<tool_call>[1]</tool_call>", [("", "[1]")]),
        ('<tool_call>```json\n{"name": "f"}\n```</tool_call>', [("f", "{}")]),
        ('<tool_call>{"name": "f", "arguments": {"a": "x\ny"}}</tool_call>', [("f", '{"a": "x\\ny"}')]),
        ("<tool_call><function=f><parameter=a>é</parameter></function></tool_call>", [("f", '{"a": "é"}')]),
        ('<|tool_call>call:f{a:<|"|>é<|"|>}<tool_call|>', [("f", '{"a":"é"}')]),
        ("<|tool_call>call:f{a:}<tool_call|>", [("f", "{a:}")]),
        ('<|tool_call>{"name": "f"}<tool_call|>', [("f", "{}")]),
    ],
)
def test_each_way_to_write_a_call_is_read(text: str, calls: list[tuple[str, str]]) -> None:
    assert calls_in(text) == calls


def test_text_around_calls_stays_and_256_of_them_are_read() -> None:
    call = '<tool_call>{"name": "f"}</tool_call>'
    found = extract_tool_calls(f" a {call} b `{call}` c {call} d ", OFFERED)
    assert (len(found.calls), found.text) == (2, f"a  b `{call}` c  d")
    found = extract_tool_calls(call * 258, OFFERED)
    assert (len(found.calls), found.text) == (256, call * 2)


def test_arguments_too_deep_to_be_written_again_stay_as_they_were() -> None:
    deep = "[" * 2000 + "]" * 2000
    assert calls_in(f"<tool_call><function=f><parameter=a>{deep}</parameter></function></tool_call>") == [
        ("f", json.dumps({"a": deep}))
    ]
    assert calls_in(f"<|tool_call>call:f{{a:{deep}}}<tool_call|>") == [("f", f"{{a:{deep}}}")]


def test_deep_nesting_is_no_crash() -> None:
    assert len(calls_in("<tool_call>" + "[" * 100_000 + "</tool_call>")) == 1


@given(
    st.text("fgh_", min_size=1, max_size=9), st.dictionaries(st.text("xyz", min_size=1, max_size=3), JSON, max_size=3)
)
def test_what_was_written_is_read_back(name: str, arguments: dict[str, object]) -> None:
    written = json.dumps({"name": name, "arguments": arguments})
    found = calls_in(f"x <tool_call>{written}</tool_call> y")
    assert [(found_name, json.loads(args)) for found_name, args in found] == [(name, arguments)]


@given(st.text('<|>/tool_cal:{}"\\[]TOCALS \n`=', max_size=200))
def test_any_text_is_survived(text: str) -> None:
    found = extract_tool_calls(text, OFFERED)
    assert found.calls or found.text == text
