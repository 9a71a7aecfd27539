from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modex.core.evaluators.tool_call.literals import Language, LiteralError, is_plain, quoted_text, read_literal
from tests.core.answers.tables import differing
from tests.rows import each_row


@each_row(
    ("text", "value"),
    [
        ("5", 5), ("5L", 5), ("-5", -5), ("1_000", 1000), ("0x1F", 31), ("2.5f", 2.5), ("3d", 3), ("1e3", 1000.0),
        ("true", True), ("null", None), ('"a\\"b"', 'a"b'), ("'c'", "c"), ('"\\u0041"', "A"),
        ("new int[]{1, 2}", [1, 2]), ("new int[][]{{1, 2}, {3}}", [[1, 2], [3]]), ("{1, 2}", [1, 2]),
        ('Arrays.asList("a", "b")', ["a", "b"]), ("List.of()", []), ("new ArrayList<>()", []),
        ('new ArrayList<String>(Arrays.asList("a"))', ["a"]), ("new ArrayList<>() {{ add(1); add(2); }}", [1, 2]),
        ('Map.of("a", 1, "b", 2)', {"a": 1, "b": 2}),
        ('new HashMap<String, List<Integer>>() {{ put("a", List.of(1)); }};', {"a": [1]}),
        ("new HashMap<>()", {}), ("(byte) 5", 5), ("-(int) 5", -5),
        ("Integer.valueOf(5)", 5), ('Long.parseLong("5")', 5), ('"a" + "b"', "ab"),
        ("new Hashtable<>() {{ put(\"a\", 1); }}", {"a": 1}), ('Map.ofEntries(Map.entry("a", 1))', {"a": 1}), ("0b101", 5),
        ("List.of(Color.RED, new Key(a, 5), x -> x + 1)", ["Color.RED", "new Key(a, 5)", "x -> x + 1"]), ("3f", 3.0),
        ("new java.util.HashSet<>(Set.of(1))", [1]), ('new String("x")', "x"),
    ],
)  # fmt: skip
def test_java(text: str, value: Any) -> None:
    assert read_literal(text, "java") == value


