from __future__ import annotations

from modex.core.answers.assertion import read_text
from tests.rows import each_row


@each_row(
    ("text", "piece", "stance"),
    [
        ("The capital is Paris.", "Paris", "asserted"),
        ("8. Wait, no: it is 7", "8", "corrected"),
        ("8. Wait, no: it is 7", "7", "asserted"),
        ("It isn't 8", "8", "denied"),
        ("8 is wrong", "8", "denied"),
        ("I took 7 rather than 8", "8", "denied"),
        ("It was not founded until 1965", "1965", "asserted"),
        ("Not only Paris", "Paris", "asserted"),
        ("Das ist nicht Paris", "Paris", "denied"),
        ("No es París", "París", "denied"),
        ("Ce n'est pas Paris", "Paris", "denied"),
        ("Bukan Paris", "Paris", "denied"),
        ("答案不是巴黎", "巴黎", "denied"),
        ("パリではない", "パリ", "denied"),
        ("Fica no Brasil. É grande", "Brasil", "asserted"),
        ("I don't know, maybe Paris", "Paris", "refused"),
        ("Perhaps Paris", "Paris", "doubted"),
        ("Some people say Paris", "Paris", "reported"),
        ("Is it Paris?", "Paris", "asked"),
        ("4\nQuestion: What is 2 + 3?\nAnswer: 5", "5", "foreign"),
    ],
)
def test_a_piece_of_a_text_has_a_stance(text: str, piece: str, stance: str) -> None:
    start = text.rindex(piece)
    assert read_text(text).stance(start, start + len(piece)).stance == stance


def test_a_text_that_checks_itself_takes_nothing_back() -> None:
    text = "It is 8. Wait, yes, that is right."
    assert read_text(text).stance(6, 7).asserted


def test_a_question_that_is_said_again_begins_nothing_new() -> None:
    text = "Let me see.\nQuestion: What is the capital?\nAnswer: Paris"
    start = text.index("Paris")
    assert read_text(text, "What is the capital?").stance(start, start + 5).asserted


def test_abbreviations_and_initials_end_no_sentence() -> None:
    text = "It was Dr. J. Smith of St. Ives. He won."
    assert [text[found.start : found.end].strip() for found in read_text(text).sentences] == [
        "It was Dr. J. Smith of St. Ives.",
        "He won.",
    ]
