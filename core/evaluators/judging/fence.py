"""Model-written text inside a prompt: marked off by a random delimiter that the text cannot know, and bounded in size."""

from __future__ import annotations

import secrets

MAX_FENCED = 60_000
"""Characters of a response that another model reads; a longer one keeps its beginning and its end."""
MAX_QUESTION = 12_000


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
