"""Every error that a person reads ends with what to do next.

What counts as advice is written in `ADVICE`: a clause that begins with what to do (`; name another file`), a command between
backquotes, the values there are to choose from (`there are a, b`), what a value must be, or a key or an option and what it does
(`; e opens its file`). The message is read where it is raised, by the literal text in it; a name is followed to what is assigned
to it in the same function, a function to what it returns, a parameter to what its callers give.

Which errors a person reads is decided by type: `ModexError` and everything below it, faults of files, and click's usage errors.
An error that only our own code catches derives from none of them. A `ModelCallError` and a `JudgeError` end one sample and no
command: they are stored beside it with a type, in the provider's own words; what to do about each type stands in
`modex.core.foundation.errors.ADVICE`, which is complete, and is said where the message does not say it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from modex.core.config.options import OPTIONS
from modex.core.foundation.errors import ErrorType, advice_on
from modex.core.llm import faults
from modex.core.llm.faults.reading import context_window, no_attachments
from modex.tui.cli import COMMANDS
from tests.rows import each_row

ROOT = Path(__file__).parents[1]
READ = {"ModexError", "FileFaultError", "UsageError", "BadParameter"}
"""Errors whose message is shown to a person, with everything that derives from them."""
OF_A_SAMPLE = {"ModelCallError", "JudgeError"}
FINDINGS = "SuiteError"
"""Holds findings of files, each with words of its own."""

VERBS = """
add allow ask change check chmod choose close compare continue convert copy correct define delete draw end export free give
ignore install judge keep label leave let list look loosen lower make mend move name open pass pick press put raise read
record remove rename repeat report resume run save say see select set shorten show split start stop switch take try turn type
upgrade use wait watch write
"""
ADVICE = re.compile(
    rf"(?:^|[;:,.(?] |\bor |\band |\bthen |\bfirst, |, not |\()(?:{'|'.join(VERBS.split())})\b"
    r"|`[^`]+`"
    r"|[;:(] ?(?:[a-z]|--?[a-z-]+(?: [A-Z]+)*) (?:\w+ )?\w+s\b"
    r"|\b(?:there (?:are|is only)|known are|those are|did you mean|one of|is one|must|needs? an?)\b",
    re.IGNORECASE,
)
CARRIED = {"problem", "problems", "advice", "_last_words"}
"""Fields and functions that hand on what was said elsewhere: of a key, a filter, a worker process, a connection or a runner."""
SAID = (
    "missing_key_problem",
    "unknown_field",
    "unknown_filter",
    "screen_problem",
    "mcp_unavailable",
    "python_unavailable",
)
"""Functions whose words are not raised where they are made: each of them says what to do."""
PASSED_ON = {"str", "redact", "clean", "clean_line", "kept", "message", "sorted", "list", "tuple", "fromkeys", "keys"}


@dataclass(frozen=True)
class Function:
    """A function and where it stands."""

    path: str
    node: ast.FunctionDef | ast.AsyncFunctionDef


class Sources:
    """The parsed files of core/ and tui/, with their functions and error types by name."""

    def __init__(self) -> None:
        self.trees = {
            str(path.relative_to(ROOT)): ast.parse(path.read_text())
            for folder in ("core", "tui")
            for path in sorted((ROOT / folder).rglob("*.py"))
        }
        self.functions: dict[str, list[Function]] = defaultdict(list)
        self.calls: dict[str, list[tuple[str, ast.Call]]] = defaultdict(list)
        self.within: dict[ast.AST, Function] = {}
        self.fields: dict[str, list[tuple[ast.expr, ast.AST]]] = defaultdict(list)
        bases: dict[str, set[str]] = {}
        for path, tree in self.trees.items():
            for node, function in nodes_of(path, tree):
                if function:
                    self.within[node] = function
                if isinstance(node, ast.ClassDef):
                    bases[node.name] = {name_of(base) for base in node.bases}
                elif isinstance(node, ast.Call):
                    self.calls[name_of(node.func)].append((path, node))
                    for word in node.keywords:
                        if word.arg:
                            self.fields[word.arg].append((word.value, node))
                elif isinstance(node, ast.Assign):
                    for target in node.targets:
                        if isinstance(target, ast.Attribute):
                            self.fields[target.attr].append((node.value, node))
                elif function and node is function.node:
                    self.functions[function.node.name].append(function)
        self.read = below(READ, bases) - below(OF_A_SAMPLE, bases)

    def raised(self) -> Iterator[tuple[str, ast.Call]]:
        """Every place that makes an error which a person reads."""
        for name in sorted(self.read - {FINDINGS}):
            yield from self.calls[name]


def nodes_of(path: str, tree: ast.Module) -> Iterator[tuple[ast.AST, Function | None]]:
    """Every node of a file with the innermost function that holds it, from the outermost ones inwards."""
    todo: list[tuple[ast.AST, Function | None]] = [(tree, None)]
    for node, above in todo:  # which grows
        function = Function(path, node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else above
        yield node, function
        for value in vars(node).values():
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                    todo.append((child, function))


def below(names: set[str], bases: dict[str, set[str]]) -> set[str]:
    """These classes and all that derive from them."""
    found = set(names)
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def name_of(node: ast.expr) -> str:
    """The last part of a name: `click.UsageError` is `UsageError`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@cache
