from __future__ import annotations

from tests.core.evaluators.instructions.conftest import followed, found
from tests.rows import each_row


@each_row(
    ("text", "number"),
    [
        ("* one\n* two", 2),
        ("- one\n  - two\n text - no", 2),
        ("**bold** no\n* yes", 1),
        ("*one*", 1),
        ("1. no", 0),
        ("---", 1),
    ],
)
def test_bullets_are_lines_that_begin_with_a_dash_or_one_star(text: str, number: int) -> None:
    verdict = found("detectable_format:number_bullet_lists", text, num_bullets=2)
    assert verdict.words == f"{number} bullet point{'' if number == 1 else 's'}, exactly 2 asked"
    assert verdict.followed is (number == 2)


def test_one_of_three_answers_stands_in_it_as_it_is_written() -> None:
    kind = "detectable_format:constrained_response"
    assert found(kind, "Well. My answer is maybe.").words == "'My answer is maybe.' found"
    assert followed(kind, "My answer is yes.")
    assert followed(kind, "My answer is no.")
    assert found(kind, "my answer is yes").words == "none of the three answers"
    assert not followed(kind, "my answer is yes")


@each_row(
    ("text", "number"),
    [
        ("*one* and *two*", 2),
        ("**one**", 1),
        ("* one\n* two", 0),
        ("****", 0),
        ("* *", 0),
        ("*a\nb*", 0),
        ("***one***", 2),
        ("**one** *two*", 2),
    ],
)
def test_highlighted_sections_stand_between_stars_within_a_line(text: str, number: int) -> None:
    verdict = found("detectable_format:number_highlighted_sections", text, num_highlights=2)
    assert verdict.words == f"{number} highlighted section{'' if number == 1 else 's'}, at least 2 asked"
    assert verdict.followed is (number >= 2)


@each_row(
    ("text", "number"),
    [
        ("SECTION 1\na\nSECTION 2", 2),
        ("SECTION1 SECTION 22", 2),
        ("Section 1", 0),
        ("SECTION one", 0),
        ("SECTION  1", 0),
    ],
)
def test_sections_begin_with_the_word_and_a_number(text: str, number: int) -> None:
    verdict = found("detectable_format:multiple_sections", text, section_spliter=" SECTION", num_sections=2)
    assert verdict.words == f"{number} section{'' if number == 1 else 's'}, at least 2 asked"
    assert verdict.followed is (number >= 2)


@each_row(
    ("text", "right"),
    [
        ('{"a": 1}', True),
        ('```json\n{"a": 1}\n```', True),
        ("```JSON\n[1]\n```", True),
        ("```Json\n[1]\n```", True),
        ("```\n[1]\n```", True),
        ('Here: {"a": 1}', False),
        ("{'a': 1}", False),
        ("", False),
    ],
)
def test_the_whole_answer_is_json(text: str, right: bool) -> None:
    assert followed("detectable_format:json_format", text) is right


def test_what_is_wrong_with_json_is_said() -> None:
    assert found("detectable_format:json_format", "{").words.startswith("no JSON: Expecting property name")
    assert found("detectable_format:json_format", "[" * 100_000).words == "no JSON: nested too deeply to be read"
    assert found("detectable_format:json_format", "[]").words == "JSON"


@each_row(
    ("text", "title"),
    [
        ("<<A day>>\ntext", "'A day'"),
        ("text <<<A>>> text", "'A'"),
        ("<< >>", None),
        ("<<>>", None),
        ("<<a\nb>>", None),
        (">> <<", None),
        ("<A>", None),
        ("<<>>\n<<B>>", "'B'"),
    ],
)
def test_a_title_stands_in_double_angular_brackets(text: str, title: str | None) -> None:
    verdict = found("detectable_format:title", text)
    assert verdict.followed is (title is not None)
    assert verdict.words == (f"the title {title}" if title else "no title in `<<` and `>>`")
