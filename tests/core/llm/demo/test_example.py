"""A text that a pattern matches, by what the pattern is built of."""

from __future__ import annotations

from modex.core.llm.demo.example import example_of
from tests.rows import each_row


@each_row(
    ("pattern", "text"),
    [
        (r"abc", "abc"),
        (r"[^a]b", "bb"),
        (r"[^a1]b", " b"),
        (r"[^a-z1 ]", "-"),
        (r"[^a-z1 \-]", "Z"),
        (r"[^ -~]", None),
        (r"[^b]", "a"),
        (r".x", "ax"),
        (r"[c-f]+", "c"),
        (r"[xy]{3}", "xxx"),
        (r"(?:one|two)!", "one!"),
        (r"(ab)c\1", "abcab"),
        (r"a*b?c", "c"),
        (r"\d\w\s", "7a "),
        (r"\D\W\S", "a a"),
        (r"[\D][\W][\S]", "a a"),
        (r"x{2,5}", "xx"),
        (r"a.*b", "ab"),
        (r"a.*\s.*b", "a b"),
        (r"(?>ab)c", "abc"),
        (r"a+?b", "ab"),
        (r"[^\s]", "a"),
        (r"(", None),
        (r"a(?=b)c", None),
        (r"(?:x{50}){50}", "x" * 2500),
        (r"(?:(?:x{50}){50}){4}", "x" * 10_000),
        (r"(?:(?:x{50}){50}){5}", None),
        (r"x{51}", None),
    ],
)
def test_an_example_is_as_short_as_its_pattern_allows(pattern: str, text: str | None) -> None:
    assert example_of(pattern) == text
