from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluators.tool_call.literals import Language, LiteralError, read_literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5), ("5L", 5), ("-5", -5), ("1_000", 1000), ("0x1F", 31), ("2.5f", 2.5), ("3d", 3), ("1e3", 1000.0),
        ("true", True), ("null", None), ('"a\\"b"', 'a"b'), ("'c'", "c"), ('"\\u0041"', "A"),
        ("new int[]{1, 2}", [1, 2]), ("new int[][]{{1, 2}, {3}}", [[1, 2], [3]]), ("{1, 2}", [1, 2]),
        ('Arrays.asList("a", "b")', ["a", "b"]), ("List.of()", []), ("new ArrayList<>()", []),
        ('new ArrayList<String>(Arrays.asList("a"))', ["a"]), ("new ArrayList<>() {{ add(1); add(2); }}", [1, 2]),
        ('Map.of("a", 1, "b", 2)', {"a": 1, "b": 2}),
        ('new HashMap<String, List<Integer>>() {{ put("a", List.of(1)); }};', {"a": [1]}),
        ("new HashMap<>()", {}), ("(byte) 5", 5), ("Integer.valueOf(5)", 5), ('Long.parseLong("5")', 5), ('"a" + "b"', "ab"),
        ("new Hashtable<>() {{ put(\"a\", 1); }}", {"a": 1}), ('Map.ofEntries(Map.entry("a", 1))', {"a": 1}), ("0b101", 5),
        ("List.of(Color.RED, new Key(a, 5), x -> x + 1)", ["Color.RED", "new Key(a, 5)", "x -> x + 1"]), ("3f", 3.0),
        ("new java.util.HashSet<>(Set.of(1))", [1]), ('new String("x")', "x"),
    ],
)  # fmt: skip
def test_java(text: str, value: Any) -> None:
    assert read_literal(text, "java") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 'a', `b`]", [1, "a", "b"]), ("{a: {b: 1}, 'c d': [true, undefined,]}", {"a": {"b": 1}, "c d": [True, None]}),
        ("12n", 12), ("{}", {}), ("new Map([['a', 1]])", {"a": 1}), ("new Set([1, 2])", [1, 2]), ("new Array(1, 2)", [1, 2]),
        ("{1: 2}", {"1": 2}), ("{a, f: (x) => [x, 1], r: /ab+/g}", {"a": "a", "f": "(x) => [x, 1]", "r": "/ab+/g"}),
        ("Object.fromEntries([['a', 1]])", {"a": 1}), ("Array.from([1])", [1]), ("BigInt(12)", 12), ("0o17", 15),
    ],
)  # fmt: skip
def test_javascript(text: str, value: Any) -> None:
    assert read_literal(text, "javascript") == value


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "java"), ("Oslo", "java"), ("5 apples", "java"), ("[1, 2]", "java"), ("`a`", "java"), ("new int[]{1 2}", "java"),
        ("new Object()", "java"), ("new HashMap<>(5)", "java"), ("{a 1}", "javascript"), ("List.of(1)", "javascript"),
        ("[" * 50, "javascript"), ("[1", "javascript"), ("new Map([1])", "javascript"), ("1.2.3", "java"), ("#", "java"),
        ("1" * 30_000, "java"), ("5L", "javascript"), ("5n", "java"), ("new int[]{1}", "javascript"),
    ],
)  # fmt: skip
def test_what_is_no_literal(text: str, language: Language) -> None:
    with pytest.raises(LiteralError):
        read_literal(text, language)


@given(st.text("{}[]()<>,:;'\"`\\ newMapListof.0123LfTrue", max_size=60), st.sampled_from(["java", "javascript"]))
def test_any_text_is_a_value_or_refused(text: str, language: Language) -> None:
    with suppress(LiteralError):
        read_literal(text, language)
