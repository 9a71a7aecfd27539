"""Expressions that know how they may be written and what they are worth, independent of the product's own grammar."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

Point = dict[str, float]


@dataclass(frozen=True)
class Expression:
    """`kind` is an operation (`+ * / ^ neg sqrt fn ! C`) or a leaf (`number`, `letter`)."""

    kind: str
    parts: tuple[Expression, ...] = ()
    text: str = ""


def num(value: int | str) -> Expression:
    return Expression("number", text=str(value)) if not str(value).startswith("-") else neg(num(str(value)[1:]))


def let(name: str) -> Expression:
    return Expression("letter", text=name)


def add(*parts: Expression) -> Expression:
    return Expression("+", parts)


def mul(*parts: Expression) -> Expression:
    return Expression("*", parts)


def div(top: Expression, bottom: Expression) -> Expression:
    return Expression("/", (top, bottom))


def power(base: Expression, exponent: Expression | int) -> Expression:
    return Expression("^", (base, num(exponent) if isinstance(exponent, int) else exponent))


def neg(inner: Expression) -> Expression:
    return Expression("neg", (inner,))


def root(inner: Expression) -> Expression:
    return Expression("sqrt", (inner,))


def fn(name: str, inner: Expression) -> Expression:
    return Expression("fn", (inner,), name)


PI, E = let("pi"), let("e")


def value(node: Expression, point: Point) -> complex:
    """What it is worth at a point."""
    match node.kind:
        case "number":
            return float(node.text)
        case "letter":
            return {"pi": math.pi, "e": math.e, **point}[node.text]
        case "+":
            return sum((value(part, point) for part in node.parts), 0j)
        case "*":
            return math.prod((value(part, point) for part in node.parts), start=1 + 0j)
        case "/":
            return value(node.parts[0], point) / value(node.parts[1], point)
        case "^":
            return value(node.parts[0], point) ** value(node.parts[1], point)
        case "neg":
            return -value(node.parts[0], point)
        case "sqrt":
            return cmath.sqrt(value(node.parts[0], point))
        case "!":
            return math.gamma(value(node.parts[0], point).real + 1)
        case "C":
            n, k = (round(value(part, point).real) for part in node.parts)
            return math.comb(n, k) if 0 <= k <= n else 0.0
    return {"sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan, "ln": cmath.log}[node.text](
        value(node.parts[0], point)
    )


def differs(one: Expression, other: Expression) -> bool:
    """Whether the two are surely of different worth at some point; False where arithmetic cannot tell."""
    names = {part.text for node in (one, other) for part in walk(node) if part.kind == "letter"} - {"pi", "e"}
    for seed in range(4):
        draw = Random(seed)
        point = {name: draw.uniform(0.5, 2.5) for name in sorted(names)}
        try:
            a, b = value(one, point), value(other, point)
        except (ArithmeticError, ValueError):
            return False
        if abs(a - b) > 1e-6 * max(abs(a), abs(b)):
            return True
    return False


def walk(node: Expression) -> Iterator[Expression]:
    yield node
    for part in node.parts:
        yield from walk(part)


@dataclass(frozen=True)
class Style:
    """How an expression is written."""

    fraction: str = r"\frac"
    times: str = ""
    plain: bool = False
    left: bool = False
    swap: bool = False
    space: str = ""


LATEX = Style()
STYLES = (
    Style(r"\dfrac"),
    Style(times=r"\cdot "),
    Style(left=True),
    Style(swap=True),
    Style(space=" "),
    Style(r"\tfrac", left=True, swap=True),
    Style(plain=True, times="*"),
    Style(plain=True, times="*", swap=True),
    Style(plain=True, times=" * ", space=" "),
    Style(times=r"\times "),
)
_RANK = {"+": 0, "neg": 0, "*": 1, "/": 1, "^": 3}


def written(node: Expression, style: Style = LATEX) -> str:
    """The expression in a style."""
    return _written(node, style)[0]


def _written(node: Expression, style: Style) -> tuple[str, int]:
    """The text and how strongly it binds."""
    match node.kind:
        case "number":
            return node.text, 4
        case "letter":
            return ({"pi": "pi" if style.plain else r"\pi "}.get(node.text, node.text)), 4
        case "+":
            parts = list(reversed(node.parts)) if style.swap else list(node.parts)
            text = ""
            for part in parts:
                inner = _written(part.parts[0] if part.kind == "neg" else part, style)
                shown = _bracketed(*inner, 1, style) if part.kind == "neg" else inner[0]
                sign = "-" if part.kind == "neg" else "+"
                text += f"{style.space}{sign}{style.space}{shown}" if text else (sign if sign == "-" else "") + shown
            return text, 0
        case "neg":
            return "-" + _bracketed(*_written(node.parts[0], style), 1, style), 0
        case "*":
            return _product(node, style), 1
        case "/":
            if style.plain:
                top, bottom = (_written(part, style) for part in node.parts)
                return f"{_bracketed(*top, 2, style)}/{_bracketed(*bottom, 4, style)}", 1
            return f"{style.fraction}{{{written(node.parts[0], style)}}}{{{written(node.parts[1], style)}}}", 2
        case "^":
            base, exponent = _bracketed(*_written(node.parts[0], style), 4, style), written(node.parts[1], style)
            return f"{base}^({exponent})" if style.plain and len(exponent) > 1 else f"{base}^{{{exponent}}}", 3
        case "sqrt":
            inside = written(node.parts[0], style)
            return (f"sqrt({inside})" if style.plain else f"\\sqrt{{{inside}}}"), 4
        case "!":
            return _bracketed(*_written(node.parts[0], style), 4, style) + "!", 4
        case "C":
            return "\\binom{{{}}}{{{}}}".format(*(written(part, style) for part in node.parts)), 4
    name = node.text if style.plain else "\\" + node.text
    return f"{name}({written(node.parts[0], style)})", 2


def _product(node: Expression, style: Style) -> str:
    text = ""
    for part in node.parts:
        shown = _bracketed(*_written(part, style), 2, style)
        touching = bool(text) and (
            shown[0].isdigit()
            or (shown[0] == "\\" and text[-1].isdigit() and shown.startswith(("\\frac", "\\dfrac", "\\tfrac")))
        )
        sign = style.times or (r"\cdot " if touching else "")
        text += (sign if text else "") + shown
    return text


def _bracketed(text: str, rank: int, needed: int, style: Style) -> str:
    if rank >= needed:
        return text
    return f"\\left({text}\\right)" if style.left else f"({text})"


def mutants(node: Expression, draw: Random) -> Iterator[tuple[str, Expression]]:
    """Expressions of another worth, each with what was changed: sign, digit, exponent, variable or bracket."""
    places = list(_places(node))
    draw.shuffle(places)
    for path, part in places:
        for what, changed in _changes(part, draw):
            mutant = _replaced(node, path, changed)
            if differs(node, mutant):
                yield what, mutant


def _places(node: Expression, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Expression]]:
    yield path, node
    for index, part in enumerate(node.parts):
        yield from _places(part, (*path, index))


def _replaced(node: Expression, path: tuple[int, ...], new: Expression) -> Expression:
    if not path:
        return new
    parts = list(node.parts)
    parts[path[0]] = _replaced(parts[path[0]], path[1:], new)
    return replace(node, parts=tuple(parts))


def _changes(part: Expression, draw: Random) -> Iterator[tuple[str, Expression]]:
    match part.kind:
        case "number" if part.text.isdigit():
            place = draw.randrange(len(part.text))
            digit = draw.choice([d for d in "123456789" if d != part.text[place]])
            yield "digit", num(part.text[:place] + digit + part.text[place + 1 :])
        case "letter":
            yield "variable", let(draw.choice([name for name in "xyzabk" if name != part.text]))
        case "neg":
            yield "sign", part.parts[0]
        case "+":
            index = draw.randrange(len(part.parts))
            inner = part.parts[index]
            flipped = inner.parts[0] if inner.kind == "neg" else neg(inner)
            yield "sign", add(*part.parts[:index], flipped, *part.parts[index + 1 :])
        case "^":
            base, exponent = part.parts
            if exponent.kind == "number":
                yield "exponent", power(base, int(exponent.text) + draw.choice([1, 2]))
            yield "exponent", base
            if base.kind == "+":
                yield "bracket", add(*base.parts[:-1], power(base.parts[-1], exponent))
        case "*":
            sums = [index for index, inner in enumerate(part.parts) if inner.kind == "+"]
            if sums and sums[-1] == len(part.parts) - 1:
                last = part.parts[-1]
                yield "bracket", add(mul(*part.parts[:-1], last.parts[0]), *last.parts[1:])
        case "/":
            yield "bracket", div(part.parts[1], part.parts[0])
        case "sqrt":
            yield "bracket", part.parts[0]
        case "fn":
            yield "function", fn({"sin": "cos", "cos": "sin", "tan": "sin", "ln": "sin"}[part.text], part.parts[0])
