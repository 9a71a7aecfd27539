from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from modex.core.sandbox.child import Confinement
from modex.core.sandbox.pattern_child import _CONFINEMENT, attempt
from modex.core.sandbox.patterns import PatternError, compile_pattern, written_out
from modex.core.sandbox.worker import ChildReply, WorkerError
from tests.rows import each_row


def test_a_pattern_may_have_twenty_thousand_characters() -> None:
    assert compile_pattern("a" * 20_000).search("b") is None


def test_a_pattern_compiles_once() -> None:
    assert compile_pattern(r"(\d+)", ignore_case=True) is compile_pattern(r"(\d+)", ignore_case=True)
    assert compile_pattern("A", ignore_case=True).search("a")
    assert not compile_pattern("A").search("a")


@each_row(
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


@each_row(
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


@each_row(
    ("pattern", "size"),
    [
        ("", 0), ("abc", 3), ("{3}", 0), ("{3}a", 1), ("a{3}", 3), ("a{0}", 1), ("a{3}{2}", 6), ("a{2,5}b", 6), ("a{5,2}", 5),
        ("(ab){3}", 6), ("((a){2}b){3}", 9), ("(a){2}(b){3}", 5), ("a)b", 3), ("(a", 1), ("(a(b", 2), (r"\(a{2}", 3), ("a{", 2),
        ("[(]a{2}b{3}", 11 * 2 * 3), ("#a{2}", 5 * 2), ("(?ix)a{2}", 9 * 2), ("a{2}x", 3), ("a\n{2}", 3),
    ],
)  # fmt: skip
def test_how_long_a_pattern_is_with_its_repetitions_written_out(pattern: str, size: int) -> None:
    assert written_out(pattern) == size


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What is tried in a child; its answers stand before."""
    found: list[Any] = []

    class Pool:
        def ask(self, request: dict[str, Any], *, wall_s: float, cpu_s: float) -> ChildReply:
            answer = found.pop(0)
            found.append((request, wall_s, cpu_s))
            if isinstance(answer, Exception):
                raise answer
            return answer  # type: ignore[no-any-return]

    monkeypatch.setattr(
        "modex.core.sandbox.patterns.shared_pool",
        lambda module, size, *, site: Pool() if (size, site) == (1, True) else None,
    )
    compile_pattern.cache_clear()
    yield found
    compile_pattern.cache_clear()


def test_a_pattern_of_more_than_a_hundred_thousand_characters_is_tried_in_a_child_first(asked: list[Any]) -> None:
    compile_pattern("a{100000}")
    assert asked == []
    asked.append(ChildReply("ok", {"problem": None}))
    large = "a{100001}"
    assert compile_pattern(large, ignore_case=True).search("B") is None
    assert asked == [({"pattern": large, "ignore_case": True}, 40, 2)]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ChildReply("timeout"), "compiling it takes more than 2 s or 512 MB"), (ChildReply("ok", {"problem": "odd"}), "odd"),
        (ChildReply("ok", {"failed": "worse"}), "worse"), (WorkerError("no memory"), "it could not be tried: no memory"),
    ],
)  # fmt: skip
def test_what_a_child_says_of_a_pattern_is_why_it_is_refused(asked: list[Any], answer: Any, said: str) -> None:
    asked.append(answer)
    with pytest.raises(PatternError, match=said):
        compile_pattern("(?:a{100}){1001}")


@each_row(
    ("pattern", "problem"),
    [("a", None), ("(", "missing )"), ("(" * 3000 + ")" * 3000, "it nests too deeply"), ("(?i)a", None)],
)
def test_the_child_says_why_a_pattern_does_not_compile(pattern: str, problem: str | None) -> None:
    said = attempt({"pattern": pattern, "ignore_case": False})["problem"]
    assert said == problem or (said is not None and problem is not None and problem in said)


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (MemoryError(), "compiling it takes more than 512 MB"), (OverflowError("odd"), "odd"), (ValueError(), "ValueError"),
        (RecursionError(), "nests too deeply"),
    ],
)  # fmt: skip
def test_whatever_compiling_raises_is_a_problem_of_the_pattern(
    monkeypatch: pytest.MonkeyPatch, error: Exception, problem: str
) -> None:
    import regex

    flags: list[int] = []

    def fails(pattern: str, given: int) -> None:
        flags.append(given)
        raise error

    monkeypatch.setattr(regex, "compile", fails)
    for ignore_case in (True, False):
        assert problem in str(attempt({"pattern": "a", "ignore_case": ignore_case})["problem"])
    for ignore_case in (True, False):
        compile_pattern.cache_clear()
        with pytest.raises(PatternError):
            compile_pattern("a", ignore_case=ignore_case)
    assert flags == 2 * [regex.IGNORECASE, 0]


def test_a_child_that_compiles_may_have_512_megabytes() -> None:
    assert Confinement(memory_bytes=512 * 1024 * 1024) == _CONFINEMENT
