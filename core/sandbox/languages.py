"""The languages of whole programs: how each is called in answers, compiled and run, and whether this machine has it."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_ASK_S = 20.0
TOOL, ROOT = "{tool}", "{root}"
"""What stands in the commands of a language for its program, and for the folder that this comes with."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language. Commands are run in the folder of the file; `{tool}` is the program that was found."""

    name: str
    tools: tuple[str, ...]
    """Programs that can run or compile it, the first that is here is taken."""
    file: str
    tags: tuple[str, ...]
    """What fenced blocks of it are called in answers."""
    run: tuple[str, ...]
    compiles: tuple[str, ...] = ()
    version: tuple[str, ...] = (TOOL, "--version")
    root: tuple[str, ...] = ()
    """The command that prints the folder of a tool which is installed outside of `/usr`."""
    within: str = ""
    """Where the tool is within that folder."""
    alone: bool = False
    """Whether the tool is one file that needs no folder."""
    entry: str = ""
    """Pattern of where a program begins: of several blocks the last one with it is the program."""
    install: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    processes: int = 0
    """How many others its programs may start."""
    reserves: bool = False
    """Whether its engine reserves much more address space than it takes."""
    compile_bytes: int = 64 * 1024 * 1024
    """The room in files that it needs."""
    lacks: tuple[str, ...] = ()
    """Patterns of complaints about what is not installed; the group names it."""

    @property
    def is_code(self) -> re.Pattern[str] | None:
        """`entry`, to be searched for."""
        return re.compile(self.entry, re.MULTILINE) if self.entry else None


LANGUAGES: Mapping[str, Language] = {
    one.name: one
    for one in (
        Language(
            "python", (), "main.py", ("python", "python3", "py", "py3"), (TOOL, "-S", "-s", "-B", "-X", "utf8", "main.py"),
            lacks=(r"^ModuleNotFoundError: No module named '([\w.]{1,100})'",),
        ),
        Language(
            "javascript", ("node", "nodejs"), "main.js", ("javascript", "js", "node", "nodejs"), (TOOL, "main.js"),
            install="apt-get install nodejs, or https://nodejs.org", reserves=True, alone=True,
            lacks=(r"^Error: Cannot find module '([\w@/-]{1,100})'",),
        ),
        Language(
            "c", ("gcc", "cc", "clang"), "main.c", ("c",), ("./main",),
            (TOOL, "-O2", "-std=gnu17", "-o", "main", "main.c", "-lm"),
            entry=r"\bmain\s?\(", install="apt-get install gcc libc6-dev",
            lacks=(r"fatal error: ([\w./+-]{1,100}): No such file",),
        ),
        Language(
            "cpp", ("g++", "clang++"), "main.cpp", ("cpp", "c++", "cc", "cxx"), ("./main",),
            (TOOL, "-O2", "-std=gnu++20", "-o", "main", "main.cpp"), entry=r"\bmain\s?\(",
            install="apt-get install g++", lacks=(r"fatal error: ([\w./+-]{1,100}): No such file",),
        ),
        Language(
            "go", ("go",), "main.go", ("go", "golang"), ("./main",), (TOOL, "build", "-o", "main", "main.go"),
            version=(TOOL, "version"), root=(TOOL, "env", "GOROOT"), within="bin/go", entry=r"^func main\(",
            install="apt-get install golang-go, or https://go.dev/dl", reserves=True, compile_bytes=512 * 1024 * 1024,
            environment=(
                ("GOROOT", ROOT), ("GOCACHE", "/tmp/go-cache"), ("GOPATH", "/tmp/go"), ("GO111MODULE", "off"),
                ("GOTOOLCHAIN", "local"), ("CGO_ENABLED", "0"), ("GOFLAGS", "-p=2"),
            ),
            lacks=(r'cannot find package "([\w./-]{1,100})"', r"package ([\w./-]{1,100}) is not in "),
        ),
        Language(
            "rust", ("rustc",), "main.rs", ("rust", "rs"), ("./main",),
            (TOOL, "--edition", "2021", "-O", "-o", "main", "main.rs"), root=(TOOL, "--print", "sysroot"),
            within="bin/rustc", entry=r"^(?:pub )?fn main\(", install="apt-get install rustc, or https://rustup.rs",
            lacks=(r"can't find crate for `(\w{1,100})`",),
        ),
        Language(
            "bash", ("bash",), "main.sh", ("bash", "sh", "shell"), (TOOL, "main.sh"), install="apt-get install bash",
            processes=32, lacks=(r"line \d+: ([\w.+-]{1,60}): command not found",),
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language as this machine has it."""

    language: Language
    tool: str
    """The program, by its path within a sandbox."""
    shows: tuple[str, ...] = ()
    """Folders that a sandbox has to show beside `/usr`."""
    root: str = ""

    def command(self, words: tuple[str, ...]) -> list[str]:
        """`words` with the program's path."""
        return [word.replace(TOOL, self.tool).replace(ROOT, self.root) for word in words]

    @property
    def environment(self) -> dict[str, str]:
        """The variables that it needs."""
        return {name: value.replace(ROOT, self.root) for name, value in self.language.environment}

    def version(self) -> str:
        """What it calls itself, in a line; empty where it does not say."""
        tool = self.command(self.language.version)
        return (_said(tool).splitlines() or [""])[0].strip()


class LanguageMissingError(Exception):
    """This machine has no such language; the message says what to install."""


@functools.cache
def toolchain(name: str) -> Toolchain:
    """The language of that name, as it is here.

    Raises:
        LanguageMissingError: it is not.
        KeyError: there is no language of that name.
    """
    language = LANGUAGES[name]
    if not language.tools:
        return Toolchain(language, str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()))
    for tool in language.tools:
        if (found := shutil.which(tool)) is None:
            continue
        if Path(found).resolve().is_relative_to("/usr"):
            return Toolchain(language, str(Path(found).resolve()) if not found.startswith("/usr") else found,
                             root=_said(language.root and (found, *language.root[1:])).strip())  # fmt: skip
        root = _said((found, *language.root[1:])).strip() if language.root else ""
        within = Path(root, language.within) if root else None
        if language.alone:
            place = str(Path(found).resolve())
            return Toolchain(language, place, (place,))
        # A folder that holds somebody's own files is shown to no answer.
        if within is not None and within.is_file() and not Path.home().is_relative_to(root):
            return Toolchain(language, str(within), (root,), root)
    raise LanguageMissingError(f"{name} needs {' or '.join(language.tools)}, which is not here; {language.install}")


def _said(words: tuple[str, ...] | list[str]) -> str:
    """What a command prints; empty where it fails."""
    if not words:
        return ""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=_ASK_S, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    return done.stdout if done.returncode == 0 else ""
