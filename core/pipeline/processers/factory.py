"""Finding a source's processer: built-in, from a suite's `plugins/`, or from an installed package's entry point."""

from __future__ import annotations

import inspect
import threading

from modex.core.evaluators.registry import installed
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.processers.base import BaseProcesser
from modex.core.pipeline.processers.benchmarks import (
    BrowseCompProcesser,
    BrowseCompZHProcesser,
    GaiaProcesser,
    WebWalkerQAProcesser,
    XBenchProcesser,
)
from modex.core.pipeline.processers.llm_judge import BaseLLMJudgeProcesser
from modex.core.pipeline.processers.match import BaseMatchProcesser
from modex.core.pipeline.processers.suite import SuiteProcesser

ENTRY_POINTS = "modex.processers"


_BENCHMARKS = frozenset({"gaia", "browsecomp", "browsecomp_zh", "webwalkerqa", "xbench"})
"""Sources that are evaluators' ids too: a source of another name does not become one by its evaluator."""


class ProcesserFactory:
    """Processers by `source`; unknown sources get the default one (or the one their evaluator asks for)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._classes: dict[str, type[BaseProcesser]] = {}
        self._instances: dict[str, BaseProcesser] = {}
        self._named: dict[tuple[str, str], str] = {}
        """Which of them was found for a source and an evaluator: every sample of a run asks."""
        self._searched = False
        for built_in in (
            SuiteProcesser,
            BaseMatchProcesser,
            BaseLLMJudgeProcesser,
            GaiaProcesser,
            BrowseCompProcesser,
            BrowseCompZHProcesser,
            WebWalkerQAProcesser,
            XBenchProcesser,
        ):
            self.register(built_in)

    def register(self, processer: type[BaseProcesser]) -> type[BaseProcesser]:
        """Make a processer known by its `source`; usable as a decorator. A later one replaces an earlier one.

        Raises:
            ConfigurationError: it names no source of its own, or could not judge.
        """
        source, instance = _checked(processer)
        with self._lock:
            self._classes[source] = processer
            self._named.clear()
            self._instances[source] = instance
        return processer

    def get(self, source: str, evaluator_id: str = "") -> BaseProcesser:
        """The processer of `source`; without one, the one its evaluator implies, else the default."""
        self._search()
        with self._lock:
            key = (source, evaluator_id)
            if (name := self._named.get(key)) is None:
                names = (source, source.casefold(), evaluator_id if evaluator_id not in _BENCHMARKS else "")
                name = self._named[key] = next((name for name in names if name in self._classes), "suite")
            return self._instances[name]

    def is_default(self, source: str) -> bool:
        """Whether `source` has no processer of its own."""
        self._search()
        return source not in self._classes and source.casefold() not in self._classes

    def sources(self) -> list[str]:
        """Every source that has a processer of its own."""
        self._search()
        return sorted(self._classes)

    def _search(self) -> None:
        if self._searched:
            return
        self._searched = True
        for entry in installed(ENTRY_POINTS):
            try:
                self.register(entry.load())
            except Exception as error:
                raise ConfigurationError(
                    f"the installed processer {entry.name!r} ({entry.value}) cannot be loaded:"
                    f" {type(error).__name__}: {error}; mend or uninstall its package"
                ) from error


def _checked(processer: type[BaseProcesser]) -> tuple[str, BaseProcesser]:
    """The source of a processer and its one instance.

    Raises:
        ConfigurationError: see `ProcesserFactory.register`.
    """
    name = getattr(processer, "__name__", repr(processer))
    if not (isinstance(processer, type) and issubclass(processer, BaseProcesser)):
        raise ConfigurationError(f"{name}: a processer is a class that derives from BaseProcesser")
    source = vars(processer).get("source")
    if not isinstance(source, str) or not source:
        raise ConfigurationError(f"{name}: a processer needs a `source` of its own, the stem of its dataset's file")
    for hook in ("preprocess_one", "judge_one", "calculate_metrics"):
        method = getattr(processer, hook)
        if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
            raise ConfigurationError(f"{name}.{hook} is `async`; make it a plain `def`: many threads call it at once")
    try:
        return source, processer()
    except Exception as error:
        raise ConfigurationError(
            f"{name}() cannot be made: {type(error).__name__}: {error}; make it work without arguments"
        ) from error


PROCESSER_FACTORY = ProcesserFactory()
"""The process's processers."""
