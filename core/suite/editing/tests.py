"""Tests of a suite duplicated, moved, switched off and on, and deleted: each as the edit of its files."""

from __future__ import annotations

import json
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.definitions import Suite, TestCase
from modex.core.suite.editing.changes import FileChange, SuiteEdit, read_file
from modex.core.suite.editing.jsonedit import set_key, without_key
from modex.core.suite.editing.places import (
    checked_id,
    folder_of,
    free_file,
    free_id,
    layer_file,
    others_with,
    taken,
    written,
)


def duplicate(suite: Suite, test: TestCase, identity: str = "") -> SuiteEdit:
    """A copy of the test with an id of its own: a file beside its file, or a line below its line.

    Raises:
        ConfigurationError: the id is taken or none, or the test cannot be read.
    """
    place = written(suite, test)
    known = taken(suite, test.domain, test.level)
    identity = checked_id(identity) if identity.strip() else free_id(f"{test.test_id}_copy", known)
    if identity in known:
        raise ConfigurationError(f"{test.domain}/{test.level} has a test '{identity}' already; give another id")
    text = _set(place.text, place.path, {"id": identity})
    if place.line is None:
        folder = place.path.rpartition("/")[0]
        changes = [FileChange(free_file(suite, folder, identity), None, text.encode())]
    else:
        changes = [FileChange(place.path, place.whole.encode(), place.and_after(text))]
    changes += _layer_copied(suite, test, f"{identity}.md")
    name = f"{test.domain}/{test.level}/{identity}"
    return SuiteEdit(f"{_name(test)} copied to {name}", tuple(changes), name)


def move(suite: Suite, test: TestCase, domain: str, level: int) -> SuiteEdit:
    """The test in another level or domain; what it inherited and the new place has otherwise is written down in it.

    Raises:
        ConfigurationError: there is no such domain or level, the id is taken there, or a file is in the way.
    """
    place = written(suite, test)
    if not 1 <= level <= 5:
        raise ConfigurationError("a level must be a number from 1 to 5")
    folder = f"{folder_of(suite, domain)}/level_{level}"
    if (domain, level) == (test.domain, test.level):
        raise ConfigurationError(f"{_name(test)} stands there already; name another domain or level")
    if test.test_id in taken(suite, domain, level):
        raise ConfigurationError(f"{domain}/{level} has a test '{test.test_id}' already; rename one of them")
    data = _object(place.text, place.path)
    sets: dict[str, Any] = {key: value for key, value in (("domain", domain), ("level", level)) if key in data}
    sets |= _inherited(suite, test, data, domain, folder)
    text = _set(place.text, place.path, sets)
    target = f"{folder}/{place.path.rpartition('/')[2]}"
    if place.line is None:
        if (suite.root / target).exists():
            target = free_file(suite, folder, test.test_id)
        after = text.encode()
        before = None
    else:
        before = read_file(suite.root, target)
        after = _appended(before or b"", text.rstrip("\r"))
    changes = [
        FileChange(target, before, after),
        FileChange(place.path, place.whole.encode(), place.without()),
    ]
    if domain != test.domain:
        changes += _layer_moved(suite, test, domain)
    name = f"{domain}/{level}/{test.test_id}"
    kept = [key for key in sets if key not in ("domain", "level")]
    words = f"{_name(test)} moved to {domain}/{level}"
    return SuiteEdit(words + (f", with its {' and '.join(kept)} written down" if kept else ""), tuple(changes), name)


def switch(suite: Suite, test: TestCase, *, on: bool) -> SuiteEdit:
    """The test switched off, or on again: `enabled` in its definition, which runs leave out unless `--test` names it.

    Raises:
        ConfigurationError: it is its level or its domain that is switched off, or the test cannot be read.
    """
    place = written(suite, test)
    data = _object(place.text, place.path)
    if on and data.get("enabled") is not False:
        where = "domain.json" if test.disabled_by == "domain" else "level.json"
        raise ConfigurationError(f"it is switched off by its {where}, not by itself: e opens that file")
    try:
        text = without_key(place.text, "enabled") if on else set_key(place.text, "enabled", False)
    except ValueError as error:
        raise ConfigurationError(f"{place.path}: {error}; e opens its file") from error
    changes = (FileChange(place.path, place.whole.encode(), place.with_text(text)),)
    return SuiteEdit(f"{_name(test)} switched {'on' if on else 'off'}", changes, _name(test))


