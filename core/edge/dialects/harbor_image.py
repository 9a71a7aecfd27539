"""A Dockerfile as what it leaves in folders: what it copies, makes and installs, as far as an ordinary machine has it.

https://docs.docker.com/reference/dockerfile/. What needs more than that (a package of the image, the network, another stage, a
service) is refused with its line.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.names import package_fault
from modex.core.sandbox.workspace.box import WorkBox, missing_program
from modex.core.sandbox.workspace.spec import WorkLimits, part_of, place_faults
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, with_folders
from modex.core.suite.files import FileFaultError, read_text
from modex.core.suite.workspaces import read_folder

_ORDINARY = re.compile(r"(?:ubuntu|debian|python|buildpack-deps|bash|ubuntu-\d\d-\d\d|python-3-\d+)(?:[:@].*)?")
"""Images that hold no more than an ordinary machine, by the last part of their names; two are Terminal-Bench's own."""
_PROGRAMS: dict[str, list[str]] = {
    **{name: [name] for name in (
        "bash", "bc", "bzip2", "cmake", "file", "g++", "gawk", "gcc", "git", "grep", "gzip", "jq", "make", "openssl", "parallel",
        "patch", "perl", "python3", "rsync", "sed", "sqlite3", "tar", "unzip", "xxd", "zip",
    )},
    "binutils": ["nm"], "bsdextrautils": [], "bsdmainutils": [], "build-essential": ["gcc", "g++", "make"], "coreutils": ["ls"],
    "diffutils": ["diff"], "findutils": ["find"], "libc6-dev": ["gcc"], "mawk": ["awk"], "nodejs": ["node"],
    "python-is-python3": ["python3"], "python3-minimal": ["python3"], "util-linux": [], "xz-utils": ["xz"],
}  # fmt: skip
"""Which programs a package of Debian gives, of those that a task may well find on any machine."""
_NOT_MISSED = (
    "apt-transport-https", "apt-utils", "asciinema", "ca-certificates", "curl", "gnupg", "less", "locales", "lsb-release",
    "man-db", "nano", "procps", "python3-pip", "python3-venv", "software-properties-common", "sudo", "tmux", "tree", "tzdata",
    "vim", "wget",
)  # fmt: skip
"""Packages for a person, or for fetching what is not fetched here."""
_HARMLESS = re.compile(
    r"DEBIAN_FRONTEND|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8)|PIP_\w+|UV_\w+|LANG|LANGUAGE|LC_\w+|TZ|TERM|SHELL|PS1|HOME"
)
_FETCHES = re.compile(
    r"\b(?:curl|wget|npm|npx|yarn|pnpm|cargo|rustup|gem|conda|mamba|add-apt-repository)\b"
    r"|\bgit\s+(?:clone|fetch|pull)\b|\bgo\s+(?:get|install|mod)\b|https?://"
)
_GOVERNS = re.compile(
    r"\b(?:service|systemctl|useradd|adduser|groupadd|usermod|chown|su|mount|update-alternatives|sysctl)\b"
)
_IDLE = re.compile(
    r'(?:/bin/|/usr/bin/)?(?:ba|z)?sh(?:"|\'|\s|$)|sleep\b|tail\b|tmux\b|python3?(?:"|\'|\s*\]|\s*$)|true\b'
)
_SECONDS = 120.0


class CannotRunError(Exception):
    """Why something cannot be had here; `line` of the file that says so, 0 where it is none's."""

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(words)
        self.line = line


@dataclass(slots=True)
class Image:
    """What an image is, for who works in it."""

    workdir: str = "/app"
    files: Tree = field(default_factory=dict)
    """By absolute path, without its first stroke."""
    packages: list[str] = field(default_factory=list)
    """Of Python."""
    needs: list[str] = field(default_factory=list)
    """Programs."""

    def places(self) -> list[str]:
        """Where its files are: the folder in which commands begin, then others by their first step.

        Raises:
            CannotRunError: some are where a workspace cannot be.
        """
        found = [self.workdir]
        for path, entry in sorted(self.files.items()):
            if part_of(found, f"/{path}") is None and entry.kind != "folder":
                found.append(f"/{path.split('/')[0]}")
        if (fault := next(place_faults(found), None)) is not None:
            raise CannotRunError(f"its folder {fault}")
        return found

    def laid(self) -> Tree:
        """Its files as the folder of a workspace with these places.

        Raises:
            CannotRunError: as for `places`.
        """
        places = self.places()
        laid: Tree = {}
        for path, entry in self.files.items():
            if part := part_of(places, f"/{path}"):
                laid[part] = entry
        return laid


