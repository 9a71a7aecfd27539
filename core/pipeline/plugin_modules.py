"""Modules made from sources that were read already: no file is looked at again, no compiled one is trusted.

What a plugin imports from its suite's folder by a path of its own is compiled from its text, too, where that is what was allowed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType

import modex
from modex.core.suite.files import FileFaultError, read_bytes
from modex.core.suite.runnable import text_digest

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


_HELD: dict[Path, Mapping[Path, bytes]] = {}
"""Folders of suites whose plugins were allowed, with the digests of the program texts beside their plugins."""
_INSTALLED = tuple(
    {Path(place).resolve() for place in (sys.prefix, sys.base_prefix, *modex.__path__, str(Path(__file__).parents[1]))}
)


def hold_imports(root: Path, beside: Mapping[Path, bytes]) -> None:
    """Let Python's own import take from a suite's folder only what was agreed to, and no compiled file.

    A plugin that puts a folder of its suite on `sys.path` imports from there by Python's own finders, past `_SOURCES`.
    """
    top = root.resolve()
    _HELD[top] = {Path(os.path.realpath(path)): digest for path, digest in beside.items()}
    if _finder_of not in sys.path_hooks:
        sys.path_hooks.insert(0, _finder_of)
    for place in [place for place in sys.path_importer_cache if _suite_of(place) is not None]:
        del sys.path_importer_cache[place]


def agreed_below(root: Path) -> dict[str, bytes]:
    """What `hold_imports` was given for the suite at `root`: digests by path in it; empty where it holds nothing."""
    top = root.resolve()
    held = _HELD.get(top, {})
    return {path.relative_to(top).as_posix(): digest for path, digest in held.items() if path.is_relative_to(top)}


def _suite_of(place: str) -> Path | None:
    """The held suite that a folder belongs to; None for what is installed within one."""
    path = Path(os.path.realpath(place))
    if any(path.is_relative_to(installed) for installed in _INSTALLED):
        return None
    root = next((root for root in _HELD if path.is_relative_to(root)), None)
    if root is not None and any((one / "pyvenv.cfg").exists() for one in path.parents if one.is_relative_to(root)):
        return None
    return root


def _finder_of(place: str) -> FileFinder:
    if _suite_of(place) is None or not Path(place).is_dir():
        raise ImportError("no suite's folder", path=place)
    return FileFinder(place, (_AgreedExtension, EXTENSION_SUFFIXES), (_AgreedSource, SOURCE_SUFFIXES))


def _agreed(path: str) -> bytes:
    """The bytes of a file of a held suite.

    Raises:
        ImportError: they are not those that were agreed to.
    """
    root = _suite_of(path)
    try:
        text = read_bytes(path)
    except FileFaultError as fault:
        raise ImportError(f"{path} {fault.message}", path=path) from None
    if root is not None and _HELD[root].get(Path(os.path.realpath(path))) != text_digest(text):
        raise ImportError(f"{path} was not there, or was another, when the suite's plugins were allowed", path=path)
    return text


class _AgreedSource(SourceFileLoader):
    """A module of a suite's folder, compiled from its text."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile(_agreed(path), path, "exec", dont_inherit=True)


class _AgreedExtension(ExtensionFileLoader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        _agreed(self.path)
        return super().create_module(spec)


def digest_of_module(name: str) -> str | None:
    """The digest of the plugin that the module belongs to, or None where it is no plugin's."""
    if not name.startswith(PREFIX):
        return None
    return str(sys.modules[name].__dict__["__digest__"])
