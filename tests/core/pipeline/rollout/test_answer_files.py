"""Rows of answers that were made elsewhere: which columns they have, whom they answer, and what they say."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from modex.core.foundation.errors import ConfigurationError, ErrorType, ModelCallError
from modex.core.pipeline.rollout.answer_columns import AnswerColumns, NamedColumns, answer_columns, value_of
from modex.core.pipeline.rollout.answer_figures import error_of, figures_of
from modex.core.pipeline.rollout.answer_files import Answers, columns_of, read_answers, whole_of
from modex.core.pipeline.rollout.chats import chat_of, entries_of, last_answer, odd_lists, text_of
from tests.rows import each_row

CHAT = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]


@each_row(
    ("row", "named", "columns"),
    [  # response, id, question, gold, passed over, context
        ({"id": 1, "question": "q", "answer": "a"}, NamedColumns(), ("answer", "id", "question", None, (), None)),
        (
            {"id": 1, "question": "q", "answer": "g", "response": "r"},
            NamedColumns(),
            ("response", "id", "question", "answer", (), None),
        ),
        (
            {"Model Answer": "r", "Task-ID": 1, "prompt": "q", "Gold": "g"},
            NamedColumns(),
            ("Model Answer", "Task-ID", "prompt", "Gold", (), None),
        ),
        (
            {"response": None, "output": "r", "target": "g"},
            NamedColumns(),
            ("output", None, None, "target", ("response",), None),
        ),
        (
            {"response": "r", "completion": "c", "question": "q", "input": "i", "gold": "g", "label": "l"},
            NamedColumns(),
            ("response", None, "question", "gold", ("completion", "input", "label"), None),
        ),
        (
            {"said": "r", "response": "x", "asked": "q", "right": "g", "number": 1},
            NamedColumns("said", "asked", "right", "number"),
            ("said", "number", "asked", "right", (), None),
        ),
        (
            {"response": "r", "id": 1},
            NamedColumns(None, "nowhere", "nowhere", "nowhere"),
            ("response", "id", None, None, (), None),
        ),
        ({"out": {"text": "r"}, "id": 1}, NamedColumns("out.text"), ("out.text", "id", None, None, (), None)),
        (
            {"instruction": "i", "input": "c", "output": "g", "response": "r"},
            NamedColumns(),
            ("response", None, "instruction", "output", (), "input"),
        ),
        (
            {"instruction": "i", "input": "c", "output": "r"},
            NamedColumns(),
            ("output", None, "instruction", None, (), "input"),
        ),
        (
            {"instruction": "i", "input": "c", "output": "r", "question": "q"},
            NamedColumns(),
            ("output", None, "question", None, ("input", "instruction"), None),
        ),
        ({"messages": CHAT, "gold": "g"}, NamedColumns(), (None, None, "messages", "gold", (), None)),
        ({"messages": CHAT}, NamedColumns(), (None, None, None, None, (), None)),
    ],
)
def test_columns_are_found_by_their_names_the_surest_first(
    row: dict[str, Any], named: NamedColumns, columns: tuple[Any, ...]
) -> None:
    found = answer_columns([{}, row], named)
    assert (found.response, found.id, found.question, found.gold, found.passed_over, found.context) == columns


def test_a_response_column_that_no_row_has_is_told_with_near_ones() -> None:
    with pytest.raises(ConfigurationError, match="no row has the column 'respnse'; did you mean 'response'"):
        answer_columns([{"response": "r"}], NamedColumns("respnse"))


@each_row(
    ("columns", "tests", "told"),
    [
        (
            AnswerColumns("r", "i", "q", "g"),
            True,
            "response: column 'r', id: column 'i', question: column 'q', gold: column 'g'",
        ),
        (AnswerColumns("r", None, "q", None), False, "response: column 'r', question: column 'q'"),
        (AnswerColumns(None, None, "messages", "g"), True, "question: column 'messages', gold: column 'g'"),
        (AnswerColumns(None, None, "q", "g"), False, "question: column 'q', gold: column 'g'"),
        (AnswerColumns("r", None, None, "g"), False, "response: column 'r', gold: column 'g'"),
        (
            AnswerColumns("r", None, "q", "g", ("x", "y"), "c"),
            True,
            "response: column 'r', question: columns 'q' and 'c' together, gold: column 'g';"
            " not 'x', 'y' (--response-field, --question-field, --answer-field)",
        ),
    ],
)
def test_columns_are_told_in_a_line_and_make_tests_where_nothing_is_missing(
    columns: AnswerColumns, tests: bool, told: str
) -> None:
    assert (columns.holds_tests, columns.told()) == (tests, told)
    assert [value_of({"a": 1, "b": {"c": 2}}, name) for name in (None, "a", "b.c", "b.d", "z")] == [
        None,
        1,
        2,
        None,
        None,
    ]


@each_row(
    ("row", "error"),
    [
        ({}, None),
        ({"error": None}, None),
        ({"error": " NaN "}, None),
        ({"error": "False"}, None),
        ({"error": "slow"}, "slow"),
        ({"error": True}, "an error"),
        ({"error": False}, None),
        ({"error": {}}, None),
        ({"error": {"message": "m"}}, "m"),
        ({"error": {"message": ""}}, '{"message": ""}'),
        ({"error": {"code": 1}}, '{"code": 1}'),
        ({"error": []}, None),
        ({"error": ["é"]}, '["é"]'),
        ({"error": 5}, None),
        ({"response": {"error": "inner"}}, "inner"),
        ({"response": {"body": {"error": {"message": "deep"}}}}, "deep"),
        ({"response": "error"}, None),
        ({"error": "", "response": {"error": "inner"}}, "inner"),
        ({"response": {"body": 3, "error": "x"}}, "x"),
    ],
)
def test_what_went_wrong_stands_in_the_row_or_in_its_response(row: dict[str, Any], error: str | None) -> None:
    assert error_of(row, "response") == error
    assert error_of({key: value for key, value in row.items() if key != "response"}) == (
        error if "response" not in row else None
    )


@each_row(
    ("row", "found", "unread"),
    [
        ({"cost_usd": " $0.5 "}, {"cost_usd": 0.5}, ()),
        ({"cost_usd": ""}, {"cost_usd": None}, ()),
        ({"cost_usd": 0}, {"cost_usd": 0.0}, ()),
        ({"cost_usd": True}, {"cost_usd": None}, ("cost_usd",)),
        ({"cost_usd": -0.1}, {"cost_usd": None}, ("cost_usd",)),
        ({"cost_usd": 999_999}, {"cost_usd": 999_999.0}, ()),
        ({"cost_usd": 1e6}, {"cost_usd": None}, ("cost_usd",)),
        (
            {"usage": {"prompt_tokens": 3, "output_tokens": "4", "reasoning": 5.0}},
            {"usage": {"prompt": 3, "completion": 4, "reasoning": 5}},
            (),
        ),
        ({"usage": '{"prompt": 1, "prompt_tokens": 2}'}, {"usage": {"prompt": 1}}, ()),
        ({"usage": " "}, {"usage": None}, ()),
        ({"usage": None}, {"usage": None}, ()),
        ({"usage": [1]}, {"usage": None}, ("usage",)),
        ({"usage": {"prompt": 1.5}}, {"usage": None}, ("usage",)),
        ({"usage": {"prompt": -1}}, {"usage": None}, ("usage",)),
        ({"usage": {"prompt": True}}, {"usage": None}, ("usage",)),
        ({"usage": {"prompt": "inf"}}, {"usage": None}, ("usage",)),
        ({"usage": {"prompt": None}}, {"usage": {}}, ()),
        ({"steps": "[1]", "cost_usd": "x"}, {"steps": [1], "cost_usd": None}, ("cost_usd",)),
        ({"steps": "["}, {"steps": None}, ("steps",)),
        ({}, {}, ()),
    ],
)
def test_figures_are_read_also_where_they_are_texts(row: Any, found: Any, unread: tuple[str, ...]) -> None:
    assert figures_of(row) == (found, unread)


@each_row(
    ("value", "text"),
    [
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (0.5, "0.5"),
        (None, None),
        ([], None),
        (["a", "b"], "a\nb"),
        ([{"text": "a"}, {"text": "b"}, {}], "ab"),
        ([{"image": 1}], None),
        ({"content": "c"}, "c"),
        ({"text": "t"}, "t"),
        ({"choices": [{"message": {"content": "m"}}]}, "m"),
        ({"choices": [{"text": "t"}]}, "t"),
        ({"body": {"choices": [{"message": {"content": "m"}}]}}, "m"),
        ({"choices": [], "content": "c"}, "c"),
        ({"choices": ["x"], "text": "t"}, "t"),
        ({}, None),
        ({"body": {}, "content": "c"}, "c"),
    ],
)
def test_the_text_of_a_response_whatever_form_an_api_gave_it(value: Any, text: str | None) -> None:
    assert text_of(value) == text


def test_a_conversation_is_found_by_its_key_and_ends_with_what_the_assistant_said() -> None:
    assert chat_of({"messages": CHAT}) == chat_of({"messages": json.dumps(CHAT)}) == chat_of({"x": CHAT}, "x") == CHAT
    others: list[dict[str, Any]] = [
        {"messages": [3]},
        {"messages": []},
        {"messages": "[{"},
        {"x": CHAT},
        {"messages": [{"content": "a"}]},
        {"messages": "a"},
    ]
    for other in others:
        assert chat_of(other) == []
    assert last_answer(CHAT) == last_answer([*CHAT, {"role": "user", "content": "x"}, "odd"]) == "a"
    assert (last_answer(CHAT[:1]), last_answer([{"role": "assistant", "content": None}])) == (None, "")
    assert last_answer([{"role": "assistant", "content": {"é": 1}}]) == '{"é": 1}'


def test_messages_become_entries_with_their_calls_and_results() -> None:
    messages: list[Any] = [
        {"role": "system", "content": "s"},
        {
            "role": "assistant",
            "reasoning_content": "r",
            "tool_calls": [{"id": "c1", "function": {"name": "add", "arguments": {"ö": 1}}}, 3],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "5", "is_error": True},
        {"role": "assistant", "content": "", "function_call": {"name": "old", "arguments": "{}"}},
        {"role": "tool", "name": "old", "content": "6", "is_error": "yes"},
    ]
    described = [{"id": "c", "function": {"name": "f"}, "description": words} for words in ("d", "", None, ["d"])]
    (entry,) = entries_of([{"role": "assistant", "content": "", "tool_calls": described}], "p")
    assert [one.get("description") for one in entry["tool_calls"]] == ["d", None, None, None]
    assert ["description" in one for one in entry["tool_calls"]] == [True, False, False, False]
    system, calls, result, old, second = entries_of(messages, "p")
    assert system == {"role": "system", "content": "s", "phase": "p", "iteration": 1}
    assert calls["reasoning"] == "r"
    assert calls["tool_calls"] == [
        {"id": "c1", "name": "add", "arguments": '{"ö": 1}'},
        {"id": "2_1", "name": "", "arguments": "{}"},
    ]
    assert (result["name"], result["tool_call_id"], result["is_error"], result["duration_ms"]) == ("add", "c1", True, 0)
    assert old["tool_calls"] == [{"id": "4_0", "name": "old", "arguments": "{}"}]
    assert (second["name"], second["tool_call_id"], second["is_error"]) == ("old", "", False)
    with pytest.raises(ModelCallError, match="the agent's message 2 is") as caught:
        entries_of([CHAT[0], {"role": "odd"}], "p")
    assert caught.value.error_type is ErrorType.INVALID_RESPONSE


def read(
    tmp_path: Path, *rows: Any, name: str = "a.jsonl", named: NamedColumns | None = None, by_row: bool = False
) -> Answers:
    path = tmp_path / f"{len([*tmp_path.iterdir()])}-{name}"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_answers(path, named or NamedColumns(), by_row=by_row)


def said(answers: Answers, test_id: str, prompt: str = "", epoch: int = 1) -> Any:
    found = answers.find("d", 1, test_id, prompt, epoch)
    return None if found is None else found.data["answer"]


def test_a_row_is_found_by_its_id_else_by_its_question_unless_it_asks_something_else(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {"test_id": "a", "response": "1"},
        {"test_id": "d/1/b", "response": "2"},
        {"question": "How many?", "response": "3"},
        {"test_id": "e", "question": "Which one?", "response": "4"},
        {"id": 7.0, "response": 5},
    )
    assert [said(found, name) for name in ("a", "b", "c", "7")] == ["1", "2", None, "5"]
    assert said(found, "c", "how many?") == "3"
    assert said(found, "e", "Tell me: Which one? Be brief.") == "4"
    assert said(found, "e", "Something else") is None
    assert said(found, "a", "whatever") == "1"
    assert (said(found, "a", epoch=2), said(found, "x", "How many?", 2)) == (None, None)


def test_later_epochs_are_found_as_the_first_is_by_its_id_or_by_the_words_of_its_question(tmp_path: Path) -> None:
    rows = [
        {"test_id": "x", "question": "How many?", "response": "1", "epoch": 1},
        {"test_id": "x", "question": "How many?", "response": "2", "epoch": 2},
        {"test_id": "y", "question": "Which one?", "response": "3"},
    ]
    found = read(tmp_path, *rows)
    assert [said(found, "x", "How many?", epoch) for epoch in (1, 2, 3)] == ["1", "2", None]
    assert [said(found, "other", "How many?", epoch) for epoch in (1, 2, 3)] == ["1", "2", None]
    assert [said(found, "other", "Who?", epoch) for epoch in (1, 2)] == [None, None]
    own = read(tmp_path, *rows[1:], {"test_id": "t", "question": "How many?", "response": "4"})
    assert [said(own, "t", "How many?", epoch) for epoch in (1, 2)] == ["4", None]


def test_columns_that_nothing_reads_are_counted_unless_they_are_kept_with_the_test(tmp_path: Path) -> None:
    rows = [
        {"question": f"q{n}", "answer": "g", "response": "r", "by": "me", "note": "" if n else "x"} for n in range(3)
    ]
    assert read(tmp_path, *rows).notes == ("not read: `by` (3), `note` (1)",)
    assert read(tmp_path, *rows, by_row=True).notes == ()


def test_epochs_are_those_that_the_rows_say_else_their_order(tmp_path: Path) -> None:
    found = read(tmp_path, *({"test_id": "a", "question": "q", "response": str(n)} for n in range(3)))
    assert [said(found, "a", "q", epoch) for epoch in (1, 2, 3, 4)] == ["0", "1", "2", None]
    assert found.notes == (
        "2 rows, the first in line 2: the same test and question again, without an `epoch`: epochs in the file's order",
    )
    gaps = read(
        tmp_path, {"test_id": "a", "response": "x", "epoch": "5"}, {"test_id": "a", "response": "y", "epoch": 2}
    )
    assert [said(gaps, "a", epoch=epoch) for epoch in (1, 2)] == ["y", "x"]
    assert gaps.notes == ("line 1: the test lacks epochs before its last: its epochs are numbered from 1",)


@pytest.mark.parametrize(
    ("rows", "said_"),
    [
        ([{"test_id": "a", "response": "1", "epoch": 0}], ":1: `epoch` is a whole number of 1 or more"),
        ([{"test_id": "a", "response": "1", "epoch": True}], "whole number"),
        ([{"response": "1"}], "the answer names no test: it has 'response'"),
        ([], "no answer stands in it"),
        (
            [{"test_id": "a", "response": "1"}, {"test_id": "a", "response": "2"}],
            r":2: test 'a' \(epoch 1\) is answered already",
        ),
        (
            [{"test_id": "a", "question": "q", "response": "1"}, {"test_id": "a", "question": "p", "response": "2"}],
            "asks another question on line 1",
        ),
        ([{"question": "q", "response": "1"}, {"question": "Q", "response": "2"}], "the same question"),
        (
            [{"test_id": "a", "response": None}, {"test_id": "b"}],
            r":1: there is no text in 'answer' \(and no `error`\)|no text",
        ),
    ],
)
def test_a_row_that_is_no_answer_is_named_by_its_line(tmp_path: Path, rows: list[Any], said_: str) -> None:
    with pytest.raises(ConfigurationError, match=said_):
        read(tmp_path, *rows)


def test_errors_and_missing_responses_are_told_with_the_first_line_of_each(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {"test_id": "a", "response": "1", "cost_usd": "x"},
        {"test_id": "b", "response": "2", "error": "slow"},
        {"test_id": "c", "response": None},
        {"test_id": "d", "response": " ", "error": "bad"},
        {"test_id": "e", "response": "3", "error": "odd"},
    )
    assert [(row.data["answer"], row.data.get("error"), row.beside) for row in found.rows] == [
        ("1", None, False),
        (None, "slow", True),
        (None, "the row holds no response", False),
        (None, "bad", False),
        (None, "odd", True),
    ]
    assert found.notes == (
        "3 rows, the first in line 2: an error where the answer was made, an error here, never a score",
        "2 rows, the first in line 2: a response beside the error is not judged",
        "line 3: no response, an error, never a score",
        "line 1: `cost_usd` cannot be read and is left out; the answer is judged",
    )


@each_row(
    ("response", "text"),
    [
        ({"v": 1, "ä": [2]}, '{"v": 1, "ä": [2]}'),
        ([{"v": 1}], None),
        ({}, None),
        ([], None),
        ({"choices": []}, None),
        ([{"type": "image"}], None),
        ({"content": "c", "v": 1}, "c"),
        ({"v": datetime(2025, 1, 2)}, '{"v": "2025-01-02 00:00:00"}'),
    ],
)
def test_a_response_that_is_an_object_of_its_own_is_judged_as_its_json_and_that_is_said(
    response: Any, text: str | None
) -> None:
    row = {"test_id": "a", "response": response}
    assert whole_of(row, answer_columns([row])) == (text if text != "c" else None)


def test_such_responses_are_told_with_their_lines_and_an_error_stays_one(tmp_path: Path) -> None:
    uses = [{"tool_name": "find", "tool_input": "{}"}]
    found = read(
        tmp_path,
        {"test_id": "a", "answer": {"v": 1}, "tool_use_list": uses},
        {"test_id": "b", "answer": {"v": 2}},
        {"test_id": "c", "answer": {"v": 3}, "error": "slow"},
        {"test_id": "d", "answer": "x"},
    )
    assert [row.data["answer"] for row in found.rows] == ['{"v": 1}', '{"v": 2}', None, "x"]
    assert [row.whole for row in found.rows] == [True, True, False, False]
    assert found.notes[-1] == "2 rows, the first in line 1: the response is no text; its JSON is judged as one"


@each_row(
    ("lists", "thought", "calls", "odd"),
    [
        ({"reasoning_list": ["one", "two"]}, "Step 1: one\n\nStep 2: two", [], []),
        ({"reasoning_list": "one"}, "Step 1: one", [], []),
        ({"reasoning_list": '["one"]'}, "Step 1: one", [], []),
        ({"reasoning_list": {"step": 4, "reasoning": ["a", "b"]}}, "Step 4: a\n\nStep 4: b", [], []),
        ({"reasoning_list": ["one", 2, "", None]}, "Step 1: one", [], ["an entry of `reasoning_list`"]),
        ({"reasoning_list": [{"step": 1, "reasoning": {"a": 1}}]}, "", [], ["`reasoning_list`"]),
        ({"reasoning_list": 3}, "", [], ["`reasoning_list`"]),
        ({"tool_use_list": "strange"}, "", [], ["`tool_use_list`"]),
        ({"tool_use_list": {"tool_name": "f"}}, "", ["f"], []),
        ({"tool_use_list": ['{"tool_name": "f"}', "x"]}, "", ["f"], ["an entry of `tool_use_list`"]),
        ({"tool_use_list": [{"foo": 1}, {"tool_output": "r"}]}, "", [""], ["an entry of `tool_use_list`"]),
        ({"tool_use_list": ["{", 7]}, "", [], ["`tool_use_list`"]),
        ({"reasoning_list": None, "tool_use_list": []}, "", [], []),
    ],
)
def test_lists_beside_an_answer_are_read_as_far_as_they_can_be(
    lists: dict[str, Any], thought: str, calls: list[str], odd: list[str]
) -> None:
    entries = entries_of(chat_of(lists), "agent")
    assert "\n\n".join(entry["reasoning"] for entry in entries if "reasoning" in entry) == thought
    assert [call["name"] for entry in entries for call in entry.get("tool_calls", ())] == calls
    assert list(odd_lists(lists)) == odd


def test_what_of_such_lists_cannot_be_read_is_named_by_its_row(tmp_path: Path) -> None:
    uses = [{"tool_name": "f"}]
    found = read(
        tmp_path,
        {"test_id": "a", "answer": "x", "tool_use_list": uses, "reasoning_list": ["one"]},
        {"test_id": "b", "answer": "x", "tool_use_list": "strange"},
        {"test_id": "c", "answer": "x", "tool_use_list": 3, "reasoning_list": ["one", 2]},
        {"test_id": "d", "answer": "x", "tool_use_list": uses, "messages": CHAT},
    )
    assert found.notes == (
        "2 rows, the first in line 2: `tool_use_list` cannot be read and is left out; the answer is judged",
        "line 3: an entry of `reasoning_list` cannot be read and is left out; the answer is judged",
        "not read: `tool_use_list` (1)",
    )


def test_a_plain_id_and_a_whole_name_are_one_test_where_nothing_tells_them_apart(tmp_path: Path) -> None:
    one = read(
        tmp_path, {"test_id": "a", "response": "1", "epoch": 1}, {"test_id": "d/1/a", "response": "2", "epoch": 2}
    )
    assert [said(one, "a", epoch=epoch) for epoch in (1, 2)] == ["1", "2"]
    two = read(
        tmp_path,
        {"test_id": "a", "response": "1"},
        {"test_id": "d/1/a", "response": "2"},
        {"test_id": "e/1/a", "response": "3"},
    )
    assert {row.identity for row in two.rows} == {"a", "d/1/a", "e/1/a"}
    other = read(
        tmp_path,
        {"test_id": "a", "question": "q", "response": "1"},
        {"test_id": "d/1/a", "question": "p", "response": "2"},
    )
    assert [row.identity for row in other.rows] == ["a", "d/1/a"]


def test_rows_of_a_dataset_without_ids_are_called_by_their_numbers(tmp_path: Path) -> None:
    rows = [{"question": "q", "gold": "g", "response": "1"}, {"question": "p", "gold": "g", "response": "2"}]
    assert [row.identity for row in read(tmp_path, *rows, by_row=True).rows] == ["0", "1"]
    again = [{**row, "epoch": epoch} for epoch in (1, 2) for row in rows]
    assert [row.identity for row in read(tmp_path, *again, by_row=True).rows] == ["0", "1", "0", "1"]
    path = tmp_path / "list.json"
    path.write_text(json.dumps([{"id": 1, "response": "r"}]))
    assert said(read_answers(path), "1") == "r"
    assert columns_of(path).id == "id"
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_answers(tmp_path / "none.jsonl")


def test_a_named_response_may_be_empty_in_the_first_rows_and_one_that_is_nowhere_is_refused() -> None:
    rows = [{"question": "q", "said": None}]
    assert answer_columns(rows, NamedColumns(response="said")).response == "said"
    with pytest.raises(ConfigurationError, match="no row has the column 'sayd'; did you mean 'said'"):
        answer_columns(rows, NamedColumns(response="sayd"))
