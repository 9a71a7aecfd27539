r"""Matrices as people write them: `\begin{bmatrix}…`, an array in brackets, `[[1,2],[3,4]]`, `[1 2; 3 4]`, a number times such.

Bars around the rows make a determinant, which is a value and no matrix.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import permutations

from modex.core.answers.formulas.tree import FormulaError, Node, negated, number, variables

MAX_CELLS = 400
_MAX_DETERMINANT = 5
_MAX_FACTORS = 3
Cells = tuple[tuple[Node, ...], ...]
_ENVIRONMENT = re.compile(
    r"\\begin ?\{ ?(?P<name>[pbBvV]?matrix|smallmatrix|array) ?\}(?: ?\{[lcr| ]*\})?(?P<body>.*)"
    r"\\end ?\{ ?(?P=name) ?\}",
    re.DOTALL,
)
_FACTOR = re.compile(
    r" ?(?P<sign>[+*-])? ?(?P<matrix>(?:[\d.]{1,20} ?)?\\begin ?\{ ?(?P<name>[pb]matrix) ?\}[^\\]*+"
    r"(?:\\(?!end(?![a-z])|begin(?![a-z]))[^\\]*+)*+\\end ?\{ ?(?P=name) ?\}) ?"
)
_TRANSPOSED = re.compile(r" ?\^ ?(?:\{ ?)?(?:T|\\top|\\text ?\{ ?T ?\}|\\intercal)(?: ?\})?$")
_DIVIDED = re.compile(r" ?/ ?([\w.]+)$")
_CALLED = re.compile(r"(?:(?:np|numpy|sp|sympy|torch)\.)?(?:array|matrix|Matrix|tensor) ?\((.*)\)")
_IDENTITY = re.compile(r"\\(?:text|mathbb|boldsymbol|bm) ?\{ ?I ?\}")
_NAMED = re.compile(r"I(?:_(\w+))?")
_BRACKETS = {"": "", "(": ")", "[": "]", "|": "|", r"\{": r"\}"}


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a matrix as texts, row by row; `factor` stands in front of it, `determinant` says that bars enclose it."""

    rows: tuple[tuple[str, ...], ...]
    factor: str = ""
    divisor: str = ""
    determinant: bool = False


def read_grid(text: str) -> Grid | None:
    """The matrix that a cleaned `text` writes; None where it writes none.

    Raises:
        FormulaError: rows of different lengths, a norm, too many cells.
    """
    called = _CALLED.fullmatch(text)
    text = called[1].strip() if called else text
    text, transposed = _without(_TRANSPOSED, text)
    grid = _environment(text) if r"\begin" in text else _nested(text) or _semicolons(text)
    if grid is None and transposed and (vector := re.fullmatch(r"[(\[]([^()\[\],]*+,[^()\[\]]*+)[)\]]", text)):
        grid = Grid((tuple(cell.strip() for cell in vector[1].split(",")),))
    if grid is None:
        return None
    if len({len(row) for row in grid.rows}) != 1 or not all(cell for row in grid.rows for cell in row):
        raise FormulaError("rows of different lengths, or an empty cell")
    if len(grid.rows) * len(grid.rows[0]) > MAX_CELLS:
        raise FormulaError("too many cells")
    rows = tuple(zip(*grid.rows, strict=True)) if transposed else grid.rows
    return Grid(rows, grid.factor, grid.divisor, grid.determinant)


def _without(pattern: re.Pattern[str], text: str) -> tuple[str, bool]:
    match = pattern.search(text)
    return (text[: match.start()].strip(), True) if match else (text, False)


def _environment(text: str) -> Grid | None:
    divisor = ""
    if over := _DIVIDED.search(text):
        text, divisor = text[: over.start()], over[1]
    match = _ENVIRONMENT.search(text)
    if match is None or r"\begin" in match["body"] or re.search(r"[=<>]|\\in(?![a-z])", text[: match.start()]):
        return None
    before, after = text[: match.start()].rstrip(), text[match.end() :].strip()
    opened = next((sign for sign in (r"\{", "(", "[", "|") if before.endswith(sign)), "")
    if after != _BRACKETS[opened]:
        return None
    factor = before[: len(before) - len(opened)].strip()
    factor, called = re.subn(r"\\?(?:text ?\{ ?)?det(?: ?\})?$", "", factor)
    if match["name"] == "Vmatrix" or (
        opened and match["name"] not in ("array", "matrix", "smallmatrix") and not called
    ):
        raise FormulaError("a norm, or brackets around a matrix in brackets")
    body = match["body"].replace(r"\hline", "")
    rows = [row for row in re.split(r"\\cr(?![a-zA-Z])", body) if row.strip()]
    cells = tuple(tuple(cell.strip() for cell in row.split("&")) for row in rows)
    bars = match["name"] == "vmatrix" or opened == "|" or bool(called)
    return Grid(cells, re.sub(r" ?\*$", "", factor.strip()), divisor, bars) if cells else None


