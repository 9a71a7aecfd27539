"""What of a sample is searched, and words as the index knows them: each step by itself."""

from __future__ import annotations

import json
from typing import Any

from modex.core.store.search.text import expression, indexed, texts_of, tool_tag, words_of
from tests.rows import each_row

TOOL = {"name": "add", "arguments": {"x": "é"}}


@each_row(
    ("changed", "texts"),
    [
        ({}, {}),
        ({"prompt": '[{"content": "a"}, {"role": "user"}, {"content": 3}]'}, {"prompt": "a\n\n3"}),
        ({"prompt": "[{odd"}, {"prompt": "[{odd"}),
        ({"prompt": '[{"a": 1}, 3]'}, {"prompt": '[{"a": 1}, 3]'}),
        ({"prompt": '["a"]'}, {"prompt": '["a"]'}),
        ({"system_prompt": "s", "response": "r", "reasoning": "t"}, {"system": "s", "answer": "r", "thinking": "t"}),
        ({"error_message": "e"}, {"answer": "e"}),
        ({"response": "r", "error_message": "e"}, {"answer": "r\ne"}),
        (
            {
                "response": "r",
                "transcript": [
                    {"role": "assistant", "content": "r"},
                    {"role": "assistant", "content": "s", "reasoning": "t"},
                ],
            },
            {"answer": "r\ns", "thinking": "t"},
        ),
        (
            {
                "reasoning": "t",
                "transcript": [{"role": "assistant", "reasoning": "t"}, {"role": "assistant", "reasoning": 3}],
            },
            {"thinking": "t"},
        ),
        (
            {
                "prompt": "p",
                "transcript": [
                    {"role": "user", "content": "p"},
                    {"role": "user", "content": "q"},
                    {"role": "user", "content": ""},
                ],
            },
            {"prompt": "p\nq"},
        ),
        (
            {
                "transcript": [
                    {"role": "assistant", "tool_calls": [TOOL, {"arguments": "raw"}, "odd"]},
                    {"role": "tool", "content": "5"},
                ]
            },
            {"tools": 'add {"x": "é"}\n raw\n5'},
        ),
        ({"transcript": [{"role": "tool", "content": ["5"]}, {"role": "system", "content": "s"}, "odd"]}, {}),
        ({"transcript": [{"role": "assistant", "tool_calls": {"name": "add"}}]}, {}),
        ({"transcript": {"role": "tool", "content": "5"}}, {}),
    ],
)
def test_texts_stand_by_role_each_once_and_damage_is_left_out(changed: dict[str, Any], texts: dict[str, str]) -> None:
    row: dict[str, Any] = {
        "system_prompt": None,
        "prompt": "",
        "response": None,
        "reasoning": None,
        "transcript": [],
        "error_message": None,
    }
    given = {**row, **changed}
    found = texts_of((*[*given.values()][:4], json.dumps(given["transcript"]), given["error_message"]))
    assert found.by_role == {"system": "", "prompt": "", "answer": "", "thinking": "", "tools": "", **texts}
    assert texts_of((3, 3, 3, 3, "[{", 3)).by_role == {
        "system": "",
        "prompt": "",
        "answer": "",
        "thinking": "",
        "tools": "",
    }
    assert texts_of((None, "", None, None, 3, None)).tools == texts_of((None, "", None, None, "[]", None)).tools == ()


def test_the_names_of_what_was_called_come_once_each() -> None:
    calls = [{"role": "assistant", "tool_calls": [{"name": name, "arguments": "{}"} for name in ("b", "a", "b")]}]
    assert texts_of((None, "", None, None, json.dumps(calls), None)).tools == ("b", "a")


@each_row(
    ("typed", "words"),
    [
        ("a  b", ["a", "b"]),
        ('"a b" c', ["a b", "c"]),
        ("-a -", ["-a"]),
        ('-"a b"', ["-a b"]),
        ('"a b', ["a", "b"]),
        ("-- ?", []),
        ("--a", ["--a"]),
        ("首", ["首"]),
        ("a*", ["a*"]),
    ],
)
def test_words_and_phrases_are_read_in_their_order(typed: str, words: list[str]) -> None:
    assert words_of(typed) == words


@each_row(
    ("words", "tools", "begins", "asked"),
    [
        ([], (), False, ""),
        (["-a"], (), False, ""),
        (["a"], (), False, '{answer tools} : ("a")'),
        (["a*"], (), False, '{answer tools} : ("a"*)'),
        (["a", "b"], (), True, '{answer tools} : ("a" AND "b"*)'),
        (["a", "-b"], (), True, '({answer tools} : ("a")) NOT {answer tools} : ("b")'),
        (
            ["a", "-b", "-c*"],
            ("T",),
            False,
            '({answer tools} : ("a") AND tags : "t74") NOT {answer tools} : ("b" OR "c"*)',
        ),
        ([], ("T", "u"), False, 'tags : "t74" AND tags : "t75"'),
        (['a"b'], (), False, '{answer tools} : ("a""b")'),
        (["-"], (), False, '{answer tools} : ("-")'),
        (["首都"], (), False, '{answer tools} : (" 首  都 ")'),
    ],
)
def test_the_index_is_asked_for_all_that_is_wanted_and_none_of_what_is_not(
    words: list[str], tools: tuple[str, ...], begins: bool, asked: str
) -> None:
    assert expression(words, ("answer", "tools"), tools, begins=begins) == asked


@each_row(("text", "given"), [("a b", "a b"), ("é", "é"), ("a首b", "a 首 b"), ("한ไ", " 한  ไ ")])
def test_signs_of_scripts_without_spaces_stand_apart(text: str, given: str) -> None:
    assert indexed(text) == given
    assert tool_tag("Ä") == tool_tag("ä") != tool_tag("a")
