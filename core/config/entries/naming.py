"""The model that a name means: an entry's, a file's that modex serves, else the provider layer's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modex.core.config.consent import is_kept, keep, reaches_of
from modex.core.config.entries.inside import NAME, weights
from modex.core.config.entries.keys import KEYS
from modex.core.config.entries.places import find_entry, origin_words
from modex.core.config.entries.reading import ModelEntry, name_of_file
from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.foundation.errors import ConfigurationError

GGUF = "gguf:"
"""Begins the name of a file that modex serves."""
_FLAGS = {key.option: key.place for key in KEYS if key.option and key.option not in ("concurrency", "timeout")}
"""The fields that options of a run say for all models of a command; calls at once and deadlines are the run's own."""


def model_spec(
    name: str,
    flags: Mapping[str, Any] | None = None,
    below: Mapping[str, Any] | None = None,
    *,
    suite: str | Path | None = None,
    allow: bool = False,
) -> ModelSpec:
    """The model that is meant by `name`, with what `flags` say before its entry, and `below` (settings) behind it.

    Both by the options' names; what is not there or None says nothing. `allow` the suite's entry to act on this machine.

    Raises:
        ConfigurationError: an entry's file has mistakes; a suite's entry does what nobody here agreed to; an address is given
            for what modex serves itself.
    """
    flags = {option: value for option, value in (flags or {}).items() if value is not None}
    entry = find_entry(name, suite)
    fields, usual = {"model": name}, _fields(below or {})
    if name.startswith(GGUF) or (entry is None and "api_base" not in flags and _is_weights(name)):
        fields = _of_file(name.removeprefix(GGUF))
    elif entry is not None and entry.path is not None:
        fields = {**entry.fields, "entry": name}
    elif entry is not None and name == NAME:
        fields = {"model": NAME, "gguf": str(weights()), "entry": NAME}
    if len(fields) > 1:
        usual.pop(
            "api_base", None
        )  # one that has its own file or says where it is: the usual address is of other models
    fields = {field: value for field, value in fields.items() if _OF_THE_RUN.get(field) not in flags}
    spec = ModelSpec.model_validate({**usual, **fields, **_fields(flags)})
    if spec.is_served and spec.api_base is not None:
        raise ConfigurationError(f"{name}: modex serves it and chooses its address; leave --api-base out")
    if entry is not None and entry.origin == "suite":
        _refuse_unagreed(entry, spec, allow=allow)
    return spec


def spec_of(entry: ModelEntry) -> ModelSpec:
    """The model that an entry says, whoever wrote it: to be looked at, or asked once a person agreed."""
    own = {} if entry.path is None else {"entry": entry.name}
    return ModelSpec.model_validate({**entry.fields, **own})


_OF_THE_RUN = {"concurrency": "concurrency", "timeout_s": "timeout"}


def label_of(name: str) -> str:
    """A model's name as part of a run's: of a file that modex serves, what it is called without its folder and ending."""
    return Path(name.removeprefix(GGUF)).stem if name.startswith(GGUF) else name


def _is_weights(name: str) -> bool:
    """Whether a name that stands for itself is the path of a file of weights that is there; a server's model may be called so."""
    return name.endswith(".gguf") and Path(name).expanduser().is_file()


def _of_file(path: str) -> dict[str, Any]:
    if not path.strip():
        raise ConfigurationError(f"{GGUF} is followed by the path of a file: write {GGUF}FILE")
    whole = Path(path).expanduser().absolute()
    return {"gguf": str(whole), "model": name_of_file(whole)}


def _fields(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _FLAGS[name]: value / 1e6 if name in ("input_price", "output_price") else value
        for name, value in options.items()
        if value is not None and name in _FLAGS
    }


def named_lines(config: RunConfig) -> list[str]:
    """Which entry each model of a run is, and where it stands, a sentence each."""
    helpers = [spec for spec in (*config.judges, config.extractor, config.user) if spec is not None]
    found: dict[str, str] = {}
    for spec in (config.model, *helpers):
        entry = find_entry(spec.entry, config.selection.suite) if spec.entry is not None else None
        if entry is not None:
            at = f" at {spec.api_base}" if spec.api_base else ""
            found.setdefault(entry.name, f"{entry.name} is {spec.model}{at}: {origin_words(entry)}")
    return list(found.values())


def unagreed(entry: ModelEntry, spec: ModelSpec) -> list[str]:
    """What a suite's entry would do that nobody on this machine agreed to, in words."""
    if entry.origin != "suite":
        return []
    return [one.says for one in reaches_of(spec) if not is_kept(one)]


def _refuse_unagreed(entry: ModelEntry, spec: ModelSpec, *, allow: bool) -> None:
    """A suite's folder may come from anywhere: its entries act on this machine once a person said so."""
    if allow:
        keep(reaches_of(spec))
    elif unknown := unagreed(entry, spec):
        raise ConfigurationError(
            f"{entry.where}: the suite's entry {entry.name} {'; it '.join(unknown)}; nobody said so on this machine:"
            f" look at it, then allow it once (`modex models test {entry.name} --suite DIR --allow-plugins`; a run takes"
            " --allow-plugins too), or copy the entry into your own models.toml"
        )
