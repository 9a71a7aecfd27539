"""Values as Java and JavaScript write them, read as JSON values: what a model gives where a test asks in those languages.

Java: `5L`, `2.5f`, `'c'`, `new int[]{1, 2}`, `Arrays.asList(…)`, `List.of(…)`, `new ArrayList<>(…)`, `Map.of(…)`,
`new HashMap<>() {{ put("a", 1); }}`. JavaScript: `[1, 2]`, `{a: 1, "b": 'x'}`, `` `text` ``, `12n`, `new Map([["a", 1]])`,
`new Set([…])`, `undefined`.
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
    (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[lLfFdDn]?(?![\w.]))
    |(?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)
    |(?P<sign>[\[\](){},:;<>?])
    )""",
    re.VERBOSE,
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}
_LISTS = ("Arrays.asList", "List.of", "Set.of", "Stream.of")
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
    reader = _Reader(_tokens(text), language)
    value = reader.value(0)
    if reader.more:
        raise LiteralError("something stands behind the value")
    return value


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at, end = 0, len(text.rstrip().removesuffix(";"))
    while at < end:
        match = _TOKEN.match(text, at, end)
        if match is None or match.lastgroup is None:
            raise LiteralError(f"cannot read {text[at : at + 20]!r}")
        found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
        at += len(text[at:end]) - len(text[at:end].lstrip())
    return found


class _Reader:
    """Reads one value of a list of tokens by recursive descent, no deeper than thirty levels."""

    def __init__(self, tokens: list[tuple[str, str]], language: Language) -> None:
        self._tokens = tokens
        self._java = language == "java"
        self._at = 0

    @property
    def more(self) -> bool:
        return self._at < len(self._tokens)

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise LiteralError("nested too deeply")
        kind, text = self._next()
        if kind == "text":
            if text[0] == "`" and self._java:
                raise LiteralError("Java has no template texts")
            return _unescaped(text[1:-1])
        if kind == "number":
            return _number(text, "lLfFdD" if self._java else "n")
        if text in _WORDS:
            return _WORDS[text]
        if text == "new":
            return self._made(depth)
        if text in _LISTS and self._java:
            return self._items(")", depth, opened="(")
        if text == "Map.of" and self._java:
            flat = self._items(")", depth, opened="(")
            return {str(key): value for key, value in zip(flat[::2], flat[1::2], strict=False)}
        if text == "[" and not self._java:
            return self._items("]", depth)
        if text == "{":
            return self._items("}", depth) if self._java else self._object(depth)
        raise LiteralError(f"{text!r} begins no value")

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
        if name.endswith("Map"):
            if self._peek() == "{":
                flat = self._calls("put", depth)
                return {str(key): value for key, value in zip(flat[::2], flat[1::2], strict=False)}
            entries = inner[0] if inner else []
            if isinstance(entries, dict):
                return entries
            if not isinstance(entries, list) or not all(isinstance(one, list) and len(one) == 2 for one in entries):
                raise LiteralError("a map is made of pairs")
            return {str(key): value for key, value in entries}
        if name.endswith(("List", "Set", "Vector", "Deque", "Queue", "Array")):
            if self._peek() == "{":
                return self._calls("add", depth)
            return inner[0] if len(inner) == 1 and isinstance(inner[0], list) else inner
        if len(inner) == 1:
            return inner[0]
        raise LiteralError(f"{name} is no value that is known")

    def _calls(self, method: str, depth: int) -> list[Any]:
        """The arguments of `{{ put("a", 1); put("b", 2); }}`, one after the other."""
        self._expect("{")
        self._expect("{")
        found: list[Any] = []
        while self._peek() != "}":
            self._expect(method)
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
            self._expect(":")
            found[_unescaped(key[1:-1]) if kind == "text" else key] = self.value(depth + 1)
            if self._peek() == ",":
                self._at += 1
        self._expect("}")
        return found

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self.more else ""

    def _next(self) -> tuple[str, str]:
        if not self.more:
            raise LiteralError("the value ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _expect(self, text: str) -> None:
        if self._next()[1] != text:
            raise LiteralError(f"{text!r} is missing")


def _number(text: str, suffixes: str) -> int | float:
    plain = text.replace("_", "")
    if re.fullmatch(r"[+-]?0[xX][0-9a-fA-F]+[lLn]?", plain):
        return int(plain.rstrip("lLn"), 16)
    if plain[-1].isalpha() and plain[-1] not in suffixes:
        raise LiteralError(f"{text!r} is no number here")
    plain = plain.rstrip(suffixes)
    try:
        return int(plain)
    except ValueError:
        return float(plain)


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if code[0] == "u" and len(code) == 5 else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", one, text, flags=re.DOTALL)