def delete(suite: Suite, test: TestCase) -> SuiteEdit:
    """The test taken out, with the layer that only it has.

    Raises:
        ConfigurationError: the test cannot be read.
    """
    place = written(suite, test)
    changes = [FileChange(place.path, place.whole.encode(), place.without())]
    layer = layer_file(test)
    if layer is not None and not others_with(suite, test):
        path = layer.location.path
        changes.append(FileChange(path, read_file(suite.root, path), None))
    return SuiteEdit(f"{_name(test)} deleted", tuple(changes))


def _name(test: TestCase) -> str:
    return f"{test.domain}/{test.level}/{test.test_id}"


def _object(text: str, path: str) -> dict[str, Any]:
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: the test is no JSON object; e opens its file")
    return data


def _set(text: str, path: str, values: dict[str, Any]) -> str:
    try:
        for key, value in values.items():
            text = set_key(text, key, value)
    except ValueError as error:
        raise ConfigurationError(f"{path}: {error}; e opens its file") from error
    return text


def _inherited(suite: Suite, test: TestCase, data: dict[str, Any], domain: str, folder: str) -> dict[str, Any]:
    """What the test has from its level and domain and would have otherwise in `folder`, so that it stays the same test."""
    there = suite.domains[domain]
    content = read_file(suite.root, f"{folder}/level.json")
    try:
        level = json.loads(content.decode().removeprefix("\ufeff")) if content else {}
    except ValueError:
        level = {}
    level = level if isinstance(level, dict) else {}
    sets: dict[str, Any] = {}
    evaluator = level.get("evaluator_id") or there.evaluator_id
    if data.get("evaluator_id") is None and test.evaluator_id not in ("", evaluator):
        sets["evaluator_id"] = test.evaluator_id
    if data.get("tool_ids") is None:
        own = {tool.get("id") or tool.get("name") for tool in data.get("tools") or () if isinstance(tool, dict)}
        offered = [name for name in test.tool_ids if name not in own and name in suite.tools]
        given = level.get("tool_ids")
        if offered != (given if isinstance(given, list) else list(there.tool_ids)):
            sets["tool_ids"] = offered
    return sets


def _appended(content: bytes, line: str) -> bytes:
    end = b"\r\n" if b"\r\n" in content else b"\n"
    if content and not content.endswith(b"\n"):
        content += end
    return content + line.encode() + end


def _layer_copied(suite: Suite, test: TestCase, name: str) -> list[FileChange]:
    """The test's layer in Markdown beside itself under another name."""
    layer = layer_file(test)
    if layer is None:
        return []
    path = f"{layer.location.path.rpartition('/')[0]}/{name}"
    return [_new(suite, path, read_file(suite.root, layer.location.path))]


def _layer_moved(suite: Suite, test: TestCase, domain: str) -> list[FileChange]:
    """The test's layer in Markdown in the folder of another domain's; it stays where another test has it too."""
    layer = layer_file(test)
    if layer is None:
        return []
    source = layer.location.path
    content = read_file(suite.root, source)
    folder = folder_of(suite, domain).rpartition("/")[2]
    changes = [_new(suite, f"prompts/{folder}/{source.rpartition('/')[2]}", content)]
    return changes if others_with(suite, test) else [*changes, FileChange(source, content, None)]


def _new(suite: Suite, path: str, content: bytes | None) -> FileChange:
    if (suite.root / path).exists():
        raise ConfigurationError(f"{path}: is there already; move it away first")
    return FileChange(path, None, content)
