"""The options that a question lists, the letters that a text names, and the one that a bare answer is."""

from __future__ import annotations

from modex.core.answers.text.choice import letters_named, options_in, read_choice
from tests.core.answers.tables import differing

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


_OPTIONS = r"""
Which? A) red B) green C) blue => A=red B=green C=blue
Which?\nA. red\nB. green\nC. blue => A=red B=green C=blue
Which? (A) red (B) green =>
Which? A) red B) red C) blue =>
Which? A) red C) green B) blue =>
Which? A) red B) C) blue =>
Which? A] red B] green C] blue D] pink => A=red B=green C=blue D=pink
A) x B) y C) z\nWhich? A) red B) green C) blue => A=red B=green C=blue
Which? A.red B.green C.blue =>
Which of xA) red B) green C) blue =>
Which? [A] red [B] green [C] blue => A=red B=green C=blue
Which? A) red\nmore B) green C) blue => A=red B=green C=blue
"""
_LETTERS_NAMED = r"""
b) red => B
(b) and C => BC
b - red => B
B - red => B
A or B => AB
A because => A
I am =>
I, A => AI
是B => B
xB =>
B's =>
[c] => C
E and (e) =>
a =>
I am A => A
"""
_CHOICES = r"""
B => B
(B) => B
[b]. => B
Paris => B
the Paris => B
paris. => B
B or C => None
**B** => B
x => None
new rome => D
Rome => C
E => None
"""
_CITIES = {"A": "London", "B": "Paris", "C": "Rome", "D": "New Rome"}


def test_a_question_lists_its_options() -> None:
    assert differing(_OPTIONS, lambda text: " ".join(f"{key}={said}" for key, said in options_in(text).items())) == []


def test_letters_are_named_and_articles_are_not() -> None:
    known = dict.fromkeys("ABCDI", "")
    assert differing(_LETTERS_NAMED, lambda text: "".join(sorted(letters_named(text, known)))) == []


def test_a_bare_answer_chooses_by_letter_or_text() -> None:
    assert differing(_CHOICES, lambda text: str(read_choice(text, _CITIES))) == []
