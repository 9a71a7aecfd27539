from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.llm.thinking import Thinking, strip_thinking
from tests.rows import each_row

PLAIN = st.text(alphabet="ab <>/`\n think|", max_size=60).filter(lambda text: "think" not in text and "|>" not in text)
WORDS = st.text(alphabet="abc d", max_size=20)


@each_row(
    ("text", "answer", "reasoning"),
    [
        ("<think>a</think>b", "b", "a"),
        (" \n<thinking>a</thinking>\n\nb", "b", "a"),
        ("<THINK>a</Think>b", "b", "a"),
        ("<think>a <think>n</think> c</think>b", "b", "a <think>n</think> c"),
        ("<think>a</think>\n<think>b</think>c", "c", "a\n\nb"),
        ("<think></think>\n\nhi", "hi", None),
        ("a</think>b", "b", "a"),
        ("foo <think>bar</think> baz</think>ans", "ans", "foo <think>bar</think> baz"),
        ("<|channel>thought\nhm<channel|>Yes<turn|>", "Yes", "hm"),
        ("Yes<turn|>\n", "Yes", None),
        ("hm<channel|>Yes", "Yes", "hm"),
        ("<think>```py\ncode</think>ans ```x```", "ans ```x```", "```py\ncode"),
        ("<think>\n```py\nx\n</think>\nSo:\n```\ny\n```", "So:\n```\ny\n```", "```py\nx"),
        ("<think>write `</think>` at the end</think>done", "done", "write `</think>` at the end"),
        ("<think>a</think>Write `</think>` to end it.", "Write `</think>` to end it.", "a"),
    ],
)
def test_thinking_is_taken_from_the_start(text: str, answer: str, reasoning: str | None) -> None:
    assert strip_thinking(text) == Thinking(answer, reasoning)


@each_row(
    "text",
    [
        "plain",
        "",
        "a <think>q</think> b",
        "Models write <think> first.",
        "say `</think>` to stop",
        'the tag "</think>" ends it',
        "```xml\n<think>\n</think>\n</think>\n```\nThat is all.",
        "a thinking cap",
    ],
)
def test_a_tag_quoted_in_an_answer_stays(text: str) -> None:
    assert strip_thinking(text) == Thinking(text)


@each_row("text", ["<think>a", "<think>a <think>b</think>", "<|channel>thought\nhm", "<think>use `</think>` x"])
def test_thinking_that_never_ends_leaves_no_answer(text: str) -> None:
    found = strip_thinking(text)
    assert found.truncated
    assert found.answer == ""
    assert found.reasoning


@given(PLAIN)
def test_text_without_tags_comes_back_as_it_is(text: str) -> None:
    assert strip_thinking(text) == Thinking(text)


@given(WORDS, WORDS, st.integers(1, 5))
def test_any_depth_of_nesting_is_one_thought(thought: str, answer: str, depth: int) -> None:
    found = strip_thinking("<think>" * depth + thought + "</think>" * depth + answer)
    assert found.answer == answer.lstrip()
    assert not found.truncated


@given(st.text(alphabet="<>/thinkg|ca el`\n'\"", max_size=200))
def test_no_text_is_lost_or_invented(text: str) -> None:
    found = strip_thinking(text)
    assert found.answer in text
    assert found.truncated <= (found.answer == "")


@pytest.mark.long
@pytest.mark.parametrize("unit", ["`", "```x\n", "~~~~\n", "<think>", "</think>`", "``` `\n", '"<think>"'])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = "<think>" + unit * (400_000 // len(unit)) + "</think>answer"
    started = time.perf_counter()
    strip_thinking(text)
    assert time.perf_counter() - started < 5
