"""A change of a suite's files: what they held before and what after, written whole or not at all, and taken back."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modex.core.foundation.atomic_write import not_written, write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.files import FileFaultError, read_bytes


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file, by its path relative to the suite's root; None is a file that is not there."""

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class SuiteEdit:
    """What one action changes."""

    message: str
    """What it does, for a person: `math/1/sum moved to math/2`."""
    changes: tuple[FileChange, ...]
    test: str = ""
    """The test to look at afterwards, as `domain/level/id`; empty for none."""

    def undone(self) -> SuiteEdit:
        """The edit that takes this one back."""
        return SuiteEdit(
            f"taken back: {self.message}",
            tuple(FileChange(one.path, one.after, one.before) for one in reversed(self.changes)),
        )


def read_file(root: Path, path: str) -> bytes | None:
    """What a file of the suite holds; None where there is none.

    Raises:
        ConfigurationError: it cannot be read, or lies outside the suite.
    """
    place = _place(root, path)
    try:
        return read_bytes(place) if os.path.lexists(place) else None
    except FileFaultError as fault:
        raise ConfigurationError(f"{path}: {fault.message}") from None


def apply(root: Path, edit: SuiteEdit) -> None:
    """Write every change of `edit`, or none: what was written is taken back where a later file cannot be.

    Folders are made for new files, and those that a removed file leaves empty go.

    Raises:
        ConfigurationError: a file holds something else than the edit was made for, or cannot be written; nothing has changed.
    """
    for change in edit.changes:
        if read_file(root, change.path) != change.before:
            raise ConfigurationError(
                f"{change.path}: has been changed in the meantime; nothing was written (c reads again)"
            )
    done: list[FileChange] = []
    try:
        for change in edit.changes:
            _write(root, change.path, change.after)
            done.append(change)
    except OSError as error:
        _take_back(root, done)
        raise not_written(change.path, error, "copy the suite to a folder of your own") from error


def _take_back(root: Path, done: Sequence[FileChange]) -> None:
    for change in reversed(done):
        with contextlib.suppress(OSError):
            _write(root, change.path, change.before)


def _place(root: Path, path: str) -> Path:
    """The file behind `path`, links followed, which must lie inside `root`."""
    top = os.path.realpath(root)
    real = os.path.realpath(root / path)
    if os.path.commonpath([real, top]) != top:
        raise ConfigurationError(f"{path}: lies outside the suite; copy it there")
    return Path(real)


def _write(root: Path, path: str, content: bytes | None) -> None:
    place = _place(root, path)
    if content is None:
        place.unlink()
        with contextlib.suppress(OSError):
            # Git knows no empty folder, so none is left; the first that holds anything ends it.
            for folder in place.parents:
                if folder == Path(os.path.realpath(root)):
                    break
                folder.rmdir()
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, content)
