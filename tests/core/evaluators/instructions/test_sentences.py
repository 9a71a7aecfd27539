from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.instructions.sentences import sentences_in
from tests.rows import each_row


@each_row(
    ("text", "number"),
    [
        ("", 0),
        (" \n", 0),
        ("no mark", 1),
        ("One. Two! Three? Four", 4),
        ("Really?! Yes.", 2),
        ("Wait... The end.", 2),
        ("Wait... what", 1),
        ("It was 3.5 percent. Good.", 2),
        ("See example.com for more. Bye.", 2),
        ("Mr. Smith met Dr. Who. They talked.", 2),
        ("He works at Acme Inc. in Oslo. Good.", 2),
        ("He works at Acme Inc. The firm is old.", 2),
        ("They met at 5 p.m. in May. Good.", 2),
        ("J. K. Rowling wrote it. Yes.", 2),
        ("We chose plan B. The rest failed.", 2),
        ("Fruit, e.g. apples. Yes.", 2),
        ('He said "Stop." Then he left.', 2),
        ('He said "Stop."', 1),
        ("(It rained.) We left.", 2),
        ("**Bold!** Then more.", 2),
        ("It ends **so.**", 2),
        ("1. First\n2. Second", 3),
        ("1. first", 1),
        ("A. First part\nB. Second part", 3),
        ("One.\n\nTwo.", 2),
        ("One.two", 1),
        ("Hello.Yes. Two.", 2),
        ("co-op Inc. has it", 1),
    ],
)
def test_sentences(text: str, number: int) -> None:
    assert sentences_in(text) == number


_WORDS = st.lists(st.sampled_from(["the", "tree", "Anna", "sees", "blue", "water"]), min_size=1, max_size=6)


@given(st.lists(st.tuples(_WORDS, st.sampled_from(".!?")), min_size=1, max_size=8))
def test_plain_sentences_are_as_many_as_their_marks(sentences: list[tuple[list[str], str]]) -> None:
    text = " ".join(" ".join(words) + mark for words, mark in sentences)
    assert sentences_in(text) == len(sentences)


@given(st.text(alphabet='ab .?!"*)\n1', max_size=40))
def test_blanks_at_the_ends_change_nothing_and_words_bound_the_count(text: str) -> None:
    number = sentences_in(text)
    assert number == sentences_in(f"\n {text} \n")
    assert 0 <= number <= len(text.split()) + 1
