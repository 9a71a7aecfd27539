"""What files of a workspace must hold, and whether they do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.evaluators.code.cases import same_value
from modex.core.evaluators.code.outputs import difference
from modex.core.sandbox.workspace.box import FOLDER
from modex.core.sandbox.workspace.spec import path_fault
from modex.core.sandbox.workspace.tree import TreeEntry

_MAX_LINKS = 40
FORMS = ("contains", "json", "absent")


def content_faults(files: Any) -> Iterator[str]:
    """What is wrong with `expected.files`, one message each."""
    if not isinstance(files, Mapping) or not files:
        yield 'expected.files must be an object such as {"answer.txt": "42"}'
        return
    for path, wanted in files.items():
        if (fault := path_fault(path)) is not None:
            yield f"expected.files: {path[:80]!r} {fault}"
        if isinstance(wanted, str):
            continue
        if not isinstance(wanted, Mapping) or len(wanted) != 1 or (form := next(iter(wanted))) not in FORMS:
            yield f"expected.files: {path[:80]!r} must have its text, or an object with one of {', '.join(FORMS)}"
        elif form == "contains" and not _texts(wanted[form]):
            yield f"expected.files: {path[:80]!r}: contains must be a text or a list of texts"
        elif form == "absent" and wanted[form] is not True:
            yield f"expected.files: {path[:80]!r}: absent can be true only"


def content_wrong(path: str, wanted: Any, tree: Mapping[str, TreeEntry]) -> str | None:
    """What is wrong with the file at `path`, in words; None where it is as wanted. Links within count."""
    entry = tree.get(path)
    if isinstance(wanted, Mapping) and "absent" in wanted:
        return None if entry is None else "it is still there"
    entry = tree.get(led) if (led := _led(path, tree)) is not None else entry
    if entry is None:
        return "it is not there"
    if entry.kind != "file":
        return f"it is a {entry.kind}"
    text = entry.data.decode("utf-8", "replace")
    if isinstance(wanted, str):
        return difference(text, wanted)
    if "contains" in wanted:
        missing = next((one for one in _texts(wanted["contains"]) if one not in text), None)
        return None if missing is None else f"it does not hold {missing[:80]!r}"
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return "it is no JSON"
    return None if same_value(found, wanted["json"]) else f"it holds {text.strip()[:80]!r}"


def _led(path: str, tree: Mapping[str, TreeEntry]) -> str | None:
    """The path behind all links; None where they leave the folder or lead in a circle (path_resolution(7): 40 at most)."""
    steps, found, followed = path.split("/"), list[str](), 0
    while steps:
        step = steps.pop(0)
        if step == "..":
            if not found:
                return None
            found.pop()
        elif step not in ("", "."):
            found.append(step)
        entry = tree.get("/".join(found))
        if entry is None or entry.kind != "link":
            continue
        leads, followed = os.fsdecode(entry.data), followed + 1
        if leads.startswith(f"{FOLDER}/"):
            found, leads = [], leads.removeprefix(f"{FOLDER}/")
        elif leads.startswith("/"):
            return None
        else:
            found.pop()
        if followed > _MAX_LINKS:
            return None
        steps = [*leads.split("/"), *steps]
    return "/".join(found)


def _texts(value: Any) -> list[str]:
    values = [value] if isinstance(value, str) else value
    plain = isinstance(values, list) and all(isinstance(one, str) and one for one in values)
    return values if plain else []
