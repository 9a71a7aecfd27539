"""Where the parts of a loaded suite stand in its files: a test's text, its layer of Markdown, a domain's folder, a free name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.bundled import bundled_root
from modex.core.suite.definitions import PromptLayer, Suite, TestCase
from modex.core.suite.editing.changes import read_file
from modex.core.suite.keys import id_fault

_ODD = re.compile(r"[^\w.@+-]")


def why_read_only(suite: Suite) -> str:
    """Why the suite's files are not changed here, and what to do instead; empty where they are."""
    if suite.root == bundled_root():
        return "the bundled suite is read-only: copy it into a folder of your own first"
    if suite.dialect is not None:
        return (
            f"written for {suite.dialect}: `modex import {suite.dialect} DIR OUT` writes it in our form, to be changed"
        )
    return ""


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """A test's text in its file: the whole file, or one line of it (`line` from 0, None for the whole)."""

    path: str
    whole: str
    line: int | None

    @property
    def text(self) -> str:
        """The test's own text."""
        return self.whole if self.line is None else self.whole.split("\n")[self.line]

    def with_text(self, text: str) -> bytes:
        """The file with another text in the test's place."""
        return self._with_lines([text])

    def and_after(self, text: str) -> bytes:
        """The file with a line of its own behind the test's."""
        return self._with_lines([self.text, text])

    def without(self) -> bytes | None:
        """The file without the test; None where nothing is left of it."""
        left = self._with_lines([]) if self.line is not None else b""
        return left if left.strip(b" \t\r\n\xef\xbb\xbf") else None

    def _with_lines(self, texts: list[str]) -> bytes:
        if self.line is None:
            return texts[0].encode()
        lines = self.whole.split("\n")
        if texts and self.line == len(lines) - 1 and len(texts) > 1:
            texts = [*texts[:-1], texts[-1].rstrip("\r")]  # the last line of a file may have no end
        return "\n".join([*lines[: self.line], *texts, *lines[self.line + 1 :]]).encode()


def written(suite: Suite, test: TestCase) -> WrittenTest:
    """The text of a test of the suite's own files.

    Raises:
        ConfigurationError: it is a row of a dataset, or its file cannot be read as text.
    """
    if test.source != "suite":
        raise ConfigurationError("a row of a dataset: e opens its file")
    path, line = test.location.path, test.location.line
    content = read_file(suite.root, path)
    if content is None:
        raise ConfigurationError(f"{path}: there is no such file any more; c reads the suite again")
    try:
        whole = content.decode()
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: is not UTF-8 text; save it as UTF-8") from None
    if path.lower().endswith(".json"):
        return WrittenTest(path, whole, None)
    if not 0 < line <= whole.count("\n") + 1:
        raise ConfigurationError(f"{path}: has been changed in the meantime; c reads the suite again")
    return WrittenTest(path, whole, line - 1)


def folder_of(suite: Suite, domain: str) -> str:
    """The folder of a domain, relative to the suite's root.

    Raises:
        ConfigurationError: there is no such domain.
    """
    found = suite.domains.get(domain)
    if found is None:
        raise ConfigurationError(f"there is no domain '{domain}'; c reads the suite again")
    path = found.location.path
    return str(PurePosixPath(path).parent) if path.endswith("/domain.json") else path


def definitions_of(suite: Suite) -> str:
    """The folder that holds the domains, relative to the root, with a `/` behind it; empty where the root does."""
    return "test_definitions/" if (suite.root / "test_definitions").is_dir() else ""


def layer_file(test: TestCase) -> PromptLayer | None:
    """The test's own layer where it stands in a Markdown file."""
    return next((one for one in test.layers if one.scope == "test" and one.location.path.endswith(".md")), None)


def others_with(suite: Suite, test: TestCase) -> bool:
    """Whether another test of the domain has the same id, and so shares its layer's file."""
    return any(
        other.test_id == test.test_id and other.domain == test.domain and other.level != test.level
        for other in suite.tests
    )


def taken(suite: Suite, domain: str, level: int) -> set[str]:
    """The ids of a level's tests."""
    return {test.test_id for test in suite.tests if (test.domain, test.level) == (domain, level)}


def checked_id(value: str) -> str:
    """An id as a person typed it, without blanks around it.

    Raises:
        ConfigurationError: it is none.
    """
    value = value.strip()
    if fault := id_fault(value):
        raise ConfigurationError(f"the id {fault}; give another")
    return value


def free_id(wanted: str, known: set[str]) -> str:
    """`wanted`, or with the first number behind it that makes it free."""
    if wanted not in known:
        return wanted
    return next(name for number in range(2, len(known) + 3) if (name := f"{wanted}_{number}") not in known)


def free_file(suite: Suite, folder: str, identity: str) -> str:
    """A path for a test's own file below `folder`."""
    stem = f"test_{_ODD.sub('_', identity)}"
    for number in range(1, 1000):
        path = f"{folder}/{stem if number == 1 else f'{stem}_{number}'}.json"
        if not (suite.root / path).exists():
            return path
    raise ConfigurationError(f"{folder}: has too many files named {stem}; give another id")
