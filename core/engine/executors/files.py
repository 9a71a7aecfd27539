"""The suite as a worker process on another machine has it: its files by what they hold, each sent once and kept."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from modex.core.engine.executors.messages import Content, ContentWanted, Setup, SuiteFile
from modex.core.foundation.errors import ModexError
from modex.core.pipeline.plugins import Plugin
from modex.core.store.sample import EvaluationSample
from modex.core.suite.attachments import digest_of
from modex.core.suite.bundled import bundled_root

_KEPT_S = 30 * 24 * 3600
_NAME = frozenset("0123456789abcdef")


class Files:
    """What was sent to this machine before, and what must be asked for."""

    def __init__(self, send: Callable[[object], None]) -> None:
        self._send = send
        self._folder = _folder()
        self._lock = threading.Lock()
        self._coming: dict[str, threading.Event] = {}
        self._gone: set[str] = set()

    def take(self, content: Content) -> None:
        """Keep what the driver sent; from the thread that reads."""
        if content.data is None or digest_of(content.data) != content.digest:
            self._gone.add(content.digest)
        else:
            _write(self._path(content.digest), content.data)
        with self._lock:
            coming = self._coming.pop(content.digest, None)
        if coming is not None:
            coming.set()

    def want(self, digest: str) -> threading.Event | None:
        """Ask for what is not here; None where it is."""
        if self._path(digest).is_file():
            return None
        with self._lock:
            if (coming := self._coming.get(digest)) is None:
                coming = self._coming[digest] = threading.Event()
                self._gone.discard(digest)
                self._send(ContentWanted(digest))
        return coming

    def bring(self, sample: EvaluationSample) -> None:
        """Have the files that go with a question here, and name where they lie; one that is gone is left to whoever reads it."""
        for one in sample.definition.attachments:
            digest, name = str(one.get("digest") or ""), PurePosixPath(str(one.get("path") or "")).name
            if not name or not digest:
                continue
            if (coming := self.want(digest)) is not None:
                coming.wait()
            if digest not in self._gone:
                # Under its own name, for an agent may go by the ending.
                own = self._folder / "named" / digest / name
                if not own.is_file():
                    _write(own, self._path(digest).read_bytes())
                one["path"] = str(own)

    def lay_out(self, files: Sequence[SuiteFile]) -> Path:
        """The suite's folder on this machine; every content must have come.

        Raises:
            ModexError: a file has changed at the driver's since the run began, or there is no room.
        """
        if changed := next((file for file in files if file.digest in self._gone), None):
            raise ModexError(f"the suite's file {changed.path} changed while the run began; start it again")
        named = "\0".join(f"{file.path}\0{file.digest}" for file in files)
        root = self._folder / "suites" / hashlib.blake2b(named.encode(), digest_size=16).hexdigest()
        if not root.is_dir():
            root.parent.mkdir(parents=True, exist_ok=True)
            made = Path(tempfile.mkdtemp(dir=root.parent))
            for file in files:
                path = made / file.path
                if not path.resolve().is_relative_to(made.resolve()):
                    raise ModexError(f"the suite's file {file.path} lies outside of it; put it into the suite")
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self._path(file.digest), path)
            with contextlib.suppress(OSError):  # another worker of this machine was quicker
                made.rename(root)
            shutil.rmtree(made, ignore_errors=True)
        os.utime(root)
        return root

    def tidy(self) -> None:
        """Forget what nobody used for a month."""
        before = time.time() - _KEPT_S
        with contextlib.suppress(OSError):
            for kind in ("contents", "named", "suites"):
                for path in (self._folder / kind).glob("*"):
                    if path.stat().st_mtime < before:
                        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        if not digest or not set(digest) <= _NAME:
            raise ModexError("a digest is none; start the run again")
        return self._folder / "contents" / digest


def placed(plugin: Plugin, setup: Setup, root: Path) -> Plugin:
    """The plugin as if it lay on this machine, below the suite's folder `root` or in this modex: it may read files beside it."""

    def here(path: Path) -> Path:
        for there, own in ((Path(setup.suite_root), root), (Path(setup.bundled_root), bundled_root())):
            if path.is_relative_to(there):
                return own / path.relative_to(there)
        return path

    return replace(
        plugin, path=here(plugin.path), sources=tuple((here(path), source) for path, source in plugin.sources)
    )


def _folder() -> Path:
    from platformdirs import user_cache_path

    folder = user_cache_path("modex", appauthor=False) / "cluster"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "contents").mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:  # no home, or a full or read-only one
        return Path(tempfile.mkdtemp(prefix="modex-cluster-"))


def _write(path: Path, data: bytes) -> None:
    """Write it whole or not at all: several workers of one machine share the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    Path(name).replace(path)
