"""Writing a suite of another system in our form: every file that was translated, and a copy of what needed no word."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable
from itertools import count
from pathlib import Path
from typing import Any

from modex.core.evaluators.registry import default_configs
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.assembly import checks
from modex.core.suite.checking import check_suite
from modex.core.suite.definitions import TestCase
from modex.core.suite.domains import LEVELS
from modex.core.suite.judge_templates import escaped
from modex.core.suite.layers import fold
from modex.core.suite.live_tools import LIVE_TOOLS
from modex.core.suite.loading import read_suite
from modex.core.suite.state import RESERVED, Loading
from modex.core.suite.tool_files import called

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

    What cannot be used here (a test that cannot run, a tool or an evaluator with a mistake) goes into `LEFT_OUT` there, so that
    `out` has no mistake.

    Raises:
        ConfigurationError: `directory` holds no suite of another system, or `out` is not empty.
    """
    empty_folder(out)
    loading = read_suite(directory, builtin_evaluators)
    if loading.dialect is None:
        raise ConfigurationError(
            f"{directory} bears no sign of another system; where it is one's all the same, "
            'say so in a suite.json there: {"dialect": "evonic"}'
        )
    suite = loading.suite
    check_suite(suite, checks(suite), default_configs())
    for name, data in _used_stand_ins(loading).items():
        write_json(out / DEFINITIONS / "tools" / f"{name}.json", data)
    taken: set[Path] = set()
    for path, spoken in loading.spoken.items():
        kept = [value for line, data in spoken if (value := _carried(path, line, data, loading)) is not None]
        left = [data for line, data in spoken if not any(data is value for value in kept)]
        place = _place(path, loading)
        if place in taken and _in_level(path):
            place = next(name for name in _numbered(place) if name not in taken)
        elif place in taken:  # of a second folder for what another has already
            kept, left = [], [data for _, data in spoken]
        for base, where, values in ((out, place, kept), (out / LEFT_OUT, Path(path), left)):
            if values:
                _write_values(base / where, values)
        if kept:
            taken.add(place)
    _leave_out_unread(loading, out)
    mode = "append" if loading.tools_append else "overwrite"
    settings = {"dialect": "modex", "tool_ids_mode": mode, "ignore_case": loading.ignore_case}
    write_json(out / DEFINITIONS / "suite.json", settings)
    if loading.fixture:
        (out / loading.fixture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(loading.suite.root / loading.fixture, out / loading.fixture)
    for folder in _COPIED:
        if (suite.root / folder).is_dir() and not (out / folder).exists():
            shutil.copytree(suite.root / folder, out / folder)
    for attachment in {one for test in suite.tests if not test.invalid for one in test.attachments}:
        (out / attachment.name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(attachment.path, out / attachment.name)
    return loading


def _used_stand_ins(loading: Loading) -> dict[str, dict[str, Any]]:
    """The tools of the other system's own code that a test is offered."""
    used = {name for test in loading.suite.tests for name in test.tool_ids}
    return {name: data for name, data in loading.stand_ins.items() if name in used}


def _in_level(path: str) -> bool:
    """Whether a file stands in a level of a domain."""
    return any(folder in LEVELS for folder in path.split("/")[:-1])


def _numbered(place: Path) -> Iterable[Path]:
    """Other names for a file."""
    return (place.with_name(f"{place.stem}_{number}{place.suffix}") for number in count(2))


def _leave_out_unread(loading: Loading, out: Path) -> None:
    """Put copies of files of which no test could be read beside what is written."""
    for path in {test.location.path for test in loading.suite.tests if test.invalid} - loading.spoken.keys():
        (out / LEFT_OUT / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(loading.suite.root / path, out / LEFT_OUT / path)


def _carried(path: str, line: int, value: dict[str, Any], loading: Loading) -> dict[str, Any] | None:
    """An object as it is written here, changed in place; None where it cannot be used, so that it is left out."""
    suite = loading.suite
    known = {*suite.tools, *LIVE_TOOLS}
    if isinstance(ids := value.get("tool_ids"), list):  # what is not here is left out of what is offered there, too
        value["tool_ids"] = [one for one in ids if one in known]
    *folders, name = path.split("/")
    tool = suite.tools.get(called(value))
    if name == "domain.json" or _in_level(path):
        return _carried_domain(path, line, value, loading)
    if "tools" in folders or "tool_mocks" in folders:  # two of one name are a mistake in our form: the first is taken
        return value if tool is not None and tool.location.path == path else None
    if "evaluators" in folders or "custom_evaluators" in folders:
        own = suite.evaluators.get(str(value.get("id")))
        if own is None or own.id in loading.broken_evaluators or own.location is None or own.location.path != path:
            return None
        if isinstance(prompt := value.get("eval_prompt"), str):
            value["eval_prompt"] = escaped(prompt)
    return value


def _carried_domain(path: str, line: int, value: dict[str, Any], loading: Loading) -> dict[str, Any] | None:
    """As `_carried`, of a file of a domain."""
    suite = loading.suite
    *folders, name = path.split("/")
    if name in ("domain.json", "level.json"):
        if name == "domain.json" and folders[-1] in RESERVED:
            value.setdefault("id", folders[-1])
        usable = {*loading.builtins, *suite.evaluators} - loading.broken_evaluators.keys()
        if value.get("evaluator_id") not in usable:
            value.pop("evaluator_id", None)
        return None if any(problem.path == path for problem in suite.problems) else value
    here = (test for test in suite.tests if test.location.path == path and test.location.line == (line or 1))
    test = next((one for one in here if not one.invalid), None)
    if test is None:
        return None
    if folders[0] != loading.definitions and suite.domains[test.domain].location.path.split("/")[0] != folders[0]:
        value |= {"evaluator_id": test.evaluator_id, "tool_ids": list(test.tool_ids)}  # of its own domain.json, of two
        if test.layers:
            value |= {"system_prompt": fold(test.layers) or "", "system_prompt_mode": "overwrite"}
    return _of_test(value, test)


def _of_test(value: dict[str, Any], test: TestCase) -> dict[str, Any]:
    """A test's object without the tools and files of it that are not there."""
    if isinstance(tools := value.get("tools"), list):
        offered = {tool.id for tool in test.tools}
        value["tools"] = [tool for tool in tools if called(tool) in offered]
    there = {attachment.name for attachment in test.attachments}
    for key in ("file_name", "files"):
        if isinstance(names := value.get(key), list):
            value[key] = [name for name in names if name in there]
        elif isinstance(names, str) and names not in there:
            value.pop(key)
    return value


def _write_values(place: Path, values: list[dict[str, Any]]) -> None:
    if place.suffix.lower() in (".jsonl", ".ndjson"):
        _write_lines(place, values)
    else:
        write_json(place, values[0] if len(values) == 1 else values)


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
    if parts[0] in RESERVED and (parts[1] == "domain.json" or parts[1] in LEVELS):
        parts[0] = f"{parts[0]}_domain"  # in our form the name is that of another folder
    return Path(DEFINITIONS, *parts)
