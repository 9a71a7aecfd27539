"""The answers of real providers: files of the bytes that they send, each with its source and with what it means.

A file is `tests/fixtures/providers/<provider>/<case>.http`: comment lines (`# source:` where the shape comes from, `# shows:`
the columns of `docs/providers.md`, `# paths:` which ways can meet it, `# means:` what a caller is told, as JSON), then the
answer's head and body. `Content-Length` is counted when it is sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "fixtures" / "providers"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One answer of one provider."""

    provider: str
    case: str
    source: str
    shows: tuple[str, ...]
    paths: tuple[str, ...]
    means: dict[str, Any]
    head: str
    body: bytes

    @property
    def name(self) -> str:
        """`provider/case`."""
        return f"{self.provider}/{self.case}"

    @property
    def streamed(self) -> bool:
        """Whether it is a stream of events."""
        return "text/event-stream" in self.head

    @property
    def said(self) -> bytes:
        """The bytes on the wire."""
        head = self.head.replace("\n", "\r\n") + f"\r\nContent-Length: {len(self.body)}\r\n\r\n"
        return head.encode("latin-1") + self.body


def fixtures() -> list[Fixture]:
    """Every fixture, by provider and case."""
    return [_read(path) for path in sorted(FOLDER.glob("*/*.http"))]


def _read(path: Path) -> Fixture:
    lines = path.read_text("utf-8").split("\n")
    notes: dict[str, str] = {}
    while lines and lines[0].startswith("# "):
        name, _, value = lines.pop(0)[2:].partition(": ")
        notes[name] = value
    blank = lines.index("")
    return Fixture(
        path.parent.name,
        path.stem,
        notes["source"],
        tuple(part.strip() for part in notes["shows"].split(",")),
        tuple(part.strip() for part in notes["paths"].split(",")),
        json.loads(notes["means"]),
        "\n".join(lines[:blank]),
        (
            "\n".join(lines[blank + 1 :]).rstrip("\n") + ("\n\n" if "event-stream" in "".join(lines[:blank]) else "")
        ).encode(),
    )
