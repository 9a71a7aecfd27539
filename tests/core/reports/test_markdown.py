"""Text of models as Markdown that stays what it is."""

from __future__ import annotations

from modex.core.reports.markdown import fenced, one_line
from tests.rows import each_row


@each_row(
    ("text", "line"),
    [
        ("a | b", "a \\| b"),
        ("<b>*x*</b> & y", "&lt;b&gt;\\*x\\*&lt;/b&gt; &amp; y"),
        (
            "[a](b) `c` #1 {d} ~e~ f! g_h + i - j \\",
            "\\[a\\]\\(b\\) \\`c\\` \\#1 \\{d\\} \\~e\\~ f\\! g\\_h \\+ i \\- j \\\\",
        ),
        ('"quoted"', '"quoted"'),
    ],
)
def test_a_line_has_no_markup(text: str, line: str) -> None:
    assert one_line(text) == line


def test_a_line_is_cut() -> None:
    assert one_line("x" * 400) == "x" * 400
    assert len(one_line("x" * 401)) == 400
    assert len(one_line("xyz", 2)) == 2


@each_row(("text", "fence"), [("a", 3), ("``", 3), ("```", 4), ("a ````` b ```", 6)])
def test_a_fence_is_longer_than_any_in_the_text(text: str, fence: int) -> None:
    assert fenced(text) == f"{'`' * fence}text\n{text}\n{'`' * fence}\n"
