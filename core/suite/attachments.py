"""Files that go with a question: found inside their folder, bounded, of a kind that is sent, digested while a suite is read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from modex.core.suite.files import FileFaultError, decode, inside, read_bytes

MAX_BYTES = 20 * 1024 * 1024
"""One attachment at most: what the larger providers take of one image."""
MAX_TOGETHER = 32 * 1024 * 1024
"""All attachments of one test at most: what a request may hold where that is limited most."""
IMAGES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
TEXTS: Mapping[str, str] = {
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".json": "application/json",
    ".py": "text/x-python",
}
PDF = "application/pdf"
_KINDS: Mapping[str, str] = {**IMAGES, **TEXTS, ".pdf": PDF}
_OTHER = "application/octet-stream"
"""Of a file that is not sent."""
_PART_KEYS: Mapping[str, str] = {"text": "text", "image": "image", "file": "file"}


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file that is sent with a question; its content stays in the file."""

    name: str
    """As the test names it."""
    path: str
    """Absolute."""
    media_type: str
    size: int
    """Bytes."""
    digest: str
    """Of the content."""
    turn: int | None = None
    """Index of the turn it belongs to; None for the last one."""
    at: int | None = None
    """Offset in the turn's text before which it stands, in characters; None for after the text."""
    unsent: str = ""
    """Why no model is sent it; a test that has such a one is not asked, and ends as an error."""


@dataclass(frozen=True, slots=True)
class Named:
    """A file as a prompt's part names it; see `Attachment`."""

    name: str
    turn: int
    at: int


def find(
    root: Path, reference: str, *, place: str = "the suite", turn: int | None = None, at: int | None = None
) -> Attachment:
    """The file `reference`, relative to `root` and inside it; `place` is what messages call that folder.

    Raises:
        FileFaultError: it is missing, outside, too large, of a kind that is not sent, or not what its ending says.
    """
    path = inside(root, root, reference, place)
    media_type = _KINDS.get(path.suffix.lower())
    if media_type is None:
        known = ", ".join(ending.removeprefix(".") for ending in _KINDS)
        kind = path.suffix or "no ending"
        raise FileFaultError(f"'{reference}' is of a kind that is not sent to models ({kind}); those are: {known}")
    try:
        seen = os.stat(path)  # noqa: PTH116 - follows the link that `inside` allowed
        if seen.st_size > MAX_BYTES:
            large = f"{seen.st_size / 1024 / 1024:.1f} MiB"
            raise FileFaultError(
                f"is too large to attach: {large}, where {MAX_BYTES // 1024 // 1024} MiB are allowed; make it smaller"
            )
        digest = _digest(os.path.abspath(path), media_type, seen.st_size, seen.st_mtime_ns)  # noqa: PTH100 - keeps links
    except OSError as error:
        raise FileFaultError(f"'{reference}' cannot be read ({error.strerror or error}); make it readable") from None
    except FileFaultError as fault:
        raise FileFaultError(f"'{reference}' {fault.message}") from None
    return Attachment(reference, os.path.abspath(path), media_type, seen.st_size, digest, turn, at)  # noqa: PTH100


def find_or_say(
    root: Path, reference: str, *, place: str, turn: int | None = None, at: int | None = None
) -> Attachment:
    """As `find`; a file that cannot be sent is an attachment all the same, which says why in `unsent`.

    One that is there and only of another kind keeps its path and digest: an agent of one's own may read it.
    """
    try:
        return find(root, reference, place=place, turn=turn, at=at)
    except FileFaultError as fault:
        why = fault.message
    try:
        path = os.path.abspath(inside(root, root, reference, place))  # noqa: PTH100 - keeps links
        seen = os.stat(path)  # noqa: PTH116 - follows the link that `inside` allowed
        digest = _digest(path, _OTHER, seen.st_size, seen.st_mtime_ns)
    except (OSError, FileFaultError):
        return Attachment(reference, "", "", 0, "", turn, at, why)
    return Attachment(reference, path, _OTHER, seen.st_size, digest, turn, at, why)


def file_names(value: Any) -> list[str] | None:
    """The names of files that a row's value holds; None where it holds something else: content, or an address."""
    values = value if isinstance(value, list) else [value]
    plain = all(isinstance(one, str) and "://" not in one and not one.startswith("data:") for one in values)
    return [name for one in values if (name := one.strip())] if plain else None


def together_fault(found: Sequence[Attachment]) -> str | None:
    """What is wrong with the attachments of one test taken together, or None."""
    size = sum(one.size for one in found)
    if size <= MAX_TOGETHER:
        return None
    return (
        f"its attachments are too large together: {size / 1024 / 1024:.1f} MiB, "
        f"where {MAX_TOGETHER // 1024 // 1024} MiB are allowed; make it smaller"
    )


def digest_of(data: bytes) -> str:
    """The digest of an attachment's content."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def part_fault(part: Any) -> str | None:
    """What is wrong with one part of a turn's content, or None."""
    kind = part.get("type") if isinstance(part, dict) else None
    key = _PART_KEYS.get(kind) if isinstance(kind, str) else None
    if key is None or not isinstance(value := part.get(key), str) or not value:
        return (
            'a part is {"type": "text", "text": …}, {"type": "image", "image": FILE} or {"type": "file", "file": FILE}'
        )
    return None


def plain_turns(turns: Sequence[Mapping[str, Any]]) -> tuple[tuple[dict[str, str], ...], tuple[Named, ...]]:
    """Turns with their text alone, and the files that their parts name; the parts were checked by `part_fault`."""
    plain: list[dict[str, str]] = []
    named: list[Named] = []
    for number, turn in enumerate(turns):
        content = turn["content"]
        if isinstance(content, list):
            text = ""
            for part in content:
                if part["type"] == "text":
                    text += ("\n\n" if text else "") + part["text"]
                else:
                    named.append(Named(part[part["type"]], number, len(text)))
            content = text
        plain.append({"role": turn["role"], "content": content})
    return tuple(plain), tuple(named)


@lru_cache(maxsize=4096)
def _digest(path: str, media_type: str, size: int, changed_ns: int) -> str:
    """The digest of a file that is what its ending says; size and time tell when it has to be read again."""
    del size, changed_ns
    data = read_bytes(path, MAX_BYTES)
    if media_type in TEXTS.values():
        decode(data)
    elif media_type != _OTHER and not _begins_as(media_type, data):
        raise FileFaultError(
            f"is not {media_type}, as its ending says: its first bytes are others; give it the right ending"
        )
    return digest_of(data)


def _begins_as(media_type: str, data: bytes) -> bool:
    if media_type == "image/webp":
        return data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    if media_type == PDF:
        return b"%PDF-" in data[:1024]
    first = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8"}
    return data.startswith(first[media_type])
