"""Values as Java and JavaScript write them, read as JSON values: what a model gives where a test asks in those languages.

Java: `5L`, `2.5f`, `'c'`, `(byte) 5`, `Integer.valueOf(5)`, `new int[]{1, 2}`, `List.of(…)`, `new ArrayList<>(…)`,
`Map.of(…)`, `new HashMap<>() {{ put("a", 1); }}`. JavaScript: `[1, 2]`, `{a: 1, "b": 'x', c}`, `` `text` ``, `12n`, `BigInt(12)`,
`new Map([["a", 1]])`, `new Set([…])`, `undefined`. Within a collection what is no value (a name, a call, a function) is the
text that it is written as, as BFCL takes it; by itself it is no literal.
"""

from __future__ import annotations

import re
from typing import Any, Literal

Language = Literal["java", "javascript"]
LANGUAGES: tuple[Language, ...] = ("java", "javascript")
_LONGEST = 20_000
_DEEPEST = 30
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<text>\"{3}.*?\"{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0o[0-7]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[lLfFdDn]?(?![\w.]))
    |(?P<name>[A-Za-z_$][\w$]*(?:\.(?:<[\w<>, ?]*>\s?)?[A-Za-z_$][\w$]*)*)
    |(?P<sign>\S)
    )""",
    re.VERBOSE | re.DOTALL,
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}
_JAVA_LISTS = frozenset(
    [
        *("Arrays.asList", "List.of", "Set.of", "Stream.of", "IntStream.of", "Collections.singletonList"),
        *(
            "Collections.emptyList",
            "Collections.singleton",
            "Collections.emptySet",
            "ImmutableList.of",
            "ImmutableSet.of",
        ),
        *("Lists.newArrayList", "Sets.newHashSet", "EnumSet.of"),
    ]
)
_JAVA_WRAPPERS = frozenset(
    [
        *(
            f"{name}.valueOf"
            for name in ("Integer", "Long", "Short", "Byte", "Float", "Double", "Boolean", "Character")
        ),
        *("String.valueOf", "Integer.parseInt", "Long.parseLong", "Double.parseDouble", "Float.parseFloat"),
        *(
            "Boolean.parseBoolean",
            "BigInteger.valueOf",
            "BigDecimal.valueOf",
            "Optional.of",
            "List.copyOf",
            "Set.copyOf",
        ),
        *("Map.copyOf", "Collections.unmodifiableList", "Collections.unmodifiableMap", "Collections.unmodifiableSet"),
    ]
)
_SCRIPT_WRAPPERS = frozenset(
    ["BigInt", "Number", "String", "Boolean", "Array.from", "Object.freeze", "parseInt", "parseFloat", "Object.seal"]
)
_CASTS = frozenset(["byte", "short", "int", "long", "float", "double", "char", "boolean", "String", "Object"])
_NUMERIC = ("Integer", "Long", "Short", "Byte", "Float", "Double", "Number", "BigInt", "parse", "BigDecimal")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}


class LiteralError(ValueError):
    """The text is no literal of the language."""


def read_literal(text: str, language: Language) -> Any:
    """The value that `text` writes in `language`.

    Raises:
        LiteralError: it is none.
    """
    if len(text) > _LONGEST:
        raise LiteralError("too long")
    reader = _Reader(text, _tokens(text), language)
    value = reader.value(0)
    if reader.more:
        raise LiteralError("something stands behind the value")
    return value


def is_plain(text: str) -> bool:
    """Whether a text is a bare number, truth value or word, in which no language shows."""
    return re.fullmatch(r"\s*[+-]?(?:[\d.]+|[A-Za-z_$][\w$.]*)\s*", text) is not None


def quoted_text(text: str) -> str | None:
    """What stands between the quotes of a text in quotes, with its escapes as they are."""
    match = re.fullmatch(r"""\s*(["'`])(.*)\1;?\s*""", text, re.DOTALL)
    return match[2] if match else None


_Token = tuple[str, str, int, int]
"""A token's kind, its text, and where it begins and ends."""


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    end = len(text.rstrip().removesuffix(";").rstrip())
    at = 0
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None or match.lastgroup is None:
            break
        found.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup), match.end()))
        at = match.end()
    return found


