"""The digest of a file's content, read once: a model of forty gigabytes takes minutes."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

from modex.core.foundation.atomic_write import PRIVATE, write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.served.wish import served_home

_KNOWN = "digests.json"
_MOST = 200
"""Files that are remembered; the oldest are forgotten."""


def content_digest(path: Path) -> str:
    """The SHA-256 of the file, 64 hex digits; known by place, size and time of change where it was read before.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        found = path.stat()
        mark = [str(path.resolve()), found.st_size, found.st_mtime_ns, found.st_ino]
        known = _known()
        if (kept := next((one["digest"] for one in known if one["of"] == mark), None)) is not None:
            return str(kept)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    others = [one for one in known if one["of"][0] != mark[0]]
    with contextlib.suppress(OSError):  # it is read again the next time
        served_home().mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(
            served_home() / _KNOWN, json.dumps([*others, {"of": mark, "digest": digest}][-_MOST:]), mode=PRIVATE
        )
    return digest


def _known() -> list[dict[str, Any]]:
    with contextlib.suppress(OSError, ValueError):
        told = json.loads((served_home() / _KNOWN).read_text(encoding="utf-8"))
        if isinstance(told, list):
            return [one for one in told if isinstance(one, dict) and "of" in one and "digest" in one]
    return []
