from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from modex.core.store.definition import Kind
from modex.core.suite.keys import MAX_ID, Key, id_fault, table
from tests.rows import each_row
from tests.test_advice import ADVICE

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@each_row(
    ("kind", "right", "wrong"),
    [
        ("text", ["", "x"], [1, None, True, [], {}]),
        ("boolean", [True, False], [0, 1, "true", None]),
        ("positive", [1, 0.5, 1e9], [0, -1, True, "1", float("inf"), float("nan")]),
        (
            "milliseconds",
            [1, 0.5, 604_800_000],
            [0, 604_800_001, 1e300, 10**400, float("inf"), float("nan"), True, "1"],
        ),
        ("whole", [1, 10], [0, 1.0, True, "1"]),
        ("turns", [1, 50], [0, 51, 5.0, True, "5"]),
        (
            "tries",
            [{"pass": 1, "of": 1}, {"pass": 8, "of": 10}, {"pass": 1000, "of": 1000}],
            [
                None,
                {},
                {"pass": 1},
                {"pass": 1, "of": 2, "x": 3},
                {"pass": 0, "of": 1},
                {"pass": 2, "of": 1},
                {"pass": 1, "of": 1001},
                {"pass": True, "of": 1},
                {"pass": 1, "of": True},
                {"pass": 1.0, "of": 2},
                {"pass": 1, "of": 2.0},
            ],
        ),
        ("level", [1, 5], [0, 6, True, 2.0, "3"]),
        ("object", [{}], [[], "x"]),
        ("list", [[]], [{}, "x"]),
        ("ids", [[], ["a"]], ["a", [1], ["a/b"], [""]]),
        ("strings", [["a b"]], [[1], "a"]),
        ("file", ["a.jsonl"], ["", 1]),
        ("prompt", ["x", [{"role": "user", "content": ""}]], ["", "  ", [], {}, [1], [{"role": "user"}]]),
        (
            "prompt",
            [[{"role": "user", "content": [{"type": "text", "text": "x"}]}]],
            [[{"role": "user", "content": []}], [{"role": "user", "content": 1}], [{"role": "user", "content": [1]}]],
        ),
        ("prompt", [], [[{"role": "system", "content": "x"}], [{"role": "x", "content": "x"}]]),
    ],
)
def test_each_kind_takes_what_it_should(kind: Kind, right: list[Any], wrong: list[Any]) -> None:
    check = Key("k", kind, "").check()
    assert [value for value in right if check(value) is not None] == []
    assert [value for value in wrong if check(value) is None] == []


@given(
    st.sampled_from(["id", "text", "boolean", "positive", "whole", "turns", "level", "ids", "prompt", "file", "any"]),
    anything,
)
def test_any_value_is_taken_or_explained(kind: Kind, value: Any) -> None:
    fault = Key("k", kind, "").check()(value)
    assert fault is None or fault


@given(st.text())
def test_an_accepted_id_can_neither_leave_a_folder_nor_steer_a_terminal(text: str) -> None:
    if id_fault(text) is None:
        assert text.isprintable() or not text.isascii()
        assert not set(text) & set("/\\\0\n\r\t \x1b")
        assert ".." not in text
        assert 0 < len(text) <= 200


@each_row("identity", ["", "x" * 201, "a/b", ".a"])
def test_a_refused_id_says_what_it_must_be(identity: str) -> None:
    assert ADVICE.search(id_fault(identity) or ""), identity


@each_row("prompt", ["", [], [{"role": "system", "content": "x"}]])
def test_a_refused_prompt_says_what_it_must_be(prompt: Any) -> None:
    assert ADVICE.search(Key("k", "prompt", "").check()(prompt) or ""), prompt


@each_row(
    ("identity", "said"),
    [
        ("a!b", "not '!'"),
        ("a b", "not a space"),
        ("a\u200bb", "not U+200B"),
        ("a\nb", "not U+000A"),
        ("", "is empty"),
        ("x" * (MAX_ID + 1), "is longer than"),
        ("a/b", "must not hold a path"),
        ("a\\b", "must not hold a path"),
        ("a..b", "must not hold a path"),
        (".a", "must not start with '.'"),
        ("-a", "must not start with '-'"),
        (":a", "must not start with ':'"),
    ],
)
def test_what_is_wrong_with_an_id_is_named(identity: str, said: str) -> None:
    assert said in (id_fault(identity) or "")


@each_row("identity", ["a", "A_1", "@x", "+x", "a.b-c:d", "ähre", "質問", "x" * MAX_ID])
def test_letters_of_any_script_digits_and_some_signs_are_an_id(identity: str) -> None:
    assert id_fault(identity) is None


def test_an_id_has_two_hundred_characters_at_most() -> None:
    assert id_fault("x" * 200) is id_fault("ä" * 200) is None
    assert id_fault("x" * 201) is not None


@each_row("identity", ["ä-b", "ä_b", "ä.b", "ä:b", "ä@b", "ä+b", "ä1"])
def test_signs_stand_beside_letters_of_any_script(identity: str) -> None:
    assert id_fault(identity) is None


@each_row(
    ("value", "said"),
    [
        ({}, None),
        ({"add": ["none", "error", "timeout", "empty", "garbled", "slow"], "get": []}, None),
        ({"add": ["none", "broken"]}, "for 'add', not the text 'broken'"),
        ({"add": ["none"], "get": [1]}, "for 'get', not the number 1"),
        ({"add": "error"}, "for 'add', not the text 'error'"),
        (["error"], "not a list"),
    ],
)
def test_planted_faults_are_lists_of_known_ones_by_tool(value: Any, said: str | None) -> None:
    found = Key("k", "faults", "").check()(value)
    assert found is None if said is None else found is not None and said in found


def turns(*roles: str) -> list[dict[str, str]]:
    return [{"role": role, "content": "x"} for role in roles]


@each_row(
    ("value", "said"),
    [
        (turns("assistant", "user"), None),
        (turns("system", "user", "assistant", "user"), None),
        (turns("user", "assistant"), None),
        (turns("user", "system"), "must end with a user's turn"),
        (turns("user", "tool", "user"), "wrong turn 2: 'role' must be"),
        ([*turns("user"), {"role": "user"}], "wrong turn 2: each must be"),
        ([1, *turns("user")], "wrong turn 1: each must be"),
        ([*turns("user"), {"role": "user", "content": [{"type": "odd"}]}], "wrong part in turn 2"),
    ],
)
def test_the_turn_of_a_conversation_that_is_wrong_is_named(value: Any, said: str | None) -> None:
    found = Key("k", "prompt", "").check()(value)
    assert found is None if said is None else found is not None and said in found


def test_a_choice_is_one_of_its_words_and_a_slip_of_the_pen_is_told() -> None:
    check = Key("mode", "choice", "", choices=("append", "overwrite")).check()
    assert [check(value) for value in ("append", "overwrite")] == [None, None]
    assert "did you mean 'append'" in (check("apend") or "")
    assert (check(3) or "") == "must be append or overwrite, not the number 3"
    assert check(["append"]) is not None


def test_a_table_names_the_keys_that_must_be_there_and_takes_a_schema() -> None:
    found = table("test", Key("id", "id", "", required=True), Key("name", "text", ""))
    assert (found.kind, found.required) == ("test", ("id",))
    assert set(found.checks) == {"id", "name", "$schema"}
    assert found.checks["$schema"](3) is None
    assert Key("k", "strings", "").check()(["a", 1]) is not None
