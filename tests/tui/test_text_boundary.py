"""No text reaches a widget but through `modex.tui.look.text`: read from the source of every module of `tui`."""

from __future__ import annotations

import ast
from pathlib import Path

from modex import tui

ROOT = Path(tui.__file__).parent
SHOWS = {"Static": 0, "Label": 0, "Option": 0, "add_option": 0, "update": 0, "notify": 0, "add_leaf": 0, "Markdown": 0}
"""Calls that show their first argument; a literal is our own, anything else must come from the boundary."""
SAFE = {"plain", "line", "message", "shown", "fit", "fit_middle", "clean", "clean_line", "tidy"}
TITLES = {"border_title", "border_subtitle", "tooltip", "placeholder", "sub_title"}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in ("commands", "plain"))


def _is_safe(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.IfExp):
        return _is_safe(node.body) and _is_safe(node.orelse)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in SAFE
    return False


def raw_strings(source: str) -> list[int]:
    """The lines on which something that is not literal and not cleaned is shown."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "update" and isinstance(node.func, ast.Attribute) and not _is_widget(node.func.value):
                continue
            if name in SHOWS and node.args and not _is_safe(node.args[0]):
                found.append(node.lineno)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr in TITLES and not _is_safe(node.value):
                    found.append(node.lineno)
    return found


def _is_widget(node: ast.expr) -> bool:
    """Whether `node.update(...)` is a widget's: a query for one, not a dict."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("query")


def test_no_widget_is_given_text_that_was_not_cleaned() -> None:
    found = {str(path.relative_to(ROOT)): raw_strings(path.read_text()) for path in MODULES}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_the_check_finds_raw_text() -> None:
    shown = "Static(name)\nself.notify(f'{x}')\nw.border_title = run.model\nStatic(line(name))"
    assert sorted(raw_strings(shown)) == [1, 2, 3]


def test_segments_are_made_only_where_text_is_cleaned() -> None:
    makes = {
        path.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Segment", "Text")
    }
    assert makes == {"paint.py", "crash.py"}
