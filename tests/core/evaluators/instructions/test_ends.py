from __future__ import annotations

from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row


@each_row(
    ("text", "right"),
    [
        ("Done. Peace!", True),
        ('"Done. peace!"\n', True),
        ("Peace! Done.", False),
        ("Peace", False),
    ],
)
def test_the_last_words_are_the_phrase(text: str, right: bool) -> None:
    assert followed("startend:end_checker", text, end_phrase=" Peace!") is right


def test_how_it_ends_is_said() -> None:
    assert found("startend:end_checker", "It is done.", end_phrase="Bye").words == "ends with 'ne.', 'Bye' asked"
    assert found("startend:end_checker", "Bye", end_phrase="bye").words == "ends with 'Bye'"


@each_row(
    ("text", "right"),
    [('"all"', True), (' "all" \n', True), ('"all', False), ('all"', False), ('"', False), ("“all”", False)],
)
def test_the_whole_answer_stands_in_double_quotation_marks(text: str, right: bool) -> None:
    assert followed("startend:quotation", text) is right


def test_what_stands_at_both_ends_is_said() -> None:
    assert found("startend:quotation", ' "a.').words == "begins with '\"' and ends with '.'"
    assert found("startend:quotation", ' " ').words == "a lone quotation mark, and no quoted text"
    assert found("startend:quotation", '"a"').words == "in quotation marks"


@each_row(("text", "words"), [("a, b,", "2 commas"), ("a, b", "1 comma"), ("a; b", "no commas")])
def test_commas_are_counted(text: str, words: str) -> None:
    verdict = found("punctuation:no_comma", text)
    assert (verdict.words, verdict.followed) == (words, words == "no commas")
