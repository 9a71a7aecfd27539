"""What the package declares is what it imports, and what it needs to run elsewhere."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SHELLS = {"pydantic-monty-client": "pydantic-monty"}
"""Distributions that hold the modules of another one, which is only a list of requirements."""
FOLDERS = ("core", "tui", "plugins")
OURS = {"modex", "plugins"}
IMPORTS = re.compile(r"^\s*(?:import|from) ([^.\s].*)", re.MULTILINE)
"""Lines that look like imports; the linter leaves one module to a line."""


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project


BROUGHT = {"aiohttp", "httpx", "huggingface-hub", "requests", "tornado"}
"""Clients and servers that litellm and distributed bring: ours reaches into them where they are, and needs none of them."""


def _declared(requirements: list[str]) -> set[str]:
    return {_normal(re.split(r"[\[<>=!~ ;]", requirement, maxsplit=1)[0]) for requirement in requirements}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported(declared: set[str]) -> dict[str, str]:
    """Every distribution that the program imports, with a file that does; the declared one where several hold a module."""
    found: dict[str, str] = {}
    known = packages_distributions()
    ours = OURS | set(sys.stdlib_module_names)
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            if {re.split(r"[ .,]", name)[0] for name in IMPORTS.findall(text)} <= ours:
                continue  # to parse what imports nothing foreign takes seconds in all
            for node in ast.walk(ast.parse(text)):
                names = (
                    [alias.name for alias in node.names] if isinstance(node, ast.Import)
                    else [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level
                    else []
                )  # fmt: skip
                for top in {name.partition(".")[0] for name in names} - ours:
                    holders = {SHELLS.get(_normal(name), _normal(name)) for name in known.get(top, [top])}
                    found.update(dict.fromkeys(holders & declared or holders, str(path.relative_to(ROOT))))
    return found


def test_every_import_is_declared_and_every_declared_package_is_imported() -> None:
    project = _project()
    optional = [name for names in project["optional-dependencies"].values() for name in names]
    declared = _declared(project["dependencies"])
    imported = _imported(declared | _declared(optional))
    known = declared | _declared(optional) | BROUGHT
    undeclared = {name: path for name, path in imported.items() if name not in known}
    assert not undeclared
    assert declared <= set(imported), "declared, never imported"


def test_the_metadata_say_where_it_runs() -> None:
    project = _project()
    assert project["requires-python"] == ">=3.11"
    assert "Operating System :: POSIX" in project["classifiers"]
    assert not any("Windows" in line for line in project["classifiers"])
    assert (ROOT / ".src" / "modex" / "py.typed").exists()


def test_the_wheel_holds_the_bundled_suite() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    for name in ("test_definitions", "prompts", "tool_mocks", "plugins"):
        assert build["wheel"]["force-include"][name] == f"modex/core/bundled/{name}"
        assert f"/{name}" in build["sdist"]["include"]
    assert not list((ROOT / "plugins").rglob("making"))
