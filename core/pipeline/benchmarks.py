"""Benchmark classes of plugins, by name: whoever changes how a stage is done names the class that does it."""

from __future__ import annotations

import inspect

from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.benchmark import BaseBenchmark
from modex.core.suite.suggest import did_you_mean

_registered: dict[str, type[BaseBenchmark]] = {}


def register_benchmark(benchmark: type[BaseBenchmark]) -> type[BaseBenchmark]:
    """Make a subclass of `BaseBenchmark` known by its `name` (else the class's own); usable as a decorator.

    Raises:
        ConfigurationError: it is none, or one of its stages is a coroutine.
    """
    if not (isinstance(benchmark, type) and issubclass(benchmark, BaseBenchmark)):
        raise ConfigurationError(f"{benchmark!r}: a benchmark is a class that derives from BaseBenchmark")
    for stage in ("rollout_one", "judge_one", "samples"):
        if inspect.iscoroutinefunction(getattr(benchmark, stage)):
            raise ConfigurationError(f"{benchmark.__name__}.{stage} is `async`; make it a plain `def`")
    _registered[str(vars(benchmark).get("name") or benchmark.__name__)] = benchmark
    return benchmark


def find_benchmark(name: str | None) -> type[BaseBenchmark]:
    """The class called `name`; `BaseBenchmark` for None.

    Raises:
        ConfigurationError: no plugin registered one of that name.
    """
    if name is None:
        return BaseBenchmark
    found = _registered.get(name)
    if found is None:
        known = (
            f"; there are {', '.join(sorted(_registered))}"
            if _registered
            else "; no plugin registers one: leave it out"
        )
        raise ConfigurationError(
            f"--benchmark: there is no benchmark '{name}'{did_you_mean(name, _registered) or known}"
        )
    return found
