"""The changes of behaviour that are tried: one small edit of a module's source each, found in its syntax tree.

Left alone is what no test has to notice: docstrings and texts, annotations, decorators, imports, assertions, `__all__`, what is
only there for type checkers, what is logged, the words of an error, and how many seconds are waited (constants named `…_S`).
How far a text is looked at (constants named `…_CHARS`, `…_WORDS`) is halved and doubled: nobody could tell one more.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

_FLIPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""The other side of a boundary, and the other answer."""
_TURNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_SWAPS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
_QUIET_KEYWORDS = frozenset(
    {"strict", "daemon", "name", "repr", "slots", "frozen", "kw_only", "encoding", "errors", "indent"}
)
"""Arguments that decide nothing a caller sees, or that types hold."""
_LOGGING = frozenset({"log", "logger", "logging", "warnings"})
_UNTYPED = frozenset({"cast", "TypeVar", "NewType", "isinstance", "issubclass"})
"""Calls in which `|` joins types."""
_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Mutant:
    """One module with one change."""

    path: str
    """From the root of the tree."""
    line: int
    column: int
    functions: tuple[str, ...]
    """The functions that it stands in by qualified name, the outermost first; none for what a module does when imported."""
    before: str
    after: str
    place: tuple[int, int]
    """The bytes of the source that are replaced."""
    written: str
    """What is written there."""

    @property
    def function(self) -> str:
        """The function that it stands in; empty for what a module does when it is imported."""
        return self.functions[-1] if self.functions else ""

    @property
    def identity(self) -> str:
        """What tells it from the other changes of the same source."""
        return f"{self.path}:{self.line}:{self.column}: {self.before} → {self.after}"

    def applied(self, source: str) -> str:
        """The module's source with the change."""
        text = source.encode()
        return (text[: self.place[0]] + self.written.encode() + text[self.place[1] :]).decode()


