"""The words of a question as what tells it from others, where two tools call their tests by other ids."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata

_BYTES = 16


def question_key(question: str) -> str:
    """What two questions of the same words have in common: a digest, whatever their case and white space."""
    return hashlib.blake2b(plain_words(question).encode("utf-8", "surrogatepass"), digest_size=_BYTES).hexdigest()


def plain_words(text: str) -> str:
    """A text without what two tools may write differently: letter case, white space, forms of characters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


_OPTIONS = re.compile(r"\n\n[A-Z]\. [^\n]*(?:\n[A-Z]\. [^\n]*)*\s*\Z")
"""The options that a dataset's reader writes below a question."""


def questions_in(prompt: str) -> tuple[str, ...]:
    """The keys of what a prompt asks: the whole, what stands above the options, and the last turn of a conversation."""
    found = [prompt]
    if (options := _OPTIONS.search(prompt)) is not None:
        found.append(prompt[: options.start()])
    if prompt.startswith("[{"):
        try:
            turns = json.loads(prompt)
        except (ValueError, RecursionError):
            turns = None
        lines = [turn.get("content") for turn in turns or () if isinstance(turn, dict) and turn.get("role") == "user"]
        found += [text for text in lines[-1:] if isinstance(text, str)]
    return tuple(question_key(text) for text in found)
