"""The tree of an expression: small, immutable, and sent to the killable child as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


class FormulaError(ValueError):
    """A text is not an expression that can be read; the message says where reading ended."""


@dataclass(frozen=True, slots=True)
class Node:
    """An operation `op` on `args`, or a leaf (`num`, `var`, `const`) that says its `text`.

    Operations: `add mul div neg pow root log fn fact binom abs floor ceil sum prod pm mp percent degree`; `fn` has its
    name in `text`, `sum` and `prod` their bound variable.
    """

    op: str
    args: tuple[Node, ...] = ()
    text: str = ""

    def as_json(self) -> list[Any]:
        """For the wire."""
        return [self.op, self.text, [arg.as_json() for arg in self.args]]

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for arg in self.args:
            yield from arg.walk()


def from_json(document: list[Any]) -> Node:
    """Undo `as_json`."""
    op, text, args = document
    return Node(op, tuple(from_json(arg) for arg in args), text)


def number(value: int | str) -> Node:
    """A number leaf."""
    return Node("num", text=str(value))


def negated(node: Node) -> Node:
    """`-node`."""
    return Node("neg", (node,))


def variables(node: Node) -> frozenset[str]:
    """The free variables of an expression."""
    found = frozenset().union(*(variables(arg) for arg in node.args)) if node.args else frozenset()
    if node.op == "var":
        return frozenset([node.text])
    return found - {node.text} if node.op in ("sum", "prod") else found


def branches(node: Node) -> list[Node]:
    """The two expressions that one with `±` stands for (all upper signs, all lower ones); itself where it has none."""
    if not any(part.op in ("pm", "mp") for part in node.walk()):
        return [node]
    return [_with_sign(node, upper=True), _with_sign(node, upper=False)]


def _with_sign(node: Node, *, upper: bool) -> Node:
    args = tuple(_with_sign(arg, upper=upper) for arg in node.args)
    if node.op in ("pm", "mp"):
        return args[0] if (node.op == "pm") is upper else negated(args[0])
    return Node(node.op, args, node.text)
