"""The options that a question lists, the letters that a text names, and the one that a bare answer is."""

from __future__ import annotations

from modex.core.answers.text.choice import letters_named, options_in, read_choice

_QUESTIONS = [
    ("Pick one: A) red B) green C) blue", {"A": "red", "B": "green", "C": "blue"}),
    ("Pick one:\nA) red\nB) green\nC) blue\nAnswer with a letter.", {"A": "red", "B": "green", "C": "blue"}),
    ("A) red B) green", {}),
    ("A) red B) red C) blue", {}),
    ("(A) red (B) green (C) blue (D) grey", {"A": "red", "B": "green", "C": "blue", "D": "grey"}),
    ("A. one B. two D. four C. three", {}),
    ("First A) x B) y C) z. Then A) p B) q C) r", {"A": "p", "B": "q", "C": "r"}),
    ("B) red C) green D) blue", {}),
    ("A) red B) C) blue", {}),
    ("[A] red [B] green [C] blue", {"A": "red", "B": "green", "C": "blue"}),
    ("A: red B: green C: blue", {"A": "red", "B": "green", "C": "blue"}),
    ("No options here.", {}),
    ("A) red; B) green; E) blue", {}),
    ("xA) red B) green C) blue", {}),
    ("A) red\nmore\nB) green\nC) blue", {"A": "red", "B": "green", "C": "blue"}),
]
"""A question, and the options it lists: three at least, from A on, each with a text of its own."""


def test_a_question_lists_its_options_by_letters_in_order() -> None:
    assert [(question, options_in(question)) for question, _ in _QUESTIONS] == _QUESTIONS


_NAMED = [
    ("b) green", "B"),
    ("B", "B"),
    ("(b) and [C]", "BC"),
    ("A or C", "AC"),
    ("A cat sat", ""),
    ("Option A.", "A"),
    ("I think B", "B"),
    ("I", "I"),
    ("是B", "B"),
    ("b - green", "B"),
    ("B's", ""),
    ("AB", ""),
    ("E", ""),
    ("d. no", "D"),
    ("x) no", ""),
    ("A because", "A"),
    ("I. one", "I"),
    ("选C", "C"),
    ("b", ""),
]
"""A text, and which of A, B, C, D and I it names: no article, no pronoun before a word, no letter of a word."""


def test_the_letters_that_a_text_names() -> None:
    known = dict.fromkeys("ABCDI", "")
    assert [(text, "".join(sorted(letters_named(text, known)))) for text, _ in _NAMED] == _NAMED


_BARE = [
    ("B", "B"),
    ("b", "B"),
    ("(b)", "B"),
    ("[C]", "C"),
    ("Ｂ", "B"),
    ("B.", "B"),
    ("B:", "B"),
    ("E", None),
    ("paris", "B"),
    ("Paris.", "B"),
    ("Lyon", None),
    ("", None),
    ("**B**", "B"),
    ("__C__", "C"),
    ("not A, so B", "B"),
    ("B)", "B"),
    ("{B}", "B"),
    ("D", "D"),
    ("Rome or Paris", None),
    ("the answer is Rome", "C"),
    ("x" * 2001, None),
]


def test_a_bare_answer_is_a_letter_or_an_options_text() -> None:
    options = {"A": "London", "B": "Paris", "C": "Rome", "D": ""}
    assert [(text, read_choice(text, options)) for text, _ in _BARE] == _BARE
