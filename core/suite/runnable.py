"""The files of a suite that a command of it runs: what consent to the command is about, byte for byte.

A command is started in the suite's folder. What it names there is part of it, and so is every program text of the suite, because
a script imports and starts what stands beside it. Tests are data and are not looked at; plugins have a digest of their own.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.suite.files import FileFaultError, read_bytes

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
_DATA = frozenset({".db", ".sqlite", ".sqlite3", ".log", ".jsonl", ".csv", ".parquet"})
"""What a server may write while it runs: looked at only where it is the program itself."""
_LEFT_OUT = frozenset({"test_definitions", "plugins", "__pycache__"})
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
    left = MOST_BYTES
    for number, path in enumerate(sorted({*_named(command, root), *_programs(root)})):
        if number >= MOST_FILES:
            raise FileFaultError(
                f"holds more than {MOST_FILES:,} files that a command may run; move what it does not need"
            )
        name = path.relative_to(root).as_posix().encode("utf-8", "surrogateescape")
        target = os.fsencode(path.readlink()) if path.is_symlink() else b""
        text = read_bytes(path, left) if path.is_file() else b""
        left -= len(text)
        digest.update(b"\0".join((name, target, hashlib.blake2b(text).digest())))
    return digest.hexdigest()


def _named(command: Sequence[str], root: Path) -> Iterator[Path]:
    """The files below `root` that the words name, and all of a folder that they name."""
    words = [part for word in command for part in (word, *_APART.split(word)) if part]
    first = True
    for word in dict.fromkeys(words):
        for name in (word, word.replace(".", "/") + ".py", word.replace(".", "/")):
            path = Path(os.path.normpath(root / name))
            if path == root or not path.is_relative_to(root):
                continue
            if path.is_dir() and path.parts[len(root.parts)] not in _LEFT_OUT:
                yield from (one for one in _files(path) if one.suffix.lower() not in _DATA)
            elif path.is_file() and (first or path.suffix.lower() not in _DATA):
                first = False
                yield path


def _programs(root: Path) -> Iterator[Path]:
    """Every program text of the suite."""
    for path in _files(root):
        named = path.name.lower() in _PROGRAM_NAMES or path.suffix.lower() in _PROGRAMS
        if named or (not path.suffix and os.access(path, os.X_OK)):
            yield path


def _files(folder: Path) -> Iterator[Path]:
    seen = 0
    for at, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one not in _LEFT_OUT and not one.startswith(".git")]
        seen += len(names)
        if seen > 10 * MOST_FILES:
            raise FileFaultError(f"holds more than {10 * MOST_FILES:,} files; move what is no part of the suite")
        yield from (Path(at, name) for name in names)
