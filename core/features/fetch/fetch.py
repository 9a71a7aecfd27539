"""One benchmark fetched: its revision resolved, its files downloaded, verified, and put in their place all at once.

    <folder>/<name>/.lock        held while one process works on the name; others wait
    <folder>/<name>/.part-<rev>  what was downloaded so far; the next fetch goes on with it, and nothing else reads it

A name is held to the commit that came first. Where its branch has moved since, that is said, and `--revision main` goes along.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from modex.core.features.fetch import hub
from modex.core.features.fetch.hub import FetchError, NoNetworkError, OtherContentError, RemoteFile, Revision
from modex.core.features.fetch.rows import join
from modex.core.foundation.atomic_write import not_written
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.fetched import Manifest, VerifiedFile, datasets_folder, held, hold, rows_file
from modex.core.suite.datasets.homes import DatasetHome

_CHUNK = 1 << 20
BROUGHT = "brought"


@dataclass(frozen=True, slots=True)
class FetchWish:
    """How a person wants it."""

    folder: Path
    revision: str | None = None
    """A branch, tag or commit; None is what is held, else the branch of the benchmark."""
    offline: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """How it went."""

    manifest: Manifest
    file: Path
    """The file with the rows."""
    was_here: bool
    note: str = ""
    """What a person should know beside it."""


class Telling:
    """What hears how far it is; by default nobody."""

    def begins(self, name: str, size: int) -> None:
        """A download of so many bytes begins."""

    def came(self, count: int) -> None:
        """So many more bytes are here."""

    def waits(self, name: str) -> None:
        """Another process works on the same name."""


def fetch(home: DatasetHome, wanted: FetchWish, tell: Telling) -> Fetched:
    """Bring what is wanted of a benchmark.

    Raises:
        FetchError: it did not come; nothing that was here before was touched.
        ConfigurationError: it cannot be written, or read: pyarrow is not installed.
    """
    _check_reader(home)
    place = wanted.folder / home.name
    try:
        place.mkdir(parents=True, exist_ok=True)
        with _alone(place / ".lock", lambda: tell.waits(home.name)):
            return _fetch(home, wanted, tell)
    except OSError as error:
        raise not_written(
            error.filename or place, error, "name another folder with --out or the setting `datasets`"
        ) from None


def _check_reader(home: DatasetHome) -> None:
    if not home.is_parquet:
        return
    try:
        import pyarrow.parquet  # noqa: F401  whether it is there
    except ImportError:
        raise FetchError(
            f"{home.name}: its rows are Parquet, which pyarrow reads: install it, `pip install 'modex[parquet]'`"
        ) from None


@contextlib.contextmanager
def _alone(lock: Path, waits: Callable[[], None]) -> Iterator[None]:
    """As the only process that works on a name; the system lets go of the lock when a process ends, however it does."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
            waits()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _fetch(home: DatasetHome, wanted: FetchWish, tell: Telling) -> Fetched:
    now = _held(home, wanted)
    sound = now is not None and not wanted.again and not _fault(wanted.folder, now)
    if wanted.offline or hub.is_offline():
        return _offline(home, wanted, now if sound else None)
    if now is not None and sound and wanted.revision is None:
        return _here(wanted, now, _moved(home, now))
    asked = wanted.revision or (now.revision if now is not None else "") or home.revision
    try:
        revision = hub.revision_of(home.repository, asked)
    except NoNetworkError as error:
        raise NoNetworkError(f"{error}. {_by_hand(home, wanted.folder)}") from None
    except hub.NoRevisionError as error:
        if wanted.revision is not None or now is None:
            raise
        raise FetchError(
            f"{error} (it is the one that came first; the repository has forgotten it: take `--revision {home.revision}`)"
        ) from None
    if now is not None and sound and now.revision == revision.commit:
        return _here(wanted, now)
    manifest = _bring(home, wanted.folder, revision, now, tell)
    hold(wanted.folder, manifest)
    note = ""
    if now is not None and now.revision and now.revision != manifest.revision:
        note = f"from now on held to {manifest.said}; before it was {now.said}"
    return Fetched(manifest, rows_file(wanted.folder, manifest), was_here=False, note=note)


def _held(home: DatasetHome, wanted: FetchWish) -> Manifest | None:
    try:
        return held(wanted.folder, home.name)
    except ConfigurationError:
        if wanted.again:
            return None
        raise


def _here(wanted: FetchWish, manifest: Manifest, note: str = "") -> Fetched:
    return Fetched(manifest, rows_file(wanted.folder, manifest), was_here=True, note=note)