def read_image(dockerfile: Path, context: Path, root: Path) -> Image:
    """What the Dockerfile makes of the folder `context`, which stands in `root`.

    Raises:
        CannotRunError: it needs what is not here; with the line.
    """
    try:
        text = read_text(dockerfile)
    except FileFaultError as fault:
        raise CannotRunError(f"the Dockerfile {fault.message}") from None
    reading = _Reading(context, root)
    for line, name, rest in _instructions(text):
        try:
            reading.take(name, rest)
        except CannotRunError as error:
            raise CannotRunError(str(error), error.line or line) from None
        except (ValueError, OSError, FileFaultError) as error:
            raise CannotRunError(f"{name} cannot be read ({error})", line) from None
    if not reading.begun:
        raise CannotRunError("the Dockerfile names no image (FROM)", 1)
    return reading.image


def programs_of(packages: list[str], image: str) -> list[str]:
    """The programs that packages of Debian give.

    Raises:
        CannotRunError: one of them is more than an ordinary machine has, or its program is not here.
    """
    found: list[str] = []
    for given in packages:
        name = given.split("=")[0].split(":")[0]
        if name in _NOT_MISSED:
            continue
        if name not in _PROGRAMS:
            raise CannotRunError(f"needs image {image} with package {name}")
        if (missing := missing_program(_PROGRAMS[name])) is not None:
            raise CannotRunError(f"needs {missing}, which is not here; install it (apt-get install {name})")
        found += _PROGRAMS[name]
    return found


def is_ordinary(image: str) -> bool:
    """Whether an image holds no more than an ordinary machine has."""
    return _ORDINARY.fullmatch(image.rsplit("/", maxsplit=1)[-1]) is not None


