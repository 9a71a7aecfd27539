"""A test, a domain or an evaluator that begins from a pattern; and a whole suite copied to be one's own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.definitions import Suite
from modex.core.suite.editing.changes import FileChange, SuiteEdit
from modex.core.suite.editing.patterns import Pattern
from modex.core.suite.editing.places import checked_id, definitions_of, folder_of, free_file, taken
from modex.core.suite.state import RESERVED

_PARTS = ("test_definitions", "prompts", "tool_mocks", "files", "labels.json")
"""What a suite consists of; its plugins are code and stay where they are trusted."""


def new_test(suite: Suite, pattern: Pattern, domain: str, level: int, identity: str) -> SuiteEdit:
    """A test of its own file that begins as `pattern`.

    Raises:
        ConfigurationError: there is no such domain or level, or the id is taken or none.
    """
    identity = checked_id(identity)
    if not 1 <= level <= 5:
        raise ConfigurationError("a level must be a number from 1 to 5")
    if identity in taken(suite, domain, level):
        raise ConfigurationError(f"{domain}/{level} has a test '{identity}' already; give another id")
    path = free_file(suite, f"{folder_of(suite, domain)}/level_{level}", identity)
    fields = {"id": identity, "name": _title(identity), "description": "", **pattern.fields}
    name = f"{domain}/{level}/{identity}"
    return SuiteEdit(f"{name} written", (FileChange(path, None, written_json(fields)),), name)


def new_domain(suite: Suite, pattern: Pattern, identity: str) -> SuiteEdit:
    """A domain whose tests are judged as those of `pattern`, with a first test.

    Raises:
        ConfigurationError: the id is taken or none.
    """
    identity = checked_id(identity)
    folder = f"{definitions_of(suite)}{identity}"
    if identity in RESERVED or identity in suite.domains or (suite.root / folder).exists():
        raise ConfigurationError(f"there is a folder or a domain '{identity}' already; give another id")
    domain = {"id": identity, "name": _title(identity), "description": ""}
    domain["evaluator_id"] = str(pattern.fields["evaluator_id"])
    first = {"id": "first", "name": "First", "description": "", **pattern.fields}
    first.pop("evaluator_id")
    changes = (
        FileChange(f"{folder}/domain.json", None, written_json(domain)),
        FileChange(f"{folder}/level_1/test_first.json", None, written_json(first)),
    )
    return SuiteEdit(f"domain {identity} written, with a first test", changes, f"{identity}/1/first")


def new_evaluator(suite: Suite, pattern: Pattern, identity: str) -> SuiteEdit:
    """An evaluator file made from a built-in one; a test takes it by `evaluator_id`.

    Raises:
        ConfigurationError: the id is taken or none.
    """
    from modex.core.suite.builtin import BUILTIN_EVALUATORS

    identity = checked_id(identity)
    path = f"{definitions_of(suite)}evaluators/{identity}.json"
    if identity in suite.evaluators or identity in BUILTIN_EVALUATORS or (suite.root / path).exists():
        raise ConfigurationError(f"there is an evaluator '{identity}' already; give another id")
    fields = {"id": identity, "name": _title(identity), **pattern.fields}
    words = f"{path} written: a test takes it by its id"
    return SuiteEdit(words, (FileChange(path, None, written_json(fields)),))


def copy_suite(suite: Suite, folder: Path) -> int:
    """Copy the suite's files into `folder`, which must not be there or be empty; how many.

    Raises:
        ConfigurationError: the folder is there, or cannot be written; what was begun is taken away again.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(f"{folder}: is there already; name another folder")
    made = not folder.exists()
    count = 0
    try:
        for name in _PARTS:
            source = suite.root / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
                count += sum(len(files) for _, _, files in os.walk(folder / name))
            elif source.is_file():
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, folder / name)
                count += 1
    except (OSError, shutil.Error) as error:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
        raise ConfigurationError(f"{folder}: cannot be written ({error}); name another folder") from error
    return count


def written_json(value: Mapping[str, Any]) -> bytes:
    """A definition as files of suites are written: two blanks a level, a line at the end."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _title(identity: str) -> str:
    return identity.replace("_", " ").replace("-", " ").strip().capitalize() or identity
