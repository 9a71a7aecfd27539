"""What the parts of a suite are where a file leaves things open, and how they are called."""

from __future__ import annotations

from typing import Any

from modex.core.suite.definitions import (
    MAX_USER_TURNS,
    STOP_WORD,
    EvaluatorConfig,
    Location,
    McpServer,
    TestCase,
    ToolDefinition,
    UserSpec,
    is_played,
    skip_words,
)
from tests.rows import each_row

_LEFT_OPEN: dict[str, Any] = {
    "goal": "", "facts": (), "style": "", "must_say": (), "stop_words": ("###STOP###",), "max_turns": 12,
    "tool_ids": (), "says": (), "opens": False, "system": "",
}  # fmt: skip


@each_row(
    ("server", "words"),
    [
        (McpServer(url="https://a/mcp"), "https://a/mcp"),
        (McpServer(("uvx", "server", "a file")), "uvx server 'a file'"),
    ],
)
def test_a_server_is_called_by_its_address_or_the_command_as_a_shell_takes_it(server: McpServer, words: str) -> None:
    assert server.words == words


def test_a_call_of_a_server_may_take_a_minute_and_each_sample_has_its_own() -> None:
    server = McpServer(("run",))
    assert (server.timeout_s, server.shared, server.env, server.reset) == (60.0, False, (), None)


@each_row(
    ("given", "told"),
    [
        ({}, {}),
        (dict.fromkeys(_LEFT_OPEN), {}),
        ({"goal": "g"}, {"goal": "g"}),
        ({"facts": ["a", "b"]}, {"facts": ("a", "b")}),
        ({"style": "curt"}, {"style": "curt"}),
        ({"must_say": ["x"]}, {"must_say": ("x",)}),
        ({"stop_words": ["BYE"]}, {"stop_words": ("BYE",)}),
        ({"stop_words": []}, {}),
        ({"max_turns": 3}, {"max_turns": 3}),
        ({"tool_ids": ["t"]}, {"tool_ids": ("t",)}),
        ({"says": ["a", {"content": "b"}]}, {"says": ("a", {"content": "b"})}),
        ({"opens": True}, {"opens": True}),
        ({"opens": 1}, {}),
        ({"system": "You are Ann."}, {"system": "You are Ann."}),
    ],
)
def test_a_user_is_what_its_test_says_and_else_as_documented(given: dict[str, Any], told: dict[str, Any]) -> None:
    user = UserSpec.of(given)
    assert {name: getattr(user, name) for name in _LEFT_OPEN} == {**_LEFT_OPEN, **told}
    assert user == UserSpec(**{**_LEFT_OPEN, **told})


def test_a_user_that_nothing_is_said_of_leaves_with_the_stop_word_within_twelve_turns() -> None:
    assert UserSpec() == UserSpec.of({})
    assert (STOP_WORD, MAX_USER_TURNS) == ("###STOP###", 12)


@each_row(
    ("user", "played"),
    [({}, False), ({"goal": "g"}, True), ({"says": ["a"]}, False), ({"says": [], "goal": "g"}, False)],
)
def test_a_model_plays_a_user_that_has_no_words_of_its_own(user: dict[str, Any], played: bool) -> None:
    assert is_played(user) is played


def test_a_test_counts_once_is_written_and_has_a_gold_unless_something_else_is_said() -> None:
    test = TestCase("suite", "d", 1, "t", "q", 1, "exact", Location("t.json"))
    assert (test.weight, test.written, test.lacks_gold, test.invalid, test.disabled_by) == (1, True, False, None, None)
    assert str(test.location) == "t.json:1"


def test_a_model_sees_of_a_tool_its_name_its_words_and_its_arguments() -> None:
    tool = ToolDefinition("id", "name", "words", {"type": "object"}, Location("t.json"), mock=[{"response": 1}])
    assert tool.schema() == {
        "type": "function", "function": {"name": "name", "description": "words", "parameters": {"type": "object"}},
    }  # fmt: skip
    assert tool.read_only is False
    assert EvaluatorConfig("e", "E", "regex").config == {}


@each_row(
    ("why", "told"),
    [
        ("d/a.json:7: wrong", "d/1/t (d/a.json:7): wrong"),
        ("d/b.json:7: wrong", "d/1/t (d/a.json:2): d/b.json:7: wrong"),
        ("d/a.json: wrong", "d/1/t (d/a.json:2): d/a.json: wrong"),
        ("wrong: 3", "d/1/t (d/a.json:2): wrong: 3"),
    ],
)
def test_a_skipped_test_is_told_with_a_line_of_its_own_file(why: str, told: str) -> None:
    test = TestCase("suite", "d", 1, "t", "p?", 1, "two_pass", Location("d/a.json", 2))
    assert skip_words(test, why) == told