@dataclass(frozen=True, slots=True)
class _Edit:
    """A node of the tree, and what stands there instead."""

    node: ast.expr | ast.stmt
    instead: ast.expr | None
    """None: a statement that does nothing."""


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Every change of the module at `path`, in the order of its lines."""
    finder = _Finder()
    finder.visit(ast.parse(source))
    text = source.encode()
    lines = text.splitlines(keepends=True)
    offsets = [0, *accumulate(map(len, lines))]
    found: dict[tuple[tuple[int, int], str], Mutant] = {}
    for edit, functions in finder.found:
        node = edit.node
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        place = offsets[node.lineno - 1] + node.col_offset, offsets[node.end_lineno - 1] + node.end_col_offset
        after = "pass" if edit.instead is None else ast.unparse(edit.instead)
        written = after if edit.instead is None else f"({after})"
        before = text[slice(*place)].decode()
        mutant = Mutant(path, node.lineno, node.col_offset, functions, _short(before), _short(after), place, written)
        found.setdefault((place, written), mutant)
    return sorted(found.values(), key=lambda mutant: (mutant.place, mutant.written))


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _SHOWN else f"{folded[: _SHOWN - 1]}…"


class _Finder(ast.NodeVisitor):
    """Walks a module and notes what can be changed."""

    def __init__(self) -> None:
        self.found: list[tuple[_Edit, tuple[str, ...]]] = []
        self._prefix = ""
        self._functions: tuple[str, ...] = ()
        self._window = False
        """Within a constant that says how far a text is looked at."""

    def _note(self, node: ast.expr | ast.stmt, instead: ast.expr | None) -> None:
        self.found.append((_Edit(node, instead), self._functions))

    # what is passed by

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts; and places within them are not told reliably before Python 3.12."""

    def visit_Import(self, node: ast.Import) -> None:
        """Nothing to change."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Nothing to change."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """They tell types."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value, not the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        """What is stored in an object may be left out; a name is used later, which types would notice."""
        if any(isinstance(target, ast.Name) and _is_quiet(target.id) for target in node.targets):
            return
        if self._functions and all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._note(node, None)
        self._window = any(isinstance(target, ast.Name) and _is_window(target.id) for target in node.targets)
        self.generic_visit(node)
        self._window = False

    def visit_Expr(self, node: ast.Expr) -> None:
        """Calls may be left out; docstrings are no behaviour."""
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Call) and _root(node.value.func) in _LOGGING:
            return
        if self._functions and isinstance(node.value, ast.Call | ast.Await):
            self._note(node, None)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """A refusal may be left out; its words are no behaviour."""
        if self._functions:
            self._note(node, None)

    # scopes

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Its body alone."""
        outer, self._prefix = self._prefix, f"{self._prefix}{node.name}."
        for statement in node.body:
            self.visit(statement)
        self._prefix = outer

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Defaults and body; neither decorators nor annotations."""
        prefix, functions = self._prefix, self._functions
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._functions = (*functions, f"{prefix}{node.name}")
        self._prefix = f"{prefix}{node.name}.<locals>."
        for statement in node.body:
            self.visit(statement)
        for inner in _own_returns(node):
            self._returned(inner, node.returns)
        self._prefix, self._functions = prefix, functions

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """As any function."""
        self.visit_FunctionDef(node)

    def _returned(self, node: ast.Return, annotation: ast.expr | None) -> None:
        """None where the type allows it; the other answer for a yes or no."""
        if node.value is None or annotation is None:
            return
        said = ast.unparse(annotation)
        nothing = isinstance(node.value, ast.Constant) and node.value.value is None
        if "None" in said.replace(" ", "").split("|") and not nothing:
            self._note(node.value, ast.Constant(None))
        if said == "bool" and not isinstance(node.value, ast.Constant | ast.Compare):
            self._note(node.value, ast.UnaryOp(ast.Not(), node.value))

    # conditions

    def visit_If(self, node: ast.If) -> None:
        """The other branch."""
        if _root(node.test) == "TYPE_CHECKING" or (not self._functions and "__name__" in ast.unparse(node.test)):
            return
        self._turned(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """The other answer."""
        self._turned(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """The other branch."""
        self._turned(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Without a condition."""
        for condition in node.ifs:
            self._note(condition, ast.Constant(True))
        self.generic_visit(node)

    def _turned(self, test: ast.expr) -> None:
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return  # turned where it is compared
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        if not isinstance(test, ast.Constant):
            self._note(test, ast.UnaryOp(ast.Not(), test))

    def visit_Compare(self, node: ast.Compare) -> None:
        """The boundary, and the other answer."""
        for place, operator in enumerate(node.ops):
            for other in _FLIPS.get(type(operator), ()):
                changed = copy.deepcopy(node)
                changed.ops[place] = other()
                self._note(node, changed)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """The other word, and without each of what it joins."""
        changed = copy.deepcopy(node)
        changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._note(node, changed)
        for place in range(len(node.values)):
            rest = [value for number, value in enumerate(node.values) if number != place]
            self._note(node, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Without it."""
        if isinstance(node.op, ast.Not | ast.USub):
            self._note(node, node.operand)
        self.generic_visit(node)

    # values

    def visit_Constant(self, node: ast.Constant) -> None:
        """Numbers by one, those of a window by half, and the other truth."""
        value = node.value
        if isinstance(value, bool):
            self._note(node, ast.Constant(not value))
        elif self._window and isinstance(value, int):
            self._note(node, ast.Constant(value * 2))
            self._note(node, ast.Constant(value // 2))
        elif isinstance(value, int | float):
            self._note(node, ast.Constant(value + 1))
            if value:
                self._note(node, ast.Constant(value - 1))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """The other sign; types and texts are joined in the same way, and left alone."""
        other = _TURNS.get(type(node.op))
        of_types = isinstance(node.op, ast.BitOr) and not self._functions
        of_texts = any(_is_text(side) for side in (node.left, node.right))
        if other is not None and not of_types and not of_texts:
            self._note(node, ast.BinOp(node.left, other(), node.right))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Left out; a sum may go the other way, which is the same as leaving it out to most tests."""
        self._note(node, None)
        self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """A slice without each of its ends, and one further."""
        if isinstance(node.slice, ast.Slice):
            for name in ("lower", "upper"):
                end = getattr(node.slice, name)
                if end is None or isinstance(end, ast.Constant):
                    continue
                without, further = copy.deepcopy(node), copy.deepcopy(node)
                setattr(without.slice, name, None)
                setattr(further.slice, name, ast.BinOp(end, ast.Add(), ast.Constant(1)))
                self._note(node, without)
                if not any(isinstance(part, ast.Name) and _is_window(part.id) for part in ast.walk(end)):
                    self._note(node, further)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """The other end, the other quantifier; not the types among its arguments."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _UNTYPED:
            if node.args:
                self.visit(node.args[0])
            return
        if name in _SWAPS and not (name == "sorted" and node.keywords):
            changed = copy.deepcopy(node)
            changed.func = ast.Name(_SWAPS[name])
            self._note(node, changed)
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in _QUIET_KEYWORDS:
                self.visit(keyword.value)

    # the way on

    def visit_Continue(self, node: ast.Continue) -> None:
        """Left out."""
        self._note(node, None)

    def visit_Break(self, node: ast.Break) -> None:
        """Left out."""
        self._note(node, None)

    def visit_Delete(self, node: ast.Delete) -> None:
        """Left out; a name alone that is given up is not used any more."""
        if not all(isinstance(target, ast.Name) for target in node.targets):
            self._note(node, None)


def _is_quiet(name: str) -> bool:
    """Whether what is assigned decides nothing that a test has to notice: what a module exports, how long it waits."""
    return name == "__all__" or (name.isupper() and name.endswith("_S"))


def _is_window(name: str) -> bool:
    """Whether a constant says how many characters or words of a text are looked at."""
    return name.isupper() and name.endswith(("_CHARS", "_WORDS"))


def _own_returns(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Return]:
    """Its returns, without those of functions within."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _root(node: ast.expr) -> str:
    """The name that a call or a dotted name begins with; of `self._log.debug` the part after `self`."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name) and node.id != "self":
        names.append(node.id)
    return names[-1].lstrip("_") if names else ""


def _is_text(node: ast.expr) -> bool:
    """Whether it is seen at once that this is a text."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
