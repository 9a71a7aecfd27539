"""The folders and git bundles that tests name for their workspaces: found in the suite, bounded, read as data, digested."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modex.core.sandbox.workspace.box import missing_program
from modex.core.sandbox.workspace.bundles import unbundled
from modex.core.sandbox.workspace.tree import Tree, TreeEntry, tree_of
from modex.core.suite.files import FileFaultError, inside, read_bytes

MAX_BYTES = 64 * 1024 * 1024
"""Of a folder or bundle."""
MAX_ENTRIES = 5000
_OVER = f"is larger than {MAX_BYTES // 1024 // 1024} MB; give the test what it needs, and no more"


def with_digests(sandbox: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """What a test says of its sandbox, with a digest of what its folders hold now.

    Raises:
        FileFaultError: one of them is missing, outside, too large, or holds what no workspace can.
    """
    digest: dict[str, str] = {}
    for key in ("workspace", "tests"):
        if isinstance(name := sandbox.get(key), str):
            digest[key] = _digest(root, name, bundle=key == "workspace")
    solution = sandbox.get("solution")
    if isinstance(solution, dict) and "folder" in solution:
        read_folder(root, str(solution["folder"]))
    return {**sandbox, "digest": digest} if digest else dict(sandbox)


def beginning_of(sandbox: Mapping[str, Any], root: Path | None) -> Tree:
    """What the model's folder holds at the start: the named folder or bundle, and over it the files with a text.

    Raises:
        FileFaultError: the folder or bundle is not there any more, or is another one than when the run was planned.
        BoxError: a bundle cannot be unpacked, because no box can be started.
    """
    return {**_named(sandbox, "workspace", root), **tree_of(sandbox.get("files") or {})}


def hidden_files(sandbox: Mapping[str, Any], root: Path | None) -> Tree:
    """What is put over a copy of the folder before the checks run.

    Raises:
        FileFaultError: as for `beginning_of`.
    """
    tests = sandbox.get("tests") or {}
    return tree_of(tests) if isinstance(tests, Mapping) else _named(sandbox, "tests", root)


def needs_missing(sandbox: Mapping[str, Any]) -> str | None:
    """What this machine lacks of the programs that a test needs, with what to do; None where nothing."""
    needs = [*(sandbox.get("needs") or ())]
    if str(sandbox.get("workspace", "")).endswith(".bundle"):
        needs.append("git")
    name = missing_program(needs)
    return (
        None
        if name is None
        else f"the test needs {name}, which is not in /usr/bin here; install it (apt-get install {name})"
    )


def read_folder(root: Path, name: str) -> Tree:
    """A folder of the suite as data; links stay links, and must lead nowhere outside of it.

    Raises:
        FileFaultError: it is missing, outside, too large, or holds what is no file, folder or link.
    """
    top = inside(root, root, name)
    if not top.is_dir():
        raise FileFaultError(f"'{name}' is no folder; name one, or a git bundle (….bundle)")
    found: Tree = {}
    size = 0
    for folder, inner, files in os.walk(top):
        inner[:] = sorted(one for one in inner if one != "__pycache__")
        for one in (*inner, *sorted(files)):
            place = Path(folder, one)
            path = place.relative_to(top).as_posix()
            found[path] = _entry(place, path, top)
            size += len(found[path].data)
        if len(found) > MAX_ENTRIES:
            raise FileFaultError(f"'{name}' holds more than {MAX_ENTRIES:,} files; give the test what it needs")
        if size > MAX_BYTES:
            raise FileFaultError(f"'{name}' {_OVER}")
    return found


def _entry(place: Path, path: str, top: Path) -> TreeEntry:
    seen = place.lstat()
    if stat.S_ISLNK(seen.st_mode):
        leads = str(place.readlink())
        target = os.path.normpath(os.path.join(os.path.dirname(path), leads))  # noqa: PTH118, PTH120 - not resolved
        if os.path.isabs(leads) or target.split("/")[0] == "..":  # noqa: PTH117 - as above
            raise FileFaultError(
                f"'{path}' in '{top.name}' is a link that leads out of the folder; put a file in its place"
            )
        return TreeEntry("link", os.fsencode(leads), 0o777)
    if stat.S_ISDIR(seen.st_mode):
        return TreeEntry("folder", mode=0o755)
    try:
        data = read_bytes(place, MAX_BYTES)
    except FileFaultError as fault:
        raise FileFaultError(f"'{path}' in '{top.name}' {fault.message}") from None
    return TreeEntry("file", data, 0o755 if seen.st_mode & 0o111 else 0o644)


def _named(sandbox: Mapping[str, Any], key: str, root: Path | None) -> Tree:
    name = sandbox.get(key)
    if not isinstance(name, str):
        return {}
    if root is None:
        raise FileFaultError(f"'{name}' is a folder of a suite, and there is none; name it with --suite")
    planned = (sandbox.get("digest") or {}).get(key)
    bundle = key == "workspace" and name.endswith(".bundle")
    if planned is not None and _digest(root, name, bundle=bundle) != planned:
        raise FileFaultError(f"'{name}' has changed since the run was planned; run it again")
    return dict(unbundled(_bundle(root, name))) if bundle else read_folder(root, name)


def _bundle(root: Path, name: str) -> bytes:
    try:
        return read_bytes(inside(root, root, name), MAX_BYTES)
    except FileFaultError as fault:
        raise FileFaultError(fault.message if name in fault.message else f"'{name}' {fault.message}") from None


def _digest(root: Path, name: str, *, bundle: bool) -> str:
    if bundle and name.endswith(".bundle"):
        data = _bundle(root, name)
        if not data.startswith(b"# v2 git bundle") and not data.startswith(b"# v3 git bundle"):
            raise FileFaultError(f"'{name}' is no git bundle; make one with git bundle create {name} --all")
        return hashlib.blake2b(data, digest_size=16).hexdigest()
    return digest_of(read_folder(root, name))


def digest_of(tree: Mapping[str, TreeEntry]) -> str:
    """One digest of names, contents and permissions; times do not count."""
    found = hashlib.blake2b(digest_size=16)
    for path, entry in sorted(tree.items()):
        found.update(repr((path, *entry.same)).encode("utf-8", "surrogatepass"))
    return found.hexdigest()
