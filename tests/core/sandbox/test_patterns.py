from __future__ import annotations

import pytest

from core.sandbox.patterns import PatternError, compile_pattern, written_out


def test_a_pattern_compiles_once() -> None:
    assert compile_pattern(r"(\d+)", ignore_case=True) is compile_pattern(r"(\d+)", ignore_case=True)
    assert compile_pattern("A", ignore_case=True).search("a")
    assert not compile_pattern("A").search("a")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(", r"missing \)"),
        ("a" * 20_001, "longer than 20,000"),
        ("(" * 2000 + ")" * 2000, "nests too deeply"),
        ("(?:(?:(?:(?:a{1000}){1000}){1000}){1000})", "512 MB"),
        ("(?x)# [\n(?:(?:(?:a{1000}){1000}){1000})", "512 MB"),
        ("a{99999999}", "512 MB"),
    ],
)
def test_what_cannot_be_used_is_named(pattern: str, said: str) -> None:
    with pytest.raises(PatternError, match=said):
        compile_pattern(pattern)


def test_a_large_pattern_within_the_limits_is_used() -> None:
    assert compile_pattern("(?:(?:a{100}){30}){40}").search("b") is None


@pytest.mark.parametrize(
    ("pattern", "least", "most"),
    [
        (r"\d{4}-\d{2}", 7, 7),
        ("(?:a{10}b){10}", 110, 140),
        ("(a){3}(b){4}", 7, 9),
        (r"a\{1000}", 6, 8),
        ("a{2,}", 2, 2),
        ("a{,7}", 7, 7),
        ("(?:(?:(?:a{1000}[(]){1000}[(]){1000})", 1_000_000_000, 10**13),
        ("a){9}", 9, 20),
    ],
)
def test_repetitions_are_counted_where_they_nest(pattern: str, least: int, most: int) -> None:
    assert least <= written_out(pattern) <= most
