"""The code blocks of a document, as the reader copies them."""

from __future__ import annotations

import re
from pathlib import Path

from docs.generate import FOLDER

_BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str, language: str) -> list[str]:
    """Every block of a language."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    return [body for kind, _, body in _BLOCK.findall(text) if kind == language]


def files(page: str) -> dict[str, str]:
    """The blocks that name a file, by that name."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    return {name: body for _, name, body in _BLOCK.findall(text) if name}


def write(root: Path, contents: dict[str, str]) -> Path:
    """Write files below `root`."""
    for name, body in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
    return root
