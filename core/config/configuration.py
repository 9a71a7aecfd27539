"""From options (flags, a file, settings) to the configuration of a run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from modex.core.config.entries.naming import model_spec
from modex.core.config.options import OPTIONS, Values, merged
from modex.core.config.runconfig import DatasetSpec, ModelSpec, RunConfig
from modex.core.config.values import is_bare
from modex.core.foundation.by_name import by_name
from modex.core.foundation.errors import ConfigurationError
from modex.core.statistics.k_of_n import Required

_FETCHED = "modex.core.suite.datasets.fetched:fetched_dataset"
_PRESET = "modex.core.suite.datasets.homes:preset_of_home"
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


def configuration(model: str, given: Values, usual: Collection[str] = ()) -> RunConfig:
    """The configuration of a run of `model` by these options; what none says has its default.

    `usual` are the options that only the settings say.

    Raises:
        ConfigurationError: a level or an address cannot be read, or addresses and models do not pair up; an entry has mistakes.
    """
    given = merged(given)
    base = address_of(model, given)
    names = _Names(given, usual)
    tested = names.spec(model, {**given, "api_base": base})
    config: dict[str, Any] = {"selection": {}}
    for option in OPTIONS:
        if option.name in given and option.place and option.name not in _OF_THEIR_OWN:
            _put(config, option.place, _stored(option.name, given[option.name]))
    if tested.concurrency is not None:  # the samples at once follow from how many calls the model takes
        config["concurrency"], tested = tested.concurrency, tested.model_copy(update={"concurrency": None})
    config["model"] = tested
    config["selection"]["datasets"] = datasets_of(given)
    config["selection"]["sample_seed"] = given.get("seed") or 0
    config["selection"].setdefault("form", not str(given.get("agent") or "").startswith("answers:"))
    judges = list(given.get("judge_model") or ())
    at = addresses_of(judges, given.get("judge_api_base"), "judge")
    config["judges"] = [names.helper("judge", name, own) for name, own in zip(judges, at, strict=True)]
    for role in ("extractor", "user"):
        name, own = given.get(f"{role}_model"), given.get(f"{role}_api_base")
        if name or own:
            config[role] = names.helper(role, name or model, own, base if name in (None, model) else None)
    if given.get("agent"):
        config["agent_folder"] = str(Path.cwd())
    return RunConfig.model_validate(config)


def address_of(model: str, given: Values) -> str | None:
    """The `--api-base` of one of the command's models: the one there is, or the one in its place.

    Raises:
        ConfigurationError: there are several, and not as many as models.
    """
    models = list(given.get("model") or ())
    if model in models:
        return addresses_of(models, given.get("api_base"))[models.index(model)]
    return addresses_of([model], given.get("api_base"))[0]


def addresses_of(names: Sequence[str], said: str | Sequence[str] | None, role: str = "") -> list[str | None]:
    """The address of each of the models `names` of a `role` (empty for the models under test): one for all, or each its own.

    An empty one among several leaves its model where it is anyway.

    Raises:
        ConfigurationError: there are several, and not as many as models.
    """
    bases = [said] if isinstance(said, str) else list(said or ())
    if len(bases) < 2:
        return [bases[0] if bases else None] * len(names)
    if len(bases) != len(names):
        word = role or "model"
        many = f"{len(names)} {word}s" if len(names) != 1 else f"one {word}"
        raise ConfigurationError(
            f"--{f'{role}-' if role else ''}api-base: {len(bases)} addresses for {many}: give one for all, or one for each in"
            " their order; `modex models add` gives a model a name of its own, with its address"
        )
    return [base or None for base in bases]


class _Names:
    """The models that a command names, as its flags, their entries and the settings say."""

    def __init__(self, given: Values, usual: Collection[str]) -> None:
        self._given = given
        self._usual = frozenset(usual)

    def spec(self, name: str, options: Values) -> ModelSpec:
        """The model under test."""
        usual = {option for option in self._usual if option in options}
        flags = {option: value for option, value in options.items() if option not in usual}
        below = {option: options[option] for option in usual}
        allow = bool(self._given.get("allow_plugins"))
        return model_spec(name, flags, below, suite=self._given.get("suite"), allow=allow)

    def helper(self, role: str, name: str, own: str | None, base: str | None = None) -> ModelSpec:
        """A model that judges, extracts or plays the user, at its `own` address, else at `base`."""
        said_by = "api_base" if own is None else f"{role}_api_base"
        usual = (self._usual - {"api_base"}) | ({"api_base"} if said_by in self._usual else set())
        options = {option: self._given[option] for option in _OF_EVERY_CALL if option in self._given}
        return _Names(self._given, usual).spec(name, {**options, "api_base": base if own is None else own})


_OF_EVERY_CALL = ("concurrency", "timeout")
_OF_THE_MODEL = frozenset(option.name for option in OPTIONS if option.place.startswith("model."))
_OF_THEIR_OWN = _OF_THE_MODEL | {
    "dataset",
    "question_field",
    "answer_field",
    "level_field",
    "category_field",
    "id_field",
    "cluster_field",
    "preset",
    "judge_model",
    "judge_api_base",
    "extractor_model",
    "extractor_api_base",
    "user_model",
    "user_api_base",
}
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
    return _absolute(value) if name == "suite" else value


def _absolute(path: str) -> str:
    """Runners start elsewhere, so paths are stored whole."""
    return str(Path(path).expanduser().absolute())


def datasets_of(given: Values) -> list[DatasetSpec]:
    """The datasets that the options name."""
    return [_dataset(path, given) for path in given.get("dataset", ())]


def _dataset(path: str, given: Values) -> DatasetSpec:
    """The dataset in a file, or the fetched one of a name; columns and a preset that are given come before its own."""
    fields = {name: given.get(name) for name in DatasetSpec.model_fields if name not in ("path", "origin")}
    if is_bare(path) and (named := by_name(_FETCHED)(path)) is not None:
        fetched: DatasetSpec = named
        return fetched.model_copy(update={name: value for name, value in fields.items() if value is not None})
    return DatasetSpec(path=_absolute(path), **fields)


def options_of(config: RunConfig) -> dict[str, Any]:
    """The options that give this configuration: the inverse of `configuration`, without what is the default anyway.

    What the model's entry says, as it is now, is left to it.
    """
    suite = config.selection.suite
    found: dict[str, Any] = {"model": [config.model.said]}
    entry = _as_named(config.model, suite)
    for option in OPTIONS:
        if not option.place or option.name in _OF_THEIR_OWN - _OF_THE_MODEL or option.name == "model":
            continue
        value: Any = config
        for name in option.place.split("."):
            value = getattr(value, name)
        if option.name in _OF_THE_MODEL:
            said = getattr(entry, option.place.partition(".")[2])
        elif option.name == "concurrency" and entry.concurrency is not None:
            said = entry.concurrency
        else:
            said = option.default
        if value != said:
            found[option.name] = [value] if option.name == "api_base" else _given(option.name, value)
    if config.model.seed is None and config.selection.sample_seed:
        found["seed"] = config.selection.sample_seed
    if config.selection.datasets:
        found["dataset"] = [
            spec.path if spec.origin is None else spec.origin.name for spec in config.selection.datasets
        ]
        first = next((spec for spec in config.selection.datasets if spec.origin is None), config.selection.datasets[0])
        fields = first.model_dump(exclude={"path", "origin"}, exclude_none=True)
        if first.origin is not None and by_name(_PRESET)(first.origin.name) == first.preset:
            fields.pop("preset", None)
        found |= fields
    if config.judges:
        found["judge_model"] = [spec.said for spec in config.judges]
        own = [_own_address(spec, suite) for spec in config.judges]
        found["judge_api_base"] = [base or "" for base in own if len(set(own)) > 1] or [
            base for base in own[:1] if base
        ]
    if config.extractor is not None:
        found["extractor_model"] = config.extractor.said
        found["extractor_api_base"] = _own_address(config.extractor, suite)
    if config.user is not None:
        found["user_model"] = config.user.said
        found["user_api_base"] = _own_address(config.user, suite)
    return merged(found)


def _as_named(spec: ModelSpec, suite: str | None) -> ModelSpec:
    """The model as its name alone gives it now."""
    try:
        return model_spec(spec.said, suite=suite)
    except ConfigurationError:  # an entry that is gone or broken meanwhile is said where the options are used
        return ModelSpec(model=spec.said)


def _own_address(spec: ModelSpec, suite: str | None) -> str | None:
    """The model's address, where its name alone does not give it."""
    return spec.api_base if spec.api_base != _as_named(spec, suite).api_base else None


def _given(name: str, value: Any) -> Any:
    if name in ("level", "exclude_level"):
        return [str(level) for level in value]
    if name in ("input_price", "output_price"):
        return value * 1e6
    return list(value) if isinstance(value, tuple) else value
