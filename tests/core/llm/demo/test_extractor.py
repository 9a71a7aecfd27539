"""What the scripted model finds in a response that a prompt of PASS 2 fences."""

from __future__ import annotations

import json

from modex.core.llm.demo.extractor import extract, response_in
from tests.rows import each_row

ASKED = "Reply `ANSWER: …`\n<<<DATA-aa\nWhat?\nDATA-aa>>>\n<<<DATA-aa\n{}\nDATA-aa>>>"


@each_row(
    ("response", "kind", "answer"),
    [
        ("Is it no? So the answer is yes, not no.", "boolean", "yes"),
        ("No. In the end yes", "boolean", "yes"),
        ("Perhaps.", "boolean", "NO_ANSWER"),
        ("3 or 4. So the answer is 5 of 6", "numeric", "5"),
        ("3 or 4", "numeric", "4"),
        ("It is \\boxed{7} and \\boxed{8}, 9", "numeric", "8"),
        ("(a) or (b). Answer: (c)", "choice", "C"),
        ("A or B", "choice", "B"),
        ("none", "choice", "NO_ANSWER"),
        ("one\nThe answer is **two**.\nthree", "text", "two"),
        ("one\n\ntwo.\n", "text", "two"),
        ("x \\boxed{\\frac{1}{2}}", "math", "\\frac{1}{2}"),
        ("so\nx^2", "math", "x^2"),
        (" ", "text", "NO_ANSWER"),
    ],
)
def test_the_conclusion_of_a_response_is_its_answer(response: str, kind: str, answer: str) -> None:
    assert extract(ASKED.format(response), kind) == f"ANSWER: {answer}"


def test_where_no_line_is_asked_for_the_answer_is_json() -> None:
    assert json.loads(extract("<<<DATA-aa\nIt is 5\nDATA-aa>>>", "numeric")) == {"answer": "5"}
    assert extract("<<<DATA-aa\nDie Größe\nDATA-aa>>>", "text") == '{"answer": "Die Größe"}'
    assert response_in("nothing is fenced") == "nothing is fenced"


def test_calls_are_those_of_the_listed_tools_that_the_response_names() -> None:
    prompt = "- `add`: adds\n- `find`: finds\n<<<DATA-aa\nI would call find.\nDATA-aa>>>"
    assert json.loads(extract(prompt, "tool_calls")) == {"calls": [{"name": "find", "arguments": {}}]}
