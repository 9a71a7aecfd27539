"""A name says one thing: no two public classes of the program share theirs."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.guards import ROOT


def test_no_two_public_classes_share_a_name() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for folder in ("core", "tui"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(file.relative_to(ROOT)))
    assert {name: files for name, files in found.items() if len(files) > 1} == {}, "name each by what it is"
    assert len(found) > 500
