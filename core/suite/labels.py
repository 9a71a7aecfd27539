"""The labels that a person gives to answers: kept with the suite in `labels.json`, made while reading.

`[{"id": "wrong unit", "description": "right number, other unit"}, …]`; a plain string stands for an object with that `id`.
Their order is that of the keys 1 to 9. The bundled suite belongs to the program, so its labels stand beside the settings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modex.core.config.settings import settings_path
from modex.core.foundation.atomic_write import not_written, write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.bundled import bundled_root
from modex.core.suite.files import FileFaultError, read_text

FILE = "labels.json"
MOST = 200


@dataclass(frozen=True, slots=True)
class KnownLabel:
    """One kind of what can be wrong with an answer, or right."""

    id: str
    description: str = ""


def labels_path(suite: str | None) -> Path:
    """The file of the labels of the suite in this folder; None is the bundled one, or none at all.

    Where the settings are a device or a pipe (`MODEX_CONFIG=/dev/null`), nothing is kept beside them, nor read.
    """
    if suite:
        root = Path(suite).expanduser().absolute()
        root = root.parent if root.name == "test_definitions" else root
        if root.is_dir() and root.resolve() != bundled_root().resolve():
            return root / FILE
    settings = settings_path()
    if settings.exists() and not settings.is_file():
        return Path(os.devnull)
    return settings.with_name(FILE)


def load_labels(path: Path) -> list[KnownLabel]:
    """The labels in `path`, in order; none where there is no such file.

    Raises:
        ConfigurationError: it cannot be read or holds something else; says what and where.
    """
    try:
        text = read_text(path)
    except FileFaultError as fault:
        if not path.exists() or str(path) == os.devnull:
            return []
        raise ConfigurationError(f"{path}: {fault.message}") from None
    try:
        value = json.loads(text or "[]")
    except RecursionError:
        raise ConfigurationError(f"{path}: nests too deep; correct it there") from None
    except json.JSONDecodeError as error:
        raise ConfigurationError(f"{path}:{error.lineno}: this is no JSON ({error.msg}); correct it there") from error
    if not isinstance(value, list):
        raise ConfigurationError(f'{path}: must be a list such as [{{"id": "wrong unit"}}]')
    found: dict[str, KnownLabel] = {}
    for number, item in enumerate(value, 1):
        label = _label(item)
        if label is None:
            raise ConfigurationError(f'{path}: label {number} must be a text, or an object with an "id" that is one')
        found.setdefault(label.id.casefold(), label)
    return list(found.values())[:MOST]


def _label(item: Any) -> KnownLabel | None:
    if isinstance(item, str):
        item = {"id": item}
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return None
    name = " ".join(item["id"].split())
    return KnownLabel(name, str(item.get("description") or "")) if name else None


def save_labels(path: Path, labels: Sequence[KnownLabel]) -> None:
    """Write the labels, whole or not at all.

    Raises:
        ConfigurationError: it cannot be written.
    """
    value = [{"id": one.id, **({"description": one.description} if one.description else {})} for one in labels]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")
    except OSError as error:
        raise not_written(path, error, "copy the suite to a folder of your own") from error


def known_labels(path: Path, used: Sequence[str]) -> list[KnownLabel]:
    """The suite's labels, then those that stand in the store and in no file.

    Raises:
        ConfigurationError: the file is wrong.
    """
    labels = load_labels(path)
    known = {one.id.casefold() for one in labels}
    return [*labels, *(KnownLabel(name) for name in used if name.casefold() not in known)]