def _instructions(text: str) -> Iterator[tuple[int, str, str]]:
    """Each instruction: its line, its name in capitals, and the rest with continued lines joined."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        first, line = at, lines[at].strip()
        at += 1
        if not line or line.startswith("#"):
            continue
        while line.endswith("\\") and at < len(lines):
            following = lines[at].strip()
            at += 1
            if following.startswith("#") or not following:
                continue
            line = f"{line[:-1].rstrip()} {following}"
        name, _, rest = line.partition(" ")
        yield first + 1, name.upper(), rest.strip()


class _Reading:
    """One Dockerfile, instruction by instruction."""

    def __init__(self, context: Path, root: Path) -> None:
        self.image = Image()
        self.begun = ""
        self._context, self._root = context, root
        self._known: dict[str, str] = {}

    def take(self, name: str, rest: str) -> None:
        """Do what one instruction says.

        Raises:
            CannotRunError: it cannot be.
        """
        if "<<" in rest and name in ("RUN", "COPY", "ADD"):
            raise CannotRunError(f"{name} with a text in place (<<) is not read")
        if name != "RUN":
            rest = re.sub(r"\$\{?(\w+)\}?", lambda found: self._known.get(found[1], found[0]), rest)
        if name == "FROM":
            self._from(rest)
        elif name == "ARG":
            key, _, value = rest.partition("=")
            self._known.setdefault(key.strip(), value.strip().strip("\"'"))
        elif name == "ENV":
            self._env(rest)
        elif name == "WORKDIR":
            self.image.workdir = self._at(rest.strip("\"'"))
        elif name in ("COPY", "ADD"):
            self._copy(name, rest)
        elif name == "RUN":
            self._run(rest)
        elif name in ("CMD", "ENTRYPOINT"):
            if not _IDLE.match(rest.strip("[]\"' ")):
                raise CannotRunError(f"starts a service ({rest[:60]})")
        elif name not in ("LABEL", "EXPOSE", "USER", "SHELL", "STOPSIGNAL", "MAINTAINER", "VOLUME"):
            raise CannotRunError(f"{name[:20]} is not read")

    def _from(self, rest: str) -> None:
        words = [word for word in rest.split() if not word.startswith("--")]
        if self.begun:
            raise CannotRunError("is built in several stages")
        self.begun = words[0] if words else "?"
        if not is_ordinary(self.begun):
            raise CannotRunError(f"needs image {self.begun}")

    def _env(self, rest: str) -> None:
        pairs = [word.partition("=") for word in shlex.split(rest)]
        if not all(middle for _, middle, _ in pairs):
            name, _, value = rest.partition(" ")
            pairs = [(name, "=", value.strip())]
        for key, _, value in pairs:
            if not _HARMLESS.fullmatch(key):
                raise CannotRunError(f"needs the variable {key[:40]}, which a workspace does not set")
            self._known[key] = value

    def _at(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.image.workdir, path))

    def _copy(self, name: str, rest: str) -> None:
        words = (
            rest.split() if not rest.startswith("[") else [word.strip(" \"'") for word in rest.strip("[] ").split(",")]
        )
        if any(word.startswith("--from") for word in words):
            raise CannotRunError("copies from another image")
        words = [word for word in words if not word.startswith("--")]
        *sources, target = words
        into = target.endswith("/") or target == "." or len(sources) > 1
        for source in sources:
            if "://" in source or (name == "ADD" and source.endswith((".tar", ".gz", ".tgz", ".xz", ".bz2", ".zip"))):
                raise CannotRunError(f"ADD {source[:60]} fetches or unpacks")
            for path, entry in self._given(source, self._at(target), into=into):
                self.image.files[path] = entry

    def _given(self, source: str, target: str, *, into: bool) -> Iterator[tuple[str, TreeEntry]]:
        """What `source` of the context is at `target`, by absolute path."""
        steps = source.strip("/").split("/")
        if ".." in steps:
            raise CannotRunError(f"{source[:60]} leads out of the task")
        tree = with_folders(read_folder(self._root, self._context.relative_to(self._root).as_posix()))
        plain = posixpath.normpath(source.strip("/") or ".")
        pattern = re.compile("/".join(_pattern(step) for step in plain.split("/"))) if plain != "." else None
        matched = ["."] if pattern is None else [path for path in tree if pattern.fullmatch(path)]
        if not matched:
            raise CannotRunError(f"{source[:60]} is not there to be copied")
        for path in matched:
            if path != "." and tree[path].kind != "folder":
                place = posixpath.join(target, posixpath.basename(path)) if into or len(matched) > 1 else target
                yield place.lstrip("/"), tree[path]
                continue
            for below, entry in tree.items():
                if path == "." or below.startswith(f"{path}/"):
                    rest = below if path == "." else below[len(path) + 1 :]
                    yield posixpath.join(target, rest).lstrip("/"), entry

    def _run(self, rest: str) -> None:
        if rest.startswith("["):
            rest = shlex.join(word.strip(" \"'") for word in rest.strip("[] ").split(","))
        rest = re.sub(r"^(?:--\S+\s+)+", "", rest)
        left = [one for one in _commands(rest) if not self._is_done(one)]
        if not left:
            return
        command = " && ".join(left)
        if _FETCHES.search(command):
            raise CannotRunError(f"needs the network ({command[:60]})")
        if found := _GOVERNS.search(command):
            raise CannotRunError(f"needs a system of its own ({found[0]})")
        self._build(command)

    def _is_done(self, command: str) -> bool:
        """Whether a command installs what is here, or is for the image alone."""
        try:
            words = shlex.split(command)
        except ValueError:
            return False
        while words and re.match(r"\w+=", words[0]):
            words = words[1:]
        words = words[1:] if words[:1] == ["sudo"] else words
        if not words or words[:1] in (["set"], ["true"]) or "/var/lib/apt" in command or "/var/cache" in command:
            return True
        if words[0] in ("apt-get", "apt"):
            plain = [word for word in words[1:] if not word.startswith("-")]
            if plain[:1] == ["install"]:
                self.image.needs += programs_of(plain[1:], self.begun)
            return True
        if words[:3] in (["python3", "-m", "pip"], ["python", "-m", "pip"]):
            words = words[2:]
        words = words[1:] if words[:2] == ["uv", "pip"] else words
        if words[0] in ("pip", "pip3") and words[1:2] == ["install"]:
            self.image.packages += self._packages(words[2:])
            return True
        return False

    def _packages(self, words: list[str]) -> list[str]:
        found: list[str] = []
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word in ("-r", "--requirement"):
                found += self._required(words[at] if at < len(words) else "")
                at += 1
            elif word in (
                "-i",
                "--index-url",
                "--extra-index-url",
                "-f",
                "--find-links",
                "-c",
                "--constraint",
                "--python",
            ):
                raise CannotRunError(f"installs with {word}")
            elif word.startswith("-"):
                continue
            elif package_fault(word) is not None:
                raise CannotRunError(f"installs {word[:40]} by pip, which is no name of a package")
            elif word not in ("pip", "setuptools", "wheel", "uv"):
                found.append(word)
        return found

    def _required(self, name: str) -> list[str]:
        entry = self.image.files.get(self._at(name).lstrip("/"))
        if entry is None:
            raise CannotRunError(f"installs from {name[:40]}, which was not copied before")
        lines = (line.split("#")[0].strip() for line in entry.data.decode("utf-8", "replace").splitlines())
        return self._packages([line.replace(" ", "") for line in lines if line])

    def _build(self, command: str) -> None:
        """Run a command in a box on the files that are there, and take what it leaves."""
        image = self.image
        places = [*image.places()]
        for named in re.findall(r"(?<![\w.$/-])/[A-Za-z][\w.-]*", command):
            if part_of(places, named) is None and not list(place_faults([*places, named])):
                places.append(named)
        limits = WorkLimits(seconds=_SECONDS, size_mb=256, processes=128, places=tuple(places))
        laid = {part: entry for path, entry in image.files.items() if (part := part_of(places, f"/{path}"))}
        for place in places[1:]:
            laid.setdefault(part_of(places, place) or "", TreeEntry("folder", mode=0o755))
        try:
            box = WorkBox(laid, limits)
            try:
                ran = box.shell(f"cd {shlex.quote(image.workdir)} && {command}")
                left = box.keep()
            finally:
                box.close()
        except BoxError as error:
            raise CannotRunError(f"cannot be built here: {error}") from None
        if ran.code or ran.over or ran.lost:
            said = (ran.out.strip().splitlines() or [f"exit code {ran.code}"])[-1]
            raise CannotRunError(f"a command of the image fails in a workspace ({command[:60]}: {said[:120]})")
        image.files = {}
        for path, entry in left.items():
            for place in reversed(places):
                part = part_of(places, place) or ""
                if not part or path.startswith(f"{part}/"):
                    image.files[posixpath.join(place, path[len(part) :].lstrip("/")).lstrip("/")] = entry
                    break


def _commands(text: str) -> Iterator[str]:
    """The commands of a line that are joined by && or ; and stand in no quotes and no block."""
    if re.search(r"(?:^|[;&|]\s*)(?:for|while|if|case|\{|\()\b|\$\(|`|\|\|", text):
        yield text
        return
    found, quote = "", ""
    at = 0
    while at < len(text):
        letter = text[at]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif text.startswith("&&", at) or letter == ";":
            if found.strip():
                yield found.strip()
            found = ""
            at += 2 if letter == "&" else 1
            continue
        found += letter
        at += 1
    if found.strip():
        yield found.strip()


def _pattern(step: str) -> str:
    return "".join({"*": "[^/]*", "?": "[^/]"}.get(letter, re.escape(letter)) for letter in step)
