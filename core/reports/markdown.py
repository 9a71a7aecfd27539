"""Text of models and suites as Markdown that stays what it is: one line without markup, or a fenced block."""

from __future__ import annotations

import html
import re

from modex.core.safety import clean, clean_line, without_secrets


def one_line(text: str, limit: int = 400) -> str:
    """Text in a Markdown table or heading: one line of at most `limit` characters, no markup, no HTML."""
    plain = html.escape(
        clean_line(without_secrets(text), limit), quote=False
    )  # a key is not one any more once it is escaped
    return re.sub(r"([\\`*_{}\[\]()#+!|~>-])", r"\\\1", plain)


def fenced(text: str) -> str:
    """A code block whose fence is longer than any in the text."""
    cleaned = clean(text)
    longest = max((len(run) for run in re.findall(r"`{3,}", cleaned)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{cleaned}\n{fence}\n"