def sources() -> Sources:
    return Sources()


def literal(node: ast.expr) -> str:
    """The text of a message as it stands there, with a sign for what is filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else "…"
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return literal(node.left) + literal(node.right)
    return "…"


def advised(node: ast.expr, seen: frozenset[ast.AST] = frozenset(), *, part: bool = False) -> bool:
    """Whether whoever reads this message learns what to do; a `part` of a message that may be empty is no advice."""
    if node in seen:
        return True
    if empty(node):
        return not part
    seen |= {node}
    if ADVICE.search(literal(node)):
        return True
    match node:
        case ast.JoinedStr():
            return any(
                advised(one.value, seen, part=True) for one in node.values if isinstance(one, ast.FormattedValue)
            )
        case ast.BinOp():
            return advised(node.left, seen, part=True) or advised(node.right, seen, part=True)
        case ast.IfExp():
            return advised(node.body, seen, part=part) and advised(node.orelse, seen, part=part)
        case ast.BoolOp():
            return all(advised(value, seen) for value in node.values[:-1]) and advised(node.values[-1], seen, part=part)
        case ast.NamedExpr():
            return advised(node.value, seen, part=part)
        case ast.Name():
            return _name(node, seen, part=part)
        case ast.Attribute():
            return _attribute(node, seen, part=part)
        case ast.Call():
            return _call(node, seen, part=part)
        case ast.GeneratorExp() | ast.ListComp():
            return advised(node.elt, seen) or any(advised(one.iter, seen) for one in node.generators)
        case ast.Starred():
            return advised(node.value, seen)
    return False


def _name(node: ast.Name, seen: frozenset[ast.AST], *, part: bool) -> bool:
    """A name: every text that is assigned to it in its function, or that callers give for it."""
    function = sources().within.get(node)
    found: list[ast.expr] = []
    scope: ast.AST = function.node if function else next(tree for tree in sources().trees.values() if holds(tree, node))
    for below in [*ast.walk(scope), *(ast.walk(module_of(node)) if function else ())]:
        match below:
            case ast.ExceptHandler(type=kind, name=node.id) if kind is not None:
                kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                return all(name_of(one) in sources().read for one in kinds)
            case ast.NamedExpr(target=ast.Name(id=node.id), value=value):
                if not advised(value, seen):  # it is said where there is something to say
                    return node.id in CARRIED
                part = False
                found.append(value)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    place_of = target.value if isinstance(target, ast.Subscript) else target
                    names = place_of.elts if isinstance(place_of, ast.Tuple) else [place_of]
                    for place, one in enumerate(names):
                        if isinstance(one, ast.Name) and one.id == node.id:
                            same = isinstance(value, ast.Tuple) and isinstance(target, ast.Tuple)
                            found.append(value.elts[place] if same and isinstance(value, ast.Tuple) else value)
            case ast.AnnAssign(target=ast.Name(id=node.id), value=ast.expr() as value):
                found.append(value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=node.id), attr="append" | "extend"), args=[value]):
                found.append(value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                if any(isinstance(one, ast.Name) and one.id == node.id for one in ast.walk(target)):
                    found.append(value)
    found = [one for one in found if not (isinstance(one, ast.List | ast.Dict) and empty(one))]
    if found:
        return node.id in CARRIED or all(advised(one, seen, part=part) for one in found)
    if node.id in CARRIED:
        return True
    return function is not None and _parameter(function, node.id, seen)


def empty(node: ast.expr) -> bool:
    """None, an empty text or an empty list: nothing that is said."""
    return (
        (isinstance(node, ast.Constant) and not node.value)
        or (isinstance(node, ast.List) and not node.elts)
        or (isinstance(node, ast.Dict) and not node.keys)
    )


def module_of(node: ast.AST) -> ast.Module:
    """The statements of a node's module that stand in no function."""
    path = sources().within[node].path
    tree = sources().trees[path]
    body = [one for one in tree.body if isinstance(one, ast.Assign | ast.AnnAssign)]
    return ast.Module(body=list(body), type_ignores=[])


