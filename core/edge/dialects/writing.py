"""Writing a suite of another system in our form: every file that was translated, and a copy of what needed no word."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.live_tools import LIVE_TOOLS
from modex.core.suite.loading import read_suite
from modex.core.suite.state import Loading

DEFINITIONS = "test_definitions"
LEFT_OUT = "left_out"
"""Folder of the tests that cannot run here, whose reasons are said."""
_COPIED = ("prompts", "tool_mocks")


def empty_folder(out: Path) -> Path:
    """`out`, where nothing is there yet.

    Raises:
        ConfigurationError: it is a file, or holds something.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigurationError(
            f"{out} is not empty; name a folder that is not there yet, so that nothing is overwritten"
        )
    return out


def write_json(path: Path, value: Any) -> None:
    """Write one file of a suite, its folder with it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _write_lines(path: Path, values: Iterable[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")


def write_tests(out: Path, domain: str, tests: Iterable[tuple[int, dict[str, Any]]], **settings: Any) -> None:
    """Write a domain with its tests, one a line and each in its level; without tests there is no domain."""
    levels: dict[int, list[str]] = {}
    for level, test in tests:
        levels.setdefault(level, []).append(json.dumps(test, ensure_ascii=False))
    folder = out / DEFINITIONS / domain
    for level, lines in levels.items():
        (folder / f"level_{level}").mkdir(parents=True, exist_ok=True)
        (folder / f"level_{level}" / f"{domain}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if levels:
        write_json(folder / "domain.json", {"id": domain, "name": domain.replace("_", " "), **settings})


def write_world(out: Path, program: str) -> None:
    """Put a copy of a program that serves another benchmark's tools into the suite: consent to the suite is for its bytes."""
    folder = out / "worlds"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).parents[1] / "worlds" / program, folder / program)


def import_suite(directory: Path, out: Path, builtin_evaluators: Collection[str]) -> Loading:
    """Write the suite at `directory` into the new folder `out`, in our form; what was read, for a report.

    Raises:
        ConfigurationError: `directory` holds no suite of another system, or `out` is not empty.
    """
    empty_folder(out)
    loading = read_suite(directory, builtin_evaluators)
    if loading.dialect is None:
        raise ConfigurationError(
            f"{directory} bears no sign of another system; where it is one's all the same, "
            'say so in a suite.json: {"dialect": "evonic"}'
        )
    without = {test.location.path for test in loading.suite.tests if test.invalid}
    known = {*loading.suite.tools, *LIVE_TOOLS}
    for values in loading.spoken.values():
        for value in values:
            if isinstance(
                ids := value.get("tool_ids"), list
            ):  # what is not here is left out of what is offered there, too
                value["tool_ids"] = [one for one in ids if one in known]
    used = {name for test in loading.suite.tests for name in test.tool_ids}
    for name, data in loading.stand_ins.items():
        if name in used:
            write_json(out / DEFINITIONS / "tools" / f"{name}.json", data)
    for path, found in loading.spoken.items():
        values = [value for value in found if not _is_another(path, value, loading)]
        if not values:
            continue
        place = _place(path, loading)
        base = out / LEFT_OUT if path in without else out
        if place.suffix.lower() in (".jsonl", ".ndjson"):
            _write_lines(base / place, values)
        else:
            write_json(base / place, values[0] if len(values) == 1 else values)
    mode = "append" if loading.tools_append else "overwrite"
    settings = {"dialect": "modex", "tool_ids_mode": mode, "ignore_case": loading.ignore_case}
    write_json(out / DEFINITIONS / "suite.json", settings)
    if loading.fixture:
        (out / loading.fixture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(loading.suite.root / loading.fixture, out / loading.fixture)
    for folder in _COPIED:
        if (loading.suite.root / folder).is_dir() and not (out / folder).exists():
            shutil.copytree(loading.suite.root / folder, out / folder)
    return loading


def _is_another(path: str, value: Mapping[str, Any], loading: Loading) -> bool:
    """Whether it is a tool of which another file's was taken: two of one name are a mistake in our form."""
    folders = path.split("/")[:-1]
    if "tools" not in folders and "tool_mocks" not in folders:
        return False
    taken = loading.suite.tools.get(str(value.get("id") or (value.get("function") or value).get("name")))
    return taken is not None and taken.location.path != path


def _place(path: str, loading: Loading) -> Path:
    """Where a file belongs in our layout: domains, evaluators and tools of several folders come together."""
    parts = path.split("/")
    others = loading.dialect.folders if loading.dialect else ()
    if parts[0] in others or parts[0] == loading.definitions:
        parts = parts[1:]
    elif parts[0] == "custom_evaluators":
        parts[0] = "evaluators"
    elif parts[0] == "tool_mocks":
        return Path(*parts)
    return Path(DEFINITIONS, *parts)
