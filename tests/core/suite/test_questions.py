"""What a prompt asks, by the keys under which other programs' tests are found again."""

from __future__ import annotations

import json

from modex.core.suite.questions import question_key, questions_in
from tests.rows import each_row

TALK = [
    {"role": "user", "content": "First?"},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": "Second?"},
]


@each_row(
    ("prompt", "asked"),
    [
        ("What?", ["What?"]),
        ("What?\n\nA. one\nB. two\n", ["What?\n\nA. one\nB. two\n", "What?"]),
        ("What?\n\na. one", ["What?\n\na. one"]),
        (json.dumps(TALK), [json.dumps(TALK), "Second?"]),
        (json.dumps(TALK[1:2]), [json.dumps(TALK[1:2])]),
        ('[{"role": "user", "content": 3}]', ['[{"role": "user", "content": 3}]']),
        ("[{odd", ["[{odd"]),
    ],
)
def test_a_prompt_asks_the_whole_what_stands_above_options_and_the_last_turn(prompt: str, asked: list[str]) -> None:
    assert questions_in(prompt) == tuple(question_key(text) for text in asked)


def test_case_blanks_and_forms_of_letters_make_no_other_question() -> None:
    assert question_key(" Wie  heißt\nﬁx? ") == question_key("wie heisst fix?")