class _Reader:
    """Reads one value of a list of tokens by recursive descent, no deeper than thirty levels."""

    def __init__(self, source: str, tokens: list[_Token], language: Language) -> None:
        self._source = source
        self._tokens = tokens
        self._java = language == "java"
        self._at = 0

    @property
    def more(self) -> bool:
        return self._at < len(self._tokens)

    def value(self, depth: int) -> Any:
        """One value; within a collection an expression that is none is its text."""
        if depth > _DEEPEST:
            raise LiteralError("nested too deeply")
        start = self._at
        try:
            found = self._joined(depth)
            if depth == 0 or self._peek() in ("", ",", ")", "]", "}", ";"):
                return found
        except LiteralError:
            if depth == 0:
                raise
        self._at = start
        return self._expression()

    def _joined(self, depth: int) -> Any:
        """A value, or texts put together with `+`."""
        found = self._one(depth)
        while self._peek() == "+" and isinstance(found, str):
            self._at += 1
            found += str(self._one(depth))
        return found

    def _one(self, depth: int) -> Any:
        kind, text = self._next()
        if kind == "text":
            return self._text(text)
        if kind == "number":
            return _number(text, "lLfFdD" if self._java else "n")
        if text in _WORDS:
            return _WORDS[text]
        if text == "new":
            return self._made(depth)
        if text == "[" and not self._java:
            return self._items("]", depth)
        if text == "{":
            return self._items("}", depth) if self._java else self._object(depth)
        if kind == "name" and self._peek() == "(":
            return self._called(re.sub(r"\.<[^.]*>\s?", ".", text), depth)
        if text == "(" and self._java and self._peek() in _CASTS:
            self._at += 1
            self._expect(")")
            return self._one(depth)
        if text == "-" and self.more:
            found = self._one(depth)
            if isinstance(found, int | float) and not isinstance(found, bool):
                return -found
        raise LiteralError(f"{text!r} begins no value")

    def _text(self, text: str) -> str:
        if text[0] == "`" and self._java:
            raise LiteralError("Java has no template texts")
        if text.startswith('"""'):
            if not self._java:
                raise LiteralError("JavaScript has no text blocks")
            return _unescaped(text[3:-3].removeprefix("\n"))
        return _unescaped(text[1:-1])

    def _called(self, name: str, depth: int) -> Any:
        """What a known function makes of its arguments."""
        bare = name.removeprefix("java.util.")
        known = _JAVA_LISTS | _JAVA_WRAPPERS if self._java else _SCRIPT_WRAPPERS
        maps = ("Map.of", "Map.ofEntries", "ImmutableMap.of", "Collections.singletonMap", "Collections.emptyMap")
        if bare not in known and not (
            bare in (*maps, "Map.entry") if self._java else bare in ("Array.of", "Object.fromEntries")
        ):
            raise LiteralError(f"{name} is no function that is known")
        found = self._items(")", depth, opened="(")
        if not self._java and bare == "Object.fromEntries":
            return _pairs(found[0] if found else [])
        if bare in _JAVA_LISTS or bare in ("Array.of", "Map.entry"):
            return found
        if bare == "Map.ofEntries":
            return _pairs(found)
        if bare in maps:
            return {str(key): value for key, value in zip(found[::2], found[1::2], strict=False)}
        if len(found) != 1:
            raise LiteralError(f"{name} takes one value")
        if isinstance(found[0], str) and bare.startswith(_NUMERIC):
            return _number(found[0].strip() or "?", "lLfFdD")
        return found[0]

    def _expression(self) -> str:
        """The source of an expression up to the comma or bracket that ends it."""
        start, closing = self._at, [""]
        while self.more:
            text = self._peek()
            if len(closing) == 1 and text in (",", ")", "]", "}", ";"):
                break
            if text in _CLOSING:
                closing.append(_CLOSING[text])
            elif text == closing[-1]:
                closing.pop()
            self._at += 1
        if start == self._at:
            raise LiteralError("a value is missing")
        first, last = self._tokens[start], self._tokens[self._at - 1]
        if self._at - start > 1 and all(kind in ("number", "text") for kind, *_ in self._tokens[start : self._at]):
            raise LiteralError("a comma is missing")
        return self._source[first[2] : last[3]]

    def _made(self, depth: int) -> Any:
        """What stands behind `new`: an array, a collection, a map."""
        _, name = self._next()
        name = name.rsplit(".", 1)[-1]
        self._skip_type()
        if self._java and self._peek() == "[":
            while self._peek() in ("[", "]"):
                self._at += 1
            return self._items("}", depth, opened="{")
        inner = self._items(")", depth, opened="(") if self._peek() == "(" else []
        if name.endswith(("Map", "Hashtable", "Properties")):
            if self._peek() == "{":
                flat = self._calls(("put", "setProperty"), depth)
                return {str(key): value for key, value in zip(flat[::2], flat[1::2], strict=False)}
            entries = inner[0] if inner else []
            return entries if isinstance(entries, dict) else _pairs(entries)
        if name.endswith(("List", "Set", "Vector", "Deque", "Queue", "Array", "Stack")):
            if self._peek() == "{":
                return self._calls(("add", "push", "offer", "addLast"), depth)
            return inner[0] if len(inner) == 1 and isinstance(inner[0], list) else inner
        if name == "Object" and not self._java:
            return inner[0] if inner else {}
        if len(inner) == 1 and name in _BOXES:
            boxed = inner[0]
            return _number(boxed, "lLfFdD") if name in _NUMBER_BOXES and isinstance(boxed, str) and boxed else boxed
        raise LiteralError(f"{name} is no value that is known")

    def _calls(self, methods: tuple[str, ...], depth: int) -> list[Any]:
        """The arguments of `{{ put("a", 1); put("b", 2); }}`, one after the other."""
        self._expect("{")
        self._expect("{")
        found: list[Any] = []
        while self._peek() != "}":
            if self._next()[1] not in methods:
                raise LiteralError(f"{methods[0]!r} is missing")
            found += self._items(")", depth, opened="(")
            if self._peek() == ";":
                self._at += 1
        self._expect("}")
        self._expect("}")
        return found

    def _skip_type(self) -> None:
        """Past `<String, Integer>`."""
        if self._peek() != "<":
            return
        open_ = 0
        while True:
            _, text = self._next()
            open_ += {"<": 1, ">": -1}.get(text, 0)
            if open_ == 0:
                return

    def _items(self, end: str, depth: int, opened: str | None = None) -> list[Any]:
        if opened:
            self._expect(opened)
        found: list[Any] = []
        while self._peek() != end:
            found.append(self.value(depth + 1))
            if self._peek() == ",":
                self._at += 1
            elif self._peek() != end:
                raise LiteralError("a comma is missing")
        self._expect(end)
        return found

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._peek() != "}":
            kind, key = self._next()
            if kind not in ("text", "name", "number"):
                raise LiteralError("a key is a name or a text")
            if kind == "name" and self._peek() in (",", "}"):
                found[key] = key
            else:
                self._expect(":")
                found[_unescaped(key[1:-1]) if kind == "text" else key] = self.value(depth + 1)
            if self._peek() == ",":
                self._at += 1
            elif self._peek() != "}":
                raise LiteralError("a comma is missing")
        self._expect("}")
        return found

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self.more else ""

    def _next(self) -> tuple[str, str]:
        if not self.more:
            raise LiteralError("the value ends too early")
        self._at += 1
        return self._tokens[self._at - 1][:2]

    def _expect(self, text: str) -> None:
        if self._next()[1] != text:
            raise LiteralError(f"{text!r} is missing")


