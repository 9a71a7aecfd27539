"""Modules made from sources that were read already: no file is looked at again, no compiled one is trusted."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType

PREFIX = "modex_plugin_"


@dataclass(frozen=True, slots=True)
class _Source:
    path: Path
    text: bytes
    is_package: bool
    digest: str


class _Sources(MetaPathFinder, InspectLoader):
    """Finds and loads the modules of plugins, and only those; a part that was not read does not exist."""

    def __init__(self) -> None:
        self._known: dict[str, _Source] = {}

    def add(self, name: str, source: _Source) -> None:
        self._known[name] = source
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if not fullname.startswith(PREFIX):
            return None
        source = self._known.get(fullname)
        if source is None:
            # Returning None would hand the name to Python's own finders, which look into the folder.
            raise ModuleNotFoundError(f"the plugin has no part {fullname.partition('.')[2]!r}", name=fullname)
        return importlib.util.spec_from_loader(fullname, self, origin=str(source.path), is_package=source.is_package)

    def is_package(self, fullname: str) -> bool:
        return self._known[fullname].is_package

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self._known[fullname].text)

    def get_code(self, fullname: str) -> CodeType:
        source = self._known[fullname]
        return compile(source.text, str(source.path), "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        source = self._known[module.__name__]
        module.__file__ = str(source.path)
        module.__dict__["__digest__"] = source.digest
        exec(self.get_code(module.__name__), module.__dict__)


_SOURCES = _Sources()


def run_sources(plugin: Path, sources: Sequence[tuple[Path, bytes]]) -> ModuleType:
    """Import a plugin from its sources, the first of which is the file or the package's `__init__.py`; once per process.

    The name of the module tells the place and the content apart, so that a plugin that changed is another one.
    Whatever the plugin raises is passed on.
    """
    digest = hashlib.blake2b(digest_size=8)
    for _, text in sources:
        digest.update(text)
    place = hashlib.blake2b(str(plugin.resolve()).encode(), digest_size=8).hexdigest()
    stem = re.sub(r"\W", "_", plugin.stem)
    name = f"{PREFIX}{stem}_{place}_{digest.hexdigest()}"
    for path, text in sources:
        parts = path.relative_to(plugin).with_suffix("").parts if path != plugin else ()
        is_package = bool(parts) and parts[-1] == "__init__"
        full = ".".join((name, *(parts[:-1] if is_package else parts)))
        _SOURCES.add(full, _Source(path, text, is_package, digest.hexdigest()))
    return importlib.import_module(name)


def digest_of_module(name: str) -> str | None:
    """The digest of the plugin that the module belongs to, or None where it is no plugin's."""
    if not name.startswith(PREFIX):
        return None
    return str(sys.modules[name].__dict__["__digest__"])
