from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from modex.core.llm.codespans import CodeSpans
from tests.rows import each_row


@each_row(
    ("text", "inside"),
    [
        ("a `X` b", True),
        ("a `` ` X `` b", True),
        ("a ` X b", False),
        ("a ` \n X ` b", False),
        ("```\nX\n```", True),
        ("~~~py\nX\n~~~", True),
        ("````\n```\nX\n````", True),
        ("```\nX", False),
        ("```\na\n```\nX", False),
        ("```\na `X` b", True),
        ("`a` X `b`", False),
    ],
)
def test_code_is_where_markdown_has_it(text: str, inside: bool) -> None:
    assert CodeSpans(text).covers(text.index("X")) is inside


@given(st.text("`~a\n ", max_size=80))
def test_any_text_is_survived(text: str) -> None:
    spans = CodeSpans(text)
    assert all(isinstance(spans.covers(position), bool) for position in range(len(text)))
    assert not spans.covers(len(text))
