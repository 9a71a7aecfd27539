"""Finding a source's processer: built-in, from a suite's `plugins/`, or from an installed package's entry point."""

from __future__ import annotations

import threading
from importlib.metadata import entry_points

from core.errors import ConfigurationError
from core.pipeline.processers.base import BaseProcesser
from core.pipeline.processers.llm_judge import BaseLLMJudgeProcesser
from core.pipeline.processers.match import BaseMatchProcesser
from core.pipeline.processers.suite import SuiteProcesser

ENTRY_POINTS = "modex.processers"


class ProcesserFactory:
    """Processers by `source`; unknown sources get the default one (or the one their evaluator asks for)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._classes: dict[str, type[BaseProcesser]] = {}
        self._instances: dict[str, BaseProcesser] = {}
        self._searched = False
        for built_in in (SuiteProcesser, BaseMatchProcesser, BaseLLMJudgeProcesser):
            self.register(built_in)

    def register(self, processer: type[BaseProcesser]) -> type[BaseProcesser]:
        """Make a processer known by its `source`; usable as a decorator. A later one replaces an earlier one.

        Raises:
            ConfigurationError: it names no source.
        """
        source = getattr(processer, "source", None)
        if not isinstance(source, str) or not source:
            raise ConfigurationError(
                f"{processer.__name__}: a processer needs a `source`, the stem of its dataset's file"
            )
        with self._lock:
            self._classes[source] = processer
            self._instances.pop(source, None)
        return processer

    def get(self, source: str, evaluator_id: str = "") -> BaseProcesser:
        """The processer of `source`; without one, the one its evaluator implies, else the default."""
        self._search()
        with self._lock:
            name = source if source in self._classes else evaluator_id if evaluator_id in self._classes else "suite"
            instance = self._instances.get(name)
            if instance is None:
                instance = self._instances[name] = self._classes[name]()
            return instance

    def is_default(self, source: str) -> bool:
        """Whether `source` has no processer of its own."""
        self._search()
        return source not in self._classes

    def sources(self) -> list[str]:
        """Every source that has a processer of its own."""
        self._search()
        return sorted(self._classes)

    def _search(self) -> None:
        if self._searched:
            return
        self._searched = True
        for entry in entry_points(group=ENTRY_POINTS):
            try:
                self.register(entry.load())
            except Exception as error:
                raise ConfigurationError(
                    f"the installed processer {entry.name!r} ({entry.value}) cannot be loaded:"
                    f" {type(error).__name__}: {error}; mend or uninstall its package"
                ) from error


PROCESSER_FACTORY = ProcesserFactory()
"""The process's processers."""
