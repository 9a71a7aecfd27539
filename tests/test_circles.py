"""No module of the program imports itself by way of others: not for types, and not inside a function either."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from tests.guards import ROOT

Graph = Mapping[str, frozenset[str]]


def imported(name: str, path: Path, files: Container[str]) -> Iterator[str]:
    """Every one of `files` that a file names in an import, wherever in it that stands."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in statements(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in files)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for one in node.names:
                inner = f"{module}.{one.name}"
                yield from (found for found in (inner if inner in files else module,) if found in files)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement of a file; what stands inside an expression cannot import."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield node
            yield from statements(node)


def packages(module: str) -> set[str]:
    """The packages around a module: to import it runs them first."""
    parts = module.split(".")
    return {".".join(parts[:number]) for number in range(1, len(parts))}


def graph(root: Path, tops: tuple[str, ...]) -> Graph:
    """What each module below the folders `tops` imports of the others, and of the packages that lie around these alone."""
    files = {}
    for path in (path for top in tops for path in (root / top).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        files[".".join(("modex", *(parts[:-1] if path.name == "__init__.py" else parts)))] = path
    found = {}
    for name, path in files.items():
        named = set(imported(name, path, files))
        around = {package for one in named for package in packages(one) if package in files} - packages(name)
        found[name] = frozenset((named | around) - {name})
    return found


def circles(imports: Graph) -> list[list[str]]:
    """One circle, as the modules in the order in which they import each other, of each knot of the graph."""
    knots, done = [], set[str]()
    reached = {start: _reached(imports, start) for start in imports}
    for start in sorted(imports):
        if start in done or start not in reached[start]:
            continue
        knot = {other for other in reached[start] if start in reached[other]}
        done |= knot
        knots.append(_shortest(imports, start, knot))
    return knots


def _reached(imports: Graph, start: str) -> set[str]:
    found, ahead = set[str](), list(imports[start])
    while ahead:
        if (module := ahead.pop()) not in found:
            found.add(module)
            ahead += imports[module]
    return found


def _shortest(imports: Graph, start: str, knot: set[str]) -> list[str]:
    ways = [[start]]
    for way in ways:
        for after in sorted(imports[way[-1]] & knot):
            if after == start:
                return [*way, start]
            if after not in way:
                ways.append([*way, after])
    raise AssertionError(f"no circle through {start}")


def test_no_module_imports_in_a_circle() -> None:
    assert [" -> ".join(one) for one in circles(graph(ROOT, ("core", "tui")))] == []


def test_a_circle_is_named_however_it_is_closed(tmp_path: Path) -> None:
    top = tmp_path / "core"
    (top / "shut").mkdir(parents=True)
    written = {
        "__init__.py": "",
        "a.py": "def f():\n    from modex.core import b\n",
        "b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .c import C\n",
        "c.py": "import modex.core.a\n",
        "alone.py": "from modex.core import a, shut\n",
        "shut/__init__.py": "from modex.core.shut.inner import thing\n",
        "shut/inner.py": "from modex.core.user import other\n",
        "shut/leaf.py": "",
        "user.py": "from modex.core.shut import leaf\n",
    }
    for name, text in written.items():
        (top / name).write_text(text)
    assert circles(graph(tmp_path, ("core",))) == [
        ["modex.core.a", "modex.core.b", "modex.core.c", "modex.core.a"],
        ["modex.core.shut", "modex.core.shut.inner", "modex.core.user", "modex.core.shut"],
    ]
