"""The files of a suite that a command of it runs: what consent to the command is about, byte for byte.

A command is started in the suite's folder. What it names there is part of it, and so is every program text of the suite, because
a script, and a plugin too, imports and starts what stands beside it. JSON is data and is not looked at, and neither are the
files that modex itself keeps beside a database: a run with its database in the suite's folder changes nothing of the suite.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from modex.core.store.lock import is_lock_path
from modex.core.suite.files import FileFaultError, read_bytes

MOST_FILES = 20_000
MOST_BYTES = 256 * 1024 * 1024
"""A folder with more than this of what a command may run is refused: nobody can say what was agreed to."""
_PROGRAMS = frozenset(
    {
        ".py", ".pyw", ".pyz", ".pyc", ".pth", ".so", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".sh",
        ".bash", ".zsh", ".rb", ".pl", ".pm", ".php", ".lua", ".jar", ".class", ".wasm", ".exe", ".toml", ".cfg", ".ini",
        ".lock", ".env", ".mk", ".go", ".rs", ".c", ".h", ".ps1", ".bat", ".cmd",
    }
)  # fmt: skip
_PROGRAM_NAMES = frozenset({"package.json", "makefile", "dockerfile", "gemfile", "rakefile", "justfile", "go.mod"})
_DATA = re.compile(
    r"\.(?:db|sqlite3?|log|jsonl|csv|parquet)$|\.(?:db|sqlite3?)(?:\.search)?(?:-(?:wal|shm|journal))?$"
    r"|\.(?:db|sqlite3?)\.(?:runner\.log(?:\.1)?|draft\.json)$",
    re.IGNORECASE,
)
"""What a server may write while it runs, databases with what stands beside them among it: looked at only where it is the
program itself."""
_KEPT = frozenset(
    {
        ".json", ".ndjson", ".tsv", ".txt", ".md", ".out", ".err", ".tmp", ".bak", ".pid", ".sock", ".dat", ".bin", ".html",
        ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".gz", ".zip", ".db3", ".duckdb", ".mdb", ".aof", ".rdb", ".arrow",
    }
)  # fmt: skip
"""Suffixes of what a server keeps in a folder that its command names."""
_SQLITE = b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html
_NOT_NAMED = frozenset({"test_definitions", "plugins", "__pycache__"})
"""Folders of which a word of a command does not mean every file."""
_APART = re.compile(r"[\s'\"();,=|&<>`]+")


def command_digest(command: Sequence[str], folder: str | Path | None) -> str:
    """The digest of a command and of the files below `folder` that it may run; empty without a command.

    Raises:
        FileFaultError: there are too many of them, or one cannot be read.
    """
    if not command:
        return ""
    digest = hashlib.blake2b("\0".join(command).encode("utf-8", "surrogatepass"), digest_size=16)
    if folder is None:
        return digest.hexdigest()
    root = Path(folder)
    for path, found in _digests({*_named(command, root), *_programs(root)}):
        digest.update(_line(path, root, found))
    return digest.hexdigest()


def bytes_named(command: Sequence[str], folder: str | Path) -> list[bytes]:
    """What tells whether the files changed that a command names: those in `folder`, and others by their whole path.

    A program that is no script is installed, and no part of it. A function `module:name` names its module.
    """
    root = Path(os.path.normpath(Path(folder).expanduser().absolute()))
    words = [part for word in command for part in (word, word.partition(":")[0]) if part]
    try:
        named = {path for path in _named(words, root) if not _is_data(path)}
        elsewhere = [path for word in words if (path := Path(word)).is_absolute() and path.is_file()]
        named |= {path for path in elsewhere if str(path) != command[0] or _begins(path, b"#!")}
        return [_line(path, root, digest) for path, digest in _digests(named)]
    except FileFaultError:  # too many files, or too large ones: what was agreed to is the command
        return []


def programs_beside(root: Path, read: Collection[Path]) -> dict[Path, bytes]:
    """The program texts of a suite beside those `read` already, each with the digest of its bytes: what a plugin may import.

    A virtual environment is what is installed, not what the suite holds, and is left out.

    Raises:
        FileFaultError: there are too many of them, or one cannot be read.
    """
    return dict(_digests({path for path in _programs(root, installed=False) if path not in read}))


def digest_of_programs(root: Path, found: Mapping[Path, bytes]) -> bytes:
    """One digest of what `programs_beside` found, with where each file stands."""
    digest = hashlib.blake2b(digest_size=16)
    for path, own in found.items():
        digest.update(_line(path, root, own))
    return digest.digest()


def text_digest(text: bytes) -> bytes:
    """The digest of a file's bytes, as `programs_beside` gives it."""
    return hashlib.blake2b(text).digest()


