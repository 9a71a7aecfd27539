"""Colours for what is written in a transcript: code, SQL, JSON, and the marks of Markdown, as spans over the text.

JSON and Markdown are read by expressions of our own; other languages by pygments, imported when one is met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from modex.tui.widgets.transcript_text import Block, Span

MOST, _MOST_LEXED = 30_000, 12_000
"""Characters, of all text and of what pygments reads; longer ones keep one colour: reading takes too long."""
_LANGUAGES = {
    "py": "python", "python": "python", "python3": "python", "sql": "sql", "sqlite": "sql", "postgresql": "sql",
    "mysql": "sql", "bash": "bash", "sh": "bash", "shell": "bash", "js": "javascript", "javascript": "javascript",
    "ts": "typescript", "typescript": "typescript", "java": "java", "c": "c", "cpp": "cpp", "c++": "cpp", "go": "go",
    "rust": "rust", "yaml": "yaml", "toml": "toml", "html": "html", "xml": "xml", "css": "css", "diff": "diff",
}  # fmt: skip
"""What is read by pygments, by the names that models give it; any other language keeps one colour."""
_JSON = re.compile(
    r'(?P<string>"(?:\\.|[^"\\\n])*")(?P<key>\s*:)?|(?P<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)'
    r"|\b(?P<word>true|false|null|True|False|None)\b"
)
_CALL = re.compile(r"\s*([\w.-]+)\(")
_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_MARKS = re.compile(
    r"^(?P<title>#{1,6} [^\n]+)$|(?P<code>`[^`\n]+`)|(?P<bold>\*\*[^*\n]+\*\*)|^[^\S\n]*+(?P<bullet>[-*+]|\d{1,3}[.)]) ",
    re.MULTILINE,
)
_SQL = re.compile(
    r"\s*(?:select|with|insert|update|delete|create)\b.*\b(?:from|as|into|set|table)\b", re.IGNORECASE | re.DOTALL
)
_PYTHON = re.compile(r"\s*(?:from \S+ import |import \w|def \w+\(|class \w+[:(]|@\w+)")
_ROLES = {
    "Keyword": "code word",
    "Operator.Word": "code word",
    "Name.Function": "code name",
    "Name.Class": "code name",
    "Name.Decorator": "code name",
    "Name.Tag": "code name",
    "Name.Attribute": "code name",
    "Literal.String": "code value",
    "Literal.Number": "code value",
    "Comment": "code note",
}
"""By the beginning of a pygments token's name."""


def coloured(item: Block, language: str = "") -> Block:
    """`item` with the colours of what it holds: of `language`, else of the JSON, SQL, Python or Markdown it looks like."""
    text = item.text
    if not text.strip() or len(text) > MOST:
        return item
    found = tuple(_spans(text, language or _guessed(text)))
    return replace(item, colours=found) if found else item


def _guessed(text: str) -> str:
    if text[:1] in "{[" and text.rstrip()[-1:] in "}]":
        return "json"
    if _SQL.match(text):
        return "sql"
    return "python" if _PYTHON.match(text) else "markdown"


def _spans(text: str, language: str) -> Iterator[Span]:
    if language == "markdown":
        yield from _markdown(text)
    elif language in ("json", "call"):
        if language == "call" and (name := _CALL.match(text)):
            yield (*name.span(1), "code name")
        yield from _json(text)
    else:
        yield from _lexed(text, language)


def _json(text: str) -> Iterator[Span]:
    for match in _JSON.finditer(text):
        if match["string"]:
            yield (*match.span("string"), "code name" if match["key"] else "code value")
        else:
            yield (*match.span(), "code word" if match["word"] else "code value")


def _markdown(text: str) -> Iterator[Span]:
    """What stands between fences by its language, all else by Markdown's marks."""
    at = 0
    for fence in _FENCE.finditer(text):
        yield from _marks(text, at, fence.start())
        start, end = fence.span(3)
        yield fence.start(), start, "faint"
        body = text[start:end]
        language = fence[2].lower() or _guessed(body)
        if language not in ("markdown", "md", "text", "txt"):
            yield from ((start + a, start + b, role) for a, b, role in _spans(body, language))
        yield end, fence.end(), "faint"
        at = fence.end()
    yield from _marks(text, at, len(text))


def _marks(text: str, start: int, end: int) -> Iterator[Span]:
    roles = {"title": "title", "code": "code value", "bold": "title", "bullet": "muted"}
    for match in _MARKS.finditer(text, start, end):
        kind = str(match.lastgroup)
        yield (*match.span(kind), roles[kind])


def _lexed(text: str, language: str) -> Iterator[Span]:
    if language not in _LANGUAGES or len(text) > _MOST_LEXED:
        return
    from pygments.lexers import get_lexer_by_name

    lexer = get_lexer_by_name(_LANGUAGES[language], stripnl=False, ensurenl=False)
    at = 0
    for kind, piece in lexer.get_tokens(text):
        role = _role(str(kind).removeprefix("Token."))
        if role and piece.strip():
            yield at, at + len(piece), role
        at += len(piece)


def _role(kind: str) -> str:
    return next((role for begins, role in _ROLES.items() if kind.startswith(begins)), "")
