"""From options (flags, a file, settings) to the configuration of a run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from modex.core.config.options import OPTIONS, Values, merged
from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig
from modex.core.foundation.errors import ConfigurationError
from modex.core.statistics.k_of_n import Required

_LEVELS = re.compile(r"\s*([1-5])\s*(?:(?:-|\.\.|–)\s*([1-5])\s*)?")


def parse_levels(*specs: str) -> tuple[int, ...]:
    """Levels from `3`, `2-4`, `1,3-5`, sorted and without repeats.

    Raises:
        ConfigurationError: a part is no level from 1 to 5 and no range of them.
    """
    found: set[int] = set()
    for spec in specs:
        for part in spec.split(","):
            match = _LEVELS.fullmatch(part)
            if match is None:
                raise ConfigurationError(
                    f"the level '{part.strip()[:40]}' is not understood; write 1 to 5, or a range such as 2-4"
                )
            low, high = int(match[1]), int(match[2] or match[1])
            if low > high:
                raise ConfigurationError(f"the levels '{part.strip()}' run backwards; write {high}-{low}")
            found.update(range(low, high + 1))
    return tuple(sorted(found))


def _layers(names: Iterable[str]) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(names))
    if unknown := [name for name in chosen if name not in ("domain", "level", "test")]:
        raise ConfigurationError(
            f"--without-layer: there is no layer '{unknown[0][:40]}'; there are domain, level and test"
        )
    return chosen


def k_of_n(text: str) -> str:
    """`8/10` in one form, from whatever a person wrote.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        found = Required.read(text)
    except ValueError as error:
        raise ConfigurationError(f"--require: {error}; write it as 8/10") from None
    return f"{found.passes}/{found.of}"


def configuration(model: str, given: Values) -> RunConfig:
    """The configuration of a run of `model` by these options; what none says has its default.

    Raises:
        ConfigurationError: a level or an address cannot be read.
    """
    given = merged(given)
    config: dict[str, Any] = {"model": {"model": model}, "selection": {}}
    for option in OPTIONS:
        if option.name in given and option.place and option.name not in _OF_THEIR_OWN:
            _put(config, option.place, _stored(option.name, given[option.name]))
    config["selection"]["datasets"] = [_dataset(path, given) for path in given.get("dataset", ())]
    config["selection"]["sample_seed"] = given.get("seed") or 0
    config["selection"].setdefault("form", not str(given.get("agent") or "").startswith("answers:"))
    config["judges"] = [
        ModelSpec(model=name, api_base=given.get("judge_api_base")) for name in given.get("judge_model", ())
    ]
    config["extractor"] = _helper("extractor", model, given)
    config["user"] = _helper("user", model, given)
    if given.get("agent"):
        config["agent_folder"] = str(Path.cwd())
    return RunConfig.model_validate(config)


_OF_THEIR_OWN = frozenset(
    {
        "model",
        "dataset",
        "question_field",
        "answer_field",
        "level_field",
        "category_field",
        "id_field",
        "cluster_field",
        "preset",
    }
    | {"judge_model", "judge_api_base", "extractor_model", "extractor_api_base", "user_model", "user_api_base"}
)
"""Options of which several make one field, or one makes several."""


def _put(config: dict[str, Any], place: str, value: Any) -> None:
    *above, last = place.split(".")
    for name in above:
        config = config[name]
    config[last] = value


def _stored(name: str, value: Any) -> Any:
    if name in ("level", "exclude_level"):
        return parse_levels(*value)
    if name == "without_layer":
        return _layers(value)
    if name == "require":
        return k_of_n(value)
    if name in ("input_price", "output_price"):
        return value / 1e6
    return _absolute(value) if name == "suite" else value


def _absolute(path: str) -> str:
    """Runners start elsewhere, so paths are stored whole."""
    return str(Path(path).expanduser().absolute())


def _dataset(path: str, given: Values) -> DatasetSpec:
    fields: Iterable[str] = (name for name in DatasetSpec.model_fields if name != "path")
    return DatasetSpec(path=_absolute(path), **{name: given.get(name) for name in fields})


def _helper(role: Literal["extractor", "user"], model: str, given: Values) -> ModelSpec | None:
    """The model that extracts, or that plays the user, where the options name it or its address."""
    name, base = given.get(f"{role}_model"), given.get(f"{role}_api_base")
    if not (name or base):
        return None
    name = name or model
    return ModelSpec(model=name, api_base=base or (given.get("api_base") if name == model else None))


def options_of(config: RunConfig) -> dict[str, Any]:
    """The options that give this configuration: the inverse of `configuration`, without what is the default anyway."""
    found: dict[str, Any] = {"model": [config.model.model]}
    for option in OPTIONS:
        if option.place and option.name not in _OF_THEIR_OWN:
            value: Any = config
            for name in option.place.split("."):
                value = getattr(value, name)
            if value != option.default:
                found[option.name] = _given(option.name, value)
    if config.model.seed is None and config.selection.sample_seed:
        found["seed"] = config.selection.sample_seed
    if config.selection.datasets:
        found["dataset"] = [spec.path for spec in config.selection.datasets]
        fields = config.selection.datasets[0].model_dump(exclude={"path"}, exclude_none=True)
        found |= fields
    if config.judges:
        found["judge_model"] = [spec.model for spec in config.judges]
        found["judge_api_base"] = config.judges[0].api_base
    if config.extractor is not None:
        found["extractor_model"] = config.extractor.model
        found["extractor_api_base"] = config.extractor.api_base
    if config.user is not None:
        found["user_model"] = config.user.model
        found["user_api_base"] = config.user.api_base
    return merged(found)


def _given(name: str, value: Any) -> Any:
    if name in ("level", "exclude_level"):
        return [str(level) for level in value]
    if name in ("input_price", "output_price"):
        return value * 1e6
    return list(value) if isinstance(value, tuple) else value
