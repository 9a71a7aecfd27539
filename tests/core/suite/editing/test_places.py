"""A test's text in its file: one line of many, or the whole."""

from __future__ import annotations

from modex.core.suite.editing.places import WrittenTest
from tests.rows import each_row


@each_row(
    ("whole", "line", "other", "after", "without"),
    [
        ("a\nb\nc", 0, "x\nb\nc", "a\nx\nb\nc", "b\nc"),
        ("a\nb\nc", 1, "a\nx\nc", "a\nb\nx\nc", "a\nc"),
        ("a\nb\nc", 2, "a\nb\nx", "a\nb\nc\nx", "a\nb"),
        ("a\nb\n", 1, "a\nx\n", "a\nb\nx\n", "a\n"),
        ("a", 0, "x", "a\nx", None),
        ("a\n\n \t", 0, "x\n\n \t", "a\nx\n\n \t", None),
    ],
)
def test_a_line_is_changed_followed_by_another_and_taken_out_alone(
    whole: str, line: int, other: str, after: str, without: str | None
) -> None:
    test = WrittenTest("p", whole, line)
    assert test.text == whole.split("\n")[line]
    assert (test.with_text("x").decode(), test.and_after("x").decode()) == (other, after)
    left = test.without()
    assert (left if left is None else left.decode()) == without


def test_lines_keep_the_ends_that_the_file_has() -> None:
    middle, last = WrittenTest("p", "a\r\nb\r\nc", 0), WrittenTest("p", "a\r\nb", 1)
    assert middle.and_after("x\r") == b"a\r\nx\r\nb\r\nc"
    assert last.and_after("x\r") == b"a\r\nb\nx"  # the last line of a file has no end
    assert last.with_text("x\r") == b"a\r\nx\r"


def test_a_file_that_holds_one_test_is_its_text() -> None:
    test = WrittenTest("p", "{}\n", None)
    assert (test.text, test.with_text("x"), test.without()) == ("{}\n", b"x", None)