_NUMBER_BOXES = frozenset(["Integer", "Long", "Short", "Byte", "Float", "Double", "BigInteger", "BigDecimal", "Number"])
_BOXES = _NUMBER_BOXES | frozenset(["String", "Boolean", "Character"])


def _pairs(entries: Any) -> dict[str, Any]:
    if not isinstance(entries, list) or not all(isinstance(one, list) and len(one) == 2 for one in entries):
        raise LiteralError("a map is made of pairs")
    return {str(key): value for key, value in entries}


def _number(text: str, suffixes: str) -> int | float:
    plain = text.replace("_", "")
    for base, prefix in ((16, "0[xX][0-9a-fA-F]+"), (2, "0[bB][01]+"), (8, "0o[0-7]+")):
        if re.fullmatch(rf"[+-]?{prefix}[lLn]?", plain):
            return int(plain.rstrip("lLn"), base)
    if plain[-1:].isalpha() and plain[-1] not in suffixes:
        raise LiteralError(f"{text!r} is no number here")
    plain = plain.rstrip(suffixes)
    if re.fullmatch(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", plain) is None:
        raise LiteralError(f"{text!r} is no number")
    if text[-1] in "fFdD" and "." not in plain:
        return float(plain)
    try:
        return int(plain)
    except ValueError:
        return float(plain)


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", one, text, flags=re.DOTALL)
