"""Packages that tests name: one folder for each set of them, made outside of every sandbox and shown in it, read-only.

Only wheels are installed, so that no code of a package runs here. What was made is kept in the cache folder and found again by
what was asked for; a set without versions stays what it was when it was made.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from modex.core.foundation.errors import ModexError

_MAKE_S = 600.0
_SAID_CHARS = 300
_NO_NETWORK = ("network", "connection", "connect", "resolve", "timed out", "name resolution", "dns error")
_MADE = "made.json"


class PackagesError(ModexError):
    """The packages of a test cannot be had; the message says why and what to do."""


def environments_folder() -> Path:
    """Where environments are kept: in `MODEX_CACHE`, else in the platform's cache folder."""
    if given := os.environ.get("MODEX_CACHE"):
        return Path(given).expanduser() / "environments"
    from platformdirs import user_cache_path

    return user_cache_path("modex", appauthor=False) / "environments"


def environment(packages: Iterable[str], say: Callable[[str], None] = lambda _: None) -> Path:
    """The folder with these packages, made where it is not there yet, which `say` is told.

    Raises:
        PackagesError: it cannot be made. What failed is not tried again by this process.
    """
    wanted = tuple(sorted({re.sub(r"\s", "", one) for one in packages}))
    place = environments_folder() / _digest(wanted)
    if (place / _MADE).is_file():
        return place
    return _made(wanted, place, say)


def versions(place: Path) -> dict[str, str]:
    """What is installed in an environment: versions by name, as they were when it was made."""
    try:
        found = json.loads((place / _MADE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(version) for name, version in found.items()} if isinstance(found, dict) else {}


def _digest(wanted: tuple[str, ...]) -> str:
    of = [wanted, sys.version_info[:2], sys.implementation.name, sys.platform, os.uname().machine]
    return hashlib.blake2b(json.dumps(of).encode(), digest_size=12).hexdigest()


_failed: dict[Path, PackagesError] = {}


def _made(wanted: tuple[str, ...], place: Path, say: Callable[[str], None]) -> Path:
    if (known := _failed.get(place)) is not None:
        raise known
    named = ", ".join(wanted)
    with _held(place):
        if (place / _MADE).is_file():
            return place
        say(f"making an environment with {named}: this is done once")
        building = Path(tempfile.mkdtemp(prefix=f"{place.name}-", dir=place.parent))
        try:
            try:
                _install(wanted, building)
            except PackagesError as error:
                _failed[place] = error
                raise
            (building / _MADE).write_text(json.dumps(_installed(building)), encoding="utf-8")
            building.chmod(0o755)
            shutil.rmtree(place, ignore_errors=True)
            building.rename(place)
        finally:
            shutil.rmtree(building, ignore_errors=True)
        say(f"made: {', '.join(f'{name} {version}' for name, version in versions(place).items())}")
    return place


@contextlib.contextmanager
def _held(place: Path) -> Iterator[None]:
    """Let one process make it, and the others wait.

    Raises:
        PackagesError: the folder cannot be written.
    """
    import fcntl

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        lock = place.with_suffix(".lock").open("w")
    except OSError as error:
        raise PackagesError(
            f"{place.parent} cannot be written: {error.strerror}; name another folder in MODEX_CACHE"
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _install(wanted: tuple[str, ...], target: Path) -> None:
    python = str(Path(getattr(sys, "_base_executable", None) or sys.executable))
    into = ["--target", str(target), "--only-binary", ":all:", "--no-compile"]
    if (uv := _uv()) is not None:
        _run([uv, "pip", "install", "--quiet", "--python", python, "--link-mode", "copy", *into[:-1], *wanted], wanted)
        return
    pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", *into, *wanted]
    if importlib.util.find_spec("pip") is not None:
        _run([sys.executable, *pip], wanted)
        return
    with tempfile.TemporaryDirectory(prefix="modex-venv-") as folder:
        _run([python, "-m", "venv", folder], wanted)
        _run([str(Path(folder, "bin", "python")), *pip], wanted)


@functools.cache
def _uv() -> str | None:
    beside = Path(sys.executable).with_name("uv")
    return shutil.which("uv") or (str(beside) if beside.is_file() else None)


def _run(words: list[str], wanted: tuple[str, ...]) -> None:
    named = ", ".join(wanted)
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_MAKE_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise PackagesError(f"{named} cannot be installed: {error}; install uv or Python's venv") from error
    if done.returncode == 0:
        return
    said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    text = " ".join(said).casefold()
    if "no module named venv" in text or "ensurepip" in text:
        why, advice = "this Python has neither uv nor venv", "install uv: pip install uv"
    elif any(
        word in text
        for word in ("no matching distribution", "no solution found", "not found in the package", "no version of")
    ) and not any(word in text for word in _NO_NETWORK):
        why, advice = (
            "there is no such package or version as a wheel",
            "check the name and version in the test's `packages`",
        )
    elif any(word in text for word in _NO_NETWORK):
        why, advice = (
            "the package index is not reached",
            "check the network or the index that pip is set to, then judge again",
        )
    else:
        why, advice = "the installer failed", "read what it says"
    last = next((line for line in reversed(said) if "error" in line.casefold()), (said or [""])[-1])
    raise PackagesError(f"{named} cannot be installed, {why} ({last[:_SAID_CHARS]}); {advice}")


def _installed(place: Path) -> dict[str, str]:
    from importlib.metadata import distributions

    return dict(sorted((one.metadata["Name"], one.version) for one in distributions(path=[str(place)])))
