"""Where `models.toml` lies, and which of several entries of one name counts: the suite's, the user's, then what is built in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from modex.core.config.entries.inside import NAME
from modex.core.config.entries.reading import FILE, VARIABLE, ModelEntry, Origin, read_entries
from modex.core.config.settings import settings_path
from modex.core.foundation.errors import ConfigurationError

BUILT_IN: tuple[ModelEntry, ...] = (ModelEntry("demo", {"model": "demo"}), ModelEntry(NAME, {"model": NAME}))
"""Models that need no file; an entry of the same name comes before."""
_WORDS: Mapping[Origin, str] = {
    "suite": "the suite's",
    "settings": "your settings'",
    "variable": f"{VARIABLE} names it",
    "built in": "built in",
}


def files(suite: str | Path | None, environment: Mapping[str, str] = os.environ) -> list[tuple[Path, Origin]]:
    """The files that are read, the nearest first; they need not be there."""
    if given := environment.get(VARIABLE, "").strip():
        return [(Path(given).expanduser().absolute(), "variable")]
    found: list[tuple[Path, Origin]] = []
    if suite is not None and (folder := Path(suite).expanduser().absolute()).is_dir():
        found.append((folder / FILE, "suite"))
    found.append((settings_path(environment).absolute().parent / FILE, "settings"))
    return found


def entries(suite: str | Path | None = None) -> dict[str, ModelEntry]:
    """Every entry by its name: those of files in their order, then what is built in; each says what it comes before.

    Raises:
        ConfigurationError: a file cannot be read, or has mistakes.
    """
    found: dict[str, ModelEntry] = {}
    for entry in _all(suite):
        nearer = found.get(entry.name)
        found[entry.name] = entry if nearer is None else replace(nearer, hides=(*nearer.hides, entry.where))
    return found


def _all(suite: str | Path | None) -> Iterator[ModelEntry]:
    for path, origin in files(suite):
        if origin == "variable" and not path.exists():
            raise ConfigurationError(f"{VARIABLE} names {path}, which is not there; name a file of models, or unset it")
        yield from _read(path, origin, _stamp(path)).values()
    yield from BUILT_IN


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


@lru_cache(maxsize=32)
def _read(path: Path, origin: Origin, stamp: tuple[int, int, int] | None) -> dict[str, ModelEntry]:
    del stamp  # another file is read anew
    return read_entries(path, origin)


def find_entry(name: str, suite: str | Path | None = None) -> ModelEntry | None:
    """The entry of this name; None where there is none, or none can be called so.

    Raises:
        ConfigurationError: a file cannot be read, or has mistakes.
    """
    return None if "/" in name or ":" in name else entries(suite).get(name)


def origin_words(entry: ModelEntry) -> str:
    """Where an entry stands, and what it comes before, for a person."""
    if entry.path is None:
        return "built in"
    hidden = f"; before {', '.join(entry.hides)}" if entry.hides else ""
    return f"{entry.where} ({_WORDS[entry.origin]}){hidden}"
