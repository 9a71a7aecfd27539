"""What a benchmark's own rule made of a response is said in one line."""

from __future__ import annotations

from modex.core.verdict import Compared, Official, reason_of
from modex.core.verdict.official import official_words
from tests.rows import each_row


@each_row(
    ("part", "words"),
    [
        (Official("GSM8K's rule", "18", True), "by GSM8K's rule: 18, right"),
        (Official("GSM8K's rule", "8"), "by GSM8K's rule: 8, wrong"),
        (Official("GSM8K's rule"), "by GSM8K's rule: no answer, wrong"),
        (Official("GSM8K's rule", "18", True, 0.0), "by GSM8K's rule: 18, right; our own verdict is 0"),
    ],
)
def test_it_says_what_was_read_and_whether_that_is_right(part: Official, words: str) -> None:
    assert official_words(part) == words


def test_it_is_the_reason_only_where_it_counts() -> None:
    ours = Compared("18", "8")
    assert reason_of([Official("R", "18", True, 0.0), ours], passed=True) == "by R: 18, right; our own verdict is 0"
    assert reason_of([Official("R", "18", True), ours], passed=False) == "expected 18, got 8"