@each_row(
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


@each_row(
    ("text", "language"),
    [
        ("", "java"), ("Oslo", "java"), ("5 apples", "java"), ("[1, 2]", "java"), ("`a`", "java"), ("new int[]{1 2}", "java"),
        ("new Object()", "java"), ("new HashMap<>(5)", "java"), ("{a 1}", "javascript"), ("List.of(1)", "javascript"),
        ("[" * 50, "javascript"), ("[1", "javascript"), ("new Map([1])", "javascript"), ("1.2.3", "java"), ("#", "java"),
        ("1" * 30_000, "java"), ("5L", "javascript"), ("5n", "java"), ("new int[]{1}", "javascript"),
        ("* int) 5", "java"), ("{a:" * 3000, "javascript"), ("[" * 10_000, "javascript"), ("{" * 10_000, "java"),
        ("List.of(" * 2000, "java"),
    ],
)  # fmt: skip
def test_what_is_no_literal(text: str, language: Language) -> None:
    with pytest.raises(LiteralError):
        read_literal(text, language)


@given(st.text("{}[]()<>,:;'\"`\\ newMapListof.0123LfTrue", max_size=60), st.sampled_from(["java", "javascript"]))
def test_any_text_is_a_value_or_refused(text: str, language: Language) -> None:
    with suppress(LiteralError):
        read_literal(text, language)


@each_row(
    ("text", "value"),
    [
        ("2.5D", 2.5),
        ("5F", 5.0),
        ("5d", 5.0),
        ("7l", 7),
        ("+5", 5),
        ("- 5", -5),
        ("5.", 5.0),
        (".5", 0.5),
        ("0xFFL", 255),
        ("-0x10", -16),
        ("0B11", 3),
        ("1.5e-3", 0.0015),
        ("5;", 5),
        ("5 ; ", 5),
        ('"a" + 1', "a1"),
        ('"a" + "b" + "c"', "abc"),
        ('"\\q\\n"', "q\n"),
        ('"""\nab"""', "ab"),
        ('"""ab"""', "ab"),
        ("undefined", None),
        ("{}", []),
        ("{{1}, {}}", [[1], []]),
        ('Integer.valueOf("5")', 5),
        ('Double.parseDouble(" 2.5 ")', 2.5),
        ('String.valueOf("5")', "5"),
        ("Optional.of(3)", 3),
        ('Float.valueOf("5f")', 5.0),
        ("Character.valueOf('c')", "c"),
        ('Boolean.parseBoolean("true")', "true"),
        ('new Integer("5")', 5),
        ("new Integer(5)", 5),
        ('new String("5")', "5"),
        ("new Boolean(true)", True),
        ('new Integer("")', ""),
        ("java.util.List.of(1)", [1]),
        ("Collections.<String>emptyList()", []),
        ("Collections.emptyMap()", {}),
        ('Collections.singletonMap("k", 2)', {"k": 2}),
        ('Map.of("a")', {}),
        ("Stream.of()", []),
        ('Map.entry("a", 1)', ["a", 1]),
        ("new ArrayList<>(5)", [5]),
        ("new ArrayList<>(List.of(1, 2))", [1, 2]),
        ("new Vector<>() {{ add(1) }}", [1]),
        ("new Stack<>() {{ push(1); push(2); }}", [1, 2]),
        ('new Properties() {{ setProperty("a", "b"); }}', {"a": "b"}),
        ('new TreeMap<>(Map.of("a", 1))', {"a": 1}),
        ('new HashMap<>(List.of(List.of("a", 1)))', {"a": 1}),
        ("new HashMap<String, List<Integer>>()", {}),
        ('(String) "x"', "x"),
        ("(int) 5", 5),
        ("new java.lang.Integer(5)", 5),
        ('new java.lang.String("x")', "x"),
        ("List.of((byte) 1, -2)", [1, -2]),
        ("List.of(foo, bar(1, 2), -x, a[0], (2))", ["foo", "bar(1, 2)", "-x", "a[0]", "(2)"]),
    ],
)
def test_more_of_java(text: str, value: Any) -> None:
    found = read_literal(text, "java")
    assert (found, type(found)) == (value, type(value))


@each_row(
    ("text", "value"),
    [
        ("[1,]", [1]),
        ("[[1, 2], [3]]", [[1, 2], [3]]),
        ("[-1, -x, +5]", [-1, "-x", 5]),
        ("`a\\`b`", "a`b"),
        ("{a}", {"a": "a"}),
        ("{a: 1,}", {"a": 1}),
        ("{'a\\n': 1}", {"a\n": 1}),
        ("{a: {b: {c: 1}}}", {"a": {"b": {"c": 1}}}),
        ('"a" + "b" + 1', "ab1"),
        ('BigInt("12")', 12),
        ('Number("1.5")', 1.5),
        ('String("5")', "5"),
        ("Array.of(1, 2)", [1, 2]),
        ("Object.fromEntries([])", {}),
        ("Object.freeze({a: [1]})", {"a": [1]}),
        ("new Map()", {}),
        ("new Array([1])", [1]),
        ("new Object()", {}),
        ("new Object({a: 1})", {"a": 1}),
        ('new Number("5")', 5),
        ("new Set()", []),
        ("[f(1, {a: 1}), [y]]", ["f(1, {a: 1})", ["y"]]),
        ("{f: function(a, b) { return a; }, g: 1}", {"f": "function(a, b) { return a; }", "g": 1}),
        ('["a" + b]', ['"a" + b']),
        ("0xfn", 15),
        ("[1_0]", [10]),
        ("[5L]", ["5L"]),
        ("{a: 5L, b: 1}", {"a": "5L", "b": 1}),
        ("[a.b.c, a b]", ["a.b.c", "a b"]),
    ],
)
def test_more_of_javascript(text: str, value: Any) -> None:
    found = read_literal(text, "javascript")
    assert (found, type(found)) == (value, type(value))


@each_row(
    ("text", "language"),
    [
        ("Optional.of(1, 2)", "java"),
        ("Integer.valueOf()", "java"),
        ('Integer.valueOf("")', "java"),
        ("foo(1)", "java"),
        ("new Foo(1)", "java"),
        ("new Integer(1, 2)", "java"),
        ("new ArrayList<>() {{ put(1); }}", "java"),
        ('new HashMap<>() {{ put("a", 1); }', "java"),
        ('new HashMap<>() { put("a", 1); }}', "java"),
        ("List.of(1,,2)", "java"),
        ("List.of(1 2)", "java"),
        ('List.of("a" "b")', "java"),
        ("List.of(f(1)", "java"),
        ("(foo) 5", "java"),
        ("(int 5)", "java"),
        ("5 6", "java"),
        ("5lL", "java"),
        ("-true", "java"),
        ('-"a"', "java"),
        ("-", "java"),
        ("1 + 2", "java"),
        ('"a', "java"),
        ("new HashMap<String", "java"),
        ('"""x"""', "javascript"),
        ("(int) 5", "javascript"),
        ("[1,,2]", "javascript"),
        ("[1 2]", "javascript"),
        ("{[a]: 1}", "javascript"),
        ("{a: 1", "javascript"),
        ('{"a": 1; "b": 2}', "javascript"),
        ("new Map([[1, 2, 3]])", "javascript"),
        ('Number("x")', "javascript"),
        ("Map.of('a', 1)", "javascript"),
        ("{1, 2}", "javascript"),
        ("[)", "javascript"),
        ("[(]", "javascript"),
        ("List.of", "java"),
        ("Array.of(1)", "java"),
        ("BigInt(1)", "java"),
    ],
)
def test_more_that_is_no_literal(text: str, language: Language) -> None:
    with pytest.raises(LiteralError):
        read_literal(text, language)


def test_what_is_too_deep_is_its_text_and_what_is_too_long_is_refused() -> None:
    for levels, innermost in ((31, []), (32, "[[]]"), (33, "[[[]]]")):
        value, depth = read_literal("[" * levels + "]" * levels, "javascript"), 0
        while isinstance(value, list) and value:
            value, depth = value[0], depth + 1
        assert (depth, value) == (30, innermost)
    assert read_literal(" " * 19_999 + "5", "java") == 5
    with pytest.raises(LiteralError, match="too long"):
        read_literal(" " * 20_000 + "5", "java")


@each_row(
    ("text", "plain", "inner"),
    [
        ("5", True, None),
        (" -5.5 ", True, None),
        ("Oslo", True, None),
        ("a.b$", True, None),
        ("5L", False, None),
        ("", False, None),
        ('"a"', False, "a"),
        ("'a';", False, "a"),
        ("`a` ", False, "a"),
        ("\"a'", False, None),
        ('"a\\n"', False, "a\\n"),
        ("a b", False, None),
    ],
)
def test_a_plain_word_shows_no_language_and_quotes_are_taken_off(text: str, plain: bool, inner: str | None) -> None:
    assert is_plain(text) is plain
    assert quoted_text(text) == inner


_READ = r"""
java|5 => 5
java|-5 => -5
java|- 5 => -5
java|-true => none: '-' begins no value
java|5L => 5
java|5n => none: '5n' is no number here
java|0x1F => 31
java|0x1FL => 31
java|0b11 => 3
java|0o17 => 15
java|0b12 => none: '0' begins no value
java|1_000 => 1000
java|1.5f => 1.5
java|1.5 => 1.5
java|.5 => 0.5
java|5. => 5.0
java|5d => 5.0
java|1e3 => 1000.0
java|1e => none: '1' begins no value
java|5x => none: '5' begins no value
java|true => true
java|null => null
java|"a" => "a"
java|'a' => "a"
java|`a` => none: Java has no template texts
java|"a" + "b" => "ab"
java|"a" + 1 => "a1"
java|1 + "a" => none: something stands behind the value
java|"a" + => none: the value ends too early
java|{1, 2} => [1, 2]
java|{1 2} => none: a comma is missing
java|{1,} => [1]
java|{} => []
java|{1 => none: a comma is missing
java|[1] => none: '[' begins no value
java|new int[]{1, 2} => [1, 2]
java|new int[2] => none: '{' is missing
java|new int[][]{{1}, {2}} => [[1], [2]]
java|List.of(1, 2) => [1, 2]
java|java.util.List.of(1) => [1]
java|Arrays.asList() => []
java|Foo.of(1) => none: Foo.of is no function that is known
java|Map.of("a", 1) => {"a": 1}
java|Map.ofEntries(Map.entry("a", 1)) => {"a": 1}
java|Map.ofEntries(1) => none: a map is made of pairs
java|Map.entry("a", 1) => ["a", 1]
java|Collections.emptyMap() => {}
java|Integer.valueOf(5) => 5
java|Integer.valueOf("5") => 5
java|Integer.valueOf(" 5 ") => 5
java|Integer.valueOf("") => none: '?' is no number
java|Integer.valueOf() => none: Integer.valueOf takes one value
java|Integer.valueOf(1, 2) => none: Integer.valueOf takes one value
java|String.valueOf("5") => "5"
java|(byte) 5 => 5
java|(foo) 5 => none: '(' begins no value
java|new Integer(5) => 5
java|new Integer("5") => 5
java|new String("5") => "5"
java|new Foo(5) => none: Foo is no value that is known
java|new Integer(1, 2) => none: Integer is no value that is known
java|new ArrayList<>() => []
java|new ArrayList<String>(List.of("a")) => ["a"]
java|new ArrayList<Map<String, Integer>>() => []
java|new ArrayList<>() {{ add(1); add(2) }} => [1, 2]
java|new ArrayList<>() {{ put(1); }} => none: 'add' is missing
java|new HashMap<>() {{ put("a", 1); put("b", 2); }} => {"a": 1, "b": 2}
java|new HashMap<>(Map.of("a", 1)) => {"a": 1}
java|new HashMap<>(5) => none: a map is made of pairs
java|new java.util.HashSet<>(List.of(1)) => [1]
java|new Object() => none: Object is no value that is known
java|List.of(a.b, x -> y) => ["a.b", "x -> y"]
java|List.of(f(1, 2), 3) => ["f(1, 2)", 3]
java|List.of((1) => none: a comma is missing
java|5 6 => none: something stands behind the value
java|5 => 5
java|;x => none: ';' begins no value
javascript|5 => 5
javascript|5n => 5
javascript|5L => none: '5L' is no number here
javascript|-5 => -5
javascript|[1, 2] => [1, 2]
javascript|[1, 2,] => [1, 2]
javascript|[1 2] => none: a comma is missing
javascript|[1, => none: a value is missing
javascript|{a: 1} => {"a": 1}
javascript|{"a": 1, b: 2} => {"a": 1, "b": 2}
javascript|{a} => {"a": "a"}
javascript|{a, b: 1} => {"a": "a", "b": 1}
javascript|{a: 1,} => {"a": 1}
javascript|{a 1} => none: ':' is missing
javascript|{[a]: 1} => none: a key is a name or a text
javascript|{1: 2} => {"1": 2}
javascript|{1} => none: ':' is missing
javascript|{} => {}
javascript|{a: {b: [1]}} => {"a": {"b": [1]}}
javascript|'a' => "a"
javascript|`a` => "a"
javascript|"a" + 'b' => "ab"
javascript|undefined => null
javascript|NaN => none: 'NaN' begins no value
javascript|true => true
javascript|new Map([["a", 1]]) => {"a": 1}
javascript|new Map() => {}
javascript|new Map([1]) => none: a map is made of pairs
javascript|new Set([1, 2]) => [1, 2]
javascript|new Set() => []
javascript|new Array(1, 2) => [1, 2]
javascript|new Object() => {}
javascript|new Object({a: 1}) => {"a": 1}
javascript|new Date() => none: Date is no value that is known
javascript|Array.of(1, 2) => [1, 2]
javascript|Array.from([1]) => [1]
javascript|Object.fromEntries([["a", 1]]) => {"a": 1}
javascript|Object.fromEntries() => {}
javascript|Object.freeze([1]) => [1]
javascript|Number("5") => 5
javascript|Number("x") => none: 'x' is no number here
javascript|String("5") => "5"
javascript|BigInt("5") => 5
javascript|parseInt("5") => 5
javascript|parseInt("5", 10) => none: parseInt takes one value
javascript|List.of(1) => none: List.of is no function that is known
javascript|{r: /a,b/g} => none: ':' is missing
javascript|[f(1, [2, 3]), 4] => ["f(1, [2, 3])", 4]
javascript|[1 "a"] => none: a comma is missing
javascript|x => none: 'x' begins no value
javascript|[[[[[1]]]]] => [[[[[1]]]]]
javascript|0x1F => 31
javascript|0o17 => 15
javascript|1_0 => 10
"""
"""A language and a text: the value as JSON, or why it is none."""
_PLAIN = r"""
5 => True
-5 => True
1.5 => True
abc => True
a.b => True
"a" => False
[1] => False
a b => False
$x => True
 5  => True
+a => True
 => False
"""
_QUOTED = r"""
"a" => a
'a' => a
`a` => a
"a' => None
"a"; => a
"a" b => None
"a"b" => a"b
a => None
"" =>
"""


def literal(line: str) -> str:
    language, text = line.split("|", 1)
    try:
        return json.dumps(read_literal(text, "java" if language == "java" else "javascript"))
    except LiteralError as problem:
        return f"none: {problem}"


def test_a_literal_has_the_value_that_its_language_gives_it() -> None:
    assert differing(_READ, literal) == []
    assert differing(_PLAIN, lambda text: str(is_plain(text))) == []
    assert differing(_QUOTED, lambda text: str(quoted_text(text))) == []