def _nested(text: str) -> Grid | None:
    """`[[1,2],[3,4]]`, with commas or, as NumPy prints it, without."""
    match = re.fullmatch(r"\[ ?(\[[^\[\]]*\](?:[ ,]+\[[^\[\]]*\])*) ?\]", text)
    if match is None:
        return None
    return Grid(tuple(_cells(row) for row in re.findall(r"\[([^\[\]]*)\]", match[1])))


def _semicolons(text: str) -> Grid | None:
    """`[1 2; 3 4]`; two single values are an interval's ends."""
    match = re.fullmatch(r"\[([^\[\]();]*(?:;[^\[\]();]*)+)\]", text)
    if match is None:
        return None
    rows = tuple(_cells(row) for row in match[1].strip().removesuffix(";").split(";"))
    return Grid(rows) if len(rows[0]) > 1 else None


def _cells(row: str) -> tuple[str, ...]:
    if "," not in row and re.fullmatch(r" *-?[\d.]+(?:e[+-]?\d+)?(?: +-?[\d.]+(?:e[+-]?\d+)?)* *", row):
        return tuple(part.rstrip(".") for part in row.split())
    return tuple(cell.strip() for cell in row.split(","))


def matrix_terms(text: str) -> list[tuple[bool, list[str]]]:
    """The terms of a sum of products of matrices, each as whether it is subtracted and its factors; none of another text.

    Raises:
        FormulaError: more than three factors.
    """
    if text.count(r"\begin") < 2:
        return []
    terms: list[tuple[bool, list[str]]] = []
    at = 0
    for match in _FACTOR.finditer(text):
        if match.start() != at:
            return []
        sign = match["sign"]
        if sign in ("+", "-") or not terms:
            terms.append((sign == "-", []))
        terms[-1][1].append(match["matrix"])
        if len(terms[-1][1]) > _MAX_FACTORS:
            raise FormulaError("a product of many matrices")
        at = match.end()
    return terms if at == len(text) else []


def multiplied(one: Cells, other: Cells) -> Cells:
    """The product of two matrices.

    Raises:
        FormulaError: their shapes do not fit, or they are large.
    """
    if len(one[0]) != len(other) or max(len(one), len(other), len(other[0])) > _MAX_DETERMINANT:
        raise FormulaError("a product of matrices that do not fit")
    columns = tuple(zip(*other, strict=True))
    return tuple(tuple(_inner(row, column) for column in columns) for row in one)


def added(one: Cells, other: Cells) -> Cells:
    """The sum of two matrices.

    Raises:
        FormulaError: their shapes differ.
    """
    if (len(one), len(one[0])) != (len(other), len(other[0])):
        raise FormulaError("a sum of matrices of different shapes")
    return tuple(tuple(Node("add", pair) for pair in zip(*rows, strict=True)) for rows in zip(one, other, strict=True))


def _inner(row: tuple[Node, ...], column: tuple[Node, ...]) -> Node:
    terms = [Node("mul", pair) for pair in zip(row, column, strict=True)]
    total = terms[0]
    for term in terms[1:]:
        total = Node("add", (total, term))
    return total


def determinant(rows: tuple[tuple[Node, ...], ...]) -> Node:
    """The determinant of a square matrix as an expression.

    Raises:
        FormulaError: it is not square, or has more than five rows.
    """
    size = len(rows)
    if size > _MAX_DETERMINANT or any(len(row) != size for row in rows):
        raise FormulaError("a determinant of no square matrix, or of a large one")
    total = number(0)
    for order in permutations(range(size)):
        term = rows[0][order[0]]
        for row in range(1, size):
            term = Node("mul", (term, rows[row][order[row]]))
        inversions = sum(order[one] > order[other] for one in range(size) for other in range(one + 1, size))
        total = Node("add", (total, negated(term) if inversions % 2 else term))
    return total


def plain_identity(text: str) -> str:
    r"""`\mathbf{I}` as the letter that it is."""
    return _IDENTITY.sub("I", text)


def identity_factor(node: Node, size: int) -> Node | None:
    """What stands before the identity matrix in `½·I` or `I_2/2`, were it linear in it; None where no such `I` is named."""
    names = [
        name for name in variables(node) if (named := _NAMED.fullmatch(name)) and named[1] in (None, "n", str(size))
    ]
    return _at_one(node, names[0]) if len(names) == 1 else None


def identity_of(node: Node, factor: Node) -> Node:
    """`factor` times the identity that `node` names: what `node` must equal to be linear in it."""
    name = next(name for name in sorted(variables(node)) if _NAMED.fullmatch(name))
    return Node("mul", (factor, Node("var", text=name)))


def _at_one(node: Node, name: str) -> Node:
    if node.op == "var" and node.text == name:
        return number(1)
    return Node(node.op, tuple(_at_one(arg, name) for arg in node.args), node.text)