def _digests(paths: Collection[Path]) -> Iterator[tuple[Path, bytes]]:
    left = MOST_BYTES
    for number, path in enumerate(sorted(paths)):
        if number >= MOST_FILES:
            raise FileFaultError(f"holds more than {MOST_FILES:,} files that it may run; move what it does not need")
        text = read_bytes(path, left) if path.is_file() else b""
        left -= len(text)
        yield path, text_digest(text)


def _line(path: Path, root: Path, digest: bytes) -> bytes:
    name = os.path.relpath(path, root).encode("utf-8", "surrogateescape")
    target = os.fsencode(path.readlink()) if path.is_symlink() else b""
    return b"\0".join((name, target, digest))


def _named(command: Sequence[str], root: Path) -> Iterator[Path]:
    """The files below `root` that the words name, and all of a folder that they name."""
    words = [part for word in command for part in (word, *_APART.split(word)) if part]
    first = True
    for word in dict.fromkeys(words):
        for name in (word, word.replace(".", "/") + ".py", word.replace(".", "/")):
            path = Path(os.path.normpath(root / name))
            if path == root or not path.is_relative_to(root):
                continue
            if path.is_dir() and path.parts[len(root.parts)] not in _NOT_NAMED:
                yield from (one for one in _files(path) if not _is_written(one))
            elif path.is_file() and (first or not _is_data(path)):
                first = False
                yield path


def _is_data(path: Path) -> bool:
    return _DATA.search(path.name) is not None or is_lock_path(path) or _begins(path, _SQLITE)


def _is_written(path: Path) -> bool:
    """Whether a file in a folder that a command names is what a server keeps there: data by its name, or a file without a suffix
    that nobody can start."""
    if is_lock_path(path):
        return True
    if _is_program(path):
        return False
    if _is_data(path) or path.suffix.lower() in _KEPT:
        return True
    return not path.suffix and not path.is_symlink() and not _begins(path, b"#!")


def _is_program(path: Path) -> bool:
    named = path.name.lower() in _PROGRAM_NAMES or path.suffix.lower() in _PROGRAMS
    return named or (not path.suffix and os.access(path, os.X_OK))


def _begins(path: Path, mark: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(mark)) == mark
    except OSError:
        return False


def _programs(root: Path, *, installed: bool = True) -> Iterator[Path]:
    """Every program text of the suite, and every link to a folder; virtual environments too where `installed` says so."""
    for path in _files(root, installed=installed):
        if is_lock_path(path):
            continue
        if _is_program(path) or (path.is_symlink() and path.is_dir()):
            yield path


def _files(folder: Path, *, installed: bool = True) -> Iterator[Path]:
    seen = 0
    for at, folders, names in os.walk(folder):
        if not installed and "pyvenv.cfg" in names:
            folders.clear()
            names[:] = ["pyvenv.cfg"]
        folders[:] = [one for one in folders if one not in ("__pycache__", ".git")]
        # What a link leads to is not walked into; where it leads is looked at.
        names += [one for one in folders if Path(at, one).is_symlink()]
        seen += len(names)
        if seen > 10 * MOST_FILES:
            raise FileFaultError(f"holds more than {10 * MOST_FILES:,} files; move what is no part of the suite")
        yield from (Path(at, name) for name in names)
