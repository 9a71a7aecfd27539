"""One domain's folder: domain.json, its levels with their tests, and its dataset."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.suite.cases import Defaults, look_for_evaluator, merge, read_case, unreadable
from modex.core.suite.dataset_files import load_dataset
from modex.core.suite.definitions import Domain, Level, Location, PromptLayer
from modex.core.suite.keys import Table, id_fault
from modex.core.suite.offered import appends, resolve_tools, together
from modex.core.suite.prompt_files import layer_of, load_prompts, report_unused
from modex.core.suite.report import Source, reason
from modex.core.suite.state import Loading, one_object
from modex.core.suite.suggest import near_miss
from modex.core.suite.tables import DOMAIN, LEVEL

LEVELS = {f"level_{number}": number for number in range(1, 6)}
_NO_LEVEL = "a level's folder must be named level_1 to level_5"
_LEVEL_LIKE = re.compile(r"(?i)(level|lvl|lv|levl|lev)[\s_.-]*\w*|\d+")


def holds_domain(loading: Loading, name: str) -> bool:
    """Whether the folder `name` below the definitions holds a domain, whatever else its name says."""
    folder = loading.folder(loading.under(name))
    return "domain.json" in folder.files or any(level in LEVELS for level in folder.folders)


def load_domain(loading: Loading, name: str, others: dict[str, Defaults]) -> None:
    """Read the folder `name` below the definitions into the suite.

    `others` are the domains read so far, by folder, to which this one is added: a folder of another system's that has the name of
    one of them adds to that domain.
    """
    path = loading.under(name)
    folder = loading.folder(path)
    report = loading.report
    if fault := id_fault(name):
        words = f"the folder's name is the domain's id, which {fault}; rename it"
        report.problem(path, 0, words)
        if loading.dialect is not None:  # in our form this is a mistake, and nothing is run at all
            unnamed = Defaults(name, name, 1, load_prompts(loading, name), path)
            for level in (level for level in folder.folders if level in LEVELS):
                _skip(loading, f"{path}/{level}", replace(unnamed, level=LEVELS[level]), Problem(path, 0, words))
        return
    _check_names(loading, path, folder.folders, folder.files)
    levels = [level for level in folder.folders if level in LEVELS]
    if not levels and "dataset.json" not in folder.files and "domain.json" not in folder.files:
        report.note(path, 0, "holds no domain.json, level_<n>/ or dataset.json and is ignored")
        return
    prompts = load_prompts(loading, name)
    defaults = Defaults(domain=name, folder=name, level=1, prompts=prompts, hint=f"{path}/domain.json")
    above = others.get(name)
    if above is not None:
        defaults = replace(above, broken=list(above.broken), missing=dict(above.missing), hint=defaults.hint)
    domain = _domain(loading, path, name, "domain.json" in folder.files, defaults)
    if above is not None:
        domain = loading.suite.domains[above.domain]
        defaults.domain = domain.id
    elif domain.id in loading.suite.domains:
        report.problem(
            str(domain.location.path), domain.location.line, f"domain '{domain.id}' is defined already; give another id"
        )
        return
    loading.suite.domains[domain.id] = domain
    others.setdefault(name, replace(defaults))
    per_level: dict[int, tuple[PromptLayer, ...]] = {}
    stems = {"domain", *LEVELS}
    for level_name in levels:
        stems |= _load_level(
            loading,
            f"{path}/{level_name}",
            number=LEVELS[level_name],
            inherited=defaults,
            domain=domain,
            per_level=per_level,
        )
    _count_lost(loading, path, folder.folders, defaults)
    if "dataset.json" in folder.files:
        load_dataset(loading, path, defaults, per_level)
        own = {loading.suite.root / f"{path}/{file}" for file in folder.files}
        taken = {str(one.file.relative_to(loading.suite.root)) for one in loading.suite.datasets if one.file in own}
        report.notes = [note for note in report.notes if note.path not in taken or "is ignored" not in note.message]
    if above is None:
        report_unused(loading, prompts, domain.id, stems)


def _count_lost(loading: Loading, path: str, folders: list[str], defaults: Defaults) -> None:
    """Count the tests of folders that look like levels and are none as skipped, at the nearest level."""
    for name in folders:
        if name in LEVELS or not _LEVEL_LIKE.fullmatch(name):
            continue
        found = re.search(r"\d{1,9}", name)
        nearest = replace(defaults, level=min(max(int(found[0]), 1), len(LEVELS)) if found else 1, seen={})
        _skip(loading, f"{path}/{name}", nearest, Problem(f"{path}/{name}", 0, _NO_LEVEL))


def skip_loose(loading: Loading) -> None:
    """Count the tests that stand beside the domains, and in none, as skipped."""
    words = "a test stands in a level of a domain's folder; move it to <domain>/level_<n>/ there"
    where = loading.definitions
    nowhere = Defaults(where, where, 1, load_prompts(loading, where), where)
    _skip(loading, where, nowhere, Problem(where, 0, words), besides=("suite.json",))


def _skip(loading: Loading, path: str, defaults: Defaults, why: Problem, besides: tuple[str, ...] = ()) -> None:
    """Count the files of a folder that no test can be read of as skipped, by their names."""
    for file in loading.folder(path).files:
        if file.lower().endswith((".json", ".jsonl", ".ndjson")) and file not in ("level.json", *besides):
            identity = f"{path.rsplit('/', 1)[-1]}:{file}"
            loading.suite.tests.append(unreadable([why], identity, f"{path}/{file}", 1, defaults))


def _check_names(loading: Loading, path: str, folders: list[str], files: list[str]) -> None:
    """Folders and files of a domain that look like something they are not."""
    for name in folders:
        if name not in LEVELS and _LEVEL_LIKE.fullmatch(name):
            loading.report.problem(f"{path}/{name}", 0, _NO_LEVEL)
    for name in files:
        if name.endswith(".json") and name not in ("domain.json", "dataset.json"):
            meant = near_miss(name, ("domain.json", "dataset.json"))
            if meant is not None:
                loading.report.problem(f"{path}/{name}", 0, f"unknown file; did you mean '{meant}'?")
            else:
                loading.report.note(f"{path}/{name}", 0, "is ignored: tests stand in level_<n>/")


def _domain(loading: Loading, path: str, name: str, exists: bool, defaults: Defaults) -> Domain:
    """The domain, with what its file sets taken into `defaults`."""
    file = f"{path}/domain.json"
    source, data = _read(loading, file, defaults) if exists else _nothing(file)
    unknown = loading.report.check(source, data, DOMAIN)
    _settle(loading, source, data, DOMAIN, defaults)
    layer, faults = layer_of(defaults.prompts, "domain", scope="domain", data=data, source=source)
    defaults.layers = (layer,) if layer is not None else defaults.layers
    problems = loading.report.take(source) + faults
    if problems:
        defaults.broken.append(reason(problems))
    data = DOMAIN.valid(data)
    identity = data.get("id") or name
    if identity != name:
        loading.report.note(
            file, source.line_of(("id",)), f"the domain's id '{identity}' differs from its folder '{name}'"
        )
    defaults.domain = identity
    defaults.domain_enabled = data.get("enabled", defaults.domain_enabled) is not False
    return Domain(
        id=identity,
        name=data.get("name") or identity,
        location=Location(file if exists else path, 1),
        description=data.get("description") or "",
        evaluator_id=defaults.evaluator_id,
        tool_ids=defaults.tool_ids,
        enabled=defaults.domain_enabled,
        icon=data.get("icon"),
        color=data.get("color"),
        metadata={**unknown, **(data.get("metadata") or {})},
    )


def _nothing(file: str) -> tuple[Source, dict[str, Any]]:
    """What stands in a file that is not there."""
    return Source(file, "{}", line=1), {}


def _read(loading: Loading, file: str, defaults: Defaults, level: int | None = None) -> tuple[Source, dict[str, Any]]:
    """A domain.json or, with its `level`, a level.json; nothing where it cannot be read, which is remembered."""
    before = len(loading.report.problems)
    read = one_object(loading, file)
    if read is None:
        defaults.broken.append(reason(loading.report.problems[before:]))
        return _nothing(file)
    source, data = read
    if loading.dialect is not None:
        data = loading.say(source, (), loading.dialect.layer(data, level))
    return source, data


def _settle(loading: Loading, source: Source, data: dict[str, Any], table: Table, defaults: Defaults) -> None:
    """Take the valid settings of a domain.json or level.json into `defaults`, and resolve what they name."""
    valid = table.valid(data)
    above = defaults.tool_ids, defaults.tools
    merge(defaults, valid)
    evaluator = valid.get("evaluator_id")
    if evaluator is not None:
        look_for_evaluator(loading, source, ("evaluator_id",), evaluator)
    if "tool_ids" in valid:
        found = resolve_tools(loading, source, valid["tool_ids"])
        added = appends(loading, valid)
        defaults.tools, defaults.missing = found.tools, {**(defaults.missing if added else {}), **found.missing}
        if added:
            defaults.tool_ids, defaults.tools = together(*above, defaults.tool_ids, defaults.tools)
        defaults.broken += found.broken


def _load_level(
    loading: Loading,
    path: str,
    *,
    number: int,
    inherited: Defaults,
    domain: Domain,
    per_level: dict[int, tuple[PromptLayer, ...]],
) -> set[str]:
    """Read one level's folder; return the ids of its tests."""
    folder = loading.folder(path)
    there = (test for test in loading.suite.tests if (test.domain, test.level) == (domain.id, number))
    seen = {test.test_id: str(test.location) for test in there} if loading.dialect is not None else {}
    defaults = replace(inherited, level=number, broken=list(inherited.broken), seen=seen)
    defaults.hint = f"level.json or {inherited.hint}"
    file = f"{path}/level.json"
    source, data = _read(loading, file, defaults, number) if "level.json" in folder.files else _nothing(file)
    loading.report.check(source, data, LEVEL)
    named = data.get("level")
    if isinstance(named, int) and not isinstance(named, bool) and 1 <= named <= 5 and named != number:
        source.add(
            ("level",),
            f"'level' is {named}, but the file stands in level_{number}; leave it out, or move the file",
        )
    _settle(loading, source, data, LEVEL, defaults)
    layer, faults = layer_of(defaults.prompts, f"level_{number}", scope="level", data=data, source=source)
    if layer is not None:
        defaults.layers = (*inherited.layers, layer)
        per_level[number] = defaults.layers
    problems = loading.report.take(source) + faults
    if problems:
        defaults.broken.append(reason(problems))
    valid = LEVEL.valid(data)
    defaults.enabled = valid.get("enabled", True) is not False
    if number not in domain.levels or "level.json" in folder.files:
        domain.levels[number] = Level(
            number, valid.get("name") or "", valid.get("description") or "", Location(file, 1)
        )
    for name in folder.folders:
        loading.report.note(f"{path}/{name}", 0, "is ignored: tests stand directly in level_<n>/")
    for name in folder.files:
        if name.lower().endswith(".json") and name != "level.json":
            _load_file(loading, f"{path}/{name}", defaults)
        elif name.lower().endswith((".jsonl", ".ndjson")):
            _load_lines(loading, f"{path}/{name}", defaults)
    return set(defaults.seen)


def _load_file(loading: Loading, path: str, defaults: Defaults) -> None:
    """One test in one file."""
    before = len(loading.report.problems)
    read = one_object(loading, path)
    if read is None:
        problems = loading.report.problems[before:]
        loading.suite.tests.append(unreadable(problems, _name(path), path, problems[0].line or 1, defaults))
        return
    loading.suite.tests.append(read_case(loading, *read, defaults))


def _load_lines(loading: Loading, path: str, defaults: Defaults) -> None:
    """One test a line; blank lines are left out."""
    whole = loading.read(path)
    if whole is None:
        problems = loading.report.problems[-1:]
        loading.suite.tests.append(unreadable(problems, _name(path), path, problems[0].line or 1, defaults))
        return
    for number, line in enumerate(whole.text.split("\n"), 1):
        if not line or line.isspace():
            continue
        source = Source(path, line, line=number)
        value = loading.report.parse(source)
        if isinstance(value, dict):
            loading.suite.tests.append(read_case(loading, source, value, defaults))
            continue
        if not source.faulty:
            source.add((), "an object is expected: write one test a line")
        problems = loading.report.take(source)
        loading.suite.tests.append(unreadable(problems, f"{_name(path)}:{number}", path, number, defaults))


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