def holds(tree: ast.AST, node: ast.AST) -> bool:
    """Whether `node` stands in `tree`."""
    return any(below is node for below in ast.walk(tree))


def _parameter(function: Function, name: str, seen: frozenset[ast.AST]) -> bool:
    arguments = function.node.args
    names = [one.arg for one in [*arguments.posonlyargs, *arguments.args]]
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    given = []
    called = [function.node.name]
    for path, call in [one for known in called for one in sources().calls[known]]:
        if function.node.name.startswith("_") and path != function.path:
            continue
        for word in call.keywords:
            if word.arg == name:
                given.append(word.value)
        if name in names and len(call.args) > names.index(name):
            given.append(call.args[names.index(name)])
    return bool(given) and all(advised(one, seen) for one in given)


def _attribute(node: ast.Attribute, seen: frozenset[ast.AST], *, part: bool) -> bool:
    """`error.message` of an error that is read; else every text that is put into a field of this name."""
    if node.attr == "message" and isinstance(node.value, ast.Name) and _name(node.value, seen, part=part):
        return True
    if node.attr in CARRIED:
        return True
    found = [value for value, _ in sources().fields[node.attr]]
    return bool(found) and all(advised(value, seen) for value in found)


def _call(node: ast.Call, seen: frozenset[ast.AST], *, part: bool) -> bool:
    """What a function returns or yields; a function that passes text on is looked through."""
    name = name_of(node.func)
    if name in PASSED_ON and node.args:
        return advised(node.args[0], seen, part=part)
    if name in ("join", "values", "strip") and isinstance(node.func, ast.Attribute):
        return any(advised(one, seen) for one in [*node.args, node.func.value])
    if name in sources().read or name in CARRIED:
        return True  # looked at by itself
    known = list(sources().functions[name])
    path = sources().within[node].path if node in sources().within else ""
    known = [one for one in known if one.path == path] or known
    said = []
    for function in known:
        for below in ast.walk(function.node):
            if isinstance(below, ast.Return | ast.Yield) and sources().within[below] is function and below.value:
                said += texts(below.value)
    return bool(said) and all(advised(one, seen, part=part) for one in said)


def texts(node: ast.expr) -> list[ast.expr]:
    """Each way that an answer can be."""
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    if isinstance(node, ast.Tuple | ast.List):
        return list(node.elts)
    return [node]


def message_of(call: ast.Call) -> ast.expr | None:
    """Its message; an error without one says what its docstring says, to our own code."""
    return call.args[0] if call.args else None


