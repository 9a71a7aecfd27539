"""Plugins and agents written for 0.1.0 and 0.2.0 import `core.api`: they go on in a run of modex, and are told the new line.

`core` is a name that a user's own folder may have. So the old names are looked for last of all, after whatever else is called so.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

_OLD = "core"
_NEW = "modex.core"
_PUBLIC = "core.api"
"""What plugins were told to import; its names stand in `modex` itself."""


def allow_old_imports() -> None:
    """Let this process import `core.api`, and what else was called `core.…`, where nothing of the user's is called so."""
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        sys.meta_path.append(_OldNames())
        sys.meta_path.insert(0, _OldParts())


def old_imports(path: Path, text: bytes) -> list[tuple[int, str]]:
    """The lines of `path` that import an old name, each with a sentence that gives the new line; none of what is no Python."""
    try:
        tree = ast.parse(text, str(path))
    except (SyntaxError, ValueError, RecursionError):
        return []
    beside = _names_beside(path)
    return [] if _OLD in beside else list(_told(ast.walk(tree)))


def _names_beside(path: Path) -> set[str]:
    """What a plugin's own suite calls its modules: one named `core` is the user's, and is not spoken of."""
    return {one.stem for folder in (path.parent, path.parent.parent) for one in folder.iterdir()}


def _told(nodes: Iterable[ast.AST]) -> Iterable[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level and _is_known(node.module or ""):
            names = ", ".join(ast.unparse(name) for name in node.names)
            yield node.lineno, f"`from {node.module} import …` is an old name; write `{_new_line(node, names)}`"
        elif isinstance(node, ast.Import):
            for name in node.names:
                if _is_known(name.name):
                    yield node.lineno, f"`import {name.name}` is an old name; write `{_new_import(name)}`"


def _new_line(node: ast.ImportFrom, names: str) -> str:
    if node.module == _OLD and [name.name for name in node.names] == ["api"]:
        return f"import modex as {node.names[0].asname or 'api'}"
    return f"from {_new(node.module or '')} import {names}"


def _new_import(name: ast.alias) -> str:
    return f"import {_new(name.name)}" + (f" as {name.asname}" if name.asname else "")


def _new(name: str) -> str:
    """What a module is called now."""
    return "modex" if name == _PUBLIC else f"modex.{name}"


def _is_known(module: str) -> bool:
    """Whether it is an old name of something that is there; what no plugin was told to import may be gone."""
    return _is_old(module) and (module in (_OLD, _PUBLIC) or importlib.util.find_spec(_new(module)) is not None)


def _is_old(module: str) -> bool:
    return module == _OLD or module.startswith(f"{_OLD}.")


class _OldNames(MetaPathFinder, Loader):
    """Finds `core` and `core.…` as what they are called now: the same modules, not copies, or a registry would be there twice."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if not _is_old(fullname):
            return None
        return ModuleSpec(fullname, self) if importlib.util.find_spec(_new(fullname)) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_new(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just written the old name's spec into the module, which has one of its own.
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__ = spec.loader_state


class _OldParts(_OldNames):
    """Comes before Python's own finders, which would make a second module of what is ours already."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not _is_old(fullname):
            return None
        known = sys.modules.get(_OLD)
        ours = known is sys.modules[_NEW] if known is not None else fullname == _OLD and _is_the_repository()
        return super().find_spec(fullname, path, target) if ours else None


def _is_the_repository() -> bool:
    """Whether the `core` that Python would find is the folder that `modex.core` lies in: modex runs in its own repository."""
    spec = PathFinder.find_spec(_OLD)
    origin = spec.origin if spec is not None else None
    return origin is not None and Path(origin).samefile(str(sys.modules[_NEW].__file__))