def _moved(home: DatasetHome, manifest: Manifest) -> str:
    """What to say where the benchmark's branch is another commit by now; a hub that does not answer changes nothing."""
    if not manifest.revision:
        return ""
    try:
        commit = hub.revision_of(home.repository, home.revision).commit
    except FetchError as error:
        return f"whether it has moved since cannot be told: {error}"
    if commit == manifest.revision:
        return ""
    return (
        f"{home.repository} has moved: {home.revision} is {commit[:12]} by now, and {manifest.said} is held to; "
        f"`modex fetch {home.name} --revision {home.revision}` goes along"
    )


def _fault(folder: Path, manifest: Manifest) -> str:
    """What is wrong with the files that are here, every byte of them read."""
    root = folder / manifest.name / manifest.folder
    for path, kept in manifest.files.items():
        try:
            if digest_of(root / path) != kept.sha256:
                return f"{root / path} was changed"
        except OSError as error:
            return f"{root / path}: {error.strerror or error}"
    return ""


def _bring(home: DatasetHome, folder: Path, revision: Revision, now: Manifest | None, tell: Telling) -> Manifest:
    """Download, verify and put in place what one commit has."""
    rows = matching(home.files, (one.path for one in revision.files))
    if not rows:
        there = ", ".join(one.path for one in revision.files[:8])
        raise FetchError(
            f"{home.page}: {revision.commit[:12]} has no file {home.files[0]} (it has {there or 'none'}); "
            f"name another with --revision, or get its file by hand: `--dataset FILE --preset {home.preset}`"
        )
    also = matching(home.beside, (one.path for one in revision.files))
    known = {one.path: one for one in revision.files}
    files = [known[path] for path in dict.fromkeys([*rows, *also])]
    place = folder / home.name
    part = place / f".part-{revision.commit[:12]}"
    part.mkdir(exist_ok=True)
    _check_room(part, files)
    tell.begins(home.name, sum(one.size for one in files))
    kept: dict[str, VerifiedFile] = {}
    before = now.files if now is not None and now.revision == revision.commit else {}
    for file in files:
        whole = _right(_Download(home, revision.commit, file, part), tell.came)
        if (first := before.get(file.path, whole)) != whole:
            raise FetchError(
                f"{home.page}: {file.path} of {revision.commit[:12]} is other than when it first came (SHA-256 "
                f"{whole.sha256[:12]}…, then {first.sha256[:12]}…); what is here stays: take another --revision"
            )
        kept[file.path] = whole
    return _placed(home, part, revision.commit, rows, kept)


def _check_room(part: Path, files: Sequence[RemoteFile]) -> None:
    there = sum(one.stat().st_size for one in part.rglob("*") if one.is_file())
    needed = sum(one.size for one in files) - there
    if needed > (free := shutil.disk_usage(part).free):
        raise OSError(errno.ENOSPC, f"{needed / 1e6:,.1f} MB are needed and {free / 1e6:,.1f} are free", str(part))


@dataclass(frozen=True, slots=True)
class _Download:
    """One file to bring, and where."""

    home: DatasetHome
    commit: str
    file: RemoteFile
    part: Path

    @property
    def here(self) -> list[Path]:
        """What there is of it already, whole or not."""
        whole = self.part / self.file.path
        return [one for one in (whole, whole.with_name(whole.name + hub.HALF)) if one.exists()]


def _right(one: _Download, came: Callable[[int], None]) -> VerifiedFile:
    """Download a file and verify it; one that was gone on with and came out wrong is begun once more from the start.

    Raises:
        FetchError: it did not come, or is not what the Hub says; what came is gone.
    """
    while True:
        goes_on = bool(one.here)
        try:
            return _verified(one, hub.bring(one.home.repository, one.commit, one.file, one.part, came))
        except OtherContentError:
            for path in one.here:
                path.unlink()
            if not goes_on:
                raise


def _verified(one: _Download, path: Path) -> VerifiedFile:
    """The file's digest, where it is the one that the Hub names.

    Raises:
        OtherContentError: it is not.
    """
    kept, file = VerifiedFile(digest_of(path), path.stat().st_size), one.file
    right = kept.sha256 == file.sha256 if file.sha256 else blob_of(path) == file.blob
    if not right:
        told = f"SHA-256 {file.sha256[:12]}…" if file.sha256 else f"blob {file.blob[:12]}…"
        raise OtherContentError(
            f"{one.home.page}: {file.path} came as other bytes (SHA-256 {kept.sha256[:12]}…) than the Hub says ({told}); "
            "they were thrown away: try again, or set HF_ENDPOINT to another hub"
        )
    return kept


