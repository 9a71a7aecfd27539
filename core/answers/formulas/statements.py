r"""What a mathematical answer states: a value with its unit, several values, a region of the number line, a relation, words.

A text is read whole or not at all: what no rule understands is `Words`, and equals only the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from modex.core.answers.formulas.cleaning import cleaned
from modex.core.answers.formulas.grammar import read_expression
from modex.core.answers.formulas.matrices import (
    Cells,
    added,
    determinant,
    matrix_terms,
    multiplied,
    plain_identity,
    read_grid,
)
from modex.core.answers.formulas.suffixes import Suffix, split_unit
from modex.core.answers.formulas.tree import FormulaError, Node, branches, negated, number
from modex.core.answers.numbers.reading import decimal_separator

_MAX_ITEMS = 60


@dataclass(frozen=True, slots=True)
class Words:
    """A text that is no mathematics."""

    text: str


@dataclass(frozen=True, slots=True)
class Value:
    """An expression, the unit written with it, and the base of a numeral (`2112_6`: digits in `node.text`)."""

    node: Node
    unit: Suffix | None = None
    base: str = ""


@dataclass(frozen=True, slots=True)
class Many:
    """Several statements: a `list` (any order), a `set` (repeats do not count), a `tuple` (in its brackets), a `ratio`, or a
    `matrix` (a tuple a row).
    """

    kind: Literal["list", "set", "tuple", "ratio", "matrix"]
    items: tuple[Statement, ...]
    brackets: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """An interval; an end of None is infinite."""

    low: Node | None
    high: Node | None
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True)
class Region:
    """A union of intervals, of `variable` where one is named."""

    pieces: tuple[Piece, ...]
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """`left op right`; `name` is what an equation gives a value to (`x`, `f(x)`, `Area`), if it is only that."""

    left: Node | None
    op: str
    right: Statement
    name: str = ""


Statement = Words | Value | Many | Region | Relation

_EMPTY = re.compile(r"\\emptyset|\\\{\s*\\\}|\{\s*\}|(?:the )?empty set|no (?:real )?solutions?", re.IGNORECASE)
_REALS = re.compile(
    r"\\mathbb\s*\{?R\}?|(?:the set of )?(?:all )?real numbers|all reals|\(-\\infty ?, ?\+?\\infty ?\)", re.IGNORECASE
)
_RELATION = re.compile(r"\\(?:le|ge|ne|approx)(?![a-zA-Z])|<=|>=|!=|[<>=]")
_OPS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne"}
_OPEN, _CLOSE = "([{⟨", ")]}⟩"
_NAME = re.compile(
    r"[a-zA-Z](?:_\{?\w+\}?)?'*\s*\(\s*[a-zA-Z](?:\s*,\s*[a-zA-Z])*\s*\)|[A-Z]{2,4}|\\text\s*\{[^{}=]*\}"
    r"|[A-Za-z]{3,}(?: [A-Za-z]+){0,4}"
    r"|\( ?[a-zA-Z](?:_\{?\w+\}?)?(?: ?, ?[a-zA-Z](?:_\{?\w+\}?)?)+ ?\)|\\frac ?\{[A-Z]{2}\} ?\{[A-Z]{2}\}"
    r"|P\([^()]*\)|\\frac\{dy\}\{dx\}|\|[A-Z]{2}\||\\angle ?[A-Z]{1,3}|m\\angle ?[A-Z]{1,3}"
)


def read_statement(text: str, locale: str = "en") -> Statement:
    """What `text` states, LaTeX or plain."""
    plain = cleaned(text)
    try:
        return _Reading(decimal_separator(locale) == ",").statement(plain)
    except FormulaError:
        return Words(plain)


@dataclass(frozen=True, slots=True)
class _Reading:
    comma: bool

    def statement(self, text: str, *, nested: bool = False) -> Statement:
        text = plain_identity(text.strip())
        if not text:
            raise FormulaError("nothing")
        worded = re.sub(r"^\\text ?\{([^{}]*)\}$", r"\1", text).strip()
        if _EMPTY.fullmatch(worded):
            return Many("set", ())
        if _REALS.fullmatch(worded):
            return Region((Piece(None, None, False, False),))
        for reader in (
            self._matrix,
            self._member,
            self._union,
            self._without,
            self._several,
            self._enclosed,
            self._ratio,
            self._relation,
        ):
            found = reader(text, nested)
            if found is not None:
                return found
        return self._value(text, nested)

    def _member(self, text: str, nested: bool) -> Statement | None:
        r"""`x \in [-2, 7]`."""
        match = re.match(r"([a-zA-Z]) ?\\in(?![a-zA-Z]) ?(.+)$", text)
        if match is None:
            return None
        inner = self.statement(match[2], nested=nested)
        region = as_region(inner)
        return Region(region.pieces, match[1]) if region else inner

    def _union(self, text: str, nested: bool) -> Statement | None:
        parts = _split(text, lambda rest: 4 if re.match(r"\\cup(?![a-zA-Z])", rest) else 0)
        if len(parts) < 2:
            return None
        found = [self.statement(part, nested=nested) for part in parts]
        if all(isinstance(part, Many) and part.kind == "set" for part in found):
            return Many("set", tuple(item for part in found if isinstance(part, Many) for item in part.items))
        regions = [as_region(part) for part in found]
        if any(region is None for region in regions):
            raise FormulaError("a union of what is no interval")
        return Region(tuple(piece for region in regions if region for piece in region.pieces))

    def _without(self, text: str, nested: bool) -> Statement | None:
        r"""`\mathbb{R} \setminus \{3\}`."""
        match = re.fullmatch(r"\\mathbb\{?R\}? ?(?:\\setminus|-|\\ ) ?(.+)", text)
        if match is None:
            return None
        holes = self.statement(match[1], nested=nested)
        if not isinstance(holes, Many) or not all(isinstance(item, Value) for item in holes.items):
            raise FormulaError("the reals without what is no set")
        return without([item.node for item in holes.items if isinstance(item, Value)])

    def _several(self, text: str, nested: bool) -> Statement | None:
        """Statements between commas, semicolons, `or` and `and` outside every bracket."""
        body = re.sub(r"(?:(?<!\s)\s+)?\\text\s*\{\s*,?\s*(or|and)\s*,?\s*\}\s*", r" \1 ", text)
        body = re.sub(r"(?<=[)\]}]) ?(or|and) ?(?=[(\[{\\])", r" \1 ", body)
        if (solutions := self._solutions(body)) is not None:
            return solutions
        parts = _split(body, self._separator, numeral=self.numeral if self.comma or not nested else None)
        parts = [part for part in parts if part]
        if len(parts) < 2:
            return None
        if len(parts) > _MAX_ITEMS:
            raise FormulaError("too many values")
        found = [self.statement(part, nested=nested) for part in parts]
        regions = [as_region(part) for part in found]
        if re.search(r"(?<![a-zA-Z])or(?![a-zA-Z])", body) and all(isinstance(part, Region) for part in found):
            variable = next((region.variable for region in regions if region and region.variable), "")
            return Region(tuple(piece for region in regions if region for piece in region.pieces), variable)
        holes = [part.right for part in found if isinstance(part, Relation) and part.op == r"\ne"]
        if len(holes) == len(found):
            return without([hole.node for hole in holes if isinstance(hole, Value)])
        return Many("list", _flat(found))

    def _solutions(self, text: str) -> Statement | None:
        """`p=5, q=2; p=7, q=2`: a tuple a group, in the order of the names."""
        groups = [[part.split("=") for part in group.split(",")] for group in text.split(";")]
        if len(groups) < 2 or any(len(group) < 2 or any(len(part) != 2 for part in group) for group in groups):
            return None
        named = [{_variable(name): value for name, value in group} for group in groups]
        if any(set(one) != set(named[0]) or "" in one or len(one) != len(groups[0]) for one in named):
            return None
        tuples = [tuple(self.statement(one[name], nested=True) for name in sorted(one)) for one in named]
        return Many("list", tuple(Many("tuple", items, "()") for items in tuples))

    @property
    def numeral(self) -> re.Pattern[str]:
        """A numeral whose comma separates no values."""
        if self.comma:
            return _DECIMAL_COMMA
        return re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])|[1-9]\d?(?:,\d{2})+,\d{3}(?![\d,])")

    @staticmethod
    def _separator(rest: str) -> int:
        if rest[0] in ",;":
            match = re.match(r"[,;]\s*(?:(?:and|or)\s)?", rest)
            return match.end() if match else 1
        match = re.match(r" (?:and|or|&) ", rest)
        return match.end() if match else 0

    def _enclosed(self, text: str, nested: bool) -> Statement | None:
        del nested
        for opened, closed in ((r"\{", r"\}"), ("{", "}"), ("⟨", "⟩"), *_INTERVALS):
            if text.startswith(opened) and text.endswith(closed) and _encloses(text, opened, closed):
                inner = text[len(opened) : len(text) - len(closed)].strip()
                return self._bracketed(inner, opened.strip("\\") + closed.strip("\\"))
        return None

    def _bracketed(self, inner: str, brackets: str) -> Statement | None:
        if brackets == "{}" and (match := re.match(r"[a-zA-Z](?: ?\\in ?\\mathbb\{R\})? ?[|:] ?(.+)$", inner)):
            return self.statement(match[1], nested=True)
        parts = _split(
            inner,
            lambda rest: 1 if rest[0] in ",;" else 0,
            numeral=_DECIMAL_COMMA if self.comma else None,
        )
        if len(parts) > _MAX_ITEMS or not all(parts):
            raise FormulaError("too many values, or an empty one")
        if len(parts) < 2 and brackets != "{}":
            return None
        found = tuple(self.statement(part, nested=True) for part in parts)
        if brackets == "{}":
            return Many("set", _flat(list(found)))
        if brackets == "⟨⟩":
            return Many("tuple", found, "()")
        many = Many("tuple", found, brackets)
        if brackets in ("()", "[]"):
            return many
        region = as_region(many)
        if region is None:
            raise FormulaError("brackets that do not fit")
        return region

    def _matrix(self, text: str, nested: bool) -> Statement | None:
        """A matrix in any of its forms, by columns of one cell too; with bars around it its determinant."""
        if len(terms := matrix_terms(text)) > 1 or (terms and len(terms[0][1]) > 1):
            return self._arithmetic(terms)
        del nested
        grid = read_grid(text)
        if grid is None:
            return None
        rows = tuple(tuple(self.statement(cell, nested=True) for cell in row) for row in grid.rows)
        if not grid.factor and not grid.divisor and not grid.determinant:
            return Many("matrix", tuple(Many("tuple", row, "()") for row in rows))
        nodes = tuple(tuple(_bare(cell) for cell in row) for row in rows)
        factor = self._scale(grid.factor)
        divisor = self._expression(grid.divisor, nested=True) if grid.divisor else None

        def scaled(node: Node) -> Node:
            node = node if factor is None else Node("mul", (factor, node))
            return node if divisor is None else Node("div", (node, divisor))

        if grid.determinant:
            return Value(scaled(determinant(nodes)))
        return Many("matrix", tuple(Many("tuple", tuple(Value(scaled(node)) for node in row), "()") for row in nodes))

    def _arithmetic(self, terms: list[tuple[bool, list[str]]]) -> Statement:
        """A sum of products of matrices, worked out."""
        total: Cells | None = None
        for minus, factors in terms:
            product: Cells | None = None
            for factor in factors:
                read = self._matrix(factor, nested=True)
                if not isinstance(read, Many):
                    raise FormulaError("a sum or product with what is no matrix")
                cells = tuple(tuple(_bare(cell) for cell in row.items) for row in read.items if isinstance(row, Many))
                product = cells if product is None else multiplied(product, cells)
            assert product is not None
            signed = tuple(tuple(negated(cell) if minus else cell for cell in row) for row in product)
            total = signed if total is None else added(total, signed)
        assert total is not None
        return Many("matrix", tuple(Many("tuple", tuple(Value(cell) for cell in row), "()") for row in total))

    def _scale(self, factor: str) -> Node | None:
        if factor in ("", "+"):
            return None
        return number(-1) if factor == "-" else self._expression(factor, nested=True)

    def _ratio(self, text: str, nested: bool) -> Statement | None:
        if named := _RATIO_NAMES.fullmatch(text):
            return Relation(None, "=", self.statement(named[2], nested=nested), named[1])
        parts = _split(text, lambda rest: 1 if rest[0] == ":" else 0)
        if len(parts) < 2 or not all(parts):
            return None
        return Many("ratio", tuple(self._value(part, nested) for part in parts))

    def _relation(self, text: str, nested: bool) -> Statement | None:
        ops: list[str] = []

        def separator(rest: str) -> int:
            match = _RELATION.match(rest)
            if match:
                ops.append(_OPS.get(match[0], match[0]))
                return match.end()
            return 0

        parts = _split(text, separator)
        if len(parts) < 2:
            return None
        if not parts[0] and ops[0] in ("=", r"\approx"):
            return self.statement(text[len(ops[0]) :], nested=nested)
        if not all(parts):
            raise FormulaError("a relation without a side")
        if r"\approx" in ops:
            cut = ops.index(r"\approx")
            if cut == 0 and len(parts) == 2 and (_variable(parts[0]) or _NAME.fullmatch(parts[0])):
                return self._equation(parts, nested)
            return self.statement(re.split(r"\\approx(?![a-zA-Z])", text)[0], nested=nested) if cut or parts else None
        if all(op == "=" for op in ops):
            return self._equation(parts, nested)
        if len(ops) == 2 and (middle := _subject(parts[1])) and "=" not in ops and r"\ne" not in ops:
            return self._between(parts[0], ops, parts[2], middle)
        if len(ops) != 1:
            raise FormulaError("a chain of relations")
        return self._inequality(parts[0], ops[0], parts[1], nested)

    def _equation(self, parts: list[str], nested: bool) -> Statement:
        left = parts[0]
        right = self.statement(parts[-1], nested=nested)
        if variable := _variable(left):
            return Relation(Node("var", text=variable), "=", right, variable)
        if _NAME.fullmatch(left) and not re.fullmatch(r"[a-z]{2}", left):
            return Relation(None, "=", right, left)
        node = self._expression(left, nested)
        if not isinstance(right, Value):
            raise FormulaError("an equation with more than a value")
        if not any(part.op == "var" for part in node.walk()):
            return (
                right
                if not any(part.op == "var" for part in right.node.walk())
                else Relation(right.node, "=", Value(node))
            )
        return Relation(node, "=", right)

    def _between(self, low: str, ops: list[str], high: str, variable: str) -> Statement:
        ends = [self._end(low), self._end(high)]
        if {op[-1] for op in ops} <= {"<", "e"} and ops[0] != r"\ge" and ops[1] != r"\ge":
            return Region((Piece(ends[0], ends[1], ops[0] == r"\le", ops[1] == r"\le"),), variable)
        if {op[-1] for op in ops} <= {">", "e"} and ops[0] != r"\le" and ops[1] != r"\le":
            return Region((Piece(ends[1], ends[0], ops[1] == r"\ge", ops[0] == r"\ge"),), variable)
        raise FormulaError("a chain of two directions")

    def _inequality(self, left: str, op: str, right: str, nested: bool) -> Statement:
        if bounded := re.fullmatch(r"\| ?([a-zA-Z]) ?(?:([-+]) ?([^|]+))?\|", left):
            return self._around(bounded, op, right)
        if _subject(left) != _variable(left):
            return self._bounded(_subject(left), op, right)
        swapped = {"<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le", r"\ne": r"\ne"}
        if not _variable(left) and _variable(right):
            left, op, right = right, swapped[op], left
        variable = _variable(left)
        other = self._expression(right, nested)
        if not variable or any(part.op == "var" and part.text == variable for part in other.walk()):
            return Relation(self._expression(left, nested), op, Value(other))
        if op == r"\ne":
            return Relation(Node("var", text=variable), op, Value(other), variable)
        return _ray(other, op, variable)

    def _bounded(self, name: str, op: str, right: str) -> Statement:
        """`f(x) > 3`."""
        other = self._expression(right, nested=True)
        if op == r"\ne" or any(part.op == "var" for part in other.walk()):
            raise FormulaError("a function that is not bounded by a number")
        return _ray(other, op, name)

    def _around(self, bounded: re.Match[str], op: str, right: str) -> Statement:
        """`|x - a| < r` as what lies around `a`; with `>` as what lies beyond it."""
        distance = self._expression(right, nested=True)
        middle = number(0) if bounded[3] is None else self._expression(bounded[3], nested=True)
        middle = negated(middle) if bounded[2] == "+" else middle
        low, high = Node("add", (middle, negated(distance))), Node("add", (middle, distance))
        closed = op in (r"\le", r"\ge")
        if op in ("<", r"\le"):
            return Region((Piece(low, high, closed, closed),), bounded[1])
        if op in (">", r"\ge"):
            return Region((Piece(None, low, False, closed), Piece(high, None, closed, False)), bounded[1])
        raise FormulaError("a distance that is not bounded")

    def _end(self, text: str) -> Node | None:
        node = self._expression(text, nested=True)
        return None if _infinite(node) else node

    def _expression(self, text: str, nested: bool) -> Node:
        return read_expression(text, comma=self.comma, bracketed=nested)

    def _value(self, text: str, nested: bool) -> Statement:
        if based := _BASED.fullmatch(text):
            return Value(Node("num", text=based[1].upper()), base=_BASES.get(based[2].casefold(), based[2]))
        body, unit = split_unit(text)
        node = self._expression(body, nested)
        bare = node.args[0] if node.op == "neg" else node
        if bare.op in ("percent", "degree") and unit is None:
            measured = bare.args[0] if bare is node else negated(bare.args[0])
            return Value(measured, Suffix("%" if bare.op == "percent" else "°", True))
        found = branches(node)
        if len(found) == 2:
            return Many("list", tuple(Value(branch, unit) for branch in found))
        return Value(node, unit)


_DECIMAL_COMMA = re.compile(r"(?<![\d,])\d++,\d++(?!,)")
"""A numeral of a comma locale; the commas of `1,2,3` separate."""
_RATIO_NAMES = re.compile(r"([A-Za-z](?:_\{?\w+\}?)?(?: ?: ?[A-Za-z](?:_\{?\w+\}?)?)+) ?= ?([^=]+)")
_BASED = re.compile(r"\(?(\d[0-9A-Za-z]*)\)?(?:_\{?(?:\\text ?\{)?(?:base )?| base )(\w+?)\}*")
_INTERVALS = [(a, b) for a in "([]" for b in ")]["]
_BASES = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
          "eleven": "11", "twelve": "12", "sixteen": "16"}  # fmt: skip


def as_region(statement: Statement) -> Region | None:
    """A region, or a pair in brackets read as an interval; None for anything else."""
    if isinstance(statement, Region):
        return statement
    if not isinstance(statement, Many) or statement.kind != "tuple" or len(statement.items) != 2:
        return None
    ends = [item.node if isinstance(item, Value) and not item.unit else None for item in statement.items]
    if ends[0] is None or ends[1] is None:
        return None
    low, high = (None if _infinite(end) else end for end in (ends[0], ends[1]))
    opened, closed = statement.brackets[0], statement.brackets[1]
    return Region((Piece(low, high, opened == "[" and low is not None, closed == "]" and high is not None),))


def without(holes: list[Node]) -> Region:
    """The number line without some points, which are given in rising order or are sorted by who compares."""
    pieces = []
    low: Node | None = None
    for hole in sorted(holes, key=_rough):
        pieces.append(Piece(low, hole, False, False))
        low = hole
    return Region((*pieces, Piece(low, None, False, False)))


def _bare(cell: Statement) -> Node:
    """A cell that arithmetic can be done with."""
    if not isinstance(cell, Value) or cell.unit or cell.base:
        raise FormulaError("a cell that is no plain value")
    return cell.node


def _rough(node: Node) -> float:
    from modex.core.answers.formulas.exact import exact_value

    try:
        return float(exact_value(node, {}))
    except (ArithmeticError, ValueError):
        raise FormulaError("points that cannot be put in order") from None


def _infinite(node: Node) -> bool:
    inner = node.args[0] if node.op == "neg" else node
    return inner.op == "const" and inner.text == "infty"


def _variable(text: str) -> str:
    """The variable that `text` is, or nothing."""
    match = re.fullmatch(r"([a-df-hj-zA-Z]|\\[a-z]+)(?:_(?:\{(\w+)\}|(\w)))?", text.strip())
    if match is None or match[1] in (r"\pi", r"\infty"):
        return ""
    sub = match[2] or match[3]
    return f"{match[1]}_{sub}" if sub else match[1]


def _subject(text: str) -> str:
    """The variable that `text` is, or the function of one (`f(x)`), or nothing."""
    called = re.fullmatch(r"([a-zA-Z]) ?\( ?([a-zA-Z]) ?\)", text.strip())
    return f"{called[1]}({called[2]})" if called else _variable(text)


def _ray(end: Node, op: str, variable: str) -> Region:
    """What lies on one side of `end`."""
    bound = None if _infinite(end) else end
    closed = op in (r"\le", r"\ge")
    piece = Piece(None, bound, False, closed) if op in ("<", r"\le") else Piece(bound, None, closed, False)
    return Region((piece,), variable)


def _flat(items: list[Statement]) -> tuple[Statement, ...]:
    """Lists within a list are part of it (`1 \\pm 2, 5`; `x = \\pm 2`)."""
    flat: list[Statement] = []
    for item in items:
        inner = item.right if isinstance(item, Relation) and item.op == "=" else item
        if isinstance(inner, Many) and inner.kind == "list":
            flat += inner.items
        else:
            flat.append(item)
    return tuple(flat)


def _encloses(text: str, opened: str, closed: str) -> bool:
    """Whether the bracket at the start closes with the one at the end."""
    if opened == "]" or closed == "[":
        inner = text[1:-1]
        return "," in inner and not re.search(r"[\[\]]", inner)
    depth = 0
    inner = text[len(opened) : len(text) - len(closed)]
    for char in inner:
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            return False
    return depth == 0


_ENVIRONMENT = re.compile(r"\\(begin|end) ?\{[^{}]*\}")


def _split(text: str, separator: Callable[[str], int], numeral: re.Pattern[str] | None = None) -> list[str]:
    """The parts of `text` between separators (`separator` says how long one is that starts here) outside brackets."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        char = text[at]
        if numeral is not None and (match := numeral.match(text, at)) and not (at and text[at - 1].isdigit()):
            at = match.end()
            continue
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif char == "\\" and (edge := _ENVIRONMENT.match(text, at)):
            depth += 1 if edge[1] == "begin" else -1
            at = edge.end()
            continue
        elif depth == 0 and (length := separator(text[at:])):
            parts.append(text[start:at].strip())
            at += length
            start = at
            continue
        at += 1
    return [*parts, text[start:].strip()]
