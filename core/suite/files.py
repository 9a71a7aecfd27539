"""Reading suite files as what they are: untrusted. Sizes are bounded, only regular files are opened, links stay inside."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAX_DEFINITION_BYTES = 32 * 1024 * 1024
"""A definition file larger than this is refused; a dataset may be of any size."""


class FileFaultError(Exception):
    """A file cannot be read as asked. `line` is 1-based, 0 where the whole file is meant."""

    def __init__(self, message: str, line: int = 0) -> None:
        self.message = message
        self.line = line
        super().__init__(message)


def open_regular(path: str | Path) -> int:
    """Open a regular file for reading and return its descriptor; a pipe or a device never blocks here.

    Raises:
        FileFaultError: it is missing, unreadable, or no regular file.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except FileNotFoundError:
        raise FileFaultError("there is no such file; correct its name, or put it there") from None
    except OSError as error:
        raise FileFaultError(f"cannot be read ({error.strerror or error}); make it readable") from None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise FileFaultError("is not a regular file; put one in its place")


def read_bytes(path: str | Path, limit: int = MAX_DEFINITION_BYTES) -> bytes:
    """The whole file.

    Raises:
        FileFaultError: it cannot be opened, or is larger than `limit` bytes.
    """
    descriptor = open_regular(path)
    try:
        # A file may grow while it is read; one byte more than allowed is enough to know.
        size = min(os.fstat(descriptor).st_size, limit) + 1
        data = os.read(descriptor, size)
        while len(data) <= limit and (more := os.read(descriptor, size)):
            data += more
    except OSError as error:
        raise FileFaultError(f"cannot be read ({error.strerror or error}); make it readable") from None
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise FileFaultError(f"is larger than {limit // (1024 * 1024)} MiB; split it, or make it a dataset")
    return data


def decode(data: bytes) -> str:
    """UTF-8 text, without a byte order mark.

    Raises:
        FileFaultError: the bytes are not UTF-8; names the line.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        hint = " (it looks like UTF-16)" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFaultError(f"is not UTF-8 text{hint}; save it as UTF-8", line) from None
    return text.removeprefix("\ufeff")


def read_text(path: str | Path, limit: int = MAX_DEFINITION_BYTES) -> str:
    """The whole file as UTF-8 text.

    Raises:
        FileFaultError: it cannot be opened, is too large, or is not UTF-8.
    """
    return decode(read_bytes(path, limit))


def inside(root: Path, base: Path, reference: str, place: str = "the suite") -> Path:
    """The file that `reference` names relative to `base`, which must lie inside `root`, links resolved.

    `place` is what messages call `root`.

    Raises:
        FileFaultError: the reference is absolute, leaves `root`, or is missing.
    """
    if not reference or "\0" in reference:
        raise FileFaultError("is not a file name; write one, as data/case.txt")
    if reference.startswith(("/", "\\", "~")) or Path(reference).is_absolute() or reference[1:3] in (":\\", ":/"):
        raise FileFaultError(f"'{reference}' is absolute; name files relative to this one")
    path = base / reference
    try:
        real = os.path.realpath(path)
        top = os.path.realpath(root)
    except OSError as error:
        raise FileFaultError(f"'{reference}' cannot be read ({error.strerror or error}); make it readable") from None
    if os.path.commonpath([real, top]) != top:
        raise FileFaultError(f"'{reference}' lies outside {place}; copy it there")
    if not os.path.exists(real):  # noqa: PTH110 - the resolved path is a string already
        raise FileFaultError(f"there is no file '{reference}'; correct its name, or put it there")
    return path


class Folder:
    """One folder of the suite: its sub-folders and files by name, sorted; hidden ones and links to outside left out."""

    __slots__ = ("escaped", "files", "folders", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.folders: list[str] = []
        self.files: list[str] = []
        self.escaped: list[str] = []
        """Symbolic links that lead out of the suite (or to nothing)."""

    def list(self, root: str) -> None:
        """Fill in what the folder holds; a missing folder holds nothing.

        Raises:
            FileFaultError: it cannot be listed.
        """
        try:
            with os.scandir(self.path) as entries:
                for entry in entries:
                    if not entry.name.startswith(".") and entry.name != "__pycache__":
                        self._add(entry, root)
        except FileNotFoundError:
            return
        except OSError as error:
            raise FileFaultError(f"cannot be listed ({error.strerror or error}); make it readable") from None
        self.folders.sort()
        self.files.sort()
        self.escaped.sort()

    def _add(self, entry: os.DirEntry[str], root: str) -> None:
        if entry.is_symlink():
            try:
                real = os.path.realpath(entry.path, strict=True)
            except OSError:
                self.escaped.append(entry.name)
                return
            if os.path.commonpath([real, root]) != root:
                self.escaped.append(entry.name)
                return
            if entry.is_dir():
                # A link to a parent folder would never end.
                if os.path.commonpath([real, os.path.realpath(self.path)]) == real:
                    self.escaped.append(entry.name)
                else:
                    self.folders.append(entry.name)
                return
        (self.folders if entry.is_dir() else self.files).append(entry.name)
