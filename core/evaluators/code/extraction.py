"""Where the function stands in a response: the last Python block that defines it, else the bare text from its first line on."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)[ \t]*+([A-Za-z0-9_+.-]*+)[^\n`]*+$")
_TAGS = frozenset(["", "python", "python3", "py", "py3", "python-repl"])
_CODE_LINE = re.compile(
    r"(?:def|class|import|from|@|async def)\b|@|[A-Za-z_]\w*\s*(?::[^=]+)?=[^=]|#|if\b|for\b|try\b|\"\"\"|'''"
)
_MAIN = re.compile(r"if\s+__name__\s*==\s*['\"]__main__['\"]\s*:")


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """The lines between two fences."""

    tag: str
    text: str


def find_function(response: str, name: str) -> str | None:
    """The code that defines `name`, without its `__main__` part; None where the response defines no such function.

    Of several blocks the last one that defines it counts: a model that corrects itself corrects the last.
    """
    if name in _defined(response):
        return _without_main(response.strip("\n"))
    word = re.escape(name)
    defines = re.compile(
        rf"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{word}\b|^[ \t]*{word}[ \t]*=[ \t]*lambda\b", re.M
    )
    fenced = [block.text for block in blocks(response) if block.tag in _TAGS and defines.search(block.text)]
    if fenced:
        return _without_main(_dedented(fenced[-1]))
    if not defines.search(response):
        return None
    return _without_main(_bare(response))


def find_program(response: str, tags: Collection[str], entry: re.Pattern[str] | None = None) -> str | None:
    """The program of a response: the last block that is called one of `tags`; None where there is no code at all.

    Where several are, the last with `entry` (where a program begins) in it. Without such a block, the last that is called
    nothing; without any fence the text itself, prose around it left out where it is Python.
    """
    if "python" in tags and _defined(response):
        return response.strip("\n")
    fenced = blocks(response)
    called = [block.text for block in fenced if block.tag in tags]
    found = called or [block.text for block in fenced if not block.tag]
    begun = [text for text in found if entry is not None and entry.search(text)]
    if begun or found:
        return _dedented((begun or found)[-1])
    if fenced or not response.strip():
        return None
    return _bare(response) or None if "python" in tags else response


def find_rest(response: str, before: str) -> str | None:
    """`before` with the response behind it, where that goes on with the function that `before` begins; else None.

    As models answer that only continue a text: HumanEval's form, https://arxiv.org/abs/2107.03374.
    """
    found = [block.text for block in blocks(response) if block.tag in _TAGS]
    body = found[-1] if found else response
    if not before.strip() or not body.strip():
        return None
    if not body[:1].isspace():  # a body whose first line lost its margin, or the whole of it
        body = textwrap.indent(body, "    ") if not body.lstrip().startswith(("def ", "class ")) else body
    whole = f"{before.rstrip()}\n{body.strip(chr(10))}\n"
    try:
        ast.parse(whole)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return whole


def blocks(text: str) -> list[FencedBlock]:
    """Every fenced block; an unclosed one ends with the text."""
    found: list[FencedBlock] = []
    fence, tag, body = "", "", list[str]()
    for line in text.splitlines():
        if fence:
            bare = line.strip()
            if bare.startswith(fence) and not bare.strip(fence[0]):
                found.append(FencedBlock(tag, "\n".join(body)))
                fence = ""
            else:
                body.append(line)
        elif match := _FENCE.match(line):
            fence, tag, body = match[1], match[2].lower(), []
    if fence:
        found.append(FencedBlock(tag, "\n".join(body)))
    return found


def _defined(text: str) -> frozenset[str]:
    """What a text with fences defines that is Python as a whole: they stand in its strings. Empty for any other."""
    if "```" not in text:
        return frozenset()
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    named = [one.name for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    targets = [target for one in body if isinstance(one, ast.Assign) for target in one.targets]
    return frozenset([*named, *(one.id for one in targets if isinstance(one, ast.Name))])


def _bare(text: str) -> str:
    """The code of a response without fences: from its first line of code to its last, prose around it left out."""
    lines = [line for line in text.splitlines() if not _FENCE.match(line)]
    is_code = [bool(_CODE_LINE.match(line)) or line[:1] in (" ", "\t", ")", "]", "}") for line in lines]
    taken = [line for line, code in zip(lines, is_code, strict=True) if code or not line.strip()]
    return "\n".join(taken).strip("\n")


def _dedented(text: str) -> str:
    """A block inside a list item is indented as a whole."""
    lines = [line for line in text.splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines), default=0)
    return "\n".join(line[margin:] if line[:margin].isspace() or not margin else line for line in text.splitlines())


def _without_main(code: str) -> str:
    """The `if __name__ == "__main__":` part reads input and prints: no part of the function."""
    kept: list[str] = []
    inside = False
    for line in code.splitlines():
        if inside and (not line.strip() or line[:1] in (" ", "\t")):
            continue
        inside = bool(_MAIN.match(line))
        if not inside:
            kept.append(line)
    return "\n".join(kept)
