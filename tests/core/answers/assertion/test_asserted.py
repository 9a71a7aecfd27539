from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.answers.assertion import find_assertion, read_text, same_answer
from tests.rows import each_row


@each_row(
    ("text", "gold", "question", "rule"),
    [
        ("It was Wilhelm Röntgen.", "Wilhelm Conrad Röntgen", "Who discovered X-rays?", "name"),
        ("It was signed on May 14, 1998.", "14 May 1998", "When was it signed?", "date"),
        ("It was signed in 1998.", "14 May 1998", "When was it signed?", "year"),
        ("See Article II.", "Article Two", "Which article?", "phrase"),
        ("The Cheyenne and the Belle Fourche", "Belle Fourche and Cheyenne", "Which rivers?", "words"),
        ("Harington", "Kit Harington", "Who is Jon Snow?", "head"),
    ],
)
def test_a_gold_is_found_in_another_form(text: str, gold: str, question: str, rule: str) -> None:
    found = find_assertion(read_text(text, question), [gold])
    assert found.asserted
    assert found.place is not None
    assert found.place.rule == rule


def test_the_place_is_where_the_gold_stands() -> None:
    text = "I think that Wilhelm Röntgen did."
    place = find_assertion(read_text(text), ["Wilhelm Conrad Röntgen"]).place
    assert place is not None
    assert text[place.start : place.end] == "Wilhelm Röntgen"


def test_the_reason_says_what_the_text_does_with_a_gold_that_it_does_not_assert() -> None:
    found = find_assertion(read_text("Lyon, not Paris."), ["Paris"])
    assert not found.asserted
    assert found.stance == "denied"


@given(st.text(max_size=200), st.text(max_size=40), st.text(max_size=60))
def test_any_text_is_read_and_a_place_lies_within_it(text: str, gold: str, question: str) -> None:
    found = find_assertion(read_text(text, question), [gold])
    if found.place is not None:
        assert 0 <= found.place.start < found.place.end <= len(text)


@each_row(
    ("answer", "gold", "same"),
    [
        ("Wilhelm Röntgen", "Wilhelm Conrad Röntgen", True),
        ("May 14, 1998", "14 May 1998", True),
        ("the U.S.", "United States", True),
        ("giraffes", "giraffe", True),
        ("May 1998", "14 May 1998", False),
        ("naive", "naïve", False),
        ("New York", "York", False),
        ("Paris, France", "Paris", False),
        ("Paris or Lyon", "Paris", False),
        ("007", "7", False),
    ],
)
def test_a_bare_answer_is_the_gold_in_another_form_and_nothing_more(answer: str, gold: str, same: bool) -> None:
    assert (same_answer(answer, [gold]) is not None) is same
