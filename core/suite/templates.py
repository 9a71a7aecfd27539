"""Templates under `prompts/`: what PASS 2, judges, reasoning and synthesis say, as files a suite can override.

What a model wrote stands in them between random delimiters that its text cannot know, and bounded in size.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.bundled import bundled_root
from modex.core.suite.files import MAX_DEFINITION_BYTES, FileFaultError, read_text
from modex.core.suite.frontmatter import parse_prompt
from modex.core.suite.suggest import did_you_mean

_NAME = re.compile(r"[A-Za-z0-9_\-]+(?:/[A-Za-z0-9_\-]+)*")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
MAX_FENCED = 60_000
"""Characters of a response that another model reads; a longer one keeps its beginning and its end."""
MAX_QUESTION = 12_000


def render(text: str, /, **values: str) -> str:
    """Replace each `{name}` that is given, in one pass; every other brace stays, and values are never read again."""

    def value_of(match: re.Match[str]) -> str:
        return values.get(match[1], match[0])

    return _PLACEHOLDER.sub(value_of, text)


def new_delimiter(*texts: str) -> str:
    """A fresh delimiter that occurs in none of `texts`."""
    while True:
        delimiter = f"DATA-{secrets.token_hex(8)}"
        if not any(delimiter in text for text in texts):
            return delimiter


def shortened(text: str, limit: int) -> str:
    """`text`, or its first and last parts with a note of how many characters are left out between them."""
    if len(text) <= limit:
        return text
    head = limit // 3
    tail = limit - head
    return f"{text[:head]}\n[… {len(text) - limit} characters left out …]\n{text[-tail:]}"


class Templates:
    """The templates of one suite: its own `prompts/<name>.md`, else the bundled one. Safe to use from many threads."""

    def __init__(self, suite_root: Path | None = None, read: Mapping[str, str] | None = None) -> None:
        """`read` are texts by name that were read before, which no later change of a file alters."""
        bundled = bundled_root()
        self._roots = [bundled] if suite_root is None or suite_root == bundled else [suite_root, bundled]
        self._texts: dict[str, str] = dict(read or {})
        self._lock = Lock()

    def text(self, name: str) -> str:
        """The template `name` (`pass2/numeric`), read once.

        Raises:
            ConfigurationError: no such template, or its file cannot be read.
        """
        with self._lock:
            found = self._texts.get(name)
            if found is None:
                found = self._texts[name] = self._read(name)
            return found

    def texts_read(self) -> dict[str, str]:
        """The texts that were read so far, by name."""
        with self._lock:
            return dict(self._texts)

    def path(self, name: str) -> Path | None:
        """The file behind `name`, or None."""
        if not _NAME.fullmatch(name):
            return None
        for root in self._roots:
            folder = root / "prompts"
            path = folder / f"{name}.md"
            if not path.exists():
                continue
            top = os.path.realpath(root)
            if os.path.commonpath([os.path.realpath(path), top]) != top:
                raise ConfigurationError(f"{path}: the template lies outside the suite; copy it there")
            return path
        return None

    def names(self) -> list[str]:
        """Every template there is, sorted; the prompt layers of domains are among them."""
        found: set[str] = set()
        for root in self._roots:
            folder = root / "prompts"
            found.update(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md"))
        return sorted(found)

    def _read(self, name: str) -> str:
        path = self.path(name)
        if path is None:
            hint = did_you_mean(name, self.names()) or "; put it there"
            raise ConfigurationError(f"there is no template 'prompts/{name}.md', in the suite or bundled{hint}")
        try:
            return parse_prompt(read_text(path, MAX_DEFINITION_BYTES)).text
        except FileFaultError as fault:
            where = f"{path}:{fault.line}" if fault.line else f"{path}"
            raise ConfigurationError(f"{where}: {fault.message}") from None
