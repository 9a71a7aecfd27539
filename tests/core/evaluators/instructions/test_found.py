from __future__ import annotations

from modex.core.evaluators.instructions.found import counted, short
from tests.rows import each_row


@each_row(
    ("relation", "below", "same", "above"),
    [
        (None, False, True, True),
        ("at least", False, True, True),
        ("less than", True, False, False),
        ("at most", True, True, False),
        ("exactly", False, True, False),
    ],
)
def test_a_count_is_compared_as_the_relation_says(relation: str | None, below: bool, same: bool, above: bool) -> None:
    assert [counted(number, "word", 5, relation).followed for number in (4, 5, 6)] == [below, same, above]


def test_the_words_say_what_was_found_and_what_was_asked() -> None:
    assert counted(4, "title", 5).words == "4 titles, at least 5 asked"
    assert counted(1, "title", 2, "exactly").words == "1 title, exactly 2 asked"
    assert counted(0, "word in capitals", 1, many="words in capitals").words == "0 words in capitals, at least 1 asked"
    assert counted(1234, "word", 2000).words == "1,234 words, at least 2,000 asked"


def test_a_piece_of_an_answer_is_one_short_line() -> None:
    assert short("two\n lines") == "'two lines'"
    assert short("a" * 40) == f"'{'a' * 40}'"
    assert short("a" * 41) == f"'{'a' * 40}…'"
    assert short(" " * 200 + "a") == "'…'"
    assert short("a" + " " * 159) == "'a'"