def without_advice() -> list[str]:
    """Every place that leaves a person alone, as `file:line: message`."""
    found = []
    for path, call in sources().raised():
        message = message_of(call)
        if message is not None and not advised(message):
            found.append(f"{path}:{call.lineno}: {ast.unparse(message)}")
    return sorted(found)


def test_every_error_says_what_to_do_next() -> None:
    assert not without_advice(), "\n".join(["say what to do or type next:", *without_advice()])


def test_every_mistake_that_check_finds_says_what_to_do() -> None:
    found = [
        f"{path}:{call.lineno}: {ast.unparse(message)}"
        for name in ("problem", "add")
        for path, call in sources().calls[name]
        if path.startswith("core/suite/") and len(call.args) > 1
        for message in call.args[-1:]
        if isinstance(message, ast.JoinedStr | ast.Constant) and not advised(message)
    ]
    # What a key must be is said by the checks of core/suite/keys.py, which core/suite/report.py hands on.
    found = [one for one in found if not one.startswith("core/suite/report.py")]
    assert not found, "\n".join(["say what to do or type next:", *found])


@each_row("name", SAID)
def test_words_that_are_handed_on_say_it_too(name: str) -> None:
    call = ast.Call(ast.Name(name), [], [])
    assert advised(call), name


@each_row("kind", ErrorType)
def test_every_kind_of_error_of_a_sample_says_what_to_do(kind: ErrorType) -> None:
    said = advice_on(kind)
    assert ADVICE.search(said), said
    assert len(said) <= 68  # a line of 80 columns, behind its label
    assert advice_on(str(kind)) == said  # as it is stored


@each_row("kind", [None, "", "imported_error", "damaged_row"])
def test_kinds_of_other_programs_have_none(kind: str | None) -> None:
    assert not advice_on(kind)


@each_row("kind", ErrorType)
def test_options_and_commands_that_are_advised_are_there(kind: ErrorType) -> None:
    known = {"--" + option.name.replace("_", "-") for option in OPTIONS}
    known |= {"--no-" + name[2:] for name in known} | {"--more-tokens", "--bundle"}
    assert set(re.findall(r"--[a-z-]+", advice_on(kind))) <= known
    assert set(re.findall(r"`modex ([a-z]+)", advice_on(kind))) <= set(COMMANDS)


def test_what_a_message_advises_is_not_said_again() -> None:
    who = faults.Provider("m", "SOME_KEY", "http://127.0.0.1:9/v1")
    told = [
        faults.from_status(who, 401, "no", {}),
        faults.from_status(who, 402, "no", {}),
        faults.from_status(who, 403, "no", {}),
        faults.from_status(who, 404, "no", {}),
        faults.timed_out(who, 3.0),
        context_window(who, faults.ProviderWords("no"), 400),
        no_attachments(who, faults.ProviderWords("no"), 400),
    ]
    assert [str(error) for error in told if advice_on(error.error_type, str(error))] == []
    plain = [
        faults.from_status(who, 429, "Rate limit reached: please try again in 20 s (see our limits)", {}),
        faults.from_status(who, 503, "overloaded; come back later", {}),
        faults.content_filter(who),
        faults.too_large(who),
        faults.empty_choices(who),
    ]
    assert [str(error) for error in plain if not advice_on(error.error_type, str(error))] == []


def test_the_errors_are_found() -> None:
    assert len(list(sources().raised())) > 300


@each_row(
    "said",
    ["{path}: cannot be read", "there is no such run", "the key was refused", "{path}: {error}", "a run reads 3 files"],
)
def test_what_only_says_what_is_wrong_is_no_advice(said: str) -> None:
    assert not ADVICE.search(said.replace("{", "…").replace("}", ""))


@each_row(
    "said",
    [
        "x: is there; name another",
        "no key: set OPENAI_API_KEY",
        "it is over; `modex show x` shows it",
        "no a; there are b, c",
    ],
)
def test_what_says_what_to_type_is_advice(said: str) -> None:
    assert ADVICE.search(said)
