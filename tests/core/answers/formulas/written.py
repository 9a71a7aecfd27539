"""Trees and statements written on a line, for tables of tests."""

from __future__ import annotations

from modex.core.answers.formulas.statements import Many, Piece, Region, Relation, Statement, Value, Words
from modex.core.answers.formulas.tree import Node


def tree(node: Node | None) -> str:
    """`(add x (neg 1))`; a function's name and a sum's variable stand behind the operation."""
    if node is None:
        return ""
    if not node.args:
        return node.text
    name = f"{node.op}:{node.text}" if node.text else node.op
    return f"({' '.join([name, *map(tree, node.args)])})"


def said(statement: Statement) -> str:
    """`x = 5`, `x: (1, 5]`, `tuple() 1; 2`; nothing for words."""
    match statement:
        case Words():
            return ""
        case Value(node, unit, base):
            return tree(node) + (f" {unit.text}" if unit else "") + (f" base {base}" if base else "")
        case Many(kind, items, brackets):
            inner = "; ".join(f"<{said(item)}>" if isinstance(item, Many) else said(item) for item in items)
            return f"{kind}{brackets} {inner}".rstrip()
        case Region(pieces, variable):
            return f"{variable}: {' u '.join(map(_piece, pieces))}"
        case Relation(left, op, right, name):
            return f"{tree(left) or '-'} {op} {said(right)}" + (f" of {name}" if name and name != tree(left) else "")
    raise AssertionError(statement)


def _piece(piece: Piece) -> str:
    opened, closed = "[" if piece.low_closed else "(", "]" if piece.high_closed else ")"
    return f"{opened}{tree(piece.low)}, {tree(piece.high)}{closed}"