def _placed(home: DatasetHome, part: Path, commit: str, rows: Sequence[str], kept: dict[str, VerifiedFile]) -> Manifest:
    """What was verified in `part`, under its name beside it: a folder is there whole or not at all."""
    for stray in [one for one in part.rglob("*") if one.is_file() and one.relative_to(part).as_posix() not in kept]:
        stray.unlink()  # of another revision of this modex, which takes other files
    place, file = part.parent, rows[0]
    name = commit[:12] or f"{BROUGHT}-{_together(kept)}"
    if len(rows) > 1:
        file = join(part, rows, home.part)
        kept = {**kept, file: VerifiedFile(digest_of(part / file), (part / file).stat().st_size)}
    for path in kept:
        _on_the_disk(part / path)
    final = place / name
    if final.exists():  # damaged, or asked for again
        aside = place / f".old-{name}"
        shutil.rmtree(aside, ignore_errors=True)
        final.rename(aside)
        part.rename(final)
        shutil.rmtree(aside, ignore_errors=True)
    else:
        part.rename(final)
    _on_the_disk(place)
    fetched_at = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(home.name, home.repository, commit, name, file, fetched_at, kept)


def _together(kept: dict[str, VerifiedFile]) -> str:
    """What names these files where no commit does."""
    return hashlib.sha256("".join(sorted(one.sha256 for one in kept.values())).encode()).hexdigest()[:12]


def _on_the_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _offline(home: DatasetHome, wanted: FetchWish, now: Manifest | None) -> Fetched:
    """What is here already, or what a person brought."""
    if now is not None and wanted.revision in (None, now.revision, now.revision[:12]):
        return _here(wanted, now)
    place = wanted.folder / home.name
    brought = place / BROUGHT
    found = _brought(home, brought)
    if not found:
        raise NoNetworkError(f"{home.name} is not here. {_by_hand(home, wanted.folder)}")
    part = place / ".part-brought"
    shutil.rmtree(part, ignore_errors=True)
    kept: dict[str, VerifiedFile] = {}
    for name, path in found.items():
        target = part / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        kept[name] = VerifiedFile(digest_of(target), target.stat().st_size)
    manifest = _placed(home, part, "", matching(home.files, kept), kept)
    hold(wanted.folder, manifest)
    note = f"taken from {brought}; which revision that is, nobody can tell"
    return Fetched(manifest, rows_file(wanted.folder, manifest), was_here=False, note=note)


def _brought(home: DatasetHome, folder: Path) -> dict[str, Path]:
    """Files that a person put there, by their paths in the repository; by their names alone where that says enough."""
    if not folder.is_dir():
        return {}
    there = {one.relative_to(folder).as_posix(): one for one in sorted(folder.rglob("*")) if one.is_file()}
    named = matching(home.files, there)
    if named:
        also = matching(home.beside, there)
        return {name: there[name] for name in dict.fromkeys([*named, *also])}
    flat: dict[str, Path] = {}
    for pattern in home.files:
        above, _, last = pattern.rpartition("/")
        if "*" in above:
            continue
        for name in matching((last,), there):
            flat[f"{above}/{name}" if above else name] = there[name]
    return flat


def _by_hand(home: DatasetHome, folder: Path) -> str:
    files = ", ".join(home.files)
    one = (
        f" ({home.address(home.files[0])})" if "*" not in home.files[0] else f" (from {home.page}/tree/{home.revision})"
    )
    terms = f", once its terms are accepted on {home.page}" if home.gated else ""
    out = "" if folder == datasets_folder() else f" --out {folder}"
    return (
        f"To bring it by hand: get {files}{one}{terms}, put {'them' if len(home.files) > 1 or '*' in files else 'it'} into "
        f"{folder / home.name / BROUGHT} and say `modex fetch {home.name} --offline{out}`"
    )


def matching(patterns: Sequence[str], paths: Iterable[str]) -> list[str]:
    """The paths that one of the patterns names, in order; `*` stands for any characters but `/`."""
    rules = [re.compile("[^/]*".join(map(re.escape, pattern.split("*")))) for pattern in patterns]
    return sorted(path for path in paths if ".." not in path.split("/") and any(rule.fullmatch(path) for rule in rules))


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            found.update(piece)
    return found.hexdigest()


def blob_of(path: Path) -> str:
    """A file's name as Git's blob: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects."""
    found = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            found.update(piece)
    return found.hexdigest()
