"""`dataset.json`: a domain backed by a dataset file. The rows themselves are read by `modex.core.suite.datasets`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.cases import Defaults, look_for_evaluator, merge
from modex.core.suite.datasets.presets import PRESETS
from modex.core.suite.definitions import Location, PromptLayer, SuiteDataset
from modex.core.suite.files import FileFaultError, inside
from modex.core.suite.filters import parse_filter
from modex.core.suite.offered import resolve_tools
from modex.core.suite.prompt_files import layer_of
from modex.core.suite.report import Source, reason
from modex.core.suite.state import Loading, one_object
from modex.core.suite.suggest import did_you_mean, there_are
from modex.core.suite.tables import DATASET, given_by
from modex.core.suite.users import state_faults

_FIELDS = ("question_field", "answer_field", "level_field", "category_field", "id_field", "cluster_field", "preset")


def load_dataset(
    loading: Loading, path: str, inherited: Defaults, per_level: dict[int, tuple[PromptLayer, ...]]
) -> None:
    """Read `<path>/dataset.json` into the suite."""
    read = one_object(loading, f"{path}/dataset.json")
    if read is None:
        return
    source, data = read
    loading.report.check(source, data, DATASET)
    valid = DATASET.valid(data)
    defaults = replace(inherited, broken=list(inherited.broken))
    merge(defaults, valid)
    _resolve(loading, source, valid, defaults)
    above = inherited.layers[0] if inherited.layers else None
    layer, faults = layer_of(inherited.prompts, "domain", scope="domain", data=data, source=source, fallback=above)
    layers = (layer,) if layer is not None else ()
    file = _file(loading, source, path, valid.get("file"))
    _check_filters(source, valid.get("filters"))
    for fault in state_faults(defaults.given.get("tool_state", {})):
        source.add(("tool_state",), fault)
    if (preset := valid.get("preset")) is not None and preset not in PRESETS:
        source.add(
            ("preset",), f"there is no preset '{preset[:40]}'{did_you_mean(preset, PRESETS) or there_are(PRESETS)}"
        )
        valid.pop("preset")
    _check_seed(source, seed := valid.get("seed"))
    _describe(loading, inherited, valid)
    level_layers = _level_layers(inherited, source, layers, per_level)
    problems = loading.report.take(source) + faults
    if problems:
        defaults.broken.append(reason(problems))
    if file is None:
        return
    loading.suite.datasets.append(
        SuiteDataset(
            domain=inherited.domain,
            file=file,
            spec=DatasetSpec(path=str(file), **{name: valid.get(name) for name in _FIELDS}),
            source=valid.get("source") or valid.get("preset") or file.stem,
            evaluator_id=defaults.evaluator_id,
            location=Location(source.path, 1),
            rollout=defaults.given.get("rollout", "direct"),
            layers=layers,
            level_layers=level_layers,
            tool_ids=defaults.tool_ids,
            tools=defaults.tools,
            filters=tuple(valid.get("filters", ())),
            limit=valid.get("limit"),
            sample=valid.get("sample"),
            seed=seed if isinstance(seed, int) else 0,
            given={name: value for name, value in defaults.given.items() if name in given_by("dataset")},
            enabled=valid.get("enabled", True) is not False and inherited.domain_enabled,
            invalid="; ".join(defaults.broken) or None,
        )
    )


def _resolve(loading: Loading, source: Source, valid: dict[str, Any], defaults: Defaults) -> None:
    evaluator = valid.get("evaluator_id")
    if evaluator is not None:
        look_for_evaluator(loading, source, ("evaluator_id",), evaluator)
    if defaults.evaluator_id in loading.broken_evaluators:
        defaults.broken.append(loading.broken_evaluators[defaults.evaluator_id])
    if "tool_ids" in valid:
        found = resolve_tools(loading, source, valid["tool_ids"])
        defaults.tools, defaults.missing = found.tools, found.missing
        defaults.broken += found.broken
    for name, words in defaults.missing.items():
        # Which rows' golds need it shows only in the rows, which are not read here: calls are what these evaluators judge.
        if defaults.evaluator_id in ("tool_call", "world"):
            loading.report.lack(source.path, 1, f"its rows are offered the tool '{name}': {words}")
            defaults.broken.append(words)
        else:
            loading.report.note(source.path, 1, f"offered without '{name}': {words}")


def _file(loading: Loading, source: Source, path: str, reference: str | None) -> Path | None:
    """The dataset's file, inside the suite and regular."""
    if reference is None:
        return None
    root = loading.suite.root
    try:
        file = inside(root, root / path, reference)
    except FileFaultError as fault:
        source.add(("file",), f"'file': {fault.message}")
        return None
    if not file.is_file():
        source.add(("file",), f"'file': '{reference}' is not a regular file; put one in its place")
        return None
    return file


def _check_filters(source: Source, filters: list[str] | None) -> None:
    for number, text in enumerate(filters or ()):
        try:
            parse_filter(text)
        except ConfigurationError as error:
            source.add(("filters", number), str(error))


def _check_seed(source: Source, seed: Any) -> None:
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        source.add(("seed",), "'seed' must be a whole number")


def _describe(loading: Loading, inherited: Defaults, valid: dict[str, Any]) -> None:
    """A dataset without a domain.json names its domain itself."""
    domain = loading.suite.domains[inherited.domain]
    loading.suite.domains[inherited.domain] = replace(
        domain,
        name=str(valid.get("name") or domain.name) if domain.name == domain.id else domain.name,
        description=domain.description or valid.get("description") or "",
        evaluator_id=domain.evaluator_id or valid.get("evaluator_id"),
        tool_ids=domain.tool_ids or tuple(valid.get("tool_ids", ())),
        enabled=domain.enabled and valid.get("enabled", True) is not False,
        icon=domain.icon or valid.get("icon"),
        color=domain.color or valid.get("color"),
    )


def _level_layers(
    inherited: Defaults,
    source: Source,
    layers: tuple[PromptLayer, ...],
    per_level: dict[int, tuple[PromptLayer, ...]],
) -> dict[int, tuple[PromptLayer, ...]]:
    """The layers of each level's rows: the dataset's own, then the level's from level.json or `level_<n>.md`."""
    found: dict[int, tuple[PromptLayer, ...]] = {}
    for level in range(1, 6):
        if level in per_level:
            found[level] = (*layers, per_level[level][-1])
        elif f"level_{level}" in inherited.prompts.layers:
            layer, _ = layer_of(inherited.prompts, f"level_{level}", scope="level", data={}, source=source)
            if layer is not None:
                found[level] = (*layers, layer)
    return found
