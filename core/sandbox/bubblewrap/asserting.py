"""Assertions that say what stood on their two sides. Runs within the namespaces, on the code of a test."""

from __future__ import annotations

import ast
from typing import Any

from modex.core.sandbox.bubblewrap.values import shown

_NAME, _SPACE = "__modex_both_sides__", "__modex_compared__"
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def telling(tree: ast.Module, space: dict[str, Any]) -> ast.Module:
    """`tree` in which `assert f(1) == 2` fails with `f(1) gave 3, expected 2`; what it needs for that goes into `space`.

    Every assertion holds or fails as it did, its sides are evaluated once and in their order, and a message of its own stays.
    """
    space[_NAME] = BothSides
    _Telling().visit(tree)
    return ast.fix_missing_locations(tree)


class BothSides:
    """Both sides of a comparison that an assertion makes."""

    def __init__(self, call: str, sign: str) -> None:
        self._call, self._sign = call, sign
        self._left: Any = None
        self._right: Any = None

    def left(self, value: Any) -> Any:
        """Keep the left side and give it back."""
        self._left = value
        return value

    def right(self, value: Any) -> Any:
        """Keep the right side and give it back."""
        self._right = value
        return value

    def told(self) -> tuple[str, str, str]:
        """What was called or computed, what it should have given, and what it gave."""
        wanted = shown(self._right)
        return self._call, wanted if self._sign == "==" else f"{self._sign} {wanted}", shown(self._left)

    def __str__(self) -> str:
        call, wanted, got = self.told()
        return f"{call} gave {got}, expected {wanted}"


class _Telling(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> Any:
        test = node.test
        if node.msg is not None:
            return node
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            node.msg = ast.Constant(f"{ast.unparse(test)} does not hold")
            return node
        sign = _SIGNS[type(test.ops[0])]
        name = ast.Name(_SPACE, ast.Load())
        made = ast.Assign(
            [ast.Name(_SPACE, ast.Store())],
            ast.Call(ast.Name(_NAME, ast.Load()), [ast.Constant(ast.unparse(test.left)), ast.Constant(sign)], []),
        )
        test.left = ast.Call(ast.Attribute(name, "left", ast.Load()), [test.left], [])
        test.comparators = [ast.Call(ast.Attribute(name, "right", ast.Load()), [test.comparators[0]], [])]
        node.msg = name
        return [ast.copy_location(made, node), node]
