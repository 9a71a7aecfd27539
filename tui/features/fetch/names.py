"""The names of benchmarks as a command line says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from modex.core.suite.datasets.homes import DatasetHome


def complete_names(_ctx: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Names of benchmarks that begin so."""
    from modex.core.suite.datasets.homes import all_names

    begins = incomplete.casefold().replace("-", "_")
    return [name for name in all_names() if name.startswith(begins)]


def homes_named(names: tuple[str, ...]) -> list[DatasetHome]:
    """What the names stand for, each once.

    Raises:
        ConfigurationError: one stands for nothing that can be fetched.
    """
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.suite.datasets.fetched import elsewhere_words
    from modex.core.suite.datasets.homes import all_names, homes_of, preset_elsewhere
    from modex.core.suite.suggest import did_you_mean

    found: dict[str, DatasetHome] = {}
    for name in names:
        homes = homes_of(name)
        if not homes and (preset := preset_elsewhere(name)) is not None:
            raise ConfigurationError(f"{name}: {elsewhere_words(preset)}")
        if not homes:
            hint = did_you_mean(name, all_names()) or "; `modex datasets` lists them"
            raise ConfigurationError(f"no benchmark is called {name!r}{hint}")
        found |= {home.name: home for home in homes}
    return list(found.values())
